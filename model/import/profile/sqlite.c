/* sqlite.c - exports of Nsight Systems. Tables and columns are found by name,
 * because versions add, rename and omit columns.  A missing column is NULL. */

#include "import/profile/profile.h"

#include <sqlite3.h>
#include <string.h>

enum {
  COLUMNS_MOST = 20,
  TICK = 1 << 16,   /* rows between calls of progress */
  STEPS = 1 << 16,  /* SQLite steps between checks */
  LONGEST = 1 << 24 /* most B of a text */
};

typedef struct database {
  gscale__reading *r;
  sqlite3 *db;
  sqlite3_stmt *rows, *text; /* rows of a table, and StringIds */
  int64_t from, to;          /* ns, both ends of the window */
  double all, done;          /* all rows, and rows done */
  double left;               /* remaining SQLite steps */
} database;

static gscale_status fail_sqlite(database *d)
{
  const int code = sqlite3_errcode(d->db);
  if (code == SQLITE_INTERRUPT)
    return gscale__unread(d->r, GSCALE_EPARSE,
                          "SQLite that needs more work than its size explains");
  const gscale_status st = code == SQLITE_NOMEM   ? GSCALE_ENOMEM
                           : code == SQLITE_IOERR ? GSCALE_EIO
                                                  : GSCALE_EPARSE;
  return gscale__unread(d->r, st, "SQLite says: %s", sqlite3_errmsg(d->db));
}

static sqlite3_int64 number_from(database *d, const char *sql)
{
  sqlite3_stmt *s = NULL;
  sqlite3_int64 v = 0;
  if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK &&
      sqlite3_step(s) == SQLITE_ROW)
    v = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return v;
}

static bool has_column(database *d, const char *table, const char *column)
{
  char sql[160];
  gscale__print(sql, sizeof sql,
                "SELECT count(*) FROM pragma_table_info('%s') WHERE name='%s'",
                table, column);
  return number_from(d, sql) > 0;
}

/* Returns the number of rows of a table, or more if rows were deleted. */
static double rows_of(database *d, const char *table)
{
  char sql[96];
  gscale__print(sql, sizeof sql, "SELECT max(rowid) FROM \"%s\"", table);
  return (double)number_from(d, sql);
}

/* Selects the rows of a table that are in the window, with NULL for missing
 * columns. */
static bool select_rows(database *d, const char *table,
                        const char *const *column)
{
  char sql[1024] = "SELECT ";
  for (int i = 0; column[i]; i++)
    gscale_append(sql, sizeof sql,
                  has_column(d, table, column[i]) ? "%s\"%s\"" : "%sNULL",
                  i ? "," : "", column[i]);
  gscale_append(sql, sizeof sql, " FROM \"%s\"", table);
  if (d->to > d->from && has_column(d, table, "start"))
    gscale_append(sql, sizeof sql, " WHERE start BETWEEN %lld AND %lld",
                  (long long)d->from, (long long)d->to);
  return sqlite3_prepare_v2(d->db, sql, -1, &d->rows, NULL) == SQLITE_OK;
}

/* Returns the start of a row, or INT64_MIN if start or end is not a whole
 * number. */
static int64_t start_at(const database *d)
{
  const bool whole = sqlite3_column_type(d->rows, 0) == SQLITE_INTEGER &&
                     sqlite3_column_type(d->rows, 1) == SQLITE_INTEGER;
  return whole ? sqlite3_column_int64(d->rows, 0) : INT64_MIN;
}

static int64_t at(const database *d, int column)
{
  return sqlite3_column_int64(d->rows, column);
}

static bool is_null(const database *d, int column)
{
  return sqlite3_column_type(d->rows, column) == SQLITE_NULL;
}

/* Returns a small number of a column, or -1 for NULL and for CUPTI's "none"
 * (0xFFFFFFFF). */
static int small(const database *d, int column)
{
  const int64_t v = at(d, column);
  return is_null(d, column) || v < 0 || v > INT32_MAX ? -1 : (int)v;
}

static const char *string_of(database *d, int64_t id)
{
  const char *text = NULL;
  if (!d->text) return "";
  sqlite3_bind_int64(d->text, 1, id);
  if (sqlite3_step(d->text) == SQLITE_ROW)
    text = (const char *)sqlite3_column_text(d->text, 0);
  return text ? text : "";
}

/* Returns the stored name for the id in a column. */
static const char *name_at(database *d, int column)
{
  const char *const name = gscale__intern(
      d->r->p, is_null(d, column) ? "" : string_of(d, at(d, column)));
  if (d->text) sqlite3_reset(d->text);
  return name;
}

/* Returns the name of an API function without a version at the end, such as
 * "_v3020" or "_ptsz". */
static const char *call_at(database *d, int column)
{
  char name[128];
  gscale__copy_text(name, sizeof name, string_of(d, at(d, column)));
  if (d->text) sqlite3_reset(d->text);
  char *const tail = strstr(name, "_v");
  if (tail && tail[2] >= '0' && tail[2] <= '9') *tail = '\0';
  char *const thread = strstr(name, "_pt");
  if (thread) *thread = '\0';
  return gscale__intern(d->r->p, name);
}

static int process_of(database *d, int64_t global)
{
  return gscale__id(&d->r->p->process, d->r->file, global >> 24);
}

/* Describes a record by process, device, context and stream, which are four
 * columns from column `first` on. */
static gscale_recorded_what placed(database *d, gscale_recorded_kind kind,
                                   int first)
{
  gscale_recorded_what w = gscale__nothing(kind);
  w.process = process_of(d, at(d, first));
  w.gpu = small(d, first + 1);
  w.stream = gscale__id(&d->r->p->stream, w.process,
                        gscale__pair(at(d, first + 2), at(d, first + 3)));
  return w;
}

static bool read_kernel(database *d)
{
  gscale_recorded_what w = placed(d, GSCALE_RECORDED_KERNEL, 3);
  w.name = name_at(d, is_null(d, 7) ? 8 : 7);
  w.blocks = (double)at(d, 9) * (double)at(d, 10) * (double)at(d, 11);
  w.threads = (double)at(d, 12) * (double)at(d, 13) * (double)at(d, 14);
  w.registers = (double)at(d, 15);
  w.shared = (double)at(d, 16) + (double)at(d, 17);
  return gscale__record(d->r->p, &w, start_at(d), at(d, 1), (uint32_t)at(d, 2));
}

static gscale_recorded_copy copy_of(int64_t kind)
{
  switch (kind) {
  case 1:
    return GSCALE_RECORDED_H2D;
  case 2:
    return GSCALE_RECORDED_D2H;
  case 8:
    return GSCALE_RECORDED_D2D;
  case 10:
    return GSCALE_RECORDED_P2P;
  default:
    return GSCALE_RECORDED_OTHER;
  }
}

static bool read_copy(database *d)
{
  gscale_recorded_what w = placed(d, GSCALE_RECORDED_COPY, 3);
  w.bytes = (double)at(d, 7);
  w.copy = copy_of(at(d, 8));
  w.pageable = (w.copy == GSCALE_RECORDED_H2D && small(d, 9) == 0) ||
               (w.copy == GSCALE_RECORDED_D2H && small(d, 10) == 0);
  w.src = small(d, 11);
  w.dst = small(d, 12);
  if (w.copy == GSCALE_RECORDED_D2D && w.src >= 0 && w.dst >= 0 &&
      w.src != w.dst)
    w.copy = GSCALE_RECORDED_P2P;
  return gscale__record(d->r->p, &w, start_at(d), at(d, 1), (uint32_t)at(d, 2));
}

static bool read_memset(database *d)
{
  gscale_recorded_what w = placed(d, GSCALE_RECORDED_MEMSET, 3);
  w.bytes = (double)at(d, 7);
  return gscale__record(d->r->p, &w, start_at(d), at(d, 1), (uint32_t)at(d, 2));
}

/* Returns the number of an event's record.  Old versions have only the number
 * of the event, which is reused, and which is returned as a negative number. */
static int64_t event_at(const database *d, int record, int event)
{
  if (at(d, record) > 0) return at(d, record);
  return small(d, event) >= 0 ? -1 - at(d, event) : 0;
}

static bool read_event(database *d)
{
  const gscale_recorded_what w = placed(d, GSCALE_RECORDED_EVENT, 3);
  return gscale__record(d->r->p, &w, 0, event_at(d, 8, 7), (uint32_t)at(d, 2));
}

static bool read_sync(database *d)
{
  gscale_recorded_what w = placed(d, GSCALE_RECORDED_SYNC, 3);
  w.gpu = -1; /* wrong except for the first GPU */
  return gscale__record(d->r->p, &w, at(d, 0), event_at(d, 8, 7),
                        (uint32_t)at(d, 2));
}

/* Reads a call of the runtime or the driver (classes 0 and 1).  Other classes
 * repeat these calls. */
static bool read_call(database *d)
{
  gscale_recorded_what w = gscale__nothing(GSCALE_RECORDED_CALL);
  if (!is_null(d, 5) && at(d, 5) != 0 && at(d, 5) != 1) return true;
  w.process = process_of(d, at(d, 3));
  w.thread = gscale__id(&d->r->p->thread, w.process, at(d, 3));
  w.name = call_at(d, 4);
  return gscale__record(d->r->p, &w, start_at(d), at(d, 1), (uint32_t)at(d, 2));
}

/* Reads a range, which is pushed and popped (type 59) or started and ended
 * (type 60). */
static bool read_range(database *d)
{
  gscale_recorded_what w = gscale__nothing(GSCALE_RECORDED_RANGE);
  const int64_t type = at(d, 3);
  if ((type != 59 && type != 60) || is_null(d, 1)) return true;
  w.process = process_of(d, at(d, 2));
  w.thread = gscale__id(&d->r->p->thread, w.process, at(d, 2));
  const char *const own = (const char *)sqlite3_column_text(d->rows, 4);
  w.name = gscale__intern_range(d->r->p, own ? own : string_of(d, at(d, 5)));
  if (d->text) sqlite3_reset(d->text);
  return gscale__record(d->r->p, &w, start_at(d), at(d, 1), 0);
}

typedef struct table {
  const char *name;
  bool (*read)(database *d);
  const char *column[COLUMNS_MOST];
} table;

#define CUPTI "CUPTI_ACTIVITY_KIND_"
#define PLACE "globalPid", "deviceId", "contextId", "streamId"

static const table tables[] = {
    {CUPTI "KERNEL",
     read_kernel,
     {"start", "end", "correlationId", PLACE, "demangledName", "shortName",
      "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
      "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"}},
    {CUPTI "MEMCPY",
     read_copy,
     {"start", "end", "correlationId", PLACE, "bytes", "copyKind", "srcKind",
      "dstKind", "srcDeviceId", "dstDeviceId"}},
    {CUPTI "MEMSET",
     read_memset,
     {"start", "end", "correlationId", PLACE, "bytes"}},
    {CUPTI "CUDA_EVENT",
     read_event,
     {"start", "end", "correlationId", PLACE, "eventId", "eventSyncId"}},
    {CUPTI "SYNCHRONIZATION",
     read_sync,
     {"start", "end", "correlationId", PLACE, "eventId", "eventSyncId"}},
    {CUPTI "RUNTIME",
     read_call,
     {"start", "end", "correlationId", "globalTid", "nameId", "eventClass"}},
    {"NVTX_EVENTS",
     read_range,
     {"start", "end", "globalTid", "eventType", "text", "textId"}},
};

enum {
  TABLES = sizeof tables / sizeof *tables
};

static gscale_status read_rows(database *d, const table *t)
{
  int code;
  for (size_t i = 1; (code = sqlite3_step(d->rows)) == SQLITE_ROW; i++) {
    if (!t->read(d)) return gscale__record_lost(d->r);
    d->done++;
    if (i % TICK == 0 && d->r->progress)
      d->r->progress(d->r->closure, fmin(1.0, d->done / d->all));
  }
  return code == SQLITE_DONE ? GSCALE_OK : fail_sqlite(d);
}

static gscale_status read_table(database *d, const table *t)
{
  if (!has_column(d, t->name, t->column[2])) return GSCALE_OK;
  if (!select_rows(d, t->name, t->column)) return fail_sqlite(d);
  const gscale_status st = read_rows(d, t);
  sqlite3_finalize(d->rows);
  d->rows = NULL;
  return st;
}

/* Chooses the middle of a long file as the window, after the program's
 * initialization. */
static void choose_window(database *d)
{
  for (int i = 0; i < TABLES; i++) d->all += rows_of(d, tables[i].name);
  if (d->all <= (double)d->r->most) return;
  const double share = (double)d->r->most / d->all;
  const double low =
      (double)number_from(d, "SELECT min(start) FROM " CUPTI "KERNEL");
  const double high =
      (double)number_from(d, "SELECT max(end) FROM " CUPTI "KERNEL");
  d->from = (int64_t)(low + (high - low) * (1.0 - share) / 2.0);
  d->to = (int64_t)(low + (high - low) * (1.0 + share) / 2.0);
  gscale__note(d->r->p,
               "%.100s: %.3g M records; those of the middle %.3g s are kept",
               d->r->path, 1e-6 * d->all, 1e-9 * (double)(d->to - d->from));
  d->all = (double)d->r->most;
}

static gscale_status check(database *d)
{
  gscale_recording *const p = d->r->p;
  if (number_from(d, "SELECT count(*) FROM sqlite_master WHERE (type='view' OR "
                     "type='table' AND rootpage=0) AND (name LIKE 'CUPTI%' OR "
                     "name LIKE 'NVTX_EVENTS' OR name LIKE 'StringIds')") > 0)
    return gscale__unread(d->r, GSCALE_EPARSE,
                          "SQLite, but not of nsys export: a view in place of "
                          "a table");
  if (sqlite3_errcode(d->db) != SQLITE_OK) return fail_sqlite(d);
  if (rows_of(d, CUPTI "GRAPH_TRACE") > 0.0)
    gscale__note(p,
                 "%.100s: CUDA graphs are traced whole; their kernels are "
                 "there with nsys profile --cuda-graph-trace=node",
                 d->r->path);
  if (rows_of(d, CUPTI "CUDA_EVENT") <= 0.0)
    gscale__note(p,
                 "%.100s: no records of events, so what a stream waits for "
                 "is guessed; nsys profile --cuda-event-trace=true has them",
                 d->r->path);
  if (rows_of(d, CUPTI "RUNTIME") <= 0.0)
    gscale__note(p, "%.100s: no calls of the host", d->r->path);
  if (number_from(d, "SELECT count(*) FROM sqlite_master WHERE name LIKE "
                     "'CUPTI%' OR name LIKE 'TARGET_INFO%' OR name LIKE "
                     "'%META_DATA%'") == 0)
    return gscale__unread(d->r, GSCALE_EPARSE,
                          "SQLite, but not of nsys export: no table CUPTI_...");
  return GSCALE_OK;
}

static gscale_status read_tables(database *d)
{
  gscale_status st = check(d);
  if (st == GSCALE_OK) choose_window(d);
  if (sqlite3_prepare_v2(d->db, "SELECT value FROM StringIds WHERE id=?", -1,
                         &d->text, NULL) != SQLITE_OK)
    d->text = NULL;
  for (int i = 0; st == GSCALE_OK && i < TABLES; i++)
    st = read_table(d, &tables[i]);
  return st;
}

/* Stops the read of a malicious file whose tree has more rows than bytes
 * because branches coincide. */
static int exceeds_steps(void *closure)
{
  database *const d = closure;
  d->left -= STEPS;
  return d->left < 0.0;
}

/* Opens the database as "file:PATH?immutable=1", which is read-only and ignores
 * journals. */
static gscale_status open_database(database *d)
{
  char uri[3 * 4096 + 32] = "file:";
  for (const char *c = d->r->path; *c; c++)
    gscale_append(uri, sizeof uri - 32, strchr("?#%", *c) ? "%%%02x" : "%c",
                  (unsigned char)*c);
  gscale_append(uri, sizeof uri, "?immutable=1");
  if (sqlite3_open_v2(uri, &d->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                      NULL) != SQLITE_OK)
    return d->db ? fail_sqlite(d) : gscale__record_lost(d->r);
  d->left = 1e7 + 20.0 * d->r->size;
  sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, LONGEST);
  sqlite3_progress_handler(d->db, STEPS, exceeds_steps, d);
  return GSCALE_OK;
}

static gscale_status read_sqlite(gscale__reading *r)
{
  database d = {.r = r};
  gscale_status st = open_database(&d);
  if (st == GSCALE_OK) st = read_tables(&d);
  sqlite3_finalize(d.rows);
  sqlite3_finalize(d.text);
  sqlite3_close(d.db);
  return st;
}

static bool is_sqlite(const char *head, size_t size)
{
  return size >= 16 && memcmp(head, "SQLite format 3", 16) == 0;
}

const gscale__recorded_format gscale__recorded_sqlite = {is_sqlite,
                                                         read_sqlite};

/* SPDX-License-Identifier: GPL-3.0-or-later */
