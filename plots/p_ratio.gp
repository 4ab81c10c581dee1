# p_ratio.gp - how many times as fast as the first system the others are, over the
# number of GPUs, each with one standard error.
#
# Given: title_text, asked_text, label_text; low, high: the axis of ratios; curves, and of
# each name[], type[], tint[], height[], foot[] as in p_scaling.gp; $ratio, a block for
# each: gpus, ratio, its interval, 1 where a number is beyond what was measured, outside:
# 1 if there is one; least, most: the range of gpus.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set lmargin at screen 0.135
set rmargin at screen 0.745
set tmargin at screen 0.80
set bmargin at screen 0.19
set xlabel 'GPUs' offset 0,0.4
set label 4 'Bar: one standard error.' at screen 0.02,0.025 left font ',13' \
    textcolor rgb '#555555'
set label 3 label_text at screen 0.024,0.495 center rotate by 90
set logscale xy 2
# The bars of several systems stand beside one another.
aside(i) = 1 + 0.03*(i - (curves+1)/2.0)
widest = 1.08 + 0.015*curves
set xrange [least/widest:most*widest]
set yrange [low:high]
set format y '%.3g'
do for [i=1:curves] {
  set label 10+i name[i] at graph 1.06,height[i] left textcolor rgb name_ink(tint[i]) font ',14'
  if (!text) {
    set arrow 10+i from graph 1.0,foot[i] to graph 1.05,height[i] nohead \
        lc rgb '#aaaaaa' lw 0.5
  }
}
set key at screen 0.12,0.875 left top horizontal maxcols 3 reverse Left samplen 1.5 \
    spacing 1.1 font ',13'

plot 1 with lines lt 99 title 'as fast', \
     for [i=1:curves] $ratio index i-1 using ($1*aside(i)):2 with lines lt type[i] lw 0.7 \
       lc rgb line_ink(tint[i]) notitle, \
     for [i=1:curves] $ratio index i-1 using ($1*aside(i)):2:3:4 with yerrorbars \
       dt 1 lw 1.5 pt 0 lc rgb line_ink(tint[i]) notitle, \
     for [i=1:curves] $ratio index i-1 using ($1*aside(i)):($5 > 0 ? $2 : NaN) with points \
       pt 6 ps 1.2 lw 1 lc rgb '#222222' title (outside && i == 1 ? 'extrapolated or assumed' : '')
# SPDX-License-Identifier: GPL-3.0-or-later
