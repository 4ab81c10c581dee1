/* old_names.c - names of version 0.1 that have changed.  Version 0.2 reads the
 * old names and prints none of them. */

#include "gpuscale/fields.h"

#include <string.h>

static const gscale_renamed table[] = {
    {"host.launch_crowd", "host.launch_contention"},
    {"host.copy_crowd", "host.copy_contention"},
    {"crowd.graph", "contention.graph"},
    {"crowd.memset", "contention.memset"},
    {"crowd.d2h", "contention.d2h"},
    {"crowd.h2d", "contention.h2d"},
    {"crowd.event", "contention.event"},
    {"crowd.wait_far", "contention.wait_remote"},
    {"crowd.sync", "contention.sync"},
    {"crowd.sync_event", "contention.sync_event"},
    {"crowd.set_device", "contention.set_device"},
    {"agent.beside", "agent.contention"},
    {"host.wait_far", "host.wait_remote"},
    {"share.wait_far", "share.wait_remote"},
    {"hand.far", "hand.remote"},
    {"um.lapse", "um.thrash_window"},
    {"store.size.masked", "store.size.partial"},
    {"residual.beside", "residual.contention"},
    {"--offset", "--alignment-offset"},
};

const gscale_renamed *gscale_renamed_at(size_t i)
{
  return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const char *gscale_name_now(const char *name)
{
  const gscale_renamed *old;

  for (size_t i = 0; (old = gscale_renamed_at(i)); i++)
    if (strcmp(old->was, name) == 0) return old->now;
  return name;
}

const char *gscale_name_was(const char *name)
{
  const gscale_renamed *old;

  for (size_t i = 0; (old = gscale_renamed_at(i)); i++)
    if (strcmp(old->now, name) == 0) return old->was;
  return name;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
