/* nccl.h - what results of nccl-tests are, as text and as JSON. */
#ifndef GPUSCALE_IMPORT_NCCL_H
#define GPUSCALE_IMPORT_NCCL_H

#include "import/import.h"

/* nccl-tests states sizes per rank: for alltoall the whole send buffer, of
 * which each pair gets an nth part. */
typedef enum items {
  WHOLE,     /* one operation of the stated size */
  EACH_RANK, /* n of the stated size */
  EACH_PAIR  /* n (n - 1) of an nth of it */
} items;

/* Its bus bandwidth over its algorithm bandwidth, on n ranks
 * (doc/PERFORMANCE.md of nccl-tests). */
typedef enum bus {
  BUS_ONE,   /* 1 */
  BUS_SHARE, /* (n - 1) / n */
  BUS_TWICE  /* 2 (n - 1) / n */
} bus;

typedef struct collective {
  const char *program, *bench;
  items items;
  bool reduces, rooted; /* its rows name an operation, a root */
  bus bus;
} collective;

/* One result as both forms of the file state it. */
typedef struct result {
  double size, time, sigma, repeats; /* B, us */
  double version;                    /* of the library, 0: not said */
  bool in_place;                     /* beside another that is not */
} result;

/* Who took part. */
typedef struct members {
  int n;
  int nodes;                /* hosts, one after the other */
  gscale__part first, last; /* host */
} members;

/* The collective whose program is named in p: reduce_perf, but not the end of
 * all_reduce_perf; NULL: none. */
const collective *gscale__nccl_named(gscale__part p);
void gscale__nccl_host(members *k, gscale__part host);
/* The version from the library's own number.  Before 2.9 that was 2804, not
 * 20804.  0: it is none. */
double gscale__nccl_version(double number);
gscale_status gscale__nccl_add(gscale__source *s, const char *at,
                               const collective *c, const members *who,
                               const result *r);

#endif /* GPUSCALE_IMPORT_NCCL_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
