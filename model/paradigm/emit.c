/* emit.c - actions that paradigms write into the schedule of a step. */

#include "paradigm/emit.h"

int gscale__emit_stream(const gscale__emit *e, gscale__stream s)
{
  return e->gpu * e->streams + e->at * gscale__emit_each(e->p) + (int)s;
}

static bool make_room(gscale__emit *e)
{
  gscale_action *more =
      gscale_reserve(e->action, &e->room, e->n + 1, sizeof *more);

  if (more) e->action = more;
  return more;
}

/* An overflow keeps one action too many and drops all later actions. */
void gscale__emit_put(gscale__emit *e, gscale_action a)
{
  e->failed = e->failed || e->n > GSCALE__ACTIONS_MAX || !make_room(e);
  if (e->failed) return;
  a.parity = e->parity;
  a.thread = e->thread;
  e->waited[a.thread] =
      a.kind == GSCALE_SYNC_STREAM || a.kind == GSCALE_SYNC_EVENT;
  e->action[e->n++] = a;
}

static int duration(const gscale__emit *e, gscale__slot s)
{
  return (int)(e->phase * GSCALE__SLOTS) + (int)s;
}

static void put_work(gscale__emit *e, gscale_action_kind kind, gscale__slot s,
                     gscale__stream to)
{
  const int stream = gscale__emit_stream(e, to);

  e->used[stream] = true;
  gscale__emit_put(
      e, (gscale_action){.kind = kind,
                         .stream = stream,
                         .peer = e->gpu + 1 < e->gpus ? e->gpu + 1 : 0,
                         .length = duration(e, s)});
}

void gscale__emit_launch(gscale__emit *e, gscale__slot s, gscale__stream to)
{
  put_work(e, GSCALE_LAUNCH, s, to);
}

void gscale__emit_collective(gscale__emit *e, gscale__slot s, gscale__stream to)
{
  if (gscale__emit_first(e)) return; /* a collective has no parts */
  put_work(e, GSCALE_COLLECTIVE, s, to);
  if (!e->failed) e->action[e->n - 1].event = (int)e->turn;
}

void gscale__emit_copy(gscale__emit *e, gscale__slot s, gscale__stream to)
{
  put_work(e, GSCALE_COPY_D2D, s, to);
}

void gscale__emit_calls(gscale__emit *e, gscale__slot s)
{
  gscale__emit_put(
      e, (gscale_action){.kind = GSCALE_HOST_WORK, .length = duration(e, s)});
}

const gscale__phase_plan *gscale__emit_phase(const gscale__emit *e)
{
  return e->f;
}

static double launches(const gscale__emit *e)
{
  return e->f->kernels + (e->m->packs ? e->f->pack_launches : 0.0);
}

/* Consecutive kernels end with their work, and never before the last launch is
 * issued.  The length of the last kernel is unknown and assumed to be short. */
void gscale__emit_kernels(gscale__emit *e, gscale__stream to)
{
  const double n = launches(e);

  if (!(n > 0.0)) return;
  gscale__emit_launch(e, GSCALE__KERNELS, to);
  if (!(n > 1.0)) return;
  gscale__emit_calls(e, GSCALE__LAUNCHES);
  gscale__emit_launch(e, GSCALE__LAST_KERNEL, to);
}

/* GPUs at the end of a line of GPUs have only one face. */
static double copies_of(const gscale__emit *e)
{
  gscale__side f[GSCALE__FACES_MAX];

  if (e->part == GSCALE__NO_PEERS) return 0.0;
  if (e->alone || e->f->to != GSCALE_TO_NEIGHBOURS) return e->f->copies;
  if (e->p->nodes > 1)
    return e->f->copies; /* copies of the node's busiest GPU */
  return e->f->copies * gscale__faces_of(&e->f->grid, e->gpu, f) / e->f->faces;
}

/* Either part has a copy of some GPU, as one of two neighbours sends in
 * each. */
void gscale__emit_copies(gscale__emit *e, gscale__stream to)
{
  const double copies = copies_of(e);
  const bool several = copies > 1.0;

  e->beside = to == GSCALE__BESIDE;
  if (!(copies > 0.0)) return;
  if (several && e->part != GSCALE__LAST_SIDE) {
    gscale__emit_copy(e, GSCALE__COPIES, to);
    gscale__emit_calls(e, GSCALE__COPY_CALLS);
  }
  if (!several || e->part != GSCALE__FIRST_SIDE)
    gscale__emit_copy(e, GSCALE__LAST_COPY, to);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
