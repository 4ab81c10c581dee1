/* host.c - the microbenchmarks without a GPU: CPU cores of one machine stand
 * for GPUs, the memory they share for the link.
 *
 * method: threads, monotonic clock, 2 passes, median of 5 to 51, data verified
 *
 *   host [--quick] [--cpus N]      rows to stdout; N: as if so many cores
 *
 * A device is a thread that takes tasks from a queue with one producer, in
 * order: a stream.  Who waits spins a little, then yields, so that few cores
 * are enough.  Names and columns are those of the CUDA programs here:
 *
 * issue_launch issue_copy issue_event   posting a task that does nothing,
 *                    copies 4 KiB, or raises a ticket; by 1 to 4 host threads,
 *                    each with a device of its own
 * launch_sync  launch_sync_barrier  barrier   a task and a wait for it, with
 *                    and without a barrier of the host threads, and that alone
 * null_kernel  kernel_gap   tasks that do nothing, one and many in a row
 * membw  membw_sync  copies of the same size_B/2 each, in a row and awaited one
 *                    by one.  The latter up to 256 KiB: beyond, the copy's
 *                    own scatter is larger than the wait
 * dma                copies in a row, each of the bytes behind the one before,
 *                    through 32 MiB, so that caches help as little as they can
 * dma_after_kernel   an empty task of device 0, then a copy by device 1
 * ring               all copy at once, each to the next (only without --quick)
 * store_dense  store_scatter   stores of size_B: one after the other; in slots
 *                    of 512 B, in a pseudo-random order.  count is of stores
 * track_off  track_on   copies in blocks of size_B, which are counted or not
 * agent_chunk        a polling thread copies chunks that are all ready
 * agent_latency  flag_pingpong   hand-offs to a polling thread, which copies
 *                    size_B and answers; there and back of a flag alone */

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  QUEUE = 1024, /* tasks; no sample has as many, so posting does not block */
  CALLS = 200,
  DEVICES = 4,  /* at most */
  REPEATS = 51, /* at most */
  LINE = 64,
  SMALL = 4096,
  BLOCK = 4096,
  PER_CHUNK = 16, /* blocks */
  SLOT = 512,
  POISON = 0xA5,
  PATIENCE = 600 /* s, for all of it */
};

static const size_t KIB = 1024, MIB = 1048576;
static const size_t REGION = 33554432; /* B, of all but the largest copies */

static bool quick;
static unsigned spins_most;            /* before a yield */
static unsigned char *source, *target; /* of `arena` bytes; source is pattern */
static size_t arena;

static _Noreturn void die(const char *what, const char *why)
{
  fprintf(stderr, "host: %s: %s\n", what, why);
  exit(1);
}

/* ---- waiting, time, patterns -------------------------------------------- */

static void relax(unsigned *spins)
{
  if ((*spins)++ > spins_most) {
    sched_yield();
    return;
  }
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void wait_for(const atomic_size_t *value, size_t least)
{
  for (unsigned spins = 0;
       atomic_load_explicit(value, memory_order_acquire) < least;)
    relax(&spins);
}

static void raise_to(atomic_size_t *value, size_t to)
{
  atomic_store_explicit(value, to, memory_order_release);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t pattern(size_t word)
{
  return (word + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

/* The first `bytes` of the target are those of the source. */
static void verify(const char *bench, size_t bytes)
{
  if (bytes == 0 || memcmp(target, source, bytes) != 0)
    die(bench, "wrong data");
}

static void poison(size_t bytes)
{
  memset(target, POISON, bytes);
}

/* ---- devices -------------------------------------------------------------*/

typedef struct task {
  void (*run)(const struct task *); /* NULL: the device ends */
  void *dst;
  const void *src;
  size_t bytes, width, slot; /* the last two of stores */
} task;

typedef struct device {
  _Alignas(LINE) atomic_size_t posted;
  _Alignas(LINE) atomic_size_t done;
  _Alignas(LINE) task queue[QUEUE];
  pthread_t thread;
} device;

static device devices[DEVICES];

static void *serve(void *closure)
{
  device *d = closure;
  for (size_t i = 0;; i++) {
    wait_for(&d->posted, i + 1);
    const task *t = &d->queue[i % QUEUE];
    if (!t->run) return NULL;
    t->run(t);
    raise_to(&d->done, i + 1);
  }
}

static void post(device *d, task t)
{
  const size_t i = atomic_load_explicit(&d->posted, memory_order_relaxed);
  if (i >= QUEUE) wait_for(&d->done, i + 1 - QUEUE);
  d->queue[i % QUEUE] = t;
  raise_to(&d->posted, i + 1);
}

static void synchronise(device *d)
{
  wait_for(&d->done, atomic_load_explicit(&d->posted, memory_order_relaxed));
}

static void start_thread(pthread_t *thread, void *(*run)(void *), void *closure)
{
  const int st = pthread_create(thread, NULL, run, closure);
  if (st != 0) die("thread", strerror(st));
}

/* Only as many as a bench needs: those that wait take time from the others. */
static void open_devices(int n)
{
  for (int i = 0; i < n; i++) {
    atomic_init(&devices[i].posted, 0);
    atomic_init(&devices[i].done, 0);
    start_thread(&devices[i].thread, serve, &devices[i]);
  }
}

static void close_devices(int n)
{
  for (int i = 0; i < n; i++) {
    post(&devices[i], (task){.run = NULL});
    pthread_join(devices[i].thread, NULL);
  }
}

/* ---- tasks -------------------------------------------------------------- */

static atomic_size_t gate, dependence;
static struct {
  _Alignas(LINE) atomic_size_t happened;
} event[DEVICES];

static void run_null(const task *t)
{
  (void)t;
}

static void run_copy(const task *t)
{
  memcpy(t->dst, t->src, t->bytes);
}

static task task_on(void (*run)(const task *), size_t at, size_t bytes)
{
  return (task){run, target + at, source + at, bytes, 0, 0};
}

static void run_clock(const task *t)
{
  *(double *)t->dst = now();
}

static void run_wait(const task *t)
{
  wait_for(t->dst, 1);
}

static void run_raise(const task *t)
{
  raise_to(t->dst, 1);
}

/* Stores of `width` bytes, each at the start of a slot.  With an odd factor and
 * 2^n slots each slot is met once.  A compiler may not join two of them. */
static inline void put(const task *t, size_t width)
{
  const size_t slots = t->bytes / t->slot;
  const size_t factor = t->slot == width ? 1 : 2654435761u;
  for (size_t i = 0; i < slots; i++) {
    const size_t at = (i * factor & (slots - 1)) * t->slot;
    for (size_t k = 0; k < width; k += 8) {
      const uint64_t word = pattern((at + k) / 8);
      memcpy((char *)t->dst + at + k, &word, sizeof word);
    }
    atomic_signal_fence(memory_order_seq_cst);
  }
}

static void run_stores(const task *t)
{
  switch (t->width) {
  case 8:
    put(t, 8);
    break;
  case 16:
    put(t, 16);
    break;
  case 32:
    put(t, 32);
    break;
  default:
    put(t, 64);
  }
}

enum {
  COUNTERS = 8388608 / BLOCK / PER_CHUNK
};
static atomic_size_t counter[COUNTERS];

static void run_blocks(const task *t)
{
  for (size_t at = 0; at < t->bytes; at += BLOCK) {
    memcpy((char *)t->dst + at, (const char *)t->src + at, BLOCK);
    atomic_signal_fence(memory_order_seq_cst);
  }
}

static void run_tracked(const task *t)
{
  for (size_t at = 0; at < t->bytes; at += BLOCK) {
    memcpy((char *)t->dst + at, (const char *)t->src + at, BLOCK);
    atomic_fetch_add_explicit(&counter[at / BLOCK / PER_CHUNK], 1,
                              memory_order_release);
  }
}

/* Chunks of SMALL bytes, each polled first; all are ready. */
static void run_agent(const task *t)
{
  for (size_t at = 0; at < t->bytes; at += SMALL) {
    wait_for(&counter[at / SMALL % COUNTERS], 1);
    memcpy((char *)t->dst + at, (const char *)t->src + at, SMALL);
  }
}

/* ---- statistics and output ---------------------------------------------- */

typedef struct stat {
  double time, sigma;
  size_t count; /* of items in a sample */
  int repeats;
} stat;

static int by_value(const void *x, const void *y)
{
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static double median(double *v, int n)
{
  qsort(v, (size_t)n, sizeof *v, by_value);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2.0;
}

/* 1.4826 MAD estimates a normal sigma; the median of n has 1.2533 sigma/sqrt n.
 * A clock with coarse steps may say 0. */
static stat robust(double *v, int n, size_t count)
{
  double d[REPEATS];
  const double m = median(v, n);
  for (int i = 0; i < n; i++) d[i] = fabs(v[i] - m);
  const double mad = median(d, n);
  return (stat){fmax(m, 1e-9), 1.4826 * 1.2533 * mad / sqrt(n), count, n};
}

/* What is timed: once() returns the seconds of a sample of `count` items. */
typedef struct bench {
  double (*once)(struct bench *b, size_t count);
  task t;
  size_t at, covered; /* B of the target: where it is, what was written */
  bool advances;      /* copies go on behind the one before, through REGION */
  int threads;        /* of the host */
  bool devices;       /* each has one */
  void (*call)(int i);
  void (*team)(struct bench *b, int i, size_t count);
} bench;

/* Samples are shortened and repeated as often as the time for a bench allows,
 * so that a busy machine takes longer, but not for ever. */
static stat measure(bench *b, size_t count)
{
  const double budget = quick ? 6e-3 : 20e-3;
  const int least = 5, repeats = quick ? 21 : REPEATS;
  const size_t few = (count + 9) / 10;
  double v[REPEATS];
  int n = 0;

  const double fit = budget / least / b->once(b, few) * (double)few;
  if (fit < (double)count) count = (size_t)fmax(1.0, fit);
  b->once(b, count);
  for (const double start = now(); n < repeats;) {
    if (n >= least && now() - start > budget) break;
    v[n++] = b->once(b, count);
  }
  return robust(v, n, count);
}

typedef struct where {
  const char *src, *dst;
  int gpus;
  const char *access;
} where;

static const where kernel = {"0", "0", 1, "kernel"};
static const where copying = {"0", "1", 2, "copy"};
static const where storing = {"0", "1", 2, "store"};

static void row(const char *name, const where *w, size_t size, size_t count,
                int threads, int inflight, const stat *s)
{
  printf("%s,%s,%s,%d,%s,%zu,%zu,%d,%d,%.9g,%.9g,%d\n", name, w->src, w->dst,
         w->gpus, w->access, size, count, threads, inflight, s->time, s->sigma,
         s->repeats);
}

/* ---- on the device's own clock ------------------------------------------ */

static void post_items(bench *b, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (!b->advances || b->at + b->t.bytes > REGION) b->at = 0;
    task t = b->t;
    t.dst = target + b->at;
    t.src = source + b->at;
    post(&devices[0], t);
    b->at += t.bytes;
    if (b->at > b->covered) b->covered = b->at;
  }
}

/* Behind a gate, so that posting is not timed. */
static double in_a_row(bench *b, size_t count)
{
  double start = 0.0, end = 0.0;

  raise_to(&gate, 0);
  post(&devices[0], (task){.run = run_wait, .dst = &gate});
  post(&devices[0], (task){.run = run_clock, .dst = &start});
  post_items(b, count);
  post(&devices[0], (task){.run = run_clock, .dst = &end});
  raise_to(&gate, 1);
  synchronise(&devices[0]);
  return end - start;
}

/* Tasks in a row that copy `bytes` each, or nothing. */
static void in_row_bench(const char *name, const where *w, size_t bytes,
                         size_t size, size_t count, bool advances)
{
  bench b = {.once = in_a_row,
             .t = {.run = bytes ? run_copy : run_null, .bytes = bytes},
             .advances = advances};
  poison(advances ? REGION : bytes);
  const stat s = measure(&b, count);
  if (bytes) verify(name, b.covered);
  row(name, w, size, s.count, 1, 1, &s);
}

/* One task that makes many stores, blocks or chunks: they are counted. */
static void stream(const char *name, const where *w, task t, size_t size,
                   size_t count, int inflight)
{
  bench b = {.once = in_a_row, .t = t};
  poison(t.bytes);
  const stat s = measure(&b, 1);
  row(name, w, size, count, 1, inflight, &s);
}

static void store_bench(const char *name, size_t width, size_t slot)
{
  const size_t bytes = REGION / 4;
  stream(name, &storing, (task){run_stores, target, NULL, bytes, width, slot},
         width, bytes / slot, 1);
  for (size_t at = 0; at < bytes; at += slot)
    if (memcmp(target + at, source + at, width) != 0 ||
        (width < slot && target[at + width] != POISON))
      die(name, "wrong data");
}

static void counter_benches(void)
{
  const size_t bytes = (size_t)COUNTERS * PER_CHUNK * BLOCK;

  stream("track_off", &kernel, task_on(run_blocks, 0, bytes), BLOCK,
         bytes / BLOCK, 0);
  verify("track_off", bytes);
  for (size_t i = 0; i < COUNTERS; i++) raise_to(&counter[i], 0);
  stream("track_on", &kernel, task_on(run_tracked, 0, bytes), BLOCK,
         bytes / BLOCK, PER_CHUNK);
  verify("track_on", bytes);
  for (size_t i = 0; i < COUNTERS; i++)
    if (counter[i] == 0 || counter[i] != counter[0] || counter[i] % PER_CHUNK)
      die("track_on", "wrong count");
  stream("agent_chunk", &storing, task_on(run_agent, 0, bytes), SMALL,
         bytes / SMALL, 1);
  verify("agent_chunk", bytes);
}

/* Device 1 copies when device 0 has said so; they have the same clock. */
static double after_kernel(bench *b, size_t count)
{
  double start = 0.0, end = 0.0;

  (void)count;
  raise_to(&gate, 0);
  raise_to(&dependence, 0);
  post(&devices[1], (task){.run = run_wait, .dst = &dependence});
  post(&devices[1], b->t);
  post(&devices[1], (task){.run = run_clock, .dst = &end});
  post(&devices[0], (task){.run = run_wait, .dst = &gate});
  post(&devices[0], (task){.run = run_clock, .dst = &start});
  post(&devices[0], (task){.run = run_null});
  post(&devices[0], (task){.run = run_raise, .dst = &dependence});
  raise_to(&gate, 1);
  synchronise(&devices[0]);
  synchronise(&devices[1]);
  return end - start;
}

static void dependent_copy(size_t bytes)
{
  bench b = {.once = after_kernel, .t = task_on(run_copy, 0, bytes)};
  poison(bytes);
  const stat s = measure(&b, 1);
  verify("dma_after_kernel", bytes);
  row("dma_after_kernel", &copying, bytes, 1, 1, 1, &s);
}

/* ---- on the host's clock ------------------------------------------------- */

/* The last to arrive raises the generation; the others wait for it. */
static struct {
  _Alignas(LINE) atomic_size_t arrived;
  _Alignas(LINE) atomic_size_t generation;
  size_t size;
} barrier;

static void barrier_wait(int i)
{
  const size_t g = atomic_load(&barrier.generation);
  (void)i;
  if (atomic_fetch_add(&barrier.arrived, 1) + 1 < barrier.size) {
    wait_for(&barrier.generation, g + 1);
    return;
  }
  atomic_store(&barrier.arrived, 0);
  raise_to(&barrier.generation, g + 1);
}

typedef struct member {
  bench *b;
  int index;
  size_t count;
  double seconds;
  pthread_t thread;
} member;

static void *take_part(void *closure)
{
  member *m = closure;
  barrier_wait(m->index);
  const double start = now();
  m->b->team(m->b, m->index, m->count);
  m->seconds = now() - start;
  return NULL;
}

/* The slowest thread's time. */
static double together(bench *b, size_t count)
{
  member m[DEVICES];
  double longest = 0.0;

  barrier.size = (size_t)b->threads;
  for (int i = 0; i < b->threads; i++)
    m[i] = (member){.b = b, .index = i, .count = count};
  for (int i = 1; i < b->threads; i++)
    start_thread(&m[i].thread, take_part, &m[i]);
  take_part(&m[0]);
  for (int i = 1; i < b->threads; i++) pthread_join(m[i].thread, NULL);
  for (int i = 0; i < b->threads; i++) {
    longest = fmax(longest, m[i].seconds);
    if (b->devices) synchronise(&devices[i]);
  }
  return longest;
}

static void call_launch(int i)
{
  post(&devices[i], (task){.run = run_null});
}

static void call_copy(int i)
{
  const size_t at = (size_t)i * SMALL;
  post(&devices[i], task_on(run_copy, at, SMALL));
}

static void call_event(int i)
{
  post(&devices[i], (task){.run = run_raise, .dst = &event[i].happened});
}

static void call_sync(int i)
{
  call_launch(i);
  synchronise(&devices[i]);
}

static void call_sync_barrier(int i)
{
  call_sync(i);
  barrier_wait(i);
}

static void make_calls(bench *b, int i, size_t count)
{
  for (size_t k = 0; k < count; k++) b->call(i);
}

static void host_benches(int threads)
{
  static const struct {
    const char *name;
    void (*call)(int i);
    size_t size;
  } calls[] = {
      {"issue_launch", call_launch, 0},
      {"issue_copy", call_copy, SMALL},
      {"issue_event", call_event, 0},
      {"launch_sync", call_sync, 0},
      {"barrier", barrier_wait, 0},
      {"launch_sync_barrier", call_sync_barrier, 0},
  };
  const where w = {"h", threads == 1 ? "0" : "all", threads, "host"};

  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    bench b = {.once = together,
               .threads = threads,
               .devices = calls[i].call != barrier_wait,
               .call = calls[i].call,
               .team = make_calls};
    const size_t bytes = (size_t)threads * calls[i].size;
    poison(bytes);
    if (b.devices) open_devices(threads);
    const stat s = measure(&b, CALLS);
    if (b.devices) close_devices(threads);
    if (bytes > 0) verify(calls[i].name, bytes);
    for (int k = 0; b.call == call_event && k < threads; k++)
      if (event[k].happened != 1) die(calls[i].name, "an event was lost");
    row(calls[i].name, &w, calls[i].size, s.count, threads, threads, &s);
  }
}

static void copy_and_wait(bench *b, int i, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    post(&devices[i], b->t);
    synchronise(&devices[i]);
  }
}

static void bandwidth(size_t footprint)
{
  static const where host = {"h", "0", 1, "host"};
  const task t = task_on(run_copy, 0, footprint / 2);
  bench b = {.once = together, .t = t, .threads = 1, .team = copy_and_wait};

  in_row_bench("membw", &kernel, footprint / 2, footprint, 20, false);
  if (footprint > 256 * KIB) return;
  poison(t.bytes);
  const stat s = measure(&b, 20);
  verify("membw_sync", t.bytes);
  row("membw_sync", &host, footprint, s.count, 1, 1, &s);
}

/* Thread 0 asks, thread 1 polls, copies and answers. */
static struct {
  _Alignas(LINE) atomic_size_t asked;
  _Alignas(LINE) atomic_size_t answered;
} flags;

static void hand_off(bench *b, int i, size_t count)
{
  for (size_t k = 1; k <= count; k++) {
    if (i == 0) {
      raise_to(&flags.asked, k);
      wait_for(&flags.answered, k);
    } else {
      wait_for(&flags.asked, k);
      memcpy(b->t.dst, b->t.src, b->t.bytes);
      raise_to(&flags.answered, k);
    }
  }
}

static double hand_offs(bench *b, size_t count)
{
  raise_to(&flags.asked, 0);
  raise_to(&flags.answered, 0);
  const double seconds = together(b, count);
  if (flags.asked != count || flags.answered != count)
    die("hand-off", "a flag was lost");
  return seconds;
}

static void hand_off_bench(const char *name, size_t bytes)
{
  bench b = {.once = hand_offs,
             .t = task_on(NULL, 0, bytes),
             .threads = 2,
             .team = hand_off};
  poison(bytes);
  const stat s = measure(&b, CALLS);
  if (bytes > 0) verify(name, bytes);
  row(name, &storing, bytes, s.count, 1, 1, &s);
}

static void copy_to_next(bench *b, int i, size_t count)
{
  const size_t at = (size_t)i * b->t.bytes;
  for (size_t k = 0; k < count; k++)
    memcpy(target + at, source + at, b->t.bytes);
}

static void ring(int threads, size_t bytes)
{
  const where w = {"all", "all", threads, "copy"};
  bench b = {.once = together,
             .t = task_on(NULL, 0, bytes),
             .threads = threads,
             .team = copy_to_next};
  poison((size_t)threads * bytes);
  const stat s = measure(&b, 1);
  verify("ring", (size_t)threads * bytes);
  row("ring", &w, bytes, 1, 1, 1, &s);
}

/* ---- all of it --------------------------------------------------------- */

/* Memory that all caches are smaller than, if there is enough to spare. */
static void open_arena(void)
{
  const double memory =
      (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

  arena = quick || memory < 4e9 ? REGION : 6 * REGION;
  source = aligned_alloc(SMALL, arena);
  target = aligned_alloc(SMALL, arena);
  if (!source || !target) die("memory", strerror(errno));
  for (size_t i = 0; i < arena / 8; i++) {
    const uint64_t word = pattern(i);
    memcpy(source + 8 * i, &word, sizeof word);
  }
  poison(arena); /* all pages are there */
}

static void one_device(void)
{
  open_devices(1);
  in_row_bench("null_kernel", &kernel, 0, 0, 1, false);
  in_row_bench("kernel_gap", &kernel, 0, 0, CALLS, false);
  for (size_t n = 64 * KIB; n <= 64 * MIB; n *= quick ? 4 : 2) bandwidth(n);
  if (arena > REGION) bandwidth(8 * REGION);
  if (arena > REGION) bandwidth(12 * REGION);
  for (size_t n = 4; n <= 16 * MIB; n *= 4)
    in_row_bench("dma", &copying, n, n, n >= MIB ? 4 : 64, true);
  for (size_t n = 8; n <= 64; n *= 2) store_bench("store_dense", n, n);
  for (size_t n = 8; n <= 32; n *= 2) store_bench("store_scatter", n, SLOT);
  counter_benches();
  close_devices(1);
}

static void several(int most)
{
  open_devices(2);
  dependent_copy(4);
  dependent_copy(SMALL);
  close_devices(2);
  hand_off_bench("flag_pingpong", 0);
  hand_off_bench("agent_latency", 0);
  hand_off_bench("agent_latency", 128);
  hand_off_bench("agent_latency", SMALL);
  for (int t = 2; t <= most && arena > REGION; t++)
    for (size_t n = 16 * MIB; n <= 32 * MIB; n *= 2) ring(t, n);
}

static long options(int argc, char **argv)
{
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);

  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--quick") == 0) {
      quick = true;
    } else if (strcmp(argv[i], "--cpus") == 0 && i + 1 < argc) {
      cpus = strtol(argv[++i], NULL, 10);
    } else {
      fprintf(stderr, "usage: host [--quick] [--cpus N]\n");
      exit(2);
    }
  }
  return cpus < 1 ? 1 : cpus;
}

int main(int argc, char **argv)
{
  const long cpus = options(argc, argv);
  const long limit = quick ? 2 : DEVICES;
  const int most = (int)(cpus < limit ? cpus : limit);

  spins_most = cpus < 2 * DEVICES ? 50 : 1000;
  alarm(PATIENCE); /* nothing should hang; if it does, it ends */
  open_arena();
  for (int pass = 0; pass < 2; pass++) {
    for (int t = 1; t <= most; t++) host_benches(t);
    one_device();
    if (most > 1) several(most);
  }
  if (most == 1)
    fprintf(stderr, "host: one core: what needs several threads at once is "
                    "skipped: dma_after_kernel, flag_pingpong, agent_latency, "
                    "ring, and the host benches of more than one thread\n");
  if (fflush(stdout) != 0 || ferror(stdout)) die("stdout", strerror(errno));
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
