/* table_order.c - deterministic order of tables, and texts without
 * addresses. */

#include "language/table_order.h"

#include "language/binding.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

enum {
  COMPARED = 64 /* B compared per counted instruction */
};

/* ---- keys ---------------------------------------------------------------- */

typedef struct key {
  enum {
    IN_LIST, /* 1 .. n */
    NUMBER,
    WORD
  } kind;
  long double number; /* represents all numbers exactly */
  const char *text;   /* held by the table */
  size_t size;
  unsigned at; /* index in the list of keys */
} key;

static int by_bytes(const char *a, size_t n, const char *b, size_t m)
{
  const int order = memcmp(a, b, n < m ? n : m);

  return order != 0 ? order : GSCALE_ORDER(n, m);
}

static int by_key(const void *a, const void *b)
{
  const key *x = a, *y = b;

  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->kind == WORD ? by_bytes(x->text, x->size, y->text, y->size)
                         : GSCALE_ORDER(x->number, y->number);
}

/* Returns the length of the sequence from 1 to the first missing key. */
static lua_Integer last_in_list(lua_State *L, int table)
{
  lua_Integer n = 0;

  while (lua_rawgeti(L, table, n + 1) != LUA_TNIL) {
    lua_pop(L, 1);
    n++;
  }
  lua_pop(L, 1);
  return n;
}

/* Reads the key at an index without converting it. */
static key key_at(lua_State *L, int index, lua_Integer listed, const char *who)
{
  key k = {.kind = NUMBER};

  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    if (!lua_isinteger(L, index)) {
      k.number = (long double)lua_tonumber(L, index);
      return k;
    }
    const lua_Integer i = lua_tointeger(L, index);
    k.number = (long double)i;
    if (i >= 1 && i <= listed) k.kind = IN_LIST;
    return k;
  case LUA_TSTRING:
    k.kind = WORD;
    k.text = lua_tolstring(L, index, &k.size);
    return k;
  default:
    refuse_now(L,
               "%s: a key that is a %s: only numbers and texts have an order",
               who, type_name(L, index));
  }
}

static unsigned long log_of(size_t n)
{
  unsigned long bits = 1;

  while (n >>= 1) bits++;
  return bits;
}

/* ---- pairs --------------------------------------------------------------- */

/* A tour is the order in which a loop visits the keys. */
typedef struct tour {
  size_t n, done;
  unsigned at[]; /* indices of keys */
} tour;

/* Returns the next key of a tour. The upvalues are the list and the tour. */
static int visit(lua_State *L)
{
  tour *t = lua_touserdata(L, lua_upvalueindex(2));

  lua_settop(L, 1);
  luaL_checktype(L, 1, LUA_TTABLE);
  while (t->done < t->n) {
    lua_rawgeti(L, lua_upvalueindex(1), (lua_Integer)t->at[t->done++]);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) return 2;
    lua_pop(L, 2);
  }
  lua_pushnil(L);
  return 1;
}

/* Pushes a list of the keys of the table at index 1. Returns their number. */
static size_t list_keys(lua_State *L)
{
  size_t n = 0;

  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, 2, (lua_Integer)++n);
  }
  return n;
}

/* Pushes the tour over the keys in the list at index 2. */
static void push_tour(lua_State *L, size_t n)
{
  tour *t = lua_newuserdatauv(L, sizeof *t + n * sizeof *t->at, 0);
  key *k = lua_newuserdatauv(L, (n + 1) * sizeof *k, 0);
  const lua_Integer listed = last_in_list(L, 1);

  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    k[i] = key_at(L, -1, listed, "pairs");
    k[i].at = (unsigned)i + 1;
    lua_pop(L, 1);
  }
  qsort(k, n, sizeof *k, by_key);
  *t = (tour){.n = n};
  for (size_t i = 0; i < n; i++) t->at[i] = k[i].at;
  lua_pop(L, 1);
}

int ordered_pairs(lua_State *L)
{
  stop_if_late(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  const size_t n = list_keys(L);

  charge(L, n * log_of(n));
  push_tour(L, n);
  lua_pushcclosure(L, visit, 2);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

int ordered_next(lua_State *L)
{
  key after, best, k;
  bool any = false;
  unsigned long seen = 0;

  stop_if_late(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  const lua_Integer listed = last_in_list(L, 1);
  const bool first = lua_isnil(L, 2);

  if (!first) after = key_at(L, 2, listed, "next");
  lua_pushnil(L); /* 3: the next key so far */
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    seen++;
    k = key_at(L, -2, listed, "next");
    if ((!first && by_key(&k, &after) <= 0) || (any && by_key(&k, &best) > 0))
      continue;
    best = k;
    any = true;
    lua_pushvalue(L, -2);
    lua_replace(L, 3);
  }
  charge(L, seen);
  if (!any) return 1;
  lua_pushvalue(L, 3);
  lua_rawget(L, 1);
  return 2;
}

/* ---- table.sort ---------------------------------------------------------- */

/* Compares bytes like `<` in the C locale, but charges instructions. */
static bool text_less(lua_State *L, int a, int b)
{
  size_t n, m;
  const char *x = lua_tolstring(L, a, &n), *y = lua_tolstring(L, b, &m);

  charge(L, (n < m ? n : m) / COMPARED);
  return by_bytes(x, n, y, m) < 0;
}

/* Pops two values and returns whether the second comes before the first. The
 * comparison is the function at index 2, or `<` if index 2 is nil. Each
 * comparison charges at least one instruction, since no hook runs in C. */
static bool comes_before(lua_State *L)
{
  bool less;

  charge(L, 1);
  if (!lua_isnil(L, 2)) {
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    less = lua_toboolean(L, -1);
    lua_pop(L, 1);
  } else if (lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING) {
    less = text_less(L, -1, -2);
  } else {
    less = lua_compare(L, -1, -2, LUA_OPLT);
  }
  lua_pop(L, 2);
  return less;
}

/* Merges the sorted items [from, middle) and [middle, end) of the list at index
 * 1. The table at index 3 is scratch space. */
static void merge(lua_State *L, lua_Integer from, lua_Integer middle,
                  lua_Integer end)
{
  const lua_Integer n = middle - from;
  lua_Integer i = 0, j = middle;

  lua_rawgeti(L, 1, middle - 1);
  lua_rawgeti(L, 1, middle);
  if (!comes_before(L)) return;
  for (lua_Integer k = 0; k < n; k++) {
    lua_rawgeti(L, 1, from + k);
    lua_rawseti(L, 3, k + 1);
  }
  while (i < n) {
    bool second = false;

    if (j < end) {
      lua_rawgeti(L, 3, i + 1);
      lua_rawgeti(L, 1, j);
      second = comes_before(L);
    }
    if (second)
      lua_rawgeti(L, 1, j++);
    else
      lua_rawgeti(L, 3, ++i);
    lua_rawseti(L, 1, from++);
  }
}

int ordered_sort(lua_State *L)
{
  stop_if_late(L);
  lua_settop(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_isnil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_newtable(L);

  const lua_Integer n = (lua_Integer)lua_rawlen(L, 1);

  for (lua_Integer size = 1; size < n; size *= 2)
    for (lua_Integer from = 1; from + size <= n; from += 2 * size)
      merge(L, from, from + size,
            from + 2 * size <= n ? from + 2 * size : n + 1);
  return 0;
}

/* ---- texts --------------------------------------------------------------- */

static bool has_text(lua_State *L, int index)
{
  switch (lua_type(L, index)) {
  case LUA_TNIL:
  case LUA_TBOOLEAN:
  case LUA_TNUMBER:
  case LUA_TSTRING:
    return true;
  default:
    return false;
  }
}

int text_of(lua_State *L)
{
  luaL_checkany(L, 1);
  if (!has_text(L, 1))
    refuse_now(L, "tostring: a %s has no text", type_name(L, 1));
  luaL_tolstring(L, 1, NULL);
  return 1;
}

static bool shows_address(const char *format)
{
  while ((format = strchr(format, '%'))) {
    format++;
    format += strspn(format, "-+ #0123456789.");
    if (*format == 'p') return true;
    if (*format) format++;
  }
  return false;
}

int formatted_text(lua_State *L)
{
  stop_if_late(L);
  if (lua_type(L, 1) == LUA_TSTRING && shows_address(lua_tostring(L, 1)))
    refuse_now(L, "string.format: '%%p' differs from run to run");
  for (int i = 2; i <= lua_gettop(L); i++)
    if (!has_text(L, i))
      refuse_now(L, "string.format: a %s has no text", type_name(L, i));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
