/* repeated_rows.c - finds rows that ask for the same prediction. */

#include "validate/repeated_rows.h"
#include "validate/groups.h"

#include <stdlib.h>

/* ---- runs --------------------------------------------------------------- */

/* Equal texts have one address, because one reader stores them. */
static bool asks_the_same(const run *a, const run *b)
{
  return a->program == b->program && a->knobs == b->knobs &&
         a->paradigm == b->paradigm && a->gpus == b->gpus &&
         a->path == b->path && a->system == b->system &&
         a->workload == b->workload && a->label == b->label;
}

static uint64_t hash_asked(const run *r)
{
  uint64_t hash = hash_number((uintptr_t)r->path, (uintptr_t)r->program);

  hash = hash_number(hash, (uintptr_t)r->knobs);
  hash = hash_number(hash, (uintptr_t)r->system);
  return hash_number(hash_number(hash, r->paradigm), (uint64_t)r->gpus);
}

/* Returns the slot of a run, or a free slot for the run. */
static size_t *find(const repeat_list *p, const run *runs, const run *r)
{
  size_t k = (size_t)hash_asked(r) & (p->slots - 1);

  while (p->slot[k] != NO_ROW && !asks_the_same(&runs[p->slot[k]], r))
    k = (k + 1) & (p->slots - 1);
  return &p->slot[k];
}

/* Keeps at least half of the slots free. */
static bool make_room(repeat_list *p, const run *runs)
{
  repeat_list more = *p;

  if (2 * (p->runs + 1) <= p->slots) return true;
  more.slots = p->slots ? 2 * p->slots : 64;
  more.slot = malloc(more.slots * sizeof *more.slot);
  more.of = realloc(p->of, more.slots * sizeof *more.of);
  if (more.of) p->of = more.of;
  if (!more.slot || !more.of) {
    free(more.slot);
    return false;
  }
  for (size_t k = 0; k < more.slots; k++) more.slot[k] = NO_ROW;
  for (size_t i = 0; i < p->runs; i++) *find(&more, runs, &runs[i]) = i;
  free(p->slot);
  *p = more;
  return true;
}

size_t repeats_find(repeat_list *p, const run *runs, size_t n, const run *r)
{
  if (!make_room(p, runs)) return NO_ROW;
  size_t *at = find(p, runs, r);

  if (*at != NO_ROW) return *at;
  *at = n;
  p->runs = n + 1;
  p->of[n] = (repeated){.n = 0};
  return n;
}

/* ---- rows ---------------------------------------------------------------- */

static void count(repeated *of, size_t i, double time)
{
  if (of->n == 0) of->first = i;
  if (of->n == 0 || time < of->time) {
    of->least = i;
    of->time = time;
  }
  of->n++;
}

static bool add(repeat_list *p, const repeat *row)
{
  repeat *more = gscale_reserve(p->row, &p->room, p->n + 1, sizeof *more);
  if (!more) return false;
  p->row = more;
  count(&p->of[row->of], p->n, row->time);
  p->row[p->n++] = *row;
  return true;
}

bool repeats_add(repeat_list *p, size_t of, const run *r)
{
  return add(p, &(repeat){r->time, r->sigma, of, r->line});
}

const repeat *repeats_at(const repeat_list *p, size_t i)
{
  return &p->row[i];
}

void repeats_keep(repeat_list *p, const size_t *to)
{
  const size_t n = p->n;

  for (size_t k = 0; k < p->runs; k++)
    if (to[k] != NO_ROW) p->of[to[k]] = (repeated){.n = 0};
  p->n = 0;
  for (size_t i = 0; i < n; i++) {
    repeat row = p->row[i];

    row.of = to[row.of];
    if (row.of != NO_ROW) add(p, &row);
  }
}

void repeats_free(repeat_list *p)
{
  free(p->row);
  free(p->slot);
  free(p->of);
  *p = (repeat_list){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
