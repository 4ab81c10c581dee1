/* remote.c - what a system can say of messages between nodes, and of what its
 * parts draw: a row for each number. */

#include "describe/described.h"
#include "ground/ground.h"

#include <stddef.h>
#include <string.h>

#define FROM_0        .least = 0, .most = INFINITY, .length = 1
#define REMOTE(group) FROM_0, .offset = offsetof(gscale_remote, group)
#define POWER(member)                                                          \
  .dim = GSCALE_POWER, .otherwise = NAN, FROM_0,                               \
  .offset = offsetof(gscale_power, member)

const gscale_field gscale__remote_rows[GSCALE__REMOTE_ROWS] = {
    {.group = "path",
     .name = "latency",
     .dim = GSCALE_TIME,
     .meaning = "half a round trip of the smallest message, by hosts",
     REMOTE(path.latency)},
    {.group = "path",
     .name = "rate",
     .dim = GSCALE_BYTERATE,
     .meaning = "between the hosts' memories",
     REMOTE(path.rate)},
    {.group = "path",
     .name = "read",
     .dim = GSCALE_BYTERATE,
     .meaning = "at most, of a GPU's memory as the source",
     REMOTE(path.read)},
    {.group = "path",
     .name = "write",
     .dim = GSCALE_BYTERATE,
     .meaning = "at most, into a GPU's memory; 0: no limit",
     REMOTE(path.write)},
    {.group = "path",
     .name = "far_read",
     .dim = GSCALE_BYTERATE,
     .meaning = "`read` behind the other socket; 0: none",
     REMOTE(path.far_read)},
    {.group = "path",
     .name = "far_write",
     .dim = GSCALE_BYTERATE,
     .meaning = "`write` there",
     REMOTE(path.far_write)},
    {.group = "path",
     .name = "post",
     .dim = GSCALE_TIME,
     .meaning = "a host is busy with a request",
     REMOTE(path.post)},
    {.group = "path",
     .name = "gap",
     .dim = GSCALE_TIME,
     .meaning = "between requests of one connection of a host",
     REMOTE(path.gap)},
    {.group = "stage",
     .name = "copy",
     .dim = GSCALE_TIME,
     .meaning = "to start a chunk's copy",
     REMOTE(stage.copy)},
    {.group = "stage",
     .name = "start",
     .dim = GSCALE_TIME,
     .meaning = "a copy that blocks, beside its bytes",
     REMOTE(stage.start)},
    {.group = "stage",
     .name = "down",
     .dim = GSCALE_BYTERATE,
     .meaning = "of copies to the host",
     REMOTE(stage.down)},
    {.group = "stage",
     .name = "up",
     .dim = GSCALE_BYTERATE,
     .meaning = "of copies from the host",
     REMOTE(stage.up)},
    {.group = "stage",
     .name = "buffer",
     .dim = GSCALE_BYTERATE,
     .meaning = "a host copies between buffers",
     REMOTE(stage.buffer)},
    {.group = "stage",
     .name = "chunk",
     .dim = GSCALE_BYTES,
     .meaning = "of pipelined copies",
     REMOTE(stage.chunk)},
    {.group = "stage",
     .name = "direct",
     .dim = GSCALE_BYTES,
     .meaning = "up to which nothing is staged; 0: always",
     REMOTE(stage.direct)},
    {.group = "stage",
     .name = "query",
     .dim = GSCALE_TIME,
     .meaning = "to ask for the end of a copy that has ended",
     REMOTE(stage.query)},
    {.group = "stage",
     .name = "handshake",
     .dim = GSCALE_TIME,
     .meaning = "more, of a two-sided message",
     REMOTE(stage.handshake)},
    {.group = "stage",
     .name = "match",
     .dim = GSCALE_TIME,
     .meaning = "more, of one to or from a GPU",
     REMOTE(stage.match)},
    {.group = "stage",
     .name = "buffers",
     .dim = GSCALE_TIME,
     .meaning = "to make buffers and queues, where each call does",
     REMOTE(stage.buffers)},
    {.group = "control",
     .name = "post_gpu",
     .dim = GSCALE_TIME,
     .meaning = "a GPU's thread posts; queue on the GPU",
     REMOTE(control.post_gpu)},
    {.group = "control",
     .name = "post_host",
     .dim = GSCALE_TIME,
     .meaning = "the same; queue on the host",
     REMOTE(control.post_host)},
    {.group = "control",
     .name = "poll_gpu",
     .dim = GSCALE_TIME,
     .meaning = "it takes a completion; queue on the GPU",
     REMOTE(control.poll_gpu)},
    {.group = "control",
     .name = "poll_host",
     .dim = GSCALE_TIME,
     .meaning = "the same; queue on the host",
     REMOTE(control.poll_host)},
    {.group = "control",
     .name = "stamp_gpu",
     .dim = GSCALE_TIME,
     .meaning = "of posting, behind the doorbell",
     REMOTE(control.stamp_gpu)},
    {.group = "control",
     .name = "stamp_host",
     .dim = GSCALE_TIME,
     .meaning = "the same; queue on the host",
     REMOTE(control.stamp_host)},
    {.group = "control",
     .name = "watch",
     .dim = GSCALE_TIME,
     .meaning = "a GPU's thread sees what arrived in its memory",
     REMOTE(control.watch)},
    {.group = "control",
     .name = "serial_host",
     .dim = GSCALE_TIME,
     .meaning = "each further connection's request, host queues",
     REMOTE(control.serial_host)},
    {.group = "control",
     .name = "put",
     .dim = GSCALE_TIME,
     .meaning = "half a round trip of the smallest put",
     REMOTE(control.put)},
    {.group = "control",
     .name = "notify",
     .dim = GSCALE_TIME,
     .meaning = "more, if the GPU handles notifications",
     REMOTE(control.notify)},
    {.group = "control",
     .name = "assist",
     .dim = GSCALE_TIME,
     .meaning = "a GPU asks, a thread of the host posts",
     REMOTE(control.assist)},
    {.group = "control",
     .name = "scan",
     .dim = GSCALE_TIME,
     .meaning = "that thread looks at each further connection",
     REMOTE(control.scan)},
    {.group = "control",
     .name = "launch",
     .dim = GSCALE_TIME,
     .meaning = "a kernel starts one and waits for it",
     REMOTE(control.launch)},
    {.group = "control",
     .name = "room",
     .meaning = "launches that a stream holds",
     REMOTE(control.room)},
    {.group = "space",
     .name = "store",
     .dim = GSCALE_TIME,
     .meaning = "half a round trip of the smallest store",
     REMOTE(space.store)},
    {.group = "space",
     .name = "load",
     .dim = GSCALE_TIME,
     .meaning = "a load, to and fro",
     REMOTE(space.load)},
    {.group = "space",
     .name = "rate",
     .dim = GSCALE_BYTERATE,
     .meaning = "of the wire",
     REMOTE(space.rate)},
    {.group = "space",
     .name = "payload",
     .dim = GSCALE_BYTES,
     .meaning = "most in a packet of stores",
     REMOTE(space.payload)},
    {.group = "space",
     .name = "header",
     .dim = GSCALE_BYTES,
     .meaning = "of a packet, all that is not payload",
     REMOTE(space.header)},
    {.group = "space",
     .name = "values",
     .meaning = "neighbours that one request holds",
     REMOTE(space.values)},
    {.group = "space",
     .name = "outstanding",
     .meaning = "loads on their way",
     REMOTE(space.outstanding)},
    {.group = "space",
     .name = "window",
     .dim = GSCALE_BYTES,
     .meaning = "of addresses, all GPUs' together",
     REMOTE(space.window)},
    {.group = "space",
     .name = "threads",
     .meaning = "that may wait for each other",
     REMOTE(space.threads)},
    {.group = "space",
     .name = "flag",
     .dim = GSCALE_TIME,
     .meaning = "of a barrier of two beside its stores",
     REMOTE(space.flag)},
    {.group = "space",
     .name = "flag_more",
     .dim = GSCALE_TIME,
     .meaning = "each further GPU",
     REMOTE(space.flag_more)},
};

const gscale_field gscale__power_rows[GSCALE__POWER_ROWS] = {
    {.group = "",
     .name = "gpu_busy",
     .meaning = "a GPU that computes",
     POWER(gpu_busy)},
    {.group = "",
     .name = "gpu_idle",
     .meaning = "a GPU that waits",
     POWER(gpu_idle)},
    {.group = "",
     .name = "host_busy",
     .meaning = "a GPU's processors, controlling it",
     POWER(host_busy)},
    {.group = "",
     .name = "host_asleep",
     .meaning = "the same, waiting",
     POWER(host_asleep)},
    {.group = "",
     .name = "memory_busy",
     .meaning = "their memory in the first case",
     POWER(memory_busy)},
    {.group = "",
     .name = "memory_asleep",
     .meaning = "and in the second",
     POWER(memory_asleep)},
};

/* ---- systems ------------------------------------------------------------- */

void gscale__power_init(gscale_power *p)
{
  for (size_t i = 0; i < GSCALE__POWER_ROWS; i++)
    *gscale_field_number(&gscale__power_rows[i], p, 0) = (double)NAN;
}

/* Where a row's number, its origin, and whether it was said are. */
typedef struct spot {
  double *number;
  gscale_param *origin;
  bool *said;
} spot;

static bool find_spot(gscale_system *s, const gscale_field *f, spot *at)
{
  for (size_t i = 0; i < GSCALE__REMOTE_ROWS; i++)
    if (f == &gscale__remote_rows[i]) {
      *at = (spot){gscale_field_number(f, &s->remote, 0), &s->remote_origin[i],
                   &s->remote_said[i]};
      return true;
    }
  for (size_t i = 0; i < GSCALE__POWER_ROWS; i++)
    if (f == &gscale__power_rows[i]) {
      *at = (spot){gscale_field_number(f, &s->power, 0), &s->power_origin[i],
                   &s->power_said[i]};
      return true;
    }
  return false;
}

gscale_status gscale_system_set_remote(gscale_system *s, const gscale_field *f,
                                       const gscale_param *p, gscale_diag *diag)
{
  const bool power = f->dim == GSCALE_POWER;
  char path[GSCALE_NAME_MAX];
  spot at;

  gscale_field_path(f, path, sizeof path);
  if (!find_spot(s, f, &at))
    return gscale__fail(diag, GSCALE_ENAME, "%s: no number of messages", path);
  if (!(p->val >= f->least && p->val <= f->most) || isinf(p->val) ||
      !(p->err >= 0.0) || !isfinite(p->err))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s.%s: %g +- %g: must be finite and at least 0",
                        power ? "power" : "remote", path, p->val, p->err);
  *at.number = p->val;
  *at.origin = *p;
  *at.said = true;
  return GSCALE_OK;
}

const gscale_param *gscale_system_remote_said(const gscale_system *s,
                                              const gscale_field *f)
{
  for (size_t i = 0; i < GSCALE__REMOTE_ROWS; i++)
    if (f == &gscale__remote_rows[i])
      return s->remote_said[i] ? &s->remote_origin[i] : NULL;
  for (size_t i = 0; i < GSCALE__POWER_ROWS; i++)
    if (f == &gscale__power_rows[i])
      return s->power_said[i] ? &s->power_origin[i] : NULL;
  return NULL;
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

const gscale_remote *gscale_system_remote(const gscale_system *s)
{
  return &s->remote;
}

const gscale_power *gscale_system_power(const gscale_system *s)
{
  return &s->power;
}
