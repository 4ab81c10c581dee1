/* describe.c - the ways in: descriptions by name or file, made in a sandbox. */

#include "language/reader.h"

const char *setting(const job *j, const char *name)
{
  return j->set ? settings_take(j->set, name) : NULL;
}

static int load(kind k, const char *what, job *j, about *more, failure *why)
{
  int st = find_description(k, what, j->more.path, sizeof j->more.path, why);

  if (st == EXIT_OK)
    st = sandbox_run(j->more.path, &default_limits,
                     k == KIND_SYSTEM ? read_system : read_workload, j, why);
  if (st == EXIT_OK && more) *more = j->more;
  return st;
}

int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why)
{
  job j = {.set = set};
  const int st = load(KIND_SYSTEM, what, &j, more, why);

  if (st == EXIT_OK)
    *out = j.system;
  else
    gscale_system_free(j.system);
  return st;
}

int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why)
{
  job j = {.set = set};
  const int st = load(KIND_WORKLOAD, what, &j, more, why);

  gscale_workload_free(j.moved[0]);
  gscale_workload_free(j.moved[1]);
  if (st == EXIT_OK)
    *out = j.workload;
  else
    gscale_workload_free(j.workload);
  return st;
}
