/* remote.c - fields of messages between nodes, and of power. */

#include "describe/described.h"
#include "ground/ground.h"

#include <stddef.h>

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
           "half a round trip of the smallest message between hosts"),
    REMOTE(path, rate, BYTERATE, "rate between the hosts' memories"),
    REMOTE(path, read, BYTERATE, "limit of the rate from a GPU's memory"),
    REMOTE(path, write, BYTERATE,
           "limit of the rate into a GPU's memory; 0: no limit"),
    REMOTE(path, far_read, BYTERATE, "`read` behind the other socket; 0: none"),
    REMOTE(path, far_write, BYTERATE,
           "`write` behind the other socket; 0: none"),
    REMOTE(path, post, TIME, "time for which a host is busy with a request"),
    REMOTE(path, gap, TIME, "time between requests of one host connection"),
    REMOTE(stage, copy, TIME, "start of a chunk's copy"),
    REMOTE(stage, start, TIME, "a blocking copy in addition to its bytes"),
    REMOTE(stage, down, BYTERATE, "rate of copies to the host"),
    REMOTE(stage, up, BYTERATE, "rate of copies from the host"),
    REMOTE(stage, buffer, BYTERATE, "rate of a host's copies between buffers"),
    REMOTE(stage, chunk, BYTES, "chunk size of pipelined copies"),
    REMOTE(stage, direct, BYTES,
           "size up to which nothing is staged; 0: always staged"),
    REMOTE(stage, query, TIME, "query of a copy that has ended"),
    REMOTE(stage, handshake, TIME, "additional time of a two-sided message"),
    REMOTE(stage, match, TIME, "additional time of a message with GPU data"),
    REMOTE(stage, buffers, TIME,
           "creation of buffers and queues, if each call does it"),
    REMOTE(control, post_gpu, TIME, "a GPU thread posts; queue on the GPU"),
    REMOTE(control, post_host, TIME, "a GPU thread posts; queue on the host"),
    REMOTE(control, poll_gpu, TIME,
           "a GPU thread takes a completion; queue on the GPU"),
    REMOTE(control, poll_host, TIME,
           "a GPU thread takes a completion; queue on the host"),
    REMOTE(control, stamp_gpu, TIME,
           "posting after doorbell; queue on the GPU"),
    REMOTE(control, stamp_host, TIME,
           "posting after the doorbell; queue on the host"),
    REMOTE(control, watch, TIME,
           "a GPU thread notices data that arrived in its memory"),
    REMOTE(control, serial_host, TIME,
           "request of each further connection; host queues"),
    REMOTE(control, put, TIME, "half a round trip of the smallest put"),
    REMOTE(control, notify, TIME,
           "additional time if the GPU handles notifications"),
    REMOTE(control, assist, TIME, "a GPU asks a host thread, which posts"),
    REMOTE(control, scan, TIME, "a host thread polls each further connection"),
    REMOTE(control, launch, TIME, "a kernel launches and awaits a kernel"),
    REMOTE(control, room, COUNT, "launches that a stream holds"),
    REMOTE(space, store, TIME, "half a round trip of the smallest store"),
    REMOTE(space, load, TIME, "round trip of a load"),
    REMOTE(space, rate, BYTERATE, "rate of the wire"),
    REMOTE(space, payload, BYTES, "largest payload of a packet of stores"),
    REMOTE(space, header, BYTES, "bytes of a packet that are not payload"),
    REMOTE(space, values, COUNT, "neighbouring values per request"),
    REMOTE(space, outstanding, COUNT, "loads in flight"),
    REMOTE(space, window, BYTES, "window of addresses of all GPUs together"),
    REMOTE(space, threads, COUNT, "threads that may wait for each other"),
    REMOTE(space, flag, TIME, "barrier of two GPUs in addition to its stores"),
    REMOTE(space, flag_more, TIME, "additional time of each further GPU"),
};

const gscale_field gscale__power_rows[GSCALE__POWER_ROWS] = {
    POWER(gpu_busy, "power of a GPU that computes"),
    POWER(gpu_idle, "power of a GPU that waits"),
    POWER(host_busy, "power of the processors that control a GPU"),
    POWER(host_asleep, "power of the controlling processors if they wait"),
    POWER(memory_busy, "power of host memory while a GPU is controlled"),
    POWER(memory_asleep, "power of host memory while processors wait"),
    DRAWN(link, ENERGY_PER_BYTE, 0.0,
          "additional energy of a byte sent to another GPU"),
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
  GSCALE_EACH_FIELD (of, f) {
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
