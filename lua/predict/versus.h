/* versus.h - each two of several systems: how much faster, how sure, whether
 * the dearer one pays. */
#ifndef GPUSCALE_LUA_PREDICT_VERSUS_H
#define GPUSCALE_LUA_PREDICT_VERSUS_H

#include "predict/race.h"

/* A row for each pair and each N that both have, by the best way of each. */
int versus_rows(rows *r, const comparison *c, const options *o, failure *why);
size_t versus_columns(const column **out);
/* The same for people. */
int versus_print(FILE *f, const comparison *c, const options *o, failure *why);

#endif /* GPUSCALE_LUA_PREDICT_VERSUS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
