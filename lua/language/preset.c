/* preset.c - presets, which are named settings that -P preset chooses. */

#include "language/reader.h"

#include <lauxlib.h>
#include <string.h>

enum {
  LIKE_MOST = 8 /* presets that are like one another in a row */
};

static bool is_preset(const job *j, const char *name)
{
  for (size_t i = 0; i < j->room.n; i++)
    if (strcmp(j->room.v[i].name, name) == 0) return true;
  return strcmp(name, "like") == 0;
}

/* Stores the preset on top of the stack, except for settings that -P gives. */
static void keep_preset(const reader *r, job *j, const char *name)
{
  const char *names[KEYS_MAX];
  const reader own = {r->L, lua_gettop(r->L), r->line, "presets."};
  const size_t n = names_of(&own, 0, names, KEYS_MAX);

  for (size_t i = 0; i < n && i < KEYS_MAX; i++) {
    char text[256];
    failure why;

    if (is_preset(j, names[i])) continue;
    push_field(&own, names[i]);
    snprintf(text, sizeof text, "%s=%s", names[i],
             luaL_tolstring(r->L, -1, NULL));
    if (settings_add(&j->room, text, &why) != EXIT_OK)
      complain(r->L, r->line, "presets.%.60s: %s", name, why.text);
    lua_pop(r->L, 2);
  }
}

/* Refuses an unknown preset and lists the existing presets. */
static void refuse_preset(const reader *r, const job *j, const reader *all,
                          const char *name)
{
  const char *names[KEYS_MAX];
  char list[512] = "none";
  const size_t n =
      lua_istable(r->L, all->table) ? names_of(all, 0, names, KEYS_MAX) : 0;

  for (size_t i = 0; i < n && i < KEYS_MAX; i++)
    gscale_append(i ? list : strcpy(list, ""), sizeof list, "%s%s",
                  i ? ", " : "", names[i]);
  refuse_as(r->L, EXIT_USAGE, "-P preset: '%.60s': %s has %s", name,
            j->more.name, list);
}

void read_preset(const reader *r, job *j)
{
  const char *name = setting(j, "preset"), *base = name;
  const int top = lua_gettop(r->L);
  const reader all = {r->L, top + 1, r->line, "presets."};

  if (!name) return;
  push_field(r, "presets");
  for (int depth = 0; base; depth++) {
    lua_settop(r->L, top + 1);
    const bool found =
        lua_istable(r->L, top + 1) && push_field(&all, base) == LUA_TTABLE;
    if (!found && depth == 0) refuse_preset(r, j, &all, base);
    if (!found)
      refuse(r->L, r->line, "presets.%.60s.like: no preset '%.60s'", name,
             base);
    if (depth == LIKE_MOST)
      refuse(r->L, r->line, "presets.%.60s.like: more than %d in a row", name,
             LIKE_MOST);
    keep_preset(r, j, name);
    push_field(&(reader){r->L, top + 2, r->line, ""}, "like");
    base = lua_tostring(r->L, -1);
  }
  j->preset = &j->room;
  lua_settop(r->L, top);
}

void check_preset(lua_State *L, int line, const job *j)
{
  for (size_t i = 0; i < j->room.n; i++)
    if (!j->room.v[i].used)
      if (!j->set || !settings_take(j->set, j->room.v[i].name))
        refuse(L, line, "presets: '%.60s': nothing of that name",
               j->room.v[i].name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
