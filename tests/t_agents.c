/* t_agents.c - what agents carry: by hand, and three differently written ones
 * on a machine whose constants come from single warps of one of them. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void by_hand(void)
{
  /* A turn of two words is 400 + 100 + 2 * 60 ns, of which 2 * 20 at the way
   * out.  Beside another warp it meets it there 40/620 of the time. */
  const gscale_agent_costs c = {400e-9, 60e-9, 512 / 20e-9};
  const double bytes = 2 * 512, alone = 620e-9;

  gsl_test_rel(gscale_agent_rate(&c, 1, 2, 100e-9), bytes / alone, 1e-12,
               "a warp alone");
  gsl_test_rel(gscale_agent_rate(&c, 2, 2, 100e-9),
               2 * bytes / (alone + 40e-9 * 40 / 620), 1e-12, "two warps");
  gsl_test_rel(gscale_agent_rate(&c, 1000, 2, 100e-9), 512 / 20e-9, 1e-6,
               "all that the SM lets out");
  const gscale_agent_costs narrow = {400e-9, 10e-9, 512 / 20e-9};
  gsl_test_rel(gscale_agent_rate(&narrow, 1, 2, 0), bytes / 440e-9, 1e-12,
               "a word is not faster than the way out");
  gsl_test(!isnan(gscale_agent_rate(&c, 0, 2, 0)), "no warp");
  gsl_test(!isnan(gscale_agent_rate(&c, 1, 0, 0)), "no load");
  gsl_test(!isnan(gscale_agent_rate(&c, 1, 1, -1)), "before it asked");
}

/* ---- the shipped machine ------------------------------------------------ */

static const double LINK = 364e9; /* B/s, as wide agents reach in carry.csv */

static void path_of(const char *file, char *path, size_t size)
{
  const char *root = getenv("SRC");

  snprintf(path, size, "%s/data/%s.csv", root ? root : ".", file);
}

static void read_file(gscale_measurements *m, const char *file)
{
  char path[512];
  gscale_diag why = {""};

  path_of(file, path, sizeof path);
  gsl_test_int((int)gscale_measurements_read(m, path, &why), GSCALE_OK, "%s",
               why.text);
}

typedef struct machine {
  gscale_measurements *m;
  gscale_agent_costs c;
  double cache, memory, far, start; /* s */
} machine;

static machine shipped(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  machine h = {.m = gscale_measurements_new()};
  gscale_calibration report;

  read_file(h.m, "h200x4/micro/carry");
  read_file(h.m, "h200x4/micro/launch");
  read_file(h.m, "h200x4/micro/remote");
  read_file(h.m, "h200x4/micro/agent");
  gsl_test_int((int)gscale_calibrate(s, h.m, &report, NULL), GSCALE_OK, "fits");
  gscale_calibration_free(&report);
  h.c = (gscale_agent_costs){gscale_system_get(s, GSCALE_AGENT_TURN)->val,
                             gscale_system_get(s, GSCALE_AGENT_WORD)->val,
                             gscale_system_get(s, GSCALE_AGENT_SM_RATE)->val};
  h.cache = gscale_system_get(s, GSCALE_DEVICE_CACHE_LATENCY)->val;
  h.memory = gscale_system_get(s, GSCALE_DEVICE_LATENCY)->val;
  h.far = gscale_system_get(s, GSCALE_LOAD_LATENCY)->val;
  h.start = gscale_system_get(s, GSCALE_DEVICE_START)->val;
  gscale_system_free(s);
  return h;
}

/* An agent's blocks, each on an SM of its own: its code, its data's place. */
typedef struct agent {
  double blocks, threads; /* threads of a block */
  double inflight, from;  /* loads; s, latency of its data */
} agent;

typedef struct residuals {
  double n, sum, worst;
} residuals;

/* Adds a row unless the link holds it up more than the threads do. */
static void compare(const machine *h, const agent *a, double measured,
                    const char *name, residuals *r)
{
  const double rate =
      a->blocks * gscale_agent_rate(&h->c, (int)(a->threads / 32), a->inflight,
                                    a->from - h->cache);
  const double off = rate / measured - 1.0;

  if (rate > 0.75 * LINK || a->blocks > 132) return;
  gsl_test(!(fabs(off) <= 0.2), "%s, %g blocks of %g, %g in flight: %+.1f %%",
           name, a->blocks, a->threads, a->inflight, 100 * off);
  r->n++;
  r->sum += fabs(off);
  r->worst = fmax(r->worst, fabs(off));
}

static void conclude(const residuals *r, double most, const char *name)
{
  gsl_test(!(r->n >= 5 && r->sum / r->n <= most),
           "%s: mean %.1f %%, worst %.1f %% of %g", name, 100 * r->sum / r->n,
           100 * r->worst, r->n);
}

static void carry(const machine *h, const char *bench, double from, double most)
{
  residuals all = {0};
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale_measurements_at(h->m, i)) != NULL; i++) {
    const agent a = {r->count, r->threads / r->count, r->inflight, from};
    if (strcmp(r->bench, bench) == 0)
      compare(h, &a, r->size * r->count / (r->time - h->start), bench, &all);
  }
  conclude(&all, most, bench);
}

/* 64 MiB: more than a cache; four loads in flight, in blocks of 256. */
static void ours(const machine *h)
{
  residuals all = {0};
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale_measurements_at(h->m, i)) != NULL; i++) {
    const double block = fmin(256, r->threads);
    const agent a = {r->threads / block, block, 4, h->memory};
    if (strcmp(r->bench, "agent_width") == 0)
      compare(h, &a, r->size / (r->time - h->start), "ours", &all);
  }
  conclude(&all, 0.05, "ours");
}

/* Another one, not unrolled, on another machine; as much. */
static void not_unrolled(const machine *h)
{
  residuals all = {0};
  char path[512], line[256];

  path_of("h200x8/eight/h200x8_micro", path, sizeof path);
  FILE *f = fopen(path, "r");
  gsl_test(!f, "%s", path);
  while (f && fgets(line, sizeof line, f)) {
    double store, copy;
    agent a = {.inflight = 1, .from = h->memory};
    if (sscanf(line, "agent,%lf,%lf,%*f,store,%lf,copy,%lf", &a.blocks,
               &a.threads, &store, &copy) == 4)
      compare(h, &a, copy * 1e9, "not unrolled", &all);
  }
  if (f) fclose(f);
  conclude(&all, 0.05, "not unrolled");
}

int main(void)
{
  const machine h = shipped();

  by_hand();
  carry(&h, "carry_copy", h.cache, 0.05);
  carry(&h, "carry_pull", h.far, 0.08);
  ours(&h);
  not_unrolled(&h);
  gscale_measurements_free(h.m);
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
