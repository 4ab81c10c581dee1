/* describe.c - from what a description returned to a system or a workload.
 *
 * Everything here runs inside the sandbox, which may end it at any call into
 * Lua: no function owns memory across one.  The objects under construction
 * belong to load_system and load_workload, which stand outside.
 *
 * A mistake is complained about and reading goes on with some harmless value:
 * the load fails in any case, and the next mistake is found too. */

#include "language/binding.h"
#include "language/schedule.h"

#include <lauxlib.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEYS_MAX = 64,
  LABEL_SIZE = 96 /* "extra.proact-poll.kernels" */
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

/* The names among a table's keys, in the order of the alphabet because Lua's
 * differs from run to run; if there are more than `most`, the first of them.
 * Items of a list, 1 .. items, are passed over.  Returns how many there are. */
static size_t names_of(const reader *r, lua_Integer items, const char *names[],
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
    name = lua_tostring(L, -2); /* stays: the table holds it */
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

/* Complains about keys that are not among the n known.  What such a key must
 * have meant is read as if it had been said, so that it is not missed. */
static void check_keys(const reader *r, const char *const known[], size_t n,
                       lua_Integer items)
{
  const char *names[KEYS_MAX];
  const size_t count = names_of(r, items, names, KEYS_MAX);

  for (size_t i = 0; i < count && i < KEYS_MAX; i++) {
    const char *near;

    if (is_among(names[i], known, n)) continue;
    near = nearest(names[i], known, n);
    complain(r->L, r->line, "%s%.60s: unknown key%s%s%s", r->prefix, names[i],
             near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
    if (!near) continue;
    lua_pushstring(r->L, near);
    if (lua_rawget(r->L, r->table) == LUA_TNIL) {
      lua_pushstring(r->L, near);
      lua_pushstring(r->L, names[i]);
      lua_rawget(r->L, r->table);
      lua_rawset(r->L, r->table);
    }
    lua_pop(r->L, 1);
  }
}

/* Pushes the value of a key and returns its type. */
static int push_field(const reader *r, const char *key)
{
  lua_pushstring(r->L, key);
  return lua_rawget(r->L, r->table);
}

/* About the value on top of the stack. */
static void complain_type(const reader *r, const char *key,
                          const char *expected)
{
  if (lua_isnil(r->L, -1))
    complain(r->L, r->line, "%s%s: missing; needs %s", r->prefix, key,
             expected);
  else
    complain(r->L, r->line, "%s%s: needs %s, got a %s", r->prefix, key,
             expected, type_name(r->L, -1));
}

/* About a word that is not among those that are possible. */
static void complain_word(const reader *r, const char *key, const char *word,
                          const char *const words[], size_t n)
{
  char all[160] = "";

  for (size_t i = 0; i < n; i++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s\"%s\"",
             i ? ", " : "", words[i]);
  complain(r->L, r->line, "%s%s: '%.60s': needs one of %s", r->prefix, key,
           word, all);
}

/* Copies text that fits and has no control characters; "" if there is none. */
static void read_text(const reader *r, const char *key, bool required, char *to,
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
    complain(r->L, r->line, "%s%s: %s", r->prefix, key, mistake);
  else if (n >= size)
    complain(r->L, r->line, "%s%s: longer than %zu bytes", r->prefix, key,
             size - 1);
  else
    memcpy(to, text, n + 1);
  lua_pop(r->L, 1);
}

/* A name goes into CSV, settings and file names. */
static void check_name(lua_State *L, int line, const char *what,
                       const char *name, const char *more)
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

/* A whole number; `otherwise` if it is not there, unless that is negative: then
 * it must be.  -1 after a complaint. */
static int read_integer(const reader *r, const char *key, int otherwise)
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

static bool read_boolean(const reader *r, const char *key, bool otherwise)
{
  bool value = otherwise;

  if (push_field(r, key) == LUA_TBOOLEAN)
    value = lua_toboolean(r->L, -1);
  else if (!lua_isnil(r->L, -1))
    complain_type(r, key, "true or false");
  lua_pop(r->L, 1);
  return value;
}

/* Index of the text of a key among n words; `otherwise` if it is not there,
 * unless that is n: then it must be.  n after a complaint. */
static size_t read_word(const reader *r, const char *key,
                        const char *const words[], size_t n, size_t otherwise)
{
  size_t i = 0;

  if (push_field(r, key) == LUA_TNIL && otherwise < n) {
    i = otherwise;
  } else if (lua_type(r->L, -1) != LUA_TSTRING) {
    complain_type(r, key, "a word");
    i = n;
  } else {
    while (i < n && strcmp(words[i], lua_tostring(r->L, -1)) != 0) i++;
    if (i == n) complain_word(r, key, lua_tostring(r->L, -1), words, n);
  }
  lua_pop(r->L, 1);
  return i;
}

/* True if the value on top of the stack is a list of `least` to `most` items;
 * their number in *n. */
static bool is_list(const reader *r, const char *key, const char *expected,
                    size_t least, size_t most, size_t *n)
{
  if (!lua_istable(r->L, -1)) {
    complain_type(r, key, expected);
    return false;
  }
  *n = lua_rawlen(r->L, -1);
  if (*n >= least && *n <= most) return true;
  complain(r->L, r->line, "%s%s: %zu items; needs %zu to %zu", r->prefix, key,
           *n, least, most);
  return false;
}

/* ---- numbers ------------------------------------------------------------ */

/* Are plain numbers of this table in SI units already, or do all but counts
 * need text with a unit? */
typedef enum plain {
  PLAIN_SI,
  PLAIN_COUNTS
} plain;

static bool to_si(const reader *r, int line, const char *key, const amount *a,
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

/* The error of a measurement: an amount, or "2 %" of the value. */
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

/* That of an even distribution over the range that was assumed. */
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

static bool standard_error(const reader *r, const char *key, const quantity *q,
                           double value, gscale_dim dim, plain p, double *err)
{
  *err = 0.0;
  if (q->origin == GSCALE_MEASURED)
    return measured_error(r, key, q, value, dim, p, err);
  if (q->origin == GSCALE_ASSUMED)
    return assumed_error(r, key, q, value, dim, p, err);
  return true;
}

static bool to_param(const reader *r, const char *key, const quantity *q,
                     gscale_dim dim, plain p, gscale_param *out)
{
  if (q->bad) return false;
  if (q->is_list) {
    complain(r->L, q->line, "%s%s: needs one number, got a list", r->prefix,
             key);
    return false;
  }
  out->origin = q->origin;
  memcpy(out->source, q->source, sizeof out->source);
  return to_si(r, q->line, key, &q->value, dim, p, &out->val) &&
         standard_error(r, key, q, out->val, dim, p, &out->err);
}

/* Pairs of numbers, { {x, y}, ... }, on top of the stack. */
static bool read_pairs(const reader *r, const char *key, gscale_dim xdim,
                       plain p, double *x, double *y, size_t most, size_t *n)
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
      complain(L, r->line, "%s%s: point %zu: needs two numbers", r->prefix, key,
               i + 1);
      ok = false;
    } else {
      ok = to_si(r, r->line, key, &ax, xdim, p, &x[i]) && ok;
      ok = to_si(r, r->line, key, &ay, GSCALE_COUNT, p, &y[i]) && ok;
    }
    lua_pop(L, 2);
  }
  return ok;
}

/* ---- systems: parameters ------------------------------------------------ */

typedef struct job { /* a load, seen from inside the sandbox */
  settings *set;
  about more;
  gscale_system *system;
  gscale_workload *workload;
  bool mentioned[GSCALE_PARAM_END]; /* parameters given, rightly or wrongly */
  bool alike;                       /* "like" was said, rightly or wrongly */
  char like[GSCALE_NAME_MAX];       /* the system that others are taken from */
  char table[GSCALE_NAME_MAX];      /* of its discrepancies */
  int line;                         /* of gs.system */
  const int *gpus; /* numbers that a schedule is needed for; NULL: 1 */
  size_t sizes;
} job;

static const char *setting(const job *j, const char *name)
{
  return j->set ? settings_take(j->set, name) : NULL;
}

/* Keys of a system besides the groups of parameters. */
static const char *const system_keys[] = {
    "name",        "summary", "gpus",          "topology",
    "grows",       "link",    "calibrated",    "copy_sizes",
    "discrepancy", "like",    "discrepancies", "can"};

/* The keys of a group that are no parameters. */
static const struct {
  const char *group, *key;
} other_keys[] = {{"link", "name"},          {"link", "payload"},
                  {"link", "lanes"},         {"link", "ecrc"},
                  {"link", "short_address"}, {"device", "membw_curve"}};

/* The group of a parameter, "copy" of "copy.initiation". */
static void group_of(size_t id, char *group, size_t size)
{
  const char *name = gscale_param_info_at(id)->name;

  snprintf(group, size, "%.*s", (int)strcspn(name, "."), name);
}

static bool in_group(size_t id, const char *group)
{
  char g[24];

  group_of(id, g, sizeof g);
  return strcmp(g, group) == 0;
}

/* Names of the groups, each once: parameters of a group are neighbours. */
static size_t list_groups(char group[][24], size_t most)
{
  size_t n = 0;

  for (size_t id = 0; gscale_param_info_at(id) && n < most; id++)
    if (n == 0 || !in_group(id, group[n - 1]))
      group_of(id, group[n++], sizeof *group);
  return n;
}

/* The number on top of the stack, which says whence it comes; or NULL. */
static const quantity *system_number(const reader *r, const char *key)
{
  const quantity *q = to_quantity(r->L, -1);

  if (q && q->bad) return NULL;
  if (q && q->origin < GSCALE_COUNTED) return q;
  complain(r->L, q ? q->line : r->line,
           "%s%s: needs gs.spec, gs.measured or gs.assumed", r->prefix, key);
  return NULL;
}

/* The number on top of the stack becomes a parameter. */
static void read_param(const reader *r, job *j, size_t id, const char *key)
{
  const quantity *q = system_number(r, key);
  gscale_param p = {0};
  gscale_diag diag;

  if (!q ||
      !to_param(r, key, q, gscale_param_info_at(id)->dim, PLAIN_COUNTS, &p))
    return;
  if (gscale_system_set(j->system, (gscale_param_id)id, &p, &diag) != GSCALE_OK)
    complain(r->L, q->line, "%s", diag.text);
}

/* Factors on device.membw; their error is one of each factor. */
static void read_membw_curve(const reader *r, job *j)
{
  static const char key[] = "membw_curve";
  const quantity *q;
  gscale_curve c = {0};
  gscale_diag diag;
  double err;

  if (push_field(r, key) != LUA_TNIL && (q = system_number(r, key)) != NULL) {
    const reader at = {r->L, 0, q->line, r->prefix};

    push_list(r->L, -1);
    if (standard_error(&at, key, q, 1.0, GSCALE_COUNT, PLAIN_COUNTS, &err) &&
        read_pairs(&at, key, GSCALE_BYTES, PLAIN_COUNTS, c.x, c.y,
                   GSCALE_CURVE_MAX, &c.n) &&
        gscale_system_set_membw_curve(j->system, &c, &diag) != GSCALE_OK)
      complain(r->L, q->line, "%s", diag.text);
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
}

/* One group of parameters, the table on top of the stack. */
static void read_group(const reader *whole, job *j, const char *group)
{
  char prefix[32];
  const reader r = {whole->L, lua_gettop(whole->L), whole->line, prefix};
  const char *known[KEYS_MAX];
  size_t n = 0;

  snprintf(prefix, sizeof prefix, "%s.", group);
  for (size_t i = 0; i < LENGTH(other_keys); i++)
    if (strcmp(other_keys[i].group, group) == 0) known[n++] = other_keys[i].key;
  for (size_t id = 0; gscale_param_info_at(id) && n < KEYS_MAX; id++)
    if (in_group(id, group))
      known[n++] = gscale_param_info_at(id)->name + strlen(prefix);
  check_keys(&r, known, n, 0);

  for (size_t i = 0; i < n; i++) {
    char name[64];
    size_t id;

    snprintf(name, sizeof name, "%s%s", prefix, known[i]);
    id = gscale_param_find(name);
    if (id == GSCALE_PARAM_END) continue;
    if (push_field(&r, known[i]) != LUA_TNIL) {
      j->mentioned[id] = true;
      read_param(&r, j, id, known[i]);
    }
    lua_pop(r.L, 1);
  }
  if (strcmp(group, "device") == 0) read_membw_curve(&r, j);
}

static void read_groups(const reader *r, job *j, char groups[][24], size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (strcmp(groups[i], "link") == 0) continue; /* see read_link */
    if (push_field(r, groups[i]) == LUA_TTABLE) {
      read_group(r, j, groups[i]);
    } else if (!lua_isnil(r->L, -1)) {
      complain_type(r, groups[i], "a table");
      for (size_t id = 0; id < GSCALE_PARAM_END; id++)
        if (in_group(id, groups[i])) j->mentioned[id] = true;
    }
    lua_pop(r->L, 1);
  }
}

static void complain_missing(const reader *r, const job *j)
{
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);

    if (info->required && !j->mentioned[id] &&
        !(j->alike && is_alike((gscale_param_id)id)))
      complain(r->L, r->line, "%s: missing (%s)", info->name, info->meaning);
  }
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
    j->mentioned[id] = true;
  }
}

/* ---- systems: links ----------------------------------------------------- */

static const gscale_link *find_link(const reader *r, const char *name)
{
  const gscale_link *l = gscale_link_find(name);
  const char *names[KEYS_MAX], *near;
  size_t n = 0;

  if (l || !*name) return l;
  for (; n < KEYS_MAX && gscale_link_at(n); n++)
    names[n] = gscale_link_at(n)->name;
  near = nearest(name, names, n);
  complain(r->L, r->line, "link: '%.60s' is unknown%s%s%s", name,
           near ? "; did you mean '" : "; see `gpuscale list links`",
           near ? near : "", near ? "'?" : "");
  return NULL;
}

/* How the port of a table link = { ... } is set. */
static void read_port(const reader *r, gscale_link_options *o)
{
  amount a;

  o->lanes = read_integer(r, "lanes", 0);
  if (o->lanes < 0) o->lanes = 0;
  o->ecrc = read_boolean(r, "ecrc", false);
  o->short_address = read_boolean(r, "short_address", false);
  if (push_field(r, "payload") != LUA_TNIL) {
    if (!to_amount(r->L, -1, &a))
      complain_type(r, "payload", "a size");
    else
      to_si(r, r->line, "payload", &a, GSCALE_BYTES, PLAIN_COUNTS, &o->payload);
  }
  lua_pop(r->L, 1);
}

/* link = "nvlink4", or link = { name = "nvlink4", rate = ... }. */
static void read_link(const reader *r, job *j)
{
  char name[GSCALE_NAME_MAX] = "";
  const reader inner = {r->L, lua_gettop(r->L) + 1, r->line, "link."};
  const gscale_link *l;
  gscale_link_options o = {0};
  gscale_link changed;
  gscale_diag diag;
  const int type = push_field(r, "link");

  if (type == LUA_TTABLE) {
    read_group(r, j, "link");
    read_text(&inner, "name", true, name, sizeof name);
    read_port(&inner, &o);
    lua_pop(r->L, 1);
  } else if (type == LUA_TSTRING) {
    lua_pop(r->L, 1);
    read_text(r, "link", true, name, sizeof name);
  } else {
    complain_type(r, "link", "a name or a table");
    lua_pop(r->L, 1);
  }

  l = find_link(r, name);
  if (!l || isfinite(l->rate)) j->mentioned[GSCALE_LINK_RATE] = true;
  if (!l) return;
  changed = *l;
  if (gscale_link_change(&changed, &o, &diag) != GSCALE_OK ||
      gscale_system_set_link(j->system, &changed, &diag) != GSCALE_OK)
    complain(r->L, r->line, "link: %s", diag.text);
}

/* ---- systems: topologies ------------------------------------------------ */

/* Rates of a topology, and which it belongs to; END: to any. */
static const struct {
  const char *key;
  size_t offset; /* of a double of gscale_fabric */
  gscale_topology of;
} fabric_rates[] = {
    {"ingress", offsetof(gscale_fabric, ingress), GSCALE_TOPOLOGY_END},
    {"uplink", offsetof(gscale_fabric, uplink), GSCALE_TREE},
    {"root", offsetof(gscale_fabric, root), GSCALE_TREE},
    {"arc", offsetof(gscale_fabric, arc), GSCALE_RING},
    {"staged", offsetof(gscale_fabric, staged), GSCALE_MESH}};

/* And its other keys. */
static const struct {
  const char *key;
  gscale_topology of;
} fabric_keys[] = {{"kind", GSCALE_TOPOLOGY_END},
                   {"group", GSCALE_TREE},
                   {"split", GSCALE_TREE},
                   {"links", GSCALE_MESH},
                   {"per_link", GSCALE_MESH}};

/* A rate relative to link.rate: given as a rate, or as a fraction. */
static bool read_relative(const reader *r, const job *j, const char *key,
                          double *out)
{
  const double whole = gscale_system_get(j->system, GSCALE_LINK_RATE)->val;
  const quantity *q = system_number(r, key);
  gscale_param p = {0};

  if (!q ||
      !to_param(r, key, q, q->value.is_text ? GSCALE_BYTERATE : GSCALE_COUNT,
                PLAIN_COUNTS, &p))
    return false;
  if (!q->value.is_text)
    *out = p.val;
  else if (whole > 0.0) /* else link.rate is missing, which was said */
    *out = p.val / whole;
  return true;
}

/* The list on top of the stack: numbers of links from GPU i. */
static bool read_links_row(const reader *r, size_t i, size_t n, double per_link,
                           double *row)
{
  size_t length = 0;
  bool ok = true;

  if (!is_list(r, "links", "rows", n, n, &length)) return false;
  for (size_t k = 0; k < n; k++) {
    lua_rawgeti(r->L, -1, (lua_Integer)k + 1);
    if (lua_type(r->L, -1) == LUA_TNUMBER) {
      row[k] = i == k ? 0.0 : lua_tonumber(r->L, -1) * per_link;
    } else {
      complain_type(r, "links", "numbers of links");
      ok = false;
    }
    lua_pop(r->L, 1);
  }
  return ok;
}

/* links[i][k] links from GPU i to GPU k, each of the rate `per_link`. */
static bool read_links(const reader *r, const job *j, int gpus,
                       gscale_fabric *f)
{
  double per_link = 1.0;
  size_t n = 0;
  bool ok = false;

  if (push_field(r, "per_link") == LUA_TNIL)
    complain_type(r, "per_link",
                  "the rate of one link, or its part of link.rate");
  else
    ok = read_relative(r, j, "per_link", &per_link);
  lua_pop(r->L, 1);

  push_field(r, "links");
  if (is_list(r, "links", "rows of numbers of links", 2, GSCALE_MESH_MAX, &n)) {
    f->mesh_gpus = (int)n;
    if (gpus >= 0 && gpus != f->mesh_gpus) {
      complain(r->L, r->line, "%slinks: %zu rows for %d GPUs", r->prefix, n,
               gpus);
      ok = false;
    }
  } else {
    n = 0;
    ok = false;
  }
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    ok = read_links_row(r, i, n, per_link, f->mesh[i]) && ok;
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
  return ok;
}

/* If the key is given to a topology that has no such thing. */
static void complain_foreign(const reader *r, const char *key,
                             gscale_topology of, const gscale_fabric *f)
{
  if (of == GSCALE_TOPOLOGY_END || of == f->kind) return;
  if (push_field(r, key) != LUA_TNIL)
    complain(r->L, r->line, "%s%s: a %s has none", r->prefix, key,
             gscale_topology_name(f->kind));
  lua_pop(r->L, 1);
}

static void read_split(const reader *r, gscale_fabric *f)
{
  gscale_param p = {0};
  const quantity *q;

  if (push_field(r, "split") != LUA_TNIL &&
      (q = system_number(r, "split")) != NULL &&
      to_param(r, "split", q, GSCALE_BYTES, PLAIN_COUNTS, &p))
    f->split = p.val;
  lua_pop(r->L, 1);
}

/* The table of gs.topology { ... }; false after a complaint that leaves no
 * topology. */
static bool read_fabric(const reader *r, const job *j,
                        const char *const kinds[], int gpus, gscale_fabric *f)
{
  const char *known[LENGTH(fabric_rates) + LENGTH(fabric_keys)];
  size_t n = 0, which;

  for (size_t i = 0; i < LENGTH(fabric_rates); i++)
    known[n++] = fabric_rates[i].key;
  for (size_t i = 0; i < LENGTH(fabric_keys); i++)
    known[n++] = fabric_keys[i].key;
  check_keys(r, known, n, 0);
  which = read_word(r, "kind", kinds, GSCALE_TOPOLOGY_END, GSCALE_TOPOLOGY_END);
  if (which == GSCALE_TOPOLOGY_END) return false;

  gscale_fabric_init(f, (gscale_topology)which);
  for (size_t i = 0; i < LENGTH(fabric_keys); i++)
    complain_foreign(r, fabric_keys[i].key, fabric_keys[i].of, f);
  for (size_t i = 0; i < LENGTH(fabric_rates); i++) {
    complain_foreign(r, fabric_rates[i].key, fabric_rates[i].of, f);
    if (push_field(r, fabric_rates[i].key) != LUA_TNIL)
      read_relative(r, j, fabric_rates[i].key,
                    (double *)((char *)f + fabric_rates[i].offset));
    lua_pop(r->L, 1);
  }
  read_split(r, f);
  f->group = read_integer(r, "group", f->group);
  if (f->kind == GSCALE_MESH && !read_links(r, j, gpus, f)) return false;
  return f->group >= 0;
}

/* topology = "switch", or topology = gs.topology { kind = "tree", ... }. */
static bool read_topology(const reader *r, const job *j, int gpus,
                          gscale_fabric *f)
{
  const char *kinds[GSCALE_TOPOLOGY_END];
  reader inner = {r->L, 0, 0, "topology."};
  bool ok;
  size_t which;

  for (size_t t = 0; t < GSCALE_TOPOLOGY_END; t++)
    kinds[t] = gscale_topology_name((gscale_topology)t);
  push_field(r, "topology");
  inner.line = push_thing(r->L, -1, THING_TOPOLOGY);
  inner.table = lua_gettop(r->L);
  if (inner.line) {
    ok = read_fabric(&inner, j, kinds, gpus, f);
    lua_settop(r->L, inner.table - 2);
    return ok;
  }
  if (lua_type(r->L, -1) != LUA_TSTRING) {
    complain_type(r, "topology", "a word or gs.topology { ... }");
    lua_pop(r->L, 1);
    return false;
  }
  lua_pop(r->L, 1);
  which =
      read_word(r, "topology", kinds, GSCALE_TOPOLOGY_END, GSCALE_TOPOLOGY_END);
  if (which == GSCALE_MESH)
    complain(r->L, r->line,
             "topology: a mesh needs gs.topology { kind = "
             "\"mesh\", links = ... }");
  if (which == GSCALE_TOPOLOGY_END || which == GSCALE_MESH) return false;
  gscale_fabric_init(f, (gscale_topology)which);
  return true;
}

static void read_shape(const reader *r, job *j)
{
  const int gpus = read_integer(r, "gpus", -1);
  const int calibrated = read_integer(r, "calibrated", 0);
  const bool grows = read_boolean(r, "grows", false);
  gscale_fabric f;
  gscale_diag diag;

  if (!read_topology(r, j, gpus, &f) || gpus < 0 || calibrated < 0) return;
  if (gscale_system_set_shape(j->system, &f, gpus, grows, calibrated, &diag) !=
      GSCALE_OK)
    complain(r->L, r->line, "%s", diag.text);
}

/* ---- systems ------------------------------------------------------------ */

static void read_copy_sizes(const reader *r, job *j)
{
  static const char key[] = "copy_sizes";
  amount low, high;
  gscale_diag diag;
  double least, most;

  if (push_field(r, key) == LUA_TTABLE) {
    lua_rawgeti(r->L, -1, 1);
    lua_rawgeti(r->L, -2, 2);
    if (lua_rawlen(r->L, -3) != 2 || !to_amount(r->L, -2, &low) ||
        !to_amount(r->L, -1, &high))
      complain(r->L, r->line, "copy_sizes: needs two sizes, {least, most}");
    else if (to_si(r, r->line, key, &low, GSCALE_BYTES, PLAIN_COUNTS, &least) &&
             to_si(r, r->line, key, &high, GSCALE_BYTES, PLAIN_COUNTS, &most) &&
             gscale_system_set_copy_range(j->system, least, most, &diag) !=
                 GSCALE_OK)
      complain(r->L, r->line, "%s", diag.text);
    lua_pop(r->L, 2);
  } else if (!lua_isnil(r->L, -1)) {
    complain_type(r, key, "two sizes");
  }
  lua_pop(r->L, 1);
}

/* True for the value of that name, a yes or no; `otherwise` without one. */
static bool said_yes(lua_State *L, const job *j, const char *name,
                     bool otherwise)
{
  const char *text = setting(j, name);

  if (!text) return otherwise;
  if (strcmp(text, "yes") == 0 || strcmp(text, "1") == 0) return true;
  if (strcmp(text, "no") != 0 && strcmp(text, "0") != 0)
    refuse_as(L, EXIT_USAGE, "-P %s: '%.60s': needs yes or no", name, text);
  return false;
}

/* What -P says of it. */
static void set_can(lua_State *L, const job *j, gscale_can *can)
{
  const char *text = setting(j, "can.peer");
  size_t i = 0;

  while (text && gscale_peer_name((gscale_peer)i) &&
         strcmp(gscale_peer_name((gscale_peer)i), text) != 0)
    i++;
  if (i == GSCALE_PEER_END)
    refuse_as(L, EXIT_USAGE,
              "-P can.peer: '%.60s': needs none, copies, stores or atomics",
              text);
  if (text) can->peer = (gscale_peer)i;
  can->managed = said_yes(L, j, "can.managed", can->managed);
  can->device_launch = said_yes(L, j, "can.device_launch", can->device_launch);
}

/* can = { peer = "stores", managed = true, device_launch = true }; what it does
 * not say is as with other machines of that link. */
static void read_can(const reader *r, job *j)
{
  static const char *const known[] = {"peer", "managed", "device_launch"};
  const reader inner = {r->L, lua_gettop(r->L) + 1, r->line, "can."};
  const char *peers[GSCALE_PEER_END];
  gscale_can can = *gscale_system_can(j->system);
  const gscale_can before = can;
  const bool given = push_field(r, "can") == LUA_TTABLE;

  for (size_t i = 0; i < GSCALE_PEER_END; i++)
    peers[i] = gscale_peer_name((gscale_peer)i);
  if (given) {
    check_keys(&inner, known, LENGTH(known), 0);
    can.peer = (gscale_peer)read_word(&inner, "peer", peers, GSCALE_PEER_END,
                                      can.peer);
    can.managed = read_boolean(&inner, "managed", can.managed);
    can.device_launch =
        read_boolean(&inner, "device_launch", can.device_launch);
  } else if (!lua_isnil(r->L, -1)) {
    complain_type(r, "can", "a table");
  }
  lua_pop(r->L, 1);
  set_can(r->L, j, &can);
  if (can.peer < GSCALE_PEER_END &&
      (given || memcmp(&can, &before, sizeof can) != 0))
    gscale_system_set_can(j->system, &can, NULL);
}

/* { workload = "w", paradigm = "p", rows = 9, sigma = gs.measured(...) }, the
 * table on top of the stack. */
static void read_discrepancy(const reader *r, job *j)
{
  static const char *const known[] = {"workload", "paradigm", "rows", "sigma"};
  gscale_discrepancy d = {0};
  char paradigm[GSCALE_NAME_MAX];
  gscale_diag diag;
  bool ok = false;

  check_keys(r, known, LENGTH(known), 0);
  read_text(r, "workload", true, d.workload, sizeof d.workload);
  read_text(r, "paradigm", true, paradigm, sizeof paradigm);
  d.paradigm = gscale_paradigm_find(paradigm);
  if (*paradigm && d.paradigm == gscale_paradigm_count())
    complain(r->L, r->line, "%sparadigm: no paradigm '%s'", r->prefix,
             paradigm);
  const int count = read_integer(r, "rows", -1);
  push_field(r, "sigma");
  const quantity *q = system_number(r, "sigma");
  if (q) ok = to_param(r, "sigma", q, GSCALE_COUNT, PLAIN_COUNTS, &d.sigma);
  lua_pop(r->L, 1);
  if (!ok || count < 0 || !*d.workload || d.paradigm == gscale_paradigm_count())
    return; /* it was said why */
  d.rows = (size_t)count;
  if (gscale_system_add_discrepancy(j->system, &d, &diag) != GSCALE_OK)
    complain(r->L, r->line, "%s", diag.text);
}

static void read_discrepancy_list(const reader *r, job *j)
{
  static const char key[] = "discrepancy";
  size_t n = 0;

  if (push_field(r, key) != LUA_TNIL)
    is_list(r, key, "a list", 0, GSCALE_DISCREPANCIES_MAX, &n);
  for (size_t i = 0; i < n && i < GSCALE_DISCREPANCIES_MAX; i++) {
    char prefix[32];
    const reader item = {r->L, lua_gettop(r->L) + 1, r->line, prefix};

    snprintf(prefix, sizeof prefix, "%s[%zu].", key, i + 1);
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    if (lua_istable(r->L, -1))
      read_discrepancy(&item, j);
    else
      complain(r->L, r->line, "%s[%zu]: needs a table, got a %s", key, i + 1,
               type_name(r->L, -1));
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
}

/* discrepancies = "h200x8": the name of their table; a file may have a list
 * instead, as frozen ones do. */
static void read_table_name(const reader *r, job *j)
{
  static const char key[] = "discrepancies";

  read_text(r, key, false, j->table, sizeof j->table);
  check_name(r->L, r->line, key, j->table, ".+-");
  if (*j->table && gscale_system_discrepancy(j->system, 0))
    complain(r->L, r->line, "discrepancy: a list, and a table by name too");
}

static void read_about(const reader *r, job *j)
{
  read_text(r, "name", true, j->more.name, sizeof j->more.name);
  check_name(r->L, r->line, "name", j->more.name, ".+-");
  read_text(r, "summary", false, j->more.summary, sizeof j->more.summary);
}

/* like = "h200x8": a name, never a path, so that a description cannot say which
 * files are opened. */
static void read_like(const reader *r, job *j)
{
  j->alike = push_field(r, "like") != LUA_TNIL;
  lua_pop(r->L, 1);
  read_text(r, "like", j->alike, j->like, sizeof j->like);
  if (is_file(j->like))
    complain(r->L, r->line, "like: '%.60s': needs a system's name, not a file",
             j->like);
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

  if (!line)
    refuse(L, 0, "returns a %s; a system file ends with `return gs.system {`",
           type_name(L, 1));
  for (size_t i = 0; i < LENGTH(system_keys); i++) known[n++] = system_keys[i];
  for (size_t i = 0; i < ngroups; i++) known[n++] = groups[i];
  check_keys(&r, known, n, 0);

  j->line = line;
  read_about(&r, j);
  read_like(&r, j);
  j->system = gscale_system_new(j->more.name);
  if (!j->system) refuse_as(L, EXIT_INTERNAL, "no memory for a system");
  read_link(&r, j);
  read_shape(&r, j);
  read_copy_sizes(&r, j);
  read_can(&r, j);
  read_groups(&r, j, groups, ngroups);
  read_discrepancy_list(&r, j);
  read_table_name(&r, j);
  set_params(L, j);
  complain_missing(&r, j);
  stop_if_noted(L);
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
    if (!to_amount(r->L, -1, &a))
      complain_type(r, key, "a number");
    else
      to_si(r, r->line, key, &a, dim, PLAIN_COUNTS, &value);
  }
  lua_pop(r->L, 1);
  return value;
}

/* False after a complaint that leaves it without unit or default. */
static bool read_knob(const reader *r, knob *k)
{
  static const char *const known[] = {"default", "unit",  "least",
                                      "most",    "whole", "doc"};
  bool ok = true;
  size_t unit;

  check_keys(r, known, LENGTH(known), 0);
  k->whole = read_boolean(r, "whole", false);
  read_text(r, "doc", false, k->doc, sizeof k->doc);
  push_field(r, "default");
  if (!to_amount(r->L, -1, &k->standard)) {
    complain_type(r, "default", "a number");
    ok = false;
  }
  lua_pop(r->L, 1);
  unit = read_word(r, "unit", units, LENGTH(units), GSCALE_COUNT);
  if (unit == LENGTH(units)) return false;
  k->dim = (gscale_dim)unit;
  k->least = read_bound(r, "least", k->dim, -INFINITY);
  k->most = read_bound(r, "most", k->dim, INFINITY);
  return ok;
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

/* What -P says of it. */
static double knob_setting(const reader *r, const char *name, const knob *k,
                           const char *text)
{
  const char *objection;
  gscale_diag diag;
  char words[128];
  double value;

  if (gscale_parse_quantity(text, k->dim, &value, &diag) != GSCALE_OK)
    refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, diag.text);
  objection = knob_objection(k, value, words, sizeof words);
  if (objection) refuse_as(r->L, EXIT_USAGE, "-P %s: %s", name, objection);
  return value;
}

static double knob_default(const reader *r, const knob *k)
{
  const char *objection;
  char words[128];
  double value = 0.0;

  if (!to_si(r, r->line, "default", &k->standard, k->dim, PLAIN_COUNTS, &value))
    return 0.0;
  objection = knob_objection(k, value, words, sizeof words);
  if (objection) complain(r->L, r->line, "%sdefault: %s", r->prefix, objection);
  return value;
}

/* The value in force, and how to show it: the setting, or the default. */
static double knob_value(const reader *r, const job *j, const char *name,
                         const knob *k, char *shown, size_t size)
{
  const char *text = setting(j, name);
  const double value =
      text ? knob_setting(r, name, k, text) : knob_default(r, k);

  if (text)
    snprintf(shown, size, "%.*s", (int)size - 1, text);
  else if (k->standard.is_text)
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
  knob k = {.dim = GSCALE_COUNT};

  if (!line) {
    complain(r->L, r->line, "knobs.%.60s: needs gs.knob { ... }, got a %s",
             name, type_name(r->L, -1));
    return;
  }
  snprintf(prefix, sizeof prefix, "knobs.%.60s: ", name);
  check_name(r->L, line, "knobs", name, "");
  if (strlen(name) >= sizeof j->more.knob[i].name) {
    complain(r->L, line, "knobs.%.60s: the name is longer than %zu letters",
             name, sizeof j->more.knob[i].name - 1);
  } else if (read_knob(&inner, &k)) {
    /* A double, always: counts multiply, and Lua's integers wrap around. */
    lua_pushnumber(r->L, knob_value(&inner, j, name, &k, j->more.knob[i].value,
                                    sizeof j->more.knob[i].value));
    lua_setfield(r->L, values, name);
    strcpy(j->more.knob[i].name, name);
    memcpy(j->more.knob[i].doc, k.doc, sizeof k.doc);
    j->more.knobs++;
  }
  lua_pop(r->L, 1);
}

/* Pushes a table of the knobs' values. */
static void push_knobs(const reader *whole, job *j)
{
  lua_State *L = whole->L;
  const char *names[KNOBS_MAX];
  size_t n = 0;
  reader r = {L, lua_gettop(L) + 1, whole->line, "knobs."};

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
  make_strict(L, "knob");
}

/* ---- phases ------------------------------------------------------------- */

typedef struct draft { /* a phase under construction */
  gscale_phase p;
  int weakest; /* of its numbers' origins */
} draft;

/* From firm to weak; -1 for an origin that no workload's number can have. */
static int weakness(gscale_origin o)
{
  static const int order[GSCALE_ORIGIN_END] = {
      [GSCALE_SPEC] = -1,    [GSCALE_COUNTED] = 0, [GSCALE_DERIVED] = 1,
      [GSCALE_MEASURED] = 2, [GSCALE_ASSUMED] = 3, [GSCALE_FITTED] = 4};

  return order[o];
}

/* The number on top of the stack: plain ones follow from the algorithm. */
static bool to_number(const reader *r, const char *key, gscale_dim dim,
                      gscale_param *p)
{
  const quantity *q = to_quantity(r->L, -1);
  amount a;

  *p = (gscale_param){.origin = GSCALE_DERIVED};
  if (q && weakness(q->origin) < 0) {
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

/* The same, into *to, with its origin noted. */
static bool take_number(const reader *r, const char *key, gscale_dim dim,
                        draft *d, double *to)
{
  gscale_param p;

  if (!to_number(r, key, dim, &p)) return false;
  *to = p.val;
  if (weakness(p.origin) > d->weakest) {
    d->weakest = weakness(p.origin);
    d->p.origin = p.origin;
  }
  return true;
}

/* A key of a phase: how its value, on top of the stack, is read, and which
 * bytes of a gscale_phase it fills. */
typedef struct field {
  const char *name;
  void (*read)(const reader *r, const struct field *f, draft *d);
  size_t offset, size;
  gscale_dim dim;
} field;

static void read_amount(const reader *r, const field *f, draft *d)
{
  take_number(r, f->name, f->dim, d, (double *)((char *)&d->p + f->offset));
}

/* A part of a phase: a table of numbers. */
typedef struct part {
  const char *name;
  size_t offset; /* of a double from `base` */
  gscale_dim dim;
} part;

static void read_parts(const reader *r, const char *key, const part *parts,
                       size_t n, draft *d, void *base)
{
  char prefix[2 * LABEL_SIZE];
  const reader inner = {r->L, lua_gettop(r->L), r->line, prefix};
  const char *known[8];

  if (!lua_istable(r->L, -1)) {
    complain_type(r, key, "a table");
    return;
  }
  snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, key);
  for (size_t i = 0; i < n; i++) known[i] = parts[i].name;
  check_keys(&inner, known, n, 0);
  for (size_t i = 0; i < n; i++) {
    if (push_field(&inner, parts[i].name) != LUA_TNIL)
      take_number(&inner, parts[i].name, parts[i].dim, d,
                  (double *)((char *)base + parts[i].offset));
    lua_pop(r->L, 1);
  }
}

static void read_calls(const reader *r, const field *f, draft *d)
{
  static const part parts[] = {
      {"launches", offsetof(gscale_calls, launches), GSCALE_COUNT},
      {"copies", offsetof(gscale_calls, copies), GSCALE_COUNT},
      {"events", offsetof(gscale_calls, events), GSCALE_COUNT}};

  read_parts(r, f->name, parts, LENGTH(parts), d, &d->p.calls);
}

static void complain_paradigm(const reader *r, const char *name)
{
  const char *names[KEYS_MAX], *near;
  size_t n = 0;

  for (; n < KEYS_MAX && gscale_paradigm_at(n); n++)
    names[n] = gscale_paradigm_at(n)->name;
  near = nearest(name, names, n);
  complain(r->L, r->line, "%sextra: no paradigm '%.60s'%s%s%s", r->prefix, name,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* extra = { memcpy = { kernels = 1, bytes = ... }, ... } */
static void read_extra(const reader *r, const field *f, draft *d)
{
  static const part parts[] = {
      {"kernels", offsetof(gscale_extra, kernels), GSCALE_COUNT},
      {"flop", offsetof(gscale_extra, flop), GSCALE_FLOP},
      {"bytes", offsetof(gscale_extra, bytes), GSCALE_BYTES}};
  const char *names[GSCALE_EXTRAS_MAX];
  char label[LABEL_SIZE], prefix[LABEL_SIZE];
  const reader inner = {r->L, lua_gettop(r->L), r->line, prefix};
  size_t n;

  if (!lua_istable(r->L, -1)) {
    complain_type(r, f->name, "a table");
    return;
  }
  snprintf(prefix, sizeof prefix, "%sextra: ", r->prefix);
  n = names_of(&inner, 0, names, GSCALE_EXTRAS_MAX);
  if (n > GSCALE_EXTRAS_MAX) {
    complain(r->L, r->line, "%sextra: more than %d paradigms", r->prefix,
             (int)GSCALE_EXTRAS_MAX);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    gscale_extra *e = &d->p.extra[d->p.extras];

    if (gscale_paradigm_find(names[i]) == gscale_paradigm_count()) {
      complain_paradigm(r, names[i]);
      continue;
    }
    snprintf(e->paradigm, sizeof e->paradigm, "%s", names[i]);
    snprintf(label, sizeof label, "extra.%s", names[i]);
    push_field(&inner, names[i]);
    read_parts(r, label, parts, LENGTH(parts), d, e);
    lua_pop(r->L, 1);
    d->p.extras++;
  }
}

static void read_pattern(const reader *r, const field *f, draft *d)
{
  const char *patterns[GSCALE_PATTERN_END];
  size_t to;

  for (size_t i = 0; i < GSCALE_PATTERN_END; i++)
    patterns[i] = gscale_pattern_name((gscale_pattern)i);
  to = read_word(r, f->name, patterns, GSCALE_PATTERN_END, GSCALE_PATTERN_END);
  if (to < GSCALE_PATTERN_END) d->p.to = (gscale_pattern)to;
}

static void read_precision(const reader *r, const field *f, draft *d)
{
  const char *words[GSCALE_PRECISION_END];
  size_t which;

  for (size_t i = 0; i < GSCALE_PRECISION_END; i++)
    words[i] = gscale_precision_name((gscale_precision)i);
  which =
      read_word(r, f->name, words, GSCALE_PRECISION_END, GSCALE_PRECISION_END);
  if (which < GSCALE_PRECISION_END) d->p.precision = (gscale_precision)which;
}

static void read_flag(const reader *r, const field *f, draft *d)
{
  *(bool *)((char *)&d->p + f->offset) = read_boolean(r, f->name, false);
}

static void read_ready(const reader *r, const field *f, draft *d)
{
  gscale_profile ready;

  if (read_pairs(r, f->name, GSCALE_COUNT, PLAIN_SI, ready.at, ready.ready,
                 GSCALE_PROFILE_MAX, &ready.n))
    d->p.ready = ready;
}

static void read_shares(const reader *r, const field *f, draft *d)
{
  double *const to = (double *)((char *)&d->p + f->offset);
  char label[LABEL_SIZE];
  size_t n;

  if (!is_list(r, f->name, "a list of shares", 1, f->size / sizeof *to, &n))
    return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    snprintf(label, sizeof label, "%s[%zu]", f->name, i + 1);
    take_number(r, label, GSCALE_COUNT, d, &to[i]);
    lua_pop(r->L, 1);
  }
}

/* One { size, share [, "masked"] } on top of the stack. */
static bool read_store(const reader *r, const char *key, draft *d, size_t i)
{
  gscale_stores *s = &d->p.stores;
  bool ok;

  if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) < 2 ||
      lua_rawlen(r->L, -1) > 3) {
    complain(r->L, r->line,
             "%s%s: needs { size, share } or "
             "{ size, share, \"masked\" }",
             r->prefix, key);
    return false;
  }
  lua_rawgeti(r->L, -1, 1);
  ok = take_number(r, key, GSCALE_BYTES, d, &s->size[i]);
  lua_rawgeti(r->L, -2, 2);
  ok = take_number(r, key, GSCALE_COUNT, d, &s->share[i]) && ok;
  lua_rawgeti(r->L, -3, 3);
  s->masked[i] = !lua_isnil(r->L, -1);
  if (s->masked[i] && (lua_type(r->L, -1) != LUA_TSTRING ||
                       strcmp(lua_tostring(r->L, -1), "masked") != 0)) {
    complain_type(r, key, "\"masked\" or nothing as third item");
    ok = false;
  }
  lua_pop(r->L, 3);
  return ok;
}

static void read_stores(const reader *r, const field *f, draft *d)
{
  const gscale_stores before = d->p.stores;
  char label[LABEL_SIZE];
  bool ok = true;
  size_t n;

  if (!is_list(r, f->name, "a list of stores", 1, GSCALE_STORES_MAX, &n))
    return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    snprintf(label, sizeof label, "%s[%zu]", f->name, i + 1);
    ok = read_store(r, label, d, i) && ok;
    lua_pop(r->L, 1);
  }
  d->p.stores.n = n;
  if (!ok) d->p.stores = before;
}

#define PLACE(member)                                                          \
  offsetof(gscale_phase, member), sizeof((gscale_phase *)0)->member
#define AMOUNT(member, dim)                                                    \
  {                                                                            \
#member, read_amount, PLACE(member), dim                                   \
  }

static const field fields[] = {
    AMOUNT(repeats, GSCALE_COUNT),
    AMOUNT(units, GSCALE_COUNT),
    AMOUNT(serial, GSCALE_COUNT),
    AMOUNT(kernels, GSCALE_COUNT),
    AMOUNT(flop, GSCALE_FLOP),
    {"precision", read_precision, PLACE(precision), GSCALE_COUNT},
    AMOUNT(bytes, GSCALE_BYTES),
    AMOUNT(footprint, GSCALE_BYTES),
    AMOUNT(compute_max, GSCALE_COUNT),
    AMOUNT(chain, GSCALE_COUNT),
    AMOUNT(far, GSCALE_COUNT),
    AMOUNT(gather, GSCALE_BYTES),
    AMOUNT(stay, GSCALE_COUNT),
    {"calls", read_calls, PLACE(calls), GSCALE_COUNT},
    {"to", read_pattern, PLACE(to), GSCALE_COUNT},
    AMOUNT(publish, GSCALE_BYTES),
    {"subscribers", read_shares, PLACE(subscribers), GSCALE_COUNT},
    AMOUNT(egress_max, GSCALE_COUNT),
    AMOUNT(ingress_max, GSCALE_COUNT),
    AMOUNT(rewrites, GSCALE_COUNT),
    AMOUNT(read, GSCALE_COUNT),
    {"ready", read_ready, PLACE(ready), GSCALE_COUNT},
    {"apart", read_flag, PLACE(apart), GSCALE_COUNT},
    AMOUNT(copies, GSCALE_COUNT),
    AMOUNT(over, GSCALE_COUNT),
    {"store", read_amount, PLACE(stores.size[0]), GSCALE_BYTES},
    {"masked", read_flag, PLACE(stores.masked[0]), GSCALE_COUNT},
    {"stores", read_stores, PLACE(stores), GSCALE_COUNT},
    AMOUNT(spread, GSCALE_BYTES),
    {"joins", read_shares, PLACE(joins.share), GSCALE_COUNT},
    AMOUNT(fetch, GSCALE_BYTES),
    AMOUNT(loads, GSCALE_COUNT),
    {"atomic", read_flag, PLACE(atomic), GSCALE_COUNT},
    AMOUNT(block, GSCALE_BYTES),
    AMOUNT(boundary, GSCALE_COUNT),
    {"extra", read_extra, offsetof(gscale_phase, extras),
     offsetof(gscale_phase, origin) - offsetof(gscale_phase, extras),
     GSCALE_COUNT},
};

enum {
  FIELDS = LENGTH(fields)
};

static bool is_given(const bool given[], const char *name)
{
  size_t i = 0;

  while (strcmp(fields[i].name, name) != 0) i++;
  return given[i];
}

/* What no field can say of itself. */
static void check_together(const reader *r, const bool given[], const draft *d)
{
  const bool subscribers = is_given(given, "subscribers");

  if (is_given(given, "stores") &&
      (is_given(given, "store") || is_given(given, "masked")))
    complain(r->L, r->line,
             "%sstores: say all in it: not beside store or "
             "masked",
             r->prefix);
  if (subscribers && d->p.to != GSCALE_TO_SUBSCRIBERS)
    complain(r->L, r->line, "%ssubscribers: needs to = \"subscribers\"",
             r->prefix);
  if (!subscribers && d->p.to == GSCALE_TO_SUBSCRIBERS)
    complain(r->L, r->line, "%ssubscribers: missing; needs a list of shares",
             r->prefix);
}

/* The library names the first wrong field of a phase; all of them are found by
 * giving it a phase of each field alone. */
static bool is_refused(const gscale_phase *p, const field *f, gscale_diag *diag)
{
  gscale_workload *w = gscale_workload_new("");
  gscale_phase one;
  bool refused;

  gscale_phase_init(&one, p->name);
  memcpy((char *)&one + f->offset, (const char *)p + f->offset, f->size);
  if (f->read == read_pattern) one.to = GSCALE_TO_NONE; /* alone it is right */
  refused = w && gscale_workload_add(w, &one, diag) != GSCALE_OK;
  gscale_workload_free(w);
  return refused;
}

static void complain_fields(const reader *r, const gscale_phase *p,
                            const bool given[], const char *otherwise)
{
  gscale_diag diag;
  bool found = false;

  for (size_t i = 0; i < FIELDS; i++)
    if (given[i] && is_refused(p, &fields[i], &diag)) {
      complain(r->L, r->line, "%s", diag.text);
      found = true;
    }
  if (!found) complain(r->L, r->line, "%s", otherwise);
}

static void read_phase(const reader *r, job *j)
{
  const char *known[1 + FIELDS];
  char name[GSCALE_NAME_MAX], prefix[GSCALE_NAME_MAX + 3] = "";
  const reader named = {r->L, r->table, r->line, prefix};
  bool given[FIELDS];
  gscale_diag diag;
  gscale_status st;
  draft d = {.weakest = -1};

  known[0] = "name";
  for (size_t i = 0; i < FIELDS; i++) known[1 + i] = fields[i].name;
  read_text(r, "name", true, name, sizeof name);
  check_name(r->L, r->line, "name", name, ".+-");
  if (*name) snprintf(prefix, sizeof prefix, "%s: ", name);
  check_keys(&named, known, LENGTH(known), 0);

  gscale_phase_init(&d.p, name);
  for (size_t i = 0; i < FIELDS; i++) {
    given[i] = push_field(&named, fields[i].name) != LUA_TNIL;
    if (given[i]) fields[i].read(&named, &fields[i], &d);
    lua_pop(r->L, 1);
  }
  check_together(&named, given, &d);
  if (d.p.to == GSCALE_TO_SUBSCRIBERS && !is_given(given, "subscribers"))
    d.p.to = GSCALE_TO_NONE; /* it was said */
  st = gscale_workload_add(j->workload, &d.p, &diag);
  if (st == GSCALE_ESIZE) refuse(r->L, r->line, "%s", diag.text);
  if (st != GSCALE_OK) complain_fields(&named, &d.p, given, diag.text);
}

/* ---- workloads ---------------------------------------------------------- */

static void read_single(const reader *r, job *j)
{
  gscale_diag diag;
  gscale_param p;

  if (push_field(r, "single") != LUA_TNIL &&
      to_number(r, "single", GSCALE_TIME, &p) && p.val != 0.0 &&
      gscale_workload_set_single(j->workload, p, &diag) != GSCALE_OK)
    complain(r->L, r->line, "%s", diag.text);
  lua_pop(r->L, 1);
}

static void read_threads(const reader *r, job *j)
{
  const int threads = read_integer(r, "threads", 0);
  const int streams = read_integer(r, "streams", 1);
  gscale_diag diag;

  if (threads < 0 || streams < 0) return;
  if (gscale_workload_set_host(j->workload, threads, streams, &diag) !=
      GSCALE_OK)
    complain(r->L, r->line, "%s", diag.text);
}

/* What step() returned, on top of the stack. */
static void read_step(lua_State *L, int line, job *j)
{
  static const char *const known[] = {"single", "threads", "streams", "host",
                                      "schedule"};
  static const int one = 1;
  const reader r = {L, lua_gettop(L), line, ""};
  lua_Integer n;

  if (!lua_istable(L, -1))
    refuse(L, line, "step: needs to return a table, got a %s",
           type_name(L, -1));
  n = (lua_Integer)lua_rawlen(L, -1);
  check_keys(&r, known, LENGTH(known), n);
  if (n == 0) complain(L, line, "step: returns no gs.phase { ... }");
  read_single(&r, j);
  read_threads(&r, j);

  for (lua_Integer i = 1; i <= n; i++) {
    reader phase = {L, 0, 0, ""};

    /* A list without end of the same wrong phase. */
    if (i > KEYS_MAX) stop_if_noted(L);
    lua_rawgeti(L, r.table, i);
    phase.line = push_thing(L, -1, THING_PHASE);
    phase.table = lua_gettop(L);
    if (phase.line)
      read_phase(&phase, j);
    else
      complain(L, line, "step: item %lld is a %s; needs gs.phase { ... }",
               (long long)i, type_name(L, -1));
    lua_settop(L, r.table);
  }
  read_schedule(L, r.table, line, j->workload, j->gpus ? j->gpus : &one,
                j->gpus ? j->sizes : 1);
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
  check_keys(&r, known, LENGTH(known), 0);
  read_about(&r, j);
  j->workload = gscale_workload_new(j->more.name);
  if (!j->workload) refuse_as(L, EXIT_INTERNAL, "no memory for a workload");

  if (push_field(&r, "step") != LUA_TFUNCTION)
    complain_type(&r, "step", "a function");
  push_knobs(&r, j);
  stop_if_noted(L); /* step() would stumble over what is not there */
  lua_call(L, 1, 1);
  read_step(L, line, j);
}

/* ---- the ways in -------------------------------------------------------- */

static int load(kind k, const char *what, job *j, about *more, failure *why)
{
  int st = find_description(k, what, j->more.path, sizeof j->more.path, why);

  if (st == EXIT_OK)
    st = sandbox_run_more(
        j->more.path, &default_limits, k == KIND_WORKLOAD ? offer_calls : NULL,
        k == KIND_SYSTEM ? read_system : read_workload, j, why);
  if (st == EXIT_OK && more) *more = j->more;
  return st;
}

/* What its file leaves to the system that it is like.  That one's own is not
 * followed: what nobody measured there would seem measured here. */
static int take_like(job *j, failure *why)
{
  job base = {0};
  int st = EXIT_OK;

  if (!j->alike) return EXIT_OK;
  if (find_description(KIND_SYSTEM, j->like, base.more.path,
                       sizeof base.more.path, why) != EXIT_OK) {
    const failure said = *why;
    st = fail(why, said.status, "%s:%d: like: %.200s", j->more.path, j->line,
              said.text);
  }
  if (st == EXIT_OK) st = load(KIND_SYSTEM, j->like, &base, NULL, why);
  if (st == EXIT_OK && base.alike)
    st = fail(why, EXIT_DATA,
              "%s:%d: like: '%s' is itself like '%s': name a system that "
              "stands by itself",
              j->more.path, j->line, j->like, base.like);
  if (st == EXIT_OK) take_alike(j->system, base.system, j->like, j->mentioned);
  gscale_system_free(base.system);
  return st;
}

/* Reads the table of discrepancies that the file names. */
static int take_table(job *j, failure *why)
{
  char path[sizeof j->more.path];
  bool shared;

  if (!*j->table) return EXIT_OK;
  if (find_discrepancies(j->more.path, j->table, path, sizeof path, &shared,
                         why) != EXIT_OK) {
    const failure said = *why;
    return fail(why, said.status, "%s:%d: %.400s", j->more.path, j->line,
                said.text);
  }
  if (shared)
    memcpy(j->more.discrepancies, j->table, sizeof j->more.discrepancies);
  return read_discrepancies(j->system, path, why);
}

static int check_system(const job *j, failure *why)
{
  gscale_diag diag;
  const gscale_status st = gscale_system_check(j->system, &diag);

  if (st == GSCALE_OK) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s:%d: %s", j->more.path, j->line, diag.text);
}

int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why)
{
  job j = {.set = set};
  int st = load(KIND_SYSTEM, what, &j, NULL, why);

  if (st == EXIT_OK) st = take_like(&j, why);
  if (st == EXIT_OK) st = take_table(&j, why);
  if (st == EXIT_OK) st = check_system(&j, why);
  if (st == EXIT_OK && more) *more = j.more;
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

int load_for(const char *what, settings *set, const int *gpus, size_t n,
             gscale_workload **out, failure *why)
{
  job j = {.set = set, .gpus = gpus, .sizes = n};
  const int st = load(KIND_WORKLOAD, what, &j, NULL, why);

  if (st == EXIT_OK)
    *out = j.workload;
  else
    gscale_workload_free(j.workload);
  return st;
}
