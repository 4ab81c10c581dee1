/* traced.c - traces a step of one GPU in order of time: pieces of kernels,
 * collectives, waits, and the host's time between them. */

#include "describe/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct node { /* a work item of the step */
  size_t record;      /* NONE: a fake group's collective */
  double called, start, end;
  int thread, stream;
  traced_phase phase;
  const char *kind;
  double bytes;
  double blocked; /* s of the host in waits before */
  bool synchronizes, waits;
  size_t gradients;
  double gradient_B;
} node;

typedef struct nodes {
  traced_step *t;
  node *v;
  size_t n;
  double next; /* s of the next step's first call, or NaN */
  int stream[TRACED_STREAMS];
  size_t streams;
} nodes;

/* ---- which step --------------------------------------------------------- */

static double time_of(const profile *p, size_t record)
{
  return end_of(p, record) - start_of(p, record);
}

/* Returns the item after step k. */
static size_t end_of_step(const profile *p, const gpu_steps *g, size_t k)
{
  size_t end = k + 1 < g->steps ? g->first[k + 1] : g->items, i = g->first[k];

  if (!p->marked) return i + g->slots < end ? i + g->slots : end;
  if (k + 1 < g->steps) return end;
  for (size_t at = i; isfinite(g->end[k]) && at < end; at++)
    if (start_of(p, g->item[at].record) < g->end[k]) i = at + 1;
  return isfinite(g->end[k]) ? i : end;
}

/* Returns the step nearest to the median time, except the last step. */
static size_t typical_step(const profile *p, const gpu_steps *g)
{
  size_t best = 0;
  double least = INFINITY;

  for (size_t k = 0; k == 0 || k + 1 < g->steps; k++) {
    const double off = fabs(g->end[k] - g->begin[k] - p->period);
    if (off < least) best = k, least = off;
  }
  return best;
}

static double time_in_collectives(const profile *p, const gpu_steps *g)
{
  const size_t k = typical_step(p, g);
  double sum = 0.0;

  for (size_t i = g->first[k]; i < end_of_step(p, g, k); i++)
    if (what_of(p, g->item[i].record)->collective)
      sum += time_of(p, g->item[i].record);
  return sum;
}

/* Returns the GPU of the late rank, which waits least. */
static int late_gpu(const profile *p)
{
  int best = -1;
  double least = INFINITY;

  for (int g = 0; g < p->gpus; g++) {
    if (p->gpu[g].steps == 0) continue;
    const double sum = time_in_collectives(p, &p->gpu[g]);
    if (sum < least) best = g, least = sum;
  }
  return best;
}

static bool has(const char *text, const char *word)
{
  return strstr(text, word);
}

/* Returns true for Adam, AdamW and Adamax, but not for Adams' method. */
static bool is_adam(const char *name)
{
  const char *at = strstr(name, "Adam");

  return at && at[4] != 's';
}

/* Returns true for a kernel of an optimizer, or its range of PyTorch. */
static bool optimizes(const char *name)
{
  return has(name, "multi_tensor") || is_adam(name) ||
         has(name, "Optimizer.step");
}

bool needs_trace(const profile *p)
{
  const gpu_steps *const g = &p->gpu[0];
  int thread = -1;

  if (gscale_recording_about(p->r).fake || next_collective(p, 0, 0) != NONE)
    return true;
  if (has_copies(p, false)) return false;
  for (size_t i = 0; i < gscale_recording_about(p->r).whats; i++)
    if (optimizes(gscale_recording_what(p->r, i)->name)) return true;
  if (p->gpus > 1 || g->steps < 3 || g->share < 0.5) return true;
  for (size_t j = 0; j < g->slots; j++)
    if (!(g->slot[j].time > 0.0) || g->slot[j].symbol > 60) return true;
  for (size_t i = g->first[0]; i < end_of_step(p, g, 0); i++) {
    if (g->item[i].call == NONE) continue;
    const int own = what_of(p, g->item[i].call)->thread;
    if (thread >= 0 && own != thread) return true;
    thread = own;
  }
  return false;
}

/* ---- what is in it ------------------------------------------------------ */

static const char *kind_of(const char *name)
{
  static const struct {
    const char *word, *kind;
  } kinds[] = {{"AllReduce", "all-reduce"},  {"ather", "all-gather"},
               {"catter", "reduce-scatter"}, {"oAll", "all-to-all"},
               {"to_all", "all-to-all"},     {"toall", "all-to-all"},
               {"deep_ep", "all-to-all"},    {"roadcast", "broadcast"},
               {"SendRecv", "send-recv"},    {"Reduce", "reduce"}};

  for (size_t i = 0; i < LENGTH(kinds); i++)
    if (strstr(name, kinds[i].word)) return kinds[i].kind;
  return "all-reduce";
}

static int by_call(const void *a, const void *b)
{
  const node *const x = a, *const y = b;
  const int c = GSCALE_ORDER(x->called, y->called);
  return c ? c : GSCALE_ORDER(x->start, y->start);
}

static node node_of(const profile *p, const work_item *w, bool calls)
{
  const gscale_recorded_what *const what = what_of(p, w->record);
  node d = {.record = w->record,
            .start = start_of(p, w->record),
            .end = end_of(p, w->record),
            .thread = -1,
            .stream = what->stream,
            .bytes = what->bytes};

  d.called = d.start;
  if (calls && w->call != NONE) {
    d.called = start_of(p, w->call);
    d.thread = what_of(p, w->call)->thread;
  }
  if (what->kind == GSCALE_RECORDED_COPY && what->copy != GSCALE_RECORDED_D2D)
    d.phase = TRACED_COPIES;
  if (!what->collective) return d;
  d.kind = kind_of(what->name);
  d.phase = what->ranks > 1 && what->ranks != (int)gpus_of_run(p)
                ? TRACED_GROUP
                : TRACED_COLLECTIVE;
  return d;
}

/* Returns the first node at or after a time. */
static size_t node_at(const nodes *s, double time)
{
  size_t i = 0;

  while (i < s->n && s->v[i].called < time) i++;
  return i;
}

/* Takes waits of the host and of streams from the calls of all threads. */
static void take_calls(nodes *s)
{
  const profile *const p = s->t->p;
  const size_t to = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE);
  const int process = process_of(p, s->t->gpu);
  size_t i = 0;

  for (size_t c = gscale_recording_first(p->r, GSCALE_RECORDED_CALL); c < to;
       c++) {
    const gscale_recorded_what *const w = what_of(p, c);
    const double start = start_of(p, c), length = time_of(p, c);
    if (w->process != process || start < s->v[0].called) continue;
    if (isfinite(s->next) && start >= s->next) break;
    while (i < s->n && s->v[i].called <= start) i++;
    const bool sync = is_blocking(w->name);
    const bool full = length > 1e-3 && has(w->name, "aunch");
    if (i == s->n) {
      s->t->rest -= sync || full ? length : 0.0;
      s->t->synchronizes |= sync;
      continue;
    }
    if (sync || full) s->v[i].blocked += length;
    s->v[i].synchronizes |= sync;
    s->v[i].waits |= has(w->name, "StreamWaitEvent");
  }
}

/* Adds a collective that was called on a fake process group. */
static bool add_fake(nodes *s, const gscale_recorded_what *w, double called)
{
  node *const v = realloc(s->v, (s->n + 1) * sizeof *v);

  if (!v) return false;
  s->v = v;
  const size_t at = node_at(s, called);
  memmove(v + at + 1, v + at, (s->n - at) * sizeof *v);
  v[at] = (node){.record = NONE,
                 .called = called,
                 .start = called,
                 .end = called,
                 .thread = w->thread,
                 .stream = -1,
                 .phase = TRACED_COLLECTIVE,
                 .kind = kind_of(w->name),
                 .bytes = w->bytes,
                 .waits = true};
  /* A functional all-gather is recorded with the bytes of one rank. */
  if (has(w->name, "functional::all_gather"))
    v[at].bytes *= gpus_of_run(s->t->p);
  s->n++;
  return true;
}

/* Takes gradients, optimizers and a fake group's collectives from ranges. */
static bool take_ranges(nodes *s)
{
  const profile *const p = s->t->p;
  const int process = process_of(p, s->t->gpu);
  const size_t to = gscale_recording_about(p->r).records;
  double until = -INFINITY;
  const double from = s->v[0].called;

  for (size_t k = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE); k < to;
       k++) {
    const gscale_recorded_what *const w = what_of(p, k);
    const double start = start_of(p, k);
    if (w->process != process || start < from) continue;
    if (isfinite(s->next) && start >= s->next) break;
    if (has(w->name, "AccumulateGrad")) {
      const size_t at = node_at(s, start);
      s->t->training = true;
      s->v[at > 0 ? at - 1 : 0].gradients++;
      s->v[at > 0 ? at - 1 : 0].gradient_B += w->bytes;
    } else if (has(w->name, "c#d") && s->t->fake && start >= until) {
      if (w->bytes > 0.0 && !add_fake(s, w, start)) return false;
      if (w->bytes > 0.0) until = end_of(p, k);
    }
    s->t->adam |= is_adam(w->name);
    for (size_t i = 0; has(w->name, "Optimizer.step") && i < s->n; i++)
      if (s->v[i].called >= start && s->v[i].called < end_of(p, k) &&
          s->v[i].phase == TRACED_KERNELS)
        s->v[i].phase = TRACED_OPTIMIZER, s->t->training = true;
  }
  return true;
}

static const char *kernel_name(const nodes *s, size_t i)
{
  return s->v[i].kind || s->v[i].record == NONE
             ? ""
             : what_of(s->t->p, s->v[i].record)->name;
}

/* Takes the optimizer and gradients from the names of kernels if the profile
 * has none of the framework's ranges, as those of nsys. */
static void take_names(nodes *s)
{
  for (size_t i = 0; i < s->n && !s->t->training; i++)
    s->t->training = optimizes(kernel_name(s, i));
  for (size_t i = 0; i < s->n && s->t->training; i++) {
    const char *const name = kernel_name(s, i);
    if (optimizes(name)) s->v[i].phase = TRACED_OPTIMIZER;
    s->v[i].gradients = has(name, "bwd") || has(name, "backward") ||
                        has(name, "dgrad") || has(name, "wgrad");
  }
}

/* Finds the phases of a training step. The forward phase ends where the thread
 * of the first gradient starts, or where the first gradient is ready. The
 * backward phase ends with the last gradient. */
static void find_phases(nodes *s)
{
  size_t first = s->n, last = 0;
  int thread = -1;

  if (!s->t->training) return;
  for (size_t i = 0; i < s->n; i++)
    if (s->v[i].gradients > 0 && s->v[i].phase != TRACED_OPTIMIZER) {
      if (first == s->n) thread = s->v[first = i].thread;
      last = i;
    }
  for (size_t i = 0; i < s->n && thread != s->v[0].thread; i++) {
    if (s->v[i].thread != thread) continue;
    if (i < first) first = i;
    if (i > last) last = i;
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->v[i].phase == TRACED_KERNELS)
      s->v[i].phase = i < first   ? TRACED_FORWARD
                      : i <= last ? TRACED_BACKWARD
                                  : TRACED_OPTIMIZER;
}

/* ---- waves -------------------------------------------------------------- */

/* Returns the number of a kernel's blocks that one multiprocessor holds, with
 * 64 Ki registers, 2 Ki threads and 228 KiB of shared memory, by the
 * granularities of [CudaGuide].  Returns 0 for an unknown number of threads. */
static double residents_of(const gscale_recorded_what *w)
{
  if (!(w->threads > 0.0)) return 0.0;
  const double warps = ceil(w->threads / 32.0);
  const double registers = 256.0 * ceil(w->registers * 32.0 / 256.0);
  const double by_threads = fmin(32.0, floor(64.0 / warps));
  const double by_registers =
      registers > 0.0 ? floor(floor(65536.0 / registers) / warps) : by_threads;
  const double by_shared = floor(233472.0 / (w->shared + 1024.0));

  return fmax(1.0, fmin(by_threads, fmin(by_registers, by_shared)));
}

static void add_kernel(traced_step *t, traced_phase phase,
                       const gscale_recorded_what *w, double time)
{
  traced_kernel *k = t->kernel, *const end = t->kernel + t->kernels;

  while (k < end && (k->phase != phase || !is_same_work(k->what, w, false)))
    k++;
  if (k == end) t->kernels++, *k = (traced_kernel){.phase = phase, .what = w};
  k->launches++;
  t->adam |= is_adam(w->name);
  k->time += time;
}

/* Lists the kernels of each phase, and computes by waves how much longer they
 * take beside collectives on 2 to 32 multiprocessors. */
static bool find_kernels(nodes *s)
{
  const int seen = gscale_recording_about(s->t->p->r).sms;
  const double sms = seen > 32 ? seen : 132.0; /* 132: H100, H200 */

  s->t->kernel = malloc((s->n + 1) * sizeof *s->t->kernel);
  for (size_t i = 0; s->t->kernel && i < s->n; i++) {
    if (s->v[i].record == NONE || s->v[i].kind) continue;
    const gscale_recorded_what *const w = what_of(s->t->p, s->v[i].record);
    const double time = s->v[i].end - s->v[i].start, most = residents_of(w);
    const traced_phase f = s->v[i].phase;
    s->t->time[f] += time;
    for (int k = 0; k < GSCALE_BESIDE_MAX; k++)
      s->t->beside[f][k] +=
          time * fmax(1.0, gscale_waves_beside(w->blocks, most, sms, 2 << k));
    add_kernel(s->t, f, w, time);
  }
  return s->t->kernel;
}

/* ---- pieces ------------------------------------------------------------- */

/* Finds the median gap between two kernels if the second was queued. */
static void find_gap(nodes *s)
{
  double *const v = malloc((s->n + 1) * sizeof *v);
  size_t n = 0;

  s->t->gap = 1.2e-6;
  for (size_t i = 1; v && i < s->n; i++) {
    size_t j = i;
    while (j-- > 0 && s->v[j].stream != s->v[i].stream) continue;
    if (j == SIZE_MAX || s->v[i].kind || s->v[j].kind) continue;
    const double gap = s->v[i].start - s->v[j].end;
    if (gap < 0.0 || gap > 5e-6) continue;
    if (!s->t->calls || s->v[i].called < s->v[j].end - 5e-6) v[n++] = gap;
  }
  if (n >= 8) s->t->gap = median_of(v, n);
  free(v);
}

static int stream_of(nodes *s, int stream)
{
  size_t i = 0;

  while (i < s->streams && s->stream[i] != stream) i++;
  if (i == s->streams && i < TRACED_STREAMS) s->stream[s->streams++] = stream;
  return (int)(i < TRACED_STREAMS ? i : 0);
}

/* Moves the stream with the longest kernel time to the front. */
static void find_streams(nodes *s)
{
  double sum[TRACED_STREAMS] = {0};
  int most = 0;

  for (size_t i = 0; i < s->n; i++) {
    const int k = stream_of(s, s->v[i].stream);
    if (!s->v[i].kind) sum[k] += s->v[i].end - s->v[i].start;
    if (sum[k] > sum[most]) most = k;
  }
  const int main = s->stream[most];
  s->stream[most] = s->stream[0];
  s->stream[0] = main;
}

/* Returns the streams for which a piece waits. Earlier work of such a stream
 * ended before the piece began, and a call requested the wait, or the piece
 * began directly after the work. */
static unsigned waits_of(nodes *s, size_t i, const double *end, unsigned open)
{
  static const double near = 20e-6, clock = 2e-6;
  const node *const d = &s->v[i];
  const int own = stream_of(s, d->stream);
  unsigned waits = 0;

  for (int k = 0; k < (int)s->streams; k++) {
    if (k == own || !(open & 1u << k)) continue;
    const bool ended = d->start >= end[k] - clock;
    const bool seen = d->start < end[k] + near &&
                      !(d->start < end[own] + clock) &&
                      (!s->t->calls || d->called < end[k] - clock);
    if (s->t->fake ? d->waits || d->kind
                   : ended && (d->waits || d->kind || seen))
      waits |= 1u << k;
  }
  return waits;
}

static bool starts_piece(const nodes *s, size_t i, unsigned waits, size_t most)
{
  const traced_piece *const p =
      s->t->pieces > 0 ? &s->t->piece[s->t->pieces - 1] : NULL;
  const node *const d = &s->v[i];

  return !p || d->kind || p->kind || p->phase != d->phase || waits != 0 ||
         d->synchronizes || p->work >= most ||
         s->v[i - 1].stream != d->stream ||
         (s->v[i - 1].gradients > 0 && 2 * p->work >= most);
}

/* Places launches. A piece that takes longer on the GPU than on the host is
 * launched with its first call, and any other with its last call. */
static void place_launches(nodes *s, const size_t *first)
{
  const double begin = s->v[0].called;
  double last = begin;
  traced_step *const t = s->t;

  for (size_t k = 0, i = 0; k < t->pieces; k++) {
    const size_t to = k + 1 < t->pieces ? first[k + 1] : s->n;
    double hold = 0.0;
    for (; i < to; i++) hold += s->v[i].blocked;
    const double span = s->v[to - 1].called - s->v[first[k]].called;
    const double at =
        t->piece[k].time >= span ? s->v[first[k]].called : s->v[to - 1].called;
    t->piece[k].host = fmax(0.0, at - last - hold);
    last = at;
  }
  if (isfinite(s->next)) t->rest += s->next - last;
  t->rest = isfinite(s->next) ? fmax(0.0, t->rest) : 0.0;
}

static bool make_pieces(nodes *s, size_t before)
{
  traced_step *const t = s->t;
  const size_t most = s->n / TRACED_PIECES + 1;
  double end[TRACED_STREAMS] = {0}, busy = s->v[0].start;
  unsigned open = 0;
  const int known = (int)s->streams;
  size_t *const first = malloc((2 * s->n + 1) * sizeof *first);

  t->piece = calloc(2 * s->n + 1, sizeof *t->piece);
  /* The first piece may wait for work of the step before. */
  for (size_t i = before; i < t->from; i++) {
    const size_t r = t->p->gpu[t->gpu].item[i].record;
    const int k = stream_of(s, what_of(t->p, r)->stream);
    if (k < known) open |= 1u << k;
    end[k] = fmax(end[k], end_of(t->p, r));
  }
  for (size_t i = 0; first && t->piece && i < s->n; i++) {
    const node *const d = &s->v[i];
    const int own = stream_of(s, d->stream);
    const unsigned waits = waits_of(s, i, end, open);
    const double idle = d->start - busy;
    const bool rests = !t->calls && idle > 5e-6;
    if (rests)
      first[t->pieces] = i,
      t->piece[t->pieces++] = (traced_piece){.phase = TRACED_IDLE,
                                             .stream = own,
                                             .waits = open & ~(1u << own),
                                             .time = idle};
    if (rests || starts_piece(s, i, waits, most))
      first[t->pieces] = i,
      t->piece[t->pieces++] = (traced_piece){.phase = d->phase,
                                             .stream = own,
                                             .kind = d->kind,
                                             .bytes = d->bytes,
                                             .waits = waits,
                                             .synchronizes = d->synchronizes};
    traced_piece *const p = &t->piece[t->pieces - 1];
    open = (open & ~waits) | 1u << own;
    p->time += d->end - d->start + (d->kind || d->record == NONE ? 0 : t->gap);
    p->work++;
    p->gradients += d->gradients;
    p->gradient_B += d->gradient_B;
    t->gradients += d->gradients;
    t->gradient_B += d->gradient_B;
    t->collectives += d->kind != NULL;
    t->bytes += d->kind ? d->bytes : 0.0;
    if (d->record != NONE && !d->kind &&
        what_of(t->p, d->record)->kind == GSCALE_RECORDED_KERNEL)
      t->carried += d->end - d->start;
    end[own] = fmax(end[own], d->end);
    busy = fmax(busy, d->end);
  }
  if (first && t->piece && t->calls) place_launches(s, first);
  const double idle = s->v[0].start + t->step - busy;
  if (first && t->piece && !t->calls && idle > 5e-6)
    t->piece[t->pieces++] =
        (traced_piece){.phase = TRACED_IDLE, .time = idle, .waits = open & ~1u};
  free(first);
  return first && t->piece;
}

/* Finds the median time of the calls that launch one kernel each. */
static void find_launch(traced_step *t)
{
  const gpu_steps *const g = &t->p->gpu[t->gpu];
  double *const v = malloc((t->to - t->from + 1) * sizeof *v);
  size_t n = 0;

  for (size_t i = t->from; v && i < t->to; i++) {
    const size_t call = g->item[i].call;
    if (call != NONE && has(what_of(t->p, call)->name, "LaunchKernel"))
      v[n++] = time_of(t->p, call);
  }
  if (n >= 8) t->launch = median_of(v, n);
  free(v);
}

/* ---- all ---------------------------------------------------------------- */

static bool fill(nodes *s, size_t k)
{
  traced_step *const t = s->t;
  const gpu_steps *const g = &t->p->gpu[t->gpu];
  size_t known = 0;

  s->v = malloc((t->to - t->from + 1) * sizeof *s->v);
  if (!s->v) return false;
  find_launch(t);
  for (size_t i = t->from; i < t->to; i++) known += g->item[i].call != NONE;
  t->calls &= known == t->to - t->from;
  for (size_t i = t->from; i < t->to; i++)
    s->v[s->n++] = node_of(t->p, &g->item[i], t->calls);
  qsort(s->v, s->n, sizeof *s->v, by_call);
  s->next = NAN;
  if (t->calls && k + 1 < g->steps && g->item[g->first[k + 1]].call != NONE)
    s->next = start_of(t->p, g->item[g->first[k + 1]].call);
  if (t->calls) take_calls(s);
  if (t->calls && !take_ranges(s)) return false;
  if (!s->t->training) take_names(s);
  find_phases(s);
  find_streams(s);
  find_gap(s);
  return find_kernels(s) && make_pieces(s, k > 0 ? g->first[k - 1] : t->from);
}

int trace_step(traced_step *t, const profile *p, bool calls, failure *why)
{
  *t = (traced_step){.p = p,
                     .gpu = late_gpu(p),
                     .calls = calls,
                     .fake = gscale_recording_about(p->r).fake};
  nodes s = {.t = t};

  if (t->gpu < 0)
    return fail(why, EXIT_DATA, "%s: no step of any GPU", *p->path);
  const gpu_steps *const g = &p->gpu[t->gpu];
  const size_t k = typical_step(p, g);
  t->step = p->period;
  t->from = g->first[k];
  t->to = end_of_step(p, g, k);
  const bool done = fill(&s, k);
  free(s.v);
  return done ? EXIT_OK : no_memory(why);
}

const char *parallelism(const traced_step *t)
{
  double early = 0.0, reduced = 0.0, gathered = 0.0;
  bool back = false;

  for (size_t i = 0; i < t->pieces; i++) {
    const traced_piece *const p = &t->piece[i];
    back |= p->phase == TRACED_BACKWARD;
    if (p->phase != TRACED_COLLECTIVE) continue;
    if (has(p->kind, "gather")) gathered += fmax(1.0, p->bytes);
    if (has(p->kind, "reduce")) reduced += fmax(1.0, p->bytes);
    if (!back) early = reduced;
  }
  if (t->training && !back) early = 0.0;
  return early > 0.2 * reduced      ? "tp"
         : gathered > 0.2 * reduced ? "fsdp"
         : reduced > 0.0            ? "ddp"
                                    : "";
}

void traced_free(traced_step *t)
{
  free(t->piece);
  free(t->kernel);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
