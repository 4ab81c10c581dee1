/* link_change.c - change of a system's link, with the numbers carried over. */

#include "describe/ask.h"
#include "ground/ground.h"

#include <math.h>
#include <string.h>

/* Returns the peer access over a new link.  A machine keeps an access that was
 * stated.  A machine with the full access of its old link gets at least the
 * full access of the new link. */
static gscale_peer peer_on(const gscale_system *s, const gscale_link *l)
{
  const gscale_peer now = gscale_link_can(l).peer;
  const bool less = s->can.peer < gscale_link_can(&s->link).peer;

  return less || (s->said && s->can.peer > now) ? s->can.peer : now;
}

/* A measurement over one link applies to another link only within a range of
 * factors.  For latencies and rates, the range is the spread between systems of
 * params/ with PCIe and with NVLink. */
static const struct {
  gscale_param_id id;
  double least, most;
} carried[] = {
    {GSCALE_COPY_EFFICIENCY, 0.8, INFINITY}, /* no value exceeds 1 */
    {GSCALE_COPY_ALL_ACTIVE, 0.8, INFINITY},
    {GSCALE_STORE_EFFICIENCY, 0.8, INFINITY},
    {GSCALE_STORE_ALL_ACTIVE, 0.8, INFINITY},
    {GSCALE_LOAD_EFFICIENCY, 0.8, INFINITY},
    {GSCALE_LOAD_ALL_ACTIVE, 0.8, INFINITY},
    {GSCALE_ATOMIC_ALL_ACTIVE, 0.8, INFINITY},
    {GSCALE_STORE_LATENCY, 0.5, 3.0},
    {GSCALE_LOAD_LATENCY, 0.5, 3.0},
    {GSCALE_STORE_RATE, 0.25, 1.5},
    {GSCALE_STORE_WIDE_RATE, 0.25, 1.5},
    {GSCALE_STORE_INGRESS, 0.25, 1.5},
    {GSCALE_LOAD_RATE, 0.25, 1.5},
    {GSCALE_ATOMIC_RATE, 0.25, 1.5},
    {GSCALE_UM_FAULT_RATE, 0.25, 1.5},
    {GSCALE_COLL_EFFICIENCY, 0.8, INFINITY},
    {GSCALE_COLL_STEP, 0.5, 3.0},
    {GSCALE_COLL_FLAG_STEP, 0.5, 3.0},
};

/* Sets the error to the standard deviation of a uniform range.  Absent costs
 * and limits (0 or infinite) stay absent. */
static void carry_over(gscale_system *s, gscale_param_id id, double least,
                       double most)
{
  gscale_param p = *gscale_system_get(s, id);

  if (!(p.val > 0.0) || !isfinite(p.val)) return;
  const double top = isinf(most) ? 1.0 : most * p.val;

  p.err = fmax(p.err, (top - least * p.val) / sqrt(12.0));
  p.origin = GSCALE_ASSUMED;
  gscale__copy_text(p.source, sizeof p.source,
                    "carried over from the link it had");
  gscale__param_put(s, id, &p);
}

static bool is_pcie(const gscale_link *l)
{
  return l->format == GSCALE_PCIE || l->format == GSCALE_PCIE_FLIT;
}

/* Returns the rate at the same share of the new link as of the old link. */
static gscale_param rate_on(const gscale_system *s, const gscale_link *l)
{
  const gscale_param *was = gscale_system_get(s, GSCALE_LINK_RATE);
  const double share = was->val / s->link.rate;
  const bool whole = !(share > 0.0) || fabs(share - 1.0) < 1e-6;
  gscale_param rate = {l->rate, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};

  gscale__copy_text(rate.source, sizeof rate.source, l->name);
  if (whole) return rate;
  rate.val *= share;
  rate.err = was->err / was->val * rate.val;
  rate.origin = GSCALE_ASSUMED;
  return rate;
}

/* Between PCIe links, keeps a payload that is not the old link's usual one. */
static void keep_payload(const gscale_link *was, gscale_link *l)
{
  const gscale_link *usual = gscale_link_find(was->name);

  if (!is_pcie(was) || !is_pcie(l) || !usual) return;
  if (fabs(was->copy_payload - usual->copy_payload) > 0.0)
    l->copy_payload = was->copy_payload;
  if (fabs(was->store_payload - usual->store_payload) > 0.0)
    l->store_payload = was->store_payload;
}

/* Scales copies and collectives through the host with the rate if both links
 * are PCIe. */
static void carry_staged(const gscale_system *s, const gscale_link *l,
                         gscale_system *with)
{
  static const gscale_param_id ids[] = {GSCALE_STAGED_RATE, GSCALE_STAGED_RING,
                                        GSCALE_STAGED_PINNED};
  const double faster = gscale_system_get(with, GSCALE_LINK_RATE)->val /
                        gscale_system_get(s, GSCALE_LINK_RATE)->val;

  for (size_t i = 0; i < LENGTH(ids) && is_pcie(&s->link) && is_pcie(l); i++) {
    gscale_param p = *gscale_system_get(with, ids[i]);

    if (!isfinite(p.val)) continue;
    p.val *= faster;
    p.err = fmax(p.err * faster, 0.2 * p.val / sqrt(12.0));
    p.origin = GSCALE_ASSUMED;
    gscale__copy_text(p.source, sizeof p.source,
                      "scaled with the rate of the link");
    gscale__param_put(with, ids[i], &p);
  }
}

/* Adds the longer path of the new link: once to a store and twice to a load. */
static void carry_hop(const gscale_system *s, const gscale_link *l,
                      gscale_system *with)
{
  static const struct {
    gscale_param_id id;
    double times;
  } passed[] = {{GSCALE_STORE_LATENCY, 1.0}, {GSCALE_LOAD_LATENCY, 2.0}};

  for (size_t i = 0; i < LENGTH(passed); i++) {
    gscale_param p = *gscale_system_get(with, passed[i].id);

    if (!(p.val > 0.0)) continue;
    p.val = fmax(p.val + passed[i].times * (l->hop - s->link.hop), 0.0);
    gscale__param_put(with, passed[i].id, &p);
  }
}

/* Removes the switch's reduction unless the link is NVLink. */
static void carry_switch(const gscale_link *l, gscale_system *with)
{
  const gscale_param none = gscale_param_default(GSCALE_COLL_SWITCH);

  if (l->format != GSCALE_NVLINK)
    gscale__param_put(with, GSCALE_COLL_SWITCH, &none);
}

gscale_status gscale_system_swap_link(gscale_system *s, const gscale_link *l,
                                      gscale_diag *diag)
{
  if (!l) return gscale_system_set_link(s, l, diag);
  if (gscale_link_between(l)) return gscale__swap_network(s, l, diag);
  gscale_system with = *s; /* so that *s is unchanged on failure */
  gscale_link kept = *l;
  keep_payload(&s->link, &kept);
  gscale_status st = gscale_system_set_link(&with, &kept, diag);

  if (st != GSCALE_OK) return st;
  const gscale_param rate = rate_on(s, l);
  if (isfinite(l->rate))
    st = gscale_system_set(&with, GSCALE_LINK_RATE, &rate, diag);
  if (st != GSCALE_OK) return st;
  for (size_t i = 0; i < LENGTH(carried); i++)
    carry_over(&with, carried[i].id, carried[i].least, carried[i].most);
  carry_staged(s, l, &with);
  carry_switch(l, &with);
  carry_hop(s, l, &with);
  with.can.peer = peer_on(s, l);
  with.swapped = s->swapped || strcmp(s->link.name, l->name) != 0 ||
                 fabs(l->rate - s->link.rate) > 0.0;
  *s = with;
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
