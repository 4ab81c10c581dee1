/* prediction.c - writes predictions as rows and in words. */

#include "say/predict.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns, see README.md --------------------------------------------- */

enum {
  SYSTEM,
  WORKLOAD,
  PARADIGM,
  SHOWN_PARADIGM, /* in tables only */
  KNOBS,
  GPUS,
  TIME,
  TIME_ERR,
  ERR_SHARE, /* in tables only */
  SETUP,
  SPEEDUP,
  EFFICIENCY,
  OPPORTUNITY,
  PARTS,
  SHARES = PARTS + GSCALE_PART_END,
  WIRE = SHARES + GSCALE_PART_END,
  USEFUL,
  PROTOCOL,
  REDUNDANT,
  UNUSED,
  BOUND,
  APPLICABILITY,
  SETTINGS,
  TIME_LO,
  TIME_HI,
  ENERGY,
  POWER,
  STANDING,
  ALSO,
  ENERGY_ERR,
  LOST,
  GAIN = LOST + GSCALE_LOST_END,
  HIDDEN,
  LOST_TO, /* in tables only */
  COLUMNS
};

static const column columns[COLUMNS] = {
    [SYSTEM] = TEXT("system", NULL),
    [WORKLOAD] = TEXT("workload", NULL),
    [PARADIGM] = TEXT("paradigm", NULL),
    [SHOWN_PARADIGM] = TEXT(NULL, "paradigm"),
    [KNOBS] = TEXT("knobs", NULL),
    [GPUS] = INTEGER("gpus", "GPUs"),
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),
    [TIME_ERR] = SECONDS("time_err"),
    [ERR_SHARE] = SHARE("+/-"),
    [SETUP] = SECONDS("setup"),
    [SPEEDUP] = NUMBER("speedup", "speedup", GSCALE_COUNT),
    [EFFICIENCY] = PERCENT("efficiency", "effic."),
    [OPPORTUNITY] = PERCENT("opportunity", NULL),
    PART_TIMES(PARTS),
    [SHARES + GSCALE_PART_COMPUTE] = SHARE("compute"),
    [SHARES + GSCALE_PART_HOST] = SHARE("host"),
    [SHARES + GSCALE_PART_TRANSFER] = SHARE("transfer"),
    [SHARES + GSCALE_PART_INITIATION] = SHARE("start"),
    [SHARES + GSCALE_PART_TRACKING] = SHARE("track"),
    [SHARES + GSCALE_PART_TAIL] = SHARE("tail"),
    [SHARES + GSCALE_PART_LATENCY] = SHARE("latency"),
    [WIRE] = NUMBER("wire_B", NULL, GSCALE_BYTES),
    [USEFUL] = NUMBER("useful_B", NULL, GSCALE_BYTES),
    [PROTOCOL] = NUMBER("protocol_B", NULL, GSCALE_BYTES),
    [REDUNDANT] = NUMBER("redundant_B", NULL, GSCALE_BYTES),
    [UNUSED] = NUMBER("unused_B", NULL, GSCALE_BYTES),
    [BOUND] = TEXT("bound", NULL),
    [APPLICABILITY] = TEXT("applicability", NULL),
    [SETTINGS] = TEXT("settings", NULL),
    [TIME_LO] = SECONDS("time_lo"),
    [TIME_HI] = SECONDS("time_hi"),
    [ENERGY] = NUMBER("energy_J", NULL, GSCALE_ENERGY),
    [POWER] = NUMBER("power_W", NULL, GSCALE_POWER),
    [STANDING] = TEXT("standing", NULL),
    [ALSO] = TEXT("also", NULL),
    [ENERGY_ERR] = NUMBER("energy_err_J", NULL, GSCALE_ENERGY),
    [LOST + GSCALE_LOST_COMMUNICATION] = SECONDS("lost_communication"),
    [LOST + GSCALE_LOST_WAITING] = SECONDS("lost_waiting"),
    [LOST + GSCALE_LOST_HOST] = SECONDS("lost_host"),
    [LOST + GSCALE_LOST_START] = SECONDS("lost_start"),
    [LOST + GSCALE_LOST_KERNELS] = SECONDS("lost_kernels"),
    [GAIN] = SECONDS("gain"),
    [HIDDEN] = SECONDS("hidden"),
    [LOST_TO] = TEXT(NULL, "lost to"),
};

size_t prediction_columns(const column **out)
{
  *out = columns;
  return COLUMNS;
}

size_t prediction_columns_and(const column *more, size_t n, column *all)
{
  _Static_assert(COLUMNS < PREDICTION_ROOM / 2, "there is room for more");

  memcpy(all, columns, sizeof columns);
  /* Columns that were added later remain at the end, because other verbs append
   * columns to the first ones. */
  for (size_t i = ENERGY_ERR; i < COLUMNS; i++) all[i].name = NULL;
  memcpy(all + COLUMNS, more, n * sizeof *more);
  return COLUMNS + n;
}

void print_choice(char *text, size_t size, const gscale_move *m)
{
  snprintf(text, size, "%s/%s",
           gscale_name(GSCALE_COLL_ALGORITHM_NAMES,
                       (gscale_coll_algorithm)m->algorithm),
           gscale_name(GSCALE_COLL_PROTOCOL_NAMES,
                       (gscale_coll_protocol)m->protocol));
}

void print_moves(char *text, size_t size, const gscale_workload *w,
                 const gscale_prediction *p)
{
  print_knobs(text, size, &p->knobs);
  if (p->knobs.as_run) snprintf(text, size, "host=program");
  for (size_t i = 0; i < p->moves; i++) {
    char choice[32];

    print_choice(choice, sizeof choice, &p->move[i]);
    gscale_append(text, size, "%s%s=%s", *text ? ";" : "",
                  gscale_workload_phase(w, p->move[i].phase)->name, choice);
  }
}

void prediction_row(cell *c, const question *q, size_t i, size_t j,
                    const answer *all)
{
  const answer *a = &all[i * q->n + j];
  const gscale_prediction *p = &a->p;
  const gscale_interval within = gscale_interval_of(p->time, a->err, 1.0);
  standing s;

  set_text(&c[SYSTEM], q->name);
  set_text(&c[WORKLOAD], gscale_workload_about(q->workload).name);
  set_text(&c[PARADIGM], question_inside(q, i));
  set_text(&c[SHOWN_PARADIGM], question_paradigm(q, i));
  print_moves(c[KNOBS].text, sizeof c[KNOBS].text, q->workload, p);
  c[GPUS].number = q->gpus[j];
  c[TIME].number = p->time;
  c[TIME_ERR].number = a->err;
  c[ERR_SHARE].number = a->err / p->time;
  c[SETUP].number = p->setup;
  c[SPEEDUP].number = p->speedup;
  c[EFFICIENCY].number = p->efficiency;
  c[OPPORTUNITY].number = p->opportunity;
  for (size_t k = 0; k < GSCALE_PART_END; k++) {
    c[PARTS + k].number = p->part[k];
    c[SHARES + k].number = p->part[k] / p->time;
  }
  c[WIRE].number = p->bytes.wire;
  c[USEFUL].number = p->bytes.useful;
  c[PROTOCOL].number = p->bytes.protocol;
  c[REDUNDANT].number = p->bytes.redundant;
  c[UNUSED].number = p->bytes.unused;
  set_text(&c[BOUND], gscale_name(GSCALE_MECHANISM_NAMES, p->bound));
  set_text(&c[APPLICABILITY],
           gscale_name(GSCALE_APPLICABILITY_NAMES, a->applicability));
  c[SETTINGS].whole = question_settings(q, q->gpus[j]);
  c[TIME_LO].number = within.lo;
  c[TIME_HI].number = within.hi;
  c[ENERGY].number = a->energy;
  c[POWER].number = a->energy / p->time;
  c[ENERGY_ERR].number = a->energy_err;
  for (size_t k = 0; k < GSCALE_LOST_END; k++)
    c[LOST + k].number = a->lost.of[k];
  c[GAIN].number = a->lost.gain;
  c[HIDDEN].number = a->lost.hidden;
  set_text(&c[LOST_TO], say_most_lost(a));
  if (q->gpus[j] == 1) return; /* nothing moves on one GPU */
  say_standing(q, all + j, q->n, i, &s);
  set_text(&c[STANDING], s.place);
  set_text(&c[ALSO], s.also);
}

void prediction_rows(rows *r, const question *q, const answer *a)
{
  for (size_t i = 0; i < q->paradigms; i++)
    for (size_t j = 0; j < q->n; j++)
      if (a[i * q->n + j].met) prediction_row(rows_add(r), q, i, j, a);
}

static void fill_met(cell *row, const void *closure, size_t j)
{
  const met_answers *m = closure;
  const size_t k = m->at[j], n = m->q->n;

  prediction_row(row, m->q, k / n, k % n, m->a);
}

rows *prediction_list(const question *q, const answer *a, met_answers *m)
{
  const column *all;
  const size_t n = prediction_columns(&all);
  size_t count = 0;

  *m = (met_answers){q, a, malloc(q->paradigms * q->n * sizeof *m->at)};
  if (!m->at) return rows_lost();
  for (size_t k = 0; k < q->paradigms * q->n; k++)
    if (a[k].met) m->at[count++] = k;
  return rows_made("gpuscale.predict/1", all, n, count, fill_met, m);
}

/* ---- words -------------------------------------------------------------- */

const char *mechanism_words(gscale_mechanism m)
{
  static const char *const words[GSCALE_MECHANISM_END] = {
      [GSCALE_M_COMPUTE] = "the compute: the kernels themselves",
      [GSCALE_M_HOST] = "the host: launches and copy calls",
      [GSCALE_M_SYNC] = "synchronisation: waiting for all GPUs",
      [GSCALE_M_BANDWIDTH] = "bandwidth: the bytes on the busiest link",
      [GSCALE_M_ISSUE] = "issue: the stores a GPU sends per second",
      [GSCALE_M_INITIATION] = "initiation: the start of each transfer",
      [GSCALE_M_FAULT] = "faults: pages that are elsewhere when touched",
      [GSCALE_M_TRACKING] = "tracking: noticing what is ready to be sent",
      [GSCALE_M_TAIL] = "the tail: what is sent after the compute has ended",
      [GSCALE_M_LATENCY] = "latency: from ready data to its first byte sent",
  };

  return words[m];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
