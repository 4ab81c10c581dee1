/*
 * status.h - what an operation returns, and why it failed.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_STATUS_H
#define GSCALE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status ------------------------------------------------------------ */

typedef enum gscale_status {
  GSCALE_OK = 0,
  GSCALE_EDOMAIN, /* a number outside its stated domain */
  GSCALE_EUNIT,   /* unit missing, unknown, or of the wrong dimension */
  GSCALE_EPARSE,  /* text not of the documented form */
  GSCALE_ENAME,   /* a name nobody declared, or declared twice */
  GSCALE_ENEED,   /* the paradigm needs what system or workload lack */
  GSCALE_ESIZE,   /* more GPUs than described, or memory too small */
  GSCALE_EDATA,   /* too few, or contradictory, measurements */
  GSCALE_EIO,     /* cannot read or write; errno holds the cause */
  GSCALE_ENOMEM,
  GSCALE_ENUMERIC,  /* a result that is not finite: numbers overflow */
  GSCALE_STATUS_END /* one past the last; not a status */
} gscale_status;

enum {
  GSCALE_TEXT_MAX = 320,
  GSCALE_NAME_MAX = 48
};

typedef struct gscale_diag {
  char text[GSCALE_TEXT_MAX];
} gscale_diag;

/** What a status means, as static text.  Never NULL. */
const char *gscale_strerror(gscale_status st);

/** How many times a call of this thread went without memory that it asked for.
 *
 *  A status says GSCALE_ENOMEM itself.  A number cannot: a time that is NaN, or
 *  an error, an index or a draw that leaves such a time out, is for want of
 *  memory if this has grown meanwhile. */
size_t gscale_refusals(void);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_STATUS_H */
