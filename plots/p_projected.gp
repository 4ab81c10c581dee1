# p_projected.gp - how much longer a step takes on one machine than on another,
# forecast against measured: each point a program, size and paradigm on two GPUs.
# Every twentieth has its error.
#
# Given: title_text, out; $ratios: two blocks, from H100 and from H200: measured,
# forecast, low, high.

height = 560
text = 0
load 'plots/style.gp'
set output out
set title title_text
set xlabel 'time on the target / time on the source, measured'
set ylabel 'the same, forecast'
set logscale xy 2
set xrange [0.45:2.2]
set yrange [0.45:2.2]
set size square
set key at graph 0.02, graph 0.98 left top
set pointintervalbox 0

plot x with lines lt 99 notitle, \
     $ratios index 0 using 1:2 with points lt 2 pt 7 ps 0.3 title 'H200 from H100', \
     $ratios index 1 using 1:2 with points lt 3 pt 7 ps 0.3 title 'H100 from H200', \
     for [k=0:1] $ratios index k every 20 using 1:2:3:4 with yerrorbars lt k+2 lw 1 pt 7 ps 0.3 notitle
# SPDX-License-Identifier: GPL-3.0-or-later
