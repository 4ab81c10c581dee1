/* workload.c - description of one step of a program. */

#include "describe/described.h"
#include "describe/program.h"
#include "ground/ground.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

gscale_workload *gscale_workload_new(const char *name)
{
  gscale_workload *w = calloc(1, sizeof *w);
  if (!w) return NULL;

  gscale__copy_text(w->name, sizeof w->name, name);
  w->single.origin = GSCALE_MEASURED;
  w->host = gscale_host_default;
  w->most = GSCALE__PHASES_MAX;
  return w;
}

gscale_workload *gscale_workload_trim(gscale_workload *w)
{
  const size_t size =
      offsetof(gscale_workload, phase) + w->phases * sizeof *w->phase;
  gscale_workload *less = realloc(w, size);

  if (!less) return w;
  less->most = less->phases;
  return less;
}

void gscale_workload_free(gscale_workload *w)
{
  if (!w) return;
  for (size_t i = 0; i < w->knobs; i++) {
    gscale_workload_free(w->knob[i].down);
    gscale_workload_free(w->knob[i].up);
  }
  free(w->knob);
  free(w->doubt);
  free(w->on);
  free(w->there);
  gscale__program_free(w->program);
  free(w);
}

static bool computes(const gscale_phase *p)
{
  return p->flop > 0.0 || p->bytes > 0.0 || p->fixed > 0.0 || p->groups > 0;
}

/* ---- a grid of GPUs ------------------------------------------------------ */

/* Returns the largest divisor of n that does not exceed its square root. */
static int half_of(int n)
{
  int d = (int)sqrt((double)n);

  while (n % d != 0) d--;
  return d;
}

/* Factors n = f[0] * f[1] * f[2], in falling order, with the smallest sum. */
static void factors(int n, int count, int *f)
{
  int least = n + 2;

  f[0] = n;
  f[1] = f[2] = 1;
  for (int c = 1; c * c * c <= n && count > 1; c++) {
    if (n % c != 0 || (count == 2 && c > 1)) continue;
    const int b = half_of(n / c), a = n / c / b;
    if (a + b + c >= least) continue;
    least = a + b + c;
    f[0] = a;
    f[1] = b;
    f[2] = c;
  }
}

bool gscale_phase_grid(const gscale_phase *p, int n, int grid[GSCALE_DIMS_MAX])
{
  int open = 0, next = 0, f[3];

  for (int d = 0; d < GSCALE_DIMS_MAX; d++) {
    const int said = (int)p->grid[d];
    grid[d] = said;
    open += said == 0;
    if (said > 0 && n % said != 0) return false;
    if (said > 0) n /= said;
  }
  if (open == 0) return n == 1;
  factors(n, open, f);
  for (int d = 0; d < GSCALE_DIMS_MAX; d++)
    if (grid[d] == 0) grid[d] = f[next++];
  return true;
}

gscale_status gscale__check_phase(const gscale_phase *p, gscale_diag *diag)
{
  GSCALE_EACH_FIELD (GSCALE_OF_PHASE, f) {
    const gscale_status st = gscale_field_check(f, p, p->name, diag);
    if (st != GSCALE_OK) return st;
  }
  if (p->origin >= GSCALE_ORIGIN_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: origin", p->name);
  if (p->reduce > 0.0 && p->to != GSCALE_TO_NONE)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: reduce and to: a phase moves one of them",
                        p->name);
  for (int d = 0; d < GSCALE_DIMS_MAX; d++)
    if (!(p->grid[d] <= (double)GSCALE__GPUS_MAX) ||
        floor(p->grid[d]) != p->grid[d])
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: grid.gpus: %g is no number of GPUs, 0 .. %d",
                          p->name, p->grid[d], (int)GSCALE__GPUS_MAX);
  if (!(p->kernels > 0.0) && computes(p))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: host.kernels: 0, and it computes, or has blocks",
                        p->name);
  return GSCALE_OK;
}

gscale_status gscale_workload_add(gscale_workload *w, const gscale_phase *p,
                                  gscale_diag *diag)
{
  const gscale_status st = gscale__check_phase(p, diag);

  if (st != GSCALE_OK) return st;
  if (w->phases >= w->most)
    return gscale__fail(diag, GSCALE_ESIZE, "%s: more than %d phases", w->name,
                        (int)w->most);

  w->phase[w->phases++] = *p;
  return GSCALE_OK;
}

static gscale_status check_origin(const gscale_workload *w,
                                  const gscale_param *p, gscale_diag *diag)
{
  if (p->err >= 0.0 && isfinite(p->err) && p->origin < GSCALE_ORIGIN_END)
    return GSCALE_OK;
  return gscale__fail(diag, GSCALE_EDOMAIN, "%s: standard error %g", w->name,
                      p->err);
}

gscale_status gscale_workload_doubt(gscale_workload *w, size_t phase,
                                    const gscale_field *f, size_t i,
                                    const gscale_param *p, gscale_diag *diag)
{
  const gscale_status st = check_origin(w, p, diag);

  if (st != GSCALE_OK) return st;
  if (!f) return gscale__fail(diag, GSCALE_ENAME, "%s: no such field", w->name);
  if (phase >= w->phases || !gscale_field_number(f, &w->phase[phase], i))
    return gscale__fail(diag, GSCALE_ENAME, "%s: %s has no number %zu", w->name,
                        f->name, i);
  gscale__doubt *more =
      gscale_reserve(w->doubt, &w->room, w->doubts + 1, sizeof *more);
  if (!more)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a workload");
  w->doubt = more;
  more[w->doubts++] = (gscale__doubt){phase, f, i, *p};
  return GSCALE_OK;
}

gscale_status gscale_workload_add_knob(gscale_workload *w, const char *name,
                                       gscale_dim dim, const gscale_param *p,
                                       double low, gscale_workload *down,
                                       double high, gscale_workload *up,
                                       gscale_diag *diag)
{
  const gscale_status st = check_origin(w, p, diag);
  gscale__uncertain_knob *more;

  if (st != GSCALE_OK) return st;
  if (!(p->err > 0.0) || !(low <= p->val) || !(high >= p->val))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: %g is not in %g .. %g",
                        w->name, name, p->val, low, high);
  more = realloc(w->knob, (w->knobs + 1) * sizeof *more);
  if (!more) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a knob");
  w->knob = more;
  more = &w->knob[w->knobs++];
  *more = (gscale__uncertain_knob){
      .dim = dim, .p = *p, .low = low, .high = high, .down = down, .up = up};
  gscale__copy_text(more->name, sizeof more->name, name);
  return GSCALE_OK;
}

gscale_status gscale_workload_set_single(gscale_workload *w, gscale_param time,
                                         gscale_diag *diag)
{
  if (!(time.val >= 0.0) || !isfinite(time.val) || !(time.err >= 0.0) ||
      !isfinite(time.err))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: t1: %g s +- %g s is no time",
                        w->name, time.val, time.err);
  w->single = time;
  *w->t1_on = '\0';
  w->t1_roofline = 0.0;
  return GSCALE_OK;
}

gscale_status gscale_workload_set_t1_roofline(gscale_workload *w, double there,
                                              gscale_diag *diag)
{
  if (!(there >= 0.0) || !isfinite(there))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %g s is no time", w->name,
                        there);
  w->t1_roofline = there;
  return GSCALE_OK;
}

void gscale_workload_set_grown(gscale_workload *w, double n)
{
  w->grown = n;
}

static void insert_share(gscale_workload *w, gscale_share_of one)
{
  size_t at = w->shares++;

  for (; at > 0 && w->share[at - 1].parts > one.parts; at--)
    w->share[at] = w->share[at - 1];
  w->share[at] = one;
}

gscale_status gscale_workload_set_shares(gscale_workload *w,
                                         const gscale_share_of *shares,
                                         size_t n, gscale_diag *diag)
{
  if (n > GSCALE_SHARES_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: t1: more than %d shares",
                        w->name, GSCALE_SHARES_MAX);
  w->shares = 0;
  for (size_t i = 0; i < n; i++) {
    const gscale_share_of one = shares[i];

    if (one.parts < 2 || !(one.of_single > 0.0) || !isfinite(one.of_single))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: t1: a share of 1/%d, %g of the whole", w->name,
                          one.parts, one.of_single);
    for (size_t k = 0; k < w->shares; k++)
      if (w->share[k].parts == one.parts)
        return gscale__fail(diag, GSCALE_EDOMAIN,
                            "%s: t1: the share 1/%d twice", w->name, one.parts);
    insert_share(w, one);
  }
  return GSCALE_OK;
}

gscale_status gscale_workload_set_run(gscale_workload *w, int gpus,
                                      gscale_param time, const char *system,
                                      gscale_diag *diag)
{
  if (gpus < 1 || gpus > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: run: %d GPUs", w->name,
                        gpus);
  if (!(time.val > 0.0) || !(time.err >= 0.0) || !isfinite(time.val + time.err))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: run: %g s +- %g s is no time", w->name, time.val,
                        time.err);
  w->run.gpus = gpus;
  w->run.time = time;
  gscale__copy_text(w->run.on, sizeof w->run.on, system);
  return GSCALE_OK;
}

void gscale_workload_set_t1_on(gscale_workload *w, const char *system)
{
  gscale__copy_text(w->t1_on, sizeof w->t1_on, system);
}

/* ---- host ---------------------------------------------------------------- */

const gscale_host gscale_host_default = {
    .streams = 1, .barriers = 1, .waits = GSCALE_WAITS_PHASE};

/* Checks each field by its row, and refuses 4 or 6 barriers. */
static gscale_status check_host(const gscale_workload *w, const gscale_host *h,
                                gscale_diag *diag)
{
  GSCALE_EACH_FIELD (GSCALE_OF_STEP, f) {
    if (strcmp(f->group, "host") != 0 && strcmp(f->group, "norm") != 0)
      continue;
    const gscale_status st = gscale_field_check(f, h, w->name, diag);
    if (st != GSCALE_OK) return st;
  }
  if (h->barriers == 4 || h->barriers == 6)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: host.barriers: out of its domain", w->name);
  return GSCALE_OK;
}

/* Returns a text about fields that contradict each other, or NULL. */
static const char *host_contradiction(const gscale_host *h)
{
  if (h->barriers > 1 && h->threads == 1)
    return "host.barriers: one thread meets nobody";
  if (h->barriers > 1 && h->waits != GSCALE_WAITS_PHASE)
    return "host.barriers: the threads wait for each phase (waits = \"phase\")";
  if (h->norm.late && h->waits != GSCALE_WAITS_NEVER)
    return "norm.late: a host that waits for its step has read it "
           "(waits = \"never\")";
  return NULL;
}

gscale_status gscale_workload_set_host(gscale_workload *w, const gscale_host *h,
                                       gscale_diag *diag)
{
  const gscale_status st = check_host(w, h, diag);
  if (st != GSCALE_OK) return st;
  const char *wrong = host_contradiction(h);
  if (wrong) return gscale__fail(diag, GSCALE_EDATA, "%s: %s", w->name, wrong);
  w->host = *h;
  for (size_t i = 0; i < w->theres; i++) w->there[i].host = *h;
  return GSCALE_OK;
}

const gscale_phase *gscale_workload_phase(const gscale_workload *w, size_t i)
{
  return i < w->phases ? &w->phase[i] : NULL;
}

bool gscale_workload_t1_elsewhere(const gscale_workload *w, const char *system)
{
  const size_t length = strlen(system);
  bool other = false;

  if (!(w->single.val > 0.0)) return false;
  for (const char *s = w->t1_on; *s; s += strspn(s, " ")) {
    const size_t n = strcspn(s, " ");
    if (n == length && strncmp(s, system, n) == 0) return false;
    other = other || n > 0;
    s += n;
  }
  return other;
}

const gscale_param *gscale_workload_doubted(const gscale_workload *w,
                                            size_t phase, const gscale_field *f,
                                            size_t i)
{
  for (size_t k = 0; k < w->doubts; k++)
    if (w->doubt[k].phase == phase && w->doubt[k].field == f &&
        w->doubt[k].index == i)
      return &w->doubt[k].p;
  return NULL;
}

/* Returns the rank of an origin, from firm to weak. */
static int weakness(gscale_origin o)
{
  static const gscale_origin order[] = {
      GSCALE_SPEC,      GSCALE_COUNTED,   GSCALE_DERIVED, GSCALE_MEASURED,
      GSCALE_PROJECTED, GSCALE_INHERITED, GSCALE_ASSUMED, GSCALE_FITTED};
  int i = 0;
  while (order[i] != o) i++;
  return i;
}

gscale_origin gscale_workload_origin(const gscale_workload *w)
{
  gscale_origin weakest = w->single.val > 0.0 ? w->single.origin : GSCALE_SPEC;

  for (size_t i = 0; i < w->phases; i++)
    if (weakness(w->phase[i].origin) > weakness(weakest))
      weakest = w->phase[i].origin;
  return weakest;
}

void gscale__copy_workload(gscale_workload *to, const gscale_workload *from)
{
  memcpy(to, from,
         offsetof(gscale_workload, phase) + from->phases * sizeof *from->phase);
}

gscale_workload_facts gscale_workload_about(const gscale_workload *w)
{
  return (gscale_workload_facts){w->name,       w->phases, &w->single,
                                 w->t1_on,      &w->host,  w->program != NULL,
                                 w->theres > 0, w->shares, w->share};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
