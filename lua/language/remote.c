/* remote.c - reads parameters of messages between nodes, and of the power of a
 * system:
 *
 *   remote = { path = { latency = ... }, stage = { ... }, ... }
 *   power = { gpu_busy = ... } */

#include "language/reader.h"

#include <string.h>

/* Prints a label such as "remote.path.latency" or "power.gpu_busy". */
static void label_of(gscale_described of, const gscale_field *f, char *text,
                     size_t size)
{
  char path[GSCALE_NAME_MAX];

  gscale_field_path(f, path, sizeof path);
  snprintf(text, size, "%s.%s", gscale_described_name(of), path);
}

/* Reads the number on top of the stack. */
static void read_number(const reader *r, job *j, const gscale_field *f)
{
  const quantity *q = system_number(r, f->name);
  gscale_param p = {0};
  gscale_diag diag;

  if (!q || !to_param(r, f->name, q, f->dim, PLAIN_COUNTS, &p)) return;
  if (gscale_system_set_remote(j->system, f, &p, &diag) != GSCALE_OK)
    complain(r->L, q->line, "%s", diag.text);
}

/* Reads the fields of a group from the table on top of the stack. */
static void read_rows(const reader *r, job *j, gscale_described of,
                      const char *group)
{
  const char *known[KEYS_MAX];
  size_t n = 0;

  GSCALE_EACH_FIELD (of, f)
    if (n < KEYS_MAX && strcmp(f->group, group) == 0) known[n++] = f->name;
  check_keys(r, known, n, 0);
  GSCALE_EACH_FIELD (of, f) {
    if (strcmp(f->group, group) != 0) continue;
    if (push_field(r, f->name) != LUA_TNIL) read_number(r, j, f);
    lua_pop(r->L, 1);
  }
}

/* Reads all groups of a table. Fields of one group are consecutive. */
static void read_groups(const reader *r, job *j, gscale_described of)
{
  const char *known[KEYS_MAX], *last = "";
  size_t n = 0;

  GSCALE_EACH_FIELD (of, f)
    if (n < KEYS_MAX && strcmp(f->group, last) != 0)
      known[n++] = last = f->group;
  check_keys(r, known, n, 0);
  for (size_t i = 0; i < n; i++) {
    char prefix[48];
    const reader inner = {r->L, lua_gettop(r->L) + 1, r->line, prefix};

    snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, known[i]);
    if (push_field(r, known[i]) == LUA_TTABLE)
      read_rows(&inner, j, of, known[i]);
    else if (!lua_isnil(r->L, -1))
      complain_type(r, known[i], "a table");
    lua_pop(r->L, 1);
  }
}

/* Applies settings such as -P remote.path.latency=3us. */
static void set_rows(lua_State *L, job *j, gscale_described of)
{
  GSCALE_EACH_FIELD (of, f) {
    char label[LABEL_SIZE];
    gscale_diag diag;
    gscale_param p;

    label_of(of, f, label, sizeof label);
    const char *text = setting(j, label);
    if (!text) continue;
    if (settings_number(text, f->dim, &p, &diag) != GSCALE_OK)
      refuse_as(L, EXIT_USAGE, "-P %s: %s", label, diag.text);
    if (!(p.err > 0.0)) p.origin = GSCALE_ASSUMED;
    if (gscale_system_set_remote(j->system, f, &p, &diag) != GSCALE_OK)
      refuse_as(L, EXIT_USAGE, "-P %s", diag.text);
  }
}

void read_remote(const reader *r, job *j)
{
  static const gscale_described tables[] = {GSCALE_OF_REMOTE, GSCALE_OF_POWER};

  for (size_t i = 0; i < LENGTH(tables); i++) {
    const char *name = gscale_described_name(tables[i]);
    char prefix[16];
    const reader inner = {r->L, lua_gettop(r->L) + 1, r->line, prefix};

    snprintf(prefix, sizeof prefix, "%s.", name);
    if (push_field(r, name) == LUA_TTABLE) {
      if (tables[i] == GSCALE_OF_REMOTE)
        read_groups(&inner, j, tables[i]);
      else
        read_rows(&inner, j, tables[i], "");
    } else if (!lua_isnil(r->L, -1)) {
      complain_type(r, name, "a table");
    }
    lua_pop(r->L, 1);
    set_rows(r->L, j, tables[i]);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
