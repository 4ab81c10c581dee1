/* reason.h - collects everything known about one prediction. */

#ifndef GPUSCALE_PREDICT_REASON_H
#define GPUSCALE_PREDICT_REASON_H

#include "say/predict.h"

/* A prediction with its explanation. */
typedef struct reason {
  question q;    /* one N, all candidates */
  size_t chosen; /* index in q.paradigm */
  gscale_prediction p;
  gscale_lost lost;
  gscale_error e;
  influences f;                      /* of the prediction's numbers */
  double quantile[3], sigma;         /* of nonlinear draws in s */
  char choice[GSCALE_MOVES_MAX][32]; /* collective of each phase */
  char next[GSCALE_MOVES_MAX][192];  /* next best choice of each phase */
  standing among;                    /* rank of the paradigm */
  char given[256];                   /* runs used */
} reason;

/* The list of facts from which all three formats are written. */
enum {
  FACTS_MAX = 72 + KNOBS_MAX,
};

typedef struct fact {
  const char *group; /* "part", "bytes", ... */
  const char *name;
  double value, err; /* SI units; NaN: none */
  gscale_dim dim;
  double share;     /* of time or bytes; NaN: none */
  const char *text; /* a value in words, or NULL */
  const char *note; /* explanation, or NULL */
} fact;

typedef struct facts {
  size_t n;
  fact v[FACTS_MAX];
  char note[128]; /* on the error of the model */
} facts;

/* Fills the list with question, prediction, parts and inputs. */
void facts_find(facts *k, reason *r);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
