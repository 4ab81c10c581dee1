/* library.c - loads descriptions for C programs with gscale_load_system(). */

#include "gpuscale.h"

#include "language/language.h"
#include "language/schedule.h"

#include <stdlib.h>
#include <string.h>

/* Returns the library's status for a failure, and stores its first line. */
static gscale_status status_of(const failure *why, gscale_diag *diag)
{
  const size_t length = strcspn(why->text, "\n");

  if (diag)
    snprintf(diag->text, sizeof diag->text, "%.*s", (int)length, why->text);
  switch (why->status) {
  case EXIT_USAGE:
    return GSCALE_ENAME;
  case EXIT_IO:
    return GSCALE_EIO;
  case EXIT_LIMIT:
    return GSCALE_ESIZE;
  case EXIT_NUMERIC:
    return GSCALE_ENUMERIC;
  case EXIT_INTERNAL:
    return GSCALE_ENOMEM;
  default:
    return GSCALE_EDATA;
  }
}

static int take_settings(settings *set, const char *const text[], size_t n,
                         failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; i < n && st == EXIT_OK; i++)
    st = settings_add(set, text && text[i] ? text[i] : "", why);
  return st;
}

gscale_status gscale_load_system(const char *what, const char *const text[],
                                 size_t n, gscale_system **out,
                                 gscale_diag *diag)
{
  settings set = {.option = "settings"};
  gscale_system *made = NULL;
  failure why;
  int st = take_settings(&set, text, n, &why);

  if (st == EXIT_OK)
    st = load_system(what ? what : "", &set, &made, NULL, &why);
  if (st == EXIT_OK) st = settings_all_used(&set, &why);
  if (st != EXIT_OK) {
    gscale_system_free(made);
    return status_of(&why, diag);
  }
  *out = made;
  return GSCALE_OK;
}

/* Returns the given numbers and 1 without duplicates, or NULL without
 * memory. */
static int *with_one(const int *gpus, size_t *n)
{
  int *list = malloc((*n + 1) * sizeof *list);
  size_t count = 0;

  if (!list) return NULL;
  list[count++] = 1;
  for (size_t i = 0; gpus && i < *n; i++) {
    bool there = false;

    for (size_t j = 0; j < count; j++) there |= list[j] == gpus[i];
    if (!there) list[count++] = gpus[i];
  }
  *n = count;
  return list;
}

static int load_sizes(const char *what, settings *set, const int *gpus,
                      size_t n, gscale_workload **out, failure *why)
{
  int *const list = with_one(gpus, &n);
  int st;

  if (!list) return fail(why, EXIT_INTERNAL, "no memory for a workload");
  st = load_for(what, set, &(target){.gpus = list, .n = n}, out, NULL, why);
  free(list);
  return st;
}

gscale_status gscale_load_workload(const char *what, const char *const text[],
                                   size_t n, const int gpus[], size_t sizes,
                                   gscale_workload **out, gscale_diag *diag)
{
  settings set = {.option = "settings"};
  gscale_workload *made = NULL;
  failure why;
  int st = take_settings(&set, text, n, &why);

  if (st == EXIT_OK)
    st = load_sizes(what ? what : "", &set, gpus, sizes, &made, &why);
  if (st == EXIT_OK) st = settings_all_used(&set, &why);
  if (st != EXIT_OK) {
    gscale_workload_free(made);
    return status_of(&why, diag);
  }
  *out = made;
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
