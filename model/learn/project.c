/* project.c - projection from measured machines to an unmeasured GPU by data
 * sheets. */

#include "describe/ask.h"
#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <string.h>

enum {
  MACHINES_MAX = 64
};

static bool is_host(gscale_rule r)
{
  return r == GSCALE_RULE_HOST;
}

static bool is_own(const gscale_param *p)
{
  return p->origin == GSCALE_MEASURED || p->origin == GSCALE_FITTED;
}

/* Returns true for a guess or an unchanged default, which say nothing about
 * another machine. */
static bool is_guess(const gscale_system *s, gscale_param_id id)
{
  const gscale_param *p = gscale_system_get(s, id);
  const gscale_param d = gscale_param_default(id);

  return gscale_system_guessed(s, id) ||
         (!gscale_param_info_at(id)->required && p->origin == d.origin &&
          !(p->val < d.val) && !(p->val > d.val) && !(p->err < d.err) &&
          !(p->err > d.err));
}

/* Returns true for values that agree to the last digit, which are copies of one
 * measurement. */
static bool is_copy(const gscale_param *const *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!(p[i]->val < p[n]->val) && !(p[i]->val > p[n]->val) &&
        !(p[i]->err < p[n]->err) && !(p[i]->err > p[n]->err))
      return true;
  return false;
}

/* The values of a parameter on the origin machines. */
typedef struct known {
  size_t n;
  const gscale_param *p[MACHINES_MAX];
  double factor[MACHINES_MAX];
  const char *name; /* name of the first machine */
  bool same_chip;   /* all machines have the same chip */
  bool blind;       /* a data sheet lacks the rule's quantity */
} known;

static bool is_same_chip(const gscale_sheet *a, const gscale_sheet *b)
{
  return a && *a->chip && strcmp(a->chip, b->chip) == 0;
}

static void collect(known *k, gscale_param_id id, bool own,
                    const gscale_origin_machine *from, size_t n,
                    const gscale_sheet *to, double rate)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  const bool host = is_host(info->rule);

  *k = (known){.same_chip = true};
  for (size_t i = 0; i < n && k->n < MACHINES_MAX; i++) {
    const gscale_param *p = gscale_system_get(from[i].system, id);

    if (!(host ? from[i].host : from[i].gpu) || !isfinite(p->val) ||
        (own ? !is_own(p) : p->origin != GSCALE_ASSUMED) ||
        is_guess(from[i].system, id))
      continue;
    k->p[k->n] = p;
    if (is_copy(k->p, k->n)) continue;
    double f = gscale_rule_factor(
        info->rule, info->dim, from[i].sheet, to,
        gscale_system_get(from[i].system, GSCALE_LINK_RATE)->val, rate);
    if (!(f > 0.0) || !isfinite(f)) f = 1.0, k->blind = true;
    k->factor[k->n] = f;
    if (k->n++ == 0) k->name = gscale_system_about(from[i].system).name;
    k->same_chip = k->same_chip && is_same_chip(from[i].sheet, to);
  }
}

/* Returns true if a value may be 0 within its error: no logarithm. */
static bool may_vanish(const known *k)
{
  for (size_t i = 0; i < k->n; i++)
    if (!(k->p[i]->val > k->p[i]->err)) return true;
  return false;
}

static void print_source(const known *k, gscale_rule r, gscale_param *out)
{
  const char *by = r == GSCALE_RULE_STAYS  ? "as it is"
                   : r == GSCALE_RULE_HOST ? "its host"
                                           : gscale_name(GSCALE_RULE_NAMES, r);

  gscale__print(out->source, sizeof out->source, "%s%s, %s%s%s", k->name,
                k->n > 1 ? " and others" : "",
                r == GSCALE_RULE_STAYS || r == GSCALE_RULE_HOST ? "" : "by ",
                by, k->blind ? ", sheet says too little" : "");
}

/* Returns the geometric mean, or the arithmetic mean if the value may be 0. */
static double mean_of(const known *k, bool vanishes)
{
  double sum = 0.0;

  for (size_t i = 0; i < k->n; i++)
    sum += vanishes ? k->p[i]->val : log(k->p[i]->val * k->factor[i]);
  sum /= (double)k->n;
  return vanishes ? sum : exp(sum);
}

/* Returns the mean square of relative errors, or of absolute errors if the
 * value may be 0. */
static double error_of(const known *k, bool vanishes)
{
  double sum = 0.0;

  for (size_t i = 0; i < k->n; i++) {
    const double e = vanishes ? k->p[i]->err : k->p[i]->err / k->p[i]->val;
    sum += e * e;
  }
  return sum / (double)k->n;
}

static void combine(const known *k, gscale_param_id id, bool own,
                    const gscale_trials *t, gscale_param *out)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  const double n = (double)k->n;
  const bool chance = k->same_chip || is_host(info->rule);
  const double spread = chance ? (1.0 + 1.0 / n) / 2.0 : 1.0;
  const bool same_chip = is_host(info->rule) || k->same_chip;
  const double sigma = gscale_trials_error(t, id, same_chip, NULL);
  const bool vanishes = may_vanish(k);
  const double value = mean_of(k, vanishes);
  const double unit = vanishes ? 1.0 : value;

  out->val = fmin(fmax(value, info->least), info->most);
  out->err = hypot(unit * sqrt(error_of(k, vanishes) / n),
                   value * sigma * sqrt(spread) * (k->blind ? 2.0 : 1.0));
  out->origin = own ? GSCALE_PROJECTED : GSCALE_ASSUMED;
  out->spread = GSCALE_BY_ORIGIN;
  print_source(k, info->rule, out);
}

static bool take_sheet(gscale_param_id id, const gscale_sheet *to,
                       gscale_param *out)
{
  const char *name = gscale_param_info_at(id)->name + strlen("device.");

  for (size_t e = 0; e < GSCALE_SHEET_END; e++)
    if (strcmp(gscale_sheet_entry_name((gscale_sheet_entry)e), name) == 0 &&
        !isnan(to->entry[e].val)) {
      *out = to->entry[e];
      return true;
    }
  return false;
}

/* Takes a constant of the driver or a library, equal on all machines. */
static bool take_constant(gscale_param_id id, const gscale_origin_machine *from,
                          size_t n, gscale_param *out)
{
  const gscale_param_info *info = gscale_param_info_at(id);

  if (info->rule != GSCALE_RULE_STAYS && info->rule != GSCALE_RULE_HOST)
    return false;
  for (size_t i = 0; i < n; i++) {
    const gscale_param *p = gscale_system_get(from[i].system, id);
    const double otherwise = gscale_param_default(id).val;

    if (p->origin != GSCALE_SPEC || info->required || !isfinite(p->val) ||
        !(fabs(p->val - otherwise) > 0.0))
      continue;
    *out = *p;
    return true;
  }
  return false;
}

bool gscale_project_number(gscale_param_id id,
                           const gscale_origin_machine *from, size_t n,
                           const gscale_sheet *to, double rate,
                           const gscale_trials *t, gscale_param *out)
{
  known k;

  if (gscale_param_info_at(id)->rule == GSCALE_RULE_SHEET)
    return take_sheet(id, to, out);
  for (int own = 1; own >= 0; own--) {
    collect(&k, id, own, from, n, to, rate);
    if (k.n == 0) continue;
    combine(&k, id, own, t, out);
    return true;
  }
  return take_constant(id, from, n, out);
}

/* Returns the point of the curve with the most bandwidth, up to which a cache
 * serves all accesses. */
static size_t top_of(const gscale_curve *c)
{
  size_t top = 0;

  for (size_t i = 1; i < c->n; i++)
    if (c->y[i] > c->y[top]) top = i;
  return top;
}

/* Projects the bandwidth y of a footprint beyond the top.  The hit rate h comes
 * from
 *
 *   1/y = h / top + 1 - h.
 *
 * A bandwidth below the memory's bandwidth does not depend on caches. */
static double past_top(double y, double top, double new_top)
{
  if (!(y > 1.0) || !(new_top > 1.0)) return fmin(y, 1.0);
  const double h = (1.0 - 1.0 / y) / (1.0 - 1.0 / top);
  return 1.0 / (h / new_top + 1.0 - h);
}

/* Projects the curve, which is relative to the projected memory bandwidth
 * `membw`.  A what-if on device.membw therefore scales caches too, as on a
 * measured machine. */
static gscale_status project_curve(gscale_system *s,
                                   const gscale_origin_machine *from,
                                   const gscale_sheet *to, double membw,
                                   gscale_diag *diag)
{
  const gscale_curve *was = gscale_system_about(from->system).membw;
  const double cores = gscale_rule_factor(GSCALE_RULE_CORES, GSCALE_BYTERATE,
                                          from->sheet, to, 1.0, 1.0);
  const double slower =
      gscale_system_get(from->system, GSCALE_DEVICE_MEMBW)->val / membw;
  const double caches = from->sheet
                            ? to->entry[GSCALE_SHEET_L2].val /
                                  from->sheet->entry[GSCALE_SHEET_L2].val
                            : NAN;
  const double in_cache = slower * (isfinite(cores) ? cores : 1.0);
  const size_t top = top_of(was);
  const gscale_param each = {1.0, 0.1, GSCALE_PROJECTED, "its cache",
                             GSCALE_BY_ORIGIN};
  gscale_curve c = *was;

  for (size_t i = 0; i < c.n; i++) {
    c.x[i] *= isfinite(caches) ? caches : 1.0;
    c.y[i] = i <= top
                 ? was->y[i] * in_cache
                 : past_top(was->y[i], was->y[top], was->y[top] * in_cache);
  }
  gscale_status st = gscale_system_set_membw_curve(s, &c, diag);
  if (st == GSCALE_OK) st = gscale_system_doubt_membw_curve(s, &each, diag);
  return st;
}

static gscale_status check(const gscale_origin_machine *from, size_t n,
                           const gscale_sheet *to, gscale_diag *diag)
{
  static const gscale_sheet_entry needed[] = {
      GSCALE_SHEET_MEMORY, GSCALE_SHEET_MEMBW, GSCALE_SHEET_SMS,
      GSCALE_SHEET_THREADS, GSCALE_SHEET_FLOPS};
  bool gpu = false, host = false;

  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (isnan(to->entry[needed[i]].val))
      return gscale__fail(diag, GSCALE_ENEED, "%s: its sheet has no %s",
                          to->device, gscale_sheet_entry_name(needed[i]));
  for (size_t i = 0; i < n; i++) {
    gpu = gpu || from[i].gpu;
    host = host || from[i].host;
  }
  return gpu && host ? GSCALE_OK
                     : gscale__fail(diag, GSCALE_ENEED, "no machine gives a %s",
                                    gpu ? "host" : "GPU");
}

/* Returns the first machine that has the flag gpu, which check() ensures. */
static const gscale_origin_machine *first_gpu(const gscale_origin_machine *from)
{
  while (!from->gpu) from++;
  return from;
}

/* Returns the nominal rate of the port.  A what-if on link.rate changes no
 * other parameter. */
static double rate_of(const gscale_system *s)
{
  const double sold = gscale_system_about(s).link->rate;

  return sold > 0.0 ? sold : gscale_system_get(s, GSCALE_LINK_RATE)->val;
}

/* Replaces the link of the measurements by the new link.  Parameters of the
 * description stay. */
static gscale_status swap_link(gscale_system *s, const gscale_link *was,
                               const bool *said, gscale_diag *diag)
{
  const gscale_link now = *gscale_system_about(s).link;
  const gscale_param rate = *gscale_system_get(s, GSCALE_LINK_RATE);
  const gscale_param duplex = *gscale_system_get(s, GSCALE_LINK_DUPLEX);
  const gscale_can can = *gscale_system_can(s);
  gscale_system with = *s;
  gscale_status st = gscale_system_set_link(&with, was, diag);

  if (st == GSCALE_OK) st = gscale_system_swap_link(&with, &now, diag);
  if (st == GSCALE_OK) st = gscale_system_set_can(&with, &can, diag);
  if (st != GSCALE_OK) return st;
  gscale__param_put(&with, GSCALE_LINK_RATE, &rate);
  gscale__param_put(&with, GSCALE_LINK_DUPLEX, &duplex);
  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    if (said[id])
      gscale__param_put(&with, (gscale_param_id)id,
                        gscale_system_get(s, (gscale_param_id)id));
  *s = with;
  return GSCALE_OK;
}

/* Returns true if the host's link, of which `now` is assumed, is too slow for
 * the projected rate. */
static bool exceeds_host(const gscale_param *now, gscale_param_id id,
                         const gscale_param *p)
{
  return gscale_param_info_at(id)->dim == GSCALE_BYTERATE &&
         now->origin == GSCALE_ASSUMED && now->val > 0.0 &&
         p->val > now->val + 2.0 * now->err;
}

gscale_status gscale_project(gscale_system *s,
                             const gscale_origin_machine *from, size_t n,
                             const gscale_sheet *to, const gscale_trials *t,
                             const bool *said, gscale_diag *diag)
{
  gscale_status st = check(from, n, to, diag);
  const double rate = rate_of(s);
  gscale_param membw = *gscale_system_get(s, GSCALE_DEVICE_MEMBW);
  double least, most;

  if (st != GSCALE_OK) return st;
  const gscale_origin_machine *first = first_gpu(from);
  const gscale_link *was = gscale_system_about(first->system).link;
  const bool same_format = was->format == gscale_system_about(s).link->format;
  for (size_t i = 0; st == GSCALE_OK && i < GSCALE_PARAM_END; i++) {
    const gscale_param_id id = (gscale_param_id)i;
    gscale_param p;

    if (said[i] || id == GSCALE_LINK_RATE ||
        (id == GSCALE_LINK_DUPLEX && !same_format) ||
        !gscale_project_number(id, from, n, to, rate, t, &p) ||
        exceeds_host(gscale_system_get(s, id), id, &p))
      continue;
    st = gscale_system_set(s, id, &p, diag);
  }
  if (st == GSCALE_OK && !same_format) st = swap_link(s, was, said, diag);
  gscale_project_number(GSCALE_DEVICE_MEMBW, from, n, to, rate, t, &membw);
  if (st == GSCALE_OK && gscale_system_about(s).membw->n == 0 &&
      gscale_system_about(first->system).membw->n > 0)
    st = project_curve(s, first, to, membw.val, diag);
  gscale_system_copy_range(first->system, &least, &most);
  if (st == GSCALE_OK && isfinite(most))
    st = gscale_system_set_copy_range(s, least, most, diag);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
