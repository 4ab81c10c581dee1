# p_frontier.gp - time of a step against a number, by each way, or against the
# price of its GPU hours, on each system; and what nothing beats in both.
#
# Given: title_text, asked_text, x_text, unit_text: of times; the tics, and whether
# x is logarithmic; low, high: the axis of times; priced: 1 over a price; curves,
# and of each name[], type[], height[], foot[] as in p_scaling.gp; $dots, a block
# for each: x, time; $front: x, time, GPUs.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set lmargin at screen 0.135
set rmargin at screen 0.735
set tmargin at screen 0.86
set bmargin at screen 0.16
set xlabel x_text offset 0,0.4
set label 3 'time of a step ('.unit_text.')' at screen 0.028,0.51 center rotate by 90
set logscale y
set yrange [low:high]
set xtics font ',13'
if (!priced) {
  do for [i=1:curves] {
    set label 10+i name[i] at graph 1.07,height[i] left textcolor rgb name_ink(tint[i]) font ',14'
    if (!text) {
      set arrow 10+i from graph 1.0,foot[i] to graph 1.06,height[i] nohead \
          lc rgb '#aaaaaa' lw 0.5
    }
  }
  set key inside right top reverse Left samplen 1.5 spacing 1.1 font ',13'
} else {
  set key at screen 0.755,0.86 left top reverse Left samplen 1.5 spacing 1.2 font ',13'
}

plot $front using 1:2 with lines lt 1 dt 1 lw 9 lc rgb '#cccccc' title 'Pareto front', \
     for [i=1:(priced ? 0 : curves)] $dots index i-1 using 1:2 with lines lt type[i] \
       lc rgb line_ink(tint[i]) notitle, \
     for [i=1:(priced ? curves : 0)] $dots index i-1 using 1:2 with linespoints \
       lt type[i] lc rgb line_ink(tint[i]) ps 0.6 title name[i], \
     $front using 1:2:(priced && $3 > 0 ? sprintf('%d', $3) : '') with labels \
       offset -0.9,-0.5 font ',13' title (priced ? 'numbers: GPUs' : '')
# SPDX-License-Identifier: GPL-3.0-or-later
