/* t_digits.c - numbers as text, against printf(). */

#include "cli/cli.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double odd[] = {0.0,
                             -0.0,
                             0.5,
                             2.5,
                             1.0,
                             -3.5,
                             10.0,
                             0x1p-50,
                             0x1p-60,
                             0.1,
                             0.3,
                             1e-4,
                             1e-5,
                             1e15,
                             1e16,
                             1e17,
                             1e22,
                             1e-39,
                             1e-40,
                             1e308,
                             1e-07,
                             5e-324,
                             1.0 / 3,
                             1e18,
                             2e16,
                             3e16 + 4,
                             1e16 + 2,
                             0x1p-170,
                             0x1p-131,
                             9.9999999999999995e-5,
                             99999999999999999.0,
                             4503599627370497.5,
                             4294967295.0,
                             4294967296.0,
                             4294967295.5,
                             -7.0,
                             0x1.fffffffffffffp-18,
                             INFINITY,
                             -INFINITY};

typedef struct rng {
  uint64_t state;
} rng;

/* splitmix64 (public domain construction) */
static uint64_t rng_next(rng *r)
{
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int is_same(double x)
{
  number_words ours;
  char text[64];
  const size_t n = number_text(x, ours);

  snprintf(text, sizeof text, "%.17g", x);
  if (n == strlen(ours) && strcmp(ours, text) == 0) return 1;
  printf("  %s, printf says %s\n", ours, text);
  return 0;
}

/* A number of any size that is likely to be printed, or any at all. */
static double draw(rng *r, int of)
{
  const uint64_t bits = rng_next(r);
  double x;

  if (of == 0) {
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  if (of == 1) return ldexp((double)(bits >> 11), -(int)(bits % 170));
  if (of == 2) return ldexp((double)(bits >> 40), -(int)(bits % 70)); /* ties */
  return (double)(bits >> bits % 60) * pow(10.0, -(double)(bits % 25));
}

int main(void)
{
  rng r = {71};
  long wrong = 0;

  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    gsl_test_int(is_same(odd[i]), 1, "%.17g is as printf() has it", odd[i]);
  for (long i = 0; i < 400000; i++) {
    const double x = draw(&r, (int)(i % 4));

    if (!isnan(x)) wrong += !is_same(x);
  }
  gsl_test_int((int)wrong, 0, "numbers of 400000 that are not");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
