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
               {"ge", RELATION_GE},       {"best", RELATION_BEST},
               {"order", RELATION_ORDER}};
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
  judge("order", "all", "", 1, true);
  judge("order", "all", "", 0.999, false);
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

/* ---- the score sheet ----------------------------------------------------- */

/* A row that was predicted, as it stands after its recipe ran. */
static published predicted(const char *relation_, const char *value,
                           const char *tolerance, double ours)
{
  published r = row(relation_, value, tolerance);

  r.standing = STANDING_PREDICTED;
  r.ours = ours;
  r.known = r.modelled = true;
  r.met = published_met(&r);
  snprintf(r.from, sizeof r.from, "test");
  snprintf(r.how, sizeof r.how, "%.17g", ours);
  return r;
}

static void is_worth(published r, worth expected, const char *name)
{
  publication p = {.v = &r, .n = 1};

  sheet_fill(&p);
  gsl_test(r.worth != expected, "%s: %s", name, worth_name(r.worth));
}

static void sharpness(void)
{
  published r = predicted("eq", "3.0", "10%", 3.1);

  is_worth(r, WORTH_SHARP, "within a tenth");
  is_worth(predicted("eq", "5", "1", 5), WORTH_SHARP, "within a fifth");
  is_worth(predicted("eq", "4", "1", 5), WORTH_BAND, "within a quarter");
  is_worth(predicted("approx", "16", "x2", 8), WORTH_BAND, "a factor");
  is_worth(predicted("approx", "0", "0.1", 0), WORTH_SHARP, "a tenth of 1");
  is_worth(predicted("approx", "0", "0.3", 0), WORTH_BAND, "0.3 of 1");
  is_worth(predicted("lt", "1", "", 0.5), WORTH_INEQUALITY, "one side");
  is_worth(predicted("best", "I", "5%", 1), WORTH_CHOICE, "a choice");
  is_worth(predicted("order", "all", "", 1), WORTH_ORDERING, "an ordering");
  r.modelled = false;
  is_worth(r, WORTH_IDENTITY, "of printed numbers");
  r.modelled = true;
  r.standing = STANDING_FITTED;
  is_worth(r, WORTH_FITTED, "fitted");
  r.standing = STANDING_STRUCTURAL;
  is_worth(r, WORTH_DEFINITION, "from a definition");
  r.standing = STANDING_CONFLICT;
  is_worth(r, WORTH_NONE, "not judged");
}

static void named(void)
{
  published r = predicted("eq", "3.0", "10%", 3.1);

  snprintf(r.machine, sizeof r.machine, "p100x4 k40x4");
  snprintf(r.machines, sizeof r.machines, "k40x4 p100x4");
  is_worth(r, WORTH_SHARP, "the machines named, in another order");
  snprintf(r.machines, sizeof r.machines, "k40x4");
  is_worth(r, WORTH_STAND_IN, "one of two machines");
  snprintf(r.machine, sizeof r.machine, "k40x4");
  snprintf(r.program, sizeof r.program, "ct");
  snprintf(r.programs, sizeof r.programs, "suite");
  is_worth(r, WORTH_STAND_IN, "another program");
}

static void repeated(void)
{
  published v[3] = {predicted("eq", "3.0", "10%", 3.1),
                    predicted("eq", "3", "10%", 3.1),
                    predicted("eq", "3", "10%", 3.2)};
  publication p = {.v = v, .n = 3};

  snprintf(v[0].id, sizeof v[0].id, "A");
  snprintf(v[1].how, sizeof v[1].how, "in other words");
  sheet_fill(&p);
  gsl_test(v[0].worth != WORTH_SHARP, "the first counts");
  gsl_test(v[1].worth != WORTH_REPEAT || strcmp(v[1].repeats, "A") != 0,
           "the same number in other words");
  gsl_test(v[2].worth != WORTH_SHARP, "another number");
}

/* Of 40 rows 32 are four fifths; a constant for five rows is a fifth. */
static void marks(void)
{
  static publication p; /* large */
  published v[40];

  p.v = v;
  p.n = 40;
  for (int i = 0; i < 40; i++) {
    v[i] = predicted("eq", "3.0", "10%", i < 33 ? 3.0 : 4.0);
    snprintf(v[i].how, sizeof v[i].how, "%d", i);
    v[i].ours += 1e-6 * i;
  }
  v[33].met = true;
  sheet_fill(&p);
  gsl_test(sheet_misses(&p), "34 of 40");
  v[33].met = false;
  gsl_test(!sheet_misses(&p), "33 of 40: fewer than 85 % of all");
  v[33].met = true;
  for (int i = 0; i < 7; i++) p.constant[i].fitted = true;
  p.constants = 6;
  gsl_test(sheet_misses(&p), "6 constants for 34");
  p.constants = 7;
  gsl_test(!sheet_misses(&p), "7 constants for 34");
  p.constants = 0;
  p.n = 39;
  gsl_test(!sheet_misses(&p), "39 rows");
}

int main(void)
{
  sharpness();
  named();
  repeated();
  marks();
  tolerances();
  relations();
  unknown();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
