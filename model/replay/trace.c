/* trace.c - reader of traces, binary or CSV, in blocks. */

#include "ground/source.h"
#include "replay/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  HEAD = 32,     /* B of a binary file's head */
  RECORD = 16,   /* B of a record */
  TEXT_MAX = 512 /* B of a line */
};

static const char magic[] = "gscaletr";
static const char columns[] = "gpu,kind,address,size_B,dst,group";

struct gscale_trace {
  FILE *file;
  char *path; /* path as shown in messages */
  bool binary;
  int gpus;
  uint64_t promised; /* number of records; 0: unknown */
  uint64_t records;  /* number of records read */
  uint64_t line;     /* number of lines read (CSV) */
  size_t at, end;    /* rest of the block */
  char block[1 << 16];
};

/* ---- errors -------------------------------------------------------------- */

static gscale_status cannot(const char *what, const char *path,
                            gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_EIO, "%s: cannot %s: %s", path, what,
                      strerror(errno));
}

/* Fails for the next record: "trace.csv:12: ..." or "trace.bin: record 12:
 * ...". */
static gscale_status bad(const gscale_trace *t, const char *what,
                         gscale_diag *diag)
{
  if (t->binary)
    return gscale__fail(diag, GSCALE_EPARSE, "%s: record %llu: %s", t->path,
                        (unsigned long long)t->records + 1, what);
  return gscale__fail(diag, GSCALE_EPARSE, "%s:%llu: %s", t->path,
                      (unsigned long long)t->line, what);
}

static gscale_status bad_head(const gscale_trace *t, const char *what,
                              gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_EPARSE, "%s: head: %s", t->path, what);
}

/* ---- bytes --------------------------------------------------------------- */

/* Reads until the block has n bytes, or all that the file has left.  Returns
 * the number of bytes in the block. */
static size_t look_ahead(gscale_trace *t, size_t n)
{
  if (t->end - t->at >= n) return t->end - t->at;
  memmove(t->block, t->block + t->at, t->end - t->at);
  t->end -= t->at;
  t->at = 0;
  t->end += fread(t->block + t->end, 1, sizeof t->block - t->end, t->file);
  return t->end;
}

/* ---- binary -------------------------------------------------------------- */

static uint64_t little_endian(const char *at, int bytes)
{
  uint64_t v = 0;
  for (int i = bytes - 1; i >= 0; i--) v = v << 8 | (unsigned char)at[i];
  return v;
}

static gscale_status read_head(gscale_trace *t, gscale_diag *diag)
{
  const char *const head = t->block;

  if (look_ahead(t, HEAD) < HEAD)
    return bad_head(t, "the file ends inside it", diag);
  const uint64_t gpus = little_endian(head + 12, 4);
  if (little_endian(head + 8, 4) != 1)
    return bad_head(t, "version: it is not 1", diag);
  if (gpus < 1 || gpus > GSCALE_REPLAY_GPUS_MAX)
    return bad_head(t, "gpus: not 1 .. 64", diag);
  if (little_endian(head + 24, 8) != 0)
    return bad_head(t, "reserved: it is not 0", diag);
  t->gpus = (int)gpus;
  t->promised = little_endian(head + 16, 8);
  t->at = HEAD;
  return GSCALE_OK;
}

static gscale_record decode(const char *at)
{
  return (gscale_record){.address = little_endian(at, 8),
                         .group = (uint32_t)little_endian(at + 8, 4),
                         .size = (uint8_t)at[12],
                         .gpu = (uint8_t)at[13],
                         .dst = (uint8_t)at[14],
                         .kind = (uint8_t)at[15]};
}

/* Checks the end of the file, after `rest` bytes that are not a record. */
static gscale_status check_end(const gscale_trace *t, size_t rest,
                               gscale_diag *diag)
{
  char text[96];

  if (ferror(t->file)) return cannot("read", t->path, diag);
  if (rest > 0) return bad(t, "the file ends inside it", diag);
  if (t->promised == 0 || t->records == t->promised) return GSCALE_OK;
  gscale__print(text, sizeof text, "the file ends; its head promises %llu",
                (unsigned long long)t->promised);
  return bad(t, text, diag);
}

/* Reads one record.  Clears *there at the end of the file. */
static gscale_status read_binary(gscale_trace *t, gscale_record *out,
                                 bool *there, gscale_diag *diag)
{
  const size_t n = look_ahead(t, RECORD);

  *there = n >= RECORD;
  if (!*there) return check_end(t, n, diag);
  if (t->promised > 0 && t->records == t->promised)
    return bad(t, "the file goes on beyond what its head promises", diag);
  *out = decode(t->block + t->at);
  t->at += RECORD;
  return GSCALE_OK;
}

/* ---- CSV ----------------------------------------------------------------- */

/* Reads a line as text.  Sets *line to NULL at the end of the file. */
static gscale_status read_line(gscale_trace *t, char **line, gscale_diag *diag)
{
  const size_t there = look_ahead(t, TEXT_MAX);
  const size_t n = there < TEXT_MAX ? there : TEXT_MAX;
  char *const at = t->block + t->at;
  char *const end = memchr(at, '\n', n);

  *line = NULL;
  t->line++;
  if (n == 0)
    return ferror(t->file) ? cannot("read", t->path, diag) : GSCALE_OK;
  if (!end && n == TEXT_MAX) return bad(t, "a line of more than 511 B", diag);
  if (!end) return bad(t, "the file ends inside the line", diag);
  if (memchr(at, '\0', (size_t)(end - at))) return bad(t, "a NUL byte", diag);
  if (memchr(at, '\r', (size_t)(end - at)))
    return bad(t, "a carriage return; lines end with LF alone", diag);
  *end = '\0';
  t->at += (size_t)(end - at) + 1;
  *line = at;
  return GSCALE_OK;
}

static gscale_status read_names(gscale_trace *t, gscale_diag *diag)
{
  char *line;

  do {
    const gscale_status st = read_line(t, &line, diag);
    if (st != GSCALE_OK) return st;
  } while (line && line[0] == '#');
  if (line && strcmp(line, columns) == 0) return GSCALE_OK;
  return bad(t,
             "neither a binary trace nor the line "
             "gpu,kind,address,size_B,dst,group",
             diag);
}

/* Parses digits, or 0x and hexadecimal digits, up to `most`, to the end. */
static bool parse_whole(const char *text, uint64_t most, uint64_t *out)
{
  const bool hexadecimal = text[0] == '0' && text[1] == 'x';
  const char *const digits = hexadecimal ? text + 2 : text;
  const size_t n =
      strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

  if (n == 0 || digits[n] != '\0') return false;
  errno = 0;
  *out = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return errno == 0 && *out <= most;
}

static bool parse_kind(const char *text, uint8_t *out)
{
  for (int i = 0; i < GSCALE_OP_END; i++)
    if (strcmp(text,
               gscale_name(GSCALE_OPERATION_NAMES, (gscale_operation)i)) == 0) {
      *out = (uint8_t)i;
      return true;
    }
  return false;
}

static bool parse_small(const char *text, uint8_t *out)
{
  uint64_t v;

  if (!parse_whole(text, UINT8_MAX, &v)) return false;
  *out = (uint8_t)v;
  return true;
}

static bool parse_dst(const char *text, uint8_t *out)
{
  if (strcmp(text, "all") != 0)
    return parse_small(text, out) && *out != GSCALE_DST_ALL;
  *out = GSCALE_DST_ALL;
  return true;
}

/* Returns the index of the first invalid field, or 6. */
static int parse_fields(char *const field[6], gscale_record *out)
{
  uint64_t group;

  if (!parse_small(field[0], &out->gpu)) return 0;
  if (!parse_kind(field[1], &out->kind)) return 1;
  if (!parse_whole(field[2], UINT64_MAX, &out->address)) return 2;
  if (!parse_small(field[3], &out->size)) return 3;
  if (!parse_dst(field[4], &out->dst)) return 4;
  if (!parse_whole(field[5], UINT32_MAX, &group)) return 5;
  out->group = (uint32_t)group;
  return 6;
}

/* Splits a line, and returns the number of fields.  Finds the first six. */
static int split(char *line, char *field[6])
{
  int n = 1;

  field[0] = line;
  for (char *comma = line; (comma = strchr(comma, ',')); n++) {
    *comma++ = '\0';
    if (n < 6) field[n] = comma;
  }
  return n;
}

static gscale_status read_csv(gscale_trace *t, gscale_record *out, bool *there,
                              gscale_diag *diag)
{
  static const char *const names[6] = {"gpu",    "kind", "address",
                                       "size_B", "dst",  "group"};
  char *line, *field[6], text[160];
  const gscale_status st = read_line(t, &line, diag);

  *there = line;
  if (st != GSCALE_OK || !line) return st;
  const int n = split(line, field);
  if (n != 6) {
    gscale__print(text, sizeof text, "%d fields where 6 are needed", n);
    return bad(t, text, diag);
  }
  const int wrong = parse_fields(field, out);
  if (wrong == 6) return GSCALE_OK;
  gscale__print(text, sizeof text, "%s: '%.60s' is none", names[wrong],
                field[wrong]);
  return bad(t, text, diag);
}

/* ---- files --------------------------------------------------------------- */

static gscale_status check_gpus(const gscale_trace *t, int gpus,
                                gscale_diag *diag)
{
  if (gpus == 0 && t->gpus == 0)
    return gscale__fail(diag, GSCALE_EDATA,
                        "%s: a CSV trace does not say how many GPUs there are",
                        t->path);
  if (gpus < 0 || gpus > GSCALE_REPLAY_GPUS_MAX)
    return gscale__fail(diag, GSCALE_EDATA, "%s: gpus: %d is not 1 .. 64",
                        t->path, gpus);
  if (gpus > 0 && t->gpus > 0 && gpus != t->gpus)
    return gscale__fail(diag, GSCALE_EDATA, "%s: gpus: %d, where %d are asked",
                        t->path, t->gpus, gpus);
  return GSCALE_OK;
}

/* Determines the format and reads the head of the file. */
static gscale_status begin(gscale_trace *t, const char *path, int gpus,
                           gscale_diag *diag)
{
  const size_t size = sizeof magic - 1;
  gscale_status st;

  t->path = strdup(gscale__shown(path));
  if (!t->path) return gscale__fail(diag, GSCALE_ENOMEM, "no memory");
  t->file = fopen(path, "rb");
  if (!t->file) return cannot("open", t->path, diag);
  const size_t there = look_ahead(t, size);
  if (ferror(t->file)) return cannot("read", t->path, diag);
  t->binary = there >= size && memcmp(t->block, magic, size) == 0;
  st = t->binary ? read_head(t, diag) : read_names(t, diag);
  if (st == GSCALE_OK) st = check_gpus(t, gpus, diag);
  if (st == GSCALE_OK && gpus > 0) t->gpus = gpus;
  return st;
}

gscale_status gscale_trace_open(const char *path, int gpus, gscale_trace **out,
                                gscale_diag *diag)
{
  gscale_trace *t = calloc(1, sizeof *t);

  if (!t) return gscale__fail(diag, GSCALE_ENOMEM, "no memory");
  const gscale_status st = begin(t, path, gpus, diag);
  const int cause = errno; /* kept for after GSCALE_EIO */
  if (st == GSCALE_OK)
    *out = t;
  else
    gscale_trace_close(t);
  errno = cause;
  return st;
}

void gscale_trace_close(gscale_trace *t)
{
  if (!t) return;
  if (t->file) fclose(t->file);
  free(t->path);
  free(t);
}

int gscale_trace_gpus(const gscale_trace *t)
{
  return t->gpus;
}

gscale_status gscale_trace_read(gscale_trace *t, gscale_record *records,
                                size_t room, size_t *n, gscale_diag *diag)
{
  char text[128];
  size_t i = 0;
  bool there = true;

  for (; i < room; i++) {
    const gscale_status st = t->binary
                                 ? read_binary(t, &records[i], &there, diag)
                                 : read_csv(t, &records[i], &there, diag);
    if (st != GSCALE_OK) return st;
    if (!there) break;
    if (gscale__record_wrong(&records[i], t->gpus, text, sizeof text))
      return bad(t, text, diag);
    t->records++;
  }
  *n = i;
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
