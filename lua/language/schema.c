/* schema.c - reads the fields of a phase from Lua and from -P. */

#include "language/reader.h"

#include <lauxlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------- */

/* Ranks origins from the firmest to the weakest. The rank is -1 if a workload's
 * number cannot have the origin. */
static int origin_rank(gscale_origin o)
{
  static const int order[GSCALE_ORIGIN_END] = {
      [GSCALE_SPEC] = -1,    [GSCALE_COUNTED] = 0,   [GSCALE_DERIVED] = 1,
      [GSCALE_MEASURED] = 2, [GSCALE_PROJECTED] = 3, [GSCALE_INHERITED] = 4,
      [GSCALE_ASSUMED] = 5,  [GSCALE_FITTED] = 6};

  return order[o];
}

/* Removes the stored numbers of a field. */
static void remove_number(phase_draft *d, const gscale_field *f)
{
  size_t n = 0;

  for (size_t i = 0; i < d->doubts; i++)
    if (d->doubt[i].field != f) d->doubt[n++] = d->doubt[i];
  d->doubts = n;
}

/* Sets a number. The draft also stores a number with an origin or an error. */
static void put_number(phase_draft *d, const gscale_field *f, size_t index,
                       const gscale_param *p)
{
  double *to = gscale_field_number(f, &d->p, index);

  if (!to) return;
  *to = p->val;
  if (origin_rank(p->origin) > d->weakest) {
    d->weakest = origin_rank(p->origin);
    d->p.origin = p->origin;
  }
  if (p->origin == GSCALE_DERIVED && !(p->err > 0.0)) return;
  if (d->doubts == DOUBTS_MAX) return; /* the draft is full */
  d->doubt[d->doubts].field = f;
  d->doubt[d->doubts].index = index;
  d->doubt[d->doubts++].p = *p;
}

static bool take_number(const reader *r, const char *label, gscale_dim dim,
                        const gscale_field *f, size_t index, phase_draft *d)
{
  gscale_param p;

  if (!workload_number(r, label, dim, &p)) return false;
  put_number(d, f, index, &p);
  return true;
}

/* ---- words --------------------------------------------------------------- */

/* Reads the word on top of the stack. */
static void take_choice(const reader *r, const gscale_field *f,
                        const char *label, void *to)
{
  const size_t n = gscale_field_words(f);
  size_t i = n;

  if (lua_type(r->L, -1) != LUA_TSTRING)
    complain_type(r, label, "a word");
  else
    i = word_index(r, label, lua_tostring(r->L, -1), f->words, n);
  if (i < n) *(unsigned *)to = (unsigned)i;
}

static void take_flag(const reader *r, const char *label, bool *to)
{
  if (lua_isboolean(r->L, -1))
    *to = lua_toboolean(r->L, -1);
  else
    complain_type(r, label, "true or false");
}

/* ---- lists --------------------------------------------------------------- */

/* Reads the list of up to f->length numbers on top of the stack. */
static void take_numbers(const reader *r, const gscale_field *f,
                         const char *label, const char *what, phase_draft *d)
{
  char item[LABEL_SIZE];
  size_t n;

  if (!is_list(r, label, what, 1, f->length, &n)) return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    snprintf(item, sizeof item, "%s[%zu]", label, i + 1);
    take_number(r, item, f->dim, f, i, d);
    lua_pop(r->L, 1);
  }
}

static void take_list(const reader *r, const gscale_field *f, const char *label,
                      phase_draft *d)
{
  const bool shares = f->kind != GSCALE_NUMBERS;

  take_numbers(r, f, label, shares ? "a list of shares" : "a list of numbers",
               d);
}

/* Returns whether the top of the stack is the word "partial". */
static bool is_partial(lua_State *L)
{
  char path[GSCALE_NAME_MAX];

  if (lua_type(L, -1) != LUA_TSTRING) return false;
  snprintf(path, sizeof path, "store.size.%s", lua_tostring(L, -1));
  return strcmp(gscale_name_now(path), "store.size.partial") == 0;
}

/* Reads { size, share } or { size, share, "partial" } from the stack. */
static bool take_store(const reader *r, const gscale_field *f,
                       const char *label, phase_draft *d, size_t i)
{
  lua_State *L = r->L;
  bool *const masked = &d->p.stores.masked[i];
  bool ok;

  if (!lua_istable(L, -1) || lua_rawlen(L, -1) < 2 || lua_rawlen(L, -1) > 3) {
    complain_of(r,
                "%s: needs { size, share } or "
                "{ size, share, \"partial\" }",
                label);
    return false;
  }
  lua_rawgeti(L, -1, 1);
  ok = take_number(r, label, GSCALE_BYTES, f, i, d);
  lua_rawgeti(L, -2, 2);
  ok = take_number(r, label, GSCALE_COUNT, f, f->length + i, d) && ok;
  lua_rawgeti(L, -3, 3);
  *masked = !lua_isnil(L, -1);
  if (*masked && !is_partial(L)) {
    complain_type(r, label, "\"partial\" or nothing as third item");
    ok = false;
  }
  lua_pop(L, 3);
  return ok;
}

static void take_mixture(const reader *r, const gscale_field *f,
                         const char *label, phase_draft *d)
{
  const gscale_stores before = d->p.stores;
  char item[LABEL_SIZE];
  bool ok = true;
  size_t n;

  if (!lua_istable(r->L, -1)) {
    take_number(r, label, GSCALE_BYTES, f, 0, d);
    return;
  }
  if (!is_list(r, label, "a list of stores", 1, f->length, &n)) return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    snprintf(item, sizeof item, "%s[%zu]", label, i + 1);
    ok = take_store(r, f, item, d, i) && ok;
    lua_pop(r->L, 1);
  }
  d->p.stores.n = n;
  if (!ok) d->p.stores = before;
}

/* ---- block groups -------------------------------------------------------- */

/* Stores the numbers of a group in the draft under the field of all groups. */
typedef struct group {
  const reader *r;
  phase_draft *d;
  const gscale_field *groups; /* field of all groups */
  size_t first;               /* index of the group's numbers */
  gscale_blocks *b;
} group;

/* Reads the list of loads, bytes and "published" on top of the stack. */
static void take_loads(const group *g, const gscale_field *f, const char *label,
                       size_t first, size_t i)
{
  lua_State *L = g->r->L;
  const size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

  if (n < 1 || n > 3) {
    complain_of(g->r, "%s: needs { loads [, bytes [, \"published\"]] }", label);
    return;
  }
  lua_rawgeti(L, -1, 1);
  take_number(g->r, label, GSCALE_COUNT, g->groups, first + i, g->d);
  lua_rawgeti(L, -2, 2);
  if (n > 1)
    take_number(g->r, label, GSCALE_BYTES, g->groups, first + f->length + i,
                g->d);
  lua_rawgeti(L, -3, 3);
  g->b->path[i].published = n > 2;
  if (n > 2 && (lua_type(L, -1) != LUA_TSTRING ||
                strcmp(lua_tostring(L, -1), "published") != 0))
    complain_type(g->r, label, "\"published\" or nothing as third item");
  lua_pop(L, 3);
}

static void take_path(const group *g, const gscale_field *f, size_t first)
{
  lua_State *L = g->r->L;
  char item[LABEL_SIZE];
  size_t n;

  if (!is_list(g->r, f->name, "a list of loads", 0, f->length, &n)) return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    snprintf(item, sizeof item, "%s[%zu]", f->name, i + 1);
    take_loads(g, f, item, first, i);
    lua_pop(L, 1);
  }
  g->b->kinds = n;
}

/* Reads the value on top of the stack into one field of the group. */
static void take_row(const group *g, const gscale_field *f, size_t number)
{
  void *const at = (char *)g->b + f->offset;

  switch (f->kind) {
  case GSCALE_FLAG:
    take_flag(g->r, f->name, at);
    break;
  case GSCALE_CHOICE:
    take_choice(g->r, f, f->name, at);
    break;
  case GSCALE_PATH:
    take_path(g, f, number);
    break;
  default:
    take_number(g->r, f->name, f->dim, g->groups, number, g->d);
    if (at == &g->b->share) g->b->rest = false;
  }
}

/* Reads a group's table on top of the stack. */
static void take_group(const group *g)
{
  const char *known[KEYS_MAX];
  size_t n = 0, number = g->first;

  GSCALE_EACH_FIELD (GSCALE_OF_BLOCKS, f) known[n++] = f->name;
  check_keys(g->r, known, n, 0);
  GSCALE_EACH_FIELD (GSCALE_OF_BLOCKS, f) {
    if (push_field(g->r, f->name) != LUA_TNIL) take_row(g, f, number);
    lua_pop(g->r->L, 1);
    number += gscale_field_numbers(f);
  }
}

/* Reads the list of groups in a table that also has named keys. */
static void take_groups(const reader *r, const gscale_field *f,
                        const char *label, phase_draft *d)
{
  const size_t each = gscale_field_numbers(f) / f->length;
  size_t n;

  if (!is_list(r, label, "a table", 0, f->length, &n)) return;
  for (size_t i = 0; i < n; i++) gscale_blocks_init(&d->p.group[i]);
  for (size_t i = 0; i < n; i++) {
    char item[LABEL_SIZE], prefix[2 * LABEL_SIZE];
    reader inner = {r->L, 0, r->line, prefix};
    const group g = {&inner, d, f, i * each, &d->p.group[i]};

    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    inner.table = lua_gettop(r->L);
    snprintf(item, sizeof item, "%s[%zu]", label, i + 1);
    snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, item);
    if (lua_istable(r->L, -1))
      take_group(&g);
    else
      complain_type(r, item, "a table");
    lua_pop(r->L, 1);
  }
  d->p.groups = n;
}

/* ---- records, pairs ------------------------------------------------------ */

/* Reads the table of kernels, flop and bytes on top of the stack. */
static void take_record(const reader *r, const gscale_field *f,
                        const char *label, phase_draft *d)
{
  const char *known[KEYS_MAX];
  char prefix[2 * LABEL_SIZE];
  const reader inner = {r->L, lua_gettop(r->L), r->line, prefix};

  if (!lua_istable(r->L, -1)) {
    complain_type(r, label, "a table");
    return;
  }
  snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, label);
  for (size_t k = 0; k < f->parts; k++) known[k] = f->part[k].name;
  check_keys(&inner, known, f->parts, 0);
  for (size_t k = 0; k < f->parts; k++) {
    if (push_field(&inner, f->part[k].name) != LUA_TNIL)
      read_value(&inner, &f->part[k], f->part[k].name, d);
    lua_pop(r->L, 1);
  }
}

/* Reads the number on top of the stack, or the list of two numbers. */
static void take_pair(const reader *r, const gscale_field *f, const char *label,
                      phase_draft *d)
{
  if (lua_istable(r->L, -1))
    take_numbers(r, f, label, "a number or two", d);
  else
    take_number(r, label, f->dim, f, 0, d);
}

/* Reads the destination, which is a word or a list of shares. */
static void take_readers(const reader *r, const gscale_field *f,
                         const char *label, phase_draft *d)
{
  if (!lua_istable(r->L, -1)) {
    take_choice(r, f, label, &d->p.to);
    return;
  }
  d->p.to = GSCALE_TO_SUBSCRIBERS;
  take_list(r, f, label, d);
}

/* ---- any field ----------------------------------------------------------- */

void read_value(const reader *r, const gscale_field *f, const char *label,
                phase_draft *d)
{
  void *const at = (char *)&d->p + f->offset;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    take_number(r, label, f->dim, f, 0, d);
    break;
  case GSCALE_FLAG:
    take_flag(r, label, at);
    break;
  case GSCALE_CHOICE:
    take_choice(r, f, label, at);
    break;
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
    take_list(r, f, label, d);
    break;
  case GSCALE_MIXTURE:
    take_mixture(r, f, label, d);
    break;
  case GSCALE_GROUPS:
    take_groups(r, f, label, d);
    break;
  case GSCALE_PARTS:
    take_record(r, f, label, d);
    break;
  case GSCALE_PAIR:
    take_pair(r, f, label, d);
    break;
  case GSCALE_READERS:
    take_readers(r, f, label, d);
    break;
  default: /* names need no value */
    break;
  }
}

/* ---- settings ------------------------------------------------------------ */

bool set_value(const gscale_field *f, const char *text, phase_draft *d,
               gscale_diag *diag)
{
  void *const at = (char *)&d->p + f->offset;
  gscale_param p;
  bool flag;
  size_t i;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
  case GSCALE_PAIR:
  case GSCALE_MIXTURE:
    if (settings_number(text, f->dim, &p, diag) != GSCALE_OK) return false;
    remove_number(d, f);
    put_number(d, f, 0, &p);
    if (f->kind == GSCALE_MIXTURE) { /* -P gives one size for all */
      d->p.stores.n = 1;
      d->p.stores.share[0] = 1.0;
    }
    return true;
  case GSCALE_FLAG:
    if (settings_flag(text, &flag, diag) != GSCALE_OK) return false;
    *(bool *)at = flag;
    return true;
  case GSCALE_CHOICE:
  case GSCALE_READERS:
    if (settings_word(text, f->words, gscale_field_words(f), &i, diag) !=
        GSCALE_OK)
      return false;
    if (f->kind == GSCALE_READERS)
      d->p.to = (gscale_pattern)i;
    else
      *(unsigned *)at = (unsigned)i;
    return true;
  default:
    snprintf(diag->text, sizeof diag->text,
             "is a %s: it can be given only in the description",
             gscale_name(GSCALE_KIND_NAMES, f->kind));
    return false;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
