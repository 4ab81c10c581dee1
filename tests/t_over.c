/* t_over.c - lists and ranges of --over, however long, in whatever order and
 * units: a study has them all, or says why it does not.
 *
 * t_over [SEED] [COUNT] */

#include "random.h"
#include "sweep/walk.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <string.h>

enum {
  TEXT = 1 << 18
};

static char text[TEXT];

static const char *const names[] = {
    "gpus",      "gpus",      "gpus",  "n",
    "link.rate", "host.copy", "bytes", "memcpy-async.chunk",
    "nothing"};

/* What stands where a value should, now and then. */
static const char *const odd[] = {
    "",      " ",    "0",         "-1",   "nan",   "inf",       "1e400",
    "1e308", "0x10", "4096",      "4097", "1.5",   "00001",     "+7",
    "1..8",  "..",   "8..",       "..8",  "log",   "whole",     "1,",
    "=",     "1 GB", "100000000", "\n2",  "7 GPU", "1e-320 us", "\xe2\x80\xae"};

static const char *const units[] = {"",   "",    "",    " GB/s",
                                    "us", "KiB", " MB", "%"};

#define PICK(r, list) (list)[pick(r, (int)(sizeof(list) / sizeof *(list)))]

static void add_value(rng *r, bool plain)
{
  char one[64];

  if (!plain && pick(r, 8) == 0)
    snprintf(one, sizeof one, "%s", PICK(r, odd));
  else
    snprintf(one, sizeof one, "%.*g%s", 1 + pick(r, 17),
             plain ? floor(spread(r, 1, 5000)) : spread(r, 1e-9, 1e12),
             plain ? "" : PICK(r, units));
  gscale_append(text, TEXT, "%s", one);
}

/* Lengths around those of the places where it is kept. */
static int some_length(rng *r)
{
  static const int rare[] = {6553, 6554, 8191, 8192, 16384, 20000};

  return pick(r, 2000) == 0 ? PICK(r, rare) + pick(r, 3) : 1 + pick(r, 9);
}

static void draw(rng *r)
{
  const char *name = PICK(r, names);
  const bool plain = strcmp(name, "gpus") == 0 && pick(r, 4) > 0;

  snprintf(text, TEXT, "%s=", name);
  add_value(r, plain);
  if (pick(r, 4) == 0) {
    gscale_append(text, TEXT, "..");
    add_value(r, plain);
    for (int i = pick(r, 3); i > 0; i--)
      gscale_append(text, TEXT, ",%s", pick(r, 2) ? PICK(r, odd) : "33000");
    return;
  }
  /* strlen() of a long text for each value would take the longest */
  char *end = text + strlen(text);
  for (int i = some_length(r); i > 1 && end < text + TEXT - 64; i--)
    end += sprintf(end, ",%d", plain ? 1 + pick(r, 4096) : pick(r, 9));
}

/* Whether the N of a study are those of its axis, each once and rising. */
static bool all_there(const walk *w)
{
  const gscale_axis *a = &w->design.axis[0];
  const char *at = w->gpus;
  bool asked[GPUS_MAX + 1] = {false};

  for (size_t i = 0; i < a->steps; i++)
    asked[(int)(gscale_axis_value(a, i) + 0.5)] = true;
  for (int n = 1; n <= GPUS_MAX; n++) {
    char *end;
    if (!asked[n]) continue;
    if (strtol(at, &end, 10) != n) return false;
    at = end + (*end == ',');
  }
  return *at == '\0';
}

/* Without a system nothing is loaded: that is what the last complaint is of. */
static const char *wrong_with(size_t *whole)
{
  static options o;
  failure why = {0};
  walk *w = NULL;
  const char *wrong = NULL;

  o.verb = "sweep";
  o.over[0] = text;
  o.overs = 1;
  const int st = walk_new(&o, &w, &why);
  const bool last = strstr(why.text, "needs --system") != NULL;
  if (st == EXIT_OK)
    wrong = "a study without a system";
  else if (st != EXIT_USAGE || !*why.text)
    wrong = "no refusal";
  else if (last && w->v[0].kind == OVER_GPUS && !all_there(w))
    wrong = "not the values that were given";
  *whole += last;
  walk_free(w);
  return wrong;
}

int main(int argc, char **argv)
{
  const long seed = argc > 1 ? atol(argv[1]) : 1;
  const long count = argc > 2                  ? atol(argv[2])
                     : getenv("GPUSCALE_FULL") ? 1000000
                                               : 20000;
  rng r = {(uint64_t)seed};
  size_t whole = 0, bad = 0;

  for (long i = 0; i < count; i++) {
    draw(&r);
    const char *wrong = wrong_with(&whole);
    if (wrong && bad++ < 3) gsl_test(1, "%s: %.100s", wrong, text);
  }
  gsl_test(bad > 0, "%ld lists and ranges: %zu went wrong", count, bad);
  gsl_test(whole < (size_t)count / 8, "%zu of them are studies", whole);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
