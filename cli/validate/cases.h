/* cases.h - declares the runs and the predicting system of each case. */
#ifndef GPUSCALE_CASES_H
#define GPUSCALE_CASES_H

#include "common/cli.h"

enum {
  CASES_MAX = 64
};

typedef struct one_case {
  gscale_gap gap;
  const char *machine, *system, *settings, *files;
  size_t first, n; /* range of the case's residuals */
} one_case;

/* Reads at most CASES_MAX cases. *table owns the texts of the cases. */
int cases_read(const char *path, gscale_table **table, one_case *of, size_t *n,
               failure *why);
/* Loads the system of a case and applies its settings. */
int case_load(const one_case *c, gscale_system **out, failure *why);
/* Splits *text in place at semicolons and returns the number of words. */
size_t case_split(char *text, char **word, size_t most);

#endif /* GPUSCALE_CASES_H */
