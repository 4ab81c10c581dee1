/* guided.c - a reader fuzzed by what its code reaches, with libFuzzer: the
 * program's name is the reader's (`make fuzz`). */

#include "readers.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const fuzz_reader *reader;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  const char *const slash = strrchr((*argv)[0], '/');
  (void)argc;
  reader = fuzz_reader_at(fuzz_find(slash ? slash + 1 : (*argv)[0]));
  if (!reader) {
    fprintf(stderr, "%s: no reader of that name\n", (*argv)[0]);
    exit(2);
  }
  gsl_set_error_handler_off();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  const char *const wrong = fuzz_read(reader, bytes, n);
  if (wrong) {
    fprintf(stderr, "%s: %s\n", reader->name, wrong);
    abort();
  }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
