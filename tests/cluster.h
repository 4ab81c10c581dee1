/* cluster.h - nodes that nobody knows but by their data sheet, and what logs of
 * others say of them. */
#ifndef TESTS_CLUSTER_H
#define TESTS_CLUSTER_H

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>

/* Of others' results, which are not shipped. */
static const char *folder(void)
{
  const char *named = getenv("EXTERNAL");
  return named ? named : "../shared/external";
}

/* Nodes of so many GPUs, each with so many cards. */
static gscale_system *cluster(const char *link, const char *net, int gpus,
                              int nodes, int rails)
{
  gscale_system *s = some_system(GSCALE_SWITCH, link);
  gscale_fabric f;
  gscale_diag why = {""};

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gscale_system_set_shape(s, &f, gpus, true, 0, NULL);
  const gscale_network n = {.nodes = nodes,
                            .rails = rails,
                            .grows = true,
                            .link = *gscale_link_find(net)};
  gsl_test_int((int)gscale_system_set_network(s, &n, &why), GSCALE_OK, "%s",
               why.text);
  return s;
}

static void calibrate(gscale_system *s, const gscale_measurements *m)
{
  gscale_calibration c;
  gscale_diag why = {""};

  gsl_test_int((int)gscale_calibrate(s, m, &c, &why), GSCALE_OK,
               "calibrated: %s", why.text);
  gscale_calibration_free(&c);
}

#endif /* TESTS_CLUSTER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
