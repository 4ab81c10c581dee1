/* csv.c - profiles of ncu and of params/trace in CSV form. */

#include "import/profile/profile.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

enum {
  FIELDS_MOST = 4096, /* limit for ncu's raw page */
  QUIET = 1 << 22     /* most B of a field */
};

typedef struct lines {
  gscale__reading *r;
  struct csv_parser parser;
  char **field; /* fields of the current line */
  size_t fields, line;
  size_t quiet; /* B without the end of a field */
  char **head;  /* heading of the current table, or NULL */
  size_t heads;
  bool (*row)(struct lines *l);
  bool units_next; /* the next line has units */
  char **unit;
  size_t units;
  double *values; /* values of a launch in ncu's table */
  gscale_status st;
} lines;

static void fail_line(lines *l, gscale_status st, const char *what)
{
  if (l->st == GSCALE_OK)
    l->st = st == GSCALE_ENOMEM ? gscale__record_lost(l->r)
                                : gscale__fail(l->r->diag, st, "%.100s:%zu: %s",
                                               l->r->path, l->line, what);
}

/* Returns the field in the column whose heading begins with a word, or "". */
static const char *field_of(const lines *l, const char *heading)
{
  const size_t n = strlen(heading);
  for (size_t i = 0; i < l->heads && i < l->fields; i++)
    if (strncmp(l->head[i], heading, n) == 0 &&
        (l->head[i][n] == '\0' || l->head[i][n] == ' '))
      return l->field[i];
  return "";
}

/* Reads a number, which may have separators of thousands, such as
 * "21,058,944". */
static double number_in(const char *text)
{
  char plain[64];
  size_t n = 0;
  const char *end;
  double v = NAN;
  for (const char *c = text; *c && n + 1 < sizeof plain; c++)
    if (*c != ',' && *c != ' ') plain[n++] = *c;
  plain[n] = '\0';
  if (n == 0 || gscale__parse_number(plain, &end, &v) != GSCALE_OK || *end)
    return NAN;
  return v;
}

static double number_of(const lines *l, const char *heading)
{
  return number_in(field_of(l, heading));
}

/* Reads a whole number exactly, because times exceed the precision of a
 * double. */
static int64_t whole(const char *text)
{
  return *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : -1;
}

static int small_of(const lines *l, const char *heading)
{
  const int64_t v = whole(field_of(l, heading));
  return v < 0 || v > INT32_MAX ? -1 : (int)v;
}

static bool has_heads(const lines *l, const char *const *name)
{
  size_t found = 0, want = 0;
  for (; name[want]; want++)
    for (size_t i = 0; i < l->fields; i++)
      if (strncmp(l->field[i], name[want], strlen(name[want])) == 0) {
        found++;
        break;
      }
  return found == want;
}

/* Returns the number after `key` in a text such as "grid=4x1x1 block=256x1x1
 * sync=7", or NaN. */
static double option(const char *text, const char *key)
{
  const char *const found = strstr(text, key);
  return found ? (double)whole(found + strlen(key)) : NAN;
}

/* Returns the product of the dimensions after `key`, such as 8 for "4x2x1". */
static double volume(const char *text, const char *key)
{
  const char *c = strstr(text, key);
  double v = 1.0;
  if (!c) return 0.0;
  for (c += strlen(key); *c >= '0' && *c <= '9'; c += *c == 'x') {
    char *end;
    v *= (double)strtoll(c, &end, 10);
    c = end;
  }
  return v;
}

static int64_t event_in(const char *text)
{
  const double record = option(text, "sync="), event = option(text, "event=");
  return record > 0.0   ? (int64_t)record
         : event >= 0.0 ? -1 - (int64_t)event
                        : 0;
}

static bool traced_row(lines *l)
{
  gscale_recording *const p = l->r->p;
  const char *const kind = field_of(l, "kind"), *const more =
                                                    field_of(l, "extra");
  gscale_recorded_what w = gscale__nothing(GSCALE_RECORDED_KIND_END);
  for (int k = 0; k < GSCALE_RECORDED_KIND_END; k++)
    if (strcmp(kind, gscale_name(GSCALE_RECORDED_KIND_NAMES,
                                 (gscale_recorded_kind)k)) == 0)
      w.kind = (gscale_recorded_kind)k;
  if (w.kind == GSCALE_RECORDED_KIND_END) {
    fail_line(l, GSCALE_EPARSE, "no such kind of record");
    return true;
  }
  w.process =
      gscale__id(&p->process, l->r->file, whole(field_of(l, "process")));
  if (w.kind >= GSCALE_RECORDED_CALL)
    w.thread = gscale__id(&p->thread, w.process, whole(field_of(l, "thread")));
  w.gpu = small_of(l, "device");
  if (*field_of(l, "stream"))
    w.stream = gscale__id(&p->stream, w.process,
                          gscale__pair(w.gpu, whole(field_of(l, "stream"))));
  w.name = w.kind == GSCALE_RECORDED_RANGE
               ? gscale__intern_range(p, field_of(l, "name"))
               : gscale__intern(p, w.kind == GSCALE_RECORDED_COPY
                                       ? ""
                                       : field_of(l, "name"));
  if (w.kind == GSCALE_RECORDED_COPY) {
    w.copy = gscale__copy_in(field_of(l, "name"));
    w.src = small_of(l, "src");
    w.dst = small_of(l, "dst");
    w.pageable = strcmp(field_of(l, "src"), "pageable") == 0 ||
                 strcmp(field_of(l, "dst"), "pageable") == 0;
  }
  w.bytes = (double)fmax(0.0, (double)whole(field_of(l, "bytes")));
  w.blocks = volume(more, "grid=");
  w.threads = volume(more, "block=");
  if (w.kind != GSCALE_RECORDED_KERNEL) w.blocks = w.threads = 0.0;
  int64_t end = whole(field_of(l, "end_ns"));
  const int64_t start = whole(field_of(l, "start_ns"));
  if (w.kind == GSCALE_RECORDED_EVENT || w.kind == GSCALE_RECORDED_WAIT ||
      w.kind == GSCALE_RECORDED_SYNC)
    end = event_in(more);
  else if (start < 0 || end < start) {
    fail_line(l, GSCALE_EPARSE, "start_ns, end_ns: no times");
    return true;
  }
  const int64_t correlation = whole(field_of(l, "correlation"));
  return gscale__record(p, &w, start, end,
                        correlation > 0 ? (uint32_t)correlation : 0);
}

static double scale_of(const char *unit)
{
  return *unit == 'K' || *unit == 'k' ? 1e3
         : *unit == 'M'               ? 1e6
         : *unit == 'G'               ? 1e9
         : *unit == 'T' && unit[1]    ? 1e12
                                      : 1.0;
}

static gscale__kernel_work *work_of(lines *l)
{
  gscale_recording *const p = l->r->p;
  const char *const name = gscale__intern(p, field_of(l, "Kernel Name"));
  double blocks = 1.0;
  for (const char *c = field_of(l, "Grid Size"); *c; c++)
    if (*c >= '0' && *c <= '9') {
      char *end;
      blocks *= (double)strtoll(c, &end, 10);
      c = end - 1;
    }
  for (size_t i = 0; i < p->works; i++)
    if (p->work[i].name == name && fabs(p->work[i].blocks - blocks) < 0.5)
      return &p->work[i];
  void *const v =
      gscale_reserve(p->work, &p->work_room, p->works + 1, sizeof *p->work);
  if (!name || !v) return NULL;
  p->work = v;
  p->work[p->works] = (gscale__kernel_work){name, blocks, 0.0, 0.0, 0.0};
  return &p->work[p->works++];
}

static bool has(const char *text, const char *word)
{
  return strstr(text, word);
}

/* Adds a metric of a launch, where flop = add + mul + 2 fma, and bytes = reads
 * + writes of DRAM. */
static void add_metric(gscale__kernel_work *k, const char *metric, double v)
{
  if (isnan(v)) return;
  if (has(metric, "dram__bytes_read.sum") ||
      has(metric, "dram__bytes_write.sum") ||
      strcmp(metric, "dram__bytes.sum") == 0)
    if (!has(metric, "per_second") && !has(metric, "pct")) k->bytes += v;
  if (has(metric, "sass_thread_inst_executed_op_") &&
      has(metric, "_pred_on.sum") && !has(metric, ".sum."))
    k->flop += has(metric, "fma")                         ? 2.0 * v
               : has(metric, "add") || has(metric, "mul") ? v
                                                          : 0.0;
}

/* Reads a row of ncu's raw page, which has a row per launch and a column per
 * metric. */
static bool raw_row(lines *l)
{
  if (l->fields < 11 || !*field_of(l, "Kernel Name")) return true;
  gscale__kernel_work *const k = work_of(l);
  if (!k) return false;
  k->launches++;
  for (size_t i = 11; i < l->heads && i < l->fields; i++)
    add_metric(k, l->head[i],
               number_in(l->field[i]) *
                   (i < l->units && l->unit ? scale_of(l->unit[i]) : 1.0));
  return true;
}

/* Reads a row of another page of ncu, which has a row per metric. */
static bool metric_row(lines *l)
{
  static const char seen_at[] = "ID";
  const char *const metric = field_of(l, "Metric Name");
  if (!*metric) return true;
  gscale__kernel_work *const k = work_of(l);
  if (!k) return false;
  const double id = number_of(l, seen_at);
  if (!l->values || *l->values < id || *l->values > id) {
    if (!l->values) l->values = malloc(sizeof *l->values);
    if (!l->values) return false;
    *l->values = id;
    k->launches++;
  }
  add_metric(k, metric,
             number_of(l, "Metric Value") *
                 scale_of(field_of(l, "Metric Unit")));
  return true;
}

static const struct {
  const char *head[8];
  bool (*row)(lines *l);
  bool units;
} known[] = {
    {{"kind", "process", "start_ns", "end_ns"}, traced_row, false},
    {{"ID", "Kernel Name", "Metric Name", "Metric Value"}, metric_row, false},
    {{"ID", "Kernel Name", "Grid Size"}, raw_row, true},
};

static void free_fields(char **v, size_t n)
{
  for (size_t i = 0; v && i < n; i++) free(v[i]);
  free(v);
}

static char **copy_fields(const lines *l)
{
  char **const v = calloc(l->fields + 1, sizeof *v);
  for (size_t i = 0; v && i < l->fields; i++) {
    const size_t n = strlen(l->field[i]) + 1;
    if (!(v[i] = malloc(n))) {
      free_fields(v, i);
      return NULL;
    }
    memcpy(v[i], l->field[i], n);
  }
  return v;
}

/* Returns true if a line is a heading, of which a file with several reports has
 * several. */
static bool take_head(lines *l)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!has_heads(l, known[i].head)) continue;
    free_fields(l->head, l->heads);
    if (!(l->head = copy_fields(l))) {
      l->heads = 0;
      fail_line(l, GSCALE_ENOMEM, "");
      return true;
    }
    l->heads = l->fields;
    l->row = known[i].row;
    l->units_next = known[i].units;
    return true;
  }
  return false;
}

static void end_field(void *text, size_t size, void *closure)
{
  lines *const l = closure;
  l->quiet = 0;
  if (l->fields == FIELDS_MOST) {
    fail_line(l, GSCALE_EPARSE, "more fields than any table has");
    return;
  }
  char *const copy = malloc(size + 1);
  if (!copy) {
    fail_line(l, GSCALE_ENOMEM, "");
    return;
  }
  memcpy(copy, text ? text : "", text ? size : 0);
  copy[text ? size : 0] = '\0';
  l->field[l->fields++] = copy;
}

static void read_line(lines *l)
{
  if (take_head(l) || !l->row) return;
  if (l->units_next) {
    l->units_next = false;
    free_fields(l->unit, l->units);
    l->units = l->fields >= l->heads ? l->fields : 0;
    l->unit = l->units > 0 ? copy_fields(l) : NULL;
    return;
  }
  if (!l->row(l)) fail_line(l, GSCALE_ENOMEM, "");
}

static void end_line(int c, void *closure)
{
  lines *const l = closure;
  (void)c;
  l->line++;
  if (l->st == GSCALE_OK && l->fields > 0 && *l->field[0] != '#') read_line(l);
  for (size_t i = 0; i < l->fields; i++) free(l->field[i]);
  l->fields = 0;
}

static void read_blocks(lines *l)
{
  char block[GSCALE__BLOCK];
  size_t n;
  while (l->st == GSCALE_OK && (n = gscale__block(l->r, block, &l->st)) > 0) {
    l->quiet += n;
    if (csv_parse(&l->parser, block, n, end_field, end_line, l) != n)
      fail_line(l,
                csv_error(&l->parser) == CSV_ENOMEM ? GSCALE_ENOMEM
                                                    : GSCALE_EPARSE,
                "a quote that is not closed");
    if (l->quiet > QUIET)
      fail_line(l, GSCALE_EPARSE, "a text of more than 4 MiB");
  }
  if (l->st == GSCALE_OK) csv_fini(&l->parser, end_field, end_line, l);
}

static gscale_status read_csv(gscale__reading *r)
{
  lines l = {.r = r};
  l.field = calloc(FIELDS_MOST, sizeof *l.field);
  if (!l.field || csv_init(&l.parser, CSV_APPEND_NULL) != 0)
    l.st = gscale__record_lost(r);
  else
    read_blocks(&l);
  for (size_t i = 0; l.field && i < l.fields; i++) free(l.field[i]);
  free_fields(l.unit, l.units);
  free_fields(l.head, l.heads);
  free(l.values);
  free(l.field);
  csv_free(&l.parser);
  return l.st;
}

static bool is_csv(const char *head, size_t size)
{
  static const char *const words[] = {"gpuscale-trace 1", "Start", "\"ID\"",
                                      "CUDA GPU Trace"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    for (size_t i = 0, n = strlen(words[k]); i + n <= size; i++)
      if (memcmp(head + i, words[k], n) == 0) return true;
  return false;
}

const gscale__recorded_format gscale__recorded_csv = {is_csv, read_csv};

/* SPDX-License-Identifier: GPL-3.0-or-later */
