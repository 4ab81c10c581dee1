/* lump.c - lumping of moments that are always at the same time.
 *
 * Moments start in classes by kind.  Each class is split until all its members
 * wait for the same classes, with the same weights and from the same number of
 * periods before.  If all earlier steps were equal within classes, so is the
 * next step, and lumping is therefore exact.  After a split, only followers of
 * moments whose class changed are visited again. */

#include "timeline/timeline.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct split {
  const gscale_timeline *t;
  uint64_t seed;
  int classes;
  int *class_of;    /* of each moment */
  int *size;        /* of each class */
  uint64_t *sum;    /* hash of what members of a class await */
  int *out, *start; /* followers; where they begin */
  int *due, *next;  /* moments to visit now; next */
  bool *queued;     /* the moment is in `next` */
  uint64_t *keys;   /* keys of the arcs into one moment */
  int *count;       /* due members of each class */
  int *place;       /* next index of each class */
  int dues, nexts;
} split;

/* ---- keys of arcs -------------------------------------------------------- */

/* The finalizer of splitmix64, in which every bit depends on every bit. */
static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t key_of(const split *s, const gscale__arc *a)
{
  const uint64_t what = (uint64_t)(uint32_t)s->class_of[a->from] << 32 |
                        (uint64_t)(uint32_t)a->weight;
  return mix(mix(what + s->seed) + (uint64_t)(uint32_t)a->periods);
}

static int by_key(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return GSCALE_ORDER(x, y);
}

static void sort_keys(uint64_t *key, int n)
{
  enum {
    FEW = 12 /* qsort is slower below this number */
  };

  if (n > FEW) {
    qsort(key, (size_t)n, sizeof *key, by_key);
    return;
  }
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
      const uint64_t swap = key[k];
      key[k] = key[k - 1];
      key[k - 1] = swap;
    }
}

/* Writes the sorted set of a moment's keys, and returns the set's size. */
static int keys_of(const split *s, int m, uint64_t *key)
{
  const gscale_timeline *t = s->t;
  int n = 0, kept = 0;

  for (int a = t->moment[m].first; a < t->moment[m + 1].first; a++)
    key[n++] = key_of(s, &t->arc[a]);
  sort_keys(key, n);
  for (int i = 0; i < n; i++)
    if (kept == 0 || key[i] != key[kept - 1]) key[kept++] = key[i];
  return kept;
}

static uint64_t sum_of(const split *s, int m)
{
  const int n = keys_of(s, m, s->keys);
  uint64_t sum = 0;

  for (int i = 0; i < n; i++) sum = mix(sum + s->keys[i]);
  return sum;
}

/* ---- refinement ---------------------------------------------------------- */

static void enqueue_followers(split *s, int m)
{
  for (int k = m ? s->start[m - 1] : 0; k < s->start[m]; k++) {
    const int follower = s->out[k];
    if (s->queued[follower]) continue;
    s->queued[follower] = true;
    s->next[s->nexts++] = follower;
  }
}

typedef struct member {
  int class, moment;
  uint64_t now;
} member;

static int by_now(const void *a, const void *b)
{
  const member *p = a, *q = b;
  if (p->now != q->now) return p->now < q->now ? -1 : 1;
  return GSCALE_ORDER(p->moment, q->moment);
}

/* Returns the end of the members that agree with member i. */
static int group_end(const member *v, int i, int n, bool sums)
{
  int k = i + 1;
  while (k < n && v[k].class == v[i].class && (!sums || v[k].now == v[i].now))
    k++;
  return k;
}

/* Splits the due members of one class.  Members that are not due keep the
 * class, with due members of the same arcs.  If all members are due, the
 * largest group keeps the class. */
static void split_class(split *s, const member *v, int n)
{
  const int class = v->class;
  int most = 0;

  if (n == s->size[class]) {
    for (int i = 0, end; i < n; i = end) {
      end = group_end(v, i, n, true);
      if (end - i <= most) continue;
      most = end - i;
      s->sum[class] = v[i].now;
    }
  }
  for (int i = 0, end; i < n; i = end) {
    end = group_end(v, i, n, true);
    if (v[i].now == s->sum[class]) continue;
    for (int k = i; k < end; k++) {
      s->class_of[v[k].moment] = s->classes;
      enqueue_followers(s, v[k].moment);
    }
    s->size[class] -= end - i;
    s->size[s->classes] = end - i;
    s->sum[s->classes++] = v[i].now;
  }
}

/* Gathers the due members in v, class by class, in order of appearance. */
static void gather_due(split *s, member *v)
{
  int end = 0;

  for (int i = 0; i < s->dues; i++) s->count[s->class_of[s->due[i]]]++;
  for (int i = 0; i < s->dues; i++) {
    const int class = s->class_of[s->due[i]];
    if (s->count[class] == 0) continue; /* already placed */
    s->place[class] = end;
    end += s->count[class];
    s->count[class] = 0;
  }
  for (int i = 0; i < s->dues; i++) {
    const int m = s->due[i], class = s->class_of[m];
    v[s->place[class]++] = (member){class, m, sum_of(s, m)};
    s->queued[m] = false;
  }
}

static void sort_group(member *v, int n)
{
  for (int i = 1; i < n; i++)
    if (v[i].now != v->now) {
      qsort(v, (size_t)n, sizeof *v, by_now);
      return;
    }
}

static void run_round(split *s, member *v)
{
  gather_due(s, v);
  s->nexts = 0;
  for (int i = 0, end; i < s->dues; i = end) {
    end = group_end(v, i, s->dues, false);
    sort_group(v + i, end - i);
    split_class(s, v + i, end - i);
  }
  int *const swap = s->due;
  s->due = s->next;
  s->next = swap;
  s->dues = s->nexts;
}

/* Starts with one class per kind of moment, and with all moments due. */
static void start_classes(split *s)
{
  enum {
    KINDS = 2 * 2 * GSCALE__RANK_END
  };
  int number[KINDS];

  for (int i = 0; i < KINDS; i++) number[i] = -1;
  s->classes = 0;
  for (int m = 0; m < s->t->moments; m++) {
    const gscale__moment *p = &s->t->moment[m];
    int *kind = &number[((int)p->rank * 2 + p->device) * 2 + p->slot];
    if (*kind < 0) {
      *kind = s->classes;
      s->size[s->classes++] = 0;
    }
    s->class_of[m] = *kind;
    s->size[*kind]++;
    s->due[m] = m;
  }
  s->dues = s->t->moments;
}

static void list_followers(split *s)
{
  const gscale_timeline *t = s->t;

  for (int a = 0; a < t->arcs; a++) s->start[t->arc[a].from + 1]++;
  for (int m = 0; m < t->moments; m++) s->start[m + 1] += s->start[m];
  for (int m = 0; m < t->moments; m++)
    for (int a = t->moment[m].first; a < t->moment[m + 1].first; a++)
      s->out[s->start[t->arc[a].from]++] = m;
}

static void refine(split *s, member *v)
{
  start_classes(s);
  while (s->dues > 0) run_round(s, v);
}

/* ---- proof --------------------------------------------------------------- */

/* Returns true if each arc into moment a has an equal arc into moment b. */
static bool has_same_arcs(const split *s, int a, int b)
{
  const gscale_timeline *t = s->t;

  for (int i = t->moment[a].first; i < t->moment[a + 1].first; i++) {
    const gscale__arc *p = &t->arc[i];
    int k = t->moment[b].first;
    for (; k < t->moment[b + 1].first; k++) {
      const gscale__arc *q = &t->arc[k];
      if (s->class_of[p->from] == s->class_of[q->from] &&
          p->periods == q->periods && p->weight == q->weight)
        break;
    }
    if (k == t->moment[b + 1].first) return false;
  }
  return true;
}

/* Finds the first moment of each class, and proves that all moments of a class
 * wait for the same.  The proof fails only if two different sums collide. */
static bool verify(const split *s, int *first)
{
  bool same = true;

  for (int c = 0; c < s->classes; c++) first[c] = -1;
  for (int m = 0; m < s->t->moments; m++) {
    int *rep = &first[s->class_of[m]];
    if (*rep < 0)
      *rep = m;
    else
      same = same && has_same_arcs(s, m, *rep) && has_same_arcs(s, *rep, m);
  }
  return same;
}

/* ---- comparison of GPUs -------------------------------------------------- */

typedef struct doing {
  int gpu, class;
  size_t action;
} doing;

static int by_gpu(const void *a, const void *b)
{
  const doing *p = a, *q = b;
  if (p->gpu != q->gpu) return p->gpu < q->gpu ? -1 : 1;
  if (p->class != q->class) return p->class < q->class ? -1 : 1;
  return GSCALE_ORDER(p->action, q->action);
}

/* Lists the classes of each GPU's actions in start[gpu] .. start[gpu + 1]. */
static void list_actions(const split *s, doing *v, int *start)
{
  const gscale_timeline *t = s->t;
  int n = 0;

  for (size_t i = 0; i < (size_t)t->slots * t->actions; i++) {
    const gscale__action *a = &t->action[i];
    const size_t action = i % t->actions;
    if (t->owner[action] < 0 || a->back.moment < 0) continue;
    v[n++] = (doing){t->owner[action], s->class_of[a->back.moment], action};
    if (a->end.moment < 0) continue;
    v[n++] = (doing){t->owner[action], s->class_of[a->end.moment], action};
  }
  qsort(v, (size_t)n, sizeof *v, by_gpu);
  for (int g = 0, i = 0; g <= t->gpus; g++) {
    while (i < n && v[i].gpu < g) i++;
    start[g] = i;
  }
}

static gscale_status compare_gpus(const doing *v, const int *start, int a,
                                  int b, gscale_diag *diag)
{
  const int n = start[a + 1] - start[a], m = start[b + 1] - start[b];
  const doing *p = v + start[a], *q = v + start[b];
  int i = 0;

  while (i < n && i < m && p[i].class == q[i].class) i++;
  if (i == n && i == m) return GSCALE_OK;
  const doing *odd = i < n ? &p[i] : &q[i];
  return gscale__fail(diag, GSCALE_EDATA,
                      "GPU %d does not do what GPU %d does: action %zu", a, b,
                      odd->action);
}

static gscale_status check_alike(const split *s, const int *alike,
                                 gscale_diag *diag)
{
  const gscale_timeline *t = s->t;
  const size_t all = (size_t)t->slots * t->actions;
  doing *v = malloc((2 * all + 1) * sizeof *v);
  int *start = malloc(((size_t)t->gpus + 1) * sizeof *start);
  gscale_status st = GSCALE_OK;

  if (!v || !start)
    st = gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");
  else
    list_actions(s, v, start);
  for (int g = 0; g < t->gpus && st == GSCALE_OK; g++)
    st = alike[g] < 0 || alike[g] >= t->gpus
             ? gscale__fail(diag, GSCALE_ENAME, "GPU %d is like GPU %d of %d",
                            g, alike[g], t->gpus)
             : compare_gpus(v, start, g, alike[g], diag);
  free(v);
  free(start);
  return st;
}

/* ---- lumped timeline ----------------------------------------------------- */

static gscale__when renamed(const int *name, const split *s, gscale__when w)
{
  if (w.moment >= 0) w.moment = name[s->class_of[w.moment]];
  return w;
}

static bool lumped_room(const gscale_timeline *t, int classes,
                        gscale_timeline *out)
{
  const size_t all = (size_t)t->slots * t->actions;

  *out = (gscale_timeline){.gpus = t->gpus,
                           .costs = t->costs,
                           .slots = t->slots,
                           .actions = t->actions,
                           .weights = t->weights};
  out->action = malloc(all * sizeof *out->action);
  out->owner = malloc(t->actions * sizeof *out->owner);
  out->row = malloc((size_t)t->weights * sizeof *out->row);
  out->moment = malloc(((size_t)classes + 1) * sizeof *out->moment);
  out->arc = malloc(((size_t)t->arcs + 1) * sizeof *out->arc);
  return out->action && out->owner && out->row && out->moment && out->arc;
}

/* Copies the arcs of the class's first moment in order, without repetitions. */
static void copy_arcs(const split *s, int m, const int *name,
                      gscale_timeline *out)
{
  const gscale_timeline *t = s->t;
  const int begin = out->arcs;

  for (int a = t->moment[m].first; a < t->moment[m + 1].first; a++) {
    gscale__arc arc = t->arc[a];
    arc.from = name[s->class_of[arc.from]];
    const gscale__arc *last =
        out->arcs > begin ? &out->arc[out->arcs - 1] : NULL;
    if (last && last->from == arc.from && last->periods == arc.periods &&
        last->weight == arc.weight)
      continue;
    out->arc[out->arcs++] = arc;
  }
}

/* Numbers the classes in the order of their first moments. */
static void fill_lumped(const split *s, const int *first, int *name,
                        gscale_timeline *out)
{
  const gscale_timeline *t = s->t;
  const size_t all = (size_t)t->slots * t->actions;
  int n = 0;

  memcpy(out->owner, t->owner, t->actions * sizeof *t->owner);
  memcpy(out->row, t->row, (size_t)t->weights * sizeof *t->row);
  for (int m = 0; m < t->moments; m++)
    if (first[s->class_of[m]] == m) name[s->class_of[m]] = n++;
  for (int m = 0; m < t->moments; m++) {
    if (first[s->class_of[m]] != m) continue;
    gscale__moment *to = &out->moment[out->moments++];
    *to = t->moment[m];
    to->first = out->arcs;
    copy_arcs(s, m, name, out);
  }
  out->moment[out->moments] = (gscale__moment){.first = out->arcs};
  for (size_t i = 0; i < all; i++) {
    const gscale__action *a = &t->action[i];
    out->action[i] =
        (gscale__action){renamed(name, s, a->call), renamed(name, s, a->back),
                         renamed(name, s, a->begin), renamed(name, s, a->end)};
  }
}

static gscale_status make_lumped(const split *s, const int *first,
                                 gscale_timeline **out, gscale_diag *diag)
{
  gscale_timeline *t = calloc(1, sizeof *t);
  int *name = malloc((size_t)s->classes * sizeof *name);
  gscale_status st = GSCALE_ENOMEM;

  if (t && name && lumped_room(s->t, s->classes, t)) {
    fill_lumped(s, first, name, t);
    st = gscale__contract(t, NULL, diag);
  } else {
    gscale__fail(diag, st, "no memory for a timeline");
  }
  free(name);
  if (st == GSCALE_OK)
    *out = t;
  else
    gscale_timeline_free(t);
  return st;
}

static bool split_new(const gscale_timeline *t, split *s)
{
  const size_t n = (size_t)t->moments, arcs = (size_t)t->arcs + 1;

  *s = (split){.t = t,
               .class_of = malloc(n * sizeof(int)),
               .size = malloc(n * sizeof(int)),
               .sum = calloc(n, sizeof(uint64_t)),
               .out = malloc(arcs * sizeof(int)),
               .start = calloc(n + 1, sizeof(int)),
               .due = malloc(n * sizeof(int)),
               .next = malloc(n * sizeof(int)),
               .queued = calloc(n, sizeof(bool)),
               .count = calloc(n, sizeof(int)),
               .place = malloc(n * sizeof(int)),
               .keys = malloc(arcs * sizeof(uint64_t))};
  return s->class_of && s->size && s->sum && s->out && s->start && s->due &&
         s->next && s->queued && s->count && s->place && s->keys;
}

static void split_free(split *s)
{
  free(s->class_of);
  free(s->size);
  free(s->sum);
  free(s->out);
  free(s->start);
  free(s->due);
  free(s->next);
  free(s->queued);
  free(s->count);
  free(s->place);
  free(s->keys);
}

gscale_status gscale_timeline_lump(const gscale_timeline *t, const int *alike,
                                   gscale_timeline **out, gscale_diag *diag)
{
  const size_t n = (size_t)t->moments;
  member *v = malloc(n * sizeof *v);
  int *first = malloc(n * sizeof *first);
  gscale_status st = GSCALE_OK;
  split s;

  if (split_new(t, &s) && v && first) {
    list_followers(&s);
    do {
      s.seed++;
      refine(&s, v);
    } while (!verify(&s, first));
    if (alike) st = check_alike(&s, alike, diag);
    if (st == GSCALE_OK) st = make_lumped(&s, first, out, diag);
  } else {
    st = gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");
  }
  split_free(&s);
  free(v);
  free(first);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
