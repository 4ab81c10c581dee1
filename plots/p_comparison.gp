# p_comparison.gp - speed over the number of GPUs, a line for each system, by the
# best paradigm at each point: the marks say which.
#
# Given: title_text, asked_text, label_text; low, high: the axis of speeds;
# curves, and of each name[], type[], off[], height[], foot[] as in
# p_scaling.gp; $speed: gpus, speed, way, the interval, a block for each curve; ways, and of each
# way[]: its name, won[]: 1 if it won somewhere, mark[]: the type of its point;
# least, most: the range of gpus.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set label 4 'Band: one standard error.' at screen 0.02,0.025 left font ',13' textcolor rgb '#555555'
set lmargin at screen 0.135
set rmargin at screen 0.745
set tmargin at screen 0.735
set bmargin at screen 0.16
set xlabel 'GPUs' offset 0,0.4
set label 3 label_text at screen 0.024,0.475 center rotate by 90
set logscale xy 2
set xrange [least/1.03:most*1.03]
set yrange [low:high]
do for [i=1:curves] {
  set label 10+i name[i] at graph 1.06,height[i] left textcolor rgb name_ink(tint[i]) font ',14'
  if (!text) {
    set arrow 10+i from graph 1.0,foot[i] to graph 1.05,height[i] nohead \
        lc rgb '#aaaaaa' lw 0.5
  }
}
set key at screen 0.12,0.875 left top horizontal maxcols 4 reverse Left samplen 1.5 \
    spacing 1.1 font ',13' title 'fastest by' left

plot for [i=1:(text ? 0 : curves)] $speed index i-1 using 1:4:5 with filledcurves \
       fillstyle transparent solid 0.2 noborder lt type[i] lc rgb line_ink(tint[i]) notitle, \
     x with lines lt 99 notitle, \
     for [i=1:curves] $speed index i-1 using 1:2 with lines lt type[i] \
       lc rgb line_ink(tint[i]) notitle, \
     for [k=1:ways] $speed using 1:($3 == k ? $2 : NaN) with points \
       pt mark[k] ps 0.9 lc rgb '#000000' title (won[k] ? way[k] : '')
# SPDX-License-Identifier: GPL-3.0-or-later
