/* naming.c - names phases, streams, sizes of copies and partners. */

#include "describe/naming.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const gscale_recorded_what *slot_what(const body *b, size_t j)
{
  return gscale_recording_what(b->p->r, b->p->gpu[b->gpu].slot[j].what);
}

static bool is_kernel(const body *b, size_t j)
{
  return slot_what(b, j)->kind == GSCALE_RECORDED_KERNEL &&
         !slot_what(b, j)->collective;
}

bool goes_out(const body *b, size_t j)
{
  return slot_what(b, j)->copy == GSCALE_RECORDED_P2P;
}

/* ---- phases ------------------------------------------------------------- */

/* Creates a unique name from letters, digits and _ . + - of a kernel's name. */
static void name_phase(body *b, const char *kernel)
{
  char text[96];
  char *const to = b->phase[b->phases].name;
  size_t n = 0, same = 0;

  gscale_recorded_short_name(kernel, text, sizeof text);
  for (const char *c = text; *c && n < 26; c++)
    to[n++] = isalnum((unsigned char)*c) || strchr("_.+-", *c) ? *c : '_';
  to[n] = '\0';
  if (n == 0) strcpy(to, "kernel"), n = 6;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < b->phases; i++)
      again = again || strcmp(b->phase[i].name, to) == 0;
    if (again) snprintf(to + n, 5, "-%zu", ++same + 1);
  }
}

/* Returns the phase of a slot's kernel. A new kernel gets a new phase, or the
 * last phase if there are too many. */
static size_t phase_of(body *b, size_t j)
{
  const slot *const s = &b->p->gpu[b->gpu].slot[j];

  for (size_t i = 0; i < b->phases; i++)
    if (b->phase[i].symbol == s->symbol) return i;
  if (b->phases == BODY_PHASES) return BODY_PHASES - 1;
  name_phase(b, slot_what(b, j)->name);
  b->phase[b->phases].symbol = s->symbol;
  gscale_recording_work(b->p->r, slot_what(b, j), &b->phase[b->phases].flop,
                        &b->phase[b->phases].bytes);
  return b->phases++;
}

static bool is_mixed(size_t phase)
{
  return phase == BODY_PHASES - 1;
}

/* Finds the phases. The time of a phase is the mean of its launches. If several
 * kernels share a phase, the longest kernel gives the time, and each has a
 * share. */
void find_phases(body *b)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];

  for (size_t j = 0; j < g->slots; j++) {
    b->phase_of[j] = is_kernel(b, j) ? phase_of(b, j) : NONE;
    if (b->phase_of[j] == NONE) continue;
    body_phase *const f = &b->phase[b->phase_of[j]];
    const double n = (double)f->launches++;
    f->time = is_mixed(b->phase_of[j])
                  ? fmax(f->time, g->slot[j].time)
                  : (f->time * n + g->slot[j].time) / (n + 1.0);
    f->err = fmax(f->err, g->slot[j].spread);
  }
  for (size_t j = 0; j < g->slots; j++) {
    const size_t i = b->phase_of[j];
    const bool mixed = i != NONE && is_mixed(i) && b->phase[i].time > 0.0;
    b->weight[j] = mixed ? g->slot[j].time / b->phase[i].time : 1.0;
  }
}

/* ---- streams, sizes ----------------------------------------------------- */

size_t stream_of(body *b, int stream, bool copies)
{
  for (size_t i = 0; i < b->streams; i++)
    if (b->stream[i] == stream) return i;
  if (b->streams == 64) return 0;
  if (b->streams == 0)
    strcpy(b->stream_name[0], "main");
  else if (copies && b->streams == 1)
    strcpy(b->stream_name[b->streams], "copies");
  else
    snprintf(b->stream_name[b->streams], sizeof *b->stream_name, "stream%zu",
             b->streams + 1);
  b->stream[b->streams] = stream;
  return b->streams++;
}

/* Lists the streams. The stream with the longest kernel time is the first. */
void find_streams(body *b)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];
  double most = -1.0;
  int main = -1;

  for (size_t j = 0; j < g->slots; j++) {
    double sum = 0.0;
    for (size_t k = 0; k < g->slots; k++)
      if (g->slot[k].stream == g->slot[j].stream)
        sum += is_kernel(b, k) ? g->slot[k].time : 0.0;
    if (sum > most) most = sum, main = g->slot[j].stream;
  }
  stream_of(b, main, false);
  for (size_t j = 0; j < g->slots; j++)
    stream_of(b, g->slot[j].stream, !is_kernel(b, j));
}

/* Returns true for sizes that differ only by an uneven division. */
bool is_one_size(double a, double b)
{
  return fabs(a - b) <= 0.01 * fmax(a, b);
}

size_t size_of(const body *b, double bytes)
{
  for (size_t i = 0; i < b->sizes; i++)
    if (is_one_size(b->size[i], bytes)) return i;
  return NONE;
}

void find_sizes(body *b)
{
  for (size_t j = 0; j < b->p->gpu[b->gpu].slots; j++)
    if (goes_out(b, j) && size_of(b, slot_what(b, j)->bytes) == NONE &&
        b->sizes < BODY_SIZES)
      b->size[b->sizes++] = slot_what(b, j)->bytes;
}

/* Finds the rules that describe the copies between all GPUs of a run. */
static bool find_rules(const profile *p, bool *rule, bool *copies)
{
  const int n = p->gpus;
  bool *const sends = calloc((size_t)n * (size_t)n, sizeof *sends);
  bool any = false;

  if (!sends) return false;
  for (int g = 0; g < n; g++)
    for (size_t j = 0; j < p->gpu[g].slots; j++) {
      const gscale_recorded_what *const w =
          gscale_recording_what(p->r, p->gpu[g].slot[j].what);
      /* An unknown destination is the other GPU if there are two. */
      const int dst = w->dst >= 0 ? w->dst : n == 2 ? 1 - g : -1;
      if (w->copy != GSCALE_RECORDED_P2P || dst < 0) continue;
      const int src = w->src >= 0 ? w->src : g;
      sends[src * n + dst] = any = true;
    }
  for (int r = 0; r < PARTNERS_END; r++)
    rule[r] = any ? partners_fit((partner_rule)r, sends, n) : n == 1;
  *copies = any;
  free(sends);
  return true;
}

/* Finds the rules that hold in all runs. Chooses the first if there are
 * copies. */
bool find_partners(body *b)
{
  bool rule[PARTNERS_END], copies, known = find_rules(b->p, b->rule, &copies);

  b->chosen = PARTNERS_END;
  for (size_t i = 0; known && i < b->others; i++) {
    bool theirs;
    known = find_rules(&b->other[i].p, rule, &theirs);
    for (int r = 0; known && theirs && r < PARTNERS_END; r++)
      b->rule[r] = b->rule[r] && rule[r];
  }
  for (int r = PARTNERS_END; known && copies && r-- > 0;)
    if (b->rule[r]) b->chosen = (partner_rule)r;
  return known;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
