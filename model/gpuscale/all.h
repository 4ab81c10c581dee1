/* all.h - every header of the library.
 *
 * gpuscale.h states the rules for all headers.  Equations are pure and stable.
 * Structs of these headers may get new members in a release. */
#ifndef GSCALE_ALL_H
#define GSCALE_ALL_H

#include "gpuscale.h"

#include "gpuscale/collective.h"
#include "gpuscale/contend.h"
#include "gpuscale/design.h"
#include "gpuscale/fabric.h"
#include "gpuscale/fields.h"
#include "gpuscale/fit.h"
#include "gpuscale/flow.h"
#include "gpuscale/measure.h"
#include "gpuscale/message.h"
#include "gpuscale/names.h"
#include "gpuscale/packet.h"
#include "gpuscale/posterior.h"
#include "gpuscale/predict.h"
#include "gpuscale/program.h"
#include "gpuscale/queue.h"
#include "gpuscale/recording.h"
#include "gpuscale/replay.h"
#include "gpuscale/roofline.h"
#include "gpuscale/score.h"
#include "gpuscale/system.h"
#include "gpuscale/timeline.h"
#include "gpuscale/units.h"
#include "gpuscale/workload.h"

#endif /* GSCALE_ALL_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
