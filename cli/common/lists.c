/* lists.c - parses lists in options: GPUs, paradigms, knobs, links, sizes. */

#include "common/cli.h"

#include <stdio.h>
#include <string.h>

int each_word(const char *option, const char *list,
              int (*each)(const char *word, void *closure, failure *why),
              void *closure, failure *why)
{
  char word[1024];
  int st = EXIT_OK;

  for (const char *p = list; st == EXIT_OK && p;) {
    const size_t length = strcspn(p, ",");

    if (length == 0)
      return fail(why, EXIT_USAGE, "%s: '%.100s' has an empty entry", option,
                  list);
    if (length >= sizeof word)
      return fail(why, EXIT_USAGE, "%s: '%.60s...' is too long", option, p);
    memcpy(word, p, length);
    word[length] = '\0';
    st = each(word, closure, why);
    p = p[length] ? p + length + 1 : NULL;
  }
  return st;
}

typedef struct gpu_list {
  const char *option;
  bool asked[GPUS_MAX + 1];
} gpu_list;

static int mark_gpus(const char *word, void *closure, failure *why)
{
  gpu_list *l = closure;
  char first[128];
  const char *dash = strchr(word, '-');
  int from, to, st;

  snprintf(first, sizeof first, "%.*s", (int)strcspn(word, "-"), word);
  st = parse_whole(l->option, *first ? first : word, 1, GPUS_MAX, &from, why);
  if (st != EXIT_OK) return st;
  to = from;
  if (dash) st = parse_whole(l->option, dash + 1, 1, GPUS_MAX, &to, why);
  if (st != EXIT_OK) return st;
  if (to < from)
    return fail(why, EXIT_USAGE, "%s: '%s' runs backwards", l->option, word);
  for (int n = from; n <= to; n++) l->asked[n] = true;
  return EXIT_OK;
}

int parse_gpus(const char *option, const char *text, int *gpus, size_t *n,
               failure *why)
{
  gpu_list l = {.option = option};
  const int st = each_word(option, text, mark_gpus, &l, why);

  if (st != EXIT_OK) return st;
  *n = 0;
  for (int i = 1; i <= GPUS_MAX; i++) {
    if (!l.asked[i]) continue;
    if (*n == GPUS_LISTED)
      return fail(why, EXIT_LIMIT, "%s: more than %d numbers of GPUs", option,
                  GPUS_LISTED);
    gpus[(*n)++] = i;
  }
  return EXIT_OK;
}

typedef struct paradigm_list {
  size_t *index, *between;
  size_t n;
  bool proposed, named;
} paradigm_list;

static void add_paradigm(paradigm_list *l, size_t index, size_t between)
{
  for (size_t i = 0; i < l->n; i++)
    if (l->index[i] == index && l->between[i] == between) return;
  if (l->n == PARADIGMS_MAX) return;
  l->index[l->n] = index;
  l->between[l->n++] = between;
}

/* Returns the i-th name of all paradigms, then of all methods, then NULL. */
static const char *name_at(size_t i)
{
  const gscale_paradigm *p = gscale_paradigm_at(i);
  const gscale_method *m =
      p ? NULL : gscale_between_at(i - gscale_paradigm_count());

  return p ? p->name : m ? m->name : NULL;
}

int find_paradigm(const char *word, size_t *index, size_t *between,
                  failure *why)
{
  const char *names[PARADIGMS_MAX];
  gscale_knobs k;
  size_t n = 0;
  hint near;

  if (gscale_pair_find(word, index, &k)) {
    *between = k.between;
    return EXIT_OK;
  }
  while (n < PARADIGMS_MAX && name_at(n)) {
    names[n] = name_at(n);
    n++;
  }
  return fail(
      why, EXIT_DATA, "no paradigm '%s'%s", word,
      suggested(near, word, names, n, "; see `gpuscale list paradigms`"));
}

static void add_all(paradigm_list *l)
{
  const size_t memcpy_ = gscale_paradigm_find("memcpy");

  for (size_t i = 0; gscale_paradigm_at(i); i++)
    if (l->proposed || !gscale_paradigm_at(i)->proposed) add_paradigm(l, i, 0);
  for (size_t i = 0; gscale_between_at(i); i++) add_paradigm(l, memcpy_, i + 1);
}

static int add_paradigm_word(const char *word, void *closure, failure *why)
{
  paradigm_list *l = closure;
  size_t index = 0, between = 0;

  if (strcmp(word, "all") == 0) {
    add_all(l);
    return EXIT_OK;
  }
  if (find_paradigm(word, &index, &between, why) != EXIT_OK) return why->status;
  l->named = true;
  add_paradigm(l, index, between);
  return EXIT_OK;
}

int parse_paradigms(const char *text, bool proposed, size_t *index,
                    size_t *between, size_t *n, bool *named, failure *why)
{
  paradigm_list l = {index, between, 0, proposed, false};
  const int st = each_word("--paradigm", text, add_paradigm_word, &l, why);

  *n = l.n;
  *named = l.named;
  return st;
}

/* Takes a setting such as -P memcpy.between=gpudirect. */
static int take_between(settings *set, size_t paradigm, size_t *between,
                        failure *why)
{
  const char *inside = gscale_paradigm_at(paradigm)->name;
  char name[2 * GSCALE_NAME_MAX], pair[256];
  gscale_knobs k;
  size_t same;

  snprintf(name, sizeof name, "%s.between", inside);
  const char *value = settings_take(set, name);
  if (!value) return EXIT_OK;
  snprintf(pair, sizeof pair, "%s+%.100s", inside, value);
  if (!gscale_pair_find(pair, &same, &k))
    return fail(why, EXIT_USAGE, "-P %s: '%.60s' is no method between nodes",
                name, value);
  *between = k.between;
  return EXIT_OK;
}

int parse_coll_knob(const char *name, const char *value, gscale_knobs *out,
                    failure *why)
{
  const bool algorithm = strcmp(name, "algorithm") == 0;
  char known[256] = "";
  const char *word;

  for (unsigned i = 0;; i++) {
    word =
        algorithm
            ? gscale_name(GSCALE_COLL_ALGORITHM_NAMES, (gscale_coll_algorithm)i)
            : gscale_name(GSCALE_COLL_PROTOCOL_NAMES, (gscale_coll_protocol)i);
    if (!word) break;
    if (strcmp(word, value) == 0) {
      *(algorithm ? &out->algorithm : &out->protocol) = i + 1;
      return EXIT_OK;
    }
    if (!algorithm || i <= GSCALE_COLL_MPI)
      gscale_append(known, sizeof known, "%s%s", i ? ", " : "", word);
  }
  return fail(why, EXIT_USAGE, "%s: '%.60s': needs one of %s%s", name, value,
              known, algorithm ? ", or one of MPI's" : "");
}

int parse_host_knob(const char *value, gscale_knobs *out, failure *why)
{
  out->as_run = strcmp(value, "program") == 0;
  if (out->as_run || strcmp(value, "least") == 0) return EXIT_OK;
  return fail(why, EXIT_USAGE, "host: '%.60s': needs one of least, program",
              value);
}

/* Takes settings such as -P nccl.algorithm=ring and -P nccl.protocol=LL. */
static int take_collective(settings *set, const gscale_paradigm *p,
                           gscale_knobs *out, failure *why)
{
  static const char *const names[] = {"algorithm", "protocol"};

  for (size_t i = 0; p->collective && i < 2; i++) {
    char name[2 * GSCALE_NAME_MAX];

    snprintf(name, sizeof name, "%s.%s", p->name, names[i]);
    const char *value = settings_take(set, name);
    if (!value || parse_coll_knob(names[i], value, out, why) == EXIT_OK)
      continue;
    const failure said = *why;
    return fail(why, EXIT_USAGE, "-P %s.%.200s", p->name, said.text);
  }
  return EXIT_OK;
}

/* Takes a setting such as -P infinite.host=program. */
static int take_host(settings *set, size_t paradigm, gscale_knobs *out,
                     failure *why)
{
  const char *value = paradigm == gscale_paradigm_find("infinite")
                          ? settings_take(set, "infinite.host")
                          : NULL;

  if (!value || parse_host_knob(value, out, why) == EXIT_OK) return EXIT_OK;
  const failure said = *why;
  return fail(why, EXIT_USAGE, "-P infinite.%.200s", said.text);
}

int take_knobs(settings *set, size_t paradigm, gscale_knobs *out, failure *why)
{
  const gscale_paradigm *p = gscale_paradigm_at(paradigm);
  const size_t between = out->between;
  char name[2 * GSCALE_NAME_MAX];
  gscale_diag diag;

  *out = gscale_knobs_best;
  out->between = between;
  for (size_t k = 0; k < GSCALE_KNOB_END; k++) {
    const char *value;

    if (!p->uses[k]) continue;
    snprintf(name, sizeof name, "%s.%s", p->name,
             gscale_knob_at((gscale_knob)k)->name);
    value = settings_take(set, name);
    if (!value) continue;
    if (gscale_parse_quantity(value, gscale_knob_at((gscale_knob)k)->dim,
                              &out->v[k], &diag) != GSCALE_OK)
      return fail(why, EXIT_USAGE, "-P %s: %s", name, diag.text);
    if (!(out->v[k] > 0.0))
      return fail(why, EXIT_USAGE, "-P %s: '%s' is not above 0", name, value);
  }
  if (take_collective(set, p, out, why) != EXIT_OK) return why->status;
  if (take_host(set, paradigm, out, why) != EXIT_OK) return why->status;
  return take_between(set, paradigm, &out->between, why);
}

/* ---- goodput's lists ---------------------------------------------------- */

typedef struct size_list {
  double *v;
  size_t n;
} size_list;

static int add_size(size_list *l, double size, failure *why)
{
  if (l->n == SIZES_MAX)
    return fail(why, EXIT_USAGE, "--sizes: more than %d", SIZES_MAX);
  l->v[l->n++] = size;
  return EXIT_OK;
}

static int add_sizes(const char *word, void *closure, failure *why)
{
  const char *dash = strchr(word, '-');
  char first[128];
  double from, to;
  int st;

  snprintf(first, sizeof first, "%.*s", (int)strcspn(word, "-"), word);
  st = parse_size("--sizes", *first ? first : word, 1.0, &from, why);
  if (st != EXIT_OK) return st;
  to = from;
  if (dash) st = parse_size("--sizes", dash + 1, 1.0, &to, why);
  if (st == EXIT_OK && to < from)
    return fail(why, EXIT_USAGE, "--sizes: '%s' runs backwards", word);
  for (double s = from; st == EXIT_OK && s <= to; s *= 2.0)
    st = add_size(closure, s, why);
  return st;
}

int parse_sizes(const char *text, double *sizes, size_t *n, failure *why)
{
  size_list l = {sizes, 0};
  const int st = each_word("--sizes", text, add_sizes, &l, why);

  *n = l.n;
  return st;
}

typedef struct link_list {
  const gscale_link **v;
  size_t n;
} link_list;

static int add_link(const char *word, void *closure, failure *why)
{
  link_list *l = closure;
  const gscale_link *found = gscale_link_find(word);
  const char *names[LINKS_MAX];
  hint near;
  size_t n = 0;

  if (found && l->n < LINKS_MAX) {
    l->v[l->n++] = found;
    return EXIT_OK;
  }
  if (found) return fail(why, EXIT_USAGE, "--link: more than %d", LINKS_MAX);
  for (; n < LINKS_MAX && gscale_link_at(n); n++)
    names[n] = gscale_link_at(n)->name;
  return fail(why, EXIT_DATA, "no link '%s'%s", word,
              suggested(near, word, names, n, "; see `gpuscale list links`"));
}

int parse_links(const char *text, const gscale_link **links, size_t *n,
                failure *why)
{
  link_list l = {links, 0};
  const int st = each_word("--link", text, add_link, &l, why);

  *n = l.n;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
