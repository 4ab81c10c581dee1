/* t_objects.c - systems, workloads and the tables behind them. */

#include "cases.h"

#include <gsl/gsl_test.h>

static void begins(void)
{
  gscale_system *s = gscale_system_new("s");

  gsl_test_int((int)gscale_system_about(s).fabric->kind, GSCALE_SWITCH,
               "a new system: a switch");
  gsl_test_int((int)gscale_fabric_check(gscale_system_about(s).fabric, NULL),
               GSCALE_OK, "that can be one");
  gscale_system_free(s);
}

static void parameter_table(void)
{
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    gsl_test_int((int)gscale_param_find(info->name), (int)id, "%s is found",
                 info->name);
    gsl_test(!strchr(info->name, '.'), "%s has a group", info->name);
    gsl_test(!(info->least <= info->most), "%s: a domain", info->name);
    gsl_test(!(strlen(info->meaning) > 10), "%s: a meaning", info->name);
    gsl_test(!info->required && !(info->otherwise >= info->least &&
                                  info->otherwise <= info->most),
             "%s: the default is inside", info->name);
    gsl_test(info->dim >= GSCALE_DIM_END, "%s: a dimension", info->name);
  }
  gsl_test(gscale_param_info_at(GSCALE_PARAM_END) != NULL, "past the end");
  gsl_test_int((int)gscale_param_find("copy.nothing"), GSCALE_PARAM_END,
               "unknown");
}

/* What nobody set is as on the machines that measured it, by how long launches
 * take; and stays when somebody did. */
static void guesses(void)
{
  gscale_system *s = gscale_system_new("s");
  const gscale_param *memset = gscale_system_get(s, GSCALE_HOST_MEMSET);
  gscale_param launch, other, far, share;

  gsl_test(!gscale_param_population(GSCALE_HOST_LAUNCH, false, &launch) ||
               !gscale_param_population(GSCALE_HOST_MEMSET, false, &other) ||
               !gscale_param_population(GSCALE_HOST_MEMSET, true, &far) ||
               !gscale_param_population(GSCALE_SHARE_LAUNCH, false, &share),
           "machines measured their calls");
  gsl_test(gscale_param_population(GSCALE_DEVICE_SMS, false, &other) ||
               gscale_param_population(GSCALE_PARAM_END, false, &other),
           "what no population is known of");
  gsl_test(!(far.err > 2.0 * other.err), "others' hosts: less certain");

  gsl_test_rel(memset->val, other.val, 0, "before a launch is known");
  gsl_test_int((int)memset->origin, GSCALE_ASSUMED, "assumed");
  set(s, "host.launch", 2 * launch.val, 0);
  gsl_test_rel(memset->val, 2 * other.val, 1e-12,
               "launches take twice as long");
  gsl_test_rel(memset->err, 2 * other.err, 1e-12, "as uncertain as others");
  gsl_test_rel(gscale_system_get(s, GSCALE_SHARE_LAUNCH)->val, share.val, 0,
               "a ratio is one");
  gsl_test(!gscale_system_guessed(s, GSCALE_HOST_MEMSET), "a guess");
  gsl_test(gscale_system_guessed(s, GSCALE_HOST_LAUNCH), "not a guess");
  gsl_test(gscale_system_guessed(s, GSCALE_PARAM_END), "past the end");
  set(s, "host.memset", 1e-6, 1e-8);
  set(s, "host.launch", 2e-6, 0);
  gsl_test_rel(memset->val, 1e-6, 0, "set, it stays");
  gsl_test(gscale_system_guessed(s, GSCALE_HOST_MEMSET), "not a guess");
  gscale_system_free(s);
}

static void system_refusals(void)
{
  gscale_system *s = gscale_system_new("a name that is far too long for the "
                                       "place it has");
  gscale_diag why;
  gscale_param p = {1.5, 0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};
  const gscale_param_id duplex = gscale_param_find("link.duplex");

  gsl_test_int((int)strlen(gscale_system_about(s).name), GSCALE_NAME_MAX - 1,
               "names are cut");
  gsl_test_int((int)gscale_system_set(s, GSCALE_PARAM_END, &p, &why),
               GSCALE_ENAME, "no such parameter");
  gsl_test_int((int)gscale_system_set(s, duplex, &p, &why), GSCALE_OK, "1.5");
  p.val = 2.5;
  gsl_test_int((int)gscale_system_set(s, duplex, &p, &why), GSCALE_EDOMAIN,
               "above the domain");
  gsl_test(!strstr(why.text, "link.duplex: 2.5"), "%s", why.text);
  p.val = (double)NAN;
  gsl_test_int((int)gscale_system_set(s, duplex, &p, NULL), GSCALE_EDOMAIN,
               "NaN");
  p = (gscale_param){1.5, -1, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};
  gsl_test_int((int)gscale_system_set(s, duplex, &p, &why), GSCALE_EDOMAIN,
               "error < 0");
  p = (gscale_param){1.5, 0, GSCALE_COUNTED, "", GSCALE_BY_ORIGIN};
  gsl_test_int((int)gscale_system_set(s, duplex, &p, &why), GSCALE_EDOMAIN,
               "a system is not counted");
  gsl_test_rel(gscale_system_get(s, duplex)->val, 1.5, 0,
               "a failure changes nothing");
  gsl_test(gscale_system_get(s, GSCALE_PARAM_END) != NULL, "past the end");

  gscale_fabric f;
  gscale_fabric_init(&f, GSCALE_TOPOLOGY_END);
  gsl_test_int((int)gscale_system_set_shape(s, &f, 1, true, 0, &why),
               GSCALE_EDOMAIN, "topology");
  gscale_fabric_init(&f, GSCALE_BUS);
  gsl_test_int((int)gscale_system_set_shape(s, &f, 0, true, 0, &why),
               GSCALE_EDOMAIN, "no GPUs");
  gsl_test_int((int)gscale_system_set_shape(s, &f, 4, true, 5, &why),
               GSCALE_EDOMAIN, "measured more than built");
  gsl_test_int((int)gscale_system_set_copy_range(s, 10, 1, &why),
               GSCALE_EDOMAIN, "range upside down");
  gscale_curve c = {2, {10, 10}, {1, 1}};
  gsl_test_int((int)gscale_system_set_membw_curve(s, &c, &why), GSCALE_EDOMAIN,
               "curve must rise");
  c = (gscale_curve){1, {10}, {0}};
  gsl_test_int((int)gscale_system_set_membw_curve(s, &c, &why), GSCALE_EDOMAIN,
               "factor 0");
  c.n = GSCALE_CURVE_MAX + 1;
  gsl_test_int((int)gscale_system_set_membw_curve(s, &c, &why), GSCALE_EDOMAIN,
               "too many points");
  gscale_link l = *gscale_link_find("pcie4");
  l.format = GSCALE_FORMAT_END;
  gsl_test_int((int)gscale_system_set_link(s, &l, &why), GSCALE_EDOMAIN,
               "no format");
  gscale_system_free(s);
  gscale_system_free(NULL);
}

static void link_rate(void)
{
  gscale_system *s = gscale_system_new("s");
  gscale_diag why;

  gsl_test_int((int)gscale_system_check(s, &why), GSCALE_ENEED, "%s", why.text);
  gscale_system_set_link(s, gscale_link_find("pcie4"), NULL);
  gsl_test_rel(gscale_system_get(s, GSCALE_LINK_RATE)->val,
               gscale_link_find("pcie4")->rate, 0, "from the link");
  set(s, "link.rate", 7e9, 0);
  gscale_system_set_link(s, gscale_link_find("pcie5"), NULL);
  gsl_test_rel(gscale_system_get(s, GSCALE_LINK_RATE)->val, 7e9, 0,
               "what was set stays");
  gsl_test_str(gscale_system_about(s).link->name, "pcie5",
               "the format changes");
  gscale_system_free(s);

  s = some_system(GSCALE_SWITCH, "nvlink4");
  set(s, "store.efficiency", 0.98, 0.01);
  gsl_test_int((int)gscale_system_swap_link(s, gscale_link_find("pcie6"), &why),
               GSCALE_OK, "swap");
  gsl_test_rel(gscale_system_get(s, GSCALE_LINK_RATE)->val, 128e9, 1e-15,
               "a swap replaces the rate");
  const gscale_param *e = gscale_system_get(s, GSCALE_STORE_EFFICIENCY);
  gsl_test_rel(e->val, 0.98, 0, "an efficiency carries over");
  gsl_test_int((int)e->origin, GSCALE_ASSUMED, "as assumed");
  gsl_test(!(e->err > 0.05), "with a range");
  gscale_system_free(s);
}

/* What was measured over the old link is not known of the new one. */
static void carried_over(void)
{
  static const struct {
    const char *name;
    double least, most; /* times what it was */
  } of[] = {
      {"load.efficiency", 0.8, 1 / 0.93}, {"load.latency", 0.5, 3},
      {"store.latency", 0.5, 3},          {"store.rate", 0.25, 1.5},
      {"store.ingress", 0.25, 1.5},       {"load.rate", 0.25, 1.5},
      {"atomic.rate", 0.25, 1.5},         {"um.fault_rate", 0.25, 1.5},
      {"load.all_active", 0.8, 1 / 0.81}, {"atomic.all_active", 0.8, 1 / 0.67}};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_system *was = some_system(GSCALE_SWITCH, "nvlink4");
  const size_t n = gscale_param_find("device.latency");

  gscale_system_swap_link(s, gscale_link_find("pcie4"), NULL);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    const gscale_param_id id = gscale_param_find(of[i].name);
    const gscale_param *p = gscale_system_get(s, id);
    const gscale_param *old = gscale_system_get(was, id);
    gsl_test_rel(p->val, old->val, 0, "%s carries over", of[i].name);
    gsl_test_int((int)p->origin, GSCALE_ASSUMED, "%s is assumed", of[i].name);
    gsl_test_rel(p->err, (of[i].most - of[i].least) * old->val / sqrt(12),
                 1e-12, "%s: the error of its range", of[i].name);
  }
  gsl_test_int((int)gscale_system_get(s, (gscale_param_id)n)->origin,
               (int)gscale_system_get(was, (gscale_param_id)n)->origin,
               "what has nothing to do with the link stays");
  gscale_system_free(s);
  gscale_system_free(was);
}

/* A store passes a longer way once, a load out and back. */
static void longer_way(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const double store = gscale_system_get(s, GSCALE_STORE_LATENCY)->val;
  const double load = gscale_system_get(s, GSCALE_LOAD_LATENCY)->val;
  gscale_link far = *gscale_link_find("nvlink4");

  far.hop += 100e-9;
  gsl_test_int((int)gscale_system_swap_link(s, &far, NULL), GSCALE_OK, "far");
  gsl_test_rel(gscale_system_get(s, GSCALE_STORE_LATENCY)->val, store + 100e-9,
               1e-12, "a store by a link of 100 ns more");
  gsl_test_rel(gscale_system_get(s, GSCALE_LOAD_LATENCY)->val, load + 200e-9,
               1e-12, "a load by it");
  gscale_system_free(s);
}

/* Each number of a topology has its own doubts, the last that were said. */
static void doubts(void)
{
  static const char *const name[] = {"ingress", "tree.uplink", "tree.root"};
  gscale_system *s = gscale_system_new("s");

  for (int round = 1; round <= 2; round++)
    for (int i = 0; i < 3; i++) {
      const gscale_param p = {0.5, 0.01 * (i + 3 * round), GSCALE_MEASURED,
                              "test", GSCALE_BY_ORIGIN};
      const gscale_field *f = gscale_field_find(GSCALE_OF_TOPOLOGY, name[i]);
      gsl_test_int((int)gscale_system_doubt_topology(s, f, &p, NULL), GSCALE_OK,
                   "%s in doubt", name[i]);
    }
  for (int i = 0; i < 3; i++) {
    const gscale_param *p = gscale_system_topology(
        s, gscale_field_find(GSCALE_OF_TOPOLOGY, name[i]));
    gsl_test(!p || fabs(p->err - 0.01 * (i + 6)) > 1e-12, "%s: its own doubts",
             name[i]);
  }
  gscale_system_free(s);
}

static void covered(void)
{
  const gscale_cover one = {0, 1, 1, 0.0, 0.0}, none = {0, 0, 1, 0.0, 0.0};
  gscale_system *s = gscale_system_new("s");

  gsl_test_int((int)gscale_system_cover(s, &none, NULL), GSCALE_EDOMAIN,
               "runs on no GPU");
  gsl_test_int((int)gscale_system_cover(s, &one, NULL), GSCALE_OK,
               "runs on one GPU");
  gscale_system_free(s);
}

/* Numbers of the rows of a struct: each its own place, inside it. */
static void apart_in(gscale_described of, void *at, size_t size)
{
  double *seen[512];
  size_t n = 0, wrong = 0;
  gscale_leaf row = {.of = of};
  const gscale_field *f;

  while ((f = gscale_field_next(&row)) != NULL)
    for (size_t m = 0; m < gscale_field_numbers(f) && n < 512; m++) {
      double *v = gscale_field_number(f, at, m);
      if (!v) continue;
      wrong += (char *)v < (char *)at || (char *)(v + 1) > (char *)at + size;
      for (size_t k = 0; k < n; k++) wrong += seen[k] == v;
      seen[n++] = v;
    }
  gsl_test(n == 0 || n == 512, "some numbers: %zu", n);
  gsl_test_int((int)wrong, 0, "each in its own place");
}

static void numbers_apart(void)
{
  const gscale_field *f = gscale_field_find(GSCALE_OF_PHASE, "store.size");
  gscale_blocks b;
  gscale_phase p;

  gscale_phase_init(&p, "p");
  gscale_blocks_init(&b);
  apart_in(GSCALE_OF_PHASE, &p, sizeof p);
  apart_in(GSCALE_OF_BLOCKS, &b, sizeof b);
  gsl_test_int((int)gscale_field_numbers(f), 2 * GSCALE_STORES_MAX,
               "sizes and shares of stores");
  gsl_test(gscale_field_number(f, &p, 0) != &p.stores.size[0] ||
               gscale_field_number(f, &p, GSCALE_STORES_MAX) !=
                   &p.stores.share[0],
           "sizes, then shares");
}

static void shares_of_time(void)
{
  const gscale_share_of some[] = {{8, 0.15}, {2, 0.6}, {4, 0.3}, {2, 0.5}};
  const gscale_share_of *kept;
  gscale_workload *w = gscale_workload_new("w");
  gscale_diag why = {""};

  gsl_test_int((int)gscale_workload_set_shares(w, some, 3, NULL), GSCALE_OK,
               "three shares");
  gsl_test_int((int)gscale_workload_about(w).shares, 3, "are kept");
  kept = gscale_workload_about(w).share;
  for (int i = 0; i < 3; i++)
    gsl_test_int(kept[i].parts, 2 << i, "in order: 1/%d", 2 << i);
  gsl_test_int((int)gscale_workload_set_shares(w, some, 4, &why),
               GSCALE_EDOMAIN, "a share twice");
  gsl_test(strcmp(why.text, "w: t1: the share 1/2 twice"), "%s", why.text);
  gscale_workload_free(w);
}

static void failed_swap(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_link slow = *gscale_link_find("pcie4");
  gscale_diag why = {""};

  slow.rate = 0.5; /* B/s, out of link.rate's domain */
  gsl_test_int((int)gscale_system_swap_link(s, &slow, &why), GSCALE_EDOMAIN,
               "%s", why.text);
  gsl_test_str(gscale_system_about(s).link->name, "nvlink4",
               "a failed swap leaves the link,");
  gsl_test_rel(gscale_system_get(s, GSCALE_LINK_RATE)->val, 450e9, 0,
               "its rate,");
  gsl_test(gscale_system_get(s, GSCALE_COPY_EFFICIENCY)->origin ==
               GSCALE_ASSUMED,
           "and what was measured over it");
  gscale_system_free(s);
}

static void every_field(void)
{
  /* Each field's domain, provoked; the diag names it. */
  static const struct {
    const char *field;
    size_t at;
    double value;
  } row[] = {
#define ROW(member, name, value) {name, offsetof(gscale_phase, member), value}
#define FIELD(name, value)       ROW(name, #name, value)
      FIELD(repeats, 0),
      FIELD(units, 0.5),
      FIELD(units, 2.5),
      FIELD(serial, 1.1),
      FIELD(serial, -1),
      FIELD(kernels, -1),
      FIELD(flop, -1),
      FIELD(bytes, -1),
      FIELD(footprint, -1),
      FIELD(publish, -1),
      FIELD(copies, 0),
      ROW(over, "publish.copies", 0.9),
      FIELD(rewrites, .9),
      FIELD(read, 1.1),
      ROW(blocks, "blocks.count", -1),
      ROW(threads, "blocks.threads", 0),
      ROW(residents, "blocks.residents", -1),
      ROW(compute_max, "compute.imbalance", 0),
      ROW(egress_max, "publish.imbalance", 0.5),
      ROW(ingress_max, "publish.imbalance", 0),
      FIELD(flop, (double)NAN),
      FIELD(bytes, INFINITY),
#undef FIELD
#undef ROW
  };
  gscale_workload *w = gscale_workload_new("w");

  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    gscale_phase p;
    gscale_diag why = {""};
    gscale_phase_init(&p, "phase");
    memcpy((char *)&p + row[i].at, &row[i].value, sizeof(double));
    gsl_test_int((int)gscale_workload_add(w, &p, &why), GSCALE_EDOMAIN,
                 "%s = %g", row[i].field, row[i].value);
    gsl_test(!strstr(why.text, row[i].field), "named: %s", why.text);
  }
  gsl_test_int((int)gscale_workload_about(w).phases, 0, "nothing was added");
  gscale_workload_free(w);
}

/* Tables inside a phase. */
static void refused(const gscale_phase *p, gscale_status want, const char *word)
{
  gscale_workload *w = gscale_workload_new("w");
  gscale_diag why = {""};

  gsl_test_int((int)gscale_workload_add(w, p, &why), (int)want, "%s", why.text);
  gsl_test(!strstr(why.text, word), "'%s' says '%s'", why.text, word);
  gscale_workload_free(w);
}

static void phase_tables(void)
{
  gscale_phase p;

  gscale_phase_init(&p, "p");
  p.stores.n = 0;
  refused(&p, GSCALE_EDOMAIN, "store: not 1 to 12 kinds");
  p.stores.n = 2;
  p.stores.size[1] = 32;
  p.stores.share[0] = 0.7;
  p.stores.share[1] = 0.4;
  refused(&p, GSCALE_EDOMAIN, "add up to 1.1");
  p.stores.share[1] = 0.3;
  p.stores.size[1] = 0;
  refused(&p, GSCALE_EDOMAIN, "size 0 B");

  gscale_phase_init(&p, "p");
  p.to = GSCALE_TO_SUBSCRIBERS;
  refused(&p, GSCALE_EDOMAIN, "to: no subscribers");
  p.subscribers[2] = 1.2;
  refused(&p, GSCALE_EDOMAIN, "more than 1");
  p.subscribers[2] = -0.2;
  refused(&p, GSCALE_EDOMAIN, "of class 3");

  gscale_phase_init(&p, "p");
  p.kernels = 0;
  p.flop = 1;
  refused(&p, GSCALE_EDOMAIN, "host.kernels: 0");
  p.flop = 0;
  p.groups = 1;
  gscale_blocks_init(&p.group[0]);
  refused(&p, GSCALE_EDOMAIN, "host.kernels: 0");

  gscale_phase_init(&p, "p");
  p.gathered = (gscale_gathered){-1, 0};
  refused(&p, GSCALE_EDOMAIN, "load.gathered: -1 is not");
  p.gathered = (gscale_gathered){0, NAN};
  refused(&p, GSCALE_EDOMAIN, "load.array: nan is not");
  gscale_phase_init(&p, "p");
  p.pack = (gscale_packing){-1, 0, 0};
  refused(&p, GSCALE_EDOMAIN, "publish.pack.kernels: -1 is not");
  p.pack = (gscale_packing){0, 0, INFINITY};
  refused(&p, GSCALE_EDOMAIN, "publish.pack.bytes: inf is not");
}

static void workload(void)
{
  gscale_workload *w = gscale_workload_new("w");
  gscale_phase p;
  gscale_diag why;
  int added = 0;

  gscale_phase_init(&p, "a");
  p.groups = GSCALE_BLOCKS_MAX + 1;
  gsl_test_int((int)gscale_workload_add(w, &p, &why), GSCALE_EDOMAIN, "groups");
  gscale_phase_init(&p, "a");
  p.to = GSCALE_PATTERN_END;
  gsl_test_int((int)gscale_workload_add(w, &p, &why), GSCALE_EDOMAIN, "to");
  gsl_test(gscale_workload_phase(w, 0) != NULL, "no phase");
  p.to = GSCALE_TO_NONE;
  p.origin = GSCALE_COUNTED;
  gscale_workload_add(w, &p, NULL);
  gsl_test_int((int)gscale_workload_origin(w), GSCALE_COUNTED, "counted");
  p.origin = GSCALE_ASSUMED;
  gscale_workload_add(w, &p, NULL);
  gsl_test_int((int)gscale_workload_origin(w), GSCALE_ASSUMED,
               "the weakest decides");
  const gscale_param fitted = {1e-3, 0, GSCALE_FITTED, "", GSCALE_BY_ORIGIN};
  gscale_workload_set_single(w, fitted, NULL);
  gsl_test_int((int)gscale_workload_origin(w), GSCALE_FITTED, "fitted");
  gsl_test_rel(gscale_workload_about(w).t1->val, 1e-3, 0, "single");

  const gscale_param bad = {-1, 0, GSCALE_MEASURED, "", GSCALE_BY_ORIGIN};
  gsl_test_int((int)gscale_workload_set_single(w, bad, &why), GSCALE_EDOMAIN,
               "single < 0");
  gscale_host host = gscale_host_default;
  host.threads = -1;
  gsl_test_int((int)gscale_workload_set_host(w, &host, &why), GSCALE_EDOMAIN,
               "threads < 0");
  host = gscale_host_default;
  host.streams = 0;
  gsl_test_int((int)gscale_workload_set_host(w, &host, &why), GSCALE_EDOMAIN,
               "no streams");
  host = gscale_host_default;
  host.barriers = 4;
  gsl_test_int((int)gscale_workload_set_host(w, &host, &why), GSCALE_EDOMAIN,
               "four barriers");
  host.barriers = 3;
  host.threads = 1;
  gsl_test_int((int)gscale_workload_set_host(w, &host, &why), GSCALE_EDATA,
               "a barrier of one");
  host = gscale_host_default;
  host.norm.copy = 4;
  host.norm.late = true;
  gsl_test_int((int)gscale_workload_set_host(w, &host, &why), GSCALE_EDATA,
               "late, and waited for");
  while (gscale_workload_add(w, &p, &why) == GSCALE_OK) added++;
  gsl_test_int(added, 62, "at most 64 phases");
  gsl_test_str(gscale_workload_about(w).name, "w", "name");
  gscale_workload_free(w);
  gscale_workload_free(NULL);
}

static void paradigm_table(void)
{
  const size_t n = gscale_paradigm_count();

  for (size_t i = 0; i < n; i++) {
    const gscale_paradigm *p = gscale_paradigm_at(i);
    gsl_test_int((int)gscale_paradigm_find(p->name), (int)i, "%s is found",
                 p->name);
    gsl_test(!(strlen(p->summary) > 10), "%s: a summary", p->name);
  }
  for (size_t i = 0; gscale_between_at(i); i++) {
    const char *name = gscale_between_at(i)->name;
    char pair[2 * GSCALE_NAME_MAX];
    gscale_knobs k;
    size_t paradigm = n;
    gsl_test(!(gscale_pair_find(name, &paradigm, &k) &&
               paradigm == gscale_paradigm_find("memcpy") &&
               k.between == i + 1),
             "%s is found", name);
    gscale_pair_name(paradigm, &k, pair, sizeof pair);
    gsl_test(strncmp(pair, "memcpy+", 7) != 0 || strcmp(pair + 7, name) != 0,
             "%s is one of memcpy", name);
    gsl_test(!(strlen(gscale_between_at(i)->about) > 10), "%s: a summary",
             name);
  }
  gsl_test(gscale_paradigm_at(n) != NULL, "past the end");
  gsl_test_int((int)gscale_paradigm_find("teleport"), (int)n, "unknown");
  for (int k = 0; k < GSCALE_KNOB_END; k++)
    gsl_test(!gscale_knob_at((gscale_knob)k)->name ||
                 gscale_knob_at((gscale_knob)k)->dim == GSCALE_DIM_END,
             "knob %d has a name and a dimension", k);
  gsl_test(gscale_knob_at(GSCALE_KNOB_END) != NULL, "past the end");
}

int main(void)
{
  begins();
  parameter_table();
  guesses();
  system_refusals();
  link_rate();
  carried_over();
  longer_way();
  doubts();
  covered();
  numbers_apart();
  shares_of_time();
  failed_swap();
  every_field();
  phase_tables();
  workload();
  paradigm_table();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
