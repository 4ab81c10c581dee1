# log.awk - a log of nccl-tests: all-gathers on eight H100, `slow` times as long as
# ring by simple takes at 360 GB/s.
BEGIN {
  print "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902"
  print "# Collective test starting: all_gather_perf"
  print "# nThread 1 nGpus 8 minBytes 33554432 maxBytes 1 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0"
  for (i = 0; i < 8; i++) print "#  Rank  " i " Group  0 Pid 1 on n1 device  " i " [0000:1b:00] NVIDIA H100"
  print "#       size count type redop root time algbw busbw #wrong time algbw busbw #wrong"
  CONVFMT = OFMT = "%.12g"
  for (b = 33554432; b <= 1.8e10; b *= 2) {
    t = (5.1 + 28 + 7 * 1.06 + b * 7 / 8 / 360.0e3) * slow
    print b, b / 4, "float none -1", t, b / t / 1e3, b / t / 1e3 * 7 / 8, 0, t, 1, 1, 0
  }
  print "# Out of bounds values : 0 OK"
}
# SPDX-License-Identifier: GPL-3.0-or-later
