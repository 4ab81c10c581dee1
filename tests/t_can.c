/* t_can.c - what a system can do, and what paradigms need of it. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <string.h>

static gscale_phase exchange(bool atomic)
{
  gscale_phase p = gather_phase(4e6, 3);

  p.to = GSCALE_TO_RANDOM;
  add_blocks(&p, (gscale_blocks){
                     .share = 0.1, .per = GSCALE_PER_FACE, .publishes = 1});
  add_blocks(&p, (gscale_blocks){.rest = true});
  p.atomic = atomic;
  return p;
}

/* GSCALE_OK or what refuses it, for a paradigm on 4 GPUs that can do that. */
static gscale_status asked(const char *paradigm, gscale_can can, bool atomic,
                           gscale_diag *why)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(exchange(atomic));
  gscale_plan *p = NULL;

  gscale_system_set_can(s, &can, NULL);
  gscale_status st = gscale_plan_new(s, w, 4, &p, why);
  if (st == GSCALE_OK) {
    const size_t i = gscale_paradigm_find(paradigm);
    gscale_prediction out;
    st = gscale_predict(p, i, NULL, &out, why);
    gsl_test(st != GSCALE_OK && !isnan(gscale_predict_time(p, i, NULL)),
             "%s: a time of what cannot be", paradigm);
  }
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
  return st;
}

/* The least that each needs: with it it runs, with anything less it does not.
 */
static void least(void)
{
  static const struct {
    const char *paradigm;
    gscale_peer plain, atomic; /* for stores, and for atomic ones */
    bool managed, device_launch;
  } row[] = {
      {"infinite", GSCALE_PEER_NONE, GSCALE_PEER_NONE, false, false},
      {"memcpy", GSCALE_PEER_COPIES, GSCALE_PEER_COPIES, false, false},
      {"memcpy-async", GSCALE_PEER_COPIES, GSCALE_PEER_COPIES, false, false},
      {"um", GSCALE_PEER_COPIES, GSCALE_PEER_COPIES, true, false},
      {"um-hints", GSCALE_PEER_COPIES, GSCALE_PEER_COPIES, true, false},
      {"rdl", GSCALE_PEER_STORES, GSCALE_PEER_STORES, false, false},
      {"inline", GSCALE_PEER_STORES, GSCALE_PEER_ATOMICS, false, false},
      {"broadcast", GSCALE_PEER_STORES, GSCALE_PEER_ATOMICS, false, false},
      {"proact-poll", GSCALE_PEER_STORES, GSCALE_PEER_STORES, false, false},
      {"proact-cdp", GSCALE_PEER_STORES, GSCALE_PEER_STORES, false, true},
      {"proact-hw", GSCALE_PEER_STORES, GSCALE_PEER_STORES, false, false},
      {"gps", GSCALE_PEER_STORES, GSCALE_PEER_ATOMICS, false, false},
      {"finepack", GSCALE_PEER_STORES, GSCALE_PEER_ATOMICS, false, false},
  };
  gscale_diag why;

  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    for (int atomic = 0; atomic < 2; atomic++) {
      const gscale_peer peer = atomic ? row[i].atomic : row[i].plain;
      gscale_can can = {peer, row[i].managed, row[i].device_launch};
      const char *name = row[i].paradigm;
      why.text[0] = '\0';
      gsl_test_int((int)asked(name, can, atomic, &why), GSCALE_OK,
                   "%s%s: runs: %s", name, atomic ? ", atomic" : "", why.text);
      if (peer > GSCALE_PEER_COPIES) {
        can.peer = (gscale_peer)(peer - 1);
        gsl_test_int((int)asked(name, can, atomic, &why), GSCALE_ENEED,
                     "%s: less peer access", name);
        gsl_test(!strstr(why.text, "needs peer access for "), "says: %s",
                 why.text);
        can.peer = peer;
      }
      if (row[i].managed) {
        can.managed = false;
        gsl_test_int((int)asked(name, can, atomic, &why), GSCALE_ENEED,
                     "%s: not managed", name);
        gsl_test(!strstr(why.text, "needs managed memory"), "says: %s",
                 why.text);
      }
      if (row[i].device_launch) {
        can.device_launch = false;
        gsl_test_int((int)asked(name, can, atomic, &why), GSCALE_ENEED,
                     "%s: no launches", name);
        gsl_test(!strstr(why.text, "needs launches by the device"), "says: %s",
                 why.text);
      }
    }
}

/* A GPU that others reach through the host only takes no stores from them. */
static void pairs(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink2");
  gscale_workload *w = one_phase(halo_phase(100));
  gscale_fabric f;
  gscale_diag why;

  gscale_fabric_init(&f, GSCALE_MESH);
  f.mesh_gpus = 3;
  f.mesh[0][1] = f.mesh[1][0] = 0.5; /* and none to GPU 2 */
  f.staged = 0.1;
  gsl_test_int((int)gscale_system_set_shape(s, &f, 3, false, 0, &why),
               GSCALE_OK, "a mesh");
  for (int n = 2; n <= 3; n++) {
    gscale_plan *p = NULL;
    gscale_plan_new(s, w, n, &p, NULL);
    const size_t i = gscale_paradigm_find("inline");
    gsl_test_int((int)gscale_plan_needs(p, i, &why),
                 n == 2 ? GSCALE_OK : GSCALE_ENEED, "inline on %d", n);
    gsl_test_int(
        (int)gscale_plan_needs(p, gscale_paradigm_find("memcpy"), NULL),
        GSCALE_OK, "memcpy on %d", n);
    gscale_plan_free(p);
  }
  f.mesh[0][2] = f.mesh[2][0] = 0.5;
  f.staged = 0; /* the first GPU forwards what the other two exchange */
  gscale_system_set_shape(s, &f, 3, false, 0, NULL);
  gscale_plan *p = NULL;
  gscale_plan_new(s, w, 3, &p, NULL);
  gsl_test_int((int)gscale_plan_needs(p, gscale_paradigm_find("inline"), &why),
               GSCALE_OK, "inline where GPUs forward: %s", why.text);
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static gscale_peer peer_of(const gscale_system *s)
{
  return gscale_system_can(s)->peer;
}

/* What a search that found nothing returns, and who is given it next. */
static void not_found(void)
{
  const gscale_link *l = gscale_link_find("pcie9");
  const gscale_field *f = gscale_field_find(GSCALE_OF_PHASE, "nothing");
  const gscale_param p = {1, 0, GSCALE_MEASURED, "", GSCALE_BY_ORIGIN};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(4e6, 1));
  gscale_diag why = {""};

  gsl_test(l || f, "there are none such");
  gsl_test_int((int)gscale_system_swap_link(s, l, &why), GSCALE_ENAME, "%s",
               why.text);
  gsl_test_int((int)gscale_system_set_link(s, l, NULL), GSCALE_ENAME, "a link");
  gsl_test_str(gscale_system_about(s).link->name, "nvlink4", "it has its own");
  gsl_test(!isnan(gscale_goodput(l, GSCALE_STORE, 64, false)), "no goodput");
  gsl_test(!isnan(gscale_packets_at(l, GSCALE_COPY, 0, 64)), "no packets");
  gsl_test(gscale_link_between(l) || gscale_store_masked(l, 1), "no format");
  gsl_test_int((int)gscale_link_can(l).peer, GSCALE_PEER_COPIES, "no more");
  gsl_test_int((int)gscale_system_set_remote(s, f, &p, NULL), GSCALE_ENAME,
               "a number of messages");
  gsl_test_int((int)gscale_system_doubt_topology(s, f, &p, NULL), GSCALE_ENAME,
               "a number of the topology");
  gsl_test_int((int)gscale_workload_doubt(w, 0, f, 0, &p, NULL), GSCALE_ENAME,
               "a number of a phase");
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void links(void)
{
  const gscale_link *pcie = gscale_link_find("pcie5"),
                    *nvlink = gscale_link_find("nvlink4");
  gscale_can can = {GSCALE_PEER_END, false, false};
  gscale_system *s = gscale_system_new("s");
  gscale_diag why;

  gsl_test_int((int)gscale_link_can(gscale_link_find("raw")).peer,
               GSCALE_PEER_COPIES, "raw: nothing is known");
  gscale_system_set_link(s, nvlink, NULL);
  gsl_test_int((int)peer_of(s), GSCALE_PEER_ATOMICS, "as its link");
  gsl_test_int((int)gscale_system_set_can(s, &can, &why), GSCALE_EDOMAIN, "%s",
               why.text);
  gsl_test_int((int)peer_of(s), GSCALE_PEER_ATOMICS, "and left as it was");
  gscale_system_swap_link(s, pcie, NULL);
  gsl_test_int((int)peer_of(s), GSCALE_PEER_STORES, "as the new link");
  gscale_system_swap_link(s, nvlink, NULL);
  gsl_test_int((int)peer_of(s), GSCALE_PEER_ATOMICS, "and back");

  can = (gscale_can){GSCALE_PEER_ATOMICS, false, true};
  gscale_system_set_can(s, &can, NULL);
  gscale_system_swap_link(s, pcie, NULL);
  gsl_test_int((int)peer_of(s), GSCALE_PEER_ATOMICS, "kept, as it is said");
  gsl_test_int(gscale_system_can(s)->managed, 0, "the rest is the GPUs'");
  can.peer = GSCALE_PEER_NONE;
  gscale_system_set_can(s, &can, NULL);
  gscale_system_swap_link(s, nvlink, NULL);
  gsl_test_int((int)peer_of(s), GSCALE_PEER_NONE, "what was denied stays so");
  gscale_system_free(s);

  /* Copies by way of the host: over the link if it is PCIe, else beside it. */
  s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_param *staged = gscale_system_get(s, GSCALE_STAGED_RATE);
  gscale_system_swap_link(s, pcie, NULL);
  gsl_test_rel(staged->val, 21e9, 0, "another port than the link's");
  gscale_system_swap_link(s, gscale_link_find("pcie3"), NULL);
  gsl_test_rel(staged->val, 21e9 * gscale_link_find("pcie3")->rate / pcie->rate,
               1e-15, "the link's");
  gsl_test_int((int)staged->origin, GSCALE_ASSUMED, "as assumed");
  gscale_system_free(s);

  gsl_test_str(gscale_name(GSCALE_PEER_NAMES, GSCALE_PEER_STORES), "stores",
               "a name");
  gsl_test(gscale_name(GSCALE_PEER_NAMES, GSCALE_PEER_END) != NULL, "no name");
}

int main(void)
{
  least();
  pairs();
  links();
  not_found();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
