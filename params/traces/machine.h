/* machine.h - the machine from within: for machine.c, count.c and trace.c. */
#ifndef GPUSCALE_MACHINE_H
#define GPUSCALE_MACHINE_H

#include "trace.h"

#include <stdio.h>

/* ---- the file (trace.c) -------------------------------------------------- */

typedef struct record {
  uint64_t address;
  uint32_t group;
  uint8_t size, gpu, dst, kind;
} record;

typedef struct sink sink;
void sink_write(sink *s, const record *r);

/* ---- counts (count.c) ---------------------------------------------------- */

typedef struct counter counter;
counter *count_new(int gpus);
void count_free(counter *c);
void count_array(counter *c, uint64_t address, size_t bytes);
void count_iteration(counter *c); /* begins */
void count_launch(counter *c, const kernel *k);
void count_instruction(counter *c); /* begins */
void count_access(counter *c, const record *r);
void count_phase(counter *c); /* ends */
void count_print(counter *c, FILE *f);

/* ---- the machine (machine.c) --------------------------------------------- */

enum {
  TOUCH = 4096 /* B, of which one load says that a GPU reads them */
};

struct machine {
  int gpus;
  bool shuffled;
  uint32_t resident; /* blocks that a GPU runs at a time */
  rng random;
  uint32_t group[GPUS_MAX];
  uint64_t end; /* of what is shared so far */
  bool loads;
  uint32_t *touched; /* [parts of 4 KiB][gpus]: the launch in which a load was
                      * noted, from 1; NULL: all loads are */
  uint32_t launches;
  sink *sink;     /* NULL: no trace is written */
  counter *count; /* NULL: nothing is counted */
};

/* Where arrays begin. */
static const uint64_t ARRAYS_AT = UINT64_C(1) << 32;
/* Before the first launch: of each part, only the first load of a GPU in a
 * launch is noted. */
void note_touches(machine *m);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
