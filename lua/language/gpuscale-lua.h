/*
 * gpuscale-lua.h - systems and workloads of C programs from Lua descriptions.
 *
 * A library of its own, libgpuscale-lua, because it needs Lua; libgpuscale
 * does not.  What may stand in a description is in lua/README.md.
 */
#ifndef GPUSCALE_LUA_H
#define GPUSCALE_LUA_H

#include "gpuscale.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Loads the description of a system.
 *
 * what      a name, looked for on the search path (., $GPUSCALE_PATH, where
 *           the program or this library is installed), or a file: a text with
 *           a '/' or that ends in .lua
 * settings  n texts "name=value", as -P of the command line takes them: numbers
 *           of the system ("link.rate=64 GB/s"), which count as assumed then;
 *           n at most 64, NULL if n is 0
 * *out      the system, to be freed by gscale_system_free()
 * *diag     may be NULL; on failure the first mistake with file, line and field
 *
 * Returns GSCALE_EIO for what is not found or cannot be read, GSCALE_ENAME for
 * a setting that nobody declared or of no such form, GSCALE_ESIZE for a
 * description that needs more than 64 MiB, 1e7 instructions or 2 s,
 * GSCALE_EDATA for any other mistake in it.  Source: ours. */
gscale_status gscale_load_system(const char *what, const char *const settings[],
                                 size_t n, gscale_system **out,
                                 gscale_diag *diag);

/** Loads the description of a workload, as gscale_load_system() does a system;
 * its settings are the workload's knobs ("n=512") and fields of its phases.
 *
 * gpus, sizes  the numbers of GPUs that it will be planned for, each >= 1: a
 *              workload that says its own schedule is asked for it once for
 *              each, 1 included; others do not care.  NULL if sizes is 0.
 * *out         to be freed by gscale_workload_free() */
gscale_status gscale_load_workload(const char *what,
                                   const char *const settings[], size_t n,
                                   const int gpus[], size_t sizes,
                                   gscale_workload **out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GPUSCALE_LUA_H */
