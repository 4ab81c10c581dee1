/* nccl.h - results of nccl-tests, as text and as JSON. */
#ifndef GPUSCALE_IMPORT_NCCL_H
#define GPUSCALE_IMPORT_NCCL_H

#include "import/import.h"

/* nccl-tests states sizes per rank. For alltoall it is the whole send buffer,
 * of which each pair gets an nth part. */
typedef enum items {
  WHOLE,     /* one operation */
  EACH_RANK, /* n operations */
  EACH_PAIR  /* n (n - 1) parts */
} items;

/* This is the bus bandwidth over the algorithm bandwidth on n ranks
 * (doc/PERFORMANCE.md of nccl-tests). */
typedef enum bus {
  BUS_ONE,   /* 1 */
  BUS_SHARE, /* (n - 1) / n */
  BUS_TWICE  /* 2 (n - 1) / n */
} bus;

typedef struct collective {
  const char *program, *bench;
  items items;
  bool reduces, rooted; /* columns in its rows */
  bus bus;
} collective;

/* A result is the same in both forms of the file. */
typedef struct result {
  double size, time, sigma, repeats; /* B, us */
  double version;                    /* of NCCL, 0: unknown */
  bool in_place;                     /* a second result */
} result;

/* The members are the ranks of a test. */
typedef struct members {
  int n;
  int nodes;                /* consecutive hosts */
  gscale__part first, last; /* host */
} members;

/* Returns the collective whose program p names, or NULL. The end of
 * all_reduce_perf is not reduce_perf. */
const collective *gscale__nccl_named(gscale__part p);
void gscale__nccl_host(members *k, gscale__part host);
/* Converts the library's own number to a version, or returns 0. Version 2.8.4
 * is 2804, since numbers had four digits before 2.9. */
double gscale__nccl_version(double number);
gscale_status gscale__nccl_add(gscale__source *s, const char *at,
                               const collective *c, const members *who,
                               const result *r);

#endif /* GPUSCALE_IMPORT_NCCL_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
