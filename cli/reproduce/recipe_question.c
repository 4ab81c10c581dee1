/* recipe_question.c - what recipes may set, and what they ask as a command
 * line.
 *
 *   gs.setting { key =, from = }   a key of `set`, and the printed row or page
 *                                  that says its value
 *
 * A recipe that sets any other key is refused: what is scored is what a user
 * gets with settings that the documents print. */

#include "language/binding.h"
#include "language/language.h"
#include "reproduce/recipes.h"
#include "say/script.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of systems ---------------------------------------------------
 */

/* The number of that name; false if there is none. */
static bool number_of(const gscale_system *s, const char *name,
                      gscale_param *out, gscale_dim *dim)
{
  const gscale_param_id id = gscale_param_find(name);
  const gscale_field *f = gscale_field_find(GSCALE_OF_REMOTE, name);
  const bool known = id < gscale_param_count();
  const gscale_param *p = known ? gscale_system_get(s, id)
                          : f   ? gscale_system_remote_said(s, f)
                                : NULL;

  if (!p) return false;
  *out = *p;
  *dim = known ? gscale_param_info_at(id)->dim : f->dim;
  return true;
}

int system_says(const char *system, const char *key, const char *unit,
                double *value, bool *fitted, failure *why)
{
  settings none = {0};
  gscale_system *s = NULL;
  gscale_param p = {0};
  gscale_dim dim = GSCALE_COUNT;
  gscale_diag diag;
  char one[16];
  double scale = 1.0;
  int st = load_system(system, &none, &s, NULL, why);

  if (st != EXIT_OK) return st;
  if (!number_of(s, key, &p, &dim))
    st = fail(why, EXIT_DATA, "%s has no number '%.60s'", system, key);
  snprintf(one, sizeof one, "1 %s", unit);
  if (st == EXIT_OK && *unit && strcmp(unit, "whole") != 0) {
    const gscale_status read = gscale_parse_quantity(one, dim, &scale, &diag);
    if (read != GSCALE_OK) st = fail_gscale(why, read, &diag);
  }
  if (st == EXIT_OK) {
    *value = p.val / scale;
    *fitted = p.origin == GSCALE_FITTED;
  }
  gscale_system_free(s);
  return st;
}

static int knob_says(const about *more, const char *key, double *value,
                     failure *why)
{
  for (size_t i = 0; i < more->knobs; i++) {
    if (strcmp(more->knob[i].name, key) != 0) continue;
    *value = strtod(more->knob[i].value, NULL);
    return EXIT_OK;
  }
  return fail(why, EXIT_DATA, "%s has no knob '%.60s'", more->name, key);
}

int workload_says(const char *workload, const char *key, const char *unit,
                  double *value, failure *why)
{
  settings none = {0};
  gscale_workload *w = NULL;
  about more = {0};
  int st = load_workload(workload, &none, &w, &more, why);

  if (st != EXIT_OK) return st;
  if (strcmp(key, "t1") == 0 && strcmp(unit, "s") == 0)
    *value = gscale_workload_single(w);
  else
    st = knob_says(&more, key, value, why);
  gscale_workload_free(w);
  return st;
}

/* ---- what may be set ------------------------------------------------------
 */

int recipes_setting(lua_State *L, recipes *k)
{
  publication *p = k->p;

  if (!lua_istable(L, 1)) refuse(L, line_now(L), "gs.setting: needs a table");
  const char *key = text_field(L, "gs.setting", "key");
  const char *from = text_field(L, "gs.setting", "from");
  if (!key || !from || !*from)
    refuse(L, line_now(L), "gs.setting: needs a key, and from where it is");
  if (p->settings == SETTINGS_OF_ROWS || strlen(key) >= sizeof p->setting->key)
    refuse(L, line_now(L), "gs.setting: '%.40s' is too much", key);
  snprintf(p->setting[p->settings].key, sizeof p->setting->key, "%s", key);
  snprintf(p->setting[p->settings].from, sizeof p->setting->from, "%s", from);
  p->settings++;
  return 0;
}

static bool may_set(const publication *p, const char *key)
{
  for (size_t i = 0; i < p->settings; i++)
    if (strcmp(p->setting[i].key, key) == 0) return true;
  return false;
}

/* Each key of the question's `set`. */
static void check_settings(lua_State *L, const recipes *k)
{
  lua_getfield(L, 1, "set");
  if (lua_istable(L, -1))
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (lua_type(L, -2) == LUA_TSTRING && !may_set(k->p, lua_tostring(L, -2)))
        refuse(L, line_now(L),
               "sets '%.60s', for which no gs.setting says where it is printed",
               lua_tostring(L, -2));
  lua_pop(L, 1);
}

/* ---- constants of systems --------------------------------------------------
 */

static bool is_of(const constant *c, const char *system, const char *workload)
{
  if (c->workload[0]) return workload && strcmp(c->workload, workload) == 0;
  return system && c->system[0] && has_word(c->system, system, strlen(system));
}

/* Puts the value into the question's `set`, on top of the stack, for each of
 * its keys that the recipe does not set. */
static void put_value(lua_State *L, const constant *c)
{
  char key[64];
  int used = 0;

  for (const char *s = c->key; sscanf(s, "%63s%n", key, &used) == 1;
       s += used) {
    char path[80];
    const bool remote =
        c->system[0] && gscale_param_find(key) >= gscale_param_count();

    snprintf(path, sizeof path, "%s%s", remote ? "remote." : "", key);
    if (lua_getfield(L, -1, path) == LUA_TNIL) {
      lua_pushstring(L, c->text);
      lua_setfield(L, -3, path);
    }
    lua_pop(L, 1);
  }
}

/* A copy of the question, so that the recipe's own stays as it is, with the
 * values that refitting tries. */
static void put_held(lua_State *L, const recipes *k, const char *system,
                     const char *workload)
{
  lua_newtable(L);
  lua_getfield(L, 1, "set");
  if (lua_istable(L, -1))
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, -6);
    }
  lua_pop(L, 1);
  for (size_t i = 0; i < k->p->constants; i++)
    if (is_of(&k->p->constant[i], system, workload))
      put_value(L, &k->p->constant[i]);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
  lua_insert(L, -2);
  lua_setfield(L, -2, "set");
  lua_replace(L, 1);
}

/* ---- the command line ------------------------------------------------------
 */

static void add_text(char *to, size_t size, const char *text)
{
  gscale_append(to, size, "%s", text);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* " -P key=value" for each setting, in the order of their names. */
static void add_settings(lua_State *L, char *to, size_t size)
{
  const char *keys[64];
  char number[48], one[256];
  size_t n = 0;

  if (lua_getfield(L, 1, "set") == LUA_TTABLE) {
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (n < sizeof keys / sizeof *keys) keys[n++] = lua_tostring(L, -2);
    qsort(keys, n, sizeof *keys, by_name);
    for (size_t i = 0; i < n; i++) {
      const int type = lua_getfield(L, -1, keys[i]);
      const char *text = number;

      if (type == LUA_TNUMBER)
        snprintf(number, sizeof number, "%.17g", lua_tonumber(L, -1));
      else if (type == LUA_TBOOLEAN)
        text = lua_toboolean(L, -1) ? "yes" : "no";
      else
        text = lua_tostring(L, -1);
      snprintf(one, sizeof one,
               text && strchr(text, ' ') ? " -P '%s=%s'" : " -P %s=%s", keys[i],
               text ? text : "");
      add_text(to, size, one);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* The value of a key as text, or "" */
static const char *word_of(lua_State *L, const char *key, char *buf, size_t n)
{
  buf[0] = '\0';
  lua_getfield(L, 1, key);
  if (lua_type(L, -1) == LUA_TSTRING)
    snprintf(buf, n, "%s", lua_tostring(L, -1));
  if (lua_type(L, -1) == LUA_TNUMBER)
    snprintf(buf, n, "%.17g", lua_tonumber(L, -1));
  lua_pop(L, 1);
  return buf;
}

static void write_question(lua_State *L, char *to, size_t size)
{
  static const struct {
    const char *key, *option;
  } of[] = {{"system", " --system "},
            {"link", " --link "},
            {"gpus", " --gpus "},
            {"paradigm", " --paradigm "}};
  char text[96];

  snprintf(to, size, "gpuscale predict %s",
           word_of(L, "workload", text, sizeof text));
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    if (!*word_of(L, of[i].key, text, sizeof text)) continue;
    add_text(to, size, of[i].option);
    add_text(to, size, text);
  }
  lua_getfield(L, 1, "proposed");
  if (lua_toboolean(L, -1)) add_text(to, size, " --proposed");
  lua_pop(L, 1);
  add_settings(L, to, size);
}

void recipes_ask(lua_State *L, recipes *k, bool predicts)
{
  usage *u = &k->now;
  const char *system = text_field(L, "gs.predict", "system");
  const char *workload =
      predicts ? text_field(L, "gs.predict", "workload") : NULL;
  char question[sizeof u->question];

  check_settings(L, k);
  for (size_t i = 0; i < k->p->constants; i++)
    if (is_of(&k->p->constant[i], system, workload)) u->constant[i] = true;
  if (predicts) {
    write_question(L, question, sizeof question);
    if (u->questions == 0 || strcmp(question, u->question) != 0) u->questions++;
    memcpy(u->question, question, sizeof question);
  }
  if (k->p->held) put_held(L, k, system, workload);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
