/* describe.c - the ways in: descriptions by name or file, made in a sandbox. */

#include "language/reader.h"
#include "language/schedule.h"

#include <stdlib.h>
#include <string.h>

static void offer_tape(lua_State *L, void *closure)
{
  offer_calls(L, closure);
  tape_extend(L, ((const job *)closure)->tape);
}

static int load(kind k, const char *what, job *j, about *more, failure *why)
{
  const additions a = {.extend = j->tape              ? offer_tape
                                 : k == KIND_WORKLOAD ? offer_calls
                                                      : NULL,
                       .rewrite = j->tape ? tape_source : NULL};
  int st = find_description(k, what, j->more.path, sizeof j->more.path, why);

  if (st == EXIT_OK)
    st = sandbox_run_more(j->more.path, &default_limits, &a,
                          k == KIND_SYSTEM ? read_system : read_workload, j,
                          why);
  if (st == EXIT_OK && more) *more = j->more;
  return st;
}

int load_own(const char *what, gscale_system **out, failure *why)
{
  job j = {0};
  const int st = load(KIND_SYSTEM, what, &j, NULL, why);

  *out = j.system;
  if (st == EXIT_OK && (j.projected || *j.node))
    return fail(why, EXIT_DATA,
                "from: '%.60s' is itself %s: name systems that stand by "
                "themselves",
                what, j.projected ? "projected" : "made of nodes");
  return st;
}

/* What its file leaves to machines that were measured. */
static int take_projection(job *j, failure *why)
{
  if (!j->projected) return EXIT_OK;
  if (project_system(j->system, &j->from, &j->hosts, j->device, j->mentioned,
                     load_own, why) == EXIT_OK)
    return EXIT_OK;
  const failure said = *why;
  return fail(why, said.status, "%s:%d: %.400s", j->more.path, j->line,
              said.text);
}

/* What the model is off by; of a model's machine nothing is. */
static int take_residuals(job *j, failure *why)
{
  if (!j->exact) return read_shared_residuals(j->system, why);
  gscale_system_is_exact(j->system);
  return EXIT_OK;
}

/* All that the system whose name it gives has, but what it says itself. */
static int take_node(job *j, failure *why)
{
  gscale_system *node = NULL;
  about base;
  int st = EXIT_OK;

  if (!*j->node) return EXIT_OK;
  if (find_description(KIND_SYSTEM, j->node, base.path, sizeof base.path,
                       why) == EXIT_OK)
    st = load_system(j->node, j->set, &node, &base, why);
  else
    st = why->status;
  if (st != EXIT_OK) {
    const failure said = *why;
    return fail(why, said.status, "%s:%d: node: %.400s", j->more.path, j->line,
                said.text);
  }
  if (gscale_system_network(node))
    st = fail(why, EXIT_DATA, "%s:%d: node: '%s' has nodes itself",
              j->more.path, j->line, j->node);
  else
    gscale_system_take_node(j->system, node, j->mentioned);
  gscale_system_free(node);
  return st;
}

/* What its file leaves to the system that it is like, which may itself be
 * projected or made of nodes.  What that one is like is not followed: what
 * nobody measured there would seem measured here. */
static int take_like(job *j, failure *why)
{
  settings none = {0};
  job base = {.set = &none};
  int st = EXIT_OK;

  if (!j->alike) return EXIT_OK;
  if (find_description(KIND_SYSTEM, j->like, base.more.path,
                       sizeof base.more.path, why) != EXIT_OK) {
    const failure said = *why;
    st = fail(why, said.status, "%s:%d: like: %.200s", j->more.path, j->line,
              said.text);
  }
  if (st == EXIT_OK) st = load(KIND_SYSTEM, j->like, &base, NULL, why);
  if (st == EXIT_OK && base.alike)
    st = fail(why, EXIT_DATA,
              "%s:%d: like: '%s' is itself like '%s': name a system that "
              "stands by itself",
              j->more.path, j->line, j->like, base.like);
  if (st == EXIT_OK) st = take_projection(&base, why);
  if (st == EXIT_OK) st = take_node(&base, why);
  if (st == EXIT_OK) take_alike(j->system, base.system, j->like, j->mentioned);
  gscale_system_free(base.system);
  return st;
}

/* Joins the nodes, now that they are known. */
static int join_nodes(job *j, failure *why)
{
  gscale_diag diag;
  gscale_status st;

  if (!j->joined) return EXIT_OK;
  j->network.grows = j->grows;
  st = gscale_system_set_network(j->system, &j->network, &diag);
  if (st == GSCALE_OK) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s:%d: %s", j->more.path, j->line, diag.text);
}

static int check_system(const job *j, failure *why)
{
  gscale_diag diag;
  const gscale_status st = gscale_system_check(j->system, &diag);

  if (st == GSCALE_OK) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s:%d: %s", j->more.path, j->line, diag.text);
}

int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why)
{
  job j = {.set = set};
  int st = load(KIND_SYSTEM, what, &j, NULL, why);

  if (st == EXIT_OK) st = take_like(&j, why);
  if (st == EXIT_OK) st = take_projection(&j, why);
  if (st == EXIT_OK) st = take_node(&j, why);
  if (st == EXIT_OK) st = join_nodes(&j, why);
  if (st == EXIT_OK) st = take_residuals(&j, why);
  if (st == EXIT_OK) st = check_system(&j, why);
  if (st == EXIT_OK && more) *more = j.more;
  if (st == EXIT_OK)
    *out = j.system;
  else
    gscale_system_free(j.system);
  return st;
}

/* The system that has its t1; NULL where there is none, or it is not there.
 * Want of memory is a failure. */
static int load_t1_system(const gscale_workload *w, gscale_system **out,
                          failure *why)
{
  char system[GSCALE_NAME_MAX];
  settings none = {0};
  const size_t refusals = gscale_refusals();

  *out = NULL;
  snprintf(system, sizeof system, "%s", gscale_workload_t1_on(w));
  if (!(gscale_workload_t1(w)->val > 0.0) || !*system) return EXIT_OK;
  system[strcspn(system, " ")] = '\0';
  const int st = load_system(system, &none, out, NULL, why);
  if (st == EXIT_OK) return EXIT_OK;
  *out = NULL;
  return st == EXIT_INTERNAL || gscale_refusals() > refusals ? EXIT_INTERNAL
                                                             : EXIT_OK;
}

/* Its t1 taken away and, with what the rooflines give without it, put back. */
static gscale_status put_roofline(gscale_workload *w,
                                  double (*time)(const gscale_workload *w,
                                                 void *closure),
                                  void *closure, gscale_diag *diag)
{
  const gscale_param t1 = *gscale_workload_t1(w);
  char on[GSCALE_NAME_MAX];

  snprintf(on, sizeof on, "%s", gscale_workload_t1_on(w));
  gscale_status st =
      gscale_workload_set_single(w, (gscale_param){.origin = t1.origin}, diag);
  const double there = st == GSCALE_OK ? time(w, closure) : 0.0;
  if (st == GSCALE_OK) st = gscale_workload_set_single(w, t1, diag);
  gscale_workload_set_t1_on(w, on);
  if (st == GSCALE_OK && there > 0.0)
    st = gscale_workload_set_t1_roofline(w, there, diag);
  return st;
}

static double plan_there(const gscale_workload *w, void *closure)
{
  gscale_plan *p = NULL;
  double there = 0.0;

  if (gscale_plan_new(closure, w, 1, &p, NULL) == GSCALE_OK)
    there = gscale_predict_time(p, 0, NULL);
  gscale_plan_free(p);
  return there;
}

/* What the rooflines give on the system that has its t1: with that it can be
 * scaled to others.  A system that is not there leaves it as it is; want of
 * memory does not. */
static int find_roofline(gscale_workload *w, failure *why)
{
  const size_t refusals = gscale_refusals();
  gscale_diag diag;
  gscale_system *s;
  gscale_status st = GSCALE_OK;
  const int loaded = load_t1_system(w, &s, why);

  if (loaded != EXIT_OK) return loaded;
  if (s) st = put_roofline(w, plan_there, s, &diag);
  gscale_system_free(s);
  if (st == GSCALE_OK && gscale_refusals() > refusals)
    return fail(why, EXIT_INTERNAL, "no memory for %s on %s",
                gscale_workload_name(w), gscale_workload_t1_on(w));
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

static int make_workload(const char *what, job *j, gscale_workload **out,
                         about *more, failure *why)
{
  int st = load(KIND_WORKLOAD, what, j, more, why);

  if (st == EXIT_OK) st = find_roofline(j->workload, why);
  gscale_workload_free(j->moved[0]);
  gscale_workload_free(j->moved[1]);
  if (st == EXIT_OK)
    *out = j->workload;
  else
    gscale_workload_free(j->workload);
  return st;
}

int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why)
{
  job j = {.set = set};

  return make_workload(what, &j, out, more, why);
}

int load_for(const char *what, settings *set, const target *t,
             gscale_workload **out, about *more, failure *why)
{
  job j = {.set = set,
           .gpus = t->gpus,
           .sizes = t->n,
           .together = t->node,
           .grown = t->grown};

  return make_workload(what, &j, out, more, why);
}

/* ---- recorded --------------------------------------------------------------
 */

/* Whether two workloads are the same, as far as step() says so. */
static bool are_same(const gscale_workload *a, const gscale_workload *b)
{
  const size_t n = gscale_workload_phases(a);

  if (n != gscale_workload_phases(b) ||
      memcmp(gscale_workload_host(a), gscale_workload_host(b),
             sizeof(gscale_host)) != 0)
    return false;
  for (size_t i = 0; i < n; i++)
    if (memcmp(gscale_workload_phase(a, i), gscale_workload_phase(b, i),
               sizeof(gscale_phase)) != 0)
      return false;
  return true;
}

/* What a tape needs besides its own arithmetic: a plan on the machine whose t1
 * it has; and for which numbers of GPUs schedules were recorded. */
typedef struct beside {
  gscale_system *there; /* NULL: it has none */
  gscale_probe *probe;
  const gscale_system *s;
  size_t gpus, sizes;
  int *asked, *size, *now;
} beside;

static void free_beside(void *closure)
{
  beside *b = closure;

  gscale_probe_free(b->probe);
  gscale_system_free(b->there);
  free(b->asked);
  free(b->size);
  free(b->now);
  free(b);
}

static double probe_there(const gscale_workload *w, void *closure)
{
  beside *b = closure;
  const gscale_plan *p;

  if (gscale_probe_workload(b->probe, w, NULL) != GSCALE_OK ||
      gscale_probe_plan(b->probe, &p, NULL) != GSCALE_OK)
    return 0.0;
  return gscale_predict_time(p, 0, NULL);
}

/* Schedules, and counts that are functions of the number of GPUs, were recorded
 * for some; another size may ask for others, as memory has room. */
static bool has_sizes(const beside *b, const gscale_workload *w)
{
  if (!gscale_workload_has_program(w) && !gscale_workload_varies(w))
    return true;
  const size_t n = sizes_for(b->s, w, b->asked, b->gpus, b->now);
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < b->sizes && b->size[k] != b->now[i]) k++;
    if (k == b->sizes) return false;
  }
  return true;
}

static bool move_beside(gscale_workload *w, void *closure)
{
  beside *b = closure;

  return has_sizes(b, w) &&
         (!b->there || put_roofline(w, probe_there, b, NULL) == GSCALE_OK);
}

static beside *new_beside(const gscale_system *s, const gscale_workload *like,
                          const int *gpus, size_t n)
{
  beside *b = calloc(1, sizeof *b);

  if (!b) return NULL;
  *b = (beside){.s = s,
                .gpus = n,
                .asked = malloc((n + 1) * sizeof *b->asked),
                .size = malloc((n + 2) * sizeof *b->size),
                .now = malloc((n + 2) * sizeof *b->now)};
  if (!b->asked || !b->size || !b->now) {
    free_beside(b);
    return NULL;
  }
  memcpy(b->asked, gpus, n * sizeof *gpus);
  b->sizes = sizes_for(s, like, gpus, n, b->size);
  return b;
}

static int open_there(beside *b, const gscale_workload *like, failure *why)
{
  const int st = load_t1_system(like, &b->there, why);
  gscale_diag diag;

  if (st != EXIT_OK || !b->there) return st;
  const gscale_status made =
      gscale_probe_new(b->there, like, 1, &b->probe, &diag);
  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  gscale_probe_ways(b->probe, NULL, 0);
  return EXIT_OK;
}

/* The recording; *st, EXIT_INTERNAL or none that matters. */
static bool record(const char *what, job *j, const beside *b,
                   const gscale_workload *like, int *st, failure *why)
{
  const bool own =
      gscale_workload_has_program(like) || gscale_workload_varies(like);

  if (own) {
    j->gpus = b->size;
    j->sizes = b->sizes;
    j->together = gscale_system_network(b->s) ? gscale_system_node(b->s) : 0;
  }
  *st = load(KIND_WORKLOAD, what, j, NULL, why);
  gscale_workload_free(j->moved[0]);
  gscale_workload_free(j->moved[1]);
  if (*st == EXIT_OK) *st = find_roofline(j->workload, why);
  return *st == EXIT_OK && tape_seal(j->tape) && j->uncertains == 0 &&
         are_same(j->workload, like);
}

int load_tape(const gscale_system *s, const char *what, settings *set,
              const char *const knob[], const char *const unit[], size_t n,
              const int *gpus, size_t n_gpus, const gscale_workload *like,
              tape **out, gscale_workload **moved, failure *why)
{
  job j = {.set = set, .tape = tape_new(knob, unit, n)};
  beside *b = new_beside(s, like, gpus, n_gpus);
  failure other = {EXIT_OK, ""};
  int st = EXIT_INTERNAL;

  *out = NULL;
  if (j.tape && b) st = open_there(b, like, &other);
  if (!j.tape || !b) fail(&other, st, "no memory for a tape");
  if (st == EXIT_OK && record(what, &j, b, like, &st, &other)) {
    tape_beside(j.tape, move_beside, free_beside, b);
    *out = j.tape;
    *moved = j.workload;
    return EXIT_OK;
  }
  tape_free(j.tape);
  if (b) free_beside(b);
  gscale_workload_free(j.workload);
  if (st != EXIT_INTERNAL) return EXIT_OK;
  *why = other;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
