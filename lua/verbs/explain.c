/* explain.c - gpuscale explain: what one prediction is made of and rests on. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One prediction with all that is known about it. */
typedef struct reason {
  question q;    /* one N; every paradigm that could be meant */
  size_t chosen; /* index into q.paradigm */
  gscale_prediction p;
  gscale_error e;
} reason;

/* ---- which paradigm ----------------------------------------------------- */

static int reason_about(reason *r, failure *why)
{
  question *q = &r->q;
  answer *a = NULL;
  gscale_diag diag;
  gscale_status st;
  int done = question_answer(q, false, &a, why);

  if (done != EXIT_OK) return done;
  r->chosen = question_best(q, a, 0);
  if (r->chosen < q->paradigms) r->p = a[r->chosen].p;
  free(a);
  if (r->chosen == q->paradigms)
    return fail(why, EXIT_DATA, "explain: no paradigm can run %s",
                gscale_workload_name(q->workload));
  st = gscale_predict_error(q->system, q->workload, q->gpus[0],
                            q->paradigm[r->chosen], &r->p.knobs, &r->e, &diag);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

/* ---- facts --------------------------------------------------------------- */

/* What is known is one list; the three formats are three ways to write it. */
enum {
  FACTS_MAX = 64 + KNOBS_MAX,
};

typedef struct fact {
  const char *group; /* "part", "bytes", ... */
  const char *name;
  double value, err; /* SI; NaN: none */
  gscale_dim dim;
  double share;     /* of the time, or of the bytes; NaN: none */
  const char *text; /* of what is no number; or NULL */
  const char *note; /* what that is, in words; or NULL */
} fact;

typedef struct facts {
  size_t n;
  fact v[FACTS_MAX];
  char note[128]; /* of the model's error */
} facts;

static void add_fact(facts *k, fact f)
{
  if (k->n < FACTS_MAX) k->v[k->n++] = f;
}

static void add_text(facts *k, const char *group, const char *name,
                     const char *text, const char *note)
{
  add_fact(k, (fact){.group = group,
                     .name = name,
                     .value = (double)NAN,
                     .err = (double)NAN,
                     .share = (double)NAN,
                     .text = text,
                     .note = note});
}

/* A number, and its share of `whole`, if that is above 0. */
static void add_number(facts *k, const char *group, const char *name,
                       double value, gscale_dim dim, double whole,
                       const char *note)
{
  add_fact(k, (fact){.group = group,
                     .name = name,
                     .value = value,
                     .err = (double)NAN,
                     .dim = dim,
                     .share = whole > 0.0 ? value / whole : (double)NAN,
                     .note = note});
}

static void add_question(facts *k, const reason *r)
{
  const question *q = &r->q;

  add_text(k, "question", "workload", gscale_workload_name(q->workload), NULL);
  add_text(k, "question", "system", q->name, NULL);
  add_number(k, "question", "gpus", q->gpus[0], GSCALE_COUNT, 0.0, NULL);
  add_text(k, "question", "paradigm", question_paradigm(q, r->chosen), NULL);
  add_text(k, "question", "settings", q->settings, NULL);
}

/* From which programs the model's own error is known. */
static void note_model(facts *k, const reason *r)
{
  const size_t programs = r->e.model.programs;

  if (programs == 0)
    snprintf(k->note, sizeof k->note,
             "not known: no other program was measured");
  else if (r->q.gpus[0] == 1)
    snprintf(k->note, sizeof k->note, "the model's own is for more GPUs");
  else
    snprintf(k->note, sizeof k->note, "%s on %zu other program%s",
             r->e.model.same_paradigm ? question_paradigm(&r->q, r->chosen)
                                      : "all paradigms",
             programs, programs == 1 ? "" : "s");
}

static void add_prediction(facts *k, const reason *r)
{
  const gscale_prediction *p = &r->p;
  const double of_model = r->e.model.programs > 0 ? r->e.of_model : (double)NAN;

  note_model(k, r);
  add_fact(k, (fact){.group = "prediction",
                     .name = "time",
                     .value = p->time,
                     .err = r->e.time,
                     .dim = GSCALE_TIME,
                     .share = r->e.time / p->time,
                     .note = "share: of the error"});
  add_number(k, "prediction", "error_of_parameters", r->e.of_parameters,
             GSCALE_TIME, p->time, NULL);
  add_number(k, "prediction", "error_of_model", of_model, GSCALE_TIME, p->time,
             k->note);
  add_number(k, "prediction", "setup", p->setup, GSCALE_TIME, 0.0, NULL);
  add_number(k, "prediction", "speedup", p->speedup, GSCALE_COUNT, 0.0, NULL);
  add_number(k, "prediction", "efficiency", p->efficiency, GSCALE_COUNT, 0.0,
             NULL);
  add_number(k, "prediction", "fraction_of_ideal", p->opportunity, GSCALE_COUNT,
             0.0, NULL);
  add_text(k, "prediction", "bound", gscale_mechanism_name(p->bound),
           mechanism_words(p->bound));
  add_text(k, "prediction", "applicability",
           gscale_applicability_name(r->e.applicability), r->e.reason);
}

static void add_parts(facts *k, const gscale_prediction *p)
{
  static const char *const parts[GSCALE_PART_END] = {
      [GSCALE_PART_COMPUTE] = "compute",
      [GSCALE_PART_HOST] = "host",
      [GSCALE_PART_TRANSFER] = "transfer",
      [GSCALE_PART_INITIATION] = "initiation",
      [GSCALE_PART_TRACKING] = "tracking",
      [GSCALE_PART_TAIL] = "tail",
      [GSCALE_PART_LATENCY] = "latency"};
  const gscale_bytes *b = &p->bytes;

  for (size_t i = 0; i < GSCALE_PART_END; i++)
    add_number(k, "part", parts[i], p->part[i], GSCALE_TIME, p->time, NULL);
  add_number(k, "bytes", "useful", b->useful, GSCALE_BYTES, b->wire, NULL);
  add_number(k, "bytes", "protocol", b->protocol, GSCALE_BYTES, b->wire, NULL);
  add_number(k, "bytes", "redundant", b->redundant, GSCALE_BYTES, b->wire,
             NULL);
  add_number(k, "bytes", "unused", b->unused, GSCALE_BYTES, b->wire, NULL);
  add_number(k, "bytes", "sum", b->wire, GSCALE_BYTES, 0.0, NULL);
}

static void add_paradigm(facts *k, const reason *r)
{
  const gscale_paradigm *p = gscale_paradigm_at(r->q.paradigm[r->chosen]);
  const gscale_knobs *given = &r->q.knobs[r->chosen];

  add_text(k, "paradigm", p->name, p->proposed ? "proposed" : "exists",
           p->summary);
  for (size_t i = 0; i < GSCALE_KNOB_END; i++)
    if (p->uses[i])
      add_number(k, "knob", gscale_knob_name((gscale_knob)i), r->p.knobs.v[i],
                 gscale_knob_dim((gscale_knob)i), 0.0,
                 isnan(given->v[i]) ? "chosen by the model" : "given");
}

static void add_descriptions(facts *k, const reason *r)
{
  const about *w = &r->q.about_workload, *s = &r->q.about_system;

  add_text(k, "workload", "file", w->path, w->summary);
  for (size_t i = 0; i < w->knobs; i++)
    add_text(k, "setting", w->knob[i].name, w->knob[i].value, w->knob[i].doc);
  add_text(k, "workload", "weakest_number",
           gscale_origin_name(gscale_workload_origin(r->q.workload)), NULL);
  add_number(k, "workload", "error_of_t1", r->e.of_single, GSCALE_TIME,
             r->p.time, NULL);
  add_text(k, "system", "file", s->path, s->summary);
}

static void find_facts(facts *k, const reason *r)
{
  k->n = 0;
  add_question(k, r);
  add_prediction(k, r);
  add_parts(k, &r->p);
  add_paradigm(k, r);
  add_descriptions(k, r);
}

/* ---- as rows ------------------------------------------------------------ */

enum {
  NAME,
  VALUE,
  VALUE_ERR,
  SHOWN, /* the last two for people */
  UNIT,
  ORIGIN,
  ELASTICITY,
  TIME_ERR,
  ERR_SHARE,
  SOURCE,
  GROUP,
  SHARE_OF,
  WORDS,
  NOTE,
  COLUMNS
};

/* A table for people has the numbers only. */
static const column columns[COLUMNS] = {
    [NAME] = TEXT("name", "parameter"),
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT),
    [VALUE_ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [SHOWN] = TEXT(NULL, "value"),
    [UNIT] = TEXT("unit", NULL),
    [ORIGIN] = TEXT("origin", "origin"),
    [ELASTICITY] = NUMBER("elasticity", "elasticity", GSCALE_COUNT),
    [TIME_ERR] = NUMBER("time_err_s", NULL, GSCALE_TIME),
    [ERR_SHARE] = PERCENT(NULL, "moves time by"),
    [SOURCE] = TEXT("source", "source"),
    [GROUP] = TEXT("group", NULL),
    [SHARE_OF] = PERCENT("share", NULL),
    [WORDS] = TEXT("text", NULL),
    [NOTE] = TEXT("note", NULL),
};

static const char *const units[GSCALE_DIM_END] = {
    [GSCALE_COUNT] = "1",   [GSCALE_TIME] = "s",
    [GSCALE_BYTES] = "B",   [GSCALE_BYTERATE] = "B/s",
    [GSCALE_FLOP] = "flop", [GSCALE_FLOPRATE] = "flop/s",
    [GSCALE_RATE] = "1/s",  [GSCALE_TIME_PER_BYTE] = "s/B",
};

static void fill_fact(cell *c, const fact *f)
{
  set_text(&c[GROUP], f->group);
  set_text(&c[NAME], f->name);
  c[VALUE].number = f->value;
  c[VALUE_ERR].number = f->err;
  if (!f->text) set_text(&c[UNIT], units[f->dim]);
  c[SHARE_OF].number = f->share;
  c[WORDS].whole = f->text;
  c[NOTE].whole = f->note;
}

static int fill_facts(rows *out, const facts *k, failure *why)
{
  for (size_t i = 0; i < k->n; i++) {
    cell *c = rows_add(out);

    if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
    fill_fact(c, &k->v[i]);
  }
  return EXIT_OK;
}

/* "2.31 us +/- 0.9%" */
static void show_value(const gscale_param *p, gscale_dim dim, char *text,
                       size_t size)
{
  char value[48];

  gscale_format_quantity(p->val, dim, value, sizeof value);
  if (p->err > 0.0 && fabs(p->val) > 0.0)
    snprintf(text, size, "%s +/- %.2g%%", value, 100.0 * p->err / fabs(p->val));
  else
    snprintf(text, size, "%s", value);
}

static void fill_parameter(cell *c, const reason *r, size_t id)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  const gscale_param *p = gscale_system_get(r->q.system, (gscale_param_id)id);

  set_text(&c[GROUP], "number");
  set_text(&c[NAME], info->name);
  c[VALUE].number = p->val;
  c[VALUE_ERR].number = p->err;
  show_value(p, info->dim, c[SHOWN].text, sizeof c[SHOWN].text);
  set_text(&c[UNIT], units[info->dim]);
  set_text(&c[ORIGIN], gscale_origin_name(p->origin));
  c[ELASTICITY].number = r->e.of[id].elasticity;
  c[TIME_ERR].number = r->e.of[id].err;
  c[SHARE_OF].number = c[ERR_SHARE].number = r->e.of[id].err / r->p.time;
  set_text(&c[SOURCE], p->source);
}

/* Sorted by |elasticity|, then by the error they cause, then as declared. */
static void sort_parameters(const gscale_error *e, size_t *order)
{
  for (size_t i = 0; i < GSCALE_PARAM_END; i++) {
    size_t j = i;

    for (; j > 0; j--) {
      const gscale_sensitivity *a = &e->of[i], *b = &e->of[order[j - 1]];
      const double more = fabs(a->elasticity) - fabs(b->elasticity);

      if (!(more > 0.0) && !(more >= 0.0 && a->err > b->err)) break;
      order[j] = order[j - 1];
    }
    order[j] = i;
  }
}

/* For people only those that matter. */
static bool matters(const gscale_sensitivity *s, double time)
{
  const double least = 0.005;

  return fabs(s->elasticity) >= least || s->err >= least * time;
}

static int fill_parameters(rows *out, const reason *r, bool all, failure *why)
{
  size_t order[GSCALE_PARAM_END];

  sort_parameters(&r->e, order);
  for (size_t i = 0; i < GSCALE_PARAM_END; i++) {
    cell *c;

    if (!all && !matters(&r->e.of[order[i]], r->p.time)) continue;
    c = rows_add(out);
    if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
    fill_parameter(c, r, order[i]);
  }
  return EXIT_OK;
}

/* ---- as words ----------------------------------------------------------- */

/* The fact of that name; the list has it. */
static const fact *find_fact(const facts *k, const char *group,
                             const char *name)
{
  size_t i = 0;

  while (i + 1 < k->n &&
         (strcmp(k->v[i].group, group) != 0 || strcmp(k->v[i].name, name) != 0))
    i++;
  return &k->v[i];
}

static double number_of(const facts *k, const char *name)
{
  return find_fact(k, "prediction", name)->value;
}

static const char *text_of(const facts *k, const char *group, const char *name)
{
  return find_fact(k, group, name)->text;
}

static void show_fact(const fact *f, char *text, size_t size)
{
  if (f->text)
    snprintf(text, size, "%s", f->text);
  else if (isnan(f->value))
    snprintf(text, size, "-");
  else if (f->dim == GSCALE_COUNT)
    snprintf(text, size, "%.0f", f->value);
  else
    gscale_format_quantity(f->value, f->dim, text, size);
}

/* A line for each of a group. */
static void print_group(FILE *f, const facts *k, const char *group)
{
  char text[96];

  for (size_t i = 0; i < k->n; i++) {
    const fact *one = &k->v[i];

    if (strcmp(one->group, group) != 0) continue;
    show_fact(one, text, sizeof text);
    fprintf(f, "  %-12s %10s", one->name, text);
    if (!isnan(one->share)) fprintf(f, "  %5.1f%%", 100.0 * one->share);
    if (one->note) fprintf(f, "  %s", one->note);
    putc('\n', f);
  }
}

/* Whose error it is. */
static void print_error(FILE *f, const facts *k)
{
  const fact *model = find_fact(k, "prediction", "error_of_model");
  const fact *own = find_fact(k, "prediction", "error_of_parameters");

  fprintf(f, "of the error %.1f%% is the parameters', ", 100.0 * own->share);
  if (isnan(model->value))
    fprintf(f, "the model's own is %s\n", model->note);
  else if (number_of(k, "error_of_model") > 0.0)
    fprintf(f, "%.1f%% the model's own (%s)\n", 100.0 * model->share,
            model->note);
  else
    fprintf(f, "%s\n", model->note);
}

static void print_setup(FILE *f, const facts *k)
{
  char text[48];

  show_fact(find_fact(k, "prediction", "setup"), text, sizeof text);
  if (number_of(k, "setup") > 0.0) fprintf(f, "setup, once: %s\n", text);
}

static void print_time(FILE *f, const facts *k)
{
  const fact *time = find_fact(k, "prediction", "time");
  const fact *bound = find_fact(k, "prediction", "bound");
  const fact *range = find_fact(k, "prediction", "applicability");
  const double gpus = find_fact(k, "question", "gpus")->value;
  const char *asked = text_of(k, "question", "settings");
  char value[48], err[48];

  gscale_format_quantity(time->value, GSCALE_TIME, value, sizeof value);
  gscale_format_quantity(time->err, GSCALE_TIME, err, sizeof err);
  fprintf(f, "%s on %.0f GPU%s of %s by %s\n",
          text_of(k, "question", "workload"), gpus, gpus > 1.0 ? "s" : "",
          text_of(k, "question", "system"), text_of(k, "question", "paradigm"));
  if (*asked) fprintf(f, "asked with %s\n", asked);
  fprintf(f, "\none step takes %s +/- %s (%.1f%%)\n", value, err,
          100.0 * time->share);
  print_error(f, k);
  fprintf(f, "speedup %.2f, efficiency %.1f%%, fraction of ideal %.1f%%\n",
          number_of(k, "speedup"), 100.0 * number_of(k, "efficiency"),
          100.0 * number_of(k, "fraction_of_ideal"));
  print_setup(f, k);
  fprintf(f, "bound by %s\n", bound->note);
  fprintf(f, "applicability: %s%s%s%s\n", range->text,
          range->note[0] ? " (" : "", range->note, range->note[0] ? ")" : "");
}

static void print_bytes(FILE *f, const facts *k)
{
  if (!(find_fact(k, "bytes", "sum")->value > 0.0)) {
    fprintf(f, "\nno bytes move\n");
    return;
  }
  fprintf(f, "\nbytes that all GPUs send\n");
  print_group(f, k, "bytes");
}

static void print_described(FILE *f, const facts *k)
{
  const fact *w = find_fact(k, "workload", "file");
  const fact *t1 = find_fact(k, "workload", "error_of_t1");
  const fact *s = find_fact(k, "system", "file");
  char text[48];

  fprintf(f, "\nworkload %s: %s\n", w->text, w->note);
  print_group(f, k, "setting");
  fprintf(f, "  its weakest number is %s\n",
          text_of(k, "workload", "weakest_number"));
  if (t1->value > 0.0) {
    show_fact(t1, text, sizeof text);
    fprintf(f, "  %-12s %10s  %5.1f%%\n", "error by t1", text,
            100.0 * t1->share);
  }
  fprintf(f, "\nsystem %s: %s\n", s->text, s->note);
}

static void print_words(FILE *f, const facts *k, size_t numbers)
{
  const fact *p = find_fact(k, "paradigm", text_of(k, "question", "paradigm"));

  print_time(f, k);
  fprintf(f, "\nwhere the time goes\n");
  print_group(f, k, "part");
  print_bytes(f, k);
  fprintf(f, "\nparadigm %s: %s%s\n", p->name, p->note,
          strcmp(p->text, "proposed") == 0 ? " (proposed hardware)" : "");
  print_group(f, k, "knob");
  print_described(f, k);
  fputs(numbers ? "\nnumbers of the system that matter; elasticity: % of time "
                  "per % of the number\n"
                : "\nno number of the system matters\n",
        f);
}

/* What the table of numbers leaves out is a fact too. */
static void print_rest(FILE *f, size_t numbers)
{
  if (numbers > 0 && numbers < GSCALE_PARAM_END)
    fprintf(f,
            "%zu other numbers move the time by less than 0.5%%; --format csv "
            "lists them\n",
            GSCALE_PARAM_END - numbers);
}

/* ---- the verb ----------------------------------------------------------- */

static int write_all(output *out, rows *list, const reason *r, format f,
                     failure *why)
{
  const bool table = f == FORMAT_TABLE;
  static facts k; /* the rows hold its texts */
  int st = EXIT_OK;

  find_facts(&k, r);
  if (!table) st = fill_facts(list, &k, why);
  if (st == EXIT_OK) st = fill_parameters(list, r, !table, why);
  if (st == EXIT_OK && table) print_words(out->f, &k, rows_count(list));
  if (st == EXIT_OK && (!table || rows_count(list)))
    st = rows_write(list, f, out, why);
  if (st == EXIT_OK && table) print_rest(out->f, rows_count(list));
  return st;
}

static int print(const reason *r, const options *o, failure *why)
{
  rows *list = rows_new("gpuscale.explain/2", columns, COLUMNS);
  output out;
  int st = output_open(&out, o->output, why);

  if (st == EXIT_OK && !list)
    st = fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (st == EXIT_OK) st = write_all(&out, list, r, o->format, why);
  rows_free(list);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

int explain_main(options *o, failure *why)
{
  static reason r; /* large */
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st == EXIT_OK && !o->gpus)
    st = fail(why, EXIT_USAGE, "explain: needs --gpus N");
  if (st != EXIT_OK) return st;
  st = question_load(&r.q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK && r.q.n != 1)
    st = fail(why, EXIT_USAGE, "explain: one number of GPUs, not '%.100s'",
              o->gpus);
  if (st == EXIT_OK && r.q.named && r.q.paradigms != 1)
    st = fail(why, EXIT_USAGE, "explain: one paradigm, not '%.100s'",
              o->paradigm);
  if (st == EXIT_OK) st = reason_about(&r, why);
  if (st == EXIT_OK) st = print(&r, o, why);
  question_free(&r.q);
  return st;
}
