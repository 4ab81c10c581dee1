/* measure.h - tables of measurements.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_MEASURE_H
#define GSCALE_MEASURE_H

#include "gpuscale/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tables of measurements ---------------------------------------------- */

typedef struct gscale_table gscale_table;

/** Reads a CSV file: `#` lines at its head, one line of column names, rows.
 *
 *  It refuses NUL bytes, unterminated quotes, fields over 64 KiB, more than
 *  1024 columns, rows with too few or many fields, and names that are empty or
 *  given twice; the diag has line and column.  It accepts a byte-order mark, CR
 *  and CRLF line ends, and empty lines.
 *
 *  Fails    GSCALE_EIO cannot be read; GSCALE_EPARSE; GSCALE_ENOMEM. */
gscale_status gscale_table_read(const char *path, gscale_table **out,
                                gscale_diag *diag);
/** Reads a CSV file row by row, in bounded memory.
 *
 *  It calls take() once with a table of the names alone, and then for each row
 *  with a table of that row, number 0, which take() must not keep.  Any status
 *  except GSCALE_OK from take() ends the reading.
 *
 *  Fails    as gscale_table_read(), at the first mistake; as take() does. */
typedef gscale_status gscale_table_taker(const gscale_table *t, void *closure,
                                         gscale_diag *diag);
gscale_status gscale_table_each(const char *path, gscale_table_taker *take,
                                void *closure, gscale_diag *diag);
void gscale_table_free(gscale_table *t);
size_t gscale_table_rows(const gscale_table *t);
int gscale_table_line(const gscale_table *t, size_t row); /* in the file */
/** Finds the column of that name; GSCALE_ENAME names it and the file if
 *  missing. */
gscale_status gscale_table_column(const gscale_table *t, const char *name,
                                  size_t *out, gscale_diag *diag);
/** Name of a column; NULL past the last. */
const char *gscale_table_name(const gscale_table *t, size_t column);
const char *gscale_table_text(const gscale_table *t, size_t row, size_t column);
/** Reads a finite decimal number (no nan, inf, hexadecimal); else GSCALE_EPARSE
 *  with file, line and column name. */
gscale_status gscale_table_number(const gscale_table *t, size_t row,
                                  size_t column, double *out,
                                  gscale_diag *diag);

/* ---- measurements -------------------------------------------------------- */

/** One sample of a microbenchmark; the columns of data files in their order. */
typedef struct gscale_measurement {
  char bench[32];
  char src[12], dst[12]; /* GPU indices, "h" host, "all", "nodes": all, on
                          * several nodes, "-" none */
  int gpus;              /* active together */
  char access[12];       /* copy, store, load, kernel, host; in-place: a
                          * collective whose result replaces its input */
  double size;           /* B of one item; benches may differ */
  double count;          /* items in the sample */
  double threads;
  double inflight; /* streams, or concurrent items; number of nodes */
  double time;     /* s, of the whole sample */
  double sigma;    /* s, standard error of it */
  double repeats;
  char file[64];     /* last component of its path */
  int line;          /* in that file */
  double energy;     /* J of one GPU, 0 if not counted */
  double energy_err; /* J, standard error of it */
  double version;    /* version of the library, 22907 for 2.29.7; 0: unknown */
} gscale_measurement;

/** Appends a copy; GSCALE_EDOMAIN unless time > 0, count >= 1, all others >= 0,
 *  and all finite.  sigma = 0: not known. */
gscale_status gscale_measurements_add(gscale_measurements *m,
                                      const gscale_measurement *row,
                                      gscale_diag *diag);
size_t gscale_measurements_count(const gscale_measurements *m);
const gscale_measurement *gscale_measurements_at(const gscale_measurements *m,
                                                 size_t i); /* NULL past end */

/** What a reader remarks about a file. */
typedef enum gscale_remark_kind {
  GSCALE_REMARK_NOTE,   /* stripped text, lines that could not be read */
  GSCALE_REMARK_BROKEN, /* ranks that contradict the rows, cut lists */
  GSCALE_REMARK_WRONG,  /* results that are wrong, tests that failed */
  GSCALE_REMARK_GPU,    /* text: the name of its GPUs */
  GSCALE_REMARK_HOSTS,  /* text: the names of its hosts */
  GSCALE_REMARK_PEER    /* text: "none" or "all" pairs have peer access */
} gscale_remark_kind;

typedef struct gscale_remark {
  gscale_remark_kind kind;
  char file[64]; /* last component of its path */
  int line;      /* 0: the whole file */
  char text[200];
} gscale_remark;

/** Returns remark i of the files that were read; NULL past the end. */
const gscale_remark *gscale_measurements_remark(const gscale_measurements *m,
                                                size_t i);

/** Returns the name of a format that gscale_import() knows. */
const char *gscale_import_name(size_t i); /* "nccl-tests", ...; NULL past end */

/** Reads the topology of GPUs from `nvidia-smi topo -m` or the XML file that
 *  NCCL_TOPO_DUMP_FILE names.
 *
 *    switch  NVLinks to switches (XML); equally many NVLinks between all pairs,
 *            more than one GPU can have as its own (over 18).
 *    mesh    NVLinks between pairs, rates relative to the GPU with most; pairs
 *            without are relayed by a common neighbour (`staged` is 0), or if
 *            one has none, by the host (`staged` is 1: the caller knows it).
 *    tree    no NVLinks: groups below one PCIe switch (PIX, PXB), or of one GPU
 *
 *  Returned *out, *gpus   with defaults for rates that files do not state.
 *  Fails    as gscale_import;  GSCALE_ESIZE  a mesh over GSCALE_MESH_MAX.
 *           GSCALE_EDATA  no gscale_fabric fits: unequal PCIe groups.
 *  Omits    rates of PCIe; network cards; C2C links between GPU and CPU.
 *  Source   ours. */
gscale_status gscale_import_topology(const char *path, gscale_fabric *out,
                                     int *gpus, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_MEASURE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
