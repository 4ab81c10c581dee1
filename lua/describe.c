/* describe.c - from what a description returned to a system or a workload.
 *
 * Everything here runs inside the sandbox: it ends with refuse(), which jumps,
 * so no function owns memory.  The objects under construction belong to
 * load_system and load_workload, which stand outside. */

#include "binding.h"

#include <lauxlib.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEYS_MAX = 64
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* A table that is being read: where it is and what to call it. */
typedef struct reader {
  lua_State *L;
  int table;          /* stack index */
  int line;           /* of the constructor */
  const char *prefix; /* "device." or "" */
} reader;

/* ---- keys --------------------------------------------------------------- */

/* Refuses keys that are not among the n known; the first in the alphabet, so
 * that the message is the same in every run.  Items of a list, 1 .. items, are
 * allowed. */
static void refuse_unknown(const reader *r, const char *const known[], size_t n,
                           lua_Integer items)
{
  lua_State *L = r->L;
  const char *worst = NULL, *near;

  for (lua_pushnil(L); lua_next(L, r->table); lua_pop(L, 1)) {
    const char *key;
    size_t i = 0;

    if (lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 &&
        lua_tointeger(L, -2) <= items)
      continue;
    if (lua_type(L, -2) != LUA_TSTRING)
      refuse(L, r->line, "%.40s: a key that is a %s, not a name",
             *r->prefix ? r->prefix : "table", type_name(L, -2));
    key = lua_tostring(L, -2); /* stays: the table holds it */
    while (i < n && strcmp(known[i], key) != 0) i++;
    if (i == n && (!worst || strcmp(key, worst) < 0)) worst = key;
  }
  if (!worst) return;
  near = nearest(worst, known, n);
  refuse(L, r->line, "%s%.60s: unknown key%s%s%s", r->prefix, worst,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Pushes the value of a key and returns its type. */
static int push_field(const reader *r, const char *key)
{
  lua_pushstring(r->L, key);
  return lua_rawget(r->L, r->table);
}

static _Noreturn void refuse_type(const reader *r, const char *key,
                                  const char *expected)
{
  if (lua_isnil(r->L, -1))
    refuse(r->L, r->line, "%s%s: missing; needs %s", r->prefix, key, expected);
  refuse(r->L, r->line, "%s%s: needs %s, got a %s", r->prefix, key, expected,
         type_name(r->L, -1));
}

/* Copies text that fits and has no control characters; "" if it is not there
 * and need not be. */
static void read_text(const reader *r, const char *key, bool required, char *to,
                      size_t size)
{
  size_t n = 0;
  const char *text = "";

  if (push_field(r, key) == LUA_TSTRING)
    text = lua_tolstring(r->L, -1, &n);
  else if (required || !lua_isnil(r->L, -1))
    refuse_type(r, key, "text");
  if (required && n == 0)
    refuse(r->L, r->line, "%s%s: is empty", r->prefix, key);
  if (n >= size)
    refuse(r->L, r->line, "%s%s: longer than %zu bytes", r->prefix, key,
           size - 1);
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
      refuse(r->L, r->line, "%s%s: a control character", r->prefix, key);
  memcpy(to, text, n);
  to[n] = '\0';
  lua_pop(r->L, 1);
}

/* A name goes into CSV, settings and file names. */
static void check_name(lua_State *L, int line, const char *what,
                       const char *name, const char *more)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

  for (const char *c = name; *c; c++)
    if (!strchr(letters, *c) && !strchr(more, *c))
      refuse(L, line, "%s: '%s': letters, digits, and '_%s' only", what, name,
             more);
}

static int read_integer(const reader *r, const char *key, int otherwise,
                        bool required)
{
  int value = otherwise, whole;
  lua_Integer n;

  push_field(r, key);
  if (required || !lua_isnil(r->L, -1)) {
    n = lua_tointegerx(r->L, -1, &whole);
    if (lua_type(r->L, -1) != LUA_TNUMBER || !whole || n < 0 || n > 1000000)
      refuse_type(r, key, "a whole number");
    value = (int)n;
  }
  lua_pop(r->L, 1);
  return value;
}

static bool read_boolean(const reader *r, const char *key)
{
  bool value;

  if (push_field(r, key) != LUA_TBOOLEAN && !lua_isnil(r->L, -1))
    refuse_type(r, key, "true or false");
  value = lua_toboolean(r->L, -1);
  lua_pop(r->L, 1);
  return value;
}

/* Index of the text of a key among n words. */
static size_t read_word(const reader *r, const char *key,
                        const char *const words[], size_t n, size_t otherwise)
{
  size_t i = 0;

  if (push_field(r, key) == LUA_TNIL && otherwise < n) {
    i = otherwise;
  } else {
    if (lua_type(r->L, -1) != LUA_TSTRING) refuse_type(r, key, "a word");
    while (i < n && strcmp(words[i], lua_tostring(r->L, -1)) != 0) i++;
    if (i == n) {
      char all[128] = "";

      for (size_t j = 0; j < n; j++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\"%s\"",
                 j ? ", " : "", words[j]);
      refuse(r->L, r->line, "%s%s: '%.60s': needs one of %s", r->prefix, key,
             lua_tostring(r->L, -1), all);
    }
  }
  lua_pop(r->L, 1);
  return i;
}

/* ---- numbers ------------------------------------------------------------ */

/* Are plain numbers of this table in SI units already, or do all but counts
 * need text with a unit? */
typedef enum plain {
  PLAIN_SI,
  PLAIN_COUNTS
} plain;

static double si(const reader *r, int line, const char *key, const amount *a,
                 gscale_dim dim, plain p)
{
  gscale_diag diag;
  double value = a->plain;

  if (a->is_text) {
    if (gscale_parse_quantity(a->text, dim, &value, &diag) != GSCALE_OK)
      refuse(r->L, line, "%s%s: %s", r->prefix, key, diag.text);
  } else if (!isfinite(value)) {
    refuse(r->L, line, "%s%s: is not finite", r->prefix, key);
  } else if (p == PLAIN_COUNTS && dim != GSCALE_COUNT && value != 0.0) {
    refuse(r->L, line, "%s%s: %g: needs a unit, as text", r->prefix, key,
           value);
  }
  return value;
}

/* A standard error: what was measured, or that of an even distribution over
 * the range that was assumed. */
static double standard_error(const reader *r, const char *key,
                             const quantity *q, double value, gscale_dim dim,
                             plain p)
{
  if (q->origin == GSCALE_MEASURED) {
    const double err = si(r, q->line, key, &q->err, dim, p);

    if (!(err >= 0.0))
      refuse(r->L, q->line, "%s%s: its error %g is negative", r->prefix, key,
             err);
    return err;
  }
  if (q->origin == GSCALE_ASSUMED) {
    const double low = si(r, q->line, key, &q->low, dim, p);
    const double high = si(r, q->line, key, &q->high, dim, p);

    if (!(low <= value) || !(value <= high))
      refuse(r->L, q->line, "%s%s: %g is not in its range %g .. %g", r->prefix,
             key, value, low, high);
    return (high - low) / sqrt(12.0);
  }
  return 0.0;
}

static gscale_param param_of(const reader *r, const char *key,
                             const quantity *q, gscale_dim dim, plain p)
{
  gscale_param out = {.origin = q->origin};

  out.val = si(r, q->line, key, &q->value, dim, p);
  out.err = standard_error(r, key, q, out.val, dim, p);
  memcpy(out.source, q->source, sizeof out.source);
  return out;
}

/* Pairs of numbers, { {x, y}, ... }: at most `most` of them. */
static size_t read_pairs(const reader *r, const char *key, gscale_dim xdim,
                         plain p, double *x, double *y, size_t most)
{
  lua_State *L = r->L;
  amount ax, ay;
  size_t n;

  if (!lua_istable(L, -1)) refuse_type(r, key, "a list of pairs");
  n = lua_rawlen(L, -1);
  if (n > most)
    refuse(L, r->line, "%s%s: more than %zu points", r->prefix, key, most);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    if (!lua_istable(L, -1)) refuse_type(r, key, "pairs");
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    if (lua_rawlen(L, -3) != 2 || !to_amount(L, -2, &ax) ||
        !to_amount(L, -1, &ay))
      refuse(L, r->line, "%s%s: point %zu: needs two numbers", r->prefix, key,
             i + 1);
    x[i] = si(r, r->line, key, &ax, xdim, p);
    y[i] = si(r, r->line, key, &ay, GSCALE_COUNT, p);
    lua_pop(L, 3);
  }
  return n;
}

/* ---- systems ------------------------------------------------------------ */

typedef struct job { /* a load, seen from inside the sandbox */
  settings *set;
  about more;
  gscale_system *system;
  gscale_workload *workload;
} job;

static const char *setting(const job *j, const char *name)
{
  return j->set ? settings_take(j->set, name) : NULL;
}

/* Keys of a system besides the groups of parameters. */
static const char *const system_keys[] = {"name",       "summary",   "gpus",
                                          "topology",   "grows",     "link",
                                          "calibrated", "copy_sizes"};

/* The group of a parameter, "copy" of "copy.initiation". */
static void group_of(size_t id, char *group, size_t size)
{
  const char *name = gscale_param_info_at(id)->name;

  snprintf(group, size, "%.*s", (int)strcspn(name, "."), name);
}

/* Names of the groups, each once: parameters of a group are neighbours. */
static size_t list_groups(char group[][24], size_t most)
{
  size_t n = 0;
  char g[24];

  for (size_t id = 0; gscale_param_info_at(id) && n < most; id++) {
    group_of(id, g, sizeof g);
    if (n == 0 || strcmp(g, group[n - 1]) != 0) strcpy(group[n++], g);
  }
  return n;
}

static void set_link(const reader *r, job *j, const char *name)
{
  const gscale_link *l = gscale_link_find(name);
  const char *names[KEYS_MAX], *near;
  gscale_diag diag;
  size_t n = 0;

  if (!l) {
    for (; n < KEYS_MAX && gscale_link_at(n); n++)
      names[n] = gscale_link_at(n)->name;
    near = nearest(name, names, n);
    refuse(r->L, r->line, "link: '%.60s' is unknown%s%s%s", name,
           near ? "; did you mean '" : "; see `gpuscale list links`",
           near ? near : "", near ? "'?" : "");
  }
  if (gscale_system_set_link(j->system, l, &diag) != GSCALE_OK)
    refuse(r->L, r->line, "%s", diag.text);
}

static void read_membw_curve(const reader *r, job *j)
{
  gscale_curve c = {0};
  gscale_diag diag;

  if (push_field(r, "membw_curve") != LUA_TNIL) {
    c.n = read_pairs(r, "membw_curve", GSCALE_BYTES, PLAIN_COUNTS, c.x, c.y,
                     GSCALE_CURVE_MAX);
    if (gscale_system_set_membw_curve(j->system, &c, &diag) != GSCALE_OK)
      refuse(r->L, r->line, "%s", diag.text);
  }
  lua_pop(r->L, 1);
}

/* The number on top of the stack becomes a parameter. */
static void read_param(const reader *r, job *j, size_t id, const char *key)
{
  const quantity *q = to_quantity(r->L, -1);
  gscale_param p;
  gscale_diag diag;

  if (!q || q->origin >= GSCALE_COUNTED)
    refuse(r->L, q ? q->line : r->line,
           "%s%s: needs gs.spec, gs.measured or gs.assumed", r->prefix, key);
  p = param_of(r, key, q, gscale_param_info_at(id)->dim, PLAIN_COUNTS);
  if (gscale_system_set(j->system, (gscale_param_id)id, &p, &diag) != GSCALE_OK)
    refuse(r->L, q->line, "%s", diag.text);
}

/* The keys of a group that are no parameters. */
static const struct {
  const char *group, *key;
} other_keys[] = {{"link", "name"}, {"device", "membw_curve"}};

/* One group of parameters, the table on top of the stack. */
static void read_group(const reader *whole, job *j, const char *group)
{
  char prefix[32], g[24];
  const reader r = {whole->L, lua_gettop(whole->L), whole->line, prefix};
  const char *known[KEYS_MAX];
  size_t n = 0;

  snprintf(prefix, sizeof prefix, "%s.", group);
  for (size_t i = 0; i < LENGTH(other_keys); i++)
    if (strcmp(other_keys[i].group, group) == 0) known[n++] = other_keys[i].key;
  for (size_t id = 0; gscale_param_info_at(id) && n < KEYS_MAX; id++) {
    const char *name = gscale_param_info_at(id)->name;

    group_of(id, g, sizeof g);
    if (strcmp(g, group) == 0) known[n++] = name + strlen(prefix);
  }
  refuse_unknown(&r, known, n, 0);

  for (size_t i = 0; i < n; i++) {
    char name[64];
    size_t id;

    snprintf(name, sizeof name, "%s%s", prefix, known[i]);
    id = gscale_param_find(name);
    if (id == GSCALE_PARAM_END) continue;
    if (push_field(&r, known[i]) != LUA_TNIL) read_param(&r, j, id, known[i]);
    lua_pop(r.L, 1);
  }
  if (strcmp(group, "device") == 0) read_membw_curve(&r, j);
}

/* link = "nvlink4", or link = { name = "nvlink4", rate = ... }. */
static void read_link(const reader *r, job *j)
{
  char name[GSCALE_NAME_MAX];
  reader inner = {r->L, lua_gettop(r->L) + 1, r->line, "link."};

  if (push_field(r, "link") == LUA_TTABLE) {
    read_text(&inner, "name", true, name, sizeof name);
    set_link(r, j, name);
    read_group(r, j, "link");
    lua_pop(r->L, 1);
    return;
  }
  if (lua_type(r->L, -1) != LUA_TSTRING)
    refuse_type(r, "link", "a name or a table");
  lua_pop(r->L, 1);
  read_text(r, "link", true, name, sizeof name);
  set_link(r, j, name);
}

static void read_shape(const reader *r, job *j)
{
  static const char *const topologies[] = {
      [GSCALE_SWITCH] = "switch", [GSCALE_BUS] = "bus"};
  const int gpus = read_integer(r, "gpus", 0, true);
  const int calibrated = read_integer(r, "calibrated", 0, false);
  const bool grows = read_boolean(r, "grows");
  const size_t t = read_word(r, "topology", topologies, GSCALE_TOPOLOGY_END,
                             GSCALE_TOPOLOGY_END);
  gscale_diag diag;

  if (gscale_system_set_shape(j->system, (gscale_topology)t, gpus, grows,
                              calibrated, &diag) != GSCALE_OK)
    refuse(r->L, r->line, "%s", diag.text);
}

static void read_copy_sizes(const reader *r, job *j)
{
  amount low, high;
  gscale_diag diag;

  if (push_field(r, "copy_sizes") != LUA_TNIL) {
    if (!lua_istable(r->L, -1)) refuse_type(r, "copy_sizes", "two sizes");
    lua_rawgeti(r->L, -1, 1);
    lua_rawgeti(r->L, -2, 2);
    if (lua_rawlen(r->L, -3) != 2 || !to_amount(r->L, -2, &low) ||
        !to_amount(r->L, -1, &high))
      refuse(r->L, r->line, "copy_sizes: needs two sizes, {least, most}");
    lua_pop(r->L, 2);
    if (gscale_system_set_copy_range(
            j->system,
            si(r, r->line, "copy_sizes", &low, GSCALE_BYTES, PLAIN_COUNTS),
            si(r, r->line, "copy_sizes", &high, GSCALE_BYTES, PLAIN_COUNTS),
            &diag) != GSCALE_OK)
      refuse(r->L, r->line, "%s", diag.text);
  }
  lua_pop(r->L, 1);
}

/* -P link.rate=64GB/s: somebody's assumption, with no error of its own. */
static void set_params(lua_State *L, job *j)
{
  gscale_diag diag;

  for (size_t id = 0; gscale_param_info_at(id); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const char *text = setting(j, info->name);
    gscale_param p = {.origin = GSCALE_ASSUMED,
                      .source = "given on the command line"};

    if (!text) continue;
    if (gscale_parse_quantity(text, info->dim, &p.val, &diag) != GSCALE_OK)
      refuse_as(L, EXIT_USAGE, "-P %s: %s", info->name, diag.text);
    if (gscale_system_set(j->system, (gscale_param_id)id, &p, &diag) !=
        GSCALE_OK)
      refuse_as(L, EXIT_USAGE, "-P %s", diag.text);
  }
}

static void read_about(const reader *r, job *j)
{
  read_text(r, "name", true, j->more.name, sizeof j->more.name);
  check_name(r->L, r->line, "name", j->more.name, ".+-");
  read_text(r, "summary", false, j->more.summary, sizeof j->more.summary);
}

static void read_system(lua_State *L, void *closure)
{
  job *j = closure;
  const int line = push_thing(L, 1, THING_SYSTEM);
  const reader r = {L, lua_gettop(L), line, ""};
  char groups[KEYS_MAX / 2][24];
  const char *known[KEYS_MAX];
  const size_t ngroups = list_groups(groups, KEYS_MAX / 2);
  size_t n = 0;
  gscale_diag diag;

  if (!line)
    refuse(L, 0, "returns a %s; a system file ends with `return gs.system {`",
           type_name(L, 1));
  for (size_t i = 0; i < LENGTH(system_keys); i++) known[n++] = system_keys[i];
  for (size_t i = 0; i < ngroups; i++) known[n++] = groups[i];
  refuse_unknown(&r, known, n, 0);

  read_about(&r, j);
  j->system = gscale_system_new(j->more.name);
  if (!j->system) refuse_as(L, EXIT_INTERNAL, "no memory for a system");
  read_shape(&r, j);
  read_copy_sizes(&r, j);
  read_link(&r, j);
  for (size_t i = 0; i < ngroups; i++) {
    if (strcmp(groups[i], "link") == 0) continue; /* done */
    if (push_field(&r, groups[i]) == LUA_TTABLE)
      read_group(&r, j, groups[i]);
    else if (!lua_isnil(L, -1))
      refuse_type(&r, groups[i], "a table");
    lua_pop(L, 1);
  }
  set_params(L, j);
  if (gscale_system_check(j->system, &diag) != GSCALE_OK)
    refuse(L, line, "%s", diag.text);
}

/* ---- knobs -------------------------------------------------------------- */

/* What `unit` of a knob may say. */
static const char *const units[] = {
    [GSCALE_COUNT] = "count", [GSCALE_TIME] = "time",
    [GSCALE_BYTES] = "bytes", [GSCALE_BYTERATE] = "bytes/s",
    [GSCALE_FLOP] = "flop",   [GSCALE_FLOPRATE] = "flop/s",
    [GSCALE_RATE] = "1/s",    [GSCALE_TIME_PER_BYTE] = "s/B"};

typedef struct knob {
  char doc[sizeof((about *)0)->knob[0].doc];
  gscale_dim dim;
  amount standard;
  double least, most;
  bool whole;
} knob;

static double read_bound(const reader *r, const char *key, gscale_dim dim,
                         double otherwise)
{
  double value = otherwise;
  amount a;

  if (push_field(r, key) != LUA_TNIL) {
    if (!to_amount(r->L, -1, &a)) refuse_type(r, key, "a number");
    value = si(r, r->line, key, &a, dim, PLAIN_COUNTS);
  }
  lua_pop(r->L, 1);
  return value;
}

static void read_knob(const reader *r, knob *k)
{
  static const char *const known[] = {"default", "unit",  "least",
                                      "most",    "whole", "doc"};

  refuse_unknown(r, known, LENGTH(known), 0);
  k->dim = (gscale_dim)read_word(r, "unit", units, LENGTH(units), GSCALE_COUNT);
  push_field(r, "default");
  if (!to_amount(r->L, -1, &k->standard)) refuse_type(r, "default", "a number");
  lua_pop(r->L, 1);
  k->least = read_bound(r, "least", k->dim, -INFINITY);
  k->most = read_bound(r, "most", k->dim, INFINITY);
  k->whole = read_boolean(r, "whole");
  read_text(r, "doc", false, k->doc, sizeof k->doc);
}

/* NULL, or in `text` why the value is not one of this knob. */
static const char *knob_objection(const knob *k, double value, char *text,
                                  size_t size)
{
  char least[32] = "", most[32] = "";

  if (k->whole && floor(value) != value) {
    snprintf(text, size, "%.10g is not whole", value);
    return text;
  }
  if (value >= k->least && value <= k->most) return NULL;
  if (k->dim == GSCALE_COUNT) {
    snprintf(least, sizeof least, "%.10g", k->least);
    snprintf(most, sizeof most, "%.10g", k->most);
  } else {
    gscale_format_quantity(k->least, k->dim, least, sizeof least);
    gscale_format_quantity(k->most, k->dim, most, sizeof most);
  }
  if (isinf(k->most))
    snprintf(text, size, "%g is less than %s", value, least);
  else if (isinf(k->least))
    snprintf(text, size, "%g is more than %s", value, most);
  else
    snprintf(text, size, "%g is not in %s .. %s", value, least, most);
  return text;
}

/* The value in force: the setting, or the default. */
static double knob_value(const reader *r, const job *j, const char *name,
                         const knob *k, char *shown, size_t size)
{
  const char *text = setting(j, name), *objection;
  gscale_diag diag;
  char words[128];
  double value;

  if (text) {
    if (gscale_parse_quantity(text, k->dim, &value, &diag) != GSCALE_OK)
      refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, diag.text);
    objection = knob_objection(k, value, words, sizeof words);
    if (objection) refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, objection);
    snprintf(shown, size, "%.*s", (int)size - 1, text);
    return value;
  }
  value = si(r, r->line, "default", &k->standard, k->dim, PLAIN_COUNTS);
  objection = knob_objection(k, value, words, sizeof words);
  if (objection) refuse(r->L, r->line, "%sdefault: %s", r->prefix, objection);
  if (k->standard.is_text)
    snprintf(shown, size, "%s", k->standard.text);
  else
    snprintf(shown, size, "%.15g", value);
  return value;
}

/* The knob on top of the stack, into the list and into the table `values`. */
static void take_knob(const reader *r, job *j, const char *name, int values)
{
  const int line = push_thing(r->L, -1, THING_KNOB);
  char prefix[80];
  const reader inner = {r->L, lua_gettop(r->L), line, prefix};
  const size_t i = j->more.knobs;
  knob k;

  snprintf(prefix, sizeof prefix, "knobs.%.60s: ", name);
  if (!line)
    refuse(r->L, r->line, "knobs.%.60s: needs gs.knob { ... }, got a %s", name,
           type_name(r->L, -1));
  check_name(r->L, line, "knobs", name, "");
  if (i == KNOBS_MAX) refuse(r->L, r->line, "knobs: more than %d", KNOBS_MAX);
  if (strlen(name) >= sizeof j->more.knob[i].name)
    refuse(r->L, line, "knobs.%.60s: the name is longer than %zu letters", name,
           sizeof j->more.knob[i].name - 1);
  read_knob(&inner, &k);

  /* A double, always: counts multiply, and Lua's integers wrap around. */
  lua_pushnumber(r->L, knob_value(&inner, j, name, &k, j->more.knob[i].value,
                                  sizeof j->more.knob[i].value));
  lua_setfield(r->L, values, name);
  strcpy(j->more.knob[i].name, name);
  memcpy(j->more.knob[i].doc, k.doc, sizeof k.doc);
  j->more.knobs++;
  lua_pop(r->L, 1);
}

static int by_name(const void *a, const void *b)
{
  const char *const *l = a, *const *r = b;

  return strcmp(*l, *r);
}

/* Pushes a table of the knobs' values.  Lua's order of keys differs from run
 * to run; ours is the alphabet's. */
static void push_knobs(const reader *whole, job *j)
{
  lua_State *L = whole->L;
  const char *names[KNOBS_MAX];
  size_t n = 0;
  reader r = {L, lua_gettop(L) + 1, whole->line, "knobs."};

  if (push_field(whole, "knobs") == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
  } else if (!lua_istable(L, -1)) {
    refuse_type(whole, "knobs", "a table");
  }
  for (lua_pushnil(L); lua_next(L, r.table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      refuse(L, r.line, "knobs: a key that is a %s, not a name",
             type_name(L, -2));
    if (n == KNOBS_MAX) refuse(L, r.line, "knobs: more than %d", KNOBS_MAX);
    names[n++] = lua_tostring(L, -2); /* stays: the table holds it */
  }
  qsort(names, n, sizeof *names, by_name);

  lua_newtable(L);
  for (size_t i = 0; i < n; i++) {
    push_field(&r, names[i]);
    take_knob(&r, j, names[i], lua_gettop(L) - 1);
    lua_pop(L, 1);
  }
  make_strict(L, "knob");
  lua_remove(L, r.table);
}

/* ---- phases ------------------------------------------------------------- */

static const struct field {
  const char *name;
  size_t offset; /* of a double of gscale_phase */
  gscale_dim dim;
} fields[] = {
    {"repeats", offsetof(gscale_phase, repeats), GSCALE_COUNT},
    {"units", offsetof(gscale_phase, units), GSCALE_COUNT},
    {"serial", offsetof(gscale_phase, serial), GSCALE_COUNT},
    {"kernels", offsetof(gscale_phase, kernels), GSCALE_COUNT},
    {"flop", offsetof(gscale_phase, flop), GSCALE_FLOP},
    {"bytes", offsetof(gscale_phase, bytes), GSCALE_BYTES},
    {"footprint", offsetof(gscale_phase, footprint), GSCALE_BYTES},
    {"publish", offsetof(gscale_phase, publish), GSCALE_BYTES},
    {"copies", offsetof(gscale_phase, copies), GSCALE_COUNT},
    {"store", offsetof(gscale_phase, store), GSCALE_BYTES},
    {"rewrites", offsetof(gscale_phase, rewrites), GSCALE_COUNT},
    {"read", offsetof(gscale_phase, read), GSCALE_COUNT},
    {"block", offsetof(gscale_phase, block), GSCALE_BYTES},
    {"boundary", offsetof(gscale_phase, boundary), GSCALE_COUNT},
};

static const char *const other_fields[] = {"name", "to", "masked", "ready"};

/* From firm to weak; -1 for an origin that no workload's number can have. */
static int weakness(gscale_origin o)
{
  static const int order[GSCALE_ORIGIN_END] = {
      [GSCALE_SPEC] = -1,    [GSCALE_COUNTED] = 0, [GSCALE_DERIVED] = 1,
      [GSCALE_MEASURED] = 2, [GSCALE_ASSUMED] = 3, [GSCALE_FITTED] = 4};

  return order[o];
}

/* The number on top of the stack: plain ones follow from the algorithm. */
static gscale_param read_number(const reader *r, const char *key,
                                gscale_dim dim)
{
  const quantity *q = to_quantity(r->L, -1);
  gscale_param p = {.origin = GSCALE_DERIVED};
  amount a;

  if (q && weakness(q->origin) < 0)
    refuse(r->L, q->line,
           "%s%s: gs.spec is for systems; here gs.counted, gs.derived, "
           "gs.measured, gs.assumed or gs.fitted",
           r->prefix, key);
  if (q) return param_of(r, key, q, dim, PLAIN_SI);
  if (!to_amount(r->L, -1, &a)) refuse_type(r, key, "a number");
  p.val = si(r, r->line, key, &a, dim, PLAIN_SI);
  return p;
}

static void read_fields(const reader *r, gscale_phase *p)
{
  int weakest = -1;

  for (size_t i = 0; i < LENGTH(fields); i++) {
    gscale_param v;

    if (push_field(r, fields[i].name) != LUA_TNIL) {
      v = read_number(r, fields[i].name, fields[i].dim);
      memcpy((char *)p + fields[i].offset, &v.val, sizeof v.val);
      if (weakness(v.origin) > weakest) {
        weakest = weakness(v.origin);
        p->origin = v.origin;
      }
    }
    lua_pop(r->L, 1);
  }
}

static void read_phase(const reader *r, job *j)
{
  static const char *const patterns[] = {[GSCALE_TO_NONE] = "none",
                                         [GSCALE_TO_NEIGHBOURS] = "neighbours",
                                         [GSCALE_TO_ALL] = "all"};
  const char *known[LENGTH(fields) + LENGTH(other_fields)];
  char name[GSCALE_NAME_MAX], prefix[GSCALE_NAME_MAX + 3];
  const reader named = {r->L, r->table, r->line, prefix};
  gscale_diag diag;
  gscale_phase p;
  size_t n = 0;

  read_text(r, "name", true, name, sizeof name);
  check_name(r->L, r->line, "name", name, ".+-");
  snprintf(prefix, sizeof prefix, "%s: ", name);
  for (size_t i = 0; i < LENGTH(fields); i++) known[n++] = fields[i].name;
  for (size_t i = 0; i < LENGTH(other_fields); i++)
    known[n++] = other_fields[i];
  refuse_unknown(&named, known, n, 0);

  gscale_phase_init(&p, name);
  read_fields(&named, &p);
  p.to = (gscale_pattern)read_word(&named, "to", patterns, GSCALE_PATTERN_END,
                                   GSCALE_TO_NONE);
  p.masked = read_boolean(&named, "masked");
  if (push_field(&named, "ready") != LUA_TNIL)
    p.ready.n = read_pairs(&named, "ready", GSCALE_COUNT, PLAIN_SI, p.ready.at,
                           p.ready.ready, GSCALE_PROFILE_MAX);
  lua_pop(r->L, 1);
  if (gscale_workload_add(j->workload, &p, &diag) != GSCALE_OK)
    refuse(r->L, r->line, "%s", diag.text);
}

/* ---- workloads ---------------------------------------------------------- */

static void read_single(const reader *r, job *j)
{
  gscale_diag diag;

  if (push_field(r, "single") != LUA_TNIL) {
    const gscale_param p = read_number(r, "single", GSCALE_TIME);

    if (p.val != 0.0 &&
        gscale_workload_set_single(j->workload, p, &diag) != GSCALE_OK)
      refuse(r->L, r->line, "%s", diag.text);
  }
  lua_pop(r->L, 1);
}

/* What step() returned, on top of the stack. */
static void read_step(lua_State *L, int line, job *j)
{
  static const char *const known[] = {"single", "threads", "streams"};
  const reader r = {L, lua_gettop(L), line, ""};
  gscale_diag diag;
  lua_Integer n;

  if (!lua_istable(L, -1))
    refuse(L, line, "step: needs to return a table, got a %s",
           type_name(L, -1));
  n = (lua_Integer)lua_rawlen(L, -1);
  refuse_unknown(&r, known, LENGTH(known), n);
  if (n == 0) refuse(L, line, "step: returns no gs.phase { ... }");
  read_single(&r, j);
  if (gscale_workload_set_host(
          j->workload, read_integer(&r, "threads", 0, false),
          read_integer(&r, "streams", 1, false), &diag) != GSCALE_OK)
    refuse(L, line, "%s", diag.text);

  for (lua_Integer i = 1; i <= n; i++) {
    reader phase = {L, 0, 0, ""};

    lua_rawgeti(L, r.table, i);
    phase.line = push_thing(L, -1, THING_PHASE);
    phase.table = lua_gettop(L);
    if (!phase.line)
      refuse(L, line, "step: item %d is a %s; needs gs.phase { ... }", (int)i,
             type_name(L, -1));
    read_phase(&phase, j);
    lua_settop(L, r.table);
  }
}

static void read_workload(lua_State *L, void *closure)
{
  static const char *const known[] = {"name", "summary", "knobs", "step"};
  job *j = closure;
  const int line = push_thing(L, 1, THING_WORKLOAD);
  const reader r = {L, lua_gettop(L), line, ""};

  if (!line)
    refuse(L, 0,
           "returns a %s; a workload file ends with `return gs.workload {`",
           type_name(L, 1));
  refuse_unknown(&r, known, LENGTH(known), 0);
  read_about(&r, j);
  j->workload = gscale_workload_new(j->more.name);
  if (!j->workload) refuse_as(L, EXIT_INTERNAL, "no memory for a workload");

  if (push_field(&r, "step") != LUA_TFUNCTION)
    refuse_type(&r, "step", "a function");
  push_knobs(&r, j);
  lua_call(L, 1, 1);
  read_step(L, line, j);
}

/* ---- the ways in -------------------------------------------------------- */

static int load(kind k, const char *what, job *j, about *more, failure *why)
{
  int st = find_description(k, what, j->more.path, sizeof j->more.path, why);

  if (st == EXIT_OK)
    st = sandbox_run(j->more.path, &default_limits,
                     k == KIND_SYSTEM ? read_system : read_workload, j, why);
  if (st == EXIT_OK && more) *more = j->more;
  return st;
}

int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why)
{
  job j = {.set = set};
  const int st = load(KIND_SYSTEM, what, &j, more, why);

  if (st == EXIT_OK)
    *out = j.system;
  else
    gscale_system_free(j.system);
  return st;
}

int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why)
{
  job j = {.set = set};
  const int st = load(KIND_WORKLOAD, what, &j, more, why);

  if (st == EXIT_OK)
    *out = j.workload;
  else
    gscale_workload_free(j.workload);
  return st;
}
