# p_roofline.gp - flop/s of a GPU over flop per byte of its memory: the roof, what it
# allows each phase, what a step attains on so many GPUs.
#
# Given: title_text, asked_text, memory_text; left, right, low, high: the axes; roofs,
# roof[]: precision and rate, $roof: a block of three corners for each; steps, step[],
# $steps: a block for each number of GPUs: intensity, rate, its interval, 1 if that is
# beyond what was measured (outside: 1 if one is); phases, phase[], $phases: the same of each phase.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set lmargin at screen 0.135
set rmargin at screen 0.715
set tmargin at screen 0.86
set bmargin at screen 0.19
set xlabel 'flop per byte through memory' offset 0,0.4
set label 3 'flop/s of each GPU' at screen 0.024,0.525 center rotate by 90
set logscale xy
set xrange [left:right]
set yrange [low:high]
set label 5 'Of each number of GPUs: the share of the roof that a step attains; bar: one standard error.' \
    at screen 0.02,0.025 left font ',13' textcolor rgb '#555555'
set label 4 memory_text at graph 0.98,0.035 right font ',13' textcolor rgb '#555555'
do for [i=1:roofs] {
  set label 10+i roof[i] at graph 0.98,graph 0.93-0.06*(i-1) right font ',13' \
      textcolor rgb '#555555'
}
set key at screen 0.725,0.87 left top vertical maxcols 1 reverse Left samplen 1.5 \
    spacing 1.15 font ',13'

plot for [i=1:roofs] $roof index i-1 using 1:2 with lines lc rgb '#999999' lw 1.5 dt i \
       title 'roof, '.word(roof[i], 1), \
     for [i=1:phases] $phases index i-1 using 1:2 with points pt 3+i ps 1.3 \
       lc rgb '#222222' title phase[i].' at its roof', \
     for [i=1:steps] $steps index i-1 using 1:2:3:4 with yerrorbars pt 7 ps 0.6 dt 1 \
       lc rgb word(inks, i) title step[i], \
     for [i=1:steps] $steps index i-1 using 1:($5 > 0 ? $2 : NaN) with points \
       pt 6 ps 1.0 lw 1 lc rgb '#222222' title (outside && i == 1 ? 'extrapolated' : '')
# SPDX-License-Identifier: GPL-3.0-or-later
