/* user_verb.h - runs verbs of users. */
#ifndef GPUSCALE_OWN_H
#define GPUSCALE_OWN_H

#include "common/cli.h"

/* Returns the user's verb of that name, or NULL, until the next call. */
const verb *own_verb(const char *name);

/* The name of a user's verb. */
typedef char own_name[GSCALE_NAME_MAX];
/* Replaces *near, which is the nearest name so far or "", if the name of a
 * user's verb is nearer to the word. */
int own_nearest(const char *word, own_name *near, failure *why);

#endif /* GPUSCALE_OWN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
