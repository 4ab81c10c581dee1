/* t_blocks.c - what follows from the thread blocks of a phase. */

#include "cases.h"
#include "price/blocks.h"
#include "source.h"
#include "trust/uncertain_numbers.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gscale__phase_plan part_of(const gscale_phase *w, double leaving,
                                  double part)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale__phase_plan f = {0};

  gscale__fill_blocks(SOURCE_OF(s), w, 1e6, leaving, part, &f);
  gscale_system_free(s);
  return f;
}

static gscale__phase_plan filled(const gscale_phase *w, double leaving)
{
  return part_of(w, leaving, 1);
}

static void point(const gscale_profile *p, size_t i, double at, double ready)
{
  gsl_test_rel(p->at[i], at, 1e-15, "point %zu: at", i);
  gsl_test_rel(p->ready[i], ready, 1e-15, "    ... ready");
}

static gscale_phase plain(void)
{
  gscale_phase w;

  gscale_phase_init(&w, "p");
  w.to = GSCALE_TO_ALL;
  w.publish = 8e6;
  return w;
}

/* Blocks that are counted: dealt, or as many on every GPU. */
static void counted(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase w = plain();
  const double sms = gscale_system_get(s, GSCALE_DEVICE_SMS)->val;

  gsl_test_rel(gscale__filling(SOURCE_OF(s), &w, 0.5), 1, 0,
               "no groups fill a GPU");
  add_blocks(&w, (gscale_blocks){.share = 0.5, .count = sms, .publishes = 1});
  add_blocks(&w, (gscale_blocks){.rest = true, .each = sms / 4});
  gsl_test_rel(gscale__filling(SOURCE_OF(s), &w, 1), 0.5 + 0.5 * 4, 1e-14,
               "one GPU");
  gsl_test_rel(gscale__filling(SOURCE_OF(s), &w, 0.5), 0.5 * 2 + 0.5 * 4, 1e-14,
               "two: half of those that are dealt");
  gsl_test_rel(gscale__filling(SOURCE_OF(s), &w, 0.125), 0.5 * 8 + 0.5 * 4,
               1e-14, "8");

  const gscale__phase_plan one = filled(&w, 1), two = part_of(&w, 1, 0.5);
  point(&one.ready, 1, 0.2, 1);
  point(&two.ready, 1, 1.0 / 3, 1);
  gscale_system_free(s);
}

static gscale__phase_plan of_bytes(const gscale_phase *w, double part,
                                   double local)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale__phase_plan f = {.local = local};

  gscale__fill_blocks(SOURCE_OF(s), w, 1e6, 1, part, &f);
  gscale_system_free(s);
  return f;
}

/* Where kernels may be cut. */
static void groups(void)
{
  gscale_phase w = plain();

  w.blocks = 1000;
  gscale__phase_plan f = of_bytes(&w, 0.5, 4e6);
  gsl_test(f.apart || f.groups != 1, "no groups: one of all");
  gsl_test_rel(f.group[0].extent, 1, 0, "    ... which is all of it");
  gsl_test_rel(f.group[0].blocks, 500, 1e-12, "    ... of its GPU");
  w.kernels = 2;
  f = of_bytes(&w, 0.5, 4e6);
  gsl_test_rel(f.group[0].blocks, 250, 1e-12, "of one of two kernels");

  w.kernels = 1;
  add_blocks(&w, (gscale_blocks){.share = 0.25, .publishes = 1});
  add_blocks(&w, (gscale_blocks){.rest = true});
  f = of_bytes(&w, 0.5, 4e6);
  gsl_test(f.apart || f.groups != 1, "blocks that are not counted");
  gsl_test_rel(f.group[0].extent, 0.25, 1e-15, "    ... the first of a kernel");
  gsl_test_rel(f.group[0].blocks, 125, 1e-12, "    ... a quarter of them");

  w.group[0].count = 64;
  w.group[0].each = 8;
  w.group[0].row = 4;
  f = of_bytes(&w, 0.5, 4e6);
  gsl_test(!f.apart || f.groups != 1, "counted: a kernel of its own");
  gsl_test_rel(f.group[0].blocks, 40, 1e-15, "    ... dealt, and of every GPU");
  gsl_test_rel(f.group[0].row, 4, 0, "    ... in rows");
  gsl_test_rel(f.group[0].publishes, 1, 0, "    ... which make all");
}

static void alike(void)
{
  gscale_phase w = plain();
  gscale__phase_plan f = filled(&w, 1);

  gsl_test_int((int)f.ready.n, 2, "no groups: evenly");
  gsl_test_rel(f.away, 1, 0, "all read");
  gsl_test_int((int)f.reading.n, 2, "as evenly");
  gsl_test_rel(f.block, 4096, 0, "4 KiB each");
  w.blocks = 1000;
  gsl_test_rel(filled(&w, 1).block, 8000, 1e-15, "or a thousandth");
  add_blocks(&w, (gscale_blocks){.share = 0.5});
  add_blocks(&w, (gscale_blocks){.rest = true});
  f = filled(&w, 1);
  gsl_test_int((int)f.ready.n, 2, "groups that do not say what they publish");
  gsl_test_rel(f.block, 8000, 1e-15, "all do");
}

static void at_once(void)
{
  gscale_phase w = plain();

  gsl_test_rel(filled(&w, 1).slots, 132 * 8, 1e-15, "2048 threads, 256 each");
  w.threads = 1000;
  gsl_test_rel(filled(&w, 1).slots, 132 * 2, 1e-15, "whole blocks");
  w.residents = 3;
  gsl_test_rel(filled(&w, 1).slots, 132 * 2, 1e-15, "threads are the limit");
  w.threads = 128;
  gsl_test_rel(filled(&w, 1).slots, 132 * 3, 1e-15, "or registers");
  w.threads = 4096;
  w.residents = 0;
  gsl_test_rel(filled(&w, 1).slots, 132, 1e-15, "one at least");
}

static void in_order(void)
{
  gscale_phase w = plain();

  w.blocks = 1000;
  add_blocks(&w, (gscale_blocks){.share = 0.25, .publishes = 0.75});
  add_blocks(&w, (gscale_blocks){.rest = true, .reads = true});
  add_blocks(&w, (gscale_blocks){.share = 0.125, .publishes = 0.25});
  gscale__phase_plan f = filled(&w, 1);
  gsl_test_int((int)f.ready.n, 4, "three groups");
  point(&f.ready, 1, 0.25, 0.75);
  point(&f.ready, 2, 0.875, 0.75);
  point(&f.ready, 3, 1, 1);
  gsl_test_rel(f.away, 0.625, 1e-15, "the rest reads");
  point(&f.reading, 1, 0.25, 0);
  point(&f.reading, 2, 0.875, 1);
  gsl_test_rel(f.block, 8e6 / 375, 1e-15, "three eighths publish");
  gsl_test(gscale__face(&w) > 0, "no faces");

  w.group[0].scattered = true;
  f = filled(&w, 1);
  gsl_test_int((int)f.ready.n, 5, "all of a group at its end");
  point(&f.ready, 1, 0.25, 0);
  point(&f.ready, 2, 0.25, 0.75);
}

static void faces(void)
{
  gscale_phase w = plain();
  const gscale_blocks one = {
      .share = 0.125, .per = GSCALE_PER_FACE, .publishes = 0.5};

  w.to = GSCALE_TO_NEIGHBOURS;
  w.blocks = 64;
  add_blocks(&w, one);
  add_blocks(&w, (gscale_blocks){.rest = true});
  add_blocks(&w, one);
  gscale__phase_plan f = filled(&w, 1);
  gsl_test_rel(gscale__face(&w), 0.125, 1e-15, "a face");
  gsl_test_rel(f.block, 1e6, 1e-15, "8 blocks make it");
  point(&f.ready, 1, 0.125, 0.5);
  point(&f.ready, 2, 0.875, 0.5);

  f = part_of(&w, 1, 0.5);
  gsl_test_rel(gscale__face(&w), 0.125, 1e-15, "as long on two GPUs");
  gsl_test_rel(f.block, 1e6, 1e-15, "by as many blocks");
  point(&f.ready, 1, 0.25, 0.5);
  point(&f.ready, 2, 0.75, 0.5);
  f = part_of(&w, 1, 0.125);
  point(&f.ready, 1, 0.5, 0.5);
  point(&f.ready, 2, 0.5, 0.5);
  point(&f.ready, 3, 1, 1);

  w.groups = 2;
  w.group[0].publishes = 1;
  f = filled(&w, 1);
  gsl_test_rel(gscale__face(&w), 0.125, 1e-15, "both first: as long each");
  point(&f.ready, 1, 0.25, 1);
}

static void sent(void)
{
  gscale_phase w = plain();

  w.blocks = 1000;
  add_blocks(&w, (gscale_blocks){.share = 0.5,
                                 .per = GSCALE_PER_SENT,
                                 .publishes = 1,
                                 .reads = true});
  add_blocks(&w, (gscale_blocks){.rest = true});
  gscale__phase_plan f = filled(&w, 0.75);
  point(&f.ready, 1, 0.375, 1);
  gsl_test_rel(f.away, 0.375, 1e-15, "as much as leaves");
  point(&f.reading, 1, 0.375, 1);
  gsl_test_rel(f.block, 8e6 / 500, 1e-15,
               "a block's bytes do not depend on it");
  gsl_test_rel(filled(&w, 1.5).away, 0.5, 1e-15, "not more than all");
  w.group[0].share = 1;
  gsl_test_rel(filled(&w, 1.5).away, 1, 1e-15, "    ... of them");
}

static void paths(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_curve c = {2, {50e6, 100e6}, {2, 1}};
  const double far = 0.97e-6, near = 0.17e-6, memory = 0.41e-6;
  gscale_phase w = plain();
  gscale__phase_plan f = {0};

  gscale_system_set_membw_curve(s, &c, NULL);
  add_blocks(
      &w, (gscale_blocks){.share = 0.5, .kinds = 1, .path = {{7, 0, false}}});
  add_blocks(&w, (gscale_blocks){
                     .rest = true,
                     .kinds = 3,
                     .path = {{2, 0, false}, {3, 40e6, true}, {4, 200e6, true}},
                     .straggler = 0.25});
  gsl_test_rel(gscale__path_time(SOURCE_OF(s), &w, 200e6),
               6 * memory + 3 * near, 1e-12,
               "the longest path, each load where it lies");
  gsl_test_rel(gscale__path_time(SOURCE_OF(s), &w, 40e6), 5 * near + 4 * memory,
               1e-12, "all but one in a cache");
  gscale__fill_blocks(SOURCE_OF(s), &w, 200e6, 1, 1, &f);
  gsl_test_rel(f.wait, 3 * (far - near) + 4 * (far - memory), 1e-12,
               "more where others answer");
  gsl_test_rel(f.stay, 0.25 * 9 * memory, 1e-12, "a quarter of nine loads");
  w.group[1].path[1].published = w.group[1].path[2].published = false;
  w.group[0].path[0].published = true;
  gscale__fill_blocks(SOURCE_OF(s), &w, 200e6, 1, 1, &f);
  gsl_test_rel(f.wait, 7 * far - 6 * memory - 3 * near, 1e-12,
               "a path that is the longest only then");
  w.group[0].straggler = 1;
  gscale__fill_blocks(SOURCE_OF(s), &w, 200e6, 1, 1, &f);
  gsl_test_rel(f.stay, 7 * memory, 1e-12, "the longest of all groups");
  gscale_system_free(s);
}

/* ---- moving numbers of groups -------------------------------------------- */

static gscale_phase three_groups(void)
{
  gscale_phase w = plain();

  add_blocks(&w, (gscale_blocks){.share = 0.25, .publishes = 0.5});
  add_blocks(&w, (gscale_blocks){.rest = true,
                                 .publishes = 0.25,
                                 .kinds = 1,
                                 .path = {{8, 1e6, true}},
                                 .straggler = 0.5});
  add_blocks(&w, (gscale_blocks){.share = 0.5, .publishes = 0.25});
  w.units = 1e6;
  w.bytes = w.footprint = 1e6;
  w.pack.bytes = 3;
  return w;
}

/* Moves the number of that name; what it became. */
static double moved(gscale_workload *w, const gscale_workload *base,
                    const char *name, double to, gscale_dim dim)
{
  gscale__numbers l;
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  double v = (double)NAN;

  if (!gscale__list_numbers(&l, s, base, true)) abort();
  for (size_t i = 0; i < l.n; i++) {
    if (strcmp(l.entry[i].about.name, name) != 0) continue;
    gsl_test_int((int)l.entry[i].about.dim, (int)dim, "dimension of %s", name);
    v = gscale__move(&l.entry[i], to, s, w, base);
  }
  gsl_test(isnan(v), "there is %s", name);
  gscale__free_numbers(&l);
  gscale_system_free(s);
  return v;
}

static void moving(void)
{
  gscale_workload *w = one_phase(three_groups());
  const gscale_blocks *g = w->phase[0].group;

  moved(w, w, "p.blocks[1].share", 0.75, GSCALE_COUNT);
  gsl_test_rel(g[0].share, 0.5, 1e-15, "no more than the others leave");
  moved(w, w, "p.blocks[1].share", -1, GSCALE_COUNT);
  gsl_test_abs(g[0].share, 0, 0, "nor less than nothing");
  moved(w, w, "p.blocks[1].publishes", 0.75, GSCALE_COUNT);
  gsl_test_rel(g[0].publishes, 0.75, 1e-15, "publishes");
  gsl_test_rel(g[1].publishes, 0.125, 1e-15, "the others keep their ratio");
  gsl_test_rel(g[2].publishes, 0.125, 1e-15, "    ... and the sum is 1");
  moved(w, w, "p.blocks[2].path[1].loads", 11, GSCALE_COUNT);
  gsl_test_rel(g[1].path[0].loads, 11, 0, "loads");
  moved(w, w, "p.blocks[2].path[1].bytes", 7e9, GSCALE_BYTES);
  gsl_test_rel(g[1].path[0].bytes, 7e9, 0, "bytes");
  moved(w, w, "p.blocks[2].straggler", 3, GSCALE_COUNT);
  gsl_test_rel(g[1].straggler, 1, 0, "a share is 1 at most");
  moved(w, w, "p.publish.pack.bytes", 5, GSCALE_BYTES);
  gsl_test_rel(w->phase[0].pack.bytes, 5, 0, "packing");
  gscale_workload_free(w);

  gscale_phase all = three_groups();
  all.group[1].rest = false;
  all.group[1].share = 0.25;
  w = one_phase(all);
  moved(w, w, "p.blocks[3].share", 0.125, GSCALE_COUNT);
  gsl_test_rel(w->phase[0].group[2].share, 0.5, 0,
               "shares without a rest stay as they are");
  gscale_workload_free(w);

  all = three_groups();
  all.to = GSCALE_TO_NEIGHBOURS;
  all.group[0].per = GSCALE_PER_FACE;
  w = one_phase(all);
  moved(w, w, "p.blocks[2].publishes", -1, GSCALE_COUNT);
  gsl_test_abs(w->phase[0].group[1].publishes, 0, 0,
               "a group may make nothing");
  moved(w, w, "p.blocks[1].publishes", -1, GSCALE_COUNT);
  gsl_test_rel(w->phase[0].group[0].publishes, 2.0 / 3 / 1000, 1e-12,
               "who makes a face makes some of it");
  gscale_workload_free(w);
}

/* Of a mixture of stores: bytes of a size, the share of one in no unit. */
static void moving_stores(void)
{
  const gscale_field *f = gscale_field_find(GSCALE_OF_PHASE, "store.size");
  const gscale_param size = {8, 1, GSCALE_ASSUMED, "", GSCALE_BY_ORIGIN};
  const gscale_param share = {0.5, 0.1, GSCALE_ASSUMED, "", GSCALE_BY_ORIGIN};
  gscale_phase two = three_groups();

  two.stores = (gscale_stores){2, {8, 32}, {0.5, 0.5}, {false, false}};
  gscale_workload *w = one_phase(two);
  for (size_t i = 0; i < 2; i++) {
    gscale_workload_doubt(w, 0, f, i, &size, NULL);
    gscale_workload_doubt(w, 0, f, f->length + i, &share, NULL);
  }
  moved(w, w, "p.store.size[2].size", 64, GSCALE_BYTES);
  gsl_test_rel(w->phase[0].stores.size[1], 64, 0, "a size");
  moved(w, w, "p.store.size[1].share", 0.25, GSCALE_COUNT);
  gsl_test_rel(w->phase[0].stores.share[0], 0.25, 1e-15, "the share of one");
  gsl_test_rel(w->phase[0].stores.share[1], 0.75, 1e-15, "and of the other");
  gscale_workload_free(w);
}

/* What an uncertain knob changes, half way to its end. */
static void by_a_knob(void)
{
  gscale_phase far = three_groups();
  const gscale_param k = {1, 0.5, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
  gscale_workload *w, *base = one_phase(far);

  far.group[0].share = 0.125;
  far.group[1].path[0].loads = 16;
  far.pack.bytes = 9;
  far.blocks = 64;
  double low, high;
  gscale_param_nodes(&k, &low, &high);
  const gscale_status st =
      gscale_workload_add_knob(base, "k", GSCALE_COUNT, &k, low, one_phase(far),
                               high, one_phase(three_groups()), NULL);
  gsl_test_int((int)st, GSCALE_OK, "a knob");
  w = one_phase(three_groups());
  moved(w, base, "k", (1 + low) / 2, GSCALE_COUNT);
  gsl_test_rel(w->phase[0].group[0].share, 0.1875, 1e-12, "a share");
  gsl_test_rel(w->phase[0].group[1].path[0].loads, 12, 1e-12, "loads");
  gsl_test_rel(w->phase[0].pack.bytes, 6, 1e-12, "packing");
  gsl_test_rel(w->phase[0].blocks, 32, 1e-12, "how many");
  gscale_workload_free(w);
  gscale_workload_free(base);
}

int main(void)
{
  moving();
  moving_stores();
  by_a_knob();
  alike();
  counted();
  groups();
  at_once();
  in_order();
  faces();
  sent();
  paths();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
