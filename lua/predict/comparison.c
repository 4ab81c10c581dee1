/* comparison.c - the same question about several systems, or about one with
 * several links, or values of one of its numbers. */

#include "predict/predict.h"

#include <stdlib.h>
#include <string.h>

enum {
  SUBJECTS_MAX = 32
};

/* A comparison while it is made. */
typedef struct casting {
  comparison *c;
  options *o;
  default_gpus gpus;
  const char *links;   /* as given, or NULL */
  const char *systems; /* all of them, as given */
  bool several;
  size_t bases; /* systems and links so far */
} casting;

static void add_label(subject *s, const char *label)
{
  const size_t used = strlen(s->q.name);

  snprintf(s->q.name + used, sizeof s->q.name - used, "%s%s", *label ? ":" : "",
           label);
}

/* By its file, or as it was asked for; with the link in place of its own. */
static void call_it(subject *s, const char *what, const options *o,
                    const char *label)
{
  snprintf(s->q.name, sizeof s->q.name, "%.*s%s%s", GSCALE_NAME_MAX - 2, what,
           o->link ? ":" : "", o->link ? o->link : "");
  add_label(s, label);
}

/* Two files may give the same name; then the later is called as it was asked
 * for, or, where that is the name, the earlier by its file. */
static int check_name(const comparison *c, const options *o, const char *label,
                      failure *why)
{
  subject *last = &c->v[c->n - 1];
  const size_t length = strlen(o->system); /* before ":LINK" */
  const bool named = strncmp(o->system, last->q.name, length) == 0 &&
                     (!last->q.name[length] || last->q.name[length] == ':');

  add_label(last, label);
  for (subject *s = c->v; s < last; s++) {
    if (strcmp(s->q.name, last->q.name) != 0) continue;
    if (strcmp(s->q.about_system.path, last->q.about_system.path) == 0)
      return fail(why, EXIT_USAGE, "%s: '%s' is given twice", o->verb,
                  last->q.name);
    if (named)
      call_it(s, s->q.about_system.path, o, label);
    else
      call_it(last, o->system, o, label);
  }
  return EXIT_OK;
}

/* Whether one of the words, which commas part, has these n bytes. */
static bool is_word_of(const char *words, const char *word, size_t n)
{
  for (const char *s = words; *s; s += strcspn(s, ","), s += *s == ',')
    if (strcspn(s, ",") == n && strncmp(s, word, n) == 0) return true;
  return false;
}

/* A time of one GPU is of one system: of several each has its own, SYSTEM.t1,
 * which is t1 where that one is asked about and nothing elsewhere. */
static int own_t1(const casting *k, options *o, failure *why)
{
  settings *set = &o->set;
  size_t kept = 0;

  for (size_t i = 0; i < set->n; i++) {
    const char *name = set->v[i].name;
    const size_t length = strlen(name), n = length > 3 ? length - 3 : 0;
    const bool whose = n > 0 && strcmp(name + n, ".t1") == 0 &&
                       is_word_of(k->systems, name, n);

    if (k->several && strcmp(name, "t1") == 0)
      return fail(why, EXIT_USAGE,
                  "%s: -P t1 is a time of one system's GPU: "
                  "SYSTEM.t1=%s says of which",
                  o->verb, set->v[i].value);
    if (whose && (strlen(o->system) != n || strncmp(o->system, name, n) != 0))
      continue;
    set->v[kept] = set->v[i];
    if (whose) strcpy(set->v[kept].name, "t1");
    kept++;
  }
  set->n = kept;
  return EXIT_OK;
}

/* The question as the options have it now. */
static int load_subject(const casting *k, const options *asked, size_t value,
                        const char *label, failure *why)
{
  static options own; /* large */
  comparison *c = k->c;
  subject *s = &c->v[c->n];
  options *o = &own;
  int st;

  own = *asked;
  own.said = k->several;
  if (c->n == SUBJECTS_MAX)
    return fail(why, EXIT_USAGE, "%s: more than %d systems", o->verb,
                SUBJECTS_MAX);
  st = own_t1(k, o, why);
  if (st != EXIT_OK) return st;
  c->n++;
  s->base = k->bases;
  s->value = value;
  s->linked = o->link != NULL;
  st = question_load(&s->q, o, k->gpus, why);
  return st == EXIT_OK ? check_name(c, o, label, why) : st;
}

/* Loads the workload with the number at its i-th value. */
static int load_variant(const casting *k, size_t i, failure *why)
{
  static options asked; /* large */
  const variants *v = k->c->over;
  char text[136], label[136];
  int st;

  asked = *k->o;
  snprintf(text, sizeof text, "%s=%s", v->name, v->text[i]);
  snprintf(label, sizeof label, "%s=%s", v->name, v->label[i]);
  st = settings_add(&asked.set, text, why);
  return st == EXIT_OK ? load_subject(k, &asked, i, label, why) : st;
}

static int add_subject(casting *k, const char *link, failure *why)
{
  int st = EXIT_OK;

  k->o->link = link;
  if (!k->c->over)
    st = load_subject(k, k->o, 0, "", why);
  else
    for (size_t i = 0; st == EXIT_OK && i < k->c->over->n; i++)
      st = load_variant(k, i, why);
  k->bases++;
  return st;
}

static int add_link(const char *word, void *closure, failure *why)
{
  return add_subject(closure, word, why);
}

static int add_system(const char *word, void *closure, failure *why)
{
  casting *k = closure;
  int st;

  k->o->system = word;
  st = add_subject(k, NULL, why);
  if (st == EXIT_OK && k->links)
    st = each_word("--link", k->links, add_link, k, why);
  return st;
}

int comparison_load(comparison *c, options *o, default_gpus gpus,
                    const variants *over, failure *why)
{
  const char *const systems = o->system;
  casting k = {.c = c,
               .o = o,
               .gpus = gpus,
               .links = o->link,
               .systems = systems,
               .several = systems && strchr(systems, ',')};
  int st;

  *c = (comparison){.over = over, .links = o->link != NULL};
  if (!systems)
    return fail(why, EXIT_USAGE, "%s: needs --system A,B,...", o->verb);
  c->v = calloc(SUBJECTS_MAX, sizeof *c->v);
  if (!c->v) return fail(why, EXIT_INTERNAL, "no memory for the systems");
  st = each_word("--system", systems, add_system, &k, why);
  o->system = systems;
  o->link = k.links;
  if (st == EXIT_OK && c->n < 2 && !o->price)
    st = fail(why, EXIT_USAGE,
              "%s: one system; name another, or links with --link", o->verb);
  return st;
}

/* A system of which nothing can be answered has no row; that is said here. */
static int leave_out(subject *s, const failure *why, failure *out)
{
  fprintf(stderr, "gpuscale: note: no row for %s: %s\n", s->q.name, why->text);
  s->a = question_answers(&s->q);
  return s->a ? EXIT_OK
              : fail(out, EXIT_INTERNAL, "no memory for the predictions");
}

/* Fails if no system has an answer, as the first of them does. */
static int answer_each(comparison *c, bool with_error, failure *why)
{
  static failure of[SUBJECTS_MAX]; /* large */
  size_t none = 0;
  int st = EXIT_OK;

  for (size_t i = 0; i < c->n; i++) {
    subject *s = &c->v[i];

    of[i].status = question_answer(&s->q, with_error, &s->a, &of[i]);
    if (of[i].status != EXIT_OK && of[i].status != EXIT_DATA &&
        of[i].status != EXIT_NUMERIC) {
      *why = of[i];
      return why->status;
    }
    none += of[i].status != EXIT_OK;
  }
  if (none == c->n) *why = of[0];
  if (none == c->n) return why->status;
  for (size_t i = 0; st == EXIT_OK && i < c->n; i++)
    if (of[i].status != EXIT_OK) st = leave_out(&c->v[i], &of[i], why);
  return st;
}

int comparison_answer(comparison *c, bool with_error, failure *why)
{
  if (with_error) c->joint = gscale_joint_new();
  if (with_error && !c->joint)
    return fail(why, EXIT_INTERNAL, "no memory to compare");
  for (size_t i = 0; i < c->n; i++) c->v[i].q.joint = c->joint;
  return answer_each(c, with_error, why);
}

void comparison_free(comparison *c)
{
  for (size_t i = 0; i < c->n; i++) {
    question_free(&c->v[i].q);
    free(c->v[i].a);
  }
  free(c->v);
  gscale_joint_free(c->joint);
  *c = (comparison){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
