/* body_write.c - writes the program of a body: the words and the lines of
 * body.lua that it has. */

#include "describe/body.h"
#include "describe/template.h"

#include <math.h>
#include <string.h>

/* ---- the schedule ------------------------------------------------------- */

/* Finds lines from `at` that repeat immediately, and the number of repeats. */
static void find_loop(const body *b, size_t at, size_t end, size_t *length,
                      size_t *times)
{
  size_t saved = 0;

  *length = *times = 1;
  for (size_t n = 1; n <= 128 && at + 2 * n <= end; n++) {
    size_t again = 1;
    for (bool same = true; same && at + (again + 1) * n <= end;) {
      for (size_t i = 0; same && i < n; i++)
        same = strcmp(b->line[at + i], b->line[at + again * n + i]) == 0;
      again += same;
    }
    if (again < 2 || n * (again - 1) <= saved) continue;
    saved = n * (again - 1);
    *length = n;
    *times = again;
  }
}

static void put_lines(FILE *f, const body *b, size_t at, size_t end, int indent)
{
  while (at < end) {
    size_t length, times;
    find_loop(b, at, end, &length, &times);
    if (times > 1 && length * times > 2) {
      fprintf(f, "%*sfor _ = 1, %zu do\n", indent, "", times);
      put_lines(f, b, at, at + length, indent + 2);
      fprintf(f, "%*send\n", indent, "");
    } else {
      length = times = 1;
      fprintf(f, "%*s%s\n", indent, "", b->line[at]);
    }
    at += length * times;
  }
}

/* ---- schedule parts ----------------------------------------------------- */

static bool exchanges(const body *b)
{
  return b->chosen != PARTNERS_END;
}

/* Returns true for a run on one GPU. A run on one GPU has no copies to other
 * GPUs, so that the sizes of copies are knobs. */
static bool is_alone(const body *b)
{
  return b->gpus < 1.5;
}

static partner_rule chosen_rule(const body *b)
{
  return exchanges(b) ? b->chosen : PARTNERS_NEIGHBOURS;
}

/* Returns true if ncu counted flop or bytes. */
static bool knows_work(const body *b)
{
  for (size_t i = 0; i < b->phases; i++)
    if (b->phase[i].flop > 0.0 || b->phase[i].bytes > 0.0) return true;
  return false;
}

static void put_partner_knob(FILE *f, const body *b)
{
  const char *comma = "";

  fprintf(f, "    partners = gs.knob { default = \"%s\", words = { ",
          partners_name(chosen_rule(b)));
  for (int i = 0; i < PARTNERS_END; i++)
    if (b->rule[i]) {
      fprintf(f, "%s\"%s\"", comma, partners_name((partner_rule)i));
      comma = ", ";
    }
  fprintf(f, " },\n      doc = \"to whom a GPU copies; %s\" },\n",
          is_alone(b) ? "a guess: one GPU does not show it"
                      : "those named agree with all GPUs seen");
}

static void put_size_knobs(FILE *f, const body *b)
{
  for (size_t i = 0; i < b->places; i++)
    fprintf(f,
            "    bytes%zu = gs.knob { default = counted(\"0 B\"), unit = "
            "\"bytes\",\n      doc = \"to each partner behind %s; a guess: one "
            "GPU does not show it\" },\n",
            i + 1, b->phase[b->place[i]].name);
  for (size_t i = 0; i < b->sizes; i++)
    fprintf(f,
            "    bytes%zu = gs.knob { default = counted(\"%.0f B\"), unit = "
            "\"bytes\", doc = \"a copy\" },\n",
            i + 1, b->size[i]);
}

/* Returns true if some paradigm has the readers of the copies. */
static bool is_published(const body *b)
{
  return b->chosen == PARTNERS_NEIGHBOURS || b->chosen == PARTNERS_RING ||
         b->chosen == PARTNERS_GRID || b->chosen == PARTNERS_ALL;
}

static void put_phases(FILE *f, const body *b)
{
  for (size_t i = 0; i < b->phases; i++) {
    fprintf(f, "      kernel(\"%s\", %.6g, %.2g", b->phase[i].name,
            b->phase[i].time, b->phase[i].err);
    if (knows_work(b))
      fprintf(f, ", %.6g, %.6g", b->phase[i].flop, b->phase[i].bytes);
    fputs("),\n", f);
  }
  if (b->phases == 0)
    fputs("      gs.phase { name = \"none\" }, -- the profile has no kernel\n",
          f);
}

/* ---- other paradigms ---------------------------------------------------- */

enum {
  STRETCHES = 16
};

/* The kernels before an exchange, and the bytes for each partner. */
typedef struct stretch_of_step {
  double time, err, kernels, bytes;
} stretch_of_step;

static double count_partners(const body *b)
{
  bool to[1024];
  double n = 0.0;

  partners_of(b->chosen, b->gpu, b->p->gpus, to);
  for (int i = 0; i < b->p->gpus; i++) n += to[i];
  return n;
}

/* Finds the stretches of a step, and merges them if there are too many. */
static size_t find_stretches(const body *b, stretch_of_step *v)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];
  const double partners = count_partners(b);
  size_t n = 1, wanted = 1;

  for (size_t pass = 0; pass < 2; pass++) {
    const bool one = wanted > STRETCHES;
    n = wanted = 1;
    v[0] = (stretch_of_step){0};
    for (size_t j = 0; j < g->slots; j++) {
      const gscale_recorded_what *const w =
          gscale_recording_what(b->p->r, g->slot[j].what);
      stretch_of_step *s = &v[n - 1];
      if (b->phase_of[j] != NONE) {
        if (s->bytes > 0.0 && !one && ++wanted <= STRETCHES)
          v[n++] = (stretch_of_step){0}, s = &v[n - 1];
        s->time += g->slot[j].time;
        s->err += g->slot[j].spread;
        s->kernels++;
      } else if (w->copy == GSCALE_RECORDED_P2P) {
        s->bytes += w->bytes / partners;
      }
    }
    if (wanted <= STRETCHES) break;
  }
  return n;
}

/* Writes the time of one GPU and the phases of `ways=any`, each of which has
 * the kernels before one exchange, whose bytes go to the partners of the
 * copies. */
static void put_stretches(FILE *f, const body *b)
{
  stretch_of_step v[STRETCHES];
  double time = 0.0, err = 0.0;
  const size_t n = find_stretches(b, v);

  for (size_t i = 0; i < n; i++) time += v[i].time, err += v[i].err;
  fprintf(f,
          "        t1 = measured(alone * %.6g / k.speed + %g, alone * %.2g + "
          "%g, file),\n"
          "        host = { threads = %s },\n",
          time, 6e-6 * (double)n, err, 3e-6 * (double)n,
          b->one_thread ? "1" : "k.threads == \"one\" and 1 or 0");
  for (size_t i = 0; i < n; i++)
    fprintf(f, "        phase(\"work%zu\", %.6g, %.0f, %.0f),\n", i + 1,
            v[i].time, fmax(1.0, v[i].kernels), v[i].bytes);
}

/* ---- words -------------------------------------------------------------- */

/* Writes a word about the other runs. */
static void put_learned(FILE *f, const char *word, const body *b)
{
  const double growth = partners_growth(chosen_rule(b));
  double most = b->gpus;

  if (is_word(word, "error")) fprintf(f, "%.2g", b->serial_err);
  if (is_word(word, "serial")) fprintf(f, "%.4g", b->serial);
  if (is_word(word, "named") && b->serial_known) fputs(", name", f);
  if (is_word(word, "growth") && b->growth_known)
    fprintf(f, "%g", b->growth);
  else if (is_word(word, "growth"))
    fprintf(f, "%g, { 0, %g }, \"guess\"", growth,
            growth > 0.0 ? 2 * growth : 0.5);
  if (is_word(word, "all"))
    fputs(b->growth_known && b->growth > 1.5 ? "partition\", publish = N * N"
                                             : "all\", publish = N",
          f);
  for (size_t i = 0; i < b->others; i++) {
    most = fmax(most, b->other[i].gpus);
    if (!is_word(word, "others")) continue;
    if (i > 0) fputs(", ", f);
    put_text(f, base_name(*b->other[i].p.path), 40);
  }
  if (is_word(word, "most")) fprintf(f, "%g", most);
  for (size_t i = 0; is_word(word, "serials") && i < b->phases; i++)
    fprintf(f, "      [\"%s\"] = %.4g,%s\n", b->phase[i].name,
            b->phase[i].serial,
            b->phase[i].serial_known ? "" : " -- the mean of the others");
}

/* Writes the text of a word of body.lua. */
static void put_word(FILE *f, const char *word, const void *closure)
{
  const body *const b = closure;

  if (is_word(word, "shown") && is_alone(b))
    fputs("; a guess: one GPU does not show it", f);
  if (is_word(word, "partners")) put_partner_knob(f, b);
  if (is_word(word, "sizes")) put_size_knobs(f, b);
  if (is_word(word, "stretches")) put_stretches(f, b);
  /* A repeated run would differ by some 1 %, as in learn/posterior. */
  if (is_word(word, "step"))
    fprintf(f, "%.6g, %.2g", b->p->period,
            hypot(b->p->period_err, 0.01 * b->p->period));
  if (is_word(word, "phases")) put_phases(f, b);
  if (is_word(word, "threads"))
    fputs(is_alone(b) || !b->one_thread ? "k.threads" : "\"one\"", f);
  for (size_t i = 0; is_word(word, "streams") && i < b->streams; i++)
    fprintf(f, "%s\"%s\"", i ? ", " : "", b->stream_name[i]);
  if (is_word(word, "schedule")) put_lines(f, b, 0, b->lines, 8);
  put_learned(f, word, b);
}

void body_write(FILE *f, const body *b, const char *system)
{
  static const char *const line[] = {
#include "body.inc"
  };
  char wanted[16 + PARTNERS_END] = "";

  /* p: with partners; a digit: that rule of partners; other letters in pairs of
   * a condition and its opposite. */
  snprintf(wanted, sizeof wanted, "%s%c%s%s%c%s%c%c%s",
           exchanges(b) || is_alone(b) ? "p" : "", b->serial_known ? 'k' : 'K',
           is_alone(b) || !b->one_thread ? "t" : "", is_published(b) ? "w" : "",
           knows_work(b) ? 'c' : 'C', b->guessed_barrier ? "m" : "",
           b->growth_known ? 'g' : 'G', b->sided ? 'd' : 'D',
           system ? "r" : "");
  for (int r = 0; r < PARTNERS_END; r++)
    if (b->rule[r]) gscale_append(wanted, sizeof wanted, "%d", r);
  put_template(f, &(lua_template){b->p, b->gpu, system, line, LENGTH(line),
                                  wanted, put_word, b});
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
