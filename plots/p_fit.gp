# p_fit.gp - a fit: the curve over its points, and what is left below.
#
# Given: title_text, x_text; log_x: 1 for a logarithmic axis; reach, step: half
# of the residuals' axis and between its tics, %; curves, name[]; $points, a
# block for each series: x, measured, its sigma (s), model (s), model/measured
# - 1, its sigma (%).

set multiplot
set lmargin at screen 0.15
set rmargin at screen 0.65
if (log_x) set logscale x 2
set offsets graph 0.03, graph 0.03

set title title_text
set tmargin at screen 0.90
set bmargin at screen 0.42
set label 1 'time that is fitted' at screen 0.03,0.66 center rotate by 90
set logscale y
set format y '%.0s %cs'
set format x ''
set key at screen 0.66,0.90 left top maxcols 1 font ',13'

plot for [i=1:curves] $points index i-1 using 1:4 with lines lt 1+i lw 1 notitle, \
     for [i=1:curves] $points index i-1 using 1:2:3 \
       with yerrorbars lt 1+i dt 1 title name[i]

unset title
unset label 1
unset key
set tmargin at screen 0.38
set bmargin at screen 0.18
unset logscale y
set ylabel 'residual (%)' offset 1
set format y '%g'
set yrange [-reach:reach]
set ytics 2*step
set xlabel x_text
set format x log_x ? '%.0b %B' : '%g'

plot 0 with lines lt 99, \
     for [i=1:curves] $points index i-1 using 1:5:6 \
       with yerrorbars lt 1+i dt 1
unset multiplot
# SPDX-License-Identifier: GPL-3.0-or-later
