/* host.h - the calls of a host thread in a step. */
#ifndef GPUSCALE_DESCRIBE_HOST_H
#define GPUSCALE_DESCRIBE_HOST_H

#include "describe/describe.h"

typedef enum token_kind {
  TOKEN_WORK,
  TOKEN_RECORD,
  TOKEN_WAIT,
  TOKEN_SYNC_STREAM,
  TOKEN_SYNC_EVENT,
  TOKEN_SYNC_DEVICE
} token_kind;

/* A wait for an event in one step, and the call of the matching record. */
typedef struct sighting {
  size_t call, record;
} sighting;

enum {
  SIGHTINGS = 7
};

/* A call that every step has. */
typedef struct token {
  token_kind kind;
  int gpu, stream;          /* -1: unknown */
  size_t slot;              /* slot of the work */
  int64_t event;            /* number of the event; 0: unknown */
  sighting seen[SIGHTINGS]; /* of waits and syncs */
  size_t sightings;
  size_t meant; /* token of the record, or NONE */
  size_t of;
  bool last_step; /* record in the previous step */
  size_t call;
  double gap;   /* s before the call */
  bool barrier; /* threads meet before the call */
  int side;     /* -1: lower, 1: higher */
  bool sided;   /* some GPUs lack partners */
  bool absent;  /* copied from another GPU */
} token;

typedef struct host_thread {
  int thread, leader; /* recorded number; first GPU */
  token *v;
  size_t n;
  double rest;  /* s at the end */
  bool meets;   /* barrier at the end */
  double *time; /* s of starts and ends, or NaN */
  size_t seen;
} host_thread;

typedef struct host_calls {
  host_thread *v; /* empty without recorded calls */
  size_t n;
  bool meetings_known; /* threads share a clock */
} host_calls;

int find_host(const profile *p, host_calls *out, failure *why);
/* Merges the calls of the threads of several GPUs. If the threads differ only
 * in copies, each thread gets the copies of all threads, and copies of other
 * threads are marked absent. Returns false if memory is exhausted. */
bool put_together(const profile *p, host_calls *h);
void host_free(host_calls *h);

#endif /* GPUSCALE_DESCRIBE_HOST_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
