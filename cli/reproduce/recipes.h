/* recipes.h - runs lua/reproduce.lua, which compares published results with the
 * recipes of lua/published/. */
#ifndef GPUSCALE_RECIPES_H
#define GPUSCALE_RECIPES_H

#include "common/cli.h"

/* Prints the requested results in the format of the options. */
int recipes_print(const options *o, failure *why);
/* Prints the list of figures in the format of the options. */
int recipes_list(const options *o, failure *why);
/* Draws a figure into o->output. */
int recipes_draw(const char *figure, const options *o, failure *why);

#endif /* GPUSCALE_RECIPES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
