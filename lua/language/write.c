/* write.c - writes systems as descriptions that define the same numbers. */

#include "language/language.h"

#include <math.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------- */

enum {
  EXACT = 0, /* constants have all digits */
  SIX = 6    /* six digits agree within 5e-6 */
};

/* Writes a count as a number, and a quantity as text with its unit. */
static void put_number(FILE *f, double v, gscale_dim dim, int digits)
{
  const char *quote = dim == GSCALE_COUNT ? "" : "\"";
  char text[64];

  gscale_format_digits(v, dim, digits, text, sizeof text);
  fprintf(f, "%s%s%s", quote, text, quote);
}

static void put_text(FILE *f, const char *text)
{
  putc('"', f);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') putc('\\', f);
    putc(*c, f);
  }
  putc('"', f);
}

/* Writes an assumed range, whose width represents the error. The middle of the
 * range is the value, unless the low end would be negative. */
static void put_range(FILE *f, const gscale_param *p, gscale_dim dim)
{
  const double width = p->err * sqrt(12.0);
  const double low = fmax(p->val - 0.5 * width, 0.0);

  fprintf(f, "{ ");
  put_number(f, low, dim, SIX);
  fprintf(f, ", ");
  put_number(f, low + width, dim, SIX);
  fprintf(f, " }, ");
}

static void put_origin(FILE *f, const gscale_param *p, gscale_dim dim)
{
  fprintf(f, "%s(", gscale_name(GSCALE_ORIGIN_NAMES, p->origin));
  put_number(f, p->val, dim, p->origin == GSCALE_SPEC ? EXACT : SIX);
  fprintf(f, ", ");
  if (p->origin == GSCALE_MEASURED || p->origin == GSCALE_PROJECTED ||
      p->origin == GSCALE_FITTED || p->origin == GSCALE_INHERITED) {
    put_number(f, p->err, dim, SIX);
    fprintf(f, ", ");
  }
  if (p->origin == GSCALE_ASSUMED) put_range(f, p, dim);
  put_text(f, *p->source ? p->source : "the base system");
  putc(')', f);
}

/* ---- system parts -------------------------------------------------------- */

/* Returns whether a parameter has its default and is therefore not written. */
static bool is_default(const gscale_system *s, size_t id)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  const gscale_param *p = gscale_system_get(s, (gscale_param_id)id);
  const gscale_param d = gscale_param_default(id);

  if (info->scales) return gscale_system_guessed(s, (gscale_param_id)id);
  return !info->required && p->origin == d.origin && !(p->val < d.val) &&
         !(p->val > d.val) && !(p->err < d.err) && !(p->err > d.err);
}

static size_t group_length(const char *name)
{
  return strcspn(name, ".");
}

static void put_curve(FILE *f, const gscale_system *s)
{
  const gscale_param *membw =
      gscale_system_get(s, gscale_param_find("device.membw"));
  const bool told =
      membw->origin == GSCALE_PROJECTED || membw->origin == GSCALE_INHERITED;
  const gscale_curve *c = gscale_system_about(s).membw;

  if (c->n == 0) return;
  fprintf(f, "    membw_curve = %s({\n",
          told ? gscale_name(GSCALE_ORIGIN_NAMES, membw->origin) : "measured");
  for (size_t i = 0; i < c->n; i++) {
    fprintf(f, "      { ");
    put_number(f, c->x[i], GSCALE_BYTES, EXACT);
    fprintf(f, ", ");
    put_number(f, c->y[i], GSCALE_COUNT, SIX);
    fprintf(f, " },\n");
  }
  /* The error is the spread of repeated runs at small footprints. */
  fprintf(f, "    }, \"5 %%\", ");
  put_text(f, membw->source);
  fprintf(f, "),\n");
}

/* Writes the network's keys inside the group's table. */
static void put_network(FILE *f, const gscale_system *s)
{
  const gscale_network *n = gscale_system_about(s).network;

  if (!n) return;
  fprintf(f, "    link = \"%s\",\n    topology = \"%s\",\n", n->link.name,
          gscale_name(GSCALE_NET_TOPOLOGY_NAMES, n->kind));
  if (n->leaf > 0) fprintf(f, "    leaf = %d,\n", n->leaf);
}

/* Writes the parameters named "GROUP.key" as a table. */
static void put_group(FILE *f, const gscale_system *s, const char *group)
{
  fprintf(f, "\n  %s = {\n", group);
  if (strcmp(group, "network") == 0) put_network(f, s);
  for (size_t id = 0; gscale_param_info_at(id); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const gscale_param *p = gscale_system_get(s, (gscale_param_id)id);
    const size_t n = group_length(info->name);

    if (strlen(group) != n || strncmp(info->name, group, n) != 0 ||
        is_default(s, id))
      continue;
    fprintf(f, "    %s = ", info->name + n + 1);
    put_origin(f, p, info->dim);
    fprintf(f, ",\n");
  }
  if (strcmp(group, "device") == 0) put_curve(f, s);
  fprintf(f, "  },\n");
}

/* Returns whether a parameter of the group differs from its default. */
static bool group_differs(const gscale_system *s, size_t id, size_t n)
{
  const char *group = gscale_param_info_at(id)->name;

  for (; gscale_param_info_at(id); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    if (strncmp(info->name, group, n + 1) != 0) return false;
    if (!is_default(s, id)) return true;
  }
  return false;
}

/* Writes all groups except the link, which has a form of its own. */
static void put_groups(FILE *f, const gscale_system *s)
{
  char last[32] = "link";

  for (size_t id = 0; gscale_param_info_at(id); id++) {
    const char *name = gscale_param_info_at(id)->name;
    const size_t n = group_length(name);

    if (strlen(last) == n && strncmp(name, last, n) == 0) continue;
    snprintf(last, sizeof last, "%.*s", (int)n, name);
    if (strcmp(last, "link") != 0 && group_differs(s, id, n))
      put_group(f, s, last);
  }
}

static void put_link(FILE *f, const gscale_system *s)
{
  const gscale_link *l = gscale_system_about(s).link;
  const gscale_link *plain = gscale_link_find(l->name);
  const gscale_param *duplex =
      gscale_system_get(s, gscale_param_find("link.duplex"));

  fprintf(f, "\n  link = {\n    name = ");
  put_text(f, l->name);
  fprintf(f, ",\n    rate = ");
  put_origin(f, gscale_system_get(s, gscale_param_find("link.rate")),
             GSCALE_BYTERATE);
  if (!is_default(s, gscale_param_find("link.duplex"))) {
    fprintf(f, ",\n    duplex = ");
    put_origin(f, duplex, GSCALE_COUNT);
  }
  if (plain && l->copy_payload < plain->copy_payload) {
    fprintf(f, ",\n    payload = ");
    put_number(f, l->copy_payload, GSCALE_BYTES, EXACT);
  }
  if (plain && l->header > plain->header) fprintf(f, ",\n    ecrc = true");
  if (plain && l->header < plain->header)
    fprintf(f, ",\n    short_address = true");
  fprintf(f, ",\n  },\n");
}

static void put_spec(FILE *f, const char *key, double value, gscale_dim dim)
{
  fprintf(f, ", %s = spec(", key);
  put_number(f, value, dim, EXACT);
  fprintf(f, ", \"the base system\")");
}

/* Writes a rate of a topology unless it is the default. */
static void put_rate(FILE *f, const gscale_system *s, const char *key,
                     double value, double otherwise)
{
  const gscale_field *row = gscale_field_find(GSCALE_OF_TOPOLOGY, key);
  const gscale_param *p = row ? gscale_system_topology(s, row) : NULL;

  if (p && p->origin == GSCALE_FITTED) {
    fprintf(f, ", %s = ", key);
    put_origin(f, p, GSCALE_COUNT);
  } else if (value < otherwise || value > otherwise) {
    put_spec(f, key, value, GSCALE_COUNT);
  }
}

static void put_mesh(FILE *f, const gscale_fabric *t)
{
  fprintf(f, ",\n    per_link = spec(1, \"the base system\"), links = {\n");
  for (int i = 0; i < t->mesh_gpus; i++) {
    fprintf(f, "      {");
    for (int j = 0; j < t->mesh_gpus; j++) {
      fprintf(f, j ? ", " : " ");
      put_number(f, t->mesh[i][j], GSCALE_COUNT, EXACT);
    }
    fprintf(f, " },\n");
  }
  fprintf(f, "    }");
}

static void put_topology(FILE *f, const gscale_system *s)
{
  const gscale_fabric *t = gscale_system_about(s).fabric;
  const gscale_param *rate =
      gscale_system_get(s, gscale_param_find("link.rate"));
  gscale_fabric plain;

  gscale_fabric_init(&plain, t->kind);
  fprintf(f, "  topology = gs.topology { kind = \"%s\"",
          gscale_topology_name(t->kind));
  put_rate(f, s, "ingress", t->ingress, plain.ingress);
  if (t->kind == GSCALE_TREE) {
    fprintf(f, ", group = %d", t->group);
    put_rate(f, s, "uplink", t->uplink, plain.uplink);
    if (isfinite(t->root)) put_rate(f, s, "root", t->root, plain.root);
    if (t->split > 0.0) put_spec(f, "split", t->split, GSCALE_BYTES);
  }
  if (t->kind == GSCALE_RING) put_rate(f, s, "arc", t->arc, plain.arc);
  if (t->kind == GSCALE_MESH) {
    const gscale_param *host =
        gscale_system_get(s, gscale_param_find("staged.rate"));
    if (fabs(host->val / rate->val - t->staged) > 1e-9 * t->staged)
      put_rate(f, s, "staged", t->staged, plain.staged);
    else
      fputs(", staged = ", f), put_origin(f, host, GSCALE_BYTERATE);
    put_mesh(f, t);
  }
  fprintf(f, " },\n");
}

static void put_can(FILE *f, const gscale_system *s)
{
  const gscale_can *can = gscale_system_can(s);

  fprintf(f, "  can = { peer = \"%s\", managed = %s, device_launch = %s },\n",
          gscale_name(GSCALE_PEER_NAMES, can->peer),
          can->managed ? "true" : "false",
          can->device_launch ? "true" : "false");
}

/* Writes the fields of a group as a table indented by `blanks` columns. If
 * there are no fields, nothing is written. */
static void put_rows(FILE *f, const gscale_system *s, gscale_described of,
                     const char *group, const char *name, int blanks)
{
  bool open = false;

  GSCALE_EACH_FIELD (of, row) {
    const gscale_param *p = gscale_system_remote_said(s, row);

    if (!p || strcmp(row->group, group) != 0) continue;
    if (!open) fprintf(f, "\n%*s%s = {\n", blanks, "", name);
    open = true;
    fprintf(f, "%*s%s = ", blanks + 2, "", row->name);
    put_origin(f, p, row->dim);
    fprintf(f, ",\n");
  }
  if (open) fprintf(f, "%*s},\n", blanks, "");
}

static bool has_any(const gscale_system *s, gscale_described of)
{
  GSCALE_EACH_FIELD (of, row)
    if (gscale_system_remote_said(s, row)) return true;
  return false;
}

static void put_remote(FILE *f, const gscale_system *s)
{
  const char *last = "";

  put_rows(f, s, GSCALE_OF_POWER, "", "power", 2);
  if (!has_any(s, GSCALE_OF_REMOTE)) return;
  fprintf(f, "\n  remote = {");
  GSCALE_EACH_FIELD (GSCALE_OF_REMOTE, row)
    if (strcmp(row->group, last) != 0) {
      last = row->group;
      put_rows(f, s, GSCALE_OF_REMOTE, last, last, 4);
    }
  fprintf(f, "  },\n");
}

/* Writes the hashes of the fitted runs, and the correlations. */
static void put_learned(FILE *f, const gscale_system *s)
{
  const gscale_correlation *c;
  const size_t rows = gscale_system_about(s).rows;

  if (rows > 0)
    fprintf(f, "\n  -- Hashes of the rows that numbers were fitted to: nothing "
               "is validated with\n  -- them.\n  fitted_to = {");
  for (size_t i = 0; i < rows; i++)
    fprintf(f, "%s\"%016llx\",", i % 3 ? " " : "\n    ",
            (unsigned long long)gscale_system_row(s, i));
  if (rows > 0) fprintf(f, "\n  },\n");
  if (gscale_system_cover_at(s, 0))
    fprintf(f, "  -- What they cover: paradigm, N, footprint on all GPUs.\n"
               "  fitted_over = {\n");
  for (size_t i = 0; gscale_system_cover_at(s, i); i++) {
    const gscale_cover *v = gscale_system_cover_at(s, i);
    fprintf(f, "    { \"%s\", %d, %d, \"%.9g B\", \"%.9g B\" },\n",
            gscale_paradigm_at(v->paradigm)->name, v->least, v->most, v->small,
            v->large);
  }
  if (gscale_system_cover_at(s, 0)) fprintf(f, "  },\n");
  if (gscale_system_correlation(s, 0)) fprintf(f, "  correlations = {\n");
  for (size_t i = 0; (c = gscale_system_correlation(s, i)); i++)
    fprintf(f, "    { \"%s\", \"%s\", %.4g },\n",
            gscale_param_info_at(c->a)->name, gscale_param_info_at(c->b)->name,
            c->r);
  if (gscale_system_correlation(s, 0)) fprintf(f, "  },\n");
}

/* Returns whether a number of the system has the given origin. */
static bool has_origin(const gscale_system *s, gscale_origin origin)
{
  static const gscale_described of[] = {GSCALE_OF_REMOTE, GSCALE_OF_POWER};

  for (size_t i = 0; i < gscale_param_count(); i++)
    if (gscale_system_get(s, (gscale_param_id)i)->origin == origin) return true;
  for (size_t k = 0; k < LENGTH(of); k++)
    GSCALE_EACH_FIELD (of[k], row) {
      const gscale_param *p = gscale_system_remote_said(s, row);
      if (p && p->origin == origin) return true;
    }
  return false;
}

void put_system(FILE *f, const gscale_system *s, const char *name,
                const char *summary, int calibrated)
{
  double least, most;

  fprintf(
      f,
      "local gs = require \"gpuscale\"\n"
      "local spec, measured, assumed = gs.spec, gs.measured, "
      "gs.assumed\n%s%s%s\n"
      "return gs.system {\n  name = \"%s\",\n"
      "  summary = ",
      has_origin(s, GSCALE_PROJECTED) ? "local projected = gs.projected\n" : "",
      has_origin(s, GSCALE_INHERITED) ? "local inherited = gs.inherited\n" : "",
      has_origin(s, GSCALE_FITTED) ? "local fitted = gs.fitted\n" : "", name);
  put_text(f, summary);
  fprintf(f, ",\n  gpus = %d,\n", gscale_system_about(s).node);
  if (gscale_system_about(s).network)
    fprintf(f, "  nodes = %d,\n  rails = %d,\n",
            gscale_system_about(s).network->nodes,
            gscale_system_about(s).network->rails);
  if (gscale_system_about(s).network &&
      gscale_system_about(s).network->shared > 1)
    fprintf(f, "  shared = %d,\n", gscale_system_about(s).network->shared);
  put_topology(f, s);
  if (gscale_system_about(s).grows) fprintf(f, "  grows = true,\n");
  fprintf(f, "  calibrated = %d,\n", calibrated);
  gscale_system_copy_range(s, &least, &most);
  if (isfinite(most)) {
    fprintf(f, "  copy_sizes = { ");
    put_number(f, least, GSCALE_BYTES, EXACT);
    fprintf(f, ", ");
    put_number(f, most, GSCALE_BYTES, EXACT);
    fprintf(f, " },\n");
  }
  put_can(f, s);
  put_link(f, s);
  put_groups(f, s);
  put_remote(f, s);
  put_learned(f, s);
  fprintf(f, "}\n");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
