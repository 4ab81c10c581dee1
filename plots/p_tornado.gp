# p_tornado.gp - by how much each number that a prediction rests on moves it.
#
# Given: title_text, asked_text; bars: how many; most: the largest change, %;
# name[], value[]: of each number; $bars: number, change of the time (%) if the
# number is one standard error lower, and higher, how far from the row's middle
# and how high each of the two is.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set lmargin at screen 0.345
set rmargin at screen 0.80
set tmargin at screen 0.83
set bmargin at screen 0.16
set xlabel 'change of the time (%)' offset 0,0.4
set xrange [-1.08*most:1.08*most]
set yrange [bars-0.4:-0.6]
set border 1
unset ytics
unset grid
set grid x lc rgb '#dddddd' lw 0.7 dt 1
set label 3 'value, error' at screen 0.815,0.85 left font ',13' textcolor rgb '#555555'
do for [i=1:bars] {
  set label 10+i name[i] at graph -0.02,first i-1 right font ',13'
  set label 40+i value[i] at graph 1.03,first i-1 left font ',13' textcolor rgb '#555555'
}
set arrow 1 from 0,graph 0 to 0,graph 1 nohead lc rgb '#444444' lw 1 front
set key inside right bottom vertical reverse Left samplen 1 spacing 1.1 font ',13'

plot $bars using ($2/2):($1-$4):(abs($2)/2):5 with boxxyerror \
       fillstyle solid 1 noborder lc rgb '#e69f00' title 'if lower', \
     $bars using ($3/2):($1+$4):(abs($3)/2):5 with boxxyerror \
       fillstyle solid 1 noborder lc rgb '#0072b2' title 'if higher'
# SPDX-License-Identifier: GPL-3.0-or-later
