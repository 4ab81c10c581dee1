/* profile_summary.c - summarizes a profile: its GPUs, step and times. */

#include "describe/describe.h"

#include <math.h>

enum {
  GPU,
  STREAMS,
  KERNELS,
  KERNEL_TIME,
  H2D,
  H2D_BYTES,
  D2H,
  D2H_BYTES,
  D2D,
  D2D_BYTES,
  P2P,
  P2P_BYTES,
  MEMSETS,
  MEMSET_BYTES,
  COLLECTIVES,
  CALLS,
  STEPS,
  WORK,
  PERIOD,
  PERIOD_ERR,
  OFFSET,
  BEGIN,
  WINDOW,
  COMPUTE_S,
  COPIES_S,
  COLLECTIVES_S,
  WAITING_S,
  HIDDEN_S,
  IDLE_S,
  HOST_S,
  COMPUTE, /* shares, in tables only */
  COPIES,
  COLLECTIVE,
  WAITING,
  IDLE,
  HOST,
  HIDDEN,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [GPU] = INTEGER("gpu", "GPU"),
    [STREAMS] = INTEGER("streams", NULL),
    [KERNELS] = INTEGER("kernels", NULL),
    [KERNEL_TIME] = SECONDS("kernels"),
    [H2D] = INTEGER("h2d", NULL),
    [H2D_BYTES] = NUMBER("h2d_B", NULL, GSCALE_BYTES),
    [D2H] = INTEGER("d2h", NULL),
    [D2H_BYTES] = NUMBER("d2h_B", NULL, GSCALE_BYTES),
    [D2D] = INTEGER("d2d", NULL),
    [D2D_BYTES] = NUMBER("d2d_B", NULL, GSCALE_BYTES),
    [P2P] = INTEGER("p2p", NULL),
    [P2P_BYTES] = NUMBER("p2p_B", NULL, GSCALE_BYTES),
    [MEMSETS] = INTEGER("memsets", NULL),
    [MEMSET_BYTES] = NUMBER("memset_B", NULL, GSCALE_BYTES),
    [COLLECTIVES] = INTEGER("collectives", NULL),
    [CALLS] = INTEGER("calls", NULL),
    [STEPS] = INTEGER("steps", "steps"),
    [WORK] = INTEGER("work", "work"),
    [PERIOD] = NUMBER("period_s", "step", GSCALE_TIME),
    [PERIOD_ERR] = SECONDS("period_err"),
    [OFFSET] = SECONDS("offset"),
    [BEGIN] = SECONDS("begin"),
    [WINDOW] = SECONDS("window"),
    [COMPUTE_S] = SECONDS("compute"),
    [COPIES_S] = SECONDS("exposed_copies"),
    [COLLECTIVES_S] = SECONDS("exposed_collectives"),
    [WAITING_S] = SECONDS("waiting"),
    [HIDDEN_S] = SECONDS("hidden"),
    [IDLE_S] = SECONDS("idle"),
    [HOST_S] = SECONDS("idle_host"),
    [COMPUTE] = {NULL, "compute", GSCALE_COUNT, COLUMN_PERCENT, false},
    [COPIES] = {NULL, "+copies", GSCALE_COUNT, COLUMN_PERCENT, false},
    [COLLECTIVE] = SHARE("+coll."),
    [WAITING] = SHARE("(wait)"),
    [IDLE] = {NULL, "+idle", GSCALE_COUNT, COLUMN_PERCENT, false},
    [HOST] = {NULL, "(host)", GSCALE_COUNT, COLUMN_PERCENT, false},
    [HIDDEN] = SHARE("hidden"),
};

/* ---- totals ------------------------------------------------------------- */

static void count_copy(cell *c, const gscale_recorded_what *w)
{
  static const int at[GSCALE_RECORDED_COPY_END] = {[GSCALE_RECORDED_H2D] = H2D,
                                                   [GSCALE_RECORDED_D2H] = D2H,
                                                   [GSCALE_RECORDED_D2D] = D2D,
                                                   [GSCALE_RECORDED_P2P] = P2P};

  if (at[w->copy] == 0) return;
  c[at[w->copy]].number++;
  c[at[w->copy] + 1].number += w->bytes;
}

static void count_item(cell *c, const profile *p, size_t record)
{
  const gscale_recorded_what *const w = what_of(p, record);

  if (w->kind == GSCALE_RECORDED_COPY) count_copy(c, w);
  if (w->kind == GSCALE_RECORDED_MEMSET) {
    c[MEMSETS].number++;
    c[MEMSET_BYTES].number += w->bytes;
  }
  if (w->kind != GSCALE_RECORDED_KERNEL) return;
  c[KERNELS].number++;
  c[KERNEL_TIME].number += end_of(p, record) - start_of(p, record);
  c[COLLECTIVES].number += w->collective;
}

static size_t count_streams(const profile *p, int gpu)
{
  const size_t n = gscale_recording_about(p->r).whats;
  bool seen[1024] = {false};
  size_t streams = 0;

  for (size_t i = 0; i < n; i++) {
    const gscale_recorded_what *const w = gscale_recording_what(p->r, i);
    if (w->gpu != gpu || w->kind > GSCALE_RECORDED_MEMSET) continue;
    bool *const own = &seen[w->stream & 1023];
    streams += !*own;
    *own = true;
  }
  return streams;
}

/* Counts the calls of the GPU's process. */
static size_t count_calls(const profile *p, int gpu)
{
  const size_t from = gscale_recording_first(p->r, GSCALE_RECORDED_CALL);
  const size_t to = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE);
  const int process = process_of(p, gpu);
  size_t n = 0;

  for (size_t i = from; i < to; i++) n += what_of(p, i)->process == process;
  return n;
}

static int fill_row(cell *c, const profile *p, int gpu, failure *why)
{
  const gpu_steps *const g = &p->gpu[gpu];
  exposure e;
  const int st = find_exposure(p, gpu, &e, why);

  for (int i = 0; i < COLUMNS; i++) c[i].number = 0.0;
  c[GPU].number = gpu;
  c[STREAMS].number = (double)count_streams(p, gpu);
  c[CALLS].number = (double)count_calls(p, gpu);
  for (size_t i = 0; i < g->items; i++) count_item(c, p, g->item[i].record);
  c[STEPS].number = (double)g->steps;
  c[WORK].number = g->steps > 0 ? (double)g->slots : (double)g->items;
  c[PERIOD].number = p->period_from ? p->period : NAN;
  c[PERIOD_ERR].number = p->period_from ? p->period_err : NAN;
  c[OFFSET].number = p->offset[process_of(p, gpu)];
  c[BEGIN].number = e.begin;
  c[WINDOW].number = e.step;
  c[COMPUTE_S].number = e.compute;
  c[COPIES_S].number = e.copies;
  c[COLLECTIVES_S].number = e.collectives;
  c[WAITING_S].number = e.waiting;
  c[HIDDEN_S].number = e.hidden;
  c[IDLE_S].number = e.idle;
  c[HOST_S].number = e.host;
  for (int i = COMPUTE_S; i <= HOST_S; i++) {
    static const int share[] = {COMPUTE, COPIES, COLLECTIVE, WAITING,
                                HIDDEN,  IDLE,   HOST};
    c[share[i - COMPUTE_S]].number = c[i].number / e.step;
  }
  if (!(e.collectives > 0.0)) c[COLLECTIVE].number = NAN;
  if (!(e.hidden > 0.0)) c[HIDDEN].number = NAN;
  return st;
}

/* ---- for people --------------------------------------------------------- */

static void say_work(const profile *p, const slot *s, char *out, size_t size)
{
  const gscale_recorded_what *const w = gscale_recording_what(p->r, s->what);
  char bytes[48], name[96];

  gscale_format_quantity(w->bytes, GSCALE_BYTES, bytes, sizeof bytes);
  gscale_recorded_short_name(w->name, name, sizeof name);
  if (w->kind == GSCALE_RECORDED_KERNEL)
    snprintf(out, size, "%s", name);
  else if (w->kind == GSCALE_RECORDED_MEMSET)
    snprintf(out, size, "memset %s", bytes);
  else if (w->copy == GSCALE_RECORDED_P2P && w->dst >= 0)
    snprintf(out, size, "copy %s to GPU %d", bytes, w->dst);
  else
    snprintf(out, size, "copy %s %s",
             gscale_name(GSCALE_RECORDED_COPY_NAMES, w->copy), bytes);
}

static void put_slots(FILE *f, const profile *p, int gpu)
{
  const gpu_steps *const g = &p->gpu[gpu];
  char text[160], start[48], time[48];

  fprintf(f, "\na step of GPU %d, in the order of its calls\n", gpu);
  for (size_t j = 0, same; j < g->slots; j += same) {
    double sum = 0.0;
    for (same = 0; j + same < g->slots && same < g->slots &&
                   g->slot[j + same].symbol == g->slot[j].symbol;
         same++)
      sum += g->slot[j + same].time;
    say_work(p, &g->slot[j], text, sizeof text);
    gscale_format_quantity(g->slot[j].start, GSCALE_TIME, start, sizeof start);
    gscale_format_quantity(sum, GSCALE_TIME, time, sizeof time);
    fprintf(f, "  %10s  %10s  stream %-3d %.60s", start, time,
            g->slot[j].stream, text);
    if (same > 1) fprintf(f, ", %zu times", same);
    putc('\n', f);
    if (j > 60) {
      fprintf(f, "  ... %zu more\n", g->slots - j - same);
      break;
    }
  }
}

/* Prints the clock offset between each process and GPU 0. */
static void put_clocks(FILE *f, const profile *p)
{
  char ahead[48];

  for (int g = 1; g < p->gpus; g++) {
    const double offset = p->offset[process_of(p, g)];
    if (!(fabs(offset) > 0.0)) continue;
    gscale_format_quantity(fabs(offset), GSCALE_TIME, ahead, sizeof ahead);
    put_line(f, 2, "clock of GPU %d: %s %s, and aligned", g, ahead,
             offset > 0.0 ? "ahead" : "behind");
  }
}

static void put_head(FILE *f, const profile *p, const char *no_step)
{
  char time[48], err[48], slow[48];

  for (size_t i = 0; i < p->paths; i++) fprintf(f, "%s\n", p->path[i]);
  fprintf(f, "%d GPU%s, %d process%s, %zu records\n", p->gpus, PLURAL(p->gpus),
          gscale_recording_about(p->r).processes,
          gscale_recording_about(p->r).processes == 1 ? "" : "es",
          gscale_recording_about(p->r).records);
  if (no_step) {
    put_line(f, 2, "no step: %s", no_step);
  } else {
    gscale_format_quantity(p->period, GSCALE_TIME, time, sizeof time);
    gscale_format_quantity(p->period_err, GSCALE_TIME, err, sizeof err);
    gscale_format_quantity(p->slowest, GSCALE_TIME, slow, sizeof slow);
    put_line(f, 2, "step: by %s, %s +/- %s, slowest %s", p->period_from, time,
             err, slow);
  }
  put_clocks(f, p);
  putc('\n', f);
}

typedef struct time_shares { /* means over all GPUs */
  double compute, idle;
} time_shares;

static int show_rows(const profile *p, rows *r, time_shares *mean, failure *why)
{
  int st = EXIT_OK;

  *mean = (time_shares){0};
  for (int g = 0; st == EXIT_OK && g < p->gpus; g++) {
    cell *const c = rows_add(r);

    st = fill_row(c, p, g, why);
    mean->compute += c[COMPUTE].number / p->gpus;
    mean->idle += c[IDLE].number / p->gpus;
  }
  return st;
}

/* States the time of a step, its breakdown, and the next command. */
static void claim_step(claim *c, const profile *p, const time_shares *mean,
                       const char *no_step)
{
  char time[48], of[24] = "";
  const double run = gpus_of_run(p);

  if (run > p->gpus) snprintf(of, sizeof of, " of %.0f", run);
  claim_begin(c);
  if (no_step) {
    claim_say(c,
              "No step is found: --period nvtx:NAME or kernel:NAME says where "
              "one begins. Of the time of %d GPU%s %.0f%% is kernels.",
              p->gpus, PLURAL(p->gpus), 100.0 * mean->compute);
    return;
  }
  c->value = p->period;
  c->low = p->period - p->period_err;
  c->high = p->period + p->period_err;
  gscale_format_quantity(p->period, GSCALE_TIME, time, sizeof time);
  claim_say(c,
            "A step takes %s (+/- %.1f%%) on %d%s GPU%s: %.0f%% of it is "
            "kernels, %.0f%% what moves data beside none, %.0f%% idle. "
            "`gpuscale describe %s%s -o PROGRAM.lua` makes a program of it, to "
            "predict on more GPUs.",
            time, 100.0 * p->period_err / p->period, p->gpus, of,
            run > 1.0 ? "s" : "", 100.0 * mean->compute,
            100.0 * fmax(0.0, 1.0 - mean->compute - mean->idle),
            100.0 * mean->idle, p->path[0], p->paths > 1 ? " ..." : "");
}

int show_profile(const profile *p, const options *o, const char *no_step,
                 failure *why)
{
  const bool table = o->format == FORMAT_TABLE;
  rows *const r = rows_new("gpuscale.describe/1", columns, COLUMNS);
  time_shares mean;
  claim said;
  output out;
  int st = output_open(&out, o->output, why);

  if (st == EXIT_OK) st = show_rows(p, r, &mean, why);
  if (st == EXIT_OK) claim_step(&said, p, &mean, no_step);
  if (st == EXIT_OK) rows_answer(r, &said);
  if (st == EXIT_OK && table) {
    claim_put(out.f, &said);
    putc('\n', out.f);
    put_head(out.f, p, no_step);
  }
  st = rows_end(st, r, o->format, &out, why);
  if (st == EXIT_OK && table && !no_step) put_slots(out.f, p, 0);
  return output_end(st, &out, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
