/* t_blocks.c - what follows from the thread blocks of a phase. */

#include "cases.h"
#include "predict/blocks.h"

#include <gsl/gsl_test.h>

static gscale__phase_plan part_of(const gscale_phase *w, double leaving,
                                  double part)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale__phase_plan f = {0};

  gscale__fill_blocks(s, w, 1e6, leaving, part, &f);
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
  gsl_test_rel(gscale__path_time(s, &w, 200e6), 6 * memory + 3 * near, 1e-12,
               "the longest path, each load where it lies");
  gsl_test_rel(gscale__path_time(s, &w, 40e6), 5 * near + 4 * memory, 1e-12,
               "all but one in a cache");
  gscale__fill_blocks(s, &w, 200e6, 1, 1, &f);
  gsl_test_rel(f.wait, 3 * (far - near) + 4 * (far - memory), 1e-12,
               "more where others answer");
  gsl_test_rel(f.stay, 0.25 * 9 * memory, 1e-12, "a quarter of nine loads");
  w.group[1].path[1].published = w.group[1].path[2].published = false;
  w.group[0].path[0].published = true;
  gscale__fill_blocks(s, &w, 200e6, 1, 1, &f);
  gsl_test_rel(f.wait, 7 * far - 6 * memory - 3 * near, 1e-12,
               "a path that is the longest only then");
  w.group[0].straggler = 1;
  gscale__fill_blocks(s, &w, 200e6, 1, 1, &f);
  gsl_test_rel(f.stay, 7 * memory, 1e-12, "the longest of all groups");
  gscale_system_free(s);
}

int main(void)
{
  alike();
  at_once();
  in_order();
  faces();
  sent();
  paths();
  return gsl_test_summary();
}
