/* agent.c - recipes for resident threads that move chunks. */

#include "recipe.h"

#include <math.h>
#include <string.h>

/* Fits rows in which threads limit the rate, and the link does not: time =
 * bytes / threads / rate. */
static void agent_thread_rate(bench_run *b)
{
  const wanted w = {
      .bench = "agent_width", .threads_least = 256, .threads_most = 2048};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) gscale__add_row(b, r, (double[]){r->size / r->threads});
  gscale__solve_inverse(b, GSCALE_AGENT_THREAD_RATE, 0, "agent_width");
}

static const double WARP = 32.0, WORD = 16.0; /* threads; B */

/* Fits blocks of one warp, which are too few for contention.  Each turn loads
 * `inflight` words: time = start of a kernel + turns * turn + words * word. */
static void agent_turn(bench_run *b)
{
  const char *bench = "carry_copy";
  const double few = 8.0; /* number of blocks */
  const wanted w = {.bench = bench, .threads_most = few * WARP};

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r) {
    const double words = r->size / WARP / WORD; /* words of a thread */
    if (r->threads > WARP * r->count) continue;
    gscale__add_point(b, r, r->time - gscale__value(b, GSCALE_DEVICE_START),
                      r->sigma, (double[]){words / r->inflight, words});
  }
  gscale__solve_both(b, GSCALE_AGENT_TURN, GSCALE_AGENT_WORD, bench);
}

/* Fits blocks of 32 warps with eight words in flight, which are too few for the
 * link, so that the SM limits them: time = bytes of a block / sm_rate. */
static void agent_sm_rate(bench_run *b)
{
  const char *bench = "carry_copy";
  const double few = 4.0, many = 1024.0; /* blocks; threads of a block */
  const wanted w = {
      .bench = bench, .threads_most = few * many, .inflight_least = 8.0};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    if (!(r->threads < many * r->count)) gscale__add_row(b, r, &r->size);
  gscale__solve_inverse(b, GSCALE_AGENT_SM_RATE, 0, bench);
}

/* ---- chunk ownership ----------------------------------------------------- */

/* Returns the time in which one block moves a chunk of `size` bytes, or NaN. */
static double one_block(const bench_run *b, const gscale_measurement *like,
                        double size)
{
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale_measurements_at(b->m, i)); i++)
    if (strcmp(r->bench, like->bench) == 0 && !(r->inflight > 1.0) &&
        fabs(r->size - size) < 1.0)
      return r->time / r->count;
  return NAN;
}

/* Returns the time if each block has its own chunk.  Blocks run in parallel up
 * to the rate of the link. */
static double block_law(const bench_run *b, const gscale_measurement *r)
{
  return fmax(one_block(b, r, r->size) / r->inflight,
              gscale__wire_time(b, GSCALE_STORE, r->size, false));
}

/* Returns the time if all blocks share each chunk, one chunk after the other.
 * The cost of a small chunk is constant, and all blocks share the copy. */
static double grid_law(const bench_run *b, const gscale_measurement *r)
{
  const double text = one_block(b, r, GSCALE__SMALL);
  const double copied = (one_block(b, r, r->size) - text) / r->inflight;

  return text +
         fmax(copied, gscale__wire_time(b, GSCALE_STORE, r->size, false));
}

typedef double law(const bench_run *b, const gscale_measurement *r);

/* Returns the mean |ln(time / measured)| over rows with several blocks. */
static double mean_error(bench_run *b, const char *bench, law *of)
{
  const wanted w = {.bench = bench, .inflight_least = 2.0};
  double sum = 0.0, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r));
       n += 1.0)
    sum += fabs(log(of(b, r) / (r->time / r->count)));
  return sum / n; /* NaN without rows */
}

/* The law with the smaller error decides `chunk_of` of an agent with unknown
 * code.  The report compares that law with the rows. */
static void agent_chunks(bench_run *b, const char *bench)
{
  const double block = mean_error(b, bench, block_law),
               grid = mean_error(b, bench, grid_law);
  char text[64];

  if (isnan(block) || isnan(grid)) return;
  gscale__print(text, sizeof text, "%s: chunk_of = %s", bench,
                block < grid ? "block" : "grid");
  gscale__compare_as(b, bench, text, block < grid ? block_law : grid_law);
}

/* ---- agent parameters ---------------------------------------------------- */

static void agent_gap(bench_run *b)
{
  gscale__constant(b, GSCALE_AGENT_GAP,
                   (wanted){.bench = "agent_chunk",
                            .size_most = GSCALE__SMALL,
                            .threads_least = 1024},
                   1.0);
}

/* Fits the latency, which is a hand-off of 128 B less half a handshake. */
static void agent_latency(bench_run *b)
{
  const wanted w = {
      .bench = "agent_latency", .size_least = 128, .size_most = 128};
  const wanted none = {.bench = "agent_latency", .size_most = 1e-9};
  const double shake = gscale__item_time(b, none);

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    gscale__add_point(b, r, r->time / r->count - shake / 2.0, 0.1 * shake,
                      NULL);
  if (gscale__solve(b, GSCALE_AGENT_LATENCY, "agent_latency"))
    gscale__conclude(b, GSCALE_AGENT_LATENCY, b->fit.value[0],
                     hypot(b->fit.err[0], 0.1 * shake), "agent_latency");
}

/* Fits `scale` times the additional time of an item over one of `plain`. */
static void extra_time(bench_run *b, gscale_param_id id, wanted w, wanted plain,
                       double scale, const char *benches)
{
  const double without = gscale__item_time(b, plain);

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    gscale__add_point(
        b, r, (r->time / r->count - without) * scale,
        hypot(r->sigma / r->count, GSCALE__FLOOR * without) * scale, NULL);
  gscale__solve_term(b, id, 0, benches);
}

/* Fits the cost per block of 4 KiB: with counting less without counting. */
static void agent_track(bench_run *b)
{
  extra_time(b, GSCALE_AGENT_TRACK,
             (wanted){.bench = "track_on", .size_most = 4096},
             (wanted){.bench = "track_off", .size_most = 4096}, 1.0,
             "track_on, track_off");
}

/* Fits the cost of counting to blocks that wait for loads and store few words.
 * Counting delays each block, and the slots of the GPU work in parallel. */
static void agent_hold(bench_run *b)
{
  const double slots = gscale__value(b, GSCALE_DEVICE_SMS) *
                       gscale__value(b, GSCALE_DEVICE_THREADS) / 256.0;

  extra_time(b, GSCALE_AGENT_HOLD, (wanted){.bench = "track_wait_on"},
             (wanted){.bench = "track_wait_off"}, slots,
             "track_wait_on, track_wait_off");
}

/* Fits the slowdown by a kernel that saturates the memory.  The slowdown is the
 * geometric mean of two ratios: one of chunks per second, and one of bytes per
 * second over the rate of the same threads without contention.  The spread of
 * the two ratios is the error. */
static void agent_beside(bench_run *b)
{
  const char *benches = "agent_chunk_beside, overlap_store_out";
  const wanted busy = {.bench = "agent_chunk_beside", .size_most = 65536};
  const wanted idle = {.bench = "agent_chunk_free", .size_most = 65536};
  const wanted out = {.bench = "overlap_store_out"};
  const double chunks = gscale__item_time(b, busy) / gscale__item_time(b, idle);
  double bytes = 0.0, n = 0.0;

  EACH_ROW (b, &out, r) {
    const double beside = gscale__moved_beside(b, r) / r->time;
    const double alone =
        r->threads * gscale__value(b, GSCALE_AGENT_THREAD_RATE);
    if (!(beside > 0.0)) continue;
    bytes += alone / beside;
    n += 1.0;
  }
  gscale__conclude_unfitted(b, GSCALE_AGENT_CONTENTION, (size_t)n + 1,
                            sqrt(chunks * bytes / n),
                            fabs(chunks - bytes / n) / sqrt(12.0), benches);
}

/* Fits children of 128 or more blocks: time = begin + children * gap. */
static void cdp_gap(bench_run *b)
{
  const wanted w = {.bench = "cdp_launch", .inflight_least = 128};

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r) gscale__add_row(b, r, (double[]){1.0, r->count});
  gscale__solve_term(b, GSCALE_CDP_GAP, 1, "cdp_launch");
}

/* Fits the latency: a child of one thread, less a kernel without a launch. */
static void cdp_latency(bench_run *b)
{
  const char *benches = "cdp_launch, cdp_none";
  const wanted w = {.bench = "cdp_launch", .threads_most = 32};
  const double none = gscale__item_time(b, (wanted){.bench = "cdp_none"});

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    if (r->count < 2.0) gscale__add_point(b, r, r->time - none, r->sigma, NULL);
  gscale__solve_term(b, GSCALE_CDP_LATENCY, 0, benches);
}

/* Fits 2 to 16 children as wide as an agent, each launched by a separate block.
 * Less the time of a narrow child, time = queue + few * (n - 1). */
static void cdp_few(bench_run *b)
{
  const char *bench = "cdp_launch";
  const wanted w = {.bench = bench, .threads_least = 1024};
  const double one = gscale__item_time(b, (wanted){.bench = "cdp_none"}) +
                     gscale__value(b, GSCALE_CDP_LATENCY);

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r)
    if (r->count > 1.0 && r->count <= (double)GSCALE__FEW)
      gscale__add_point(b, r, r->time - one, r->sigma,
                        (double[]){1.0, r->count - 1.0});
  gscale__solve_both(b, GSCALE_CDP_QUEUE, GSCALE_CDP_FEW, bench);
}

/* Fits the cost of a kernel that may launch others, less one that cannot. */
static void cdp_start(bench_run *b)
{
  extra_time(b, GSCALE_CDP_START, (wanted){.bench = "cdp_sync"},
             (wanted){.bench = "cdp_sync_plain"}, 1.0,
             "cdp_sync, cdp_sync_plain");
}

void gscale__recipes_agent(bench_run *b)
{
  agent_thread_rate(b);
  agent_turn(b);
  agent_sm_rate(b);
  agent_gap(b);
  agent_latency(b);
  agent_track(b);
  agent_hold(b);
  agent_beside(b);
  agent_chunks(b, "owner_chunk");
  agent_chunks(b, "owner_grid");
  cdp_gap(b);
  cdp_latency(b);
  cdp_start(b);
  cdp_few(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
