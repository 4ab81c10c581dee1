/* write.c - writes the description of a profile as a program to edit. */

#include "describe/body.h"
#include "describe/traced.h"

#include <string.h>

/* Refuses a description with too small a share of the kernel time. */
static int check_carried(const profile *p, double carried, double kernels,
                         failure *why)
{
  return carried >= 0.9 * kernels
             ? EXIT_OK
             : fail(why, EXIT_DATA,
                    "%s: the description would have only %.0f%% of the time of "
                    "kernels in a step: no step is typical",
                    *p->path, 100.0 * carried / kernels);
}

/* Checks --parallel. ddp is derived from a training step, whereas fsdp and tp
 * must be recorded to show where in a step their collectives are. */
static int check_parallel(const profile *p, const traced_step *t,
                          const char *name, failure *why)
{
  const bool ddp = strcmp(name, "ddp") == 0;
  const char *const own = parallelism(t);

  if (!ddp && strcmp(name, "fsdp") != 0 && strcmp(name, "tp") != 0)
    return fail(why, EXIT_USAGE, "--parallel: none of ddp, fsdp, tp");
  if (t->training && *own && strcmp(name, own) != 0)
    return fail(why, EXIT_DATA, "%s: --parallel %s: its collectives are of %s",
                *p->path, name, own);
  if (ddp ? t->training : t->collectives > 0) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s: --parallel %s: no %s", *p->path, name,
              ddp ? "training step in it"
                  : "collective in it; profile the wrapped program, on one GPU "
                    "under PyTorch's process group 'fake'");
}

/* Writes the pieces of a step. Without `calls`, uses only the GPU's work, as it
 * does if the description with calls misses the step's time. */
static int write_traced(const profile *p, bool calls, const options *o,
                        failure *why)
{
  traced_step t;
  output out;
  int st = trace_step(&t, p, calls, why);

  /* A GPU with collectives but without ranks is not the only GPU. */
  if (st == EXIT_OK && t.collectives > 0 && gpus_of_run(p) < 1.5 && !o->ranks)
    st = fail(
        why, EXIT_DATA,
        "%s: has collectives, but not their number of GPUs: give --ranks N",
        *p->path);
  if (st == EXIT_OK && t.fake && t.collectives == 0)
    st = fail(why, EXIT_DATA,
              "%s: the collectives of its process group 'fake' have no sizes: "
              "profile with record_shapes=True",
              *p->path);
  if (st == EXIT_OK && o->parallel)
    st = check_parallel(p, &t, o->parallel, why);
  const double kernels = st == EXIT_OK ? kernels_of_step(p, t.gpu) : 0.0;
  if (st == EXIT_OK) st = check_carried(p, t.carried, kernels, why);
  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (st == EXIT_OK) {
    put_traced(out.f, &t, o);
    st = output_close(&out, why);
  }
  const bool off =
      st == EXIT_OK &&
      say_carried(p,
                  &(carried_step){t.carried, kernels, t.bytes, t.step,
                                  t.collectives, true, t.calls},
                  o, !t.calls);
  calls = t.calls;
  traced_free(&t);
  return off && calls ? write_traced(p, false, o, why) : st;
}

int write_description(const profile *p, const other_run *other, size_t others,
                      const options *o, failure *why)
{
  host_calls h = {0};
  body b = {0};
  output out;

  if (!o->show && needs_trace(p)) {
    if (others > 0)
      print_note("--also is left out: programs of copies learn from it");
    return write_traced(p, true, o, why);
  }
  if (o->parallel)
    return fail(why, EXIT_DATA, "%s: --parallel: no training step in it",
                *p->path);
  int st = find_host(p, &h, why);
  if (st == EXIT_OK) st = body_make(&b, p, &h, other, others, why);
  const double kernels = st == EXIT_OK ? kernels_of_step(p, b.gpu) : 0.0;
  const bool apart = !has_copies(p, false) && others == 0;
  bool lost = apart && b.carried < 0.95 * kernels;
  if (st == EXIT_OK && !lost && !o->show) {
    st = check_carried(p, b.carried, kernels, why);
    if (st == EXIT_OK) st = output_open(&out, o->output, why);
    if (st == EXIT_OK) {
      body_write(out.f, &b, o->system);
      st = output_close(&out, why);
    }
  }
  if (st == EXIT_OK) say_others(&b);
  if (st == EXIT_OK && !lost && !o->show)
    lost = say_carried(
        p, &(carried_step){b.carried, kernels, 0.0, p->period, 0, false, false},
        o, !apart || !has_copies(p, true));
  if (st == EXIT_OK && lost && !o->show) st = write_traced(p, false, o, why);
  body_free(&b);
  host_free(&h);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
