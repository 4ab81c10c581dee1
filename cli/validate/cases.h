/* cases.h - which runs coverage is asked of, and by what they are predicted. */
#ifndef GPUSCALE_CASES_H
#define GPUSCALE_CASES_H

#include "common/cli.h"

enum {
  CASES_MAX = 64
};

typedef struct one_case {
  gscale_gap gap;
  const char *machine, *system, *settings, *files;
  size_t first, n; /* of its residuals */
} one_case;

/* Reads CASES_MAX of them at most; the texts are the table's. */
int cases_read(const char *path, gscale_table **table, one_case *of, size_t *n,
               failure *why);
/* Its system, with its settings. */
int case_load(const one_case *c, gscale_system **out, failure *why);
/* The words between semicolons, in *text itself; returns how many. */
size_t case_split(char *text, char **word, size_t most);

#endif /* GPUSCALE_CASES_H */
