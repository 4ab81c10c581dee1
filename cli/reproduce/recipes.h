/* recipes.h - lua/reproduce.lua, which asks the recipes of lua/published/ for
 * what documents print. */
#ifndef GPUSCALE_RECIPES_H
#define GPUSCALE_RECIPES_H

#include "common/cli.h"

/* What the verb was asked, printed as the options say. */
int recipes_print(const options *o, failure *why);
/* Rows of the figures that there are, printed as the options say. */
int recipes_list(const options *o, failure *why);
/* Draws a figure into o->output. */
int recipes_draw(const char *figure, const options *o, failure *why);

#endif /* GPUSCALE_RECIPES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
