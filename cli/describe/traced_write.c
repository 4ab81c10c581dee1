/* traced_write.c - writes the program of a traced step: a table of the pieces,
 * and the lines of traced.lua that run them. */

#include "describe/template.h"
#include "describe/traced.h"

#include <math.h>
#include <string.h>

static const char *const phases[TRACED_PHASES] = {
    "kernels", "forward", "backward", "optimizer",
    "copies",  "group",   "idle",     "collective"};

/* Writes a piece. Collectives of groups have a time but no bytes. */
static void put_piece(FILE *f, const traced_piece *p)
{
  const char *comma = ", waits = { ";
  const bool priced = p->kind && p->phase == TRACED_COLLECTIVE;

  fprintf(f, "  { %.4g, \"%s\", ", 1e6 * p->host,
          priced ? p->kind : phases[p->phase]);
  if (priced)
    fprintf(f, "%.0f, took = %.4g", p->bytes, 1e6 * p->time);
  else
    fprintf(f, "%.6g", 1e6 * p->time);
  if (p->stream > 0) fprintf(f, ", stream = %d", p->stream + 1);
  for (int s = 0; s < TRACED_STREAMS; s++)
    if (p->waits & 1u << s) fprintf(f, "%s%d", comma, s + 1), comma = ", ";
  if (p->waits) fputs(" }", f);
  if (p->synchronizes) fputs(", sync = true", f);
  if (p->gradients > 0) fprintf(f, ", grads = %zu", p->gradients);
  if (p->gradient_B > 0.0) fprintf(f, ", of = %.0f", p->gradient_B);
  fputs(" },\n", f);
}

/* Returns true for a kernel that takes a 200th of its phase. */
static bool is_listed(const traced_step *t, const traced_kernel *k)
{
  return k->phase < TRACED_COPIES && *k->what->name &&
         k->time >= 0.005 * t->time[k->phase];
}

static void put_kernel(FILE *f, const traced_kernel *k)
{
  const gscale_recorded_what *const w = k->what;
  char name[64];

  gscale_recorded_short_name(w->name, name, sizeof name);
  fprintf(f, "  { \"%s\", \"", phases[k->phase]);
  put_text(f, name, sizeof name);
  fprintf(f, "\", %zu, %.6g, %.0f, %.0f, %.0f, %.0f },\n", k->launches,
          1e6 * k->time / (double)k->launches, w->blocks, w->threads,
          w->registers, w->shared);
}

static bool can_ddp(const traced_step *t)
{
  return t->training && gpus_of_run(t->p) < 1.5;
}

/* Writes what traced.lua makes a phase of: its name, error and slowdown. */
static void put_phase(FILE *f, const traced_step *t, int i)
{
  fprintf(f, "      phase(\"%s\", %.2g", phases[i], 0.005 * t->time[i]);
  /* DDP reduces beside the backward phase only. */
  const bool apart = can_ddp(t) && i != TRACED_BACKWARD;
  fputs(", { 0", f);
  for (int k = 0; k < GSCALE_BESIDE_MAX; k++)
    fprintf(f, ", %.4g", apart ? 1.0 : fmax(1.0, t->beside[i][k] / t->time[i]));
  fputs(" }", f);
  fputs("),\n", f);
}

static void put_phases(FILE *f, const traced_step *t)
{
  for (int i = 0; i < TRACED_COLLECTIVE; i++) {
    bool any = false;
    for (size_t k = 0; k < t->pieces; k++) any |= (int)t->piece[k].phase == i;
    if (any) put_phase(f, t, i);
  }
}

typedef struct written { /* what words are written of */
  const traced_step *t;
  const options *o;
} written;

/* Writes the text of a word of traced.lua. */
static void put_word(FILE *f, const char *word, const void *closure)
{
  const written *const w = closure;
  const traced_step *const t = w->t;

  for (size_t i = 0; is_word(word, "calls") && i < t->pieces; i++)
    put_piece(f, &t->piece[i]);
  for (size_t i = 0; is_word(word, "kernels") && i < t->kernels; i++)
    if (is_listed(t, &t->kernel[i])) put_kernel(f, &t->kernel[i]);
  if (is_word(word, "rest")) fprintf(f, "%.4g", 1e6 * t->rest);
  if (is_word(word, "parallel"))
    fputs(w->o->parallel ? w->o->parallel : "one", f);
  if (is_word(word, "params")) fprintf(f, "%.9g", w->o->params);
  if (is_word(word, "optimizer")) fprintf(f, "%.6g", t->time[TRACED_OPTIMIZER]);
  if (is_word(word, "state"))
    fputs(t->adam ? "counted(2)" : "assumed(1, { 0, 2 }, \"guess\")", f);
  if (is_word(word, "memory"))
    fprintf(f, "%.0f", gscale_recording_about(t->p->r).memory);
  if (is_word(word, "grads"))
    fprintf(f, "%zu, %.0f", t->gradients, t->gradient_B);
  if (is_word(word, "tensor"))
    fputs(t->training && *parallelism(t) != 't' ? "false" : "true", f);
  if (is_word(word, "launch")) fprintf(f, "%.3g", 1e6 * t->launch);
  if (is_word(word, "least")) fputs(t->fake ? "k.host / 1.38 * host" : "0", f);
  if (is_word(word, "phases")) put_phases(f, t);
  if (is_word(word, "bucket")) fprintf(f, "%.3g", t->gap + 1.5e-6);
}

void put_traced(FILE *f, const traced_step *t, const options *o)
{
  static const char *const line[] = {
#include "traced.inc"
  };
  char wanted[8];

  /* T, t for training or not, C, c with recorded calls or without, D, d if DDP
   * can be added or not, S if the host waits at the end, R for a named system
   * that ran the step. */
  snprintf(wanted, sizeof wanted, "%c%c%c%s%s", t->training ? 'T' : 't',
           t->calls ? 'C' : 'c', can_ddp(t) ? 'D' : 'd',
           t->synchronizes ? "S" : "", o->system && !t->fake ? "R" : "");
  put_template(f, &(lua_template){t->p, t->gpu, o->system, line, LENGTH(line),
                                  wanted, put_word, &(written){t, o}});
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
