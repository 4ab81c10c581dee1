/* warp.c - the coalescer of SMs: from lanes of a warp instruction to
 * transactions. */

#include "replay/replay.h"

/* ---- transactions -------------------------------------------------------- */

static uint64_t sectors_of(gscale__mask bytes)
{
  const gscale__mask sector = ((gscale__mask)1 << GSCALE__SECTOR) - 1;
  uint64_t n = 0;

  for (int i = 0; i < GSCALE__LINE; i += GSCALE__SECTOR)
    n += (bytes >> i & sector) != 0;
  return n;
}

static void count(gscale_replay_counts *n, const gscale__piece *p)
{
  if (p->kind == GSCALE_OP_LOAD) {
    n->loads++;
    return;
  }
  n->sectors += sectors_of(p->bytes);
  n->store_bytes += (uint64_t)gscale__count(p->bytes);
  n->stores++;
  n->atomics += p->kind == GSCALE_OP_ATOMIC;
}

void gscale__issue(gscale_replay *r)
{
  if (r->lanes == 0) return;
  r->now->n.instructions++;
  for (int i = 0; i < r->pieces; i++) {
    count(&r->now->n, &r->piece[i]);
    r->machine->take(r, &r->piece[i]);
  }
  r->gpu[r->first.gpu].clock += (uint64_t)r->lanes;
  r->lanes = r->pieces = 0;
}

/* ---- lanes --------------------------------------------------------------- */

/* Returns true if bytes join a transaction of the same line: those of an atomic
 * join disjoint ones in the same `merge` B. */
static bool joins(const gscale_replay *r, const gscale__piece *p,
                  gscale__mask bytes, unsigned part)
{
  return p->kind != GSCALE_OP_ATOMIC ||
         (r->o.merge > GSCALE__ALONE && p->part == part && !(p->bytes & bytes));
}

/* Adds bytes from an offset to the transaction of a key, maybe new. */
static void add_bytes(gscale_replay *r, uint64_t key, unsigned offset,
                      unsigned size)
{
  const gscale__mask bytes = gscale__bytes_at(offset, size);
  const unsigned part = offset / (unsigned)r->o.merge;

  for (int i = 0; i < r->pieces; i++)
    if (r->piece[i].key == key && joins(r, &r->piece[i], bytes, part)) {
      r->piece[i].bytes |= bytes;
      return;
    }
  r->piece[r->pieces++] =
      (gscale__piece){key, r->first.gpu, r->first.kind, part, bytes};
}

/* Adds a lane, perhaps in two lines. */
static void add_lane(gscale_replay *r, const gscale_record *v)
{
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);
  const unsigned offset = (unsigned)(v->address % GSCALE__LINE);
  const unsigned room = GSCALE__LINE - offset;
  const unsigned first = v->size < room ? v->size : room;

  add_bytes(r, key, offset, first);
  if (first < v->size) add_bytes(r, key + GSCALE__LINE, 0, v->size - first);
  r->lanes++;
}

/* ---- records ------------------------------------------------------------- */

static bool dst_ok(const gscale_record *v, int gpus)
{
  return v->dst < gpus || v->dst == GSCALE_DST_ALL;
}

/* Returns true for a size of 1 to 16, or 0 if the record stores nothing. */
static bool size_ok(const gscale_record *v)
{
  return v->kind >= GSCALE_OP_FENCE ? v->size == 0 : (unsigned)v->size - 1 < 16;
}

static bool form_ok(const gscale_record *v, int gpus)
{
  return v->kind < GSCALE_OP_END && size_ok(v) && v->gpu < gpus &&
         dst_ok(v, gpus);
}

static bool address_ok(const gscale_record *v)
{
  return v->kind >= GSCALE_OP_FENCE ||
         v->address % GSCALE__LINE + v->size <= GSCALE__LINE ||
         (v->kind != GSCALE_OP_ATOMIC &&
          v->address + v->size - 1 >= v->address);
}

const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size)
{
  const unsigned long long address = v->address;

  if (form_ok(v, gpus) && address_ok(v)) return NULL;
  if (v->kind >= GSCALE_OP_END)
    gscale__print(text, size, "kind: %d is none", v->kind);
  else if (v->gpu >= gpus)
    gscale__print(text, size, "gpu: %d is not 0 .. %d", v->gpu, gpus - 1);
  else if (v->dst >= gpus && v->dst != GSCALE_DST_ALL)
    gscale__print(text, size, "dst: %d is not 0 .. %d, nor all", v->dst,
                  gpus - 1);
  else if (v->kind >= GSCALE_OP_FENCE)
    gscale__print(
        text, size, "size: %d, but a %s has none", v->size,
        gscale_name(GSCALE_OPERATION_NAMES, (gscale_operation)v->kind));
  else if (!size_ok(v))
    gscale__print(text, size, "size: %d is not 1 .. 16", v->size);
  else if (v->address + v->size - 1 < v->address)
    gscale__print(text, size, "address: %d B at 0x%llx end beyond 2^64",
                  v->size, address);
  else
    gscale__print(text, size,
                  "address: an atomic of %d B at 0x%llx crosses a line of "
                  "128 B",
                  v->size, address);
  return text;
}

static bool same_instruction(const gscale_record *a, const gscale_record *b)
{
  return a->group == b->group && a->gpu == b->gpu && a->kind == b->kind;
}

static void take(gscale_replay *r, const gscale_record *v)
{
  if (r->lanes == 0 || r->lanes == GSCALE__LANES ||
      !same_instruction(v, &r->first)) {
    gscale__issue(r);
    r->first = *v;
  }
  r->now->n.records++;
  if (v->kind >= GSCALE_OP_FENCE)
    gscale__synchronise(r, v);
  else
    add_lane(r, v);
}

size_t gscale__coalesce(gscale_replay *r, const gscale_record *v, size_t n)
{
  size_t i = 0;

  for (; i < n && form_ok(&v[i], r->o.gpus) && address_ok(&v[i]); i++)
    take(r, &v[i]);
  return i;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
