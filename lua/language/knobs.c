/* knobs.c - reads a workload's knobs, sets them by -P, and perturbs them. */

#include "language/reader.h"

#include <math.h>
#include <string.h>

/* The possible units of a knob. */
static const char *const units[] = {[GSCALE_COUNT] = "count",
                                    [GSCALE_TIME] = "time",
                                    [GSCALE_BYTES] = "bytes",
                                    [GSCALE_BYTERATE] = "bytes/s",
                                    [GSCALE_FLOP] = "flop",
                                    [GSCALE_FLOPRATE] = "flop/s",
                                    [GSCALE_RATE] = "1/s",
                                    [GSCALE_TIME_PER_BYTE] = "s/B",
                                    [GSCALE_POWER] = "W",
                                    [GSCALE_ENERGY] = "J",
                                    [GSCALE_ENERGY_PER_BYTE] = "J/B"};

typedef struct knob {
  char doc[sizeof((about *)0)->knob[0].doc];
  gscale_kind kind; /* number, flag or choice */
  gscale_param p;   /* value or default */
  bool flag;
  size_t word, words;
  const char *text[KNOB_WORDS_MAX]; /* held by the table */
  knob_range range;
} knob;

/* ---- reading ------------------------------------------------------------- */

static double read_bound(const reader *r, const char *key, gscale_dim dim,
                         double otherwise)
{
  double value = otherwise;
  amount a;

  if (push_field(r, key) != LUA_TNIL) {
    if (!to_amount(r->L, -1, &a))
      complain_type(r, key, "a number");
    else
      to_si(r, r->line, key, &a, dim, PLAIN_COUNTS, &value);
  }
  lua_pop(r->L, 1);
  return value;
}

/* Reads the list of a knob's words. Returns false after a complaint. */
static bool read_words(const reader *r, knob *k)
{
  bool ok =
      is_list(r, "words", "a list of words", 1, KNOB_WORDS_MAX, &k->words);

  for (size_t i = 0; ok && i < k->words; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    ok = lua_type(r->L, -1) == LUA_TSTRING;
    if (ok)
      k->text[i] = lua_tostring(r->L, -1);
    else
      complain_type(r, "words", "words");
    lua_pop(r->L, 1);
  }
  k->kind = GSCALE_CHOICE;
  return ok;
}

/* Reads the default on top of the stack. */
static bool read_default(const reader *r, knob *k)
{
  static const char key[] = "default";
  const quantity *q = to_quantity(r->L, -1);
  amount a;

  if (k->kind == GSCALE_CHOICE) {
    if (lua_type(r->L, -1) == LUA_TSTRING)
      k->word = word_index(r, key, lua_tostring(r->L, -1), k->text, k->words);
    else
      complain_type(r, key, "one of the words");
    return k->word < k->words;
  }
  if (lua_isboolean(r->L, -1)) {
    k->kind = GSCALE_FLAG;
    k->flag = lua_toboolean(r->L, -1);
    return true;
  }
  if (q) return to_param(r, key, q, k->range.dim, PLAIN_COUNTS, &k->p);
  if (to_amount(r->L, -1, &a))
    return to_si(r, r->line, key, &a, k->range.dim, PLAIN_COUNTS, &k->p.val);
  complain_type(r, key, "a number");
  return false;
}

/* Reads a knob. Returns false after a complaint if unit or default are
 * missing. */
static bool read_knob(const reader *r, knob *k)
{
  const char *known[16];
  size_t unit, n = 0;
  bool ok = true;

  GSCALE_EACH_FIELD (GSCALE_OF_KNOB, f) known[n++] = f->name;
  check_keys(r, known, n, 0);
  k->range.whole = read_boolean(r, "whole", false);
  read_text(r, "doc", false, k->doc, sizeof k->doc);
  unit = read_word(r, "unit", units, LENGTH(units), GSCALE_COUNT);
  if (unit == LENGTH(units)) return false;
  k->range.dim = (gscale_dim)unit;
  if (push_field(r, "words") != LUA_TNIL) ok = read_words(r, k);
  lua_pop(r->L, 1);
  push_field(r, "default");
  ok = ok && read_default(r, k);
  lua_pop(r->L, 1);
  k->range.least = read_bound(r, "least", k->range.dim, -INFINITY);
  k->range.most = read_bound(r, "most", k->range.dim, INFINITY);
  return ok;
}

/* ---- values -------------------------------------------------------------- */

static const char *objection_to(const knob *k, char *text, size_t size)
{
  const double value = k->p.val;

  if (k->kind != GSCALE_NUMBER) return NULL;
  if (k->range.whole && floor(value) == value && k->p.err > 0.0)
    return "a whole number has no error";
  return knob_objection(&k->range, value, text, size);
}

/* Sets a knob from the text given with -P. */
static void set_knob(const reader *r, const char *name, knob *k,
                     const char *text)
{
  const char *objection;
  gscale_diag diag;
  gscale_status st;
  char words[128];

  if (k->kind == GSCALE_FLAG)
    st = settings_flag(text, &k->flag, &diag);
  else if (k->kind == GSCALE_CHOICE)
    st = settings_word(text, k->text, k->words, &k->word, &diag);
  else
    st = settings_number(text, k->range.dim, &k->p, &diag);
  if (st != GSCALE_OK)
    refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, diag.text);
  objection = objection_to(k, words, sizeof words);
  if (objection) refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, objection);
}

/* Prints the current value of a knob as it was given, or its default. */
static void show_knob(const knob *k, const char *given, const char *standard,
                      char *shown, size_t size)
{
  if (k->kind == GSCALE_FLAG)
    snprintf(shown, size, "%s", k->flag ? "yes" : "no");
  else if (k->kind == GSCALE_CHOICE)
    snprintf(shown, size, "%s", k->text[k->word]);
  else if (given || *standard)
    snprintf(shown, size, "%.*s", (int)size - 1, given ? given : standard);
  else
    snprintf(shown, size, "%.15g", k->p.val);
}

/* Pushes each number as a double, since products of counts overflow
 * integers. */
static void push_value(lua_State *L, const knob *k)
{
  if (k->kind == GSCALE_FLAG)
    lua_pushboolean(L, k->flag);
  else if (k->kind == GSCALE_CHOICE)
    lua_pushstring(L, k->text[k->word]);
  else
    lua_pushnumber(L, k->p.val);
}

/* Records an uncertain knob, whose error is propagated through step(). */
static void note_uncertain(job *j, const char *name, const knob *k)
{
  uncertain_knob *u = &j->uncertain[j->uncertains];

  if (k->kind != GSCALE_NUMBER || !(k->p.err > 0.0)) return;
  j->uncertains++;
  snprintf(u->name, sizeof u->name, "%s", name);
  u->dim = k->range.dim;
  u->p = k->p;
  gscale_param_nodes(&k->p, &u->low, &u->high);
  u->low = fmax(k->range.least, u->low);
  u->high = fmin(k->range.most, u->high);
}

/* ---- all knobs ----------------------------------------------------------- */

/* Returns the text of a default, or "" if it is a plain number. */
static const char *standard_text(const reader *r, char *text, size_t size)
{
  const quantity *q;
  amount a;

  *text = '\0';
  push_field(r, "default");
  q = to_quantity(r->L, -1);
  if (q)
    snprintf(text, size, "%s", q->value.is_text ? q->value.text : "");
  else if (to_amount(r->L, -1, &a) && a.is_text)
    snprintf(text, size, "%s", a.text);
  lua_pop(r->L, 1);
  return text;
}

/* Appends a knob to the list and stores its value in the table `values`. */
static void keep_knob(const reader *r, job *j, const char *name, knob *k,
                      int values)
{
  const char *given = setting(j, name), *objection;
  const size_t i = j->more.knobs++;
  char standard[sizeof((amount *)0)->text], words[128];

  objection = objection_to(k, words, sizeof words);
  if (given)
    set_knob(r, name, k, given);
  else if (objection)
    complain_of(r, "default: %s", objection);
  push_value(r->L, k);
  lua_setfield(r->L, values, name);
  note_uncertain(j, name, k);
  j->range[i].number = k->kind == GSCALE_NUMBER;
  j->range[i].of = k->range;
  j->range[i].value = k->p.val;
  j->more.knob[i].whole = k->range.whole;
  strcpy(j->more.knob[i].name, name);
  memcpy(j->more.knob[i].doc, k->doc, sizeof k->doc);
  show_knob(k, given, standard_text(r, standard, sizeof standard),
            j->more.knob[i].value, sizeof j->more.knob[i].value);
}

/* Reads the knob on top of the stack. */
static void take_knob(const reader *r, job *j, const char *name, int values)
{
  const int line = push_thing(r->L, -1, THING_KNOB);
  char prefix[80];
  const reader inner = {r->L, lua_gettop(r->L), line, prefix};
  knob k = {.range.dim = GSCALE_COUNT, .p.origin = GSCALE_DERIVED};

  if (!line) {
    complain_of(r, "%.60s: needs gs.knob { ... }, got a %s", name,
                type_name(r->L, -1));
    return;
  }
  snprintf(prefix, sizeof prefix, "knobs.%.60s: ", name);
  check_name(r->L, line, "knobs", name, "");
  if (gscale_field_find(GSCALE_OF_STEP, name))
    complain(r->L, line, "knobs.%s: every workload has it", name);
  else if (strlen(name) >= sizeof j->more.knob[0].name)
    complain(r->L, line, "knobs.%.60s: the name is longer than %zu letters",
             name, sizeof j->more.knob[0].name - 1);
  else if (read_knob(&inner, &k))
    keep_knob(&inner, j, name, &k, values);
  lua_pop(r->L, 1);
}

/* Accepts a knob of an older version, which has no effect. */
static void ignore_old(const reader *whole, job *j)
{
  char name[GSCALE_NAME_MAX] = "";

  read_text(whole, "ignores", false, name, sizeof name);
  if (*name) setting(j, name);
}

void push_knobs(const reader *whole, job *j)
{
  lua_State *L = whole->L;
  const char *names[KNOBS_MAX];
  size_t n = 0;
  reader r = {L, lua_gettop(L) + 1, whole->line, "knobs."};

  ignore_old(whole, j);
  lua_newtable(L);
  if (push_field(whole, "knobs") == LUA_TTABLE) {
    r.table = lua_gettop(L);
    n = names_of(&r, 0, names, KNOBS_MAX);
  } else if (!lua_isnil(L, -1)) {
    complain_type(whole, "knobs", "a table");
  }
  if (n > KNOBS_MAX) {
    complain(L, r.line, "knobs: more than %d", KNOBS_MAX);
    n = KNOBS_MAX;
  }
  for (size_t i = 0; i < n; i++) {
    push_field(&r, names[i]);
    take_knob(&r, j, names[i], r.table - 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void push_perturbed(lua_State *L, int values, const char *name, double value)
{
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, values); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
  if (name) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
  }
  make_strict(L, "knob");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
