/* calibrate.c - fits of a system's parameters to microbenchmarks, by the
 * recipes of recipe/. */

#include "learn/recipe/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The recipes in order.  A recipe may subtract costs that an earlier recipe
 * fitted. */
static void (*const recipes[])(bench_run *) = {
    gscale__recipes_host,           gscale__recipes_calls,
    gscale__recipes_device,         gscale__recipes_copy,
    gscale__recipes_staged,         gscale__recipes_store,
    gscale__recipes_load,           gscale__recipes_contend,
    gscale__recipes_agent,          gscale__recipes_managed,
    gscale__recipes_collective,     gscale__recipes_collective_nodes,
    gscale__recipes_collective_mpi, gscale__recipes_network,
    gscale__recipes_power,
};

static void begin_report(const gscale_system *s, gscale_calibration *out)
{
  *out = (gscale_calibration){.n = GSCALE_PARAM_END};
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    out->of[id].id = (gscale_param_id)id;
    out->of[id].base = gscale_system_get(s, id)->val;
    out->of[id].fit = SIZE_MAX;
    out->of[id].correlation = NAN;
    gscale__copy_text(out->of[id].note, sizeof out->of[id].note,
                      "no bench identifies it");
  }
}

static bool bench_is_used(const bench_run *b, const char *bench)
{
  for (size_t i = 0; i < gscale_measurements_count(b->m); i++)
    if (b->used[i] &&
        strcmp(gscale_measurements_at(b->m, i)->bench, bench) == 0)
      return true;
  return false;
}

static bool named(const char *list, const char *bench)
{
  const size_t n = strlen(bench);

  for (const char *at = list; (at = strstr(at, bench)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ',' || !at[n])) return true;
  return false;
}

/* Lists the benches whose rows no recipe used. Listed benches are not searched
 * again, because a bench may have a million rows. */
static void name_unused(const bench_run *b, gscale_calibration *out)
{
  char *const list = out->unused_benches;
  const size_t room = sizeof out->unused_benches;

  for (size_t i = 0; i < gscale_measurements_count(b->m); i++) {
    const char *bench = gscale_measurements_at(b->m, i)->bench;
    const bool known = named(list, bench);
    if (b->used[i] || (!known && bench_is_used(b, bench))) continue;
    out->unused++;
    if (!known && strlen(list) + strlen(bench) + 3 <= room)
      gscale_append(list, room, "%s%s", *list ? ", " : "", bench);
  }
}

void gscale_calibration_free(gscale_calibration *c)
{
  if (!c) return;
  free(c->fit);
  free(c->point);
  c->fit = NULL;
  c->point = NULL;
  c->fits = c->points = 0;
}

static void free_points(points *p)
{
  free(p->y);
  free(p->sigma);
  free(p->x);
  free(p->from);
}

/* Runs all recipes, and returns the number of fitted parameters. */
static size_t run_recipes(bench_run *b)
{
  size_t n = 0;

  for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) recipes[i](b);
  name_unused(b, b->out);
  n = b->out->watts != 0;
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) n += b->out->of[id].fitted;
  free_points(&b->p);
  if (b->st == GSCALE_OK) gscale__told(b->s, b->m, b->out);
  return n;
}

gscale_status gscale_calibrate(gscale_system *s, const gscale_measurements *m,
                               gscale_calibration *out, gscale_diag *diag)
{
  if (!s || !m)
    return gscale__fail(diag, GSCALE_ENEED,
                        "a calibration needs a system and measurements");
  struct {
    gscale_system s;
    gscale_calibration report;
  } *fitted = malloc(sizeof *fitted);
  bool *used = calloc(gscale_measurements_count(m) + 1, sizeof *used);
  gscale_status st = GSCALE_ENOMEM;

  if (fitted && used) {
    bench_run b = {
        .m = m, .s = &fitted->s, .out = &fitted->report, .used = used};
    fitted->s = *s;
    begin_report(s, b.out);
    const size_t n = run_recipes(&b);
    st = b.st == GSCALE_OK && n == 0 ? GSCALE_EDATA : b.st;
    if (st == GSCALE_OK) *s = fitted->s;
    if (st == GSCALE_OK && out)
      *out = fitted->report;
    else
      gscale_calibration_free(b.out);
    if (st != GSCALE_OK)
      gscale__fail(diag, st, "%s",
                   b.st != GSCALE_OK ? b.why.text
                   : *b.refused.text ? b.refused.text
                                     : "no measurement identifies a parameter");
  } else {
    gscale__fail(diag, st, "no memory for a calibration");
  }
  free(used);
  free(fitted);
  return st;
}

void gscale_calibration_benches(const gscale_system *s, gscale_calibration *out)
{
  gscale_system unchanged = *s;
  gscale_measurements *none = gscale_measurements_new();
  bool used = false;
  bench_run b = {.m = none, .s = &unchanged, .out = out, .used = &used};

  begin_report(s, out);
  if (none)
    run_recipes(&b);
  else
    gscale__refused();
  gscale_calibration_free(out);
  gscale_measurements_free(none);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
