/* system.c - converts the result of a description to a system. */

#include "language/learned.h"

#include <math.h>
#include <string.h>

/* ---- parameters ---------------------------------------------------------- */

/* The keys of a system that are not groups of parameters. */
static const char *const system_keys[] = {
    "name",          "summary",    "gpus",       "topology",    "grows",
    "link",          "calibrated", "copy_sizes", "discrepancy", "like",
    "discrepancies", "can",        "fitted_to",  "fitted_over", "correlations",
    "node",          "nodes",      "rails",      "remote",      "power",
    "from",          "hosts",      "shared"};

/* The keys of `network` that are not parameters. */
static const char *const network_keys[] = {"link", "topology", "leaf"};

/* Returns the group of a parameter, such as "copy" for "copy.initiation". */
static void group_of(size_t id, char *group, size_t size)
{
  const char *name = gscale_param_info_at(id)->name;

  snprintf(group, size, "%.*s", (int)strcspn(name, "."), name);
}

static bool in_group(size_t id, const char *group)
{
  const char *name = gscale_param_info_at(id)->name;
  const size_t n = strlen(group);

  return strncmp(name, group, n) == 0 && name[n] == '.';
}

/* Lists each group once. The parameters of a group are consecutive. */
static size_t list_groups(char group[][24], size_t most)
{
  size_t n = 0;

  for (size_t id = 0; gscale_param_info_at(id) && n < most; id++)
    if (n == 0 || !in_group(id, group[n - 1]))
      group_of(id, group[n++], sizeof *group);
  return n;
}

/* Reads the number on top of the stack into a parameter. */
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

/* Reads the factors on device.membw. Each factor has the given error. */
static void read_membw_curve(const reader *r, job *j)
{
  static const char key[] = "membw_curve";
  const quantity *q;
  gscale_curve c = {0};
  gscale_diag diag;

  if (push_field(r, key) != LUA_TNIL && (q = system_number(r, key))) {
    const reader at = {r->L, 0, q->line, r->prefix};

    push_list(r->L, -1);
    gscale_param each = {.val = 1.0, .origin = q->origin};
    memcpy(each.source, q->source, sizeof each.source);
    if (standard_error(&at, key, q, 1.0, GSCALE_COUNT, PLAIN_COUNTS,
                       &each.err) &&
        read_pairs(&at, key, GSCALE_BYTES, PLAIN_COUNTS, c.x, c.y,
                   GSCALE_CURVE_MAX, &c.n) &&
        (gscale_system_set_membw_curve(j->system, &c, &diag) != GSCALE_OK ||
         gscale_system_doubt_membw_curve(j->system, &each, &diag) != GSCALE_OK))
      complain(r->L, q->line, "%s", diag.text);
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
}

/* Reads one group of parameters from the table on top of the stack. */
static void read_group(const reader *whole, job *j, const char *group)
{
  char prefix[32];
  const reader r = {whole->L, lua_gettop(whole->L), whole->line, prefix};
  const char *known[KEYS_MAX];
  size_t n = 0;

  snprintf(prefix, sizeof prefix, "%s.", group);
  GSCALE_EACH_FIELD (GSCALE_OF_LINK, f)
    if (strcmp(group, "link") == 0) known[n++] = f->name;
  if (strcmp(group, "device") == 0) known[n++] = "membw_curve";
  if (strcmp(group, "device") == 0 && j->projected) known[n++] = "name";
  for (size_t i = 0; strcmp(group, "network") == 0 && i < LENGTH(network_keys);
       i++)
    known[n++] = network_keys[i];
  for (size_t id = 0; gscale_param_info_at(id) && n < KEYS_MAX; id++)
    if (in_group(id, group))
      known[n++] = gscale_param_info_at(id)->name + strlen(prefix);
  check_keys(&r, known, n, 0);

  for (size_t i = 0; i < n; i++) {
    char name[64];
    size_t id;

    snprintf(name, sizeof name, "%s%s", prefix, known[i]);
    id = gscale_param_find(name);
    if (id == gscale_param_count()) continue;
    if (push_field(&r, known[i]) != LUA_TNIL) {
      j->mentioned[id] = true;
      read_param(&r, j, id, known[i]);
    }
    lua_pop(r.L, 1);
  }
  if (strcmp(group, "device") == 0) read_membw_curve(&r, j);
}

/* Returns whether `device` is a name, as in device = "b200" of a projected
 * system. read_projection() reads the name. */
static bool is_device_name(const job *j, const char *group)
{
  return j->projected && strcmp(group, "device") == 0;
}

static void read_groups(const reader *r, job *j, char groups[][24], size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (strcmp(groups[i], "link") == 0) continue; /* read_link() reads it */
    if (push_field(r, groups[i]) == LUA_TTABLE) {
      read_group(r, j, groups[i]);
    } else if (!lua_isnil(r->L, -1) && !is_device_name(j, groups[i])) {
      complain_type(r, groups[i], "a table");
      for (size_t id = 0; id < gscale_param_count(); id++)
        if (in_group(id, groups[i])) j->mentioned[id] = true;
    }
    lua_pop(r->L, 1);
  }
}

static void complain_missing(const reader *r, const job *j)
{
  for (size_t id = 0; id < gscale_param_count(); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);

    if (info->required && !j->mentioned[id] && !j->projected &&
        !(j->has_like && is_inheritable((gscale_param_id)id)))
      complain_of(r, "%s: missing (%s)", info->name, info->meaning);
  }
}

/* Replaces the link if -P gives it another rate. */
static void change_rate(lua_State *L, job *j)
{
  const char *text = setting(j, "link.rate");
  const gscale_param *now =
      gscale_system_get(j->system, gscale_param_find("link.rate"));
  gscale_link l = *gscale_system_about(j->system).link;
  gscale_param p;
  gscale_diag diag;

  if (!text || !(now->val > 0.0) ||
      settings_number(text, GSCALE_BYTERATE, &p, &diag) != GSCALE_OK ||
      fabs(p.val / now->val - 1.0) < 1e-9)
    return;
  l.rate *= p.val / now->val;
  if (gscale_system_swap_link(j->system, &l, &diag) != GSCALE_OK)
    refuse_as(L, EXIT_USAGE, "-P link.rate: %s", diag.text);
}

/* Applies settings of parameters. A value such as -P link.rate=64GB/s is
 * assumed, and has no error unless one is given. */
static void set_params(lua_State *L, job *j)
{
  gscale_diag diag;

  change_rate(L, j);
  for (size_t id = 0; gscale_param_info_at(id); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const char *text = setting(j, info->name);
    gscale_param p;

    if (!text) continue;
    if (settings_number(text, info->dim, &p, &diag) != GSCALE_OK)
      refuse_as(L, EXIT_USAGE, "-P %s: %s", info->name, diag.text);
    if (!(p.err > 0.0)) p.origin = GSCALE_ASSUMED;
    if (gscale_system_set(j->system, (gscale_param_id)id, &p, &diag) !=
        GSCALE_OK)
      refuse_as(L, EXIT_USAGE, "-P %s", diag.text);
    j->mentioned[id] = true;
  }
}

/* ---- links --------------------------------------------------------------- */

static const gscale_link *find_link(const reader *r, const char *name)
{
  const gscale_link *l = gscale_link_find(name);
  const char *names[KEYS_MAX];
  hint near;
  size_t n = 0;

  if (l || !*name) return l;
  for (; n < KEYS_MAX && gscale_link_at(n); n++)
    names[n] = gscale_link_at(n)->name;
  complain_of(r, "link: '%.60s' is unknown%s", name,
              suggested(near, name, names, n, "; see `gpuscale list links`"));
  return NULL;
}

/* Reads the port options of a link that is given as a table. */
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

/* Reads `link`, which is a name or a table with a name. */
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
  if (!l || isfinite(l->rate))
    j->mentioned[gscale_param_find("link.rate")] = true;
  if (!l) return;
  changed = *l;
  if (gscale_link_change(&changed, &o, &diag) != GSCALE_OK ||
      gscale_system_set_link(j->system, &changed, &diag) != GSCALE_OK)
    complain_of(r, "link: %s", diag.text);
}

/* ---- networks ------------------------------------------------------------ */

/* Reads the network's link, topology and leaf. */
static void read_network_table(const reader *r, gscale_network *n)
{
  const char *kinds[GSCALE_NET_TOPOLOGY_END];
  const reader inner = {r->L, lua_gettop(r->L), r->line, "network."};
  char name[GSCALE_NAME_MAX] = "";

  for (size_t i = 0; i < GSCALE_NET_TOPOLOGY_END; i++)
    kinds[i] = gscale_name(GSCALE_NET_TOPOLOGY_NAMES, (gscale_net_topology)i);
  n->kind = (gscale_net_topology)read_word(
      &inner, "topology", kinds, GSCALE_NET_TOPOLOGY_END, GSCALE_NET_FLAT);
  n->leaf = read_integer(&inner, "leaf", 0);
  read_text(&inner, "link", true, name, sizeof name);
  const gscale_link *l = find_link(&inner, name);
  if (l) n->link = *l;
}

/* Reads nodes, rails, shared and network without checking their consistency. */
static void read_network(const reader *r, job *j)
{
  const int type = push_field(r, "network");
  const bool any = type != LUA_TNIL;

  j->grows = read_boolean(r, "grows", false);
  if (type == LUA_TTABLE)
    read_network_table(r, &j->network);
  else if (any)
    complain_type(r, "network", "a table");
  lua_pop(r->L, 1);
  j->network.rails = read_integer(r, "rails", 1);
  j->network.shared = read_integer(r, "shared", 1);
  j->network.nodes = read_integer(r, "nodes", any ? -1 : 0);
  j->joined = any;
  if (!any && (j->network.nodes != 0 || *j->node))
    complain_of(r, "network: missing (how the nodes are joined)");
}

/* Reads a key such as node = "h200x8", which sets GPUs, ports and topology. */
static void read_node(const reader *r, job *j)
{
  static const char *const there[] = {
      "gpus",       "topology", "link",        "calibrated",    "can",
      "copy_sizes", "like",     "discrepancy", "discrepancies", "from"};

  read_text(r, "node", false, j->node, sizeof j->node);
  if (!*j->node) return;
  if (is_file(j->node))
    complain_of(r, "node: '%.60s': needs a system's name, not a file", j->node);
  for (size_t i = 0; i < LENGTH(there); i++) {
    if (push_field(r, there[i]) != LUA_TNIL)
      complain_of(r, "%s: the node '%s' says that", there[i], j->node);
    lua_pop(r->L, 1);
  }
}

/* ---- topologies ---------------------------------------------------------- */

/* A shape has a topology under construction and the origins of its rates. */
typedef struct shape {
  gscale_fabric f;
  size_t doubts;
  struct {
    const gscale_field *field;
    gscale_param p;
  } doubt[8];
} shape;

/* Reads a rate relative to link.rate. The file gives a rate or a fraction.  A
 * rate through the host is staged.rate of the system. */
static bool read_relative(const reader *r, job *j, const gscale_field *f,
                          shape *s, double *out)
{
  const double whole =
      gscale_system_get(j->system, gscale_param_find("link.rate"))->val;
  const quantity *q = system_number(r, f->name);
  gscale_param p = {0};
  double unit = 1.0;

  if (!q || !to_param(r, f->name, q,
                      f->dim != GSCALE_COUNT ? f->dim
                      : q->value.is_text     ? GSCALE_BYTERATE
                                             : GSCALE_COUNT,
                      PLAIN_COUNTS, &p))
    return false;
  if (f->dim == GSCALE_COUNT && q->value.is_text) unit = whole;
  if (q->value.is_text && out == &s->f.staged) {
    j->mentioned[gscale_param_find("staged.rate")] = true;
    read_param(r, j, gscale_param_find("staged.rate"), f->name);
    *out = INFINITY;
    return true;
  }
  if (!(unit > 0.0)) return true; /* the mistake is reported elsewhere */
  p.val /= unit;
  p.err /= unit;
  *out = p.val;
  if (s->doubts < LENGTH(s->doubt)) {
    s->doubt[s->doubts].field = f;
    s->doubt[s->doubts++].p = p;
  }
  return true;
}

/* Reads the list on top of the stack: the numbers of links from GPU i. */
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

/* Reads links[i][k], the number of links of rate `per_link` from GPU i to k. */
static bool read_links(const reader *r, job *j, int gpus, shape *s)
{
  const gscale_field *each =
      gscale_field_find(GSCALE_OF_TOPOLOGY, "mesh.per_link");
  double per_link = 1.0;
  size_t n = 0;
  bool ok = false;

  if (push_field(r, each->name) == LUA_TNIL)
    complain_type(r, each->name,
                  "the rate of one link, or its part of link.rate");
  else
    ok = read_relative(r, j, each, s, &per_link);
  lua_pop(r->L, 1);

  push_field(r, "links");
  if (is_list(r, "links", "rows of numbers of links", 2, GSCALE_MESH_MAX, &n)) {
    s->f.mesh_gpus = (int)n;
    if (gpus >= 0 && gpus != s->f.mesh_gpus) {
      complain_of(r, "links: %zu rows for %d GPUs", n, gpus);
      ok = false;
    }
  } else {
    n = 0;
    ok = false;
  }
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    ok = read_links_row(r, i, n, per_link, s->f.mesh[i]) && ok;
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
  return ok;
}

/* Connects GPUs 0 and 1, 2 and 3, and so on, by a link of the full rate. Other
 * pairs exchange data through the host, by default at staged.rate. */
static bool join_pairs(const reader *r, int gpus, shape *s)
{
  if (gpus < 2 || gpus > GSCALE_MESH_MAX || gpus % 2 != 0) {
    complain_of(r, "pairs: %d GPUs: needs an even number up to %d", gpus,
                (int)GSCALE_MESH_MAX);
    return false;
  }
  s->f.mesh_gpus = gpus;
  for (int i = 0; i < gpus; i++) s->f.mesh[i][i ^ 1] = 1.0;
  if (!(s->f.staged > 0.0)) s->f.staged = INFINITY;
  return true;
}

/* Reads the table of gs.topology. Returns false after a complaint. */
static bool read_fabric(const reader *r, job *j, int gpus, shape *s)
{
  const char *known[KEYS_MAX];
  const gscale_field *which_kind = gscale_field_at(GSCALE_OF_TOPOLOGY, 0);
  const char *words[GSCALE_TOPOLOGY_END + 1] = {[GSCALE_TOPOLOGY_END] =
                                                    "pairs"};
  size_t n = 0, which;
  bool pairs;

  GSCALE_EACH_FIELD (GSCALE_OF_TOPOLOGY, f) known[n++] = f->name;
  check_keys(r, known, n, 0);
  for (size_t i = 0; i < GSCALE_TOPOLOGY_END; i++)
    words[i] = which_kind->words[i];
  which = read_word(r, which_kind->name, words, LENGTH(words), LENGTH(words));
  if (which == LENGTH(words)) return false;
  pairs = which == GSCALE_TOPOLOGY_END;
  if (pairs) which = GSCALE_MESH;

  gscale_fabric_init(&s->f, (gscale_topology)which);
  GSCALE_EACH_FIELD (GSCALE_OF_TOPOLOGY, f) {
    if (f == which_kind) continue;
    const bool given = push_field(r, f->name) != LUA_TNIL;
    double *to = gscale_field_number(f, &s->f, 0);

    if (given && *f->group && strcmp(f->group, which_kind->words[which]) != 0)
      complain_of(r, "%s: a %s has none", f->name, which_kind->words[which]);
    else if (given && to && !f->required)
      read_relative(r, j, f, s, to);
    lua_pop(r->L, 1);
  }
  s->f.group = read_integer(r, "group", s->f.group);
  if (pairs) return join_pairs(r, gpus, s);
  if (s->f.kind == GSCALE_MESH && !read_links(r, j, gpus, s)) return false;
  return s->f.group >= 0;
}

/* Reads `topology`, which is a word or a gs.topology. */
static bool read_topology(const reader *r, job *j, int gpus, shape *s)
{
  const gscale_field *which_kind = gscale_field_at(GSCALE_OF_TOPOLOGY, 0);
  reader inner = {r->L, 0, 0, "topology."};
  bool ok;
  size_t which;

  push_field(r, "topology");
  inner.line = push_thing(r->L, -1, THING_TOPOLOGY);
  inner.table = lua_gettop(r->L);
  if (inner.line) {
    ok = read_fabric(&inner, j, gpus, s);
    lua_settop(r->L, inner.table - 2);
    return ok;
  }
  ok = lua_type(r->L, -1) == LUA_TSTRING;
  if (!ok) complain_type(r, "topology", "a word or gs.topology { ... }");
  lua_pop(r->L, 1);
  if (!ok) return false;
  which = read_word(r, "topology", which_kind->words, GSCALE_TOPOLOGY_END,
                    GSCALE_TOPOLOGY_END);
  if (which == GSCALE_MESH)
    complain_of(r, "topology: a mesh needs gs.topology { kind = "
                   "\"mesh\", links = ... }");
  if (which == GSCALE_TOPOLOGY_END || which == GSCALE_MESH) return false;
  gscale_fabric_init(&s->f, (gscale_topology)which);
  return true;
}

static void read_shape(const reader *r, job *j)
{
  const int gpus = read_integer(r, "gpus", -1);
  const int calibrated = read_integer(r, "calibrated", 0);
  const bool grows = read_boolean(r, "grows", false);
  shape s = {.doubts = 0};
  gscale_diag diag;
  gscale_status st;

  if (!read_topology(r, j, gpus, &s) || gpus < 0 || calibrated < 0) return;
  st = gscale_system_set_shape(j->system, &s.f, gpus, grows, calibrated, &diag);
  for (size_t i = 0; st == GSCALE_OK && i < s.doubts; i++)
    st = gscale_system_doubt_topology(j->system, s.doubt[i].field,
                                      &s.doubt[i].p, &diag);
  if (st != GSCALE_OK) complain_of(r, "%s", diag.text);
}

/* ---- systems ------------------------------------------------------------- */

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
      complain_of(r, "copy_sizes: needs two sizes, {least, most}");
    else if (to_si(r, r->line, key, &low, GSCALE_BYTES, PLAIN_COUNTS, &least) &&
             to_si(r, r->line, key, &high, GSCALE_BYTES, PLAIN_COUNTS, &most) &&
             gscale_system_set_copy_range(j->system, least, most, &diag) !=
                 GSCALE_OK)
      complain_of(r, "%s", diag.text);
    lua_pop(r->L, 2);
  } else if (!lua_isnil(r->L, -1)) {
    complain_type(r, key, "two sizes");
  }
  lua_pop(r->L, 1);
}

/* Returns the yes or no of a setting, or `otherwise` if it is not given. */
static bool flag_setting(lua_State *L, const job *j, const char *name,
                         bool otherwise)
{
  const char *text = setting(j, name);
  gscale_diag diag;

  if (text && settings_flag(text, &otherwise, &diag) != GSCALE_OK)
    refuse_as(L, EXIT_USAGE, "-P %s: %s", name, diag.text);
  return otherwise;
}

/* Applies -P settings of the machine's capabilities. */
static void set_can(lua_State *L, const job *j, gscale_can *can)
{
  const char *text = setting(j, "can.peer");
  size_t i = 0;

  while (text && gscale_name(GSCALE_PEER_NAMES, (gscale_peer)i) &&
         strcmp(gscale_name(GSCALE_PEER_NAMES, (gscale_peer)i), text) != 0)
    i++;
  if (i == GSCALE_PEER_END)
    refuse_as(L, EXIT_USAGE,
              "-P can.peer: '%.60s': needs none, copies, stores or atomics",
              text);
  if (text) can->peer = (gscale_peer)i;
  can->managed = flag_setting(L, j, "can.managed", can->managed);
  can->device_launch =
      flag_setting(L, j, "can.device_launch", can->device_launch);
}

/* Reads `can` with peer, managed and device_launch. A missing capability is
 * that of other machines with the same link. */
static void read_can(const reader *r, job *j)
{
  static const char *const known[] = {"peer", "managed", "device_launch"};
  const reader inner = {r->L, lua_gettop(r->L) + 1, r->line, "can."};
  const char *peers[GSCALE_PEER_END];
  gscale_can can = *gscale_system_can(j->system);
  const gscale_can before = can;
  const bool given = push_field(r, "can") == LUA_TTABLE;

  for (size_t i = 0; i < GSCALE_PEER_END; i++)
    peers[i] = gscale_name(GSCALE_PEER_NAMES, (gscale_peer)i);
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

/* Reads discrepancies = "none", which marks the machine of a model. Old files
 * have a table's name there, or a list named `discrepancy`. Both are
 * ignored. */
static void read_exact(const reader *r, job *j)
{
  static const char key[] = "discrepancies";
  char name[GSCALE_NAME_MAX] = "";

  read_text(r, key, false, name, sizeof name);
  j->exact = strcmp(name, "none") == 0;
}

/* Reads a key such as like = "h200x8". The value is never a path, so that a
 * description cannot choose which files are opened. */
static void read_like(const reader *r, job *j)
{
  j->has_like = push_field(r, "like") != LUA_TNIL;
  lua_pop(r->L, 1);
  read_text(r, "like", j->has_like, j->like, sizeof j->like);
  if (is_file(j->like))
    complain_of(r, "like: '%.60s': needs a system's name, not a file", j->like);
}

void read_system(lua_State *L, void *closure)
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
  rename_params(&r);
  for (size_t i = 0; i < LENGTH(system_keys); i++) known[n++] = system_keys[i];
  for (size_t i = 0; i < ngroups; i++) known[n++] = groups[i];
  check_keys(&r, known, n, 0);

  j->line = line;
  read_about(&r, j);
  read_node(&r, j);
  read_like(&r, j);
  read_projection(&r, j);
  read_network(&r, j);
  j->system = gscale_system_new(j->more.name);
  if (!j->system) refuse_as(L, EXIT_INTERNAL, "no memory for a system");
  if (!*j->node) {
    read_link(&r, j);
    read_shape(&r, j);
    read_copy_sizes(&r, j);
    read_can(&r, j);
    read_exact(&r, j);
  }
  read_groups(&r, j, groups, ngroups);
  read_remote(&r, j);
  read_learned(&r, j);
  set_params(L, j);
  if (!*j->node) complain_missing(&r, j);
  stop_if_noted(L);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
