/* source.h - the numbers of a system as plans read them, for tests. */
#ifndef GPUSCALE_TEST_SOURCE_H
#define GPUSCALE_TEST_SOURCE_H

#include "describe/ask.h"

/* It lives as long as the block it stands in. */
#define SOURCE_OF(s) gscale__source_in(&(gscale__source_room){{0}}, s, NULL)

#endif /* GPUSCALE_TEST_SOURCE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
