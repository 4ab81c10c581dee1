/* comparison.c - asks a question about several systems, links or values. */

#include "common/jobs.h"
#include "say/predict.h"

#include <stdlib.h>
#include <string.h>

enum {
  SUBJECTS_MAX = 32
};

/* A comparison that is being loaded. */
typedef struct loading {
  comparison *c;
  options *o;
  default_gpus gpus;
  const char *links;   /* as given, or NULL */
  const char *systems; /* all names as given */
  bool several;
  size_t bases; /* combinations of systems and links */
  size_t first; /* first subject of the last system */
} loading;

static void add_label(subject *s, const char *label)
{
  gscale_append(s->q.name, sizeof s->q.name, "%s%s", *label ? ":" : "", label);
}

/* Names a subject by its file or by the name in --system, and by its link. */
static void name_subject(subject *s, const char *what, const options *o,
                         const char *label)
{
  snprintf(s->q.name, sizeof s->q.name, "%.*s%s%s", GSCALE_NAME_MAX - 2, what,
           o->link ? ":" : "", o->link ? o->link : "");
  add_label(s, label);
}

/* Makes names unique. If two files give the same name, the later subject is
 * named as in --system. If the later subject already has the name in --system,
 * the earlier subject is named after its file. */
static int check_name(const comparison *c, const options *o, const char *label,
                      failure *why)
{
  subject *last = &c->v[c->n - 1];
  const size_t length = strlen(o->system); /* length before ":LINK" */
  const bool named = strncmp(o->system, last->q.name, length) == 0 &&
                     (!last->q.name[length] || last->q.name[length] == ':');

  add_label(last, label);
  for (subject *s = c->v; s < last; s++) {
    if (strcmp(s->q.name, last->q.name) != 0) continue;
    if (strcmp(s->q.about_system.path, last->q.about_system.path) == 0)
      return fail(why, EXIT_USAGE, "%s: '%s' is given twice", o->verb,
                  last->q.name);
    if (named)
      name_subject(s, s->q.about_system.path, o, label);
    else
      name_subject(last, o->system, o, label);
  }
  return EXIT_OK;
}

/* Returns true if the n bytes are a word of the comma-separated list. */
static bool is_word_of(const char *words, const char *word, size_t n)
{
  for (const char *s = words; *s; s += strcspn(s, ","), s += *s == ',')
    if (strcspn(s, ",") == n && strncmp(s, word, n) == 0) return true;
  return false;
}

/* Selects t1 of one system. If there are several systems, SYSTEM.t1 becomes t1
 * for SYSTEM and is dropped for all others. */
static int own_t1(const loading *k, options *o, failure *why)
{
  settings *set = &o->set;
  size_t kept = 0;

  for (size_t i = 0; i < set->n; i++) {
    const char *name = set->v[i].name;
    const size_t length = strlen(name), n = length > 3 ? length - 3 : 0;
    const bool whose = n > 0 && strcmp(name + n, ".t1") == 0 &&
                       is_word_of(k->systems, name, n);

    if (k->several && strcmp(name, "t1") == 0)
      return fail(
          why, EXIT_USAGE,
          "%s: -P t1 is the time on one system: name it, as in SYSTEM.t1=%s",
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

/* Loads the question for the current options. */
static int load_subject(const loading *k, const options *asked, size_t value,
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

/* Loads the workload with the varied number set to its i-th value. */
static int load_variant(const loading *k, size_t i, failure *why)
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

static int add_subject(loading *k, const char *link, failure *why)
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
  const loading *k = closure;
  comparison *c = k->c;

  if (!is_own_link(c->v[k->first].q.system, word))
    return add_subject(closure, word, why);
  for (size_t i = k->first; i < c->n && c->v[i].base == c->v[k->first].base;
       i++)
    c->v[i].linked = true; /* the system has that link */
  return EXIT_OK;
}

static int add_system(const char *word, void *closure, failure *why)
{
  loading *k = closure;
  int st;

  k->o->system = word;
  k->first = k->c->n;
  st = add_subject(k, NULL, why);
  if (st == EXIT_OK && k->links)
    st = each_word("--link", k->links, add_link, k, why);
  return st;
}

int comparison_load(comparison *c, options *o, default_gpus gpus,
                    const variants *over, failure *why)
{
  const char *const systems = o->system;
  loading k = {.c = c,
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
  if (!c->v) return no_memory(why);
  st = each_word("--system", systems, add_system, &k, why);
  o->system = systems;
  o->link = k.links;
  if (st == EXIT_OK && c->n < 2 && !o->price)
    st = fail(why, EXIT_USAGE,
              "%s: one system; name another, or links with --link", o->verb);
  return st;
}

/* Notes why a system has no row, and stores empty answers for the system. */
static int leave_out(subject *s, const failure *why, failure *out)
{
  print_note("no row for %s: %s", s->q.name, why->text);
  s->a = question_answers(&s->q);
  return s->a ? EXIT_OK
              : fail(out, EXIT_INTERNAL, "no memory for the predictions");
}

/* ---- parallel answers --------------------------------------------------- */

typedef struct answering {
  comparison *c;
  bool with_error;
  failure of[SUBJECTS_MAX]; /* failures without answers */
} answering;

/* The header of a subject's answers. Processes send the header before the
 * remaining N, the answers and the packed joint distribution. */
typedef struct answered {
  size_t n, packed; /* N, bytes of the joint */
  failure why;
} answered;

static void send_answers(const question *q, answered *head, const answer *a,
                         FILE *f)
{
  head->n = q->n;
  head->packed = a && q->joint ? gscale_joint_pack(q->joint, NULL) : 0;
  fwrite(head, sizeof *head, 1, f);
  fwrite(q->gpus, sizeof *q->gpus, q->n, f);
  if (a) fwrite(a, sizeof *a, q->paradigms * q->n, f);
}

static int send_rows(const gscale_joint *j, size_t size, FILE *f, failure *why)
{
  void *packed = malloc(size + 1);

  if (!packed) return no_memory(why);
  gscale_joint_pack(j, packed);
  fwrite(packed, size, 1, f);
  free(packed);
  return EXIT_OK;
}

static int send_subject(size_t i, FILE *f, void *closure, failure *why)
{
  static answered head; /* large */
  const answering *all = closure;
  question *q = &all->c->v[i].q;
  answer *a = NULL;
  int st = EXIT_OK;

  if (all->with_error && !(q->joint = gscale_joint_new()))
    return no_memory(why);
  head = (answered){0};
  head.why.status = question_answer(q, all->with_error, &a, &head.why);
  if (head.why.status != EXIT_OK) a = NULL;
  send_answers(q, &head, a, f);
  if (head.packed > 0) st = send_rows(q->joint, head.packed, f, why);
  gscale_joint_free(q->joint);
  q->joint = NULL;
  free(a);
  return st;
}

static int take_rows(comparison *c, subject *s, passage *p, size_t size,
                     failure *why)
{
  const size_t before = gscale_joint_count(c->joint);
  gscale_diag diag;
  const gscale_status st = gscale_joint_unpack(
      c->joint, p->at, size < p->left ? size : p->left, &diag);

  for (size_t k = 0; k < s->q.paradigms * s->q.n; k++) s->a[k].row += before;
  return check_gscale(why, st, &diag);
}

static int take_subject(size_t i, const char *text, size_t size, void *closure,
                        failure *why)
{
  static answered head; /* large */
  answering *all = closure;
  subject *s = &all->c->v[i];
  question *q = &s->q;
  passage p = {text, size};
  const int st =
      passage_take(&p, &head, sizeof head) ? head.why.status : EXIT_INTERNAL;

  q->n = head.n;
  q->left.n = 0; /* already noted */
  q->joint = all->c->joint;
  passage_take(&p, q->gpus, q->n * sizeof *q->gpus);
  all->of[i] = head.why;
  progress("systems", i + 1, all->c->n);
  if (st == EXIT_DATA || st == EXIT_NUMERIC) return EXIT_OK;
  if (st != EXIT_OK) *why = head.why;
  if (st != EXIT_OK) return st;
  s->a = question_answers(q);
  if (!s->a) return no_memory(why);
  passage_take(&p, s->a, q->paradigms * q->n * sizeof *s->a);
  return head.packed > 0 ? take_rows(all->c, s, &p, head.packed, why) : EXIT_OK;
}

/* The least predictions of a process, which take some milliseconds. */
static size_t processes_for(const comparison *c)
{
  const size_t least = 128;
  size_t asked = 0;

  for (size_t i = 0; i < c->n; i++) asked += c->v[i].q.n * c->v[i].q.paradigms;
  const size_t most = asked / least + 1;
  return c->jobs < most ? c->jobs : most;
}

/* Computes the answers of every system. Fails only if all systems fail. */
static int answer_each(answering *all, failure *why)
{
  comparison *c = all->c;
  const jobs j = {c->n, send_subject, take_subject, all};
  int st = jobs_run(&j, processes_for(c), why);
  size_t none = 0;

  progress_end();
  if (st != EXIT_OK) return st;
  for (size_t i = 0; i < c->n; i++) none += all->of[i].status != EXIT_OK;
  if (none == c->n) *why = all->of[0];
  if (none == c->n) return why->status;
  for (size_t i = 0; st == EXIT_OK && i < c->n; i++)
    if (all->of[i].status != EXIT_OK)
      st = leave_out(&c->v[i], &all->of[i], why);
  return st;
}

int comparison_answer(comparison *c, bool with_error, failure *why)
{
  static answering all; /* large */

  if (with_error) c->joint = gscale_joint_new();
  if (with_error && !c->joint) return no_memory(why);
  all = (answering){.c = c, .with_error = with_error};
  return answer_each(&all, why);
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
