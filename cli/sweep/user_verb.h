/* user_verb.h - verbs of users. */
#ifndef GPUSCALE_OWN_H
#define GPUSCALE_OWN_H

#include "common/cli.h"

/* The verb that a user wrote, until the next call; NULL if there is none of
 * that name. */
const verb *own_verb(const char *name);

/* A name of a verb. */
typedef char own_name[GSCALE_NAME_MAX];
/* Replaces *near, "" or the nearest name so far, by that of a user's verb if
 * that is nearer to the word. */
int own_nearest(const char *word, own_name *near, failure *why);

#endif /* GPUSCALE_OWN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
