/* t_replay_memory.c - replay when memory runs out.
 *
 * The replay is compiled into this program, so that each of its allocations can
 * be made to fail. */

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static long allocations_left = -1; /* negative: no limit */
static bool once, failed;          /* only one allocation fails; one has */

static bool memory_is_out(void)
{
  if (allocations_left > 0) allocations_left--;
  const bool out = allocations_left == 0;
  if (out && once) allocations_left = -1;
  failed = failed || out;
  return out;
}

static void *malloc_if_left(size_t size)
{
  return memory_is_out() ? NULL : malloc(size);
}

static void *calloc_if_left(size_t n, size_t size)
{
  return memory_is_out() ? NULL : calloc(n, size);
}

#define malloc malloc_if_left
#define calloc calloc_if_left
#include "replay/direct.c"
#include "replay/queue.c"
#include "replay/tally.c"

#define probe      probe_page
#define grow       grow_pages
#define FIRST_ROOM FIRST_PAGES
#include "replay/pages.c"
#undef probe
#undef grow
#undef FIRST_ROOM
#include "replay/lines.c"

#define prepare prepare_gps
#define release release_gps
#define drain   drain_gps
#define take    take_gps
#define load    load_gps
#define store   store_gps
#include "replay/gps.c"
#undef prepare
#undef release
#undef drain
#undef take
#undef load
#undef store

#define prepare prepare_finepack
#define release release_finepack
#define drain   drain_finepack
#define take    take_finepack
#define load    load_finepack
#define store   store_finepack
#include "replay/finepack.c"
#undef prepare
#undef release
#undef drain
#undef take
#undef load
#undef store
#include "replay/replay.c"
#include "replay/warp.c"
#undef malloc
#undef calloc

#include <gsl/gsl_test.h>

enum {
  RECORDS = 5000 /* lines and pages enough for several growths */
};

static gscale_record trace[RECORDS];

static void make_trace(void)
{
  for (uint32_t i = 0; i < RECORDS; i++)
    trace[i] =
        (gscale_record){.address = (uint64_t)i * 4096,
                        .group = i,
                        .size = 4,
                        .gpu = (uint8_t)(i % 3),
                        .dst = (uint8_t)(i % 5 ? GSCALE_DST_ALL : (i + 1) % 3),
                        .kind = i % 7 ? GSCALE_OP_STORE : GSCALE_OP_LOAD};
}

static gscale_status attempt(gscale_queue queue, gscale_diag *diag)
{
  gscale_replay_options o;
  gscale_replay_result out;
  gscale_replay *r = NULL;

  gscale_replay_options_init(&o, queue);
  o.gpus = 3;
  o.page = o.granule = 4096;
  gscale_status st = gscale_replay_new(&o, &r, diag);
  if (st == GSCALE_OK) st = gscale_replay_push(r, trace, RECORDS, diag);
  if (st == GSCALE_OK) st = gscale_replay_finish(r, &out, diag);
  gscale_replay_free(r);
  return st;
}

/* With memory for one allocation more each time, until it is enough; then with
 * one that fails among others that do not. */
static void run_out(gscale_queue queue)
{
  bool said = true;
  int failures = 0;

  for (long left = 1;; left++) {
    gscale_diag diag = {""};
    allocations_left = left;
    failed = false;
    const gscale_status st = attempt(queue, &diag);
    if (!failed && st == GSCALE_OK) break;
    failures++;
    said = said && st == GSCALE_ENOMEM &&
           strcmp(diag.text, "no memory for the replay") == 0;
  }
  allocations_left = -1;
  gsl_test(!said, "%s: all failures say why%s",
           gscale_name(GSCALE_QUEUE_NAMES, queue),
           once ? ", a single one, too" : "");
  gsl_test(failures < 10, "%s: %d allocations fail",
           gscale_name(GSCALE_QUEUE_NAMES, queue), failures);
}

int main(void)
{
  make_trace();
  for (int q = 0; q < 2 * GSCALE_QUEUE_END; q++) {
    once = q >= GSCALE_QUEUE_END;
    run_out((gscale_queue)(q % GSCALE_QUEUE_END));
  }
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
