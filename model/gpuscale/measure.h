/* measure.h - tables of measurements. */
#ifndef GSCALE_MEASURE_H
#define GSCALE_MEASURE_H

#include "gpuscale/system.h"

typedef struct gscale_table gscale_table;

/** Reads a CSV file, which has `#` lines at the head, then one line of column
 *  names, then rows.
 *
 *  The reader refuses NUL bytes, unterminated quotes, fields over 64 KiB, more
 *  than 1024 columns, rows with too few or too many fields, and empty or
 *  repeated column names. *diag has the line and the column of a mistake.  The
 *  reader accepts a byte-order mark, CR and CRLF line ends, and empty lines.
 *
 *  Fails    GSCALE_EIO if the file cannot be read; GSCALE_EPARSE;
 *           GSCALE_ENOMEM. */
gscale_status gscale_table_read(const char *path, gscale_table **out,
                                gscale_diag *diag);
/** Reads a CSV file row by row, in bounded memory.
 *
 *  The reader calls take() first with a table of only the column names, and
 *  then for each row with a table of only that row (row 0). take() must not
 *  keep the table.  If take() returns a status other than GSCALE_OK, reading
 *  ends.
 *
 *  Fails    as gscale_table_read(), at the first mistake, and with any status
 *           of take(). */
typedef gscale_status gscale_table_taker(const gscale_table *t, void *closure,
                                         gscale_diag *diag);
gscale_status gscale_table_each(const char *path, gscale_table_taker *take,
                                void *closure, gscale_diag *diag);
void gscale_table_free(gscale_table *t);
size_t gscale_table_rows(const gscale_table *t);
int gscale_table_line(const gscale_table *t, size_t row); /* line number in the
                                                           * file */
/** Finds a column by name.  If the column is missing, the function fails with
 *  GSCALE_ENAME and names the column and the file. */
gscale_status gscale_table_column(const gscale_table *t, const char *name,
                                  size_t *out, gscale_diag *diag);
/** Returns the name of a column, or NULL past the last column. */
const char *gscale_table_name(const gscale_table *t, size_t column);
const char *gscale_table_text(const gscale_table *t, size_t row, size_t column);
/** Reads a finite decimal number, and not nan, inf or hexadecimal.  Otherwise
 *  the function fails with GSCALE_EPARSE, and *diag has file, line and column
 *  name. */
gscale_status gscale_table_number(const gscale_table *t, size_t row,
                                  size_t column, double *out,
                                  gscale_diag *diag);

/* ---- measurements -------------------------------------------------------- */

/** One sample of a microbenchmark.  Members are in the order of a data file's
 *  columns. */
typedef struct gscale_measurement {
  char bench[32];
  char src[12], dst[12]; /* a GPU's index, "h" (host), "all" (GPUs), "nodes"
                          * (GPUs of several nodes), or "-" (none) */
  int gpus;              /* GPUs active at once */
  char access[12];       /* "copy", "store", "load", "kernel", "host" (its
                          * call, or a copy that must pass its memory), or
                          * "in-place" (a collective that overwrites its
                          * input) */
  double size;           /* B of one item in most benches */
  double count;          /* items in the sample */
  double threads;
  double inflight; /* streams or concurrent items, or number of nodes */
  double time;     /* time of the whole sample, s */
  double sigma;    /* s, standard error of time */
  double repeats;
  char file[64];     /* name of the file without folders */
  int line;          /* line in the file */
  double energy;     /* J of one GPU, or 0 if not measured */
  double energy_err; /* J, standard error of energy */
  double version;    /* version of the library (22907 for 2.29.7); 0: unknown */
} gscale_measurement;

/** Appends a copy of a measurement.  The function fails with GSCALE_EDOMAIN
 *  unless all numbers are finite, time > 0, count >= 1, and all others >= 0.
 *  sigma = 0 means an unknown standard error. */
gscale_status gscale_measurements_add(gscale_measurements *m,
                                      const gscale_measurement *row,
                                      gscale_diag *diag);
size_t gscale_measurements_count(const gscale_measurements *m);
const gscale_measurement *gscale_measurements_at(const gscale_measurements *m,
                                                 size_t i); /* NULL past end */

/** The kind of a reader's remark about a file. */
typedef enum gscale_remark_kind {
  GSCALE_REMARK_NOTE,   /* text was removed, or lines could not be read */
  GSCALE_REMARK_BROKEN, /* truncated lists, or ranks that contradict the rows */
  GSCALE_REMARK_WRONG,  /* wrong results, or failed tests */
  GSCALE_REMARK_GPU,    /* text: the name of the GPUs */
  GSCALE_REMARK_HOSTS,  /* text: the names of the hosts */
  GSCALE_REMARK_PEER    /* text: "none" or "all" (pairs with peer access) */
} gscale_remark_kind;

typedef struct gscale_remark {
  gscale_remark_kind kind;
  char file[64]; /* name of the file without folders */
  int line;      /* line, or 0 for the whole file */
  char text[200];
} gscale_remark;

/** Returns remark i on the files that were read, or NULL past the end. */
const gscale_remark *gscale_measurements_remark(const gscale_measurements *m,
                                                size_t i);

/** Sets the number of ranks (>= 1) of logs that gscale_import() reads later.
 * The number counts where a log does not tell the ranks, and before a list of
 *  ranks.  0: not known, which is the default. */
void gscale_measurements_ranks(gscale_measurements *m, int ranks);

/** Returns the name of a format that gscale_import() knows. */
const char *gscale_import_name(size_t i); /* "nccl-tests", ...; NULL past end */

/** Reads the topology of GPUs from the output of `nvidia-smi topo -m` or from
 *  the XML file that NCCL_TOPO_DUMP_FILE names.
 *
 *    switch: NVLinks to switches (XML), or equally many NVLinks between all
 *            pairs, with more than 18 per GPU.
 *    mesh:   NVLinks between pairs, with rates relative to the GPU with most
 *            links; other pairs are relayed by a common neighbour (`staged` is
 *            0), or all staged in the host if a pair has no common neighbour
 *            (`staged` is INFINITY).
 *    tree:   no NVLinks; each group has one PCIe switch (PIX, PXB) or one GPU.
 *
 *  Returned *out, *gpus   the topology, with default rates, and its GPUs.
 *  Fails    as gscale_import;  GSCALE_ESIZE  if a mesh has over GSCALE_MESH_MAX
 *                                            GPUs.
 *           GSCALE_EDATA  if PCIe groups are unequal.
 *  Omits    rates of PCIe; NICs; C2C links between GPU and CPU.
 *  Source   ours. */
gscale_status gscale_import_topology(const char *path, gscale_fabric *out,
                                     int *gpus, gscale_diag *diag);

/** Finds the mesh of NVLinks from the rates of copies (`dma`, from 1 MiB on)
 *  between pairs of GPUs.  A pair has a link unless it is at least 2.2 times
 *  slower than the slowest pair with one, or is not measured; its links are its
 *  rate over that of the slowest pair with a link.
 *
 *  Returned *out, *gpus   the mesh; `staged` is 1 (which the caller replaces)
 * if only linked pairs have rates. the rate of all links of the GPU with most,
 * in B/s, or 0 (*out is not set) unless each GPU has a pair with and a pair
 * without a link. Source   ours. */
double gscale_measurements_fabric(const gscale_measurements *m,
                                  gscale_fabric *out, int *gpus);

#endif /* GSCALE_MEASURE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
