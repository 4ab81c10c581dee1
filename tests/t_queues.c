/* t_queues.c - the write queues of the model against their exact replay, on the
 * streams the model claims: in order, and uniform over a region.
 *
 * A kernel on each of 2 GPUs publishes to the other; bytes on the wire are
 * compared, and stores of one queue entry or packet with them. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <stdlib.h>

/* 32 lanes of a warp, each of `size` B, in order or anywhere in a region. */
typedef struct family {
  const char *name;
  double region; /* B; 0: in order */
  int size;
  int warps;
} family;

static const family families[] = {
    {"in order, 4 B", 0, 4, 40000},
    {"in order, 16 B", 0, 16, 10000},
    {"8 B over 32 KiB", 32768, 8, 20000},
    {"8 B over 96 KiB", 98304, 8, 20000},
    {"8 B over 256 KiB", 262144, 8, 20000},
    {"8 B over 4 MiB", 4194304, 8, 20000},
    {"4 B over 64 MiB", 67108864, 4, 20000},
    {"16 B over 64 MiB", 67108864, 16, 20000},
};

static uint64_t place(const family *f, rng *r, int gpu, int warp, int lane)
{
  const uint64_t base = (uint64_t)gpu << 40;
  const double slots = f->region / f->size;

  return f->region > 0
             ? base + (uint64_t)f->size * (uint64_t)(uniform(r, 0, slots))
             : base + (uint64_t)f->size * (uint64_t)(warp * 32 + lane);
}

static void push_warp(gscale_replay *replay, const family *f, rng *r, int warp)
{
  for (int gpu = 0; gpu < 2; gpu++) {
    gscale_record lane[32];
    for (int i = 0; i < 32; i++)
      lane[i] = (gscale_record){.address = place(f, r, gpu, warp, i),
                                .group = (uint32_t)warp,
                                .size = (uint8_t)f->size,
                                .gpu = (uint8_t)gpu,
                                .dst = (uint8_t)(1 - gpu),
                                .kind = GSCALE_OP_STORE};
    gscale_replay_push(replay, lane, 32, NULL);
  }
}

/* Bytes on the wire of the family through a queue, exactly. */
static double replayed(const family *f, gscale_queue queue, const char *link)
{
  gscale_replay_options o;
  gscale_replay *replay = NULL;
  gscale_replay_result result;
  gscale_diag why = {""};
  rng r = {11};

  gscale_replay_options_init(&o, queue);
  o.gpus = 2;
  o.profile = 0;
  o.subheader = 5;
  gsl_test_int((int)gscale_replay_new(&o, &replay, &why), GSCALE_OK, "%s",
               why.text);
  for (int warp = 0; warp < f->warps; warp++) push_warp(replay, f, &r, warp);
  gscale_replay_finish(replay, &result, NULL);
  const double wire = gscale_replay_bytes(replay, GSCALE_STAGE_PROFILING,
                                          gscale_link_find(link), NULL)
                          .wire +
                      gscale_replay_bytes(replay, GSCALE_STAGE_STEADY,
                                          gscale_link_find(link), NULL)
                          .wire;
  gscale_replay_free(replay);
  return wire;
}

/* The same by the model.  Lanes of a warp that meet in a line leave as one. */
static double modelled(const family *f, const char *paradigm, const char *link)
{
  gscale_system *s = some_system(GSCALE_SWITCH, link);
  const double stores = 32.0 * f->warps, bytes = stores * f->size;
  const double lines = f->region / 128;
  const double words = f->region / f->size;
  const double distinct =
      f->region > 0 ? gscale_distinct(words, stores) * f->size : bytes;
  const double left =
      f->region > 0 ? f->warps * gscale_distinct(lines, 32) : bytes / 128;
  gscale_phase p = gather_phase(2 * distinct, 1);
  gscale_plan *plan = NULL;
  gscale_prediction out = {0};

  p.units = 2;
  p.to = GSCALE_TO_ALL;
  p.stores = (gscale_stores){1, {bytes / left}, {1}, {f->region > 0}};
  p.rewrites = bytes / distinct;
  p.spread = 2 * f->region;
  gscale_workload *w = one_phase(p);
  gscale_plan_new(s, w, 2, &plan, NULL);
  gscale_predict(plan, gscale_paradigm_find(paradigm), NULL, &out, NULL);
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
  return out.bytes.wire;
}

int main(void)
{
  static const struct {
    gscale_queue queue;
    const char *paradigm, *link;
  } queues[] = {{GSCALE_QUEUE_GPS, "gps", "nvlink4"},
                {GSCALE_QUEUE_GPS, "gps", "pcie4"},
                {GSCALE_QUEUE_FINEPACK, "finepack", "pcie4"},
                {GSCALE_QUEUE_FINEPACK, "finepack", "nvlink4"}};

  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (size_t k = 0; k < sizeof queues / sizeof *queues; k++) {
      const family *f = &families[i];
      const double exact = replayed(f, queues[k].queue, queues[k].link);
      const double model = modelled(f, queues[k].paradigm, queues[k].link);
      printf("# %-18s %-9s %-8s %9.0f %9.0f %+6.1f %%\n", f->name,
             queues[k].paradigm, queues[k].link, exact / 1e3, model / 1e3,
             100 * (model / exact - 1));
      gsl_test(!(fabs(model / exact - 1) < 0.10), "%s, %s on %s: %.1f %%",
               f->name, queues[k].paradigm, queues[k].link,
               100 * (model / exact - 1));
    }
  return gsl_test_summary();
}
