/* machine.c - N GPUs that run the blocks and warps of a kernel in an order that
 * a seed decides. */

#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* ---- random numbers ------------------------------------------------------ */

/* splitmix64: every seed gives a good stream. */
uint64_t rng_next(rng *r)
{
  uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The high half of a product: n / 2^32 off uniform at most. */
uint32_t rng_below(rng *r, uint32_t n)
{
  return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

double rng_uniform(rng *r)
{
  return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* ---- parts --------------------------------------------------------------- */

size_t least(size_t x, size_t y)
{
  return x < y ? x : y;
}

static size_t part_begin(size_t n, size_t parts, size_t part)
{
  return n / parts * part + least(part, n % parts);
}

range part_of(size_t n, int gpus, int gpu)
{
  const size_t parts = (size_t)gpus, part = (size_t)gpu;
  return (range){part_begin(n, parts, part), part_begin(n, parts, part + 1)};
}

void need_planes(size_t n, int gpus)
{
  if (n < (size_t)gpus)
    quit(EXIT_USAGE, "--size: %zu planes cannot be dealt to %d GPUs", n, gpus);
}

int part_owner(size_t n, int gpus, size_t item)
{
  const size_t parts = (size_t)gpus, small = n / parts, more = n % parts;
  if (item < more * (small + 1)) return (int)(item / (small + 1));
  return (int)(more + (item - more * (small + 1)) / small);
}

range lanes_of(const warp *w, range items)
{
  const size_t begin = items.begin + (size_t)w->index * LANES;
  return (range){least(begin, items.end), least(begin + LANES, items.end)};
}

uint32_t blocks_for(const kernel *k, range items)
{
  const size_t threads = (size_t)k->warps * LANES;
  return (uint32_t)((items.end - items.begin + threads - 1) / threads);
}

void deal_blocks(kernel *k, size_t n, int gpus)
{
  for (int g = 0; g < gpus; g++)
    k->blocks[g] = blocks_for(k, part_of(n, gpus, g));
}

/* ---- shared data and its accesses ---------------------------------------- */

int machine_gpus(const machine *m)
{
  return m->gpus;
}

uint64_t share(machine *m, size_t bytes)
{
  static const uint64_t page = UINT64_C(2) << 20; /* the largest that is used */
  const uint64_t address = m->end;

  m->end += (bytes + page - 1) / page * page;
  if (m->count) count_array(m->count, address, bytes);
  return address;
}

void note_touches(machine *m)
{
  const size_t parts = (size_t)(m->end - ARRAYS_AT) / TOUCH;
  m->touched = need(parts * (size_t)m->gpus, sizeof *m->touched);
}

/* A GPU's first load from its part of an array in this launch. */
static bool touches(machine *m, const record *r)
{
  const size_t part = (size_t)(r->address - ARRAYS_AT) / TOUCH;
  uint32_t *last = &m->touched[part * (size_t)m->gpus + r->gpu];
  const bool first = *last != m->launches;

  *last = m->launches;
  return first;
}

/* True if a trace is to have it. */
static bool is_noted(machine *m, const record *r)
{
  if (r->kind != LOAD) return true;
  return m->loads && (!m->touched || touches(m, r));
}

bool wants_loads(const machine *m)
{
  return m->loads || m->count;
}

void instruction(machine *m, int gpu)
{
  m->group[gpu]++;
  if (m->count) count_instruction(m->count);
}

void access_shared(machine *m, int gpu, access_kind kind, int dst,
                   uint64_t address, unsigned size)
{
  const record r = {address,      m->group[gpu], (uint8_t)size,
                    (uint8_t)gpu, (uint8_t)dst,  (uint8_t)kind};
  if (m->count) count_access(m->count, &r);
  if (m->sink && is_noted(m, &r)) sink_write(m->sink, &r);
}

/* ---- blocks and warps ---------------------------------------------------- */

/* A GPU during a kernel. */
typedef struct runner {
  uint32_t *order; /* of its blocks */
  uint32_t blocks, next;
  warp *live; /* resident warps that have not ended */
  size_t n, turn;
} runner;

static void shuffle(uint32_t *v, uint32_t n, rng *r)
{
  for (uint32_t i = n; i > 1; i--) {
    const uint32_t j = rng_below(r, i), other = v[j];
    v[j] = v[i - 1];
    v[i - 1] = other;
  }
}

static void start(runner *r, machine *m, const kernel *k, int gpu)
{
  r->blocks = k->blocks[gpu];
  r->order = need(r->blocks, sizeof *r->order);
  r->live = need((size_t)m->resident * k->warps, sizeof *r->live);
  for (uint32_t b = 0; b < r->blocks; b++) r->order[b] = b;
  if (m->shuffled) shuffle(r->order, r->blocks, &m->random);
}

/* A block comes in when all of its warps find room. */
static void admit(runner *r, const machine *m, const kernel *k, int gpu)
{
  while (r->next < r->blocks &&
         r->n + k->warps <= (size_t)m->resident * k->warps) {
    const uint32_t first = r->order[r->next++] * k->warps;
    for (uint32_t w = 0; w < k->warps; w++)
      r->live[r->n++] = (warp){gpu, first + w, 0};
  }
}

static void retire(runner *r, size_t i)
{
  memmove(r->live + i, r->live + i + 1, (--r->n - i) * sizeof *r->live);
}

/* One warp has a turn: any one, or one after the other. */
static void run_one(runner *r, machine *m, const kernel *k, void *self)
{
  const size_t i =
      m->shuffled ? rng_below(&m->random, (uint32_t)r->n) : r->turn % r->n;
  const warp w = r->live[i];

  r->live[i].turn++;
  r->turn = i + 1;
  if (k->run(self, m, &w)) return;
  retire(r, i);
  r->turn = i;
  admit(r, m, k, w.gpu);
}

void launch(machine *m, const kernel *k, void *self)
{
  runner *all = need((size_t)m->gpus, sizeof *all);
  bool busy = true;

  m->launches++;
  if (m->count) count_launch(m->count, k);
  for (int g = 0; g < m->gpus; g++) {
    start(&all[g], m, k, g);
    admit(&all[g], m, k, g);
  }
  while (busy) {
    busy = false;
    for (int g = 0; g < m->gpus; g++) {
      if (all[g].n == 0) continue;
      run_one(&all[g], m, k, self);
      busy = true;
    }
  }
  for (int g = 0; g < m->gpus; g++) {
    free(all[g].order);
    free(all[g].live);
  }
  free(all);
  if (m->count) count_phase(m->count);
  if (m->sink) sink_write(m->sink, &(record){.dst = ALL, .kind = PHASE});
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
