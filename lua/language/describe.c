/* describe.c - loads descriptions by name or file in a sandbox. */

#include "language/reader.h"
#include "language/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int load(kind k, const char *what, job *j, about *more, sandbox **kept,
                failure *why)
{
  int st = find_description(k, what, j->more.path, sizeof j->more.path, why);

  if (st == EXIT_OK)
    st = sandbox_run(
        j->more.path, &default_limits, k == KIND_WORKLOAD ? offer_calls : NULL,
        k == KIND_SYSTEM ? read_system : read_workload, j, kept, why);
  if (st == EXIT_OK && more) *more = j->more;
  return st;
}

/* Returns a job that the caller frees, since a thread's stack may be small. */
static job *job_new(settings *set, failure *why)
{
  job *j = calloc(1, sizeof *j);

  if (j)
    j->set = set;
  else
    fail(why, EXIT_INTERNAL, "no memory for a description");
  return j;
}

int load_own(const char *what, gscale_system **out, failure *why)
{
  job *j = job_new(NULL, why);

  if (!j) return why->status;
  int st = load(KIND_SYSTEM, what, j, NULL, NULL, why);
  *out = j->system;
  if (st == EXIT_OK && (j->projected || *j->node))
    st = fail(why, EXIT_DATA,
              "from: '%.60s' is itself %s: name systems that stand by "
              "themselves",
              what, j->projected ? "projected" : "made of nodes");
  free(j);
  return st;
}

/* Puts the line of gs.system and a key before a message. */
static int locate(const job *j, const char *key, failure *why)
{
  const failure said = *why;

  return fail(why, said.status, "%s:%d: %s%.400s", j->more.path, j->line, key,
              said.text);
}

/* Projects from measured machines the numbers that the file does not give. */
static int take_projection(job *j, failure *why)
{
  if (!j->projected) return EXIT_OK;
  if (project_system(j->system, &j->from, &j->hosts, j->device, j->more.path,
                     j->mentioned, load_own, why) == EXIT_OK)
    return EXIT_OK;
  return locate(j, "", why);
}

/* Reads the residuals. An exact system, which a model describes, has none. */
static int take_residuals(job *j, failure *why)
{
  if (!j->exact) return read_shared_residuals(j->system, why);
  gscale_system_is_exact(j->system);
  return EXIT_OK;
}

/* Takes from the node's system all numbers that the file does not give. */
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
  if (st != EXIT_OK) return locate(j, "node: ", why);
  if (gscale_system_about(node).network)
    st = fail(why, EXIT_DATA, "%s:%d: node: '%s' has nodes itself",
              j->more.path, j->line, j->node);
  else
    gscale_system_take_node(j->system, node, j->mentioned);
  gscale_system_free(node);
  return st;
}

/* Takes from the system named by `like` the numbers that the file does not
 * give. The named system may be projected or have several nodes. The system
 * named by `like` must not have a `like`, since unmeasured numbers would then
 * seem measured. */
static int take_like(job *j, failure *why)
{
  settings none = {0};
  int st = EXIT_OK;

  if (!j->has_like) return EXIT_OK;
  job *base = job_new(&none, why);
  if (!base) return why->status;
  if (find_description(KIND_SYSTEM, j->like, base->more.path,
                       sizeof base->more.path, why) != EXIT_OK)
    st = locate(j, "like: ", why);
  if (st == EXIT_OK) st = load(KIND_SYSTEM, j->like, base, NULL, NULL, why);
  if (st == EXIT_OK && base->has_like)
    st = fail(why, EXIT_DATA,
              "%s:%d: like: '%s' is itself like '%s': name a system that "
              "stands by itself",
              j->more.path, j->line, j->like, base->like);
  if (st == EXIT_OK) st = take_projection(base, why);
  if (st == EXIT_OK) st = take_node(base, why);
  if (st == EXIT_OK)
    inherit_params(j->system, base->system, j->like, j->mentioned);
  gscale_system_free(base->system);
  free(base);
  return st;
}

/* Leaves only the first GPUs of each node, if -P per_node says how many.  The
 * cards that no such GPU has for itself stay idle. */
static int take_per_node(job *j, failure *why)
{
  const gscale_system_facts is = gscale_system_about(j->system);
  const char *text = j->joined ? setting(j, "per_node") : NULL;
  gscale_fabric f = *is.fabric;
  gscale_diag diag;
  double m;

  if (!text) return EXIT_OK;
  if (gscale_parse_quantity(text, GSCALE_COUNT, &m, &diag) != GSCALE_OK ||
      !(m >= 1.0 && m <= is.node && m <= floor(m)))
    return fail(why, EXIT_USAGE,
                "--per-node: '%.40s': needs a whole number from 1 to %d, the "
                "GPUs of a node of %s",
                text, is.node, j->more.name);
  const int gpus = (int)m;
  int *rails = &j->network.rails;
  if (*rails % is.node == 0) *rails = *rails / is.node * gpus;
  while (*rails % gpus != 0 && gpus % *rails != 0) --*rails;
  if (f.kind == GSCALE_MESH && gpus == 1) gscale_fabric_init(&f, GSCALE_SWITCH);
  if (f.kind == GSCALE_MESH) f.mesh_gpus = gpus;
  return check_gscale(why,
                      gscale_system_set_shape(
                          j->system, &f, gpus, false,
                          is.calibrated < gpus ? is.calibrated : gpus, &diag),
                      &diag);
}

/* Adds the network between the nodes, after the node's system is known. */
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

static int check_system(job *j, failure *why)
{
  gscale_diag diag;
  const gscale_status st = gscale_system_check(j->system, &diag);

  if (st == GSCALE_OK) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s:%d: %s", j->more.path, j->line, diag.text);
}

/* The steps after a system's file was read. */
static int (*const taken[])(job *j, failure *why) = {
    take_like,  take_projection, take_node,   take_per_node,
    join_nodes, take_residuals,  check_system};

int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why)
{
  job *j = job_new(set, why);

  if (!j) return why->status;
  int st = load(KIND_SYSTEM, what, j, NULL, NULL, why);
  for (size_t i = 0; st == EXIT_OK && i < LENGTH(taken); i++)
    st = taken[i](j, why);
  if (st == EXIT_OK && more) *more = j->more;
  if (st == EXIT_OK)
    *out = j->system;
  else
    gscale_system_free(j->system);
  free(j);
  return st;
}

/* Loads the system on which t1 was measured. The result is NULL if no system is
 * named or found. The function fails only if memory is exhausted. */
static int load_t1_system(const gscale_workload *w, gscale_system **out,
                          failure *why)
{
  char system[GSCALE_NAME_MAX];
  settings none = {0};
  const size_t refusals = gscale_refusals();

  *out = NULL;
  snprintf(system, sizeof system, "%s", gscale_workload_about(w).t1_on);
  if (!(gscale_workload_about(w).t1->val > 0.0) || !*system) return EXIT_OK;
  system[strcspn(system, " ")] = '\0';
  const int st = load_system(system, &none, out, NULL, why);
  if (st == EXIT_OK) return EXIT_OK;
  *out = NULL;
  return st == EXIT_INTERNAL || gscale_refusals() > refusals ? EXIT_INTERNAL
                                                             : EXIT_OK;
}

/* Computes the roofline's time as if t1 were unknown, and sets both times. */
static gscale_status put_roofline(gscale_workload *w,
                                  double (*time)(const gscale_workload *w,
                                                 void *closure),
                                  void *closure, gscale_diag *diag)
{
  const gscale_param t1 = *gscale_workload_about(w).t1;
  char on[GSCALE_NAME_MAX];

  snprintf(on, sizeof on, "%s", gscale_workload_about(w).t1_on);
  gscale_status st =
      gscale_workload_set_single(w, (gscale_param){.origin = t1.origin}, diag);
  const double there = st == GSCALE_OK ? time(w, closure) : 0.0;
  if (st == GSCALE_OK) st = gscale_workload_set_single(w, t1, diag);
  gscale_workload_set_t1_on(w, on);
  if (st == GSCALE_OK && there > 0.0)
    st = gscale_workload_set_t1_roofline(w, there, diag);
  return st;
}

static double roofline_time(const gscale_workload *w, void *closure)
{
  gscale_plan *p = NULL;
  double there = 0.0;

  if (gscale_plan_new(closure, w, 1, &p, NULL) == GSCALE_OK)
    there = gscale_predict_time(p, 0, NULL);
  gscale_plan_free(p);
  return there;
}

struct description {
  sandbox *box;
  char path[sizeof((about *)0)->path];
  char t1_on[GSCALE_NAME_MAX]; /* name of the system of t1 */
  gscale_system *there;        /* NULL if not found */
};

/* Loads the system of t1 once. */
static int find_t1_system(description *d, const gscale_workload *w,
                          failure *why)
{
  const bool timed = gscale_workload_about(w).t1->val > 0.0;
  const char *on = timed ? gscale_workload_about(w).t1_on : "";

  if (strcmp(on, d->t1_on) == 0) return EXIT_OK;
  gscale_system_free(d->there);
  snprintf(d->t1_on, sizeof d->t1_on, "%s", on);
  return load_t1_system(w, &d->there, why);
}

/* Computes the roofline's time on t1's system, which serves to scale t1 to
 * other systems. If t1's system is missing, nothing is changed. The function
 * fails only if memory is exhausted. */
static int find_roofline(description *d, gscale_workload *w, failure *why)
{
  const size_t refusals = gscale_refusals();
  gscale_diag diag;
  gscale_status st = GSCALE_OK;
  const int loaded = find_t1_system(d, w, why);

  if (loaded != EXIT_OK) return loaded;
  if (d->there && *d->t1_on)
    st = put_roofline(w, roofline_time, d->there, &diag);
  if (st == GSCALE_OK && gscale_refusals() > refusals)
    return fail(why, EXIT_INTERNAL, "no memory for %s on %s",
                gscale_workload_about(w).name, gscale_workload_about(w).t1_on);
  return check_gscale(why, st, &diag);
}

static job *job_for(settings *set, const target *t, failure *why)
{
  job *j = job_new(set, why);

  if (!j) return NULL;
  j->gpus = t->gpus;
  j->sizes = t->n;
  j->together = t->node;
  j->grown = t->grown;
  return j;
}

/* Frees the job, and returns the workload of a successful run. */
static int finish(description *d, job *j, int st, gscale_workload **out,
                  about *more, failure *why)
{
  if (st == EXIT_OK) st = find_roofline(d, j->workload, why);
  gscale_workload_free(j->perturbed[0]);
  gscale_workload_free(j->perturbed[1]);
  gscale_workload_free(j->there);
  if (st == EXIT_OK && more) *more = j->more;
  if (st == EXIT_OK)
    *out = j->workload;
  else
    gscale_workload_free(j->workload);
  free(j);
  return st;
}

int ask_for(description *d, settings *set, const target *t,
            gscale_workload **out, about *more, failure *why)
{
  job *j = job_for(set, t, why);

  if (!j) return why->status;
  memcpy(j->more.path, d->path, sizeof d->path);
  return finish(d, j, sandbox_read(d->box, read_workload, j, why), out, more,
                why);
}

int ask_workload(description *d, settings *set, gscale_workload **out,
                 about *more, failure *why)
{
  return ask_for(d, set, &(target){0}, out, more, why);
}

void close_workload(description *d)
{
  if (!d) return;
  gscale_system_free(d->there);
  sandbox_free(d->box);
  free(d);
}

static int open_for(const char *what, settings *set, const target *t,
                    description **kept, gscale_workload **out, about *more,
                    failure *why)
{
  description *d = *kept = calloc(1, sizeof *d);
  job *j = d ? job_for(set, t, why) : NULL;

  if (!j) {
    free(d);
    *kept = NULL;
    return fail(why, EXIT_INTERNAL, "no memory for a description");
  }
  int st = load(KIND_WORKLOAD, what, j, NULL, &d->box, why);
  memcpy(d->path, j->more.path, sizeof d->path);
  st = finish(d, j, st, out, more, why);
  if (st == EXIT_OK) return st;
  close_workload(d);
  *kept = NULL;
  return st;
}

int open_workload(const char *what, settings *set, description **kept,
                  gscale_workload **out, about *more, failure *why)
{
  return open_for(what, set, &(target){0}, kept, out, more, why);
}

int load_for(const char *what, settings *set, const target *t,
             gscale_workload **out, about *more, failure *why)
{
  description *d;
  const int st = open_for(what, set, t, &d, out, more, why);

  close_workload(d);
  return st;
}

int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why)
{
  return load_for(what, set, &(target){0}, out, more, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
