/* refit.c - fits each constant to the printed numbers that it names, and to no
 * others. */

#include "reproduce/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROUNDS = 4 /* constants depend on one another */
};
static const double SETTLED = 1e-3;

typedef struct refit {
  publication *p, *held;
  const char *id; /* of the row, or NULL: all constants */
  size_t at;      /* the constant */
  const options *o;
  failure *why;
  int status; /* of the first failure */
} refit;

/* How far ours is from the printed number, as a share; a factor for places on
 * logarithmic axes. */
static double distance(const published *r)
{
  const double printed = 0.5 * (r->least + r->most);

  if (r->tolerance[0] == 'x') return log(r->ours / printed);
  return r->ours / printed - 1.0;
}

static double misfit(double value, void *closure)
{
  refit *f = closure;
  const char *s = f->held->constant[f->at].rows;
  char id[16];
  double sum = 0.0;

  f->held->constant[f->at].value = value;
  for (int used = 0; sscanf(s, "%15s%n", id, &used) == 1; s += used) {
    if (f->status == EXIT_OK)
      f->status = publication_reproduce(f->p, id, f->o, f->why);
    if (f->status != EXIT_OK) return (double)NAN;
    const double d = distance(publication_find(f->p, id));
    sum += d * d;
  }
  return sum;
}

/* Fits one constant; *change is by how much, as a share. */
static int fit_one(refit *f, double *change)
{
  constant *c = &f->held->constant[f->at];
  const double before = c->value;
  gscale_diag diag;
  double x = before;
  const gscale_status st =
      gscale_minimum(misfit, f, c->least, c->most, &x, &diag);

  c->value = x;
  *change = fabs(x / before - 1.0);
  if (f->status != EXIT_OK) return f->status;
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(f->why, st, &diag);
}

/* Of two readings one was chosen: there is nothing between them. */
static bool can_move(const refit *f, const constant *c)
{
  return c->fitted && c->least < c->most && (!f->id || is_fitted_to(c, f->id));
}

static int fit_all(refit *f)
{
  double most = INFINITY, change;
  int st = EXIT_OK;

  for (int round = 0; round < ROUNDS && most > SETTLED; round++) {
    most = 0.0;
    for (f->at = 0; st == EXIT_OK && f->at < f->held->constants; f->at++) {
      if (!can_move(f, &f->held->constant[f->at])) continue;
      st = fit_one(f, &change);
      most = fmax(most, change);
    }
  }
  return st;
}

int publication_refit(publication *p, const char *id, const options *o,
                      failure *why)
{
  publication *held = malloc(sizeof *held);
  refit f = {.p = p, .held = held, .id = id, .o = o, .why = why};
  int st;

  if (!held) return fail(why, EXIT_INTERNAL, "no memory to refit");
  st = publication_reproduce(p, id, o, why);
  *held = *p; /* its constants; the rows are not looked at */
  p->held = held;
  if (st == EXIT_OK) st = fit_all(&f);
  if (st == EXIT_OK) st = publication_reproduce(p, id, o, why);
  p->held = NULL;
  free(held);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
