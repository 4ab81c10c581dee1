/* random.h - random cases with a fixed seed, the same on every machine. */
#ifndef GPUSCALE_TEST_RANDOM_H
#define GPUSCALE_TEST_RANDOM_H

#include "describe/numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct rng {
  uint64_t state;
} rng;

/* splitmix64 (public domain construction): every seed gives a good stream. */
static inline uint64_t rng_next(rng *r)
{
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline double uniform(rng *r, double low, double high)
{
  return low + (high - low) * (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Uniform in the logarithm. */
static inline double spread(rng *r, double low, double high)
{
  return exp(uniform(r, log(low), log(high)));
}

static inline int pick(rng *r, int n)
{
  return (int)uniform(r, 0, n);
}

static inline gscale_profile random_profile(rng *r)
{
  gscale_profile p = {.n = 2 + (size_t)pick(r, GSCALE_PROFILE_MAX - 1)};
  double at = 0, ready = 0;

  for (size_t i = 1; i < p.n; i++) {
    /* flat pieces, jumps, and both together */
    at += pick(r, 4) ? uniform(r, 0, 1) : 0;
    ready += pick(r, 4) ? uniform(r, 0, 1) : 0;
    p.at[i] = at;
    p.ready[i] = ready;
  }
  for (size_t i = 1; i < p.n; i++) {
    p.at[i] = at > 0 ? p.at[i] / at : (i + 1 == p.n);
    p.ready[i] = ready > 0 ? p.ready[i] / ready : (i + 1 == p.n);
  }
  p.at[p.n - 1] = p.ready[p.n - 1] = 1;
  return p;
}

/* The number of cases: a sample, or all of them in the full suite. */
static inline int cases(int sample, int all)
{
  return getenv("GPUSCALE_FULL") ? all : sample;
}

/* Other compilers and sanitizers look for other faults than of numbers, and so
 * do builds by -D SHORT_DRAWS: a part of what is dear is enough. */
#if defined __SANITIZE_ADDRESS__
enum {
  SHARE = 8
};
#elif defined __clang__ || defined SHORT_DRAWS
enum {
  SHARE = 2
};
#else
enum {
  SHARE = 1
};
#endif

/* The same of cases that take long: the short suite tries a few of the sample,
 * the first ones, and at least a tenth. */
static inline int slow_cases(int few, int sample, int all)
{
  const int least = (sample + 9) / 10;
  if (getenv("GPUSCALE_LONG")) return cases(sample, all);
  return few > least ? few : least;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
