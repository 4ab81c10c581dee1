/* notes.h - calls of schedule(g, n, i), which calls.c notes and schedule.c
 * converts to a schedule. */
#ifndef GPUSCALE_NOTES_H
#define GPUSCALE_NOTES_H

#include "language/binding.h"

enum {
  NAMES_MAX = 64, /* per GPU */
  NAME_SIZE = 32,
  WORKS_MAX = 4096,     /* different durations */
  DEPTH = 1024,         /* launches in a stream */
  DEPTH_MOST = 1000000, /* limit of `depth` */
  COST_MOST = 320000,   /* of all schedules */
  COST_CALL = 2,        /* of a call */
  COST_ONE = 5,         /* of one thread's call */
  TEXT_MAX = 96         /* "GPU 3: wait" */
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

typedef struct names {
  int n;
  char name[NAMES_MAX][NAME_SIZE];
} names;

typedef struct call {
  gscale_action a;
  int line;
} call;

/* A block is a growing array in Lua's memory. */
typedef struct block {
  void *at;
  size_t used, room;
} block;

/* The notes hold the calls of schedule(g, n, i). Stream k of GPU g is g *
 * streams.n + k, and event k is k * n + g. */
typedef struct notes {
  bool open; /* schedule() is running */
  int gpus, owner, device, parity;
  int node;                /* GPUs per node */
  int line;                /* of gs.workload */
  size_t called;           /* in this run */
  int joined, collectives; /* in this run, maximum */
  const gscale_workload *w;
  bool one;     /* one thread for all */
  size_t *cost; /* of the file's schedules */
  int depth;
  names streams, events;
  block list;  /* call */
  block first; /* size_t [i * n + g] */
  block work;  /* gscale_work */
  block out;   /* gscale_action */
  block from;  /* int, lines of `out` */
} notes;

/* Makes room for one more element of a block. */
void *notes_add(lua_State *L, block *b, size_t size);
/* Returns the notes of the running file. */
notes *notes_of(lua_State *L);
/* Returns the index of a name, or the count if it is missing. */
int notes_find(const names *n, const char *name);

#endif /* GPUSCALE_NOTES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
