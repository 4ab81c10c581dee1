/* transfer.c - the errors of numbers that a calibrated machine inherits from
 * its base.
 *
 * The loss of a number is estimated from machines on the search path with the
 * same link and number: loss = sqrt(sum over pairs of ln(a / b)^2 / (2 pairs)).
 * The loss is the standard deviation of the number's logarithm between
 * machines.
 *
 * If two machines have equal numbers to the last digit, the number was copied
 * and does not count. The loss of a number without pairs is 0.5. */

#include "calibrate/transfer.h"

#include <math.h>
#include <string.h>

static const double UNKNOWN = 0.5;

enum {
  MACHINES_MAX = 64
};

typedef struct machines {
  const gscale_link *link;
  size_t n;
  double value[MACHINES_MAX][GSCALE_PARAMS_MAX]; /* NaN: not measured */
} machines;

static bool is_measured(const gscale_param *p)
{
  return (p->origin == GSCALE_MEASURED || p->origin == GSCALE_FITTED) &&
         p->err > 0.0;
}

/* Adds a machine. A file that cannot be loaded is skipped. */
static int add_machine(const char *path, const char *name, void *closure,
                       failure *why)
{
  machines *m = closure;
  settings none = {.option = "-P"};
  gscale_system *s = NULL;
  failure ignored;

  (void)name;
  if (m->n == MACHINES_MAX) return EXIT_OK;
  if (load_system(path, &none, &s, NULL, &ignored) != EXIT_OK)
    return ignored.status == EXIT_INTERNAL
               ? fail(why, EXIT_INTERNAL, "%s", ignored.text)
               : EXIT_OK;
  if (strcmp(gscale_system_about(s).link->name, m->link->name) == 0) {
    for (size_t id = 0; id < gscale_param_count(); id++) {
      const gscale_param *p = gscale_system_get(s, (gscale_param_id)id);
      m->value[m->n][id] = is_measured(p) && p->val > 0.0 ? p->val : NAN;
    }
    m->n++;
  }
  gscale_system_free(s);
  return EXIT_OK;
}

/* Returns the loss of a number, or NaN without pairs. */
static double loss_of(const machines *m, size_t id)
{
  double square = 0.0;
  size_t pairs = 0;

  for (size_t i = 0; i < m->n; i++)
    for (size_t j = 0; j < i; j++) {
      const double d = log(m->value[i][id] / m->value[j][id]);

      if (!(fabs(d) > 0.0)) continue; /* copied or missing */
      square += d * d / 2.0;
      pairs++;
    }
  return sqrt(square / (double)pairs);
}

/* Returns the standard deviation of a number between machines. */
static double scatter_of(const machines *m, size_t id, gscale_param *p)
{
  gscale_param next;

  if (id < gscale_param_count() &&
      gscale_param_population((gscale_param_id)id, false, &next)) {
    p->spread = next.spread;
    return next.spread == GSCALE_LOG ? next.err / next.val * fabs(p->val)
                                     : next.err;
  }
  const double l = id < gscale_param_count() ? loss_of(m, id) : NAN;

  return (isnan(l) ? UNKNOWN : l) * fabs(p->val);
}

static gscale_param taken_over(const machines *m, size_t id,
                               const gscale_param *base, const char *from)
{
  gscale_param p = *base;

  p.err = hypot(p.err, scatter_of(m, id, &p));
  p.origin = GSCALE_INHERITED;
  snprintf(p.source, sizeof p.source, "%.*s", GSCALE_NAME_MAX - 1, from);
  return p;
}

/* Inherits numbers that are no parameters, such as remote methods of clusters
 * and power. Measured numbers, whose bits are in `own`, are not inherited. */
static gscale_status inherit_rows(gscale_system *s, gscale_described of,
                                  unsigned own, const machines *m,
                                  const char *from, gscale_diag *diag)
{
  const gscale_field *row;
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && (row = gscale_field_at(of, i)); i++) {
    const gscale_param *p = gscale_system_remote_said(s, row);

    if (!p || p->origin != GSCALE_MEASURED || (own && own >> i & 1u)) continue;
    const gscale_param taken = taken_over(m, gscale_param_count(), p, from);
    st = gscale_system_set_remote(s, row, &taken, diag);
  }
  return st;
}

static bool is_known(size_t id, const gscale_calibration *fitted,
                     settings *said)
{
  return (id < fitted->n && fitted->of[id].fitted) ||
         settings_take(said, gscale_param_info_at(id)->name) != NULL;
}

static gscale_status inherit_all(gscale_system *s, const machines *m,
                                 const gscale_calibration *fitted,
                                 settings *said, const char *from,
                                 gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < gscale_param_count(); i++) {
    const gscale_param *p = gscale_system_get(s, (gscale_param_id)i);

    if (p->origin != GSCALE_MEASURED || is_known(i, fitted, said)) continue;
    gscale_param taken = taken_over(m, i, p, from);
    taken.err = fmax(
        p->err, 1.0 / sqrt(1.0 / (taken.err * taken.err) + fitted->of[i].told));
    st = gscale_system_set(s, (gscale_param_id)i, &taken, diag);
  }
  if (st == GSCALE_OK) st = inherit_rows(s, GSCALE_OF_REMOTE, 0, m, from, diag);
  if (st == GSCALE_OK)
    st = inherit_rows(s, GSCALE_OF_POWER, fitted->watts, m, from, diag);
  return st;
}

int inherit(gscale_system *s, const gscale_calibration *fitted, settings *said,
            const char *from, failure *why)
{
  static machines m; /* large */
  gscale_diag diag;

  m = (machines){.link = gscale_system_about(s).link};
  if (each_description(KIND_SYSTEM, add_machine, &m, why) != EXIT_OK)
    return why->status;
  return check_gscale(why, inherit_all(s, &m, fitted, said, from, &diag),
                      &diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
