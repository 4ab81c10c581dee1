/*
 * gpuscale.h - predict how fast a multi-GPU program runs on N GPUs.
 *
 * Units.  Every double here is in SI base units: seconds (s), bytes (B),
 * bytes per second (B/s), operations (flop), flop/s.  Prefixes exist only in
 * text: 1 GB = 1e9 B, 1 GiB = 2^30 B.
 *
 * Two kinds of function.
 *   An EQUATION returns a double.  It is pure: no allocation, no I/O, no
 *   state.  Outside its stated domain it returns NaN, never a plausible number.
 *   An OPERATION returns a gscale_status.  On failure its outputs are left as
 *   they were and, where it takes one, *diag says why in words (diag may be
 *   NULL).
 *
 * Ownership.  *_new allocates, *_free releases and accepts NULL.  Text passed
 * in is copied; text returned belongs to the library.
 *
 * Threads.  There are no globals that change.  A plan may be used by any
 * number of threads at once.  Numbers are read and written in the C locale
 * whatever the process's locale is.
 *
 * [Keys] in Source lines are entries of model/REFERENCES.md.
 */
#ifndef GPUSCALE_H
#define GPUSCALE_H

#define GSCALE_VERSION "0.1.0"

#include "gpuscale/agent.h"
#include "gpuscale/collective.h"
#include "gpuscale/contend.h"
#include "gpuscale/crossing.h"
#include "gpuscale/design.h"
#include "gpuscale/energy.h"
#include "gpuscale/exchange.h"
#include "gpuscale/fabric.h"
#include "gpuscale/fields.h"
#include "gpuscale/fit.h"
#include "gpuscale/flow.h"
#include "gpuscale/interval.h"
#include "gpuscale/lanes.h"
#include "gpuscale/measure.h"
#include "gpuscale/message.h"
#include "gpuscale/network.h"
#include "gpuscale/packet.h"
#include "gpuscale/posterior.h"
#include "gpuscale/predict.h"
#include "gpuscale/probe.h"
#include "gpuscale/program.h"
#include "gpuscale/queue.h"
#include "gpuscale/replay.h"
#include "gpuscale/roofline.h"
#include "gpuscale/score.h"
#include "gpuscale/sobol.h"
#include "gpuscale/status.h"
#include "gpuscale/system.h"
#include "gpuscale/timeline.h"
#include "gpuscale/units.h"
#include "gpuscale/workload.h"

#endif /* GPUSCALE_H */
