/* reader.c - reads the tables of a description (see reader.h). */

#include "language/reader.h"

#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *setting(const job *j, const char *name)
{
  const char *text = j->set ? settings_take(j->set, name) : NULL;

  if (!text && j->preset) text = settings_take(j->preset, name);
  return text;
}

/* ---- keys ---------------------------------------------------------------- */

size_t names_of(const reader *r, lua_Integer items, const char *names[],
                size_t most)
{
  lua_State *L = r->L;
  size_t n = 0;
  bool other = false;

  for (lua_pushnil(L); lua_next(L, r->table); lua_pop(L, 1)) {
    const char *name;
    size_t i = n < most ? n : most;

    if (lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 &&
        lua_tointeger(L, -2) <= items)
      continue;
    if (lua_type(L, -2) != LUA_TSTRING) {
      other = true;
      continue;
    }
    name = lua_tostring(L, -2); /* held by the table */
    n++;
    for (; i > 0 && strcmp(names[i - 1], name) > 0; i--)
      if (i < most) names[i] = names[i - 1];
    if (i < most) names[i] = name;
  }
  if (other)
    complain(L, r->line, "%.*s: a key that is not a name",
             *r->prefix ? (int)strcspn(r->prefix, ".:") : 5,
             *r->prefix ? r->prefix : "table");
  return n;
}

static bool is_among(const char *name, const char *const names[], size_t n)
{
  size_t i = 0;

  while (i < n && strcmp(names[i], name) != 0) i++;
  return i < n;
}

int push_field(const reader *r, const char *key)
{
  lua_pushstring(r->L, key);
  return lua_rawget(r->L, r->table);
}

/* Copies the value of the key `name` to the key `near` unless `near` is set. */
static void lend_value(const reader *r, const char *near, const char *name)
{
  if (push_field(r, near) == LUA_TNIL) {
    lua_pushstring(r->L, near);
    push_field(r, name);
    lua_rawset(r->L, r->table);
  }
  lua_pop(r->L, 1);
}

void check_keys(const reader *r, const char *const known[], size_t n,
                lua_Integer items)
{
  const char *names[KEYS_MAX];
  const size_t count = names_of(r, items, names, KEYS_MAX);

  for (size_t i = 0; i < count && i < KEYS_MAX; i++) {
    hint text;

    if (is_among(names[i], known, n)) continue;
    const char *near = nearest(names[i], known, n);
    complain_of(r, "%.60s: unknown key%s", names[i], hinted(text, near, ""));
    if (near) lend_value(r, near, names[i]);
  }
}

void complain_of(const reader *r, const char *fmt, ...)
{
  char text[320];
  va_list args;

  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  complain(r->L, r->line, "%s%s", r->prefix, text);
}

void complain_type(const reader *r, const char *key, const char *expected)
{
  if (lua_isnil(r->L, -1))
    complain_of(r, "%s: missing; needs %s", key, expected);
  else
    complain_of(r, "%s: needs %s, got a %s", key, expected,
                type_name(r->L, -1));
}

/* Complains that a word is not among the possible words. */
static void complain_word(const reader *r, const char *key, const char *word,
                          const char *const words[], size_t n)
{
  char all[160] = "";

  for (size_t i = 0; i < n; i++)
    gscale_append(all, sizeof all, "%s\"%s\"", i ? ", " : "", words[i]);
  complain_of(r, "%s: '%.60s': needs one of %s", key, word, all);
}

void read_text(const reader *r, const char *key, bool required, char *to,
               size_t size)
{
  size_t n = 0;
  const char *text = "", *mistake = NULL;

  to[0] = '\0';
  if (push_field(r, key) == LUA_TSTRING) {
    text = lua_tolstring(r->L, -1, &n);
    if (required && n == 0) mistake = "is empty";
  } else if (required || !lua_isnil(r->L, -1)) {
    complain_type(r, key, "text");
  }
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
      mistake = "a control character";
  if (mistake)
    complain_of(r, "%s: %s", key, mistake);
  else if (n >= size)
    complain_of(r, "%s: longer than %zu bytes", key, size - 1);
  else
    memcpy(to, text, n + 1);
  lua_pop(r->L, 1);
}

void check_name(lua_State *L, int line, const char *what, const char *name,
                const char *more)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

  for (const char *c = name; *c; c++)
    if (!strchr(letters, *c) && !strchr(more, *c)) {
      complain(L, line, "%s: '%.60s': letters, digits, and '_%s' only", what,
               name, more);
      return;
    }
}

int read_integer(const reader *r, const char *key, int otherwise)
{
  int value = otherwise, whole;
  lua_Integer n;

  push_field(r, key);
  if (otherwise < 0 || !lua_isnil(r->L, -1)) {
    n = lua_tointegerx(r->L, -1, &whole);
    if (lua_type(r->L, -1) == LUA_TNUMBER && whole && n >= 0 && n <= 1000000) {
      value = (int)n;
    } else {
      complain_type(r, key, "a whole number");
      value = -1;
    }
  }
  lua_pop(r->L, 1);
  return value;
}

void read_about(const reader *r, job *j)
{
  read_text(r, "name", true, j->more.name, sizeof j->more.name);
  check_name(r->L, r->line, "name", j->more.name, ".+-");
  read_text(r, "summary", false, j->more.summary, sizeof j->more.summary);
}

bool read_boolean(const reader *r, const char *key, bool otherwise)
{
  bool value = otherwise;

  if (push_field(r, key) == LUA_TBOOLEAN)
    value = lua_toboolean(r->L, -1);
  else if (!lua_isnil(r->L, -1))
    complain_type(r, key, "true or false");
  lua_pop(r->L, 1);
  return value;
}

size_t word_index(const reader *r, const char *key, const char *word,
                  const char *const words[], size_t n)
{
  size_t i = 0;

  while (i < n && strcmp(words[i], word) != 0) i++;
  if (i == n) complain_word(r, key, word, words, n);
  return i;
}

size_t read_word(const reader *r, const char *key, const char *const words[],
                 size_t n, size_t otherwise)
{
  size_t i = n;

  if (push_field(r, key) == LUA_TNIL && otherwise < n)
    i = otherwise;
  else if (lua_type(r->L, -1) != LUA_TSTRING)
    complain_type(r, key, "a word");
  else
    i = word_index(r, key, lua_tostring(r->L, -1), words, n);
  lua_pop(r->L, 1);
  return i;
}

bool is_list(const reader *r, const char *key, const char *expected,
             size_t least, size_t most, size_t *n)
{
  if (!lua_istable(r->L, -1)) {
    complain_type(r, key, expected);
    return false;
  }
  *n = lua_rawlen(r->L, -1);
  if (*n >= least && *n <= most) return true;
  complain_of(r, "%s: %zu items; needs %zu to %zu", key, *n, least, most);
  return false;
}

/* ---- numbers ------------------------------------------------------------- */

bool to_si(const reader *r, int line, const char *key, const amount *a,
           gscale_dim dim, plain p, double *out)
{
  gscale_diag diag;
  double value = a->plain;

  if (a->is_text &&
      gscale_parse_quantity(a->text, dim, &value, &diag) != GSCALE_OK) {
    complain(r->L, line, "%s%s: %s", r->prefix, key, diag.text);
  } else if (!isfinite(value)) {
    complain(r->L, line, "%s%s: is not finite", r->prefix, key);
  } else if (!a->is_text && p == PLAIN_COUNTS && dim != GSCALE_COUNT &&
             value != 0.0) {
    complain(r->L, line, "%s%s: %g: needs a unit, as text", r->prefix, key,
             value);
  } else {
    *out = value;
    return true;
  }
  return false;
}

/* Reads the error of a measurement, an amount or a percentage of the value. */
static bool measured_error(const reader *r, const char *key, const quantity *q,
                           double value, gscale_dim dim, plain p, double *err)
{
  amount a = q->err;
  const size_t n = strlen(a.text);
  const bool relative = n > 0 && a.text[n - 1] == '%';

  if (relative) {
    a.text[n - 1] = '\0';
    a.text[n - 1 - (n > 1 && a.text[n - 2] == ' ')] = '\0';
    dim = GSCALE_COUNT;
  }
  if (!to_si(r, q->line, key, &a, dim, p, err)) return false;
  if (relative) *err *= fabs(value) / 100.0;
  if (*err >= 0.0) return true;
  complain(r->L, q->line, "%s%s: its error %g is negative", r->prefix, key,
           *err);
  return false;
}

/* Computes the standard error of a uniform distribution over the range. */
static bool assumed_error(const reader *r, const char *key, const quantity *q,
                          double value, gscale_dim dim, plain p, double *err)
{
  double low, high;

  if (!to_si(r, q->line, key, &q->low, dim, p, &low) ||
      !to_si(r, q->line, key, &q->high, dim, p, &high))
    return false;
  *err = (high - low) / sqrt(12.0);
  if (low <= value && value <= high) return true;
  complain(r->L, q->line, "%s%s: %g is not in its range %g .. %g", r->prefix,
           key, value, low, high);
  return false;
}

bool standard_error(const reader *r, const char *key, const quantity *q,
                    double value, gscale_dim dim, plain p, double *err)
{
  *err = 0.0;
  if (q->origin == GSCALE_MEASURED || q->origin == GSCALE_PROJECTED ||
      q->origin == GSCALE_INHERITED ||
      (q->origin == GSCALE_FITTED && q->has_error))
    return measured_error(r, key, q, value, dim, p, err);
  if (q->origin == GSCALE_ASSUMED)
    return assumed_error(r, key, q, value, dim, p, err);
  return true;
}

const quantity *system_number(const reader *r, const char *key)
{
  const quantity *q = to_quantity(r->L, -1);

  if (q && q->bad) return NULL;
  if (q && q->origin == GSCALE_FITTED && !q->has_error) {
    complain(r->L, q->line,
             "%s%s: gs.fitted of a system needs its error, (value, error, "
             "reason)",
             r->prefix, key);
    return NULL;
  }
  if (q && q->origin != GSCALE_COUNTED && q->origin != GSCALE_DERIVED) return q;
  complain(r->L, q ? q->line : r->line,
           "%s%s: needs gs.spec, gs.measured, gs.assumed or gs.fitted%s",
           r->prefix, key,
           lua_isfunction(r->L, -1)
               ? "; a number of a system that depends on N is not modelled"
               : "");
  return NULL;
}

bool to_param(const reader *r, const char *key, const quantity *q,
              gscale_dim dim, plain p, gscale_param *out)
{
  if (q->bad) return false;
  if (q->is_list) {
    complain(r->L, q->line, "%s%s: needs one number, got a list", r->prefix,
             key);
    return false;
  }
  out->origin = q->origin;
  out->spread = GSCALE_BY_ORIGIN;
  memcpy(out->source, q->source, sizeof out->source);
  return to_si(r, q->line, key, &q->value, dim, p, &out->val) &&
         standard_error(r, key, q, out->val, dim, p, &out->err);
}

bool workload_number(const reader *r, const char *key, gscale_dim dim,
                     gscale_param *p)
{
  const quantity *q = to_quantity(r->L, -1);
  amount a;

  *p = (gscale_param){.origin = GSCALE_DERIVED};
  if (q && q->origin == GSCALE_SPEC) {
    complain(r->L, q->line,
             "%s%s: gs.spec is for systems; here gs.counted, gs.derived, "
             "gs.measured, gs.assumed or gs.fitted",
             r->prefix, key);
    return false;
  }
  if (q) return to_param(r, key, q, dim, PLAIN_SI, p);
  if (to_amount(r->L, -1, &a))
    return to_si(r, r->line, key, &a, dim, PLAIN_SI, &p->val);
  complain_type(r, key, "a number");
  return false;
}

bool read_pairs(const reader *r, const char *key, gscale_dim xdim, plain p,
                double *x, double *y, size_t most, size_t *n)
{
  lua_State *L = r->L;
  amount ax, ay;
  bool ok = true;

  if (!is_list(r, key, "a list of pairs", 0, most, n)) return false;
  for (size_t i = 0; i < *n; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    if (!lua_istable(L, -1)) {
      complain_type(r, key, "pairs");
      ok = false;
      continue;
    }
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    if (lua_rawlen(L, -3) != 2 || !to_amount(L, -2, &ax) ||
        !to_amount(L, -1, &ay)) {
      complain_of(r, "%s: point %zu: needs two numbers", key, i + 1);
      ok = false;
    } else {
      ok = to_si(r, r->line, key, &ax, xdim, p, &x[i]) && ok;
      ok = to_si(r, r->line, key, &ay, GSCALE_COUNT, p, &y[i]) && ok;
    }
    lua_pop(L, 2);
  }
  return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
