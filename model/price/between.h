/* between.h - ways of moving data between nodes, for model/predict/ only.
 *
 * A paradigm says what happens inside a node; what leaves it goes by a way.  A
 * way is a row of between.c and one function. */
#ifndef GPUSCALE_PRICE_BETWEEN_H
#define GPUSCALE_PRICE_BETWEEN_H

#include "price/stage.h"

/* How data gets from GPUs of one node to those of another. */
typedef struct gscale__way {
  const char *name;
  bool proposed; /* hardware that does not exist yet */
  bool device;   /* GPUs send themselves, in their kernels; or else their hosts
                  * do, when these have ended, and wait for all of it */
  /* NULL, or what the system lacks */
  const char *(*needs)(const gscale_plan *p);
  /* What the phase's messages take: f->far.out is not 0 */
  gscale_sent (*send)(const gscale_plan *p, const gscale__phase_plan *f);
} gscale__way;

/* NULL past the end. */
const gscale__way *gscale__way_at(size_t i);
size_t gscale__way_find(const char *name); /* past the end if unknown */

/* Messages of a phase over a path, which are all as long. */
gscale_sends gscale__sends_of(const gscale_plan *p,
                              const gscale__phase_plan *f);
/* B/s, useful, what all network cards of a node attain in one direction, with
 * messages of so many B. */
double gscale__rails(const gscale_plan *p, double bytes);
/* The path whose numbers begin there. */
gscale_path gscale__path(const gscale_plan *p, gscale_param_id first);
/* That between GPUs, whose memory cards read no faster than they can. */
gscale_path gscale__gpudirect(const gscale_plan *p);
/* B/s, of all cards of a node with messages of so many bytes. */
double gscale__rails(const gscale_plan *p, double bytes);

/* Adds what leaves the node by a way, gscale__way_at(way), and its bytes. */
void gscale__add_far(const gscale_plan *p, const gscale__phase_plan *f,
                     size_t way, gscale__stage *out);

/* s, that hosts of several nodes take to meet: a barrier and the last one. */
double gscale__meeting(const gscale_plan *p);

#endif /* GPUSCALE_PRICE_BETWEEN_H */
