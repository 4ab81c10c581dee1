/* project.c - projects an unmeasured system from measured machines:
 *
 *   gs.project { from = "h100x2", device = "h200" }
 *
 * gs.project also accepts all keys of gs.system. The data sheets are in
 * params/devices.csv, or in devices.csv beside the description, and the errors
 * of the rules in data/projection.csv. */

#include "language/reader.h"

#include <string.h>
#include <unistd.h>

/* ---- reading ------------------------------------------------------------- */

static void read_machine(const reader *r, const char *key, machine_names *to)
{
  const char *name =
      lua_type(r->L, -1) == LUA_TSTRING ? lua_tostring(r->L, -1) : "";

  if (!*name || strlen(name) >= sizeof to->name[0])
    complain_type(r, key, "names of systems");
  else if (is_file(name))
    complain_of(r, "%s: '%.60s': needs a system's name, not a file", key, name);
  else
    strcpy(to->name[to->n++], name);
}

/* Reads one name or a list, as in from = { "h200x4", "h200x8" }. */
static void read_machines(const reader *r, const char *key, machine_names *to)
{
  const int type = push_field(r, key);
  size_t n = 0;

  if (type == LUA_TTABLE &&
      is_list(r, key, "names of systems", 1, LENGTH(to->name), &n)) {
    for (size_t i = 0; i < n; i++) {
      lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
      read_machine(r, key, to);
      lua_pop(r->L, 1);
    }
  } else if (type != LUA_TNIL && type != LUA_TTABLE) {
    read_machine(r, key, to);
  }
  lua_pop(r->L, 1);
}

void read_projection(const reader *r, job *j)
{
  read_machines(r, "from", &j->from);
  read_machines(r, "hosts", &j->hosts);
  j->projected = j->from.n > 0;
  if (!j->projected) {
    if (j->hosts.n > 0) complain_of(r, "hosts: is for systems with `from`");
    return;
  }
  if (j->has_like)
    complain_of(r, "like: beside `from`: one of them says it all");
  if (push_field(r, "device") == LUA_TTABLE) {
    const reader inner = {r->L, lua_gettop(r->L), r->line, "device."};
    read_text(&inner, "name", true, j->device, sizeof j->device);
  } else {
    read_text(r, "device", true, j->device, sizeof j->device);
  }
  lua_pop(r->L, 1);
}

/* ---- tables -------------------------------------------------------------- */

int read_sheets(gscale_sheets **out, failure *why)
{
  char path[512];
  gscale_diag diag;

  if (find_shared("params/devices.csv", path, sizeof path, why) != EXIT_OK)
    return why->status;
  return check_gscale(why, gscale_sheets_read(path, out, &diag), &diag);
}

/* Reads devices.csv in the folder of a description, if that file exists. */
static int read_own(const char *beside, gscale_sheets **out, failure *why)
{
  const char *slash = strrchr(beside, '/');
  char path[512];
  gscale_diag diag;

  snprintf(path, sizeof path, "%.*sdevices.csv",
           slash ? (int)(slash + 1 - beside) : 0, beside);
  if (access(path, F_OK) != 0) return EXIT_OK;
  return check_gscale(why, gscale_sheets_read(path, out, &diag), &diag);
}

static int no_sheet(const device_sheets *all, const char *device, failure *why)
{
  const char *names[64];
  hint near;
  size_t n = 0;

  for (; n < LENGTH(names) && gscale_sheets_at(all->shared, n); n++)
    names[n] = gscale_sheets_at(all->shared, n)->device;
  return fail(
      why, EXIT_DATA,
      "device: no data sheet of '%.60s' in params/devices.csv, nor in a "
      "devices.csv beside the description%s",
      device, suggested(near, device, names, n, ""));
}

int find_sheet(const char *device, const char *beside, device_sheets *out,
               failure *why)
{
  int st = read_sheets(&out->shared, why);

  if (st == EXIT_OK) st = read_own(beside, &out->own, why);
  if (st != EXIT_OK) return st;
  if (out->own) out->device = gscale_sheets_find(out->own, device);
  if (!out->device) out->device = gscale_sheets_find(out->shared, device);
  return out->device ? EXIT_OK : no_sheet(out, device, why);
}

void free_sheets(device_sheets *s)
{
  gscale_sheets_free(s->shared);
  gscale_sheets_free(s->own);
}

int read_trials(gscale_trials **out, failure *why)
{
  char path[512];
  gscale_diag diag;
  failure none;

  *out = NULL;
  if (find_shared("data/projection.csv", path, sizeof path, &none) != EXIT_OK)
    return EXIT_OK;
  return check_gscale(why, gscale_trials_read(path, out, &diag), &diag);
}

/* ---- machines ------------------------------------------------------------ */

typedef int loader(const char *, gscale_system **, failure *);

typedef struct machines {
  size_t n;
  gscale_origin_machine of[2 * MACHINES_NAMED];
  gscale_system *system[2 * MACHINES_NAMED]; /* the systems to free */
} machines;

static void free_machines(machines *m)
{
  for (size_t i = 0; i < m->n; i++) gscale_system_free(m->system[i]);
}

/* Loads machines with the numbers of their own files only, since inherited
 * numbers were not measured. */
static int add_machines(machines *m, const machine_names *names, bool gpu,
                        bool host, const gscale_sheets *sheets, loader *load,
                        failure *why)
{
  for (size_t i = 0; i < names->n; i++) {
    gscale_system *s = NULL;

    if (load(names->name[i], &s, why) != EXIT_OK) {
      gscale_system_free(s);
      return why->status;
    }
    m->system[m->n] = s;
    m->of[m->n++] =
        (gscale_origin_machine){s, gscale_sheets_of(sheets, s), gpu, host};
    if (!gpu || gscale_sheets_of(sheets, s)) continue;
    return fail(why, EXIT_DATA,
                "%s: no data sheet of params/devices.csv has its memory, SMs "
                "and flops",
                names->name[i]);
  }
  return EXIT_OK;
}

int project_system(gscale_system *s, const machine_names *from,
                   const machine_names *hosts, const char *device,
                   const char *beside, const bool *said, loader *load,
                   failure *why)
{
  machines m = {0};
  device_sheets of = {0};
  gscale_trials *trials = NULL;
  gscale_diag diag;
  int st = find_sheet(device, beside, &of, why);

  if (st == EXIT_OK) st = read_trials(&trials, why);
  if (st == EXIT_OK)
    st = add_machines(&m, from, true, hosts->n == 0, of.shared, load, why);
  if (st == EXIT_OK)
    st = add_machines(&m, hosts, false, true, of.shared, load, why);
  if (st == EXIT_OK)
    st = check_gscale(
        why, gscale_project(s, m.of, m.n, of.device, trials, said, &diag),
        &diag);
  free_machines(&m);
  gscale_trials_free(trials);
  free_sheets(&of);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
