/* notes.h - what schedule(g, n, i) called, as calls.c notes it and schedule.c
 * makes a schedule of it. */
#ifndef GPUSCALE_NOTES_H
#define GPUSCALE_NOTES_H

#include "language/binding.h"

enum {
  NAMES_MAX = 64, /* streams, and events, of a GPU */
  NAME_SIZE = 32,
  WORKS_MAX = 4096,     /* different durations */
  DEPTH = 1024,         /* launches that a stream holds */
  DEPTH_MOST = 1000000, /* of what may be said */
  COST_MOST = 320000,   /* of all schedules that are asked for together: */
  COST_CALL = 2,        /* of a call, */
  COST_ONE = 5,         /* of one by a thread of all GPUs */
  TEXT_MAX = 96         /* "GPU 3: wait", of a message */
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

/* A block of Lua's memory that grows. */
typedef struct block {
  void *at;
  size_t used, room;
} block;

/* What schedule(g, n, i) called.  Streams of GPU g are g * streams.n + k,
 * events k * n + g. */
typedef struct notes {
  bool open; /* schedule() is running */
  int gpus, owner, device, parity;
  int node;                /* GPUs of a node; 0: there is one */
  int line;                /* of gs.workload */
  size_t called;           /* by this run of it */
  int joined, collectives; /* by this run, and the most by any */
  const gscale_workload *w;
  bool one;     /* host thread for all */
  size_t *cost; /* of all schedules of the file */
  int depth;
  names streams, events;
  block list;  /* of call */
  block first; /* of size_t: into the list, of parity i and GPU g i * n + g */
  block work;  /* of gscale_work */
  block out;   /* of gscale_action, in the order of the schedule ... */
  block from;  /* ... and the line of each, as int */
} notes;

/* Room for one more in a block of elements of that size. */
void *notes_add(lua_State *L, block *b, size_t size);
/* The notes of the file that is running. */
notes *notes_of(lua_State *L);
/* Index of a name, or how many there are. */
int notes_find(const names *n, const char *name);

#endif /* GPUSCALE_NOTES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
