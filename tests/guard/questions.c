/* questions.c - drawn questions, and laws that every answer must obey.
 *
 *   questions SEED COUNT [KNOWN]
 *
 * A world is a system, a program and a number of GPUs: half of them are shipped
 * and varied, half drawn from nothing.  By each way that can answer, a question
 * is one prediction and what becomes of it when one number is another.
 *
 *   account   times and bytes are finite, not negative, and sum
 *   infinite  nothing is faster than infinite, or than its own bytes over the
 *             slowest thing that they must pass (`bytes`)
 *   alone     one GPU: all ways alike, as long as was measured; no byte moves
 *   fixed     at fixed knobs more of a gain never slows, of a cost never speeds
 *   chosen    the same where the model chooses the knobs
 *   program   more to send, or to do, of a phase, or a longer measured time,
 *             never takes less, at fixed knobs and at chosen ones; nor does
 *             more to send put fewer bytes on the wire (tests/more.h)
 *   same      gscale_predict_time = gscale_predict; the same question again
 *   renamed   which GPU of a mesh is called which changes nothing, where they
 * do the same; but for copies, whose order is one of numbers
 *
 * KNOWN lists what breaks a law still: LAW SUBJECT WAY RATIO ONE_IN REASON, a
 * line each, at most 5.  One that is worse, or not found among 20 times ONE_IN
 * questions, fails as one that is not listed does.  Exits 1 then. */

#include "language/language.h"
#include "more.h"
#include "trust/uncertain_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SHIPPED_MAX = 64,
  WAYS_MAX = 32,
  BREAKS_MAX = 512,
  KNOWN_MAX = 5,
  TOLD = 2, /* of a break: the first ones */
  PER_WORLD = 24,
  SYSTEM_NUMBERS = 4 /* of a shipped system that are varied, at most */
};

static const double TOLERANCE = 1e-10; /* of sums of 10^5 pieces */
static const double SLIGHT = 1e-6;     /* of a program's numbers */

typedef enum law {
  ACCOUNT,
  FASTER,
  BYTES,
  ALONE,
  FIXED,
  CHOSEN,
  PROGRAM,
  SAME,
  RENAMED,
  LAWS
} law;

static const char *const law_name[LAWS] = {"account", "infinite", "bytes",
                                           "alone",   "fixed",    "chosen",
                                           "program", "same",     "renamed"};

/* ---- what breaks them ---------------------------------------------------- */

typedef struct known {
  char law[16], subject[GSCALE_NAME_MAX], way[GSCALE_NAME_MAX];
  double ratio, one_in;
} known;

typedef struct broken {
  law law;
  char subject[GSCALE_NAME_MAX], way[2 * GSCALE_NAME_MAX];
  double ratio; /* the largest */
  size_t times;
} broken;

static known list[KNOWN_MAX];
static size_t listed;
static broken found[BREAKS_MAX];
static size_t finds, checked[LAWS];

static void read_known(const char *path)
{
  char line[1024];
  FILE *f = fopen(path, "r");

  if (!f) {
    perror(path);
    exit(2);
  }
  while (fgets(line, sizeof line, f)) {
    known k;

    if (*line == '#' || *line == '\n') continue;
    if (sscanf(line, "%15s %47s %47s %lf %lf", k.law, k.subject, k.way,
               &k.ratio, &k.one_in) != 5 ||
        listed == KNOWN_MAX) {
      fprintf(stderr, "%s: at most %d lines of six words: %s", path, KNOWN_MAX,
              line);
      exit(2);
    }
    list[listed++] = k;
  }
  fclose(f);
}

static bool is_listed(const broken *b, const known *k)
{
  const law l = b->law == CHOSEN ? FIXED : b->law; /* one cause */

  const size_t n = strcspn(k->way, "*"); /* any that begin so */

  return strcmp(law_name[l], k->law) == 0 &&
         strcmp(b->subject, k->subject) == 0 &&
         strncmp(b->way, k->way, n + !k->way[n]) == 0;
}

/* ---- a world ------------------------------------------------------------- */

typedef struct world {
  gscale_system *s;
  gscale_workload *w;
  bool even;   /* all GPUs do the same, and send each other as much */
  bool copied; /* of shipped ones: what they point to stays theirs */
  int n;
  uint64_t seed;
  char about[320];
  gscale_plan *plan;
  double infinite;
} world;

/* What one way answers in it. */
typedef struct reply {
  size_t paradigm;
  char way[2 * GSCALE_NAME_MAX];
  gscale_knobs asked;
  gscale_prediction p;
} reply;

static void find(const world *u, law l, const char *subject, const reply *r,
                 double ratio, const char *more)
{
  broken is = {.law = l};
  size_t i = 0;

  snprintf(is.subject, sizeof is.subject, "%s", subject);
  snprintf(is.way, sizeof is.way, "%s", r->way);
  while (i < finds &&
         !(found[i].law == l && strcmp(found[i].subject, is.subject) == 0 &&
           strcmp(found[i].way, is.way) == 0))
    i++;
  if (i == finds && finds < BREAKS_MAX) found[finds++] = is;
  if (i == finds) return;
  found[i].times++;
  if (found[i].times <= TOLD || ratio > 1.5 * found[i].ratio)
    printf("%s %s by %s: %.12g: world %llu: %s%s\n", law_name[l], subject,
           r->way, ratio, (unsigned long long)u->seed, u->about, more);
  found[i].ratio = fmax(found[i].ratio, ratio);
}

/* Counts, and says if `ratio`, which must not exceed 1, does. */
static void hold(const world *u, law l, const char *subject, const reply *r,
                 double ratio, const char *more)
{
  checked[l]++;
  if (!(ratio <= 1 + TOLERANCE)) find(u, l, subject, r, ratio, more);
}

/* ---- what is shipped ----------------------------------------------------- */

static struct shipped {
  char name[SHIPPED_MAX][GSCALE_NAME_MAX];
  gscale_system *system[SHIPPED_MAX];
  gscale_workload *workload[SHIPPED_MAX];
  size_t n;
} systems, programs;

static int add_name(const char *path, const char *name, void *closure,
                    failure *why)
{
  struct shipped *of = closure;

  (void)path;
  (void)why;
  if (of->n < SHIPPED_MAX)
    snprintf(of->name[of->n++], GSCALE_NAME_MAX, "%s", name);
  return EXIT_OK;
}

static const int sizes[] = {1, 2, 3, 4, 6, 8, 16, 32, 64};
enum {
  SIZES = sizeof sizes / sizeof *sizes
};

static void load_shipped(void)
{
  failure why = {0};
  gscale_diag diag;

  if (each_description(KIND_SYSTEM, add_name, &systems, &why) != EXIT_OK ||
      each_description(KIND_WORKLOAD, add_name, &programs, &why) != EXIT_OK ||
      systems.n == 0 || programs.n == 0) {
    fprintf(stderr, "nothing shipped is found: %s\n", why.text);
    exit(2);
  }
  for (size_t i = 0; i < systems.n; i++)
    if (gscale_load_system(systems.name[i], NULL, 0, &systems.system[i],
                           &diag) != GSCALE_OK) {
      fprintf(stderr, "%s: %s\n", systems.name[i], diag.text);
      exit(2);
    }
  for (size_t i = 0; i < programs.n; i++)
    if (gscale_load_workload(programs.name[i], NULL, 0, sizes, SIZES,
                             &programs.workload[i], &diag) != GSCALE_OK) {
      fprintf(stderr, "%s: %s\n", programs.name[i], diag.text);
      exit(2);
    }
}

/* ---- drawing ------------------------------------------------------------- */

/* Up or down; of an optional number that is not there, some. */
static double drawn_value(size_t id, double was, rng *r)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  static const double usual[GSCALE_DIM_END] = {
      [GSCALE_TIME] = 1e-6, [GSCALE_BYTERATE] = 1e11, [GSCALE_RATE] = 1e9,
      [GSCALE_BYTES] = 1e5, [GSCALE_FLOPRATE] = 1e13, [GSCALE_COUNT] = 1};
  const double base = was > 0 && isfinite(was) ? was
                      : usual[info->dim] > 0   ? usual[info->dim]
                                               : 1e-13;

  return fmin(info->most, fmax(info->least, base * spread(r, 0.1, 10)));
}

static gscale_system *copy_system(const gscale_system *from)
{
  gscale_system *s = malloc(sizeof *s);

  if (!s) abort();
  *s = *from;
  return s;
}

/* A number that sets how others are read, or that nothing has a use for, is
 * left alone. */
static void vary_system(gscale_system *s, rng *r)
{
  for (int i = pick(r, SYSTEM_NUMBERS + 1); i > 0; i--) {
    const size_t id = (size_t)pick(r, GSCALE_PARAM_END);
    gscale_param p = *gscale_system_get(s, id);

    if (gscale_param_info_at(id)->direction == GSCALE_EITHER) continue;
    p.val = drawn_value(id, p.val, r);
    p.err = 0;
    gscale_system_set(s, id, &p, NULL);
  }
}

/* The same program of other sizes; a schedule of its own stays. */
static gscale_workload *vary_workload(const gscale_workload *from, rng *r)
{
  gscale_workload *w = malloc(sizeof *w);
  const double work = spread(r, 1e-2, 1e2), sent = spread(r, 1e-3, 1e2);

  if (!w) abort();
  *w = *from; /* what it points to stays that one's */
  for (size_t i = 0; i < w->phases && pick(r, 3); i++) {
    w->phase[i].flop *= work;
    w->phase[i].bytes *= work;
    w->phase[i].footprint *= fmin(work, 1);
    w->phase[i].publish *= sent;
    if (w->phase[i].to == GSCALE_TO_NEIGHBOURS)
      w->phase[i].publish = sent * 1e5;
  }
  if (!w->program && pick(r, 3) == 0)
    w->single = (gscale_param){.val = spread(r, 1e-6, 1),
                               .origin = GSCALE_MEASURED,
                               .source = "drawn"};
  return w;
}

/* Ways between nodes, and the network of a drawn system. */
static void join(gscale_system *s, rng *r)
{
  static const char *const numbers[] = {
      "overhead",     "latency",   "rate",           "node_rate",
      "stage",        "messages",  "from",           "long_overhead",
      "long_latency", "long_rate", "long_node_rate", "long_stage"};
  static const double least[] = {1e-8, 1e-7, 1e8,  1e8, 1e-13, 1e4,
                                 1e2,  1e-8, 1e-7, 1e8, 1e8,   1e-13};
  const int shape = pick(r, GSCALE_NET_TOPOLOGY_END);
  const gscale_network n = {.nodes = 3,
                            .rails = 1 << pick(r, 4),
                            .leaf = shape == GSCALE_NET_RAILS ? 2 : 16,
                            .grows = true,
                            .kind = (gscale_net_topology)shape,
                            .link = *gscale_link_find("ib-edr")};

  gscale_system_set_network(s, &n, NULL);
  for (size_t i = 0; i < sizeof least / sizeof *least; i++)
    for (int path = 0; path < 2; path++) {
      char name[64];

      snprintf(name, sizeof name, "%s.%s", path ? "gpudirect" : "hostpath",
               numbers[i]);
      set(s, name, spread(r, least[i], least[i] * 1e3), 0);
    }
  set(s, "network.efficiency", uniform(r, 0.2, 1), 0);
  set(s, "network.taper", uniform(r, 0.05, 1), 0);
  set(s, "network.barrier", maybe(r, 1e-8, 1e-4), 0);
  set(s, "network.jitter", maybe(r, 1e-8, 1e-4), 0);
}

/* Each sends each of the others as much, and has as much to do: neighbours and
 * subscribers are those of the next numbers, and units that are over are dealt
 * to the first. */
static bool is_even(const gscale_phase *p, int n)
{
  return p->to != GSCALE_TO_NEIGHBOURS && p->to != GSCALE_TO_SUBSCRIBERS &&
         !(p->reduce > 0) && !(fmod(p->units, n) > 0) && !(p->egress_max > 1) &&
         !(p->ingress_max > 1) && !(p->compute_max > 1);
}

static bool all_even(const gscale_workload *w, int n)
{
  for (size_t i = 0; i < w->phases; i++)
    if (!is_even(&w->phase[i], n)) return false;
  return !w->program;
}

/* All of a mesh, which do the same. */
static void even_out(world *u)
{
  const gscale_fabric *f = gscale_system_about(u->s).fabric;

  if (f->kind == GSCALE_MESH) u->n = f->mesh_gpus;
  u->w->host.threads = 0;
  for (size_t i = 0; i < u->w->phases; i++)
    u->w->phase[i].units = u->n * ceil(u->w->phase[i].units / u->n);
}

/* What a phase of a drawn program sends, in a few words. */
static void say_phases(world *u)
{
  for (size_t i = 0; i < u->w->phases; i++) {
    const gscale_phase *p = &u->w->phase[i];
    const size_t n = strlen(u->about);

    snprintf(u->about + n, sizeof u->about - n, "; %g B to %d x %g%s",
             p->publish, (int)p->to, p->repeats,
             p->reduce > 0 ? " reduced" : "");
  }
}

static bool draw(world *u, uint64_t seed)
{
  rng r = {seed};
  const bool shipped = pick(&r, 2);

  *u = (world){.seed = seed};
  if (shipped) {
    const int i = pick(&r, (int)systems.n), k = pick(&r, (int)programs.n);
    u->copied = true;
    u->s = copy_system(systems.system[i]);
    if (pick(&r, 3) == 0) vary_system(u->s, &r);
    u->w = pick(&r, 3) ? vary_workload(programs.workload[k], &r)
                       : vary_workload(programs.workload[k], &(rng){0});
    u->n = sizes[pick(&r, SIZES)];
    snprintf(u->about, sizeof u->about, "%s on %d of %s", programs.name[k],
             u->n, systems.name[i]);
  } else {
    u->s = random_system(&r);
    u->w = random_workload(&r);
    if (pick(&r, 3) == 0) join(u->s, &r);
    if (gscale_system_about(u->s).network && seed % 2) one_regime(u->s);
    u->n = 1 + pick(&r, gscale_system_about(u->s).network ? 24 : 8);
    if (pick(&r, 4) == 0) even_out(u);
    snprintf(u->about, sizeof u->about, "drawn on %d, %s, peer %s", u->n,
             gscale_topology_name(gscale_system_about(u->s).fabric->kind),
             gscale_name(GSCALE_PEER_NAMES, gscale_system_can(u->s)->peer));
    say_phases(u);
  }
  u->even = all_even(u->w, u->n);
  return gscale_plan_new(u->s, u->w, u->n, &u->plan, NULL) == GSCALE_OK;
}

static void forget(world *u)
{
  gscale_plan_free(u->plan);
  if (u->copied) {
    free(u->s);
    free(u->w);
  } else {
    gscale_system_free(u->s);
    gscale_workload_free(u->w);
  }
}

/* ---- what must hold of one answer ---------------------------------------- */

static void account(const world *u, const reply *r)
{
  const gscale_prediction *p = &r->p;
  const gscale_bytes *b = &p->bytes;
  const double kinds = b->useful + b->protocol + b->redundant + b->unused;
  double sum = 0, least = 0;

  for (int i = 0; i < GSCALE_PART_END; i++) {
    sum += p->part[i];
    least = fmin(least, isnan(p->part[i]) ? -1 : p->part[i]);
  }
  least = fmin(
      least, fmin(fmin(b->useful, b->protocol), fmin(b->redundant, b->unused)));
  hold(u, ACCOUNT, "negative", r, least < 0 ? 2 : 1, "");
  hold(u, ACCOUNT, "parts", r, 1 + fabs(sum / p->time - 1), "");
  hold(u, ACCOUNT, "bytes", r,
       b->wire > 0 ? 1 + fabs(kinds / b->wire - 1) : 1 + kinds, "");
  hold(u, ACCOUNT, "finite", r,
       isfinite(p->time) && isfinite(p->setup) && p->setup >= 0 ? 1 : 2, "");
  hold(u, ACCOUNT, "opportunity", r,
       p->opportunity > 0 && p->opportunity <= 1 ? 1 : 2, "");
}

static double value(const world *u, size_t id)
{
  return gscale_system_get(u->s, id)->val;
}

/* Of all bytes between GPUs those that leave their node, where each of n sends
 * each of the others as much. */
static double crossing(int n, int node)
{
  const double last = n % node, full = n - last;
  const double inside = full * (node - 1) + last * (last - 1);

  return 1 - inside / ((double)n * (n - 1));
}

/* Seconds that its bytes take over what they must pass, at full rate.  A GPU of
 * mean traffic sends, and gets, its part by its port, or by the host's two legs
 * where it reaches no other; a bus carries all of them; of several nodes what
 * crosses goes by their rails.  Collectives and broadcasts may send less there
 * than they send in all. */
static double bytes_bound(const world *u, const reply *r, const char **what)
{
  const gscale_fabric *f = gscale_system_about(u->s).fabric;
  const gscale_network *net = gscale_system_about(u->s).network;
  const bool bulk = strncmp(r->way, "memcpy", 6) == 0,
             paged = strncmp(r->way, "um", 2) == 0;
  const double rate = value(u, GSCALE_LINK_RATE), wire = r->p.bytes.wire,
               each = wire / u->n, held = wire - r->p.bytes.protocol;
  const int node = gscale_system_about(u->s).node;

  if (net && u->n > node) {
    const double nodes = ceil((double)u->n / node);
    *what = "rails";
    return u->even && bulk
               ? held * crossing(u->n, node) /
                     (nodes * net->rails * value(u, GSCALE_NETWORK_RATE))
               : 0;
  }
  if (gscale_system_can(u->s)->peer == GSCALE_PEER_NONE) {
    *what = "host"; /* tests/t_wires.c bounds collectives there */
    return bulk || paged ? fmax(each / value(u, GSCALE_STAGED_RATE),
                                wire / value(u, GSCALE_STAGED_HOST))
                         : 0;
  }
  *what = f->kind == GSCALE_BUS ? "bus" : f->ingress < 1 ? "ingress" : "port";
  return f->kind == GSCALE_BUS ? wire / rate
                               : each / (rate * fmin(1, f->ingress));
}

static void bounded(const world *u, const reply *r)
{
  const char *what;
  const double bound = bytes_bound(u, r, &what);

  hold(u, FASTER, "bound", r, r->p.opportunity, "");
  hold(u, FASTER, "infinite", r, u->infinite / r->p.time, "");
  hold(u, BYTES, what, r, bound / r->p.time, "");
  if (u->n > 1) return;
  hold(u, ALONE, "time", r, 1 + fabs(r->p.time / u->infinite - 1), "");
  hold(u, ALONE, "bytes", r, 1 + r->p.bytes.wire, "");
  const double t1 = gscale_workload_about(u->w).t1->val;
  if (t1 > 0 &&
      !gscale_workload_t1_elsewhere(u->w, gscale_system_about(u->s).name))
    hold(u, ALONE, "t1", r, 1 + 0.1 * fabs(r->p.time / t1 - 1), "");
}

static void repeated(const world *u, const reply *r)
{
  gscale_prediction again;
  const double t = gscale_predict_time(u->plan, r->paradigm, &r->p.knobs);

  hold(u, SAME, "time", r, 1 + fabs(t / r->p.time - 1), "");
  if (gscale_predict(u->plan, r->paradigm, &r->p.knobs, &again, NULL) !=
      GSCALE_OK)
    again.time = (double)NAN;
  hold(u, SAME, "knobs", r, 1 + fabs(again.time / r->p.time - 1), "");
}

/* ---- when one number is another ------------------------------------------ */

/* With a measured time of one GPU its numbers only say how that is divided
 * (gscale_direction).  A rate of 0 is one that nobody said: another number
 * stands for it. */
static bool has_direction(const world *u, size_t id)
{
  const gscale_direction is = gscale_param_info_at(id)->direction;
  const bool said = gscale_system_get(u->s, id)->val > 0;
  return is != GSCALE_EITHER && (is != GSCALE_GAIN || said) &&
         (id >= GSCALE_LINK_RATE || !(u->w->single.val > 0));
}

/* Anywhere higher in its domain. */
static double higher(size_t id, double was, rng *r)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  const double more = was * spread(r, 1, pick(r, 4) ? 3 : 100);
  const double some = was > 0 ? 0 : drawn_value(id, 0, r);

  return fmin(info->most, fmax(more, some));
}

static void moved(const world *u, const reply *r, size_t id, double to,
                  const gscale_plan *plan)
{
  const bool gain = gscale_param_info_at(id)->direction == GSCALE_GAIN;
  const char *name = gscale_param_info_at(id)->name;
  const double was = gscale_system_get(u->s, id)->val;
  const double t = gscale_predict_time(plan, r->paradigm, &r->p.knobs);
  gscale_prediction best;
  char more[96];

  snprintf(more, sizeof more, ", %.6g to %.6g, n of it %g s", was, to,
           r->p.time);
  if (!isnan(t))
    hold(u, FIXED, name, r, gain ? t / r->p.time : r->p.time / t, more);
  if (gscale_predict(plan, r->paradigm, &r->asked, &best, NULL) == GSCALE_OK)
    hold(u, CHOSEN, name, r,
         gain ? best.time / r->p.time : r->p.time / best.time, more);
}

static void move_one(const world *u, const reply *replies, size_t n, rng *r)
{
  const size_t id = (size_t)pick(r, GSCALE_PARAM_END);
  const double was = gscale_system_get(u->s, id)->val;
  const gscale_param to = {.val = higher(id, was, r), .origin = GSCALE_ASSUMED};
  gscale_system s = *u->s;
  gscale_plan *plan = NULL;

  if (!isfinite(was) || gscale_system_set(&s, id, &to, NULL) != GSCALE_OK ||
      gscale_plan_new(&s, u->w, u->n, &plan, NULL) != GSCALE_OK)
    return;
  for (size_t i = 0; i < n; i++) {
    if (has_direction(u, id)) moved(u, &replies[i], id, to.val, plan);
  }
  gscale_plan_free(plan);
}

/* ---- when the program is another ------------------------------------------
 */

static void program_moved(const world *u, const reply *r, more_of what,
                          size_t phase, const gscale_plan *plan,
                          const char *how)
{
  const gscale_knobs used = as_used(r->paradigm, &r->p);
  const bool by_same =
      !gscale_paradigm_at(r->paradigm)->collective || used.algorithm > 0;
  gscale_prediction now;
  char name[GSCALE_NAME_MAX];

  if (more_broken(r->paradigm, what) ||
      (!u->copied && !is_one_regime(u->s, u->n)) ||
      more_channels(u->s, u->plan, plan, r->paradigm, phase, &used))
    return;
  snprintf(name, sizeof name, "%s", more_name[what]);
  if (gscale_predict(plan, r->paradigm, &used, &now, NULL) == GSCALE_OK) {
    hold(u, PROGRAM, name, r, (1 - SLIGHT) * r->p.time / now.time, how);
    snprintf(name, sizeof name, "%s.wire", more_name[what]);
    if (more_wire(what) && by_same && r->p.bytes.wire > 0)
      hold(u, PROGRAM, name, r, r->p.bytes.wire / now.bytes.wire, how);
  }
  snprintf(name, sizeof name, "%s.best", more_name[what]);
  if (gscale_predict(plan, r->paradigm, &r->asked, &now, NULL) == GSCALE_OK)
    hold(u, PROGRAM, name, r, (1 - SLIGHT) * r->p.time / now.time, how);
}

static void move_program(const world *u, const reply *replies, size_t n, rng *r)
{
  const more_of what = (more_of)pick(r, MORE_END);
  const size_t phase = (size_t)pick(r, (int)u->w->phases);
  const double times = spread(r, 1, pick(r, 4) ? 3 : 100);
  gscale_workload w = *u->w; /* what it points to stays that one's */
  gscale_plan *plan = NULL;
  char how[96];

  if (!make_more(&w, phase, what, times) ||
      gscale_plan_new(u->s, &w, u->n, &plan, NULL) != GSCALE_OK)
    return;
  snprintf(how, sizeof how, ", phase %zu, %g times", phase + 1, times);
  for (size_t i = 0; i < n; i++)
    program_moved(u, &replies[i], what, phase, plan, how);
  gscale_plan_free(plan);
}

/* ---- which GPU is which ---------------------------------------------------
 */

static void renamed(const world *u, const reply *replies, size_t n, rng *r)
{
  const gscale_fabric *f = gscale_system_about(u->s).fabric;
  int as[GSCALE_MESH_MAX];
  gscale_system s = *u->s;
  gscale_plan *plan = NULL;

  if (f->kind != GSCALE_MESH || u->n != f->mesh_gpus || u->w->host.threads)
    return; /* a thread of several GPUs serves one after the other */
  if (!u->even) return;
  for (int i = 0; i < u->n; i++) as[i] = i;
  for (int i = u->n - 1; i > 0; i--) {
    const int k = pick(r, i + 1), was = as[i];
    as[i] = as[k];
    as[k] = was;
  }
  for (int i = 0; i < u->n; i++)
    for (int k = 0; k < u->n; k++) s.fabric.mesh[as[i]][as[k]] = f->mesh[i][k];
  if (gscale_plan_new(&s, u->w, u->n, &plan, NULL) != GSCALE_OK) return;
  for (size_t i = 0; i < n; i++) {
    const double t =
        gscale_predict_time(plan, replies[i].paradigm, &replies[i].p.knobs);

    if (strncmp(replies[i].way, "memcpy", 6) == 0) continue;
    hold(u, RENAMED, "mesh", &replies[i],
         1 + fmax(0, fabs(t / replies[i].p.time - 1) - 1e-9), "");
  }
  gscale_plan_free(plan);
}

/* -------------------------------------------------------------------------- */

/* All ways, the ways between nodes of memcpy, and one more at drawn knobs. */
static size_t reply_all(const world *u, reply *out, rng *r)
{
  const size_t all = gscale_paradigm_count();
  size_t n = 0;

  for (size_t i = 0; n < WAYS_MAX; i++) {
    const size_t p = i < all ? i : gscale_paradigm_find("memcpy");
    reply a = {.paradigm = p, .asked = gscale_knobs_best};

    if (i >= all &&
        (!gscale_system_about(u->s).network || !gscale_between_at(i - all)))
      break;
    a.asked.between = i < all ? 0 : i - all + 1;
    if (pick(r, 4) == 0 && gscale_paradigm_at(p)->uses[GSCALE_CHUNK])
      a.asked.v[GSCALE_CHUNK] = exp2(12 + pick(r, 14));
    if (gscale_predict(u->plan, p, &a.asked, &a.p, NULL) != GSCALE_OK) continue;
    gscale_pair_name(p, &a.asked, a.way, sizeof a.way);
    out[n++] = a;
  }
  return n;
}

/* Returns how many questions it was. */
static size_t ask_world(world *u, rng *r)
{
  static reply replies[WAYS_MAX];
  gscale_prediction infinite;
  size_t asked = 0;

  if (gscale_predict(u->plan, gscale_paradigm_find("infinite"), NULL, &infinite,
                     NULL) != GSCALE_OK)
    return 0;
  u->infinite = infinite.time;
  const size_t n = reply_all(u, replies, r);
  for (size_t i = 0; i < n; i++) {
    account(u, &replies[i]);
    bounded(u, &replies[i]);
    repeated(u, &replies[i]);
  }
  renamed(u, replies, n, r);
  for (; n > 0 && asked < PER_WORLD; asked += n) {
    move_one(u, replies, n, r);
    move_program(u, replies, n, r);
  }
  return asked;
}

static int report(size_t asked)
{
  int bad = 0;

  for (size_t i = 0; i < finds; i++) {
    const broken *b = &found[i];
    size_t k = 0;

    while (k < listed && !is_listed(b, &list[k])) k++;
    const bool worse = k == listed || b->ratio > list[k].ratio;
    printf("%s  %s %s %s %.9g, %zu times%s\n", worse ? "BROKEN" : "known",
           law_name[b->law], b->subject, b->way, b->ratio, b->times,
           k < listed && worse ? ", worse than known" : "");
    bad += worse;
  }
  for (size_t k = 0; k < listed; k++) {
    size_t i = 0;

    while (i < finds && !is_listed(&found[i], &list[k])) i++;
    if (i < finds || (double)asked < 20 * list[k].one_in) continue;
    printf("BROKEN  %s %s %s no longer occurs\n", list[k].law, list[k].subject,
           list[k].way);
    bad++;
  }
  for (int i = 0; i < LAWS; i++)
    printf("%s %zu%s", law_name[i], checked[i], i + 1 < LAWS ? ", " : "\n");
  printf("%zu questions, %d breaks\n", asked, bad);
  return bad;
}

int main(int argc, char **argv)
{
  if (argc < 3) {
    fprintf(stderr, "usage: questions SEED COUNT [KNOWN]\n");
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10);
  const size_t count = strtoull(argv[2], NULL, 10);
  rng seeds = {seed};
  size_t asked = 0;

  if (argc > 3) read_known(argv[3]);
  load_shipped();
  while (asked < count) {
    const uint64_t its = count == 1 ? seed : rng_next(&seeds);
    rng r = {~its};
    world u;

    if (draw(&u, its)) asked += ask_world(&u, &r);
    forget(&u);
    if (count == 1) break;
  }
  return report(asked) > 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
