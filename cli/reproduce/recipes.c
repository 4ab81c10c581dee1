/* recipes.c - runs lua/published/ *.lua: for each printed number the expression
 * that gives ours.
 *
 * A file returns a table of functions by the id of the row, and of tables by
 * the name of a figure.  It may call what scripts may, and
 *
 *   gs.printed(id)     a printed number
 *   gs.fit { ... }     a constant, chosen to match rows
 *   gs.choose { ... }  any other number of ours
 *   gs.constant(name)  the value of either, from whatever file
 *   gs.setting { ... } what a question may set, and where it is printed
 *
 * What a row's function uses of these, and of machines and programs, is noted.
 */

#include "reproduce/recipes.h"
#include "common/jobs.h"
#include "common/membuf.h"
#include "say/script.h"

#include <errno.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEYS_MAX = 64 /* of a question's table */
};

/* ---- what files may call ------------------------------------------------ */

static published *row_named(lua_State *L, const recipes *k, int index)
{
  const char *id = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index)
                                                     : "a value that is no id";
  published *r = publication_find(k->p, id);

  if (!r) refuse(L, line_now(L), "no printed number '%.40s'", id);
  return r;
}

static int printed(lua_State *L)
{
  const published *r = row_named(L, of(L), 1);

  if (isnan(r->least))
    refuse(L, line_now(L), "%s: '%s' is no number", r->id, r->value);
  lua_pushnumber(L, r->least);
  return 1;
}

/* They are the project's own, and many predictions: a sanitized build takes
 * several times what a user's script may. */
static const double RECIPE_SECONDS = 120.0;

/* ---- what a row is of ---------------------------------------------------- */

bool has_word(const char *words, const char *word, size_t n)
{
  for (const char *s = words; *s; s += strcspn(s, " "), s += strspn(s, " "))
    if (strcspn(s, " ") == n && strncmp(s, word, n) == 0) return true;
  return false;
}

/* Adds words, which commas part, in order of the alphabet; what does not fit
 * is left out. */
static void add_words(char *words, size_t size, const char *more)
{
  char all[2 * sizeof((usage *)0)->programs];

  for (size_t n; *more; more += n + (more[n] == ',')) {
    const char *s = words;

    n = strcspn(more, ",");
    if (n == 0 || has_word(words, more, n)) continue;
    if (strlen(words) + n + 1 >= size) return;
    while (*s && strncmp(s, more, n) < 0) {
      s += strcspn(s, " ");
      s += strspn(s, " ");
    }
    const int before = (int)(s - words), blank = before > 0 && s[-1] != ' ';
    snprintf(all, sizeof all, "%.*s%s%.*s%s%s", before, words, blank ? " " : "",
             (int)n, more, *s ? " " : "", s);
    memcpy(words, all, strlen(all) + 1); /* it fits */
  }
}

/* Calls what the second upvalue is. */
static int call_original(lua_State *L)
{
  const int given = lua_gettop(L);

  of(L)->now.modelled = true;
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  lua_call(L, given, LUA_MULTRET);
  return lua_gettop(L);
}

/* ---- questions asked before ---- */

static int compare_text(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Texts that are keys of the table at `index`, sorted; how many, or -1 if it
 * has others or too many. */
static int sorted_keys(lua_State *L, int index, const char **keys)
{
  int n = 0;

  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || n == KEYS_MAX) {
      lua_pop(L, 2);
      return -1;
    }
    keys[n++] = lua_tostring(L, -2); /* the table holds it */
  }
  qsort(keys, (size_t)n, sizeof *keys, compare_text);
  return n;
}

static bool push_table(lua_State *L, int index);

/* Replaces the value on top of the stack by text; false if it is none of text,
 * number, truth value, table of such. */
static bool as_text(lua_State *L)
{
  char number[32];

  switch (lua_type(L, -1)) {
  case LUA_TSTRING:
    lua_pushfstring(L, "'%s'", lua_tostring(L, -1));
    break;
  case LUA_TNUMBER:
    snprintf(number, sizeof number, "%.17g", lua_tonumber(L, -1));
    lua_pushstring(L, number);
    break;
  case LUA_TBOOLEAN:
    lua_pushstring(L, lua_toboolean(L, -1) ? "true" : "false");
    break;
  case LUA_TTABLE:
    if (!push_table(L, lua_gettop(L))) return false;
    break;
  default:
    return false;
  }
  lua_replace(L, -2);
  return true;
}

/* Pushes the table at `index` as text, the same for the same fields.  False if
 * it cannot be written; what is left on the stack is of no use. */
static bool push_table(lua_State *L, int index)
{
  const char *keys[KEYS_MAX];
  const int n = sorted_keys(L, index, keys);

  if (n < 0 || !lua_checkstack(L, 3 * n + 4)) return false;
  lua_pushliteral(L, "{");
  for (int i = 0; i < n; i++) {
    lua_pushfstring(L, "%s=", keys[i]);
    lua_getfield(L, index, keys[i]);
    if (!as_text(L)) return false;
    lua_pushliteral(L, ",");
  }
  lua_pushliteral(L, "}");
  lua_concat(L, 3 * n + 2);
  return true;
}

/* Recipes ask much the same many times.  The third upvalue holds the answers
 * given so far, which recipes only read. */
static int ask_once(lua_State *L)
{
  lua_settop(L, 1);
  if (!lua_istable(L, 1) || !push_table(L, 1)) {
    lua_settop(L, 1);
    return call_original(L);
  }
  of(L)->now.modelled = true;
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(3)) != LUA_TNIL) return 1;
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, lua_upvalueindex(3));
  return 1;
}

static int noted_predict(lua_State *L)
{
  usage *u = &of(L)->now;

  if (lua_istable(L, 1)) {
    const char *machine = text_field(L, "gs.predict", "system");
    const char *program = text_field(L, "gs.predict", "workload");

    add_words(u->machines, sizeof u->machines, machine ? machine : "");
    add_words(u->programs, sizeof u->programs, program ? program : "");
    recipes_ask(L, of(L), true);
  }
  return ask_once(L);
}

static int noted_remote(lua_State *L)
{
  usage *u = &of(L)->now;

  if (lua_istable(L, 1)) {
    const char *machine = text_field(L, "gs.remote", "system");

    add_words(u->machines, sizeof u->machines, machine ? machine : "");
    recipes_ask(L, of(L), false);
  }
  return call_original(L);
}

/* In the table on top of the stack. */
static void note_calls(lua_State *L, const char *name, lua_CFunction f,
                       recipes *k)
{
  lua_pushlightuserdata(L, k);
  lua_getfield(L, -2, name);
  lua_newtable(L); /* answers */
  lua_pushcclosure(L, f, 3);
  lua_setfield(L, -2, name);
}

static void note_equations(lua_State *L, recipes *k)
{
  lua_getfield(L, -1, "equation");
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3);) { /* equations, ours, name, function */
    lua_pushlightuserdata(L, k);
    lua_insert(L, -2);
    lua_pushcclosure(L, call_original, 2);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_setfield(L, -3, "equation");
  lua_pop(L, 1);
}

/* Without the trace the recipe ends; see cook().  The second upvalue holds the
 * answers given so far. */
static int replay(lua_State *L)
{
  recipes *k = of(L);
  const char *missing;

  k->now.modelled = true;
  if (lua_istable(L, 1)) {
    const char *trace = text_field(L, "gs.replay", "trace");
    add_words(k->now.programs, sizeof k->now.programs, trace ? trace : "");
  }
  lua_settop(L, 1);
  if (!lua_istable(L, 1) || !push_table(L, 1)) lua_pushliteral(L, "");
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) return 1;
  missing = recipes_replay(L, k->traces);
  if (!missing) {
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(2));
    return 1;
  }
  snprintf(k->missing, sizeof k->missing, "%s", missing);
  lua_pushlightuserdata(L, k);
  return lua_error(L);
}

static int setting(lua_State *L)
{
  return recipes_setting(L, of(L));
}

static void set_function(lua_State *L, const char *name, lua_CFunction f,
                         void *closure)
{
  lua_pushlightuserdata(L, closure);
  lua_newtable(L); /* answers, of those who note them */
  lua_pushcclosure(L, f, 2);
  lua_setfield(L, -2, name);
}

static void extend(lua_State *L, void *closure)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_getfield(L, -1, "gs");
  set_function(L, "printed", printed, closure);
  set_function(L, "fit", recipes_fit, closure);
  set_function(L, "choose", recipes_choose, closure);
  set_function(L, "constant", recipes_constant, closure);
  set_function(L, "setting", setting, closure);
  set_function(L, "replay", replay, closure);
  note_calls(L, "predict", noted_predict, closure);
  note_calls(L, "remote", noted_remote, closure);
  note_calls(L, "goodput", call_original, closure);
  note_equations(L, closure);
  lua_pop(L, 2);
}

/* ---- the expression ----------------------------------------------------- */

static const char *line_of(const char *text, int line)
{
  for (int i = 1; text && i < line; i++) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  return text;
}

/* Appends `n` bytes with one blank for each run of them. */
static void append_words(char *to, size_t size, const char *text, size_t n)
{
  size_t used = strlen(to);

  for (size_t i = 0; i < n && used + 1 < size; i++) {
    const bool blank = text[i] == ' ' || text[i] == '\n';

    if (blank && (used == 0 || to[used - 1] == ' ')) continue;
    to[used++] = blank ? ' ' : text[i];
  }
  while (used > 0 && to[used - 1] == ' ') used--;
  to[used] = '\0';
}

/* What stands between `function () return` and `end` of the function on top of
 * the stack, as it is written. */
static void quote(lua_State *L, const recipes *k, char *how, size_t size)
{
  static const char opening[] = "function ()", returning[] = "return ";
  const char *from, *to;
  lua_Debug at;

  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &at);
  from = line_of(k->text, at.linedefined);
  to = line_of(k->text, at.lastlinedefined + 1);
  how[0] = '\0';
  if (!from || !to) return;
  from = strstr(from, opening);
  if (!from) return;
  from += strlen(opening);
  while (to > from && strncmp(to, "end", 3) != 0) to--;
  from += strspn(from, " \n");
  if (strncmp(from, returning, strlen(returning)) == 0)
    from += strlen(returning);
  append_words(how, size, from, (size_t)(to - from));
}

/* ---- the rows ----------------------------------------------------------- */

static void note_usage(const recipes *k, published *r)
{
  const usage *u = &k->now;

  r->modelled = u->modelled;
  snprintf(r->machines, sizeof r->machines, "%s", u->machines);
  snprintf(r->programs, sizeof r->programs, "%s", u->programs);
  r->constants[0] = '\0';
  r->choices = 0;
  r->questions = u->questions;
  snprintf(r->question, sizeof r->question, "%s", u->question);
  for (size_t i = 0; i < k->p->constants; i++) {
    const constant *c = &k->p->constant[i];

    if (!u->constant[i]) continue;
    r->choices += !c->fitted;
    if (c->fitted)
      gscale_append(r->constants, sizeof r->constants, "%s%s",
                    *r->constants ? "; " : "", c->name);
  }
}

/* Calls the function on top of the stack; it goes. */
static void cook(lua_State *L, recipes *k, published *r)
{
  stop_if_late(L);
  if (lua_type(L, -1) != LUA_TFUNCTION)
    refuse(L, 0, "%s: is a %s, not a function", r->id, type_name(L, -1));
  if (!is_judged(r->standing) && r->standing != STANDING_CONFLICT)
    refuse(L, 0, "%s: is classed %s, but has a recipe", r->id,
           standing_name(r->standing));
  quote(L, k, r->how, sizeof r->how);
  snprintf(r->from, sizeof r->from, "%s", k->name);
  k->now = (usage){0};
  if (lua_pcall(L, 0, 3, 0) != LUA_OK) {
    if (lua_touserdata(L, -1) != k) lua_error(L); /* goes on failing */
    snprintf(r->detail, sizeof r->detail, "needs the trace %s", k->missing);
    lua_pop(L, 1);
    return;
  }
  if (lua_type(L, -3) != LUA_TNUMBER)
    refuse(L, 0, "%s: gives a %s, not a number", r->id, type_name(L, -3));
  r->ours = lua_tonumber(L, -3);
  if (lua_type(L, -2) == LUA_TSTRING)
    snprintf(r->detail, sizeof r->detail, "%s", lua_tostring(L, -2));
  r->null = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
  lua_pop(L, 3);
  note_usage(k, r);
  r->known = true;
  r->met = published_met(r);
}

static void check_ids(lua_State *L, const recipes *k)
{
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_istable(L, -1)) continue; /* a figure */
    const published *r = row_named(L, k, -2);

    if (r->from[0] && (!k->only || strcmp(k->only, r->id) == 0))
      refuse(L, 0, "%s: has a recipe elsewhere too", r->id);
  }
}

static void read(lua_State *L, void *closure)
{
  recipes *k = closure;

  if (!lua_istable(L, 1)) refuse(L, 0, "returns no table of recipes");
  check_ids(L, k);
  for (size_t i = 0; i < k->p->n; i++) {
    if (k->only && strcmp(k->only, k->p->v[i].id) != 0) continue;
    if (k->p->strict && !k->p->v[i].counted) continue;
    lua_pushstring(L, k->p->v[i].id);
    if (lua_rawget(L, 1) == LUA_TNIL)
      lua_pop(L, 1);
    else
      cook(L, k, &k->p->v[i]);
  }
}

/* ---- the files ---------------------------------------------------------- */

static int no_memory(const recipes *k, failure *why)
{
  return fail(why, EXIT_INTERNAL, "no memory for %.300s", k->path);
}

static int read_text(const recipes *k, FILE *f, draft *t, failure *why)
{
  char buffer[4096];
  size_t n;

  if (!draft_open(t)) return no_memory(k, why);
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    fwrite(buffer, 1, n, t->f);
  if (ferror(f))
    return fail(why, EXIT_IO, "%.300s: %s", k->path, strerror(errno));
  return draft_end(t) ? EXIT_OK : no_memory(k, why);
}

static int read_file(const recipes *k, draft *t, failure *why)
{
  FILE *f = fopen(k->path, "r");
  int st;

  if (!f && errno == ENOMEM) return no_memory(k, why);
  if (!f) return fail(why, EXIT_IO, "%.300s: %s", k->path, strerror(errno));
  st = read_text(k, f, t, why);
  fclose(f);
  return st;
}

int recipes_follow(recipes *k, const char *name,
                   void (*what)(lua_State *L, void *closure), const options *o,
                   failure *why)
{
  draft t = {0};
  char relative[64];
  int st;

  k->name = name;
  k->traces = o->traces ? o->traces : "build/traces";
  snprintf(relative, sizeof relative, "lua/published/%s.lua", name);
  st = find_shared(relative, k->path, sizeof k->path, why);
  if (st == EXIT_OK) st = read_file(k, &t, why);
  k->text = t.at;
  if (st == EXIT_OK)
    st = script_run_more(o, k->path,
                         (script_more){extend, what, k, RECIPE_SECONDS}, why);
  draft_free(&t);
  k->text = NULL;
  return st;
}

enum {
  FILES_MAX = 16
};
const char *const recipes_files[] = {"choices", "proact",   "ct",
                                     "gps",     "finepack", "beyond",
                                     "oden",    "mpi-acc",  NULL};
_Static_assert(sizeof recipes_files / sizeof *recipes_files <= FILES_MAX,
               "there is room for all");

bool is_fitted_to(const constant *c, const char *id)
{
  return c->fitted && has_word(c->rows, id, strlen(id));
}

/* A constant must have been fitted to what is called fitted. */
static bool is_fitted(const publication *p, const char *id)
{
  for (size_t i = 0; i < p->constants; i++)
    if (is_fitted_to(&p->constant[i], id)) return true;
  return false;
}

static int check(const publication *p, failure *why)
{
  for (size_t i = 0; i < p->n; i++) {
    const published *r = &p->v[i];

    if (is_judged(r->standing) && !r->from[0])
      return fail(why, EXIT_DATA, "%s: is classed %s, but has no recipe", r->id,
                  standing_name(r->standing));
    if (r->standing == STANDING_FITTED && !is_fitted(p, r->id))
      return fail(why, EXIT_DATA, "%s: is classed fitted, but no constant is",
                  r->id);
  }
  return EXIT_OK;
}

/* What came of the row before goes, if it is to be filled in. */
static void forget(published *r, const char *id)
{
  if (id && strcmp(id, r->id) != 0) return;
  r->known = r->met = false;
  r->from[0] = r->how[0] = r->detail[0] = '\0';
}

/* What choices.lua says is for GPUs of a node; the rest have their own. */
static bool is_touched(const char *file, const char *of)
{
  if (!of || strcmp(file, of) == 0 || strcmp(file, recipes_files[0]) == 0)
    return true;
  return strcmp(of, recipes_files[0]) == 0 && !is_between_nodes(file);
}

/* Files that run at once.  Each knows the constants of those before it, which
 * are there once a file is read, before any row is asked for. */
typedef struct kitchen {
  recipes *k;
  const options *o;
  const char *file[FILES_MAX];
  size_t n;
} kitchen;

static void pass(lua_State *L, void *closure)
{
  (void)L;
  (void)closure;
}

static int send_file(size_t i, FILE *f, void *closure, failure *why)
{
  const kitchen *all = closure;
  publication *p = all->k->p;
  const size_t was[2] = {p->constants, p->settings};
  int st = EXIT_OK;

  p->constants = p->settings = 0;
  for (size_t e = 0; st == EXIT_OK && e < i; e++)
    st = recipes_follow(all->k, all->file[e], pass, all->o, why);
  const size_t constants = p->constants, others = p->settings;
  if (st == EXIT_OK)
    st = recipes_follow(all->k, all->file[i], read, all->o, why);
  if (st != EXIT_OK) return st;
  const size_t more[2] = {p->constants - constants, p->settings - others};
  fwrite(more, sizeof more, 1, f);
  fwrite(p->constant + constants, sizeof *p->constant, more[0], f);
  fwrite(p->setting + others, sizeof *p->setting, more[1], f);
  p->constants = was[0];
  p->settings = was[1];
  for (size_t r = 0; r < p->n; r++) {
    if (strcmp(p->v[r].from, all->file[i]) != 0) continue;
    fwrite(&r, sizeof r, 1, f);
    fwrite(&p->v[r], sizeof p->v[r], 1, f);
  }
  return EXIT_OK;
}

static int take_file(size_t i, const char *text, size_t size, void *closure,
                     failure *why)
{
  const kitchen *all = closure;
  publication *p = all->k->p;
  passage from = {text, size};
  size_t more[2], r;

  passage_take(&from, more, sizeof more);
  if (p->constants + more[0] > CONSTANTS_MAX ||
      p->settings + more[1] > SETTINGS_OF_ROWS)
    return fail(why, EXIT_LIMIT,
                "%s: more constants or settings than there is "
                "room for",
                all->file[i]);
  passage_take(&from, p->constant + p->constants,
               more[0] * sizeof *p->constant);
  passage_take(&from, p->setting + p->settings, more[1] * sizeof *p->setting);
  p->constants += more[0];
  p->settings += more[1];
  while (passage_take(&from, &r, sizeof r))
    passage_take(&from, &p->v[r], sizeof p->v[r]);
  progress("documents", i + 1, all->n);
  return EXIT_OK;
}

/* In several processes, unless it is of one row, or constants are tried. */
static int follow_all(const kitchen *all, failure *why)
{
  kitchen at_once = *all;
  const publication *p = all->k->p;
  const bool one = all->k->only || p->of || p->held;
  const size_t n = one ? 1 : jobs_count(all->o, all->n);
  const jobs j = {all->n, send_file, take_file, &at_once};
  int st = EXIT_OK;

  if (n > 1) st = jobs_run(&j, n, why);
  progress_end();
  for (size_t i = 0; n == 1 && st == EXIT_OK && i < all->n; i++)
    st = recipes_follow(all->k, all->file[i], read, all->o, why);
  return st;
}

int publication_reproduce(publication *p, const char *id, const options *o,
                          failure *why)
{
  recipes k = {.p = p, .only = id};
  kitchen all = {.k = &k, .o = o};

  p->constants = p->settings = 0;
  for (size_t i = 0; i < p->n; i++) forget(&p->v[i], id);
  for (size_t i = 0; recipes_files[i]; i++)
    if (is_touched(recipes_files[i], p->of))
      all.file[all.n++] = recipes_files[i];
  int st = follow_all(&all, why);
  if (st == EXIT_OK && !id && !p->strict) st = check(p, why);
  if (st == EXIT_OK && !id && !p->strict) sheet_fill(p);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
