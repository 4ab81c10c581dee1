/* json.c - Kineto's JSON, read event by event because files exceed memory. zlib
 * reads both compressed and plain files. */

#include "import/profile/profile.h"

#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

enum {
  QUIET = 1 << 22, /* most B without a value */
  TEXT = 1024      /* longest stored name */
};

/* The fields of an event and of its args that are read. */
typedef enum field {
  NAME,
  CAT,
  PH,
  TS,
  DUR,
  PID,
  TID,
  DEVICE,
  STREAM,
  CORRELATION,
  BYTES,
  FROM,
  TO,
  GRID,
  BLOCKS,
  EVENT,
  RECORD,
  SYNCED,
  GROUP,
  DTYPE,
  IN,
  OUT,
  REGISTERS,
  SHARED,
  COLLECTIVE,
  DIMS,
  TYPES,
  ALLOCATED,
  PLACE,
  FIELDS
} field;

static const struct {
  const char *key;
  bool in_args;
} keys[FIELDS] = {
    [NAME] = {"name", false},
    [CAT] = {"cat", false},
    [PH] = {"ph", false},
    [TS] = {"ts", false},
    [DUR] = {"dur", false},
    [PID] = {"pid", false},
    [TID] = {"tid", false},
    [DEVICE] = {"device", true},
    [STREAM] = {"stream", true},
    [CORRELATION] = {"correlation", true},
    [BYTES] = {"bytes", true},
    [FROM] = {"fromDevice", true},
    [TO] = {"toDevice", true},
    [GRID] = {"grid", true},
    [BLOCKS] = {"block", true},
    [EVENT] = {"event_id", true},
    [RECORD] = {"wait_on_cuda_event_record_corr_id", true},
    [SYNCED] = {"cuda_sync_kind", true},
    [GROUP] = {"Group size", true},
    [DTYPE] = {"dtype", true},
    [IN] = {"In msg nelems", true},
    [OUT] = {"Out msg nelems", true},
    [REGISTERS] = {"registers per thread", true},
    [SHARED] = {"shared memory", true},
    [COLLECTIVE] = {"Collective name", true},
    [DIMS] = {"Input Dims", true},
    [TYPES] = {"Input type", true},
    [ALLOCATED] = {"Total Allocated", true},
    [PLACE] = {"Device Type", true},
};

typedef struct events {
  gscale__reading *r;
  int depth;   /* nesting depth of maps and lists */
  int at;      /* nesting depth of fields */
  bool wanted; /* the next list has events */
  field next;  /* field of the next value */
  bool in_args;
  char text[FIELDS][TEXT];
  bool is[FIELDS];
  double product; /* largest product of the lists in a value */
  double part;    /* product of a list */
  bool in_run;    /* inside the description of ranks or GPUs */
  char about[16]; /* key in this description */
  size_t quiet;   /* number of B without a value */
  gscale_status st;
} events;

/* Reads microseconds with up to three decimals exactly, because times exceed
 * the precision of a double.  The result is INT64_MIN for more than 73
 * years. */
static int64_t nanoseconds(const char *text)
{
  char *end;
  const bool below = *text == '-';
  const int64_t most = INT64_MAX / 4000;
  int64_t v = strtoll(text, &end, 10), part = 0;
  if (end == text || v > most || v < -most) return INT64_MIN;
  if (*end == 'e' || *end == 'E') {
    const char *stop;
    double x;
    return gscale__parse_number(text, &stop, &x) == GSCALE_OK &&
                   fabs(x) < (double)most
               ? (int64_t)(1e3 * x)
               : INT64_MIN;
  }
  if (*end == '.')
    for (int i = 0, more = 1; i < 3; i++) {
      more = more && end[1] >= '0' && end[1] <= '9';
      part = 10 * part + (more ? *++end - '0' : 0);
    }
  return 1000 * v + (below ? -part : part);
}

static int64_t whole(const events *e, field f)
{
  return e->is[f] ? strtoll(e->text[f], NULL, 10) : -1;
}

static int small(const events *e, field f)
{
  const int64_t v = whole(e, f);
  return v < 0 || v > INT32_MAX ? -1 : (int)v;
}

static double number(const events *e, field f)
{
  return e->is[f] ? strtod(e->text[f], NULL) : 0.0;
}

static bool is(const events *e, field f, const char *text)
{
  return e->is[f] && strcmp(e->text[f], text) == 0;
}

static bool cat(const events *e, const char *text)
{
  return is(e, CAT, text);
}

/* Returns the bytes of an element of a type with a name of c10 or C. */
static double size_of(const char *dtype)
{
  static const struct {
    const char *name;
    double size;
  } types[] = {{"Byte", 1},   {"Char", 1},   {"Bool", 1},
               {"Float8", 1}, {"Half", 2},   {"BFloat16", 2},
               {"Short", 2},  {"Int", 4},    {"Float", 4},
               {"Long", 8},   {"Double", 8}, {"ComplexFloat", 8},
               {"float", 4},  {"double", 8}, {"long", 8}};
  if (strncmp(dtype, "c10::", 5) == 0) dtype += 5;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(dtype, types[i].name, strlen(types[i].name)) == 0)
      return types[i].size;
  return 0.0;
}

/* Returns a number, including the number of a text such as "stream 7". */
static int64_t number_in(const char *text)
{
  const size_t before = strcspn(text, "-0123456789");
  return text[before] ? strtoll(text + before, NULL, 10) : 0;
}

static void place(events *e, gscale_recorded_what *w)
{
  gscale_recording *const p = e->r->p;
  w->process = gscale__id(&p->process, e->r->file, 0);
  if (w->kind >= GSCALE_RECORDED_CALL) {
    w->thread = gscale__id(&p->thread, w->process, number_in(e->text[TID]));
    return;
  }
  w->gpu = e->is[DEVICE] ? small(e, DEVICE)
           : e->is[FROM] ? small(e, FROM)
                         : (int)number_in(e->text[PID]);
  const int64_t stream =
      e->is[STREAM] ? whole(e, STREAM) : number_in(e->text[TID]);
  w->stream = gscale__id(&p->stream, w->process, gscale__pair(w->gpu, stream));
}

static gscale_recorded_kind kind_of(const events *e)
{
  static const struct {
    const char *cat;
    gscale_recorded_kind kind;
  } cats[] = {{"kernel", GSCALE_RECORDED_KERNEL},
              {"Kernel", GSCALE_RECORDED_KERNEL},
              {"cuda", GSCALE_RECORDED_KERNEL},
              {"gpu_memcpy", GSCALE_RECORDED_COPY},
              {"Memcpy", GSCALE_RECORDED_COPY},
              {"gpu_memset", GSCALE_RECORDED_MEMSET},
              {"Memset", GSCALE_RECORDED_MEMSET},
              {"cuda_runtime", GSCALE_RECORDED_CALL},
              {"cuda_driver", GSCALE_RECORDED_CALL},
              {"Runtime", GSCALE_RECORDED_CALL},
              {"cuda_api", GSCALE_RECORDED_CALL},
              {"cuda_event", GSCALE_RECORDED_EVENT},
              {"cuda_sync", GSCALE_RECORDED_SYNC},
              {"user_annotation", GSCALE_RECORDED_RANGE},
              {"cpu_op", GSCALE_RECORDED_RANGE},
              {"nvtx", GSCALE_RECORDED_RANGE}};
  for (size_t i = 0; e->is[CAT] && i < sizeof cats / sizeof *cats; i++)
    if (cat(e, cats[i].cat)) return cats[i].kind;
  return GSCALE_RECORDED_KIND_END;
}

/* Returns true for a framework's operators that call a collective or add a
 * gradient. */
static bool is_kept(const char *name)
{
  static const char *const words[] = {"reduce", "gather", "to_all", "toall",
                                      "broadcast"};
  if (strcmp(name, "torch::autograd::AccumulateGrad") == 0) return true;
  if (strncmp(name, "c10d::", 6) != 0 && strncmp(name, "_c10d_", 6) != 0)
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(name, words[i])) return true;
  return false;
}

/* Returns the correlation of the record to which an event or a wait belongs. */
static int64_t record_of(const events *e, gscale_recorded_kind kind)
{
  return kind == GSCALE_RECORDED_EVENT ? whole(e, CORRELATION)
         : whole(e, RECORD) > 0        ? whole(e, RECORD)
                                       : 0;
}

static bool add(events *e, gscale_recorded_kind kind)
{
  gscale_recording *const p = e->r->p;
  gscale_recorded_what w = gscale__nothing(kind);
  place(e, &w);
  const char *const name = e->is[NAME] ? e->text[NAME] : "";
  if (kind == GSCALE_RECORDED_COPY) {
    w.copy = gscale__copy_in(name);
    w.pageable = strstr(name, "Pageable");
    w.src = small(e, FROM);
    w.dst = small(e, TO);
  }
  w.name = kind == GSCALE_RECORDED_COPY    ? ""
           : kind == GSCALE_RECORDED_RANGE ? gscale__intern_range(p, name)
                                           : gscale__intern(p, name);
  w.bytes = number(e, BYTES);
  if (kind == GSCALE_RECORDED_KERNEL && e->is[DTYPE]) {
    w.bytes = fmax(number(e, IN), number(e, OUT)) * size_of(e->text[DTYPE]);
  }
  if (kind == GSCALE_RECORDED_KERNEL && (e->is[DTYPE] || e->is[COLLECTIVE]))
    w.ranks = small(e, GROUP) > 0 ? small(e, GROUP) : e->is[COLLECTIVE];
  if (kind == GSCALE_RECORDED_RANGE && e->is[TYPES])
    w.bytes = number(e, DIMS) * size_of(e->text[TYPES]);
  w.blocks = number(e, GRID);
  w.threads = number(e, BLOCKS);
  w.registers = number(e, REGISTERS);
  w.shared = number(e, SHARED);
  const int64_t start = nanoseconds(e->text[TS]);
  const bool event =
      kind == GSCALE_RECORDED_EVENT || kind == GSCALE_RECORDED_SYNC;
  const int64_t length = e->is[DUR] ? nanoseconds(e->text[DUR]) : INT64_MIN;
  const bool known = start > INT64_MIN && length >= 0;
  return gscale__record(p, &w, start,
                        event   ? record_of(e, kind)
                        : known ? start + length
                                : INT64_MIN,
                        e->is[CORRELATION] ? (uint32_t)whole(e, CORRELATION)
                                           : 0);
}

static bool end_event(events *e)
{
  const gscale_recorded_kind kind = kind_of(e);
  const bool complete = is(e, PH, "X") && e->is[TS] &&
                        (!cat(e, "cpu_op") || is_kept(e->text[NAME]));
  if (is(e, PH, "i") && whole(e, PLACE) == 1) /* memory of a GPU */
    e->r->p->memory = fmax(e->r->p->memory, number(e, ALLOCATED));
  const bool added =
      !complete || kind == GSCALE_RECORDED_KIND_END || add(e, kind);
  if (!added) e->st = gscale__record_lost(e->r);
  return added;
}

static void take(events *e, const char *text, size_t size)
{
  if (e->next == FIELDS) return;
  const size_t n = size < TEXT ? size : TEXT - 1;
  memcpy(e->text[e->next], text, n);
  e->text[e->next][n] = '\0';
  e->is[e->next] = true;
}

static bool in_event(const events *e)
{
  return e->at > 0 &&
         (e->depth == e->at || (e->in_args && e->depth == e->at + 1));
}

static int on_number(void *closure, const char *text, size_t size)
{
  events *const e = closure;
  e->quiet = 0;
  if (in_event(e)) take(e, text, size);
  const bool listed = e->in_args && e->depth > e->at + 1;
  if (listed || *e->about) {
    char number[32] = "";
    memcpy(number, text, size < sizeof number ? size : sizeof number - 1);
    const double v = strtod(number, NULL);
    if (listed) e->part = e->part > 0.0 ? e->part * v : v;
    if (strcmp(e->about, "world_size") == 0 || strcmp(e->about, "pg_size") == 0)
      e->r->p->world = (int)fmax(e->r->p->world, fmin(v, INT32_MAX));
    if (strcmp(e->about, "numSms") == 0) e->r->p->sms = (int)fmin(fabs(v), 1e4);
  }
  return 1;
}

static int on_string(void *closure, const unsigned char *text, size_t size)
{
  events *const e = closure;
  e->quiet = 0;
  if (in_event(e)) take(e, (const char *)text, size);
  if (e->in_args && e->depth == e->at + 2 && e->next == TYPES && size > 0 &&
      !e->is[TYPES])
    take(e, (const char *)text, size);
  if (strcmp(e->about, "backend") == 0)
    e->r->p->fake = size == 4 && !memcmp(text, "fake", 4);
  return 1;
}

static int on_key(void *closure, const unsigned char *text, size_t size)
{
  events *const e = closure;
  e->quiet = 0;
  const char *const key = (const char *)text;
  if (e->depth == 1) e->wanted = size == 11 && !memcmp(key, "traceEvents", 11);
  if (e->depth == 1)
    e->in_run = (size == 15 && !memcmp(key, "distributedInfo", 15)) ||
                (size == 16 && !memcmp(key, "deviceProperties", 16));
  e->about[0] = '\0';
  if (e->in_run && size < sizeof e->about) {
    memcpy(e->about, key, size);
    e->about[size] = '\0';
  }
  if (!in_event(e)) return 1;
  e->next = FIELDS;
  if (e->depth == e->at) e->in_args = size == 4 && !memcmp(key, "args", 4);
  for (field f = NAME; f < FIELDS; f++)
    if (keys[f].in_args == (e->depth > e->at) && strlen(keys[f].key) == size &&
        !memcmp(key, keys[f].key, size))
      e->next = f;
  return 1;
}

static int on_map(void *closure)
{
  events *const e = closure;
  e->quiet = 0;
  e->depth++;
  if (e->wanted && e->at == 0 && e->depth > 1) e->at = e->depth;
  if (e->depth != e->at) return 1;
  memset(e->is, 0, sizeof e->is);
  e->next = FIELDS;
  e->in_args = false;
  return 1;
}

static int on_map_end(void *closure)
{
  events *const e = closure;
  const bool end = e->at > 0 && e->depth == e->at;
  e->depth--;
  return !end || end_event(e);
}

static int on_list(void *closure)
{
  events *const e = closure;
  e->quiet = 0;
  if (e->depth == 0) e->wanted = true; /* a list without a map around */
  e->depth++;
  if (e->depth == e->at + 2) e->product = 0.0;
  e->part = 0.0;
  return 1;
}

static int on_list_end(void *closure)
{
  events *const e = closure;
  char text[32];
  e->depth--;
  e->product = fmax(e->product, e->part);
  e->part = 0.0;
  if (e->at > 0 && e->depth < e->at - 1) e->at = 0, e->wanted = false;
  if (!e->in_args || e->depth != e->at + 1 || e->next == FIELDS ||
      e->next == TYPES)
    return 1;
  gscale__print(text, sizeof text, "%.17g", e->product);
  take(e, text, strlen(text));
  return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_map_end,
    .yajl_start_array = on_list,
    .yajl_end_array = on_list_end,
};

static gscale_status fail_parse(events *e, yajl_handle h, const char *at,
                                size_t size)
{
  if (e->st != GSCALE_OK) return e->st;
  unsigned char *const said =
      yajl_get_error(h, 0, (const unsigned char *)at, size);
  const gscale_status st = gscale__unread(
      e->r, GSCALE_EPARSE, "no JSON, or cut off, byte %zu: %.*s",
      (size_t)gztell(e->r->in) - size + yajl_get_bytes_consumed(h),
      said ? (int)strcspn((const char *)said, "\n") : 0,
      said ? (const char *)said : "");
  if (said) yajl_free_error(h, said);
  return st;
}

static gscale_status parse(events *e, yajl_handle h)
{
  static const size_t every = 1024;
  char block[GSCALE__BLOCK];
  gscale_status st = GSCALE_OK;
  size_t n;
  for (size_t i = 1; (n = gscale__block(e->r, block, &st)) > 0; i++) {
    e->quiet += n;
    if (yajl_parse(h, (unsigned char *)block, n) != yajl_status_ok)
      return fail_parse(e, h, block, n);
    if (e->quiet > QUIET)
      return gscale__unread(e->r, GSCALE_EPARSE, "a text of more than 4 MiB");
    if (i % every == 0 && e->r->progress)
      e->r->progress(e->r->closure,
                     1.0 - 1.0 / (1.0 + 1e-8 * (double)gztell(e->r->in)));
  }
  if (st != GSCALE_OK) return st;
  return yajl_complete_parse(h) == yajl_status_ok ? GSCALE_OK
                                                  : fail_parse(e, h, "", 0);
}

static gscale_status read_json(gscale__reading *r)
{
  events *const e = calloc(1, sizeof *e);
  yajl_handle h = e ? yajl_alloc(&callbacks, NULL, e) : NULL;
  gscale_status st = GSCALE_ENOMEM;
  if (e) {
    e->r = r;
    e->next = FIELDS;
  }
  if (h) {
    yajl_config(h, yajl_dont_validate_strings, 1);
    st = parse(e, h);
  } else
    st = gscale__record_lost(r);
  if (h) yajl_free(h);
  free(e);
  return st;
}

static bool is_json(const char *head, size_t size)
{
  size_t i = 0;
  while (i < size && strchr(" \t\r\n", head[i]) && head[i]) i++;
  return i < size && (head[i] == '{' || head[i] == '[');
}

const gscale__recorded_format gscale__recorded_json = {is_json, read_json};

/* SPDX-License-Identifier: GPL-3.0-or-later */
