/* readers.h - every reader of files and texts, by name, for fuzzing. */
#ifndef GPUSCALE_TESTS_FUZZ_READERS_H
#define GPUSCALE_TESTS_FUZZ_READERS_H

#include <stddef.h>
#include <stdint.h>

/* One reader: what it is given is the content of a file, or a text. */
typedef struct fuzz_reader {
  const char *name;
  const char *format; /* of gscale_import_name(); NULL: read as the name says */
  const char *ending; /* of the file */
  int (*read)(const struct fuzz_reader *r, const char *path, char *said,
              size_t room); /* 0: taken; else `said` has a reason */
} fuzz_reader;

/* Index of that name; fuzz_readers() if there is none. */
size_t fuzz_find(const char *name);
size_t fuzz_readers(void);
const fuzz_reader *fuzz_reader_at(size_t i);

/* Puts the bytes into a file of its own and reads it.  NULL, or what is wrong
 * with the answer: a refusal without a reason, or one that has control
 * characters. */
const char *fuzz_read(const fuzz_reader *r, const uint8_t *bytes, size_t n);

#endif /* GPUSCALE_TESTS_FUZZ_READERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
