/* import.c - recognition of the formats of other tools. */

#include "import/import.h"

#include <string.h>

/* JSON formats come first, because JSON may quote words of text formats. */
static const gscale__format *const formats[] = {
    &gscale__format_nccl_json,
    &gscale__format_rccl_json,
    &gscale__format_nvbandwidth_json,
    &gscale__format_nccl,
    &gscale__format_nvbandwidth,
    &gscale__format_p2p,
    &gscale__format_osu,
    &gscale__format_tables,
};

static bool fits(const gscale__format *f, const gscale__source *s)
{
  return gscale__has(s, f->has) && gscale__has(s, f->has_too) &&
         (!f->json || *gscale__json_root(s) == '{');
}

static const gscale__topology *const topologies[] = {&gscale__topology_nccl_xml,
                                                     &gscale__topology_smi};

enum {
  FORMATS = sizeof formats / sizeof *formats,
  TOPOLOGIES = sizeof topologies / sizeof *topologies
};

const char *gscale_import_name(size_t i)
{
  return i < FORMATS ? formats[i]->name : NULL;
}

/* Returns the format with a name, or the format of the content without a name,
 * or FORMATS if no format fits. */
static size_t find_format(const gscale__source *s, const char *name)
{
  for (size_t i = 0; i < FORMATS; i++)
    if (name ? strcmp(formats[i]->name, name) == 0 : fits(formats[i], s))
      return i;
  return FORMATS;
}

static size_t find_topology(const gscale__source *s)
{
  size_t i = 0;
  while (i < TOPOLOGIES && !topologies[i]->detect(s)) i++;
  return i;
}

static gscale_status unknown(const gscale__source *s, const char *name)
{
  if (name)
    return gscale__fail(s->diag, GSCALE_ENAME, "no import format '%.40s'",
                        name);
  if (find_topology(s) < TOPOLOGIES)
    return gscale__fail(s->diag, GSCALE_ENAME,
                        "%s: a topology, it holds no times", s->path);
  char names[GSCALE_TEXT_MAX] = "";
  for (size_t k = 0; k < FORMATS; k++)
    gscale_append(names, sizeof names, "%s%s", k ? ", " : "", formats[k]->name);
  return gscale__fail(s->diag, GSCALE_ENAME,
                      "%s: content of no known import format; known are %s",
                      s->path, names);
}

void gscale__ask_ranks(gscale__source *s, const char *at)
{
  if (!s->asked)
    gscale__remark(s, GSCALE_REMARK_BROKEN, at,
                   "the log does not tell the number of ranks: add --ranks");
  s->asked = true;
}

/* Reports what could not be read, and refuses a file without measurements. */
static gscale_status conclude(gscale__source *s)
{
  const gscale_remark *broken;
  size_t i = s->remarks;

  do broken = gscale_measurements_remark(s->out, i++);
  while (broken && broken->kind != GSCALE_REMARK_BROKEN);
  if (s->rows == 0 && (s->broken > 0 || s->skipped == 0) && !broken)
    return gscale__cut(s, "before the first row");
  if (s->rows == 0 && broken)
    return gscale__fail(s->diag, GSCALE_EPARSE, "%s:%d: no row is left: %s",
                        s->path, broken->line, broken->text);
  if (s->repeated > 0)
    gscale__remark(s, GSCALE_REMARK_NOTE, NULL,
                   "%zu line%s repeat the line before: left out", s->repeated,
                   s->repeated == 1 ? "" : "s");
  if (s->broken > 0)
    gscale__remark(s, GSCALE_REMARK_NOTE, NULL,
                   "%zu lines could not be read, the first: %.120s", s->broken,
                   s->first.text);
  return GSCALE_OK;
}

gscale_status gscale_import(gscale_measurements *m, const char *path,
                            const char *format, size_t *skipped,
                            gscale_diag *diag)
{
  const size_t before = gscale_measurements_count(m);
  gscale__source s;
  gscale_diag why = {""};
  gscale_status st = gscale__source_open(&s, path, diag ? diag : &why);
  if (st != GSCALE_OK) return st;

  s.out = m;
  while (gscale_measurements_remark(m, s.remarks)) s.remarks++;
  gscale__strip(&s);
  const size_t i = find_format(&s, format);
  st = i < FORMATS ? formats[i]->read(&s) : GSCALE_ENAME;
  if (st == GSCALE_ENAME) st = unknown(&s, format);
  if (st == GSCALE_OK) st = conclude(&s);
  gscale__source_close(&s);
  if (st != GSCALE_OK)
    gscale__measurements_cut(m, before);
  else if (skipped)
    *skipped = s.skipped;
  return st;
}

static gscale_status read_topology(gscale__source *s, gscale_fabric *out,
                                   int *gpus)
{
  gscale__links links = {.gpus = 0};
  const size_t i = find_topology(s);
  if (i == TOPOLOGIES)
    return gscale__fail(s->diag, GSCALE_ENAME,
                        "%s: content of no known topology format", s->path);
  gscale_status st = topologies[i]->read(s, &links);
  if (st == GSCALE_OK) st = gscale__fabric(s, &links, out);
  if (st == GSCALE_OK) *gpus = links.gpus;
  return st;
}

gscale_status gscale_import_topology(const char *path, gscale_fabric *out,
                                     int *gpus, gscale_diag *diag)
{
  gscale__source s;
  gscale_status st = gscale__source_open(&s, path, diag);
  if (st != GSCALE_OK) return st;
  gscale__strip(&s);
  st = read_topology(&s, out, gpus);
  gscale__source_close(&s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
