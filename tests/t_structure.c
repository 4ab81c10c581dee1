/* t_structure.c - sizes of proposed hardware, as the documents print them. */

#include "gpuscale/all.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdlib.h>

static void gps(void)
{
  /* [Gps21] 5.2: 33 + 3 * 31 bits */
  gsl_test_abs(gscale_gps_entry_bits(4, 65536, 49, 47), 126, 0,
               "GPS-PTE of 4 GPUs: 126 bits");
  gsl_test_abs(gscale_gps_entry_bits(16, 65536, 49, 47), 33 + 15 * 31, 0,
               "of 16 GPUs");
  gsl_test_abs(gscale_gps_entry_bits(4, 4096, 49, 47), 37 + 3 * 35, 0,
               "pages of 4 KiB");
  /* printed 8.5 KB and 68 KB, which are rounded up to halves */
  gsl_test_abs(gscale_gps_queue_bytes(64, 135), 8640, 0, "64 entries");
  gsl_test_abs(ceil(2 * gscale_gps_queue_bytes(64, 135) / 1024) / 2, 8.5, 0,
               "64 entries: 8.5 KB");
  gsl_test_abs(gscale_gps_queue_bytes(512, 135), 69120, 0, "512 entries");
  gsl_test_abs(ceil(gscale_gps_queue_bytes(512, 135) / 1024), 68, 0,
               "512 entries: 68 KB");
  gsl_test_abs(gscale_gps_bitmap_bytes(32 * 0x1p30, 65536), 65536, 0,
               "32 GB: a bitmap of 64 KB");
}

static void finepack(void)
{
  /* [Diss22] table 5.2 */
  static const double range[] = {64, 16 * 0x1p10, 4 * 0x1p20, 0x1p30,
                                 256 * 0x1p30};

  for (int h = 2; h <= 6; h++)
    gsl_test_abs(gscale_finepack_range(h), range[h - 2], 0,
                 "range of a sub-header of %d B", h);
  gsl_test_abs(gscale_finepack_queue_bytes(4, 64), 24 * 1024, 0,
               "64 entries, 4 GPUs: 24 KB");
  gsl_test_abs(gscale_finepack_queue_bytes(1, 64), 0, 0, "nobody to send to");
}

static void domains(void)
{
  gsl_test(!isnan(gscale_gps_entry_bits(0, 65536, 49, 47)), "no GPU");
  gsl_test(!isnan(gscale_gps_entry_bits(4, 65000, 49, 47)), "an odd page");
  gsl_test(!isnan(gscale_gps_entry_bits(4, 65536, 15, 47)), "a short address");
  gsl_test(!isnan(gscale_gps_entry_bits(4, 65536, 49, 15)), "and physical");
  gsl_test(!isnan(gscale_gps_queue_bytes(-1, 135)), "entries below 0");
  gsl_test(!isnan(gscale_gps_queue_bytes(64, 0)), "entries of nothing");
  gsl_test(!isnan(gscale_gps_bitmap_bytes(-1, 65536)), "a range below 0");
  gsl_test(!isnan(gscale_gps_bitmap_bytes(1, 0)), "pages of nothing");
  gsl_test(!isnan(gscale_finepack_range(1)), "sub-header of 1 B");
  gsl_test(!isnan(gscale_finepack_range(7)), "sub-header of 7 B");
  gsl_test(!isnan(gscale_finepack_queue_bytes(0, 64)), "no GPU's queue");
  gsl_test(!isnan(gscale_finepack_queue_bytes(4, -1)), "entries below 0");
}

int main(void)
{
  gps();
  finepack();
  domains();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
