/* workload.c - converts the result of a description to a workload. */

#include "language/reader.h"
#include "language/schedule.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* ---- phases -------------------------------------------------------------- */

/* Returns a label such as "publish" (short form) or "publish.bytes". */
static const char *label_of(const gscale_field *f, char *text, size_t size)
{
  gscale_field_path(f, text, size);
  if (f->key) snprintf(text, size, "%s", f->key);
  return text;
}

/* Adds a name unless it is already listed. */
static size_t add_name(const char *names[], size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return n;
  names[n] = name;
  return n + 1;
}

/* Lists the short forms, the groups, and the fields without a group. */
static size_t outer_names(gscale_described d, const char *names[])
{
  size_t n = 0;

  GSCALE_EACH_FIELD (d, f) {
    if (f->key) n = add_name(names, n, f->key);
    n = add_name(names, n, *f->group ? f->group : f->name);
  }
  return n;
}

/* Checks the keys of each group that is a table. */
static void check_groups(const reader *r, gscale_described d)
{
  const char *groups[KEYS_MAX];
  const size_t n = outer_names(d, groups);

  for (size_t g = 0; g < n; g++) {
    const char *known[KEYS_MAX];
    char prefix[2 * LABEL_SIZE];
    reader inner = {r->L, 0, r->line, prefix};
    bool list = false;
    size_t k = 0;

    GSCALE_EACH_FIELD (d, f) {
      if (!*f->group || strcmp(f->group, groups[g]) != 0) continue;
      list = list || !*f->name;
      if (*f->name) known[k++] = f->name;
    }
    snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, groups[g]);
    if (push_field(r, groups[g]) == LUA_TTABLE && k > 0) {
      inner.table = lua_gettop(r->L);
      check_keys(&inner, known, k,
                 list ? (lua_Integer)lua_rawlen(r->L, -1) : 0);
    }
    lua_pop(r->L, 1);
  }
}

/* Pushes the value of a field from its group or its short form. If there is no
 * value, the function pushes nothing and returns false. */
static bool push_row(const reader *r, const gscale_field *f)
{
  const int top = lua_gettop(r->L);
  bool in_group = false;

  if (!*f->name) { /* the list of the group */
    if (push_field(r, f->group) != LUA_TNIL) return true;
    lua_pop(r->L, 1);
    return false;
  }
  if (*f->group && push_field(r, f->group) == LUA_TTABLE) {
    const reader inner = {r->L, top + 1, r->line, r->prefix};
    in_group = push_field(&inner, f->name) != LUA_TNIL;
    if (in_group) lua_replace(r->L, top + 1);
  }
  lua_settop(r->L, top + in_group);
  if (*f->group && !f->key) return in_group;
  if (push_field(r, *f->group ? f->key : f->name) == LUA_TNIL ||
      (*f->group && strcmp(f->key, f->group) == 0 && lua_istable(r->L, -1))) {
    lua_pop(r->L, 1);
    return in_group;
  }
  if (in_group)
    complain_of(r, "%s: given twice, also in %s = { ... }", f->key, f->group);
  lua_settop(r->L, top + 1);
  return true;
}

/* Complains about a group that is neither a table nor a short form. */
static void complain_group(const reader *r, gscale_described d)
{
  const char *last = "";

  GSCALE_EACH_FIELD (d, f) {
    if (!*f->group || strcmp(f->group, last) == 0) continue;
    last = f->group;
    if (gscale_field_find(d, last)) continue;
    if (push_field(r, last) != LUA_TNIL && !lua_istable(r->L, -1))
      complain_type(r, last, "a table");
    lua_pop(r->L, 1);
  }
}

/* Returns whether -P sets a field of a phase. */
static bool is_set(const settings *set, const char *phase)
{
  const size_t length = strlen(phase);

  for (size_t i = 0; set && i < set->n; i++)
    if (strncmp(set->v[i].name, phase, length) == 0 &&
        set->v[i].name[length] == '.')
      return true;
  return false;
}

/* Applies -P PHASE.group.field=value and -P PHASE.key=value. */
static void set_fields(const reader *r, job *j, phase_draft *d)
{
  gscale_leaf at = {.of = GSCALE_OF_PHASE};
  const gscale_field *f;

  if (!is_set(j->set, d->p.name) && !is_set(&j->room, d->p.name)) return;
  while ((f = gscale_field_next(&at))) {
    char path[GSCALE_NAME_MAX], name[2 * LABEL_SIZE];
    const char *text;
    gscale_diag diag;

    gscale_field_path(f, path, sizeof path);
    snprintf(name, sizeof name, "%s.%s", d->p.name, path);
    text = setting(j, name);
    if (!text && f->key) {
      snprintf(name, sizeof name, "%s.%s", d->p.name, f->key);
      text = setting(j, name);
    }
    if (!text) continue;
    if (!set_value(f, text, d, &diag))
      refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, diag.text);
    if (gscale_field_check(f, &d->p, d->p.name, &diag) != GSCALE_OK)
      refuse_as(r->L, EXIT_USAGE, "-P %s", diag.text);
  }
}

/* Reports all mistakes of a phase, since the library names only the first. */
static bool fields_are_right(const reader *r, const phase_draft *d)
{
  gscale_leaf at = {.of = GSCALE_OF_PHASE};
  const gscale_field *f;
  bool ok = true;

  while ((f = gscale_field_next(&at))) {
    gscale_diag diag;

    if (gscale_field_check(f, &d->p, d->p.name, &diag) == GSCALE_OK) continue;
    complain(r->L, r->line, "%s", diag.text);
    ok = false;
  }
  return ok;
}

static void read_fields(const reader *r, phase_draft *d)
{
  bool grid = false;

  GSCALE_EACH_FIELD (GSCALE_OF_PHASE, f) {
    char label[LABEL_SIZE];

    if (!push_row(r, f)) continue;
    read_value(r, f, label_of(f, label, sizeof label), d);
    lua_pop(r->L, 1);
    grid = grid || strcmp(f->name, "grid") == 0;
  }
  if (grid && d->p.to != GSCALE_TO_NEIGHBOURS)
    complain_of(r, "grid: needs to = \"neighbours\"");
}

/* Returns the target of a job, which is one GPU by default. */
static target target_of(const job *j)
{
  static const int one = 1;

  return (target){.gpus = j->gpus ? j->gpus : &one,
                  .n = j->gpus ? j->sizes : 1,
                  .node = j->together};
}

static void read_phase(const reader *r, job *j, gscale_workload *into)
{
  const char *known[KEYS_MAX];
  char name[GSCALE_NAME_MAX], prefix[GSCALE_NAME_MAX + 3] = "";
  const reader named = {r->L, r->table, r->line, prefix};
  gscale_diag diag;
  gscale_status st;
  phase_draft d = {.weakest = -1};

  read_text(r, "name", true, name, sizeof name);
  check_name(r->L, r->line, "name", name, ".+-");
  if (*name) snprintf(prefix, sizeof prefix, "%s: ", name);
  check_keys(&named, known, outer_names(GSCALE_OF_PHASE, known), 0);
  check_groups(&named, GSCALE_OF_PHASE);
  complain_group(&named, GSCALE_OF_PHASE);

  gscale_phase_init(&d.p, name);
  read_fields(&named, &d);
  set_fields(&named, j, &d);
  if (!fields_are_right(&named, &d)) return;
  st = gscale_workload_add(into, &d.p, &diag);
  if (st == GSCALE_ESIZE) refuse(r->L, r->line, "%s", diag.text);
  for (size_t i = 0; st == GSCALE_OK && i < d.doubts; i++)
    st = gscale_workload_doubt(into, gscale_workload_about(into).phases - 1,
                               d.doubt[i].field, d.doubt[i].index,
                               &d.doubt[i].p, &diag);
  if (st == GSCALE_ENOMEM) refuse_as(r->L, EXIT_INTERNAL, "%s", diag.text);
  if (st != GSCALE_OK) complain(r->L, r->line, "%s", diag.text);
}

/* ---- step ---------------------------------------------------------------- */

/* Reads the system of t1. A t1 from -P belongs to the requested system, unless
 * -P t1_on names another system. */
static void read_t1_on(const reader *r, job *j, bool given,
                       gscale_workload *into)
{
  const char *text = setting(j, "t1_on");
  char name[GSCALE_NAME_MAX] = "";

  read_text(r, "t1_on", false, name, sizeof name);
  if (text || !given) gscale_workload_set_t1_on(into, text ? text : name);
}

/* Reads the pair {1 / parts, time}, such as {0.25, "4.9 ms"}. */
static bool read_share(const reader *r, size_t i, int *parts, gscale_param *p)
{
  lua_State *L = r->L;
  double share = 0.0;
  bool ok = lua_istable(L, -1) && lua_rawlen(L, -1) == 2;

  if (ok) {
    lua_rawgeti(L, -1, 1);
    share = lua_tonumber(L, -1);
    lua_rawgeti(L, -2, 2);
    ok = workload_number(r, "t1", GSCALE_TIME, p);
    lua_pop(L, 2);
  } else {
    complain_of(r, "t1: share %zu: needs {share, time}", i);
  }
  *parts = share > 0.0 && share <= 1.0 ? (int)lround(1.0 / share) : 0;
  if (ok && !(fabs(*parts * share - 1.0) < 0.01)) {
    complain_of(r, "t1: share %zu: %g is not 1 over a whole number", i, share);
    return false;
  }
  if (ok && !(p->val > 0.0))
    complain_of(r, "t1: share %zu: its time must be above 0", i);
  return ok && p->val > 0.0;
}

/* Reads the table of gs.shares on top of the stack. The time of the whole step
 * is stored in *whole, and the other times are relative to *whole. */
static void read_shares(const reader *r, gscale_workload *into,
                        gscale_param *whole)
{
  gscale_share_of share[GSCALE_SHARES_MAX + 1];
  gscale_diag diag;
  size_t n = 0, rows;

  if (!is_list(r, "t1", "pairs {share, time}", 1, GSCALE_SHARES_MAX, &rows))
    return;
  for (size_t i = 1; i <= rows; i++, lua_pop(r->L, 1)) {
    gscale_param p = {.origin = GSCALE_DERIVED};
    int parts;

    lua_rawgeti(r->L, -1, (lua_Integer)i);
    if (!read_share(r, i, &parts, &p)) continue;
    if (parts == 1)
      *whole = p;
    else
      share[n++] = (gscale_share_of){parts, p.val};
  }
  if (!(whole->val > 0.0)) {
    complain_of(r, "t1: gs.shares: needs the time of share 1");
    return;
  }
  for (size_t i = 0; i < n; i++) share[i].of_single /= whole->val;
  if (gscale_workload_set_shares(into, share, n, &diag) != GSCALE_OK)
    complain_of(r, "%s", diag.text);
}

/* Reads t1 unless -P gave it. If shares of t1 are given, a t1 of -P keeps the
 * ratios of the shares. */
static void read_single(const reader *r, bool given, gscale_workload *into,
                        gscale_param *p)
{
  const int line = push_thing(r->L, -1, THING_SHARES);
  const reader inner = {r->L, 0, line, ""};

  if (!line) {
    if (!given) workload_number(r, "t1", GSCALE_TIME, p);
    return;
  }
  read_shares(&inner, into, p);
  lua_pop(r->L, 1);
}

/* Reads t1. The t1 of -P replaces the t1 of step(), which is false if step()
 * uses k.t1 itself. */
static void read_t1(const reader *r, job *j, gscale_workload *into)
{
  gscale_param p = {.origin = GSCALE_DERIVED};
  gscale_diag diag;
  const char *text = setting(j, "t1");

  const int type = push_field(r, "t1");
  const bool used = type == LUA_TBOOLEAN && !lua_toboolean(r->L, -1);

  if (type != LUA_TNIL && !used) read_single(r, text, into, &p);
  lua_pop(r->L, 1);
  if (used) return;
  if (text) {
    settings_number(text, GSCALE_TIME, &p, &diag); /* checked by its caller */
    p.origin = GSCALE_MEASURED;
    p.val *= j->t1_factor;
    p.err *= j->t1_factor;
  }
  const gscale_status st = gscale_workload_set_single(into, p, &diag);
  read_t1_on(r, j, text != NULL, into);
  if (st != GSCALE_OK) complain_of(r, "%s", diag.text);
}

/* Reads the table `run` with the keys gpus, on and time. */
static void read_run(const reader *r, gscale_workload *into)
{
  static const char *const known[] = {"gpus", "on", "time"};
  const reader run = {r->L, lua_gettop(r->L) + 1, r->line, "run."};
  char on[GSCALE_NAME_MAX] = "";
  gscale_param time = {.origin = GSCALE_MEASURED};
  gscale_diag diag;
  const int type = push_field(r, "run");

  if (type == LUA_TTABLE) {
    check_keys(&run, known, LENGTH(known), 0);
    const int gpus = read_integer(&run, "gpus", -1);
    read_text(&run, "on", true, on, sizeof on);
    push_field(&run, "time");
    if (workload_number(&run, "time", GSCALE_TIME, &time) && gpus >= 0 &&
        gscale_workload_set_run(into, gpus, time, on, &diag) != GSCALE_OK)
      complain(r->L, r->line, "%s", diag.text);
  } else if (type != LUA_TNIL) {
    complain_type(r, "run", "{ gpus =, on =, time = }");
  }
  lua_settop(r->L, run.table - 1);
}

/* The value of a field of `host` or `norm`, from -P or from the description. */
typedef struct host_value {
  const char *text; /* NULL if a number or nothing */
  bool given, number;
  double plain;
} host_value;

static host_value host_setting(const reader *r, job *j, const gscale_field *f)
{
  char path[GSCALE_NAME_MAX];
  host_value v = {0};

  gscale_field_path(f, path, sizeof path);
  v.text = setting(j, path);
  v.given = v.text != NULL;
  if (v.given || !push_row(r, f)) return v;
  v.plain = lua_tonumber(r->L, -1);
  v.number = lua_type(r->L, -1) == LUA_TNUMBER;
  if (!v.number && lua_type(r->L, -1) != LUA_TSTRING &&
      lua_type(r->L, -1) != LUA_TBOOLEAN)
    complain_type(r, path, "a number, a word, true or false");
  else if (!v.number)
    v.text = luaL_tolstring(r->L, -1, NULL); /* held by the stack */
  return v;
}

static gscale_status host_number(const gscale_field *f, const host_value *said,
                                 const char *text, void *at, gscale_diag *diag)
{
  const bool whole = f->kind == GSCALE_INTEGER;
  gscale_param p = {.val = said->plain};

  const gscale_status st =
      said->number ? GSCALE_OK : settings_number(text, f->dim, &p, diag);
  if (st != GSCALE_OK) return st;
  if (!number_fits(f, p.val)) {
    snprintf(diag->text, sizeof diag->text, "%g is not a %snumber in %g .. %g",
             p.val, whole ? "whole " : "", f->least, f->most);
    return GSCALE_EDOMAIN;
  }
  if (whole)
    *(int *)at = (int)p.val;
  else
    *(double *)at = p.val;
  return GSCALE_OK;
}

/* Converts the texts "per gpu" and "one" of `threads` to numbers. */
static const char *counted_threads(const gscale_field *f, const char *text)
{
  if (strcmp(f->name, "threads") != 0) return text;
  return strcmp(text, "per gpu") == 0 ? "0"
         : strcmp(text, "one") == 0   ? "1"
                                      : text;
}

static gscale_status host_field(const gscale_field *f, const host_value *said,
                                void *at, gscale_diag *diag)
{
  const bool counts = f->kind != GSCALE_FLAG && f->kind != GSCALE_CHOICE;
  size_t word;

  if (counts)
    return host_number(
        f, said, said->text ? counted_threads(f, said->text) : "", at, diag);
  if (f->kind == GSCALE_FLAG) return settings_flag(said->text, at, diag);
  const gscale_status st =
      settings_word(said->text, f->words, gscale_field_words(f), &word, diag);
  if (st == GSCALE_OK) *(unsigned *)at = (unsigned)word;
  return st;
}

/* Returns whether a number is given for a word or a flag. */
static bool misplaced(const gscale_field *f, const host_value *v)
{
  return v->number && (f->kind == GSCALE_FLAG || f->kind == GSCALE_CHOICE);
}

static void read_host(const reader *r, job *j, gscale_workload *into)
{
  gscale_host host = gscale_host_default;
  gscale_diag diag;
  bool ok = true;

  GSCALE_EACH_FIELD (GSCALE_OF_STEP, f) {
    const int top = lua_gettop(r->L);
    char path[GSCALE_NAME_MAX];

    if (strcmp(f->group, "host") != 0 && strcmp(f->group, "norm") != 0)
      continue;
    const host_value v = host_setting(r, j, f);
    gscale_field_path(f, path, sizeof path);
    if (misplaced(f, &v)) {
      complain_type(r, path,
                    f->kind == GSCALE_FLAG ? "true or false" : "a word");
      ok = false;
    } else if ((v.text || v.number) &&
               host_field(f, &v, (char *)&host + f->offset, &diag) !=
                   GSCALE_OK) {
      ok = false;
      if (v.given) refuse_as(r->L, EXIT_USAGE, "-P %s: %s", path, diag.text);
      complain_of(r, "%s: %s", path, diag.text);
    }
    lua_settop(r->L, top);
  }
  if (ok && gscale_workload_set_host(into, &host, &diag) != GSCALE_OK)
    complain_of(r, "%s", diag.text);
}

static const char *const memory_keys[] = {"state", "memory"};

/* Reads the memory of a GPU, on which no time depends. */
static void read_memory(const reader *r, about *more)
{
  for (int i = 0; i < 2; i++) {
    gscale_param p;
    if (push_field(r, memory_keys[i]) != LUA_TNIL &&
        workload_number(r, memory_keys[i], GSCALE_BYTES, &p))
      more->memory[i] = p.val;
    lua_pop(r->L, 1);
  }
}

/* Reads the table that step() returned, except the schedule. */
static void read_step(lua_State *L, int line, job *j, gscale_workload *into)
{
  const char *known[KEYS_MAX];
  const reader r = {L, lua_gettop(L), line, ""};
  size_t names;
  bool scheduled;
  lua_Integer n;

  if (!lua_istable(L, -1))
    refuse(L, line, "step: needs to return a table, got a %s",
           type_name(L, -1));
  n = (lua_Integer)lua_rawlen(L, -1);
  names = outer_names(GSCALE_OF_STEP, known);
  known[names++] = "schedule"; /* read_schedule() reads `host` */
  known[names++] = "run";
  for (int i = 0; i < 2; i++) known[names++] = memory_keys[i];
  check_keys(&r, known, names, n);
  scheduled = push_field(&r, "schedule") != LUA_TNIL;
  lua_pop(L, 1);
  if (!scheduled) {
    check_groups(&r, GSCALE_OF_STEP);
    complain_group(&r, GSCALE_OF_STEP);
    read_host(&r, j, into);
  }
  if (n == 0) complain(L, line, "step: returns no gs.phase { ... }");
  read_t1(&r, j, into);
  read_run(&r, into);
  if (into == j->workload) read_memory(&r, &j->more);

  for (lua_Integer i = 1; i <= n; i++) {
    reader phase = {L, 0, 0, ""};

    /* Ends a list that repeats a wrong phase endlessly. */
    if (i > KEYS_MAX) stop_if_noted(L);
    lua_rawgeti(L, r.table, i);
    phase.line = push_thing(L, -1, THING_PHASE);
    phase.table = lua_gettop(L);
    if (phase.line)
      read_phase(&phase, j, into);
    else
      complain(L, line, "step: item %lld is a %s; needs gs.phase { ... }",
               (long long)i, type_name(L, -1));
    lua_settop(L, r.table);
  }
}

/* ---- workload ------------------------------------------------------------ */

static const char answered; /* registry key */

/* Returns whether the tables at two indices have the same knobs. */
static bool same_knobs(lua_State *L, int a, int b)
{
  bool same = true;

  for (lua_pushnil(L); lua_next(L, a); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, b);
    same = same && lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
  }
  return same;
}

/* Pushes the table of step()'s results for the current knobs, indexed by the
 * number of GPUs. Index 0 holds the knobs. */
static void push_answers(lua_State *L, int values)
{
  const int top = lua_gettop(L);

  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &answered) == LUA_TTABLE) {
    lua_rawgeti(L, -1, 0);
    const bool same = same_knobs(L, values, top + 2);
    lua_settop(L, top + 1);
    if (same) return;
  }
  lua_settop(L, top);
  lua_newtable(L);
  lua_pushvalue(L, values);
  lua_rawseti(L, -2, 0);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &answered);
}

/* Pushes the result of step() for n GPUs. The named knob is perturbed, or none
 * if the name is NULL. Results that are already known are reused. */
static void call_step(lua_State *L, int values, const char *perturbed,
                      double value, int n)
{
  push_answers(L, values);
  const int answers = lua_gettop(L);
  if (perturbed || lua_rawgeti(L, answers, n) == LUA_TNIL) {
    lua_settop(L, answers);
    lua_pushvalue(L, values - 1); /* step */
    push_perturbed(L, values, perturbed, value);
    lua_pushinteger(L, n);
    lua_call(L, 2, 1);
    if (!perturbed) lua_pushvalue(L, -1);
    if (!perturbed) lua_rawseti(L, answers, n);
  }
  lua_remove(L, answers);
}

/* Returns whether step(k, n) takes the number of GPUs. */
static bool depends_on_n(lua_State *L, int values)
{
  lua_Debug about_step;

  lua_pushvalue(L, values - 1);
  lua_getinfo(L, ">u", &about_step);
  return about_step.nparams > 1;
}

/* Requires the same t1, and the same phases in order, on n GPUs as on one. */
static void check_same(lua_State *L, int line, const gscale_workload *one,
                       const gscale_workload *there, int n)
{
  const size_t phases = gscale_workload_about(one).phases;
  const gscale_param *t1 = gscale_workload_about(one).t1;
  const gscale_param *t1_there = gscale_workload_about(there).t1;
  bool same = phases == gscale_workload_about(there).phases;

  for (size_t i = 0; same && i < phases; i++)
    same = strcmp(gscale_workload_phase(one, i)->name,
                  gscale_workload_phase(there, i)->name) == 0;
  if (!same)
    refuse(L, line,
           "step: returns other phases, or another order, on %d GPU%s than on "
           "one",
           n, PLURAL(n));
  if (fabs(t1->val - t1_there->val) > 0.0 ||
      fabs(t1->err - t1_there->err) > 0.0)
    refuse(L, line, "step: t1 is the time of one GPU; it differs on %d GPUs",
           n);
}

/* Adds the numbers and the host of n GPUs if they differ from one GPU. */
static void add_on(lua_State *L, int line, gscale_workload *into,
                   const gscale_workload *there, int n)
{
  gscale_diag diag;

  check_same(L, line, into, there, n);
  const gscale_status st = gscale_workload_set_on(into, n, there, &diag);
  if (st == GSCALE_ENOMEM) refuse_as(L, EXIT_INTERNAL, "%s", diag.text);
  if (st != GSCALE_OK) refuse(L, line, "step: %s", diag.text);
}

static gscale_workload *new_workload(lua_State *L, const job *j)
{
  gscale_workload *w = gscale_workload_new(j->more.name);

  if (!w) refuse_as(L, EXIT_INTERNAL, "no memory for a workload");
  return w;
}

/* Runs step() again for the numbers of GPUs of a target. */
static void run_on(lua_State *L, int line, job *j, int values,
                   const char *perturbed, double value, const target *t,
                   bool scheduled, gscale_workload *into)
{
  const int n = *t->gpus;

  j->there = new_workload(L, j);
  call_step(L, values, perturbed, value, n);
  read_step(L, line, j, j->there);
  stop_if_noted(L);
  add_on(L, line, into, j->there, n);
  if (n > 1 && read_schedule(L, lua_gettop(L), line, into, t) != scheduled)
    refuse(L, line, "step: returns a schedule on %d GPUs or on one only", n);
  gscale_workload_free(j->there);
  j->there = NULL;
}

/* Runs step() once, or for each N, with the named knob perturbed. If the name
 * is NULL, no knob is perturbed. */
static void run_step(lua_State *L, int line, job *j, int values,
                     const char *perturbed, double value, gscale_workload *into)
{
  const int top = lua_gettop(L);
  const bool each = depends_on_n(L, values);
  const target all = target_of(j);
  size_t cost = 0;
  target t = {all.gpus, each ? 1 : all.n, all.node, 0.0, &cost};

  call_step(L, values, perturbed, value, 1);
  read_step(L, line, j, into);
  const bool scheduled = read_schedule(L, top + 1, line, into, &t);
  lua_settop(L, top);
  stop_if_noted(L);
  for (size_t i = 0; each && i < all.n; i++) {
    t.gpus = &all.gpus[i];
    run_on(L, line, j, values, perturbed, value, &t, scheduled, into);
    lua_settop(L, top);
  }
}

/* Runs step() at both perturbed values of an uncertain knob. */
static void run_perturbed(lua_State *L, int line, job *j, int values,
                          const uncertain_knob *u)
{
  gscale_diag diag;

  j->perturbed[0] = new_workload(L, j);
  j->perturbed[1] = new_workload(L, j);
  run_step(L, line, j, values, u->name, u->low, j->perturbed[0]);
  run_step(L, line, j, values, u->name, u->high, j->perturbed[1]);
  stop_if_noted(L);
  if (gscale_workload_add_knob(j->workload, u->name, u->dim, &u->p, u->low,
                               j->perturbed[0], u->high, j->perturbed[1],
                               &diag) != GSCALE_OK)
    refuse(L, line, "%s", diag.text);
  j->perturbed[0] = j->perturbed[1] = NULL; /* owned by the workload */
}

void read_workload(lua_State *L, void *closure)
{
  static const char *const known[] = {"name", "summary", "knobs",  "step",
                                      "weak", "ignores", "presets"};
  job *j = closure;
  const int line = push_thing(L, 1, THING_WORKLOAD);
  const reader r = {L, lua_gettop(L), line, ""};
  const char *t1;
  gscale_param p = {0};
  gscale_diag diag;
  int values;

  if (!line)
    refuse(L, 0,
           "returns a %s; a workload file ends with `return gs.workload {`",
           type_name(L, 1));
  check_keys(&r, known, LENGTH(known), 0);
  reset_calls(L);
  read_about(&r, j);
  read_preset(&r, j);
  t1 = setting(j, "t1");
  j->workload = new_workload(L, j);
  gscale_workload_set_grown(j->workload, j->grown);

  if (push_field(&r, "step") != LUA_TFUNCTION)
    complain_type(&r, "step", "a function");
  push_knobs(&r, j);
  stop_if_noted(L); /* step() needs all knobs */
  values = lua_gettop(L);
  grow_knobs(&r, j, values);
  stop_if_noted(L);
  if (t1 &&
      (settings_number(t1, GSCALE_TIME, &p, &diag) != GSCALE_OK || p.val < 0.0))
    refuse_as(L, EXIT_USAGE, "-P t1: %s", p.val < 0.0 ? "below 0" : diag.text);
  lua_pushnumber(L, p.val * j->t1_factor);
  lua_setfield(L, values, "t1");

  run_step(L, line, j, values, NULL, 0.0, j->workload);
  stop_if_noted(L);
  for (size_t i = 0; i < j->uncertains; i++)
    run_perturbed(L, line, j, values, &j->uncertain[i]);
  check_preset(L, line, j);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
