/* cases.c - reads the table of cases for --coverage. */

#include "validate/cases.h"

#include <string.h>

/* ---- table -------------------------------------------------------------- */

enum {
  GAP,
  MACHINE,
  SYSTEM,
  SETTINGS,
  FILES,
  CASE_COLUMNS
};

static const char *const case_columns[CASE_COLUMNS] = {
    "gap", "machine", "system", "settings", "files"};

static int take_case(const gscale_table *t, size_t row, const size_t at[],
                     const char *path, one_case *c, failure *why)
{
  const char *gap = gscale_table_text(t, row, at[GAP]);

  while (c->gap < GSCALE_GAP_END &&
         strcmp(gscale_name(GSCALE_GAP_NAMES, c->gap), gap) != 0)
    c->gap++;
  if (c->gap == GSCALE_GAP_END)
    return fail(why, EXIT_DATA, "%s:%d: gap: no gap '%.60s'", path,
                gscale_table_line(t, row), gap);
  c->machine = gscale_table_text(t, row, at[MACHINE]);
  c->system = gscale_table_text(t, row, at[SYSTEM]);
  c->settings = gscale_table_text(t, row, at[SETTINGS]);
  c->files = gscale_table_text(t, row, at[FILES]);
  return EXIT_OK;
}

int cases_read(const char *path, gscale_table **table, one_case *of, size_t *n,
               failure *why)
{
  gscale_diag diag;
  size_t at[CASE_COLUMNS];
  gscale_status read = gscale_table_read(path, table, &diag);

  for (size_t c = 0; read == GSCALE_OK && c < CASE_COLUMNS; c++)
    read = gscale_table_column(*table, case_columns[c], &at[c], &diag);
  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  *n = gscale_table_rows(*table);
  if (*n == 0) return fail(why, EXIT_DATA, "%s: no cases", path);
  if (*n > CASES_MAX)
    return fail(why, EXIT_LIMIT, "%s: more than %d cases", path, CASES_MAX);
  for (size_t i = 0; i < *n; i++)
    if (take_case(*table, i, at, path, &of[i], why) != EXIT_OK)
      return why->status;
  return EXIT_OK;
}

/* ---- case --------------------------------------------------------------- */

size_t case_split(char *text, char **word, size_t most)
{
  size_t n = 0;

  for (char *w = strtok(text, ";"); w && n < most; w = strtok(NULL, ";"))
    word[n++] = w;
  return n;
}

int case_load(const one_case *c, gscale_system **out, failure *why)
{
  char text[512], *word[SETTINGS_MAX];
  static options o; /* large */
  system_label name;
  size_t n;
  int st = EXIT_OK;

  o = (options){.verb = "validate", .system = c->system};
  snprintf(text, sizeof text, "%s", c->settings);
  n = case_split(text, word, SETTINGS_MAX);
  for (size_t i = 0; st == EXIT_OK && i < n; i++) {
    if (strncmp(word[i], "link=", 5) == 0)
      o.link = word[i] + 5;
    else
      st = settings_add(&o.set, word[i], why);
  }
  if (st == EXIT_OK) st = load_asked_system(&o, out, NULL, name, why);
  return st == EXIT_OK ? settings_all_used(&o.set, why) : st;
}
