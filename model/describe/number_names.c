/* number_names.c - numbers of a workload by name. */

#include "describe/described.h"

#include <string.h>

/* The place of a number. */
typedef struct place {
  size_t phase;
  const gscale_field *field;
} place;

/* Finds a phase and a field with one number by name, like
 * "sweep.publish.bytes". */
static gscale_status find(const gscale_workload *w, const char *name,
                          place *out, gscale_diag *diag)
{
  for (size_t i = 0; i < w->phases; i++) {
    const char *const phase = w->phase[i].name;
    const size_t length = strlen(phase);

    if (strncmp(name, phase, length) != 0 || name[length] != '.') continue;
    const gscale_field *f =
        gscale_field_find(GSCALE_OF_PHASE, name + length + 1);
    if (f && (f->kind == GSCALE_NUMBER || f->kind == GSCALE_WHOLE)) {
      *out = (place){i, f};
      return GSCALE_OK;
    }
  }
  return gscale__fail(diag, GSCALE_ENAME, "%s: has no number '%.60s'", w->name,
                      name);
}

gscale_status gscale_workload_get(const gscale_workload *w, const char *name,
                                  gscale_param *out, gscale_diag *diag)
{
  gscale_phase phase;
  place at;

  if (!name) name = "";
  if (strcmp(name, "t1") == 0) {
    *out = w->single;
    return GSCALE_OK;
  }
  const gscale_status st = find(w, name, &at, diag);
  if (st != GSCALE_OK) return st;
  const gscale_param *said = gscale_workload_doubted(w, at.phase, at.field, 0);
  phase = w->phase[at.phase];
  *out = said ? *said : (gscale_param){.origin = GSCALE_DERIVED};
  out->val = *gscale_field_number(at.field, &phase, 0);
  return GSCALE_OK;
}

/* Removes earlier origins of a number. */
static void drop_earlier_origins(gscale_workload *w, const place *at)
{
  const size_t last = w->doubts - 1;
  size_t kept = 0;

  for (size_t i = 0; i <= last; i++)
    if (i == last || w->doubt[i].phase != at->phase ||
        w->doubt[i].field != at->field)
      w->doubt[kept++] = w->doubt[i];
  w->doubts = kept;
}

static gscale_status put(gscale_workload *w, const place *at,
                         const gscale_param *p, gscale_diag *diag)
{
  gscale_phase phase = w->phase[at->phase];

  *gscale_field_number(at->field, &phase, 0) = p->val;
  gscale_status st = gscale__check_phase(&phase, diag);
  if (st == GSCALE_OK)
    st = gscale_workload_doubt(w, at->phase, at->field, 0, p, diag);
  if (st != GSCALE_OK) return st;
  drop_earlier_origins(w, at);
  gscale__forget_on(w, at->phase, at->field);
  w->phase[at->phase] = phase;
  return GSCALE_OK;
}

gscale_status gscale_workload_set(gscale_workload *w, const char *name,
                                  const gscale_param *p, gscale_diag *diag)
{
  place at;

  if (!name) name = "";
  if (strcmp(name, "t1") == 0) return gscale_workload_set_single(w, *p, diag);
  gscale_status st = find(w, name, &at, diag);
  if (st == GSCALE_OK) st = put(w, &at, p, diag);
  /* The number keeps this value for every value of an uncertain knob. */
  for (size_t i = 0; st == GSCALE_OK && i < w->knobs; i++) {
    st = gscale_workload_set(w->knob[i].down, name, p, diag);
    if (st == GSCALE_OK) st = gscale_workload_set(w->knob[i].up, name, p, diag);
  }
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
