/* user_verb.h - verbs of users. */
#ifndef GPUSCALE_OWN_H
#define GPUSCALE_OWN_H

#include "common/cli.h"

/* Returns the user's verb of that name until the next call, or NULL. */
const verb *own_verb(const char *name);

/* This type holds the name of a verb. */
typedef char own_name[GSCALE_NAME_MAX];
/* Replaces *near, the nearest name so far or "", by the name of a user's verb
 * if that is nearer to the word. */
int own_nearest(const char *word, own_name *near, failure *why);

#endif /* GPUSCALE_OWN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
