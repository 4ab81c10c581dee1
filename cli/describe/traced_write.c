/* traced_write.c - writes the program of a traced step: a table of the pieces,
 * and the lines of traced.lua that run them. */

#include "describe/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const phases[TRACED_PHASES] = {
    "kernels", "forward", "backward", "optimizer",
    "copies",  "group",   "idle",     "collective"};

static void put_stream(FILE *f, int stream)
{
  if (stream > 0)
    fprintf(f, "\"stream%d\"", stream + 1);
  else
    fputs("\"main\"", f);
}

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
  if (p->stream > 0) fputs(", stream = ", f), put_stream(f, p->stream);
  for (int s = 0; s < TRACED_STREAMS; s++)
    if (p->waits & 1u << s) fputs(comma, f), put_stream(f, s), comma = ", ";
  if (p->waits) fputs(" }", f);
  if (p->synchronizes) fputs(", sync = true", f);
  if (p->gradients > 0) fprintf(f, ", grads = %zu", p->gradients);
  if (p->gradient_B > 0.0) fprintf(f, ", of = %.0f", p->gradient_B);
  fputs(" },\n", f);
}

static bool can_ddp(const traced_step *t)
{
  return t->training && gpus_of_run(t->p) < 1.5;
}

static double gradient_bytes(const traced_step *t)
{
  double sum = 0.0;

  for (size_t i = 0; i < t->pieces; i++) sum += t->piece[i].gradient_B;
  return sum;
}

/* Writes the number of parameters. Without recorded shapes or --params it is
 * estimated from the optimizer: AdamW moves 28 B per parameter at 4 TB/s. */
static void put_params(FILE *f, const traced_step *t, const options *o)
{
  const double guess = t->time[TRACED_OPTIMIZER] * 4e12 / 28.0;
  const double told = o->params > 0.0 ? o->params : gradient_bytes(t) / 4.0;
  const bool known = told > 0.0;
  const double n = fmax(1.0, known ? told : guess);
  fprintf(f, "assumed(%.9g, { %.9g, %.9g }, \"%s\")", n, known ? n : 0.6 * n,
          known ? n : 1.2 * n, known ? "counted" : "guess: by the optimizer");
}

static void put_phase(FILE *f, const traced_step *t, int i)
{
  const bool batch = i == TRACED_FORWARD || i == TRACED_BACKWARD;

  fprintf(f,
          "      gs.phase { name = \"%s\", compute = { fixed = measured(%s * "
          "sum.%s * us, %.2g, file)",
          phases[i],
          i > TRACED_OPTIMIZER ? "1"
          : batch              ? "more / k.speed"
          : t->training        ? "1 / k.speed"
                               : "shrunk(1) / k.speed",
          phases[i], 0.005 * t->time[i]);
  if (t->beside[i] > 1.0)
    fprintf(
        f,
        " }, blocks = { residents = { 0, k.slowed == \"yes\" and %.4g or 1 }",
        t->beside[i]);
  fputs(" } },\n", f);
}

static void put_phases(FILE *f, const traced_step *t)
{
  for (int i = 0; i < TRACED_COLLECTIVE; i++) {
    bool any = false;
    for (size_t k = 0; k < t->pieces; k++) any |= (int)t->piece[k].phase == i;
    if (any) put_phase(f, t, i);
  }
}

static void put_streams(FILE *f, const traced_step *t)
{
  int most = 0;

  for (size_t i = 0; i < t->pieces; i++)
    if (t->piece[i].stream > most) most = t->piece[i].stream;
  for (int s = 0; s <= most; s++) fputs(s ? ", " : "", f), put_stream(f, s);
  if (can_ddp(t)) fputs(", \"nccl\"", f);
}

/* Writes the text that replaces a word of traced.lua. */
static void put_word(FILE *f, const char *word, size_t size,
                     const traced_step *t, const options *o)
{
  const char *const path = t->p->path[0];
#define IS(text) (size == sizeof text - 1 && !memcmp(word, text, size))
  if (IS("calls"))
    for (size_t i = 0; i < t->pieces; i++) put_piece(f, &t->piece[i]);
  if (IS("rest")) fprintf(f, "%.4g", 1e6 * t->rest);
  if (IS("name")) put_name(f, path);
  if (IS("serial")) put_guessed_serial(f);
  if (IS("parallel")) fputs(o->parallel ? o->parallel : "one", f);
  if (IS("params")) put_params(f, t, o);
  if (IS("grads")) fprintf(f, "%zu, %.0f", t->gradients, gradient_bytes(t));
  if (IS("system")) put_text(f, o->system, 100);
  if (IS("phases")) put_phases(f, t);
  if (IS("bucket")) fprintf(f, "%.3g", t->gap + 1.5e-6);
  if (IS("streams")) put_streams(f, t);
#undef IS
}

/* Returns whether a line of traced.lua is written, by the letter before it: T,
 * t for training or not, C, c with recorded calls or without, D if DDP can be
 * added, S if the host waits at the end, R for a named system. */
static bool is_wanted(char condition, const traced_step *t, const char *system)
{
  const char has[] = {'|',
                      t->training ? 'T' : 't',
                      t->calls ? 'C' : 'c',
                      can_ddp(t) ? 'D' : '|',
                      t->synchronizes ? 'S' : '|',
                      system ? 'R' : '|'};

  return memchr(has, condition, sizeof has) != NULL;
}

void put_traced(FILE *f, const traced_step *t, const options *o)
{
  static const char *const line[] = {
#include "traced.inc"
  };

  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    const char *at = line[i] + strcspn(line[i], "|") + 1;
    if (!is_wanted(*line[i], t, o->system)) continue;
    const bool alone = *at == '@'; /* the word writes lines */
    while (*at) {
      const size_t before = strcspn(at, "@");
      if (before > 0) fprintf(f, "%.*s", (int)before, at);
      at += before;
      if (*at != '@') break;
      const size_t size = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
      put_word(f, at + 1, size, t, o);
      at += 1 + size + (alone && at[1 + size] == '\n');
    }
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
