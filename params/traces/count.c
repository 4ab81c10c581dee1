/* count.c - what a run publishes: bytes, sizes of stores, rewrites, readers.
 *
 * A GPU publishes a word in a phase when it writes it for others.  The
 * publication ends when the same GPU writes the word in a later phase; until
 * then others read it or not.  Those of the last iteration have no readers yet
 * and are left out where readers count. */

#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum {
  ARRAYS = 4,
  KERNELS = 4,
  WORDS = LINE / WORD, /* of a line */
  SECTOR = 8,          /* words */
  SIZES = 6,           /* of stores: 4 B, up to 8, 16, 32, 64, 128 B */
  NEAR = 16,           /* lines: the first class of distances, */
  DISTANCES = 5        /* of which each is twice as far */
};

/* When a GPU last stored to each line in this phase.  Of its stores, in order,
 * those are marked that were the last to their line; a tree of sums [Fenwick94]
 * tells how many are after any of them. */
typedef struct recent {
  uint32_t phase;
  size_t now, room;
  uint32_t *last; /* of each line: the store, from 1; 0: none */
  uint32_t *line; /* of each store */
  uint32_t *sum;  /* [1 .. room] */
} recent;

typedef struct publication {
  uint64_t to, readers; /* GPUs, bits */
  uint32_t phase;       /* from 1; 0: there was none */
  uint32_t kernel;
} publication;

/* Sums over the launches of a kernel; bytes unless said. */
typedef struct tally {
  const char *name;
  double launches, bulk, published[GPUS_MAX];
  double lines;  /* distinct ones, a GPU and phase at a time */
  double stored; /* after coalescing */
  double stores, sectors, runs, by_size[SIZES]; /* numbers */
  double joins[DISTANCES]; /* of runs next to earlier ones */
  double *back;         /* stores that come back to a line, by how many others
                         * came between */
  double first, again;  /* to a destination, of them `again` in the phase */
  double offered, read; /* of publications that ended */
  double needed_by[GPUS_MAX + 1];
} tally;

struct counter {
  int gpus;
  struct array {
    uint64_t address;
    size_t words, first; /* of all words that are shared */
  } array[ARRAYS];
  size_t arrays, words;
  publication *word; /* [words][gpus] */
  uint32_t *line;    /* [words / WORDS][gpus]: the last phase it was written */
  recent *recent;    /* of each GPU */
  uint32_t phase, iteration_began;
  tally tally[KERNELS];
  uint32_t kernels, kernel; /* of them, the one that runs */
  record lane[LANES];
  size_t lanes;
};

counter *count_new(int gpus)
{
  counter *c = need(1, sizeof *c);
  c->gpus = gpus;
  return c;
}

void count_free(counter *c)
{
  if (!c) return;
  free(c->word);
  free(c->line);
  for (int g = 0; c->recent && g < c->gpus; g++) {
    free(c->recent[g].last);
    free(c->recent[g].line);
    free(c->recent[g].sum);
  }
  free(c->recent);
  for (uint32_t k = 0; k < c->kernels; k++) free(c->tally[k].back);
  free(c);
}

void count_array(counter *c, uint64_t address, size_t bytes)
{
  const size_t lines = (bytes + LINE - 1) / LINE;
  if (c->arrays == ARRAYS) quit(EXIT_INTERNAL, "too many shared arrays");
  c->array[c->arrays++] = (struct array){address, lines * WORDS, c->words};
  c->words += lines * WORDS;
}

static size_t word_at(const counter *c, uint64_t address)
{
  for (size_t i = 0; i < c->arrays; i++) {
    const uint64_t word = (address - c->array[i].address) / WORD;
    if (address >= c->array[i].address && word < c->array[i].words)
      return c->array[i].first + (size_t)word;
  }
  quit(EXIT_INTERNAL, "an access to what is not shared");
}

static publication *of(const counter *c, size_t word, int gpu)
{
  return &c->word[word * (size_t)c->gpus + (size_t)gpu];
}

/* ---- phases -------------------------------------------------------------- */

void count_iteration(counter *c)
{
  c->iteration_began = c->phase;
}

static void prepare_recent(counter *c)
{
  const size_t lines = c->words / WORDS;

  c->recent = need((size_t)c->gpus, sizeof *c->recent);
  for (int g = 0; g < c->gpus; g++) {
    recent *r = &c->recent[g];
    r->room = 2 * lines;
    r->last = need(lines, sizeof *r->last);
    r->line = need(r->room + 1, sizeof *r->line);
    r->sum = need(r->room + 1, sizeof *r->sum);
  }
}

void count_launch(counter *c, const kernel *k)
{
  if (!c->word) {
    c->word = need(c->words * (size_t)c->gpus, sizeof *c->word);
    c->line = need(c->words / WORDS * (size_t)c->gpus, sizeof *c->line);
    prepare_recent(c);
  }
  for (c->kernel = 0; c->kernel < c->kernels; c->kernel++)
    if (strcmp(c->tally[c->kernel].name, k->name) == 0) break;
  if (c->kernel == KERNELS) quit(EXIT_INTERNAL, "too many kernels");
  if (c->kernel == c->kernels) {
    c->tally[c->kernels].name = k->name;
    c->tally[c->kernels++].back = need(c->words / WORDS, sizeof(double));
  }
  c->tally[c->kernel].launches++;
  c->tally[c->kernel].bulk += k->bulk;
  c->phase++;
}

void count_phase(counter *c)
{
  count_instruction(c);
}

/* ---- loads --------------------------------------------------------------- */

static void count_load(counter *c, const record *r)
{
  const size_t first = word_at(c, r->address);
  for (size_t w = first; w < first + r->size / WORD; w++)
    for (int g = 0; g < c->gpus; g++)
      of(c, w, g)->readers |= UINT64_C(1) << r->gpu;
}

/* ---- publications -------------------------------------------------------- */

static int bits(uint64_t set)
{
  int n = 0;
  for (; set; set &= set - 1) n++;
  return n;
}

static void end_publication(counter *c, const publication *p, int gpu)
{
  tally *t = &c->tally[p->kernel];
  const uint64_t others = p->readers & ~(UINT64_C(1) << gpu);

  if (p->phase == 0) return;
  t->needed_by[bits(others)] += (double)WORD;
  t->offered += WORD * bits(p->to);
  t->read += WORD * bits(p->to & others);
}

/* GPUs that are to get what `r` writes. */
static uint64_t destinations(const counter *c, const record *r)
{
  if (r->dst != ALL) return UINT64_C(1) << r->dst;
  return (~UINT64_C(0) >> (64 - c->gpus)) & ~(UINT64_C(1) << r->gpu);
}

static void publish(counter *c, size_t word, const record *r)
{
  tally *t = &c->tally[c->kernel];
  publication *p = of(c, word, r->gpu);
  const uint64_t to = destinations(c, r);

  if (p->phase != c->phase) {
    end_publication(c, p, r->gpu);
    *p = (publication){.phase = c->phase, .kernel = c->kernel};
    t->published[r->gpu] += (double)WORD;
  }
  if ((p->to & to) == to)
    t->again += (double)WORD;
  else
    t->first += (double)WORD;
  p->to |= to;
}

/* ---- coalescing ---------------------------------------------------------- */

/* The words of one line that one instruction writes for one destination. */
typedef struct transaction {
  record r;
  size_t line; /* its first word */
  uint32_t mask;
} transaction;

static void mark(recent *r, size_t store, uint32_t by)
{
  for (; store <= r->room; store += store & -store) r->sum[store] += by;
}

static uint32_t marks_up_to(const recent *r, size_t store)
{
  uint32_t n = 0;
  for (; store > 0; store &= store - 1) n += r->sum[store];
  return n;
}

/* Forgets stores that were not the last to their line. */
static void compact(recent *r)
{
  const size_t all = r->now;

  r->now = 0;
  memset(r->sum, 0, (r->room + 1) * sizeof *r->sum);
  for (size_t i = 1; i <= all; i++) {
    const uint32_t line = r->line[i];
    if (r->last[line] != i) continue;
    r->line[++r->now] = line;
    r->last[line] = (uint32_t)r->now;
    mark(r, r->now, 1);
  }
}

static void forget(recent *r, uint32_t phase, size_t lines)
{
  memset(r->last, 0, lines * sizeof *r->last);
  memset(r->sum, 0, (r->room + 1) * sizeof *r->sum);
  r->now = 0;
  r->phase = phase;
}

/* Notes a store to a line; returns to how many others its GPU stored since it
 * last did to this one in the phase, SIZE_MAX if it did not. */
static size_t pass(recent *r, uint32_t phase, size_t line, size_t lines)
{
  size_t between = SIZE_MAX;

  if (r->phase != phase) forget(r, phase, lines);
  if (r->now == r->room) compact(r);
  if (r->last[line]) {
    between = marks_up_to(r, r->now) - marks_up_to(r, r->last[line]);
    mark(r, r->last[line], UINT32_MAX); /* less one */
  }
  r->line[++r->now] = (uint32_t)line;
  r->last[line] = (uint32_t)r->now;
  mark(r, r->now, 1);
  return between;
}

/* Runs of the transaction that lie next to words its GPU wrote before in this
 * phase. */
static int joining_runs(const counter *c, const transaction *x)
{
  uint32_t before = 0;
  int n = 0;

  for (size_t w = 0; w < WORDS; w++)
    if (of(c, x->line + w, x->r.gpu)->phase == c->phase)
      before |= UINT32_C(1) << w;
  for (uint32_t rest = x->mask, run; rest; rest &= ~run) {
    run = rest & ~(rest + (rest & -rest)); /* its first run */
    n += !(run & before) && ((run << 1 | run >> 1) & before);
  }
  return n;
}

static void count_joins(counter *c, const transaction *x)
{
  const size_t between =
      pass(&c->recent[x->r.gpu], c->phase, x->line / WORDS, c->words / WORDS);
  int class = 0;

  while (class < DISTANCES && between >= (size_t)NEAR << class) class ++;
  if (class < DISTANCES) c->tally[c->kernel].joins[class] += joining_runs(c, x);
  if (between != SIZE_MAX) c->tally[c->kernel].back[between]++;
}

static void count_transaction(counter *c, const transaction *x)
{
  tally *t = &c->tally[c->kernel];
  uint32_t *seen = &c->line[x->line / WORDS * (size_t)c->gpus + x->r.gpu];
  const int words = bits(x->mask);
  int size = 0;

  while (words > 1 << size) size++;
  t->by_size[size]++;
  t->stores++;
  t->stored += WORD * words;
  t->runs += bits(x->mask & ~(x->mask << 1)); /* where one begins */
  for (int s = 0; s < WORDS; s += SECTOR)
    t->sectors += (x->mask >> s & 0xff) != 0;
  if (*seen != c->phase) t->lines++;
  *seen = c->phase;
  count_joins(c, x);
  for (size_t w = 0; w < WORDS; w++)
    if (x->mask >> w & 1) publish(c, x->line + w, &x->r);
}

/* Lanes that write the same word: of stores one wins, atomics all count. */
static bool joins(const transaction *x, const record *r, size_t line,
                  uint32_t mask)
{
  return x->line == line && x->r.dst == r->dst &&
         (r->kind != ATOMIC || !(x->mask & mask));
}

/* Ends the instruction before. */
void count_instruction(counter *c)
{
  transaction x[LANES];
  size_t n = 0, i;

  for (size_t l = 0; l < c->lanes; l++) {
    const record *r = &c->lane[l];
    const size_t word = word_at(c, r->address), line = word / WORDS * WORDS;
    const uint32_t mask = ((UINT32_C(1) << r->size / WORD) - 1)
                          << (word - line);
    for (i = 0; i < n && !joins(&x[i], r, line, mask);) i++;
    if (i == n) x[n++] = (transaction){*r, line, 0};
    x[i].mask |= mask;
  }
  for (i = 0; i < n; i++) count_transaction(c, &x[i]);
  c->lanes = 0;
}

void count_access(counter *c, const record *r)
{
  if (r->kind == LOAD) {
    count_load(c, r);
    return;
  }
  if (c->lanes == LANES) quit(EXIT_INTERNAL, "an instruction of 33 lanes");
  c->lane[c->lanes++] = *r;
}

/* ---- the facts ----------------------------------------------------------- */

static void fact(FILE *f, const tally *t, const char *name, double value)
{
  fprintf(f, "%s.%s,%.6g\n", t->name, name, value);
}

static double sum(const double *v, int n)
{
  double s = 0.0;
  for (int i = 0; i < n; i++) s += v[i];
  return s;
}

static void print_bytes(const tally *t, int gpus, FILE *f)
{
  const double all = sum(t->published, gpus);
  char name[32];

  fact(f, t, "published_B", all / t->launches);
  for (int g = 0; g < gpus; g++) {
    snprintf(name, sizeof name, "published_B.gpu%d", g);
    fact(f, t, name, t->published[g] / t->launches);
  }
  fact(f, t, "over", t->bulk / all);
  fact(f, t, "lines", t->lines / t->launches);
  fact(f, t, "line_B", all / t->lines);
}

/* B of the line itself and of those between, for half of the stores that come
 * back to a line; 0: none does. */
static double reuse(const tally *t, size_t lines)
{
  double all = 0.0, n = 0.0;
  size_t i = 0;

  for (size_t k = 0; k < lines; k++) all += t->back[k];
  if (!(all > 0.0)) return 0.0;
  while (2.0 * (n + t->back[i]) < all) n += t->back[i++];
  return (double)((i + 1) * LINE);
}

static void print_stores(const tally *t, size_t lines, FILE *f)
{
  char name[32];

  fact(f, t, "stores", t->stores / t->launches);
  fact(f, t, "store_B", t->stored / t->stores);
  fact(f, t, "sector_store_B", t->stored / t->sectors);
  fact(f, t, "run_store_B", t->stored / t->runs);
  for (int i = 0; i < SIZES; i++) {
    snprintf(name, sizeof name, "stores_%dB", WORD << i);
    fact(f, t, name, t->by_size[i] / t->stores);
  }
  for (int i = 0; i < DISTANCES; i++) {
    snprintf(name, sizeof name, "joins_%d", NEAR << i);
    fact(f, t, name, t->joins[i] / t->runs);
  }
  fact(f, t, "rewrites", 1.0 + t->again / t->first);
  fact(f, t, "reuse_B", reuse(t, lines));
}

static void print_readers(const tally *t, int gpus, FILE *f)
{
  const double ended = sum(t->needed_by, gpus);
  char name[32];

  if (!(ended > 0.0)) return;
  for (int n = 0; n < gpus; n++) {
    snprintf(name, sizeof name, "needed_by_%d", n);
    fact(f, t, name, t->needed_by[n] / ended);
  }
  fact(f, t, "read", t->read / t->offered);
}

void count_print(counter *c, FILE *f)
{
  for (size_t w = 0; w < c->words; w++)
    for (int g = 0; g < c->gpus; g++)
      if (of(c, w, g)->phase <= c->iteration_began)
        end_publication(c, of(c, w, g), g);

  fprintf(f, "name,value\ngpus,%d\n", c->gpus);
  for (uint32_t k = 0; k < c->kernels; k++) {
    const tally *t = &c->tally[k];
    fact(f, t, "launches", t->launches);
    if (!(t->stores > 0.0)) continue;
    print_bytes(t, c->gpus, f);
    print_stores(t, c->words / WORDS, f);
    print_readers(t, c->gpus, f);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
