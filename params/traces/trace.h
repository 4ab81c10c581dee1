/* trace.h - what the programs of params/traces share: a machine of N GPUs that
 * runs kernels warp by warp and notes the accesses to shared data.
 *
 * A program computes for real, on arrays that all GPUs see, in the order in
 * which the machine runs its warps; beside each access to data that crosses
 * GPUs it says so with access_shared().  What is noted:
 *
 *   stores, atomics   of words that another GPU is to get, once for each
 *                     destination the program knows, or once for ALL
 *   loads             of words that another GPU makes (with --loads): from
 *                     where it was put, the GPU's own memory, or of ALL
 *   phase             the end of a kernel on all GPUs
 *
 * Accesses to a GPU's own data are not.  Words are of 4 B. */
#ifndef GPUSCALE_TRACE_H
#define GPUSCALE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GPUS_MAX = 64,
  LANES = 32,
  WORD = 4,   /* B */
  LINE = 128, /* B, of the SM's coalescer */
  ALL = 255   /* destination: whoever subscribes */
};

/* Exit statuses, those of gpuscale. */
enum {
  EXIT_OK = 0,
  EXIT_NO = 1,
  EXIT_USAGE = 2,
  EXIT_IO = 5,
  EXIT_INTERNAL = 70
};

typedef enum access_kind {
  STORE,
  LOAD,
  ATOMIC,
  SYSTEM,
  FENCE,
  PHASE
} access_kind;

/* ---- random numbers ------------------------------------------------------ */

typedef struct rng {
  uint64_t state;
} rng;

uint64_t rng_next(rng *r);
uint32_t rng_below(rng *r, uint32_t n); /* 0..n-1; n > 0 */
double rng_uniform(rng *r);             /* [0, 1) */

/* ---- the machine --------------------------------------------------------- */

typedef struct machine machine;

/* A warp that runs.  What it remembers from turn to turn, its registers, the
 * program keeps in arrays of its own. */
typedef struct warp {
  int gpu;
  uint32_t index; /* among all warps of the kernel on this GPU */
  uint32_t turn;  /* how many it had before: a loop's count */
} warp;

typedef struct kernel {
  const char *name;
  uint32_t warps;            /* of a block */
  uint32_t blocks[GPUS_MAX]; /* of each GPU */
  /* One turn of a warp, at least an instruction.  False: it has ended. */
  bool (*run)(void *self, machine *m, const warp *w);
  double bulk; /* B that copies at the kernel's end would move, each counted
                  once however many GPUs get it */
} kernel;

int machine_gpus(const machine *m);
/* An array that GPUs share, at the beginning of a page of any size. */
uint64_t share(machine *m, size_t bytes);
/* All blocks on all GPUs, then the end of the phase. */
void launch(machine *m, const kernel *k, void *self);
/* The accesses that follow are lanes of one more instruction of `gpu`. */
void instruction(machine *m, int gpu);
/* `size` B in whole words, aligned to their size. */
void access_shared(machine *m, int gpu, access_kind kind, int dst,
                   uint64_t address, unsigned size);
/* True if loads are of interest: so that nobody else pays for them. */
bool wants_loads(const machine *m);

/* ---- who has what -------------------------------------------------------- */

typedef struct range {
  size_t begin, end;
} range;

size_t least(size_t x, size_t y);
/* Items [0, n) are cut into a part for each GPU; those that have one item more
 * come first. */
range part_of(size_t n, int gpus, int gpu);
/* Ends the program if a GPU would have none of n planes. */
void need_planes(size_t n, int gpus);
int part_owner(size_t n, int gpus, size_t item);
/* The items that the lanes of a warp have if all lanes of a GPU have one each;
 * may be none. */
range lanes_of(const warp *w, range items);
/* Blocks with so many lanes. */
uint32_t blocks_for(const kernel *k, range items);
/* Blocks with a lane for each item, if the GPUs have a part each. */
void deal_blocks(kernel *k, size_t n, int gpus);

/* ---- a program ----------------------------------------------------------- */

/* A whole number to choose; `most` bounds the memory it takes. */
typedef struct choice {
  const char *name, *help;
  long value, least, most;
} choice;

enum {
  CHOICES_MAX = 8
};

typedef struct program {
  const char *name, *summary;
  choice choices[CHOICES_MAX]; /* first "size", then "iterations" */
  void *(*prepare)(machine *m, const choice *choices, rng *r);
  void (*iterate)(void *self, machine *m);
  /* After each iteration of --check, and after the last: says what must hold
   * by check().  */
  void (*verify)(void *self, int iteration, bool last);
  void (*dispose)(void *self);
} program;

int trace_main(const program *p, int argc, char **argv);

/* With --check: a claim, whether it holds, and a number to show. */
void check(bool holds, const char *claim, double value);
/* Zeroed memory; ends the program if there is none. */
void *need(size_t n, size_t size);
/* Ends the program with a line on stderr; no file is left behind. */
_Noreturn void quit(int status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
