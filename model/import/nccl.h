/* nccl.h - results of nccl-tests in text and JSON form. */
#ifndef GPUSCALE_IMPORT_NCCL_H
#define GPUSCALE_IMPORT_NCCL_H

#include "import/import.h"

enum {
  HOSTS_MAX = 1024,
  RATIOS_MAX = 256,
  RANKS_MOST = 4096 /* most ranks for which rows are tested */
};

/* The items of a collective.  nccl-tests prints sizes per rank; for alltoall,
 * the size is the whole send buffer, and each pair gets 1/n of this buffer. */
typedef enum items {
  WHOLE,     /* one operation */
  EACH_RANK, /* n operations */
  EACH_PAIR  /* n (n - 1) parts */
} items;

/* The ratio of bus bandwidth to algorithm bandwidth on n ranks
 * (doc/PERFORMANCE.md of nccl-tests). */
typedef enum bus {
  BUS_ONE,   /* 1 */
  BUS_SHARE, /* (n - 1) / n */
  BUS_TWICE  /* 2 (n - 1) / n */
} bus;

typedef struct collective {
  const char *program, *bench;
  items items;
  bool reduces, rooted; /* columns in the rows */
  bus bus;
} collective;

/* A result, which is the same in both forms. */
typedef struct result {
  double size, time, sigma, repeats; /* B, us */
  double version;                    /* version of NCCL; 0: unknown */
  bool in_place;                     /* an in-place result */
} result;

/* A rank that a line or a JSON object lists. */
typedef struct member {
  int rank, group, device;
  gscale__part host, name; /* name of the GPU */
} member;

/* The ranks of a test. */
typedef struct members {
  int listed, zeros;  /* number of ranks, and of ranks with number 0 */
  int last, groups;   /* largest rank number, and number of groups */
  int each;           /* least number of ranks of a host */
  int process;        /* ranks per listed rank */
  int asked;          /* ranks that the caller gave, or 0 */
  int thread;         /* GPUs of a host thread; 0: unknown */
  int hosts, of_zero; /* number of hosts, and of hosts of group 0 */
  gscale__part host[HOSTS_MAX], name;
  int on[HOSTS_MAX]; /* ranks of each host */
  bool has_zero[HOSTS_MAX];
  int n, nodes; /* ranks and nodes of a collective; 0: unknown */
} members;

/* The ratios of busbw to algbw of all rows, each between two limits. */
typedef struct ratios {
  size_t n;
  double low[RATIOS_MAX], high[RATIOS_MAX];
} ratios;

/* Returns the collective whose program is named in p, or NULL.  The name
 * all_reduce_perf does not match reduce_perf. */
const collective *gscale__nccl_named(gscale__part p);
/* Returns the collective of a name like "AllReduce", or NULL. */
const collective *gscale__nccl_called(gscale__part name);
void gscale__nccl_rank(members *k, const member *m);
/* Returns the value of a unit in the last printed digit of a number. */
double gscale__nccl_digit(const char *number);
/* Adds the bandwidths of a row, whose last digit has the value `digit`. */
void gscale__nccl_ratio(ratios *r, double algbw, double busbw, double digit);
/* Returns 1 + the number of rows that n ranks explain, 0 for less than half. */
size_t gscale__nccl_fits(const ratios *r, bus b, int n);
/* Returns the only number of ranks that explains most rows, 0 if several do, or
 * -1 if none explains a row. */
int gscale__nccl_told(const ratios *r, bus b);
/* Returns the ranks of one collective as they are listed, 0 without a list. */
int gscale__nccl_listed(const members *k);
/* Finds the number of ranks and nodes of one collective.  If rows contradict
 * the list of ranks, the rows decide, and a remark states this. */
void gscale__nccl_settle(gscale__source *s, const char *at, members *k,
                         const ratios *r, const collective *c);
/* Adds a remark on n results with wrong elements, the first at `at`. */
void gscale__nccl_wrong(gscale__source *s, size_t n, const char *at);
/* Converts the library's version number, or returns 0.  Before version 2.9,
 * numbers have four digits, such as 2804 for 2.8.4. */
double gscale__nccl_version(double number);
gscale_status gscale__nccl_add(gscale__source *s, const char *at,
                               const collective *c, const members *who,
                               const result *r);

#endif /* GPUSCALE_IMPORT_NCCL_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
