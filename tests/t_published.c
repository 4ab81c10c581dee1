/* t_published.c - which of our numbers meet a printed one. */

#include "reproduce/published.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static published row(const char *relation_, const char *value,
                     const char *tolerance)
{
  static const struct {
    const char *name;
    relation is;
  } names[] = {{"eq", RELATION_EQ},       {"approx", RELATION_APPROX},
               {"below", RELATION_BELOW}, {"lt", RELATION_LT},
               {"le", RELATION_LE},       {"gt", RELATION_GT},
               {"ge", RELATION_GE},       {"best", RELATION_BEST}};
  published r = {0};
  char *end;

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(relation_, names[i].name) == 0) r.relation = names[i].is;
  snprintf(r.value, sizeof r.value, "%s", value);
  snprintf(r.tolerance, sizeof r.tolerance, "%s", tolerance);
  r.least = r.most = strtod(value, &end);
  if (*end == '-') r.most = strtod(end + 1, NULL);
  return r;
}

/* Ours, and whether it is near enough. */
static void judge(const char *relation_, const char *value,
                  const char *tolerance, double ours, bool met)
{
  published r = row(relation_, value, tolerance);

  r.ours = ours;
  gsl_test(published_met(&r) != met, "%s %s (%s), ours %g", relation_, value,
           tolerance, ours);
}

static void tolerances(void)
{
  judge("eq", "14", "round", 14.29, true);
  judge("eq", "14", "round", 14.51, false);
  judge("eq", "8.5", "round", 8.4375, false);
  judge("eq", "8.5", "1%", 8.4375, true);
  judge("eq", "3.0", "round", 3.049, true);
  judge("eq", "3.0", "round", 3.051, false);
  judge("eq", "5.3", "10%", 5.829, true);
  judge("eq", "5.3", "10%", 5.831, false);
  judge("eq", "5.3", "10%", 4.769, false);
  judge("approx", "16", "x2", 8, true);
  judge("approx", "16", "x2", 7.9, false);
  judge("approx", "16", "x2", 32, true);
  judge("approx", "16", "x2", 32.1, false);
  judge("approx", "0", "0.1", -0.09, true);
  judge("approx", "0", "0.1", 0.11, false);
}

static void relations(void)
{
  judge("approx", "5-6", "10%", 6.6, true);
  judge("approx", "5-6", "10%", 4.4, false);
  judge("below", "100", "10%", 90.1, true);
  judge("below", "100", "10%", 100.1, false);
  judge("lt", "1", "", 1, false);
  judge("lt", "1", "", 0.999, true);
  judge("gt", "1", "", 1, false);
  judge("gt", "1", "", 1.001, true);
  judge("le", "1", "0", 1, true);
  judge("le", "1", "0", 1.001, false);
  judge("ge", "75", "0", 75, true);
  judge("ge", "75", "0", 74.9, false);
  judge("best", "D 16kB 256 DKL", "10%", 1.1, true);
  judge("best", "D 16kB 256 DKL", "10%", 1.11, false);
}

/* What nothing is known of is not met. */
static void unknown(void)
{
  const double nan = strtod("nan", NULL);

  judge("eq", "1", "10%", nan, false);
  judge("lt", "1", "", nan, false);
  judge("ge", "1", "0", nan, false);
  judge("best", "I", "10%", nan, false);
}

int main(void)
{
  tolerances();
  relations();
  unknown();
  return gsl_test_summary();
}
