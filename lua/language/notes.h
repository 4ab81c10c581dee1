/* notes.h - the calls of schedule(g, n, i): calls.c stores them as notes, and
 * schedule.c converts the notes to a schedule. */
#ifndef GPUSCALE_NOTES_H
#define GPUSCALE_NOTES_H

#include "language/binding.h"

enum {
  NAMES_MAX = 64, /* of one GPU */
  NAME_SIZE = 32,
  WORKS_MAX = 4096,     /* distinct durations */
  DEPTH = 1024,         /* launches queued in a stream */
  DEPTH_MOST = 1000000, /* limit of `depth` */
  COST_MOST = 320000,   /* largest cost of all schedules */
  COST_CALL = 2,        /* cost of a call */
  COST_ONE = 5,         /* cost of a single thread's call */
  TEXT_MAX = 96         /* "GPU 3: wait" */
};

typedef struct names {
  int n;
  char name[NAMES_MAX][NAME_SIZE];
} names;

typedef struct call {
  gscale_action a;
  int line;
} call;

/* A block is an array in Lua's memory that can grow. */
typedef struct block {
  void *at;
  size_t used, room;
} block;

/* The notes hold the calls of schedule(g, n, i). On GPU g, stream k has the
 * index g * streams.n + k, and event k has the index k * n + g. */
typedef struct notes {
  bool open; /* schedule() is running */
  int gpus, owner, device;
  int node;                /* GPUs per node */
  int line;                /* line of gs.workload */
  size_t called;           /* in this run */
  int joined, collectives; /* in this run, maximum */
  const gscale_workload *w;
  bool one;     /* one thread issues to all GPUs */
  size_t *cost; /* cost of the file's schedules */
  int depth;
  names streams, events;
  block list;  /* call */
  block first; /* size_t [i * n + g] */
  block work;  /* gscale_work */
  block out;   /* gscale_action */
  block from;  /* int, lines of `out` */
} notes;

/* Enlarges a block by one element and returns the element. */
void *notes_add(lua_State *L, block *b, size_t size);
/* Returns the notes of the running file. */
notes *notes_of(lua_State *L);
/* Returns the index of a name, or the number of names if it is missing. */
int notes_find(const names *n, const char *name);

#endif /* GPUSCALE_NOTES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
