/* remote.c - fields of messages between nodes, and of power. */

#include "describe/described.h"
#include "ground/ground.h"

#include <stddef.h>
#include <string.h>

/* Each row is a member of gscale_remote or gscale_power. */
#define REMOTE(table, number, unit, text)                                      \
  {                                                                            \
    .group = #table, .name = #number, .dim = GSCALE_##unit, .meaning = text,   \
    .most = INFINITY, .length = 1,                                             \
    .offset = offsetof(gscale_remote, table.number)                            \
  }
#define DRAWN(number, unit, nobody, text)                                      \
  {                                                                            \
    .group = "", .name = #number, .dim = GSCALE_##unit, .otherwise = nobody,   \
    .meaning = text, .most = INFINITY, .length = 1,                            \
    .offset = offsetof(gscale_power, number)                                   \
  }
#define POWER(number, text) DRAWN(number, POWER, NAN, text)

const gscale_field gscale__remote_rows[GSCALE__REMOTE_ROWS] = {
    REMOTE(path, latency, TIME,
           "half a round trip of the smallest message, by hosts"),
    REMOTE(path, rate, BYTERATE, "between the hosts' memories"),
    REMOTE(path, read, BYTERATE, "at most, of a GPU's memory as the source"),
    REMOTE(path, write, BYTERATE, "at most, into a GPU's memory; 0: no limit"),
    REMOTE(path, far_read, BYTERATE, "`read` behind the other socket; 0: none"),
    REMOTE(path, far_write, BYTERATE, "`write` there"),
    REMOTE(path, post, TIME, "a host is busy with a request"),
    REMOTE(path, gap, TIME, "between requests of one connection of a host"),
    REMOTE(stage, copy, TIME, "to start a chunk's copy"),
    REMOTE(stage, start, TIME, "a copy that blocks, beside its bytes"),
    REMOTE(stage, down, BYTERATE, "of copies to the host"),
    REMOTE(stage, up, BYTERATE, "of copies from the host"),
    REMOTE(stage, buffer, BYTERATE, "a host copies between buffers"),
    REMOTE(stage, chunk, BYTES, "of pipelined copies"),
    REMOTE(stage, direct, BYTES, "up to which nothing is staged; 0: always"),
    REMOTE(stage, query, TIME, "to ask for the end of a copy that has ended"),
    REMOTE(stage, handshake, TIME, "more, of a two-sided message"),
    REMOTE(stage, match, TIME, "more, of one to or from a GPU"),
    REMOTE(stage, buffers, TIME,
           "to make buffers and queues, where each call does"),
    REMOTE(control, post_gpu, TIME, "a GPU's thread posts; queue on the GPU"),
    REMOTE(control, post_host, TIME, "the same; queue on the host"),
    REMOTE(control, poll_gpu, TIME, "it takes a completion; queue on the GPU"),
    REMOTE(control, poll_host, TIME, "the same; queue on the host"),
    REMOTE(control, stamp_gpu, TIME, "of posting, behind the doorbell"),
    REMOTE(control, stamp_host, TIME, "the same; queue on the host"),
    REMOTE(control, watch, TIME,
           "a GPU's thread sees what arrived in its memory"),
    REMOTE(control, serial_host, TIME,
           "each further connection's request, host queues"),
    REMOTE(control, put, TIME, "half a round trip of the smallest put"),
    REMOTE(control, notify, TIME, "more, if the GPU handles notifications"),
    REMOTE(control, assist, TIME, "a GPU asks, a thread of the host posts"),
    REMOTE(control, scan, TIME, "that thread looks at each further connection"),
    REMOTE(control, launch, TIME, "a kernel starts one and waits for it"),
    REMOTE(control, room, COUNT, "launches that a stream holds"),
    REMOTE(space, store, TIME, "half a round trip of the smallest store"),
    REMOTE(space, load, TIME, "a load, to and fro"),
    REMOTE(space, rate, BYTERATE, "of the wire"),
    REMOTE(space, payload, BYTES, "most in a packet of stores"),
    REMOTE(space, header, BYTES, "of a packet, all that is not payload"),
    REMOTE(space, values, COUNT, "neighbours that one request holds"),
    REMOTE(space, outstanding, COUNT, "loads on their way"),
    REMOTE(space, window, BYTES, "of addresses, all GPUs' together"),
    REMOTE(space, threads, COUNT, "that may wait for each other"),
    REMOTE(space, flag, TIME, "of a barrier of two beside its stores"),
    REMOTE(space, flag_more, TIME, "each further GPU"),
};

const gscale_field gscale__power_rows[GSCALE__POWER_ROWS] = {
    POWER(gpu_busy, "a GPU that computes"),
    POWER(gpu_idle, "a GPU that waits"),
    POWER(host_busy, "a GPU's processors, controlling it"),
    POWER(host_asleep, "the same, waiting"),
    POWER(memory_busy, "their memory in the first case"),
    POWER(memory_asleep, "and in the second"),
    DRAWN(link, ENERGY_PER_BYTE, 0.0,
          "of a byte that a GPU sends another, beside its watts"),
};

/* ---- systems ------------------------------------------------------------- */

void gscale__power_init(gscale_power *p)
{
  for (size_t i = 0; i < GSCALE__POWER_ROWS; i++)
    *gscale_field_number(&gscale__power_rows[i], p, 0) =
        gscale__power_rows[i].otherwise;
}

/* The number of a row, its origin, and true if the number was given. */
typedef struct spot {
  double *number;
  gscale_param *origin;
  bool *said;
} spot;

/* Returns the index of the row, or n if it is not one of `rows`. */
static size_t place_of(const gscale_field *f, const gscale_field *rows,
                       size_t n)
{
  size_t i = 0;

  while (i < n && f != &rows[i]) i++;
  return i;
}

static bool is_drawn(const gscale_field *f)
{
  return place_of(f, gscale__power_rows, GSCALE__POWER_ROWS) <
         GSCALE__POWER_ROWS;
}

static bool find_spot(gscale_system *s, const gscale_field *f, spot *at)
{
  const bool power = is_drawn(f);
  const gscale_field *rows = power ? gscale__power_rows : gscale__remote_rows;
  const size_t n = power ? GSCALE__POWER_ROWS : GSCALE__REMOTE_ROWS;
  const size_t i = place_of(f, rows, n);

  if (i == n) return false;
  *at = power ? (spot){gscale_field_number(f, &s->power, 0),
                       &s->power_origin[i], &s->power_said[i]}
              : (spot){gscale_field_number(f, &s->remote, 0),
                       &s->remote_origin[i], &s->remote_said[i]};
  return true;
}

gscale_status gscale_system_set_remote(gscale_system *s, const gscale_field *f,
                                       const gscale_param *p, gscale_diag *diag)
{
  char path[GSCALE_NAME_MAX];
  spot at;

  if (!f) return gscale__fail(diag, GSCALE_ENAME, "no such field");
  gscale_field_path(f, path, sizeof path);
  if (!find_spot(s, f, &at))
    return gscale__fail(diag, GSCALE_ENAME, "%s: no number of messages", path);
  if (!(p->val >= f->least && p->val <= f->most) || isinf(p->val) ||
      !(p->err >= 0.0) || !isfinite(p->err))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s.%s: %g +- %g: must be finite and at least 0",
                        is_drawn(f) ? "power" : "remote", path, p->val, p->err);
  *at.number = p->val;
  *at.origin = *p;
  *at.said = true;
  return GSCALE_OK;
}

const gscale_param *gscale_system_remote_said(const gscale_system *s,
                                              const gscale_field *f)
{
  spot at;

  return find_spot((gscale_system *)s, f, &at) && *at.said ? at.origin : NULL;
}

static void take_rows(gscale_system *s, const gscale_system *from,
                      gscale_described of)
{
  const gscale_field *f;

  for (size_t i = 0; (f = gscale_field_at(of, i)) != NULL; i++) {
    const gscale_param *p = gscale_system_remote_said(from, f);
    if (p) gscale_system_set_remote(s, f, p, NULL);
  }
}

void gscale__take_remote(gscale_system *s, const gscale_system *from)
{
  take_rows(s, from, GSCALE_OF_REMOTE);
  take_rows(s, from, GSCALE_OF_POWER);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
