/* host.h - what a host thread calls in a step. */
#ifndef GPUSCALE_DESCRIBE_HOST_H
#define GPUSCALE_DESCRIBE_HOST_H

#include "describe/describe.h"

typedef enum token_kind {
  TOKEN_WORK,
  TOKEN_RECORD,
  TOKEN_WAIT,
  TOKEN_SYNC_STREAM,
  TOKEN_SYNC_EVENT,
  TOKEN_SYNC_DEVICE,
  TOKEN_BARRIER
} token_kind;

/* A call for an event in one step, and the call of the record it means. */
typedef struct sighting {
  size_t call, record;
} sighting;

enum {
  SIGHTINGS = 7
};

/* A call, as it returns in every step. */
typedef struct token {
  token_kind kind;
  int gpu, stream;          /* -1: not known */
  size_t slot;              /* of work */
  int64_t event;            /* the number of a record; 0: not said */
  sighting seen[SIGHTINGS]; /* of wait, sync of an event */
  size_t sightings;
  size_t meant; /* wait, sync of an event: the token of its record, of the
                 * thread `of`; NONE: not known */
  size_t of;
  bool last_step; /* it is a record of the step before */
  size_t call;
  double gap;   /* s, median, from the call before */
  bool barrier; /* threads meet before it */
  int side;     /* of a copy to another GPU: -1 before it, 1 behind it */
  bool sided;   /* not all GPUs copy to all of their partners there */
  bool absent;  /* of another GPU, whose slot it is, and not of this one */
} token;

typedef struct host_thread {
  int thread, leader; /* number in the records; its first GPU */
  token *v;
  size_t n;
  double rest;  /* s, behind the last call */
  bool meets;   /* threads meet there */
  double *time; /* s, of `seen` steps: begin and end of each call, NaN if the
                 * step lacks it, then the next step's begin and nothing */
  size_t seen;
} host_thread;

typedef struct host_calls {
  host_thread *v; /* none if calls were not recorded */
  size_t n;
  bool meetings_known; /* by several threads of one clock */
} host_calls;

int find_host(const profile *p, host_calls *out, failure *why);
/* Gives each thread of a GPU the calls for copies of all, each in its place,
 * where all else that threads call is the same: what a thread has not is
 * absent.  False without memory. */
bool put_together(const profile *p, host_calls *h);
void host_free(host_calls *h);

#endif /* GPUSCALE_DESCRIBE_HOST_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
