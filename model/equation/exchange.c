/* exchange.c - barriers, reductions and exchanges that consist of messages
 * between nodes. */

#include "ground/ground.h"

#include <math.h>

static bool is_time(double t)
{
  return t >= 0.0 && isfinite(t);
}

double gscale_remote_barrier(const gscale_remote *r, int n, bool kernel)
{
  if (n < 1 || !(r->space.store > 0.0)) return NAN;
  if (n == 1) return 0.0;
  return 2.0 * r->space.store + r->space.flag + r->space.flag_more * (n - 2.0) +
         (kernel ? r->control.launch : 0.0);
}

static gscale_message by(const char *method, const gscale_remote *r,
                         double bytes)
{
  const gscale_remote_call c = gscale_remote_call_of(bytes);

  return gscale_remote_message(r, gscale_method_find(method), &c);
}

/* Returns the time in which n-1 GPUs store to one GPU, or one GPU stores to
 * n-1. */
static double ggas_gather(const gscale_remote *r, int n, double bytes)
{
  const gscale_message m = by("ggas", r, bytes);

  return m.latency + (n - 2.0) * m.gap;
}

double gscale_remote_reduce(const gscale_remote *r, gscale_gather g, int n,
                            double bytes, double memory, bool all)
{
  const double barrier = gscale_remote_barrier(r, n, false);
  const double passes = all ? 2.0 : 1.0;

  if (n < 1 || !is_time(bytes) || !(memory > 0.0)) return NAN;
  if (n == 1) return 0.0;
  switch (g) {
  case GSCALE_GATHER_READ:
    return barrier + (n - 1.0) * by("ggas-load", r, bytes).latency;
  case GSCALE_GATHER_ROOT:
    return passes * (ggas_gather(r, n, bytes) + barrier) + n * bytes / memory;
  case GSCALE_GATHER_ALL:
    return ggas_gather(r, n, bytes) + barrier + n * bytes / memory;
  case GSCALE_GATHER_ALL_TO_ALL:
    return 2.0 * (ggas_gather(r, n, bytes / n) + barrier) + bytes / memory;
  case GSCALE_GATHER_TREE:
    return passes * ceil(log2(n)) *
           (by("ggas", r, bytes).latency + r->space.store +
            2.0 * bytes / memory);
  case GSCALE_GATHER_END:
    break;
  }
  return NAN;
}

double gscale_host_allreduce(const gscale_remote *r, int n, double sharing,
                             gscale_place buffers)
{
  const double stage = r->path.latency + (sharing - 1.0) * r->path.gap;
  const double copies = buffers == GSCALE_ON_GPU ? 2.0 * r->stage.start : 0.0;

  if (n < 1 || !(sharing >= 1.0) || buffers >= GSCALE_PLACE_END ||
      !(r->path.latency > 0.0))
    return NAN;
  return n == 1 ? 0.0 : copies + 2.0 * ceil(log2(n)) * stage;
}

double gscale_opposite(double gain)
{
  return gain >= 0.0 && gain <= 1.0 ? (1.0 + gain) / 2.0 : NAN;
}

double gscale_queued(double copy, double packet, double queued, double busy)
{
  if (!(copy > 0.0) || !is_time(copy) || !is_time(packet) || !is_time(queued) ||
      !(busy >= 0.0 && busy <= 1.0))
    return NAN;
  return 1.0 + busy * queued * packet / copy;
}

double gscale_on_stream_0(double transfer, double kernel)
{
  return is_time(transfer) && is_time(kernel) ? transfer + kernel : NAN;
}

double gscale_on_streams(double transfer, double kernel)
{
  return is_time(transfer) && is_time(kernel) ? fmax(transfer, kernel) : NAN;
}

static bool halves_are_sound(const gscale_halves *h)
{
  const double t[] = {h->compute, h->send,   h->post,   h->poll, h->event,
                      h->between, h->launch, h->blocks, h->wait, h->barrier};

  for (size_t i = 0; i < LENGTH(t); i++)
    if (!is_time(t[i])) return false;
  return h->blocks >= 1.0;
}

double gscale_control_step(gscale_control c, const gscale_halves *h)
{
  const double overlapped = fmax(h->compute, h->send);
  const double control = 2.0 * h->post + 2.0 * h->poll;

  if (!halves_are_sound(h)) return NAN;
  switch (c) {
  case GSCALE_CONTROL_HOST:
    return 2.0 * fmax(h->compute + h->event, h->send);
  case GSCALE_CONTROL_STREAM:
    return 2.0 * (control + 3.0 * h->between + overlapped);
  case GSCALE_CONTROL_DEVICE:
    return 2.0 * (control + fmax(h->compute + h->launch, h->send));
  case GSCALE_CONTROL_IN_KERNEL:
    return 2.0 * (2.0 * h->post + overlapped + h->blocks * h->blocks * h->wait);
  case GSCALE_CONTROL_GLOBAL:
    return 2.0 * (h->compute + h->send) + h->barrier + h->launch;
  case GSCALE_CONTROL_END:
    break;
  }
  return NAN;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
