/* system.c - creation, setting and checking of systems. */

#include "describe/ask.h"
#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- abilities ----------------------------------------------------------- */

gscale_can gscale_link_can(const gscale_link *l)
{
  switch (l ? l->format : GSCALE_FORMAT_END) {
  case GSCALE_NVLINK:
    return (gscale_can){GSCALE_PEER_ATOMICS, true, true};
  case GSCALE_PCIE:
  case GSCALE_PCIE_FLIT:
    return (gscale_can){GSCALE_PEER_STORES, true, true};
  case GSCALE_RAW:
  case GSCALE_INFINIBAND:
  case GSCALE_ETHERNET:
  case GSCALE_EXTOLL:
  case GSCALE_FORMAT_END:
    break;
  }
  return (gscale_can){GSCALE_PEER_COPIES, false, false};
}

gscale_status gscale_system_set_can(gscale_system *s, const gscale_can *can,
                                    gscale_diag *diag)
{
  if (can->peer >= GSCALE_PEER_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "can.peer: %d", (int)can->peer);
  s->can = *can;
  s->said = true;
  return GSCALE_OK;
}

const gscale_can *gscale_system_can(const gscale_system *s)
{
  return &s->can;
}

/* ---- parts of a system --------------------------------------------------- */

gscale_system *gscale_system_new(const char *name)
{
  gscale_system *s = calloc(1, sizeof *s);
  if (!s) return NULL;

  gscale__copy_text(s->name, sizeof s->name, name);
  gscale_fabric_init(&s->fabric, GSCALE_SWITCH);
  s->gpus = 1;
  s->copy_least = 0.0;
  s->copy_most = INFINITY;
  s->residuals = gscale_residuals_none;
  gscale__params_init(s);
  gscale__power_init(&s->power);
  return s;
}

void gscale_system_free(gscale_system *s)
{
  if (!s) return;
  free(s->row);
  free(s->cover);
  free(s->correlation);
  free(s);
}

gscale_status gscale_system_set(gscale_system *s, gscale_param_id id,
                                const gscale_param *p, gscale_diag *diag)
{
  if (id >= GSCALE_PARAM_END)
    return gscale__fail(diag, GSCALE_ENAME, "no parameter %d", (int)id);

  const gscale_param_info *info = gscale_param_info_at(id);
  if (!(p->val >= info->least) || !(p->val <= info->most))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %g is not in %g .. %g",
                        info->name, p->val, info->least, info->most);
  if (!(p->err >= 0.0) || !isfinite(p->err))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: standard error %g",
                        info->name, p->err);
  if (p->origin == GSCALE_COUNTED || p->origin == GSCALE_DERIVED)
    return gscale__fail(
        diag, GSCALE_EDOMAIN,
        "%s: a system's number is spec, measured, inherited, assumed or fitted",
        info->name);
  gscale__param_put(s, id, p);
  return GSCALE_OK;
}

static const gscale_link *host_link(const gscale_link *l)
{
  static const char *const of[][2] = {{"nvlink1", "pcie3"},
                                      {"nvlink2", "pcie3"},
                                      {"nvlink3", "pcie4"},
                                      {"nvlink4", "pcie5"},
                                      {"nvlink5", "pcie5"}};

  for (size_t i = 0; i < LENGTH(of); i++)
    if (strncmp(l->name, of[i][0], strlen(of[i][0])) == 0)
      return gscale_link_find(of[i][1]);
  return l;
}

/* Sets the rates of copies through the host unless they are stated.  Two legs
 * have half of the link's rate each, also those of the kernels of collectives:
 * 0.34 to 0.67 was measured on four hosts.  One leg alone has all of it, of
 * which hosts with PCIe 2 to 5 attain 0.76 to 0.96. */
static void set_host_link(gscale_system *s, const gscale_link *l)
{
  static const struct {
    gscale_param_id id;
    double share, width;
    const char *text;
  } rates[] = {{GSCALE_STAGED_RATE, 0.5, 0.4, "half"},
               {GSCALE_STAGED_RING, 0.5, 0.4, "half"},
               {GSCALE_STAGED_PINNED, 0.875, 0.25, "7/8"}};
  const gscale_link *to = host_link(l);
  const double rate =
      to->rate * gscale_goodput(to, GSCALE_COPY, 1048576.0, false);

  for (size_t i = 0; i < LENGTH(rates) && isfinite(rate); i++) {
    gscale_param p = {rates[i].share * rate, rates[i].width * rate / sqrt(12.0),
                      GSCALE_ASSUMED, "", GSCALE_BY_ORIGIN};
    gscale__print(p.source, sizeof p.source, "%s of %s", rates[i].text,
                  to->name);
    const double known = gscale_system_get(s, rates[i].id)->val;
    if (!(known > 0.0 && isfinite(known)))
      gscale__param_put(s, rates[i].id, &p);
  }
}

gscale_status gscale_system_set_link(gscale_system *s, const gscale_link *l,
                                     gscale_diag *diag)
{
  if (!l) return gscale__fail(diag, GSCALE_ENAME, "no such link");
  if (l->format >= GSCALE_FORMAT_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "link: format %d",
                        (int)l->format);
  if (gscale_link_between(l))
    return gscale__fail(diag, GSCALE_EDOMAIN, "link: %s joins nodes, not GPUs",
                        l->name);

  if (!gscale__param_set(s, GSCALE_LINK_RATE) && isfinite(l->rate)) {
    gscale_param rate = {l->rate, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};
    gscale__copy_text(rate.source, sizeof rate.source, l->name);
    const gscale_status st =
        gscale_system_set(s, GSCALE_LINK_RATE, &rate, diag);
    if (st != GSCALE_OK) return st;
  }
  if (!s->linked) set_host_link(s, l);
  s->link = *l;
  s->linked = true;
  if (!s->said) s->can = gscale_link_can(l);
  return GSCALE_OK;
}
gscale_status gscale_system_set_shape(gscale_system *s, const gscale_fabric *f,
                                      int gpus, bool grows, int calibrated,
                                      gscale_diag *diag)
{
  const gscale_status st = gscale_fabric_check(f, diag);
  const bool kept =
      f->staged >= s->fabric.staged && f->staged <= s->fabric.staged;

  if (st != GSCALE_OK) return st;
  if (f->kind == GSCALE_MESH && (gpus != f->mesh_gpus || grows))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "gpus: a mesh of %d has as many and does not grow",
                        f->mesh_gpus);
  if (gpus < 1 || gpus > GSCALE__NODE_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "gpus: %d is not in 1 .. %d",
                        gpus, GSCALE__NODE_MAX);
  if (calibrated < 0 || calibrated > gpus)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "calibrated: %d is not in 0 .. %d (gpus)", calibrated,
                        gpus);
  s->hosted = isinf(f->staged) || (s->hosted && kept);
  s->fabric = *f;
  gscale__renew_hosted(s);
  s->gpus = gpus;
  s->grows = grows;
  s->doubts = 0;
  s->calibrated = calibrated;
  return GSCALE_OK;
}

gscale_status gscale_system_set_membw_curve(gscale_system *s,
                                            const gscale_curve *c,
                                            gscale_diag *diag)
{
  if (c->n > GSCALE_CURVE_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "device.membw_curve: more than %d points",
                        (int)GSCALE_CURVE_MAX);
  for (size_t i = 0; i < c->n; i++) {
    const double before = i > 0 ? c->x[i - 1] : 0.0;
    if (!(c->x[i] > before) || !isfinite(c->x[i]) || !(c->y[i] > 0.0) ||
        !isfinite(c->y[i]))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "device.membw_curve: point %zu (%g, %g): footprints "
                          "must rise and factors be positive",
                          i + 1, c->x[i], c->y[i]);
  }
  s->membw = *c;
  return GSCALE_OK;
}

static gscale_status check_origin(const char *what, const gscale_param *p,
                                  gscale_diag *diag)
{
  if (p->err >= 0.0 && isfinite(p->err) && p->origin != GSCALE_COUNTED &&
      p->origin != GSCALE_DERIVED)
    return GSCALE_OK;
  return gscale__fail(diag, GSCALE_EDOMAIN, "%s: standard error %g", what,
                      p->err);
}

gscale_status gscale_system_doubt_membw_curve(gscale_system *s,
                                              const gscale_param *each,
                                              gscale_diag *diag)
{
  const gscale_status st = check_origin("device.membw_curve", each, diag);

  if (st == GSCALE_OK) s->membw_each = *each;
  return st;
}

gscale_status gscale_system_doubt_topology(gscale_system *s,
                                           const gscale_field *f,
                                           const gscale_param *p,
                                           gscale_diag *diag)
{
  if (!f) return gscale__fail(diag, GSCALE_ENAME, "no such field");
  const gscale_status st = check_origin(f->name, p, diag);
  size_t i = 0;

  if (st != GSCALE_OK) return st;
  if (!gscale_field_number(f, &s->fabric, 0))
    return gscale__fail(diag, GSCALE_ENAME, "topology: %s is no number",
                        f->name);
  while (i < s->doubts && s->doubt[i].field != f) i++;
  if (i == GSCALE__DOUBTS_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "topology: too many numbers");
  s->doubt[i].field = f;
  s->doubt[i].p = *p;
  if (i == s->doubts) s->doubts++;
  return GSCALE_OK;
}

const gscale_param *gscale_system_topology(const gscale_system *s,
                                           const gscale_field *f)
{
  for (size_t i = 0; i < s->doubts; i++)
    if (s->doubt[i].field == f) return &s->doubt[i].p;
  return NULL;
}

gscale_status gscale_system_set_copy_range(gscale_system *s, double least,
                                           double most, gscale_diag *diag)
{
  if (!(least >= 0.0) || !(most >= least))
    return gscale__fail(diag, GSCALE_EDOMAIN, "copy_sizes: %g .. %g", least,
                        most);
  s->copy_least = least;
  s->copy_most = most;
  return GSCALE_OK;
}

void gscale_system_copy_range(const gscale_system *s, double *least,
                              double *most)
{
  *least = s->copy_least;
  *most = s->copy_most;
}

gscale_status gscale_system_check(const gscale_system *s, gscale_diag *diag)
{
  gscale__source_room room;

  return gscale__read_check(gscale__source_in(&room, s, NULL), diag);
}

gscale_system_facts gscale_system_about(const gscale_system *s)
{
  const bool several = s->network.nodes > 0;

  return (gscale_system_facts){.name = s->name,
                               .gpus =
                                   s->gpus * (several ? s->network.nodes : 1),
                               .node = s->gpus,
                               .calibrated = s->calibrated,
                               .rows = s->rows,
                               .grows = s->grows,
                               .link = &s->link,
                               .fabric = &s->fabric,
                               .network = several ? &s->network : NULL,
                               .remote = &s->remote,
                               .power = &s->power,
                               .residuals = &s->residuals,
                               .membw = &s->membw};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
