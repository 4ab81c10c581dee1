/* t_fuzz.c - readers given what almost is a file of theirs: seeds of
 * tests/fuzz/seeds/list with bytes turned, cut, repeated, spliced or replaced
 * by words that are hard to read.
 *
 * t_fuzz [SEED] [COUNT]   COUNT inputs a reader. */

#include "fuzz/readers.h"
#include "random.h"

#include "gpuscale/all.h"

#include <ctype.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_test.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  SEEDS_MAX = 64,
  INPUT_MAX = 1 << 16
};

typedef struct seed {
  size_t reader;
  uint8_t *bytes;
  size_t n;
} seed;

static seed seeds[SEEDS_MAX];
static size_t count;

/* ---- seeds --------------------------------------------------------------- */

static void keep(size_t reader, const void *bytes, size_t n)
{
  seed *const s = &seeds[count++];
  *s = (seed){.reader = reader, .n = n < INPUT_MAX ? n : INPUT_MAX};
  s->bytes = malloc(s->n + 1);
  memcpy(s->bytes, bytes, s->n);
}

static char *content(const char *path, size_t *n)
{
  FILE *const f = fopen(path, "rb");
  char *const bytes = calloc(1, 1 << 20);
  *n = f ? fread(bytes, 1, (1 << 20) - 1, f) : 0;
  if (f) fclose(f);
  return bytes;
}

/* The database that the statements make, as a file. */
static void keep_database(size_t reader, const char *statements)
{
  sqlite3 *d = NULL;
  sqlite3_int64 n = 0;
  unsigned char *file = NULL;

  if (sqlite3_open(":memory:", &d) == SQLITE_OK &&
      sqlite3_exec(d, statements, NULL, NULL, NULL) == SQLITE_OK)
    file = sqlite3_serialize(d, "main", &n, 0);
  if (file) keep(reader, file, (size_t)n);
  sqlite3_free(file);
  sqlite3_close(d);
}

static void keep_file(size_t reader, const char *root, const char *name)
{
  char path[512];
  size_t n;
  const char *const dot = strrchr(name, '.');

  snprintf(path, sizeof path, "%s/%s", root, name);
  char *const bytes = content(path, &n);
  gsl_test(n == 0, "%s is there", name);
  if (dot && strcmp(dot, ".sql") == 0)
    keep_database(reader, bytes);
  else
    keep(reader, bytes, n);
  free(bytes);
}

static void read_seeds(const char *root)
{
  char line[512], name[32], path[512];
  snprintf(path, sizeof path, "%s/tests/fuzz/seeds/list", root);
  FILE *const f = fopen(path, "r");

  while (f && fgets(line, sizeof line, f) && count < SEEDS_MAX) {
    line[strcspn(line, "\n")] = '\0';
    char *const rest = strchr(line, ' ');
    if (*line == '#' || !rest) continue;
    snprintf(name, sizeof name, "%.*s", (int)(rest - line), line);
    const size_t reader = fuzz_find(name);
    gsl_test(reader == fuzz_readers(), "a reader is called %s", name);
    if (reader == fuzz_readers()) continue;
    if (rest[1] == '=')
      keep(reader, rest + 3, strlen(rest + 3));
    else
      keep_file(reader, root, rest + 1);
  }
  if (f) fclose(f);
  gsl_test(count == 0, "there are seeds");
}

/* ---- what becomes of them ------------------------------------------------ */

static const char *const hard[] = {
    "nan", "-1", "1e999", "0x10", "99999999999999999999",
    "\"",  "{",  "[[",    "\0\0", "\xff",
    "\n",  ",",  "inf",   "-0",   "%s",
    "../",
};

static size_t cut_or_grow(rng *r, uint8_t *b, size_t n)
{
  const size_t at = (size_t)pick(r, (int)n + 1);
  size_t length = (size_t)pick(r, 64);

  if (pick(r, 2)) { /* cut */
    if (length > n - at) length = n - at;
    memmove(b + at, b + at + length, n - at - length);
    return n - length;
  }
  if (length > n - at) length = n - at;
  if (n + length > INPUT_MAX) return n;
  memmove(b + at + length, b + at, n - at); /* what stood there, twice */
  return n + length;
}

static size_t put_word(rng *r, uint8_t *b, size_t n)
{
  const char *const word = hard[pick(r, sizeof hard / sizeof *hard)];
  const size_t length = *word ? strlen(word) : 2;
  size_t at = (size_t)pick(r, (int)n + 1), old = 0;

  while (at + old < n && isalnum(b[at + old])) old++; /* the word there */
  if (n - old + length > INPUT_MAX) return n;
  memmove(b + at + length, b + at + old, n - at - old);
  memcpy(b + at, word, length);
  return n - old + length;
}

static size_t splice(rng *r, uint8_t *b, size_t n, const seed *other)
{
  const size_t at = (size_t)pick(r, (int)n + 1),
               from = (size_t)pick(r, (int)other->n + 1);
  size_t length = other->n - from;

  if (at + length > INPUT_MAX) length = INPUT_MAX - at;
  memcpy(b + at, other->bytes + from, length);
  return at + length;
}

static size_t mutate(rng *r, const seed *s, uint8_t *b)
{
  size_t n = s->n;
  memcpy(b, s->bytes, n);
  for (int k = 1 + pick(r, 4); k > 0; k--) switch (pick(r, 5)) {
    case 0:
      if (n > 0) b[pick(r, (int)n)] ^= (uint8_t)(1 << pick(r, 8));
      break;
    case 1:
      n = cut_or_grow(r, b, n);
      break;
    case 2:
      n = put_word(r, b, n);
      break;
    case 3:
      n = (size_t)pick(r, (int)n + 1);
      break;
    default:
      n = splice(r, b, n, &seeds[pick(r, (int)count)]);
    }
  return n;
}

/* ---- tests --------------------------------------------------------------- */

/* One that fails is left beside, to be looked at. */
static void leave(const fuzz_reader *r, const uint8_t *b, size_t n)
{
  char path[96];
  snprintf(path, sizeof path, "fuzz-%s%s", r->name, r->ending);
  FILE *const f = fopen(path, "wb");
  if (!f) return;
  fwrite(b, 1, n, f);
  fclose(f);
}

static void reader_holds(size_t reader, uint64_t seed_, int inputs)
{
  static uint8_t bytes[INPUT_MAX + 64];
  const fuzz_reader *const r = fuzz_reader_at(reader);
  const char *wrong = NULL;
  rng drawn = {seed_ + reader};
  size_t mine[SEEDS_MAX], n = 0;

  for (size_t i = 0; i < count; i++)
    if (seeds[i].reader == reader) mine[n++] = i;
  gsl_test(n == 0, "%s: has a seed", r->name);
  for (size_t i = 0; i < n && !wrong; i++)
    wrong = fuzz_read(r, seeds[mine[i]].bytes, seeds[mine[i]].n);
  for (int i = 0; n > 0 && i < inputs && !wrong; i++) {
    const seed *const s = &seeds[mine[pick(&drawn, (int)n)]];
    const size_t length = mutate(&drawn, s, bytes);
    wrong = fuzz_read(r, bytes, length);
    if (wrong) leave(r, bytes, length);
  }
  gsl_test(wrong != NULL, "%s: %d inputs: %s", r->name, inputs,
           wrong ? wrong : "taken, or refused with a reason");
}

/* A format that is added is fuzzed, too. */
static void all_formats(void)
{
  const char *name;
  for (size_t i = 0; (name = gscale_import_name(i)); i++) {
    bool there = false;
    for (size_t k = 0; k < fuzz_readers(); k++) {
      const char *const format = fuzz_reader_at(k)->format;
      there |= format && strcmp(format, name) == 0;
    }
    gsl_test(!there, "%s is fuzzed", name);
  }
}

int main(int argc, char **argv)
{
  const char *const root = getenv("GPUSCALE_PATH");
  const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261124;
  const int inputs = argc > 2                  ? atoi(argv[2])
                     : getenv("GPUSCALE_LONG") ? 2000
                                               : 100;

  gsl_set_error_handler_off();
  all_formats();
  read_seeds(root ? root : ".");
  for (size_t i = 0; i < fuzz_readers(); i++) reader_holds(i, first, inputs);
  for (size_t i = 0; i < count; i++) free(seeds[i].bytes);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
