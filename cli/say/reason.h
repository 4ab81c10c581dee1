/* reason.h - what is known of one prediction. */

#ifndef GPUSCALE_PREDICT_REASON_H
#define GPUSCALE_PREDICT_REASON_H

#include "say/predict.h"

/* One prediction with all that is known about it. */
typedef struct reason {
  question q;    /* one N; every paradigm that could be meant */
  size_t chosen; /* index into q.paradigm */
  gscale_prediction p;
  gscale_error e;
  influences f;                     /* of its numbers */
  double quantile[3], sigma;        /* s, of draws, if it is not linear */
  char way[GSCALE_MOVES_MAX][32];   /* how collectives move its phases */
  char next[GSCALE_MOVES_MAX][192]; /* what else they could be moved by */
  standing among;                   /* of all that were asked for */
  char given[256];                  /* by which runs, if any are given */
} reason;

/* What is known is one list; the three formats are three ways to write it. */
enum {
  FACTS_MAX = 64 + KNOBS_MAX,
};

typedef struct fact {
  const char *group; /* "part", "bytes", ... */
  const char *name;
  double value, err; /* SI; NaN: none */
  gscale_dim dim;
  double share;     /* of the time, or of the bytes; NaN: none */
  const char *text; /* of what is no number; or NULL */
  const char *note; /* what that is, in words; or NULL */
} fact;

typedef struct facts {
  size_t n;
  fact v[FACTS_MAX];
  char note[128]; /* of the model's error */
} facts;

/* All of it: what is asked, the prediction, its parts, what it rests on. */
void facts_find(facts *k, reason *r);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
