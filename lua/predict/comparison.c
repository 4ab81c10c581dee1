/* comparison.c - the same question about several systems, or about one with
 * several links. */

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
  const char *links; /* as given, or NULL */
} casting;

/* Two files may give the same name; then the later is called as it was asked
 * for. */
static int check_name(const comparison *c, const options *o, failure *why)
{
  subject *last = &c->v[c->n - 1];

  for (const subject *s = c->v; s < last; s++) {
    if (strcmp(s->q.name, last->q.name) != 0) continue;
    if (strcmp(s->q.about_system.path, last->q.about_system.path) == 0)
      return fail(why, EXIT_USAGE, "%s: '%s' is given twice", o->verb,
                  last->q.name);
    snprintf(last->q.name, sizeof last->q.name, "%.*s%s%s", GSCALE_NAME_MAX - 2,
             o->system, o->link ? ":" : "", o->link ? o->link : "");
  }
  return EXIT_OK;
}

static int add_subject(const casting *k, const char *link, failure *why)
{
  comparison *c = k->c;
  int st;

  if (c->n == SUBJECTS_MAX)
    return fail(why, EXIT_USAGE, "%s: more than %d systems", k->o->verb,
                SUBJECTS_MAX);
  k->o->link = link;
  st = question_load(&c->v[c->n++].q, k->o, k->gpus, why);
  return st == EXIT_OK ? check_name(c, k->o, why) : st;
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

int comparison_load(comparison *c, options *o, default_gpus gpus, failure *why)
{
  const char *const systems = o->system;
  casting k = {c, o, gpus, o->link};
  int st;

  *c = (comparison){0};
  if (!systems)
    return fail(why, EXIT_USAGE, "%s: needs --system A,B,...", o->verb);
  c->v = calloc(SUBJECTS_MAX, sizeof *c->v);
  if (!c->v) return fail(why, EXIT_INTERNAL, "no memory for the systems");
  st = each_word("--system", systems, add_system, &k, why);
  o->system = systems;
  o->link = k.links;
  if (st == EXIT_OK && c->n < 2)
    st = fail(why, EXIT_USAGE,
              "%s: one system; name another, or links with --link", o->verb);
  return st;
}

int comparison_answer(comparison *c, bool with_error, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < c->n; i++)
    st = question_fit(&c->v[i].q, false, why);
  if (with_error) c->joint = gscale_joint_new();
  if (with_error && !c->joint)
    return fail(why, EXIT_INTERNAL, "no memory to compare");
  for (size_t i = 0; i < c->n; i++) c->v[i].q.joint = c->joint;
  for (size_t i = 0; st == EXIT_OK && i < c->n; i++)
    st = question_answer(&c->v[i].q, with_error, &c->v[i].a, why);
  return st;
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
