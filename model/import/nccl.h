/* nccl.h - results of nccl-tests, as text and as JSON. */
#ifndef GPUSCALE_IMPORT_NCCL_H
#define GPUSCALE_IMPORT_NCCL_H

#include "import/import.h"

enum {
  HOSTS_MAX = 1024,
  RATIOS_MAX = 256,
  RANKS_MOST = 4096 /* that rows are searched for */
};

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

/* A line or an object lists a rank. */
typedef struct member {
  int rank, group, device;
  gscale__part host, name; /* name of the GPU */
} member;

/* The members are the ranks of a test. */
typedef struct members {
  int listed, zeros;  /* ranks, and those with the number 0 */
  int last, groups;   /* the largest number, and groups */
  int each;           /* ranks that a host has at least */
  int process;        /* ranks for each one that is listed */
  int thread;         /* GPUs of a host thread, 0: unknown */
  int hosts, of_zero; /* all hosts, and those of group 0 */
  gscale__part host[HOSTS_MAX], name;
  int on[HOSTS_MAX]; /* ranks of a host */
  bool has_zero[HOSTS_MAX];
  int n, nodes; /* of one collective, 0: unknown */
} members;

/* Each row has a ratio of busbw to algbw between two limits. */
typedef struct ratios {
  size_t n;
  double low[RATIOS_MAX], high[RATIOS_MAX];
} ratios;

/* Returns the collective whose program p names, or NULL. The end of
 * all_reduce_perf is not reduce_perf. */
const collective *gscale__nccl_named(gscale__part p);
void gscale__nccl_rank(members *k, const member *m);
/* Returns the value of the last digit that a number has in the text. */
double gscale__nccl_digit(const char *number);
/* Adds the bandwidths of a row, printed with a last digit of that value. */
void gscale__nccl_ratio(ratios *r, double algbw, double busbw, double digit);
/* Returns 1 and the number of rows that n ranks explain, or 0 for less than
 * half of the rows. */
size_t gscale__nccl_fits(const ratios *r, bus b, int n);
/* Returns the ranks of one collective as they are listed, 0 without a list. */
int gscale__nccl_listed(const members *k);
/* Finds the ranks and nodes of one collective. The rows are believed where they
 * contradict the list of ranks, and a remark says so. */
void gscale__nccl_settle(gscale__source *s, const char *at, members *k,
                         const ratios *r, const collective *c);
/* Remarks how many results had wrong elements, the first of them at `at`. */
void gscale__nccl_wrong(gscale__source *s, size_t n, const char *at);
/* Converts the library's own number to a version, or returns 0. Version 2.8.4
 * is 2804, since numbers had four digits before 2.9. */
double gscale__nccl_version(double number);
gscale_status gscale__nccl_add(gscale__source *s, const char *at,
                               const collective *c, const members *who,
                               const result *r);

#endif /* GPUSCALE_IMPORT_NCCL_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
