/* runs.c - reads measured runs of programs from CSV files. */

#include "validate/groups.h"
#include "validate/repeated_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a file of runs. */
enum {
  WORKLOAD,
  PARADIGM,
  KNOBS,
  GPUS,
  TIME,
  SIGMA, /* optional, as KNOBS */
  COLUMNS,
  SHARE = COLUMNS, /* optional */
  SYSTEM,          /* optional */
  ALL_COLUMNS
};

enum {
  KNOBS_LENGTH = 160, /* B of all knobs of a run */
  FILE_LENGTH = 256   /* B of a program's file */
};

static const char *const column_names[ALL_COLUMNS] = {
    [WORKLOAD] = "workload", [PARADIGM] = "paradigm", [KNOBS] = "knobs",
    [GPUS] = "gpus",         [TIME] = "time_s",       [SIGMA] = "sigma_s",
    [SHARE] = "share",       [SYSTEM] = "system"};

typedef struct source {
  const char *path;
  const gscale_table *table;
  size_t column[ALL_COLUMNS];
  bool has[ALL_COLUMNS];
  bool bare;   /* no program is described */
  int columns; /* GPUS + 1 for a plan, COLUMNS for runs */
  lexicon *keep;
} source;

int runs_blame(const run *r, failure *why)
{
  char text[sizeof why->text];

  strcpy(text, why->text);
  return fail(why, why->status == EXIT_USAGE ? EXIT_DATA : why->status,
              "%.160s:%d: %.4000s", r->path, r->line, text);
}

static int fail_at(const run *r, int which, const char *what, failure *why)
{
  fail(why, EXIT_DATA, "%s: %.200s", column_names[which], what);
  return runs_blame(r, why);
}

/* ---- knobs -------------------------------------------------------------- */

/* Returns the prefix of the paradigm's knobs, which is "" if not a model's. */
static const char *own_prefix(size_t paradigm)
{
  const gscale_paradigm *p = gscale_paradigm_at(paradigm);

  return p ? p->name : "";
}

/* Returns the index of a knob, or GSCALE_KNOB_END. */
static size_t find_knob(const char *own)
{
  size_t k = 0;

  while (k < GSCALE_KNOB_END &&
         strcmp(own, gscale_knob_at((gscale_knob)k)->name) != 0)
    k++;
  return k;
}

/* Returns "between" for "memcpy.between", or "" for another paradigm's knob. */
static const char *own_knob(const char *name, size_t paradigm)
{
  const char *prefix = own_prefix(paradigm);
  const size_t length = strlen(prefix);

  return length > 0 && strncmp(name, prefix, length) == 0 && name[length] == '.'
             ? name + length + 1
             : "";
}

/* Returns whether the knob is the algorithm or protocol of a collective. */
static bool is_collective(const char *knob, size_t paradigm)
{
  return *own_prefix(paradigm) && gscale_paradigm_at(paradigm)->collective &&
         (strcmp(knob, "algorithm") == 0 || strcmp(knob, "protocol") == 0);
}

/* Returns `st`, and names the run if the status of a knob is a failure. */
static int check_knob(const run *r, int st, failure *why)
{
  const failure said = *why;

  return st == EXIT_OK ? st : fail_at(r, KNOBS, said.text, why);
}

/* Takes a knob such as "memcpy.between=gpudirect". */
static int take_between(run *r, const char *label, failure *why)
{
  char pair[256];
  size_t same;
  gscale_knobs k;

  snprintf(pair, sizeof pair, "%s+%.100s",
           gscale_paradigm_at(r->paradigm)->name, label);
  if (!gscale_pair_find(pair, &same, &k)) return fail_at(r, KNOBS, label, why);
  r->k.between = k.between;
  return EXIT_OK;
}

/* Reads a knob. A plain number is in SI units. */
static bool read_knob(const char *value, size_t k, double *out)
{
  const gscale_dim dim = gscale_knob_at((gscale_knob)k)->dim;

  return gscale_parse_quantity(value, GSCALE_COUNT, out, NULL) == GSCALE_OK ||
         gscale_parse_quantity(value, dim, out, NULL) == GSCALE_OK;
}

static bool is_infinite(const run *r)
{
  return r->paradigm == gscale_paradigm_find("infinite");
}

/* Takes one knob of the form "name=value". */
static int take_knob(run *r, settings *set, const char *word, failure *why)
{
  char name[64];
  size_t k;

  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  const char *own = own_knob(name, r->paradigm);
  const char *value = word + strcspn(word, "=") + 1;
  if (strcmp(own, "between") == 0) return take_between(r, value, why);
  if (is_collective(own, r->paradigm))
    return check_knob(r, parse_coll_knob(own, value, &r->k, why), why);
  if (strcmp(own, "host") == 0 && is_infinite(r))
    return check_knob(r, parse_host_knob(value, &r->k, why), why);
  k = find_knob(own);
  if (k == GSCALE_KNOB_END) {
    if (settings_add(set, word, why) == EXIT_OK) return EXIT_OK;
    return runs_blame(r, why);
  }
  if (!read_knob(value, k, &r->k.v[k]) || !(r->k.v[k] > 0.0))
    return fail_at(r, KNOBS, word, why);
  return EXIT_OK;
}

/* Takes the knobs of r->knobs and stores those of the workload in *set. An
 * infinite run omits the program's transfers, but its host still waits. */
static int take_knobs_of_run(run *r, settings *set, failure *why)
{
  char word[128];
  int st = EXIT_OK;

  r->k = gscale_knobs_best;
  r->k.as_run = is_infinite(r);
  set->n = 0;
  set->option = NULL;
  for (const char *p = r->knobs; st == EXIT_OK && *p;) {
    const size_t length = strcspn(p, ";");

    if (length == 0 || length >= sizeof word || !memchr(p, '=', length))
      return fail_at(r, KNOBS, "not of the form name=value;name=value", why);
    memcpy(word, p, length);
    word[length] = '\0';
    st = take_knob(r, set, word, why);
    p += length + (p[length] == ';');
  }
  return st;
}

settings run_settings(const run *r)
{
  settings set;
  failure ignored; /* cannot fail: accepted before */
  run again = *r;

  take_knobs_of_run(&again, &set, &ignored);
  return set;
}

/* ---- programs ----------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
  const struct setting *const *x = a, *const *y = b;

  return strcmp((*x)->name, (*y)->name);
}

/* Returns the workload and its sorted knobs as a text such as "3:cts=2". If
 * only a file names the paradigm, the text includes the paradigm, because such
 * paradigms may have nothing in common. */
static const char *name_program(lexicon *keep, const run *r,
                                const settings *set)
{
  const struct setting *sorted[SETTINGS_MAX];
  char value[sizeof((settings *)0)->v[0].value];
  const bool of_file = !gscale_paradigm_at(r->paradigm);
  char text[2 * KNOBS_LENGTH + FILE_LENGTH + GSCALE_NAME_MAX + 8];

  snprintf(text, sizeof text, "%zu:%s%s%s", strlen(r->workload), r->workload,
           of_file ? "|" : "", of_file ? r->label : "");
  for (size_t i = 0; i < set->n; i++) sorted[i] = &set->v[i];
  qsort(sorted, set->n, sizeof *sorted, by_name);
  for (size_t i = 0; i < set->n; i++)
    gscale_append(text, sizeof text, "%s=%s;", sorted[i]->name,
                  settings_plain(sorted[i]->value, value, sizeof value));
  return lexicon_keep(keep, text);
}

/* ---- rows --------------------------------------------------------------- */

static int take_numbers(const source *s, size_t row, run *r, failure *why)
{
  gscale_diag diag;
  double gpus = 0.0;
  gscale_status st =
      gscale_table_number(s->table, row, s->column[GPUS], &gpus, &diag);

  if (st == GSCALE_OK && s->columns == COLUMNS)
    st = gscale_table_number(s->table, row, s->column[TIME], &r->time, &diag);
  if (st == GSCALE_OK && s->has[SIGMA])
    st = gscale_table_number(s->table, row, s->column[SIGMA], &r->sigma, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  if (!(gpus >= 1.0) || gpus > (double)GPUS_MAX || floor(gpus) < gpus)
    return fail_at(r, GPUS, "not a number of GPUs", why);
  r->gpus = (int)gpus;
  if (s->columns < COLUMNS) return EXIT_OK;
  if (!(r->time > 0.0)) return fail_at(r, TIME, "must be above 0", why);
  if (!(r->sigma >= 0.0)) return fail_at(r, SIGMA, "is below 0", why);
  return EXIT_OK;
}

/* Takes a share, whose inverse must be a whole number. */
static int take_share(const source *s, size_t row, run *r, failure *why)
{
  gscale_diag diag;
  double share = 1.0;

  r->parts = 1;
  if (!s->has[SHARE]) return EXIT_OK;
  const gscale_status st =
      gscale_table_number(s->table, row, s->column[SHARE], &share, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  r->parts = share > 1e-6 && share <= 1.0 ? (int)lround(1.0 / share) : 0;
  if (!(fabs(r->parts * share - 1.0) < 0.01))
    return fail_at(r, SHARE, "not 1 over a whole number", why);
  if (r->parts == 1 || r->gpus == 1) return EXIT_OK;
  return fail_at(r, SHARE, "a part of the work runs alone on one GPU", why);
}

static const char *text_at(const source *s, size_t row, int which)
{
  return s->has[which] ? gscale_table_text(s->table, row, s->column[which])
                       : "";
}

static int fail_long(const run *r, int which, size_t length, size_t room,
                     failure *why)
{
  char text[64];

  snprintf(text, sizeof text, "has %zu characters, %zu at most", length,
           room - 1);
  return fail_at(r, which, text, why);
}

/* Takes the paradigm. If no program is described, a paradigm may have any
 * name. */
static int take_paradigm(const source *s, size_t row, run *r, size_t *between,
                         failure *why)
{
  const char *text = text_at(s, row, PARADIGM);
  const int st = find_paradigm(text, &r->paradigm, between, why);

  if (!s->bare) return st == EXIT_OK ? st : runs_blame(r, why);
  if (strlen(text) >= GSCALE_NAME_MAX)
    return fail_long(r, PARADIGM, strlen(text), GSCALE_NAME_MAX, why);
  if (st != EXIT_OK) r->paradigm = gscale_paradigm_count();
  r->label = lexicon_keep(s->keep, text);
  return r->label ? EXIT_OK : no_memory(why);
}

/* Returns the name of a file, such as "mine" for "runs/mine.csv". */
static const char *name_file(const char *path, char *text, size_t size)
{
  const char *name = base_name(path);

  snprintf(text, size, "%.*s", (int)strcspn(name, "."), name);
  return text;
}

static int take_texts(const source *s, size_t row, run *r, failure *why)
{
  char file[GSCALE_NAME_MAX];
  const char *workload = s->bare && !s->has[WORKLOAD]
                             ? name_file(s->path, file, sizeof file)
                             : text_at(s, row, WORKLOAD);
  const char *knobs = text_at(s, row, KNOBS);
  const size_t most = strchr(workload, '/') ? FILE_LENGTH : GSCALE_NAME_MAX;
  char with[KNOBS_LENGTH + 64];
  size_t between = 0;

  if (!*workload) return fail_at(r, WORKLOAD, "is missing", why);
  if (strlen(workload) >= most)
    return fail_long(r, WORKLOAD, strlen(workload), most, why);
  if (take_paradigm(s, row, r, &between, why) != EXIT_OK) return why->status;
  if (strlen(knobs) >= KNOBS_LENGTH)
    return fail_long(r, KNOBS, strlen(knobs), KNOBS_LENGTH, why);
  r->workload = lexicon_keep(s->keep, workload);
  r->system = lexicon_keep(s->keep, text_at(s, row, SYSTEM));
  if (between > 0) {
    snprintf(with, sizeof with, "%s%s%s.between=%s", knobs, *knobs ? ";" : "",
             gscale_paradigm_at(r->paradigm)->name,
             gscale_between_at(between - 1)->name);
    knobs = with;
  }
  r->knobs = lexicon_keep(s->keep, knobs);
  return r->workload && r->knobs && r->system ? EXIT_OK : no_memory(why);
}

int run_make(lexicon *keep, const char *workload, size_t paradigm,
             const char *knobs, run *r, failure *why)
{
  settings set; /* large */
  int st;

  *r = (run){.path = "",
             .paradigm = paradigm,
             .parts = 1,
             .gpus = 1,
             .system = "",
             .workload = lexicon_keep(keep, workload),
             .knobs = lexicon_keep(keep, knobs)};
  if (!r->workload || !r->knobs) return no_memory(why);
  st = take_knobs_of_run(r, &set, why);
  if (st == EXIT_OK && !(r->program = name_program(keep, r, &set)))
    st = no_memory(why);
  return st;
}

static int take_row(const source *s, size_t row, run *r, failure *why)
{
  settings set; /* large */
  int st;

  *r = (run){.path = s->path, .line = gscale_table_line(s->table, row)};
  st = take_texts(s, row, r, why);
  if (st == EXIT_OK) st = take_knobs_of_run(r, &set, why);
  if (st == EXIT_OK && !(r->program = name_program(s->keep, r, &set)))
    st = no_memory(why);
  if (st == EXIT_OK) st = take_numbers(s, row, r, why);
  return st == EXIT_OK ? take_share(s, row, r, why) : st;
}

/* Returns whether a file must have the column. */
static bool needs(const source *s, int which)
{
  if (s->bare) return which == GPUS || which == TIME;
  return which < s->columns && which != SIGMA && which != KNOBS;
}

static int take_columns(source *s, failure *why)
{
  gscale_diag diag;

  for (int c = 0; c < ALL_COLUMNS; c++) {
    if (c >= s->columns && s->columns < COLUMNS) break;
    gscale_status found =
        gscale_table_column(s->table, column_names[c], &s->column[c], &diag);

    /* For laws, N may be the number of nodes. */
    if (found != GSCALE_OK && c == GPUS && s->bare &&
        gscale_table_column(s->table, "nodes", &s->column[c], NULL) ==
            GSCALE_OK) {
      print_note("%.200s: N, here called GPUs, counts nodes", s->path);
      found = GSCALE_OK;
    }
    s->has[c] = found == GSCALE_OK;
    if (!s->has[c] && needs(s, c)) return fail_gscale(why, found, &diag);
  }
  return EXIT_OK;
}

/* The receiver of a file's rows. */
typedef struct intake {
  source *s;
  run **out;
  size_t n, room;       /* number and room of *out */
  run_list *shares;     /* runs of parts of the work; NULL: dropped */
  repeat_list *repeats; /* repeated rows; NULL: each row is a run */
  bool any;
  int st;
  failure *why;
} intake;

static int add_share(intake *k, const run *r)
{
  run_list *to = k->shares;

  if (!to) return EXIT_OK;
  run *more = realloc(to->run, (to->n + 1) * sizeof *more);
  if (!more) return no_memory(k->why);
  to->run = more;
  more[to->n++] = *r;
  return EXIT_OK;
}

static int make_room(intake *k)
{
  run *runs = gscale_reserve(*k->out, &k->room, k->n + 1, sizeof *runs);

  if (!runs) return no_memory(k->why);
  *k->out = runs;
  return EXIT_OK;
}

static int add_run(intake *k)
{
  run *r;
  size_t of = k->n;

  if (make_room(k) != EXIT_OK) return k->why->status;
  r = &(*k->out)[k->n];
  if (take_row(k->s, 0, r, k->why) != EXIT_OK) return k->why->status;
  if (r->parts > 1) return add_share(k, r);
  if (k->repeats) of = repeats_find(k->repeats, *k->out, k->n, r);
  if (of == NO_ROW || (k->repeats && !repeats_add(k->repeats, of, r)))
    return no_memory(k->why);
  k->n += of == k->n;
  return EXIT_OK;
}

/* Takes the column names on the first call, and then a row on each call. */
static gscale_status take(const gscale_table *t, void *closure,
                          gscale_diag *diag)
{
  intake *k = closure;
  const bool names = gscale_table_rows(t) == 0;

  (void)diag;
  k->s->table = t;
  k->any = k->any || !names;
  k->st = names ? take_columns(k->s, k->why) : add_run(k);
  return k->st == EXIT_OK ? GSCALE_OK : GSCALE_EPARSE;
}

static int read_file(source *s, intake k, size_t *n, failure *why)
{
  gscale_diag diag;

  k.s = s;
  k.n = k.room = *n;
  k.why = why;
  const gscale_status read = gscale_table_each(s->path, take, &k, &diag);
  if (k.st != EXIT_OK) return k.st;
  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  if (!k.any) return fail(why, EXIT_DATA, "%.200s: no runs", s->path);
  *n = k.n;
  return EXIT_OK;
}

int runs_read_repeats(const char *path, run **out, size_t *n, run_list *shares,
                      lexicon *keep, repeat_list *into, failure *why)
{
  source s = {.path = path, .columns = COLUMNS, .keep = keep};

  return read_file(&s, (intake){.out = out, .shares = shares, .repeats = into},
                   n, why);
}

int runs_read(const char *path, run **out, size_t *n, run_list *shares,
              lexicon *keep, failure *why)
{
  return runs_read_repeats(path, out, n, shares, keep, NULL, why);
}

int runs_read_bare(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why)
{
  source s = {.path = path, .columns = COLUMNS, .keep = keep, .bare = true};

  return read_file(&s, (intake){.out = out}, n, why);
}

int runs_read_plan(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why)
{
  source s = {.path = path, .columns = GPUS + 1, .keep = keep};

  return read_file(&s, (intake){.out = out}, n, why);
}

const char *run_paradigm(const run *r)
{
  return r->label ? r->label : gscale_paradigm_at(r->paradigm)->name;
}

/* ---- relations ---------------------------------------------------------- */

void run_title(const run *r, char *text, size_t size)
{
  const settings set = run_settings(r);

  snprintf(text, size, "%s", r->workload);
  for (size_t i = 0; i < set.n; i++)
    gscale_append(text, size, "%c%s=%s", i ? ';' : ' ', set.v[i].name,
                  set.v[i].value);
}

bool runs_alike(const run *a, const run *b)
{
  return a->program == b->program || strcmp(a->program, b->program) == 0;
}

bool runs_same_row(const run *a, const run *b)
{
  return a->paradigm == b->paradigm && a->gpus == b->gpus &&
         gscale_knobs_same(&a->k, &b->k) && runs_alike(a, b);
}

const run *runs_single(const run *runs, size_t n, const run *of)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  const run *found = NULL;

  for (size_t i = 0; i < n; i++) {
    if (runs[i].paradigm != infinite || runs[i].gpus != 1 ||
        !runs_alike(&runs[i], of))
      continue;
    if (runs[i].path == of->path) return &runs[i];
    if (!found) found = &runs[i];
  }
  return found;
}

int runs_give_single(const run *single, gscale_workload *w, failure *why)
{
  const gscale_param time = {single->time, single->sigma, GSCALE_MEASURED,
                             "the infinite run on one GPU", GSCALE_BY_ORIGIN};
  gscale_diag diag;
  return check_gscale(why, gscale_workload_set_single(w, time, &diag), &diag);
}

bool runs_is_best(const run *runs, size_t n, size_t i)
{
  const run *r = &runs[i];

  for (size_t j = 0; j < n; j++) {
    const run *other = &runs[j];

    if (j == i || other->paradigm != r->paradigm || other->gpus != r->gpus ||
        other->k.between != r->k.between || other->path != r->path ||
        !runs_alike(other, r))
      continue;
    if (other->time < r->time || (!(other->time > r->time) && j < i))
      return false;
  }
  return true;
}

/* ---- mistakes ----------------------------------------------------------- */

void far_add(far_runs *f, const run *r, double predicted)
{
  const double far = 100.0;
  const bool measured = r->time > 0.0; /* false for a plan */

  f->of++;
  if (!measured || (r->time <= far * predicted && far * r->time >= predicted))
    return;
  if (f->n++ > 0) return;
  f->first = *r;
  f->predicted = predicted;
}

void far_more(far_runs *f, const far_runs *more)
{
  if (f->n == 0) f->first = more->first;
  if (f->n == 0) f->predicted = more->predicted;
  f->n += more->n;
  f->of += more->of;
}

void far_note(const far_runs *f)
{
  char took[48], says[48];

  if (f->n == 0) return;
  gscale_format_quantity(f->first.time, GSCALE_TIME, took, sizeof took);
  gscale_format_quantity(f->predicted, GSCALE_TIME, says, sizeof says);
  print_note("%zu of %zu measured times are not within a factor of "
             "100 of the prediction; the first is %s:%d, %s where %s is "
             "predicted: is time_s that of one step, in seconds?",
             f->n, f->of, f->first.path, f->first.line, took, says);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
