# p_printed.gp - a figure of a document: lines (or points, over categories) are
# ours, large open squares what its text states.
#
# Given: title_text, x_text, y_text; log_x, log_y: 1 for a logarithmic axis;
# curves, name[], type[]; categories: how many x have names, 0 if it is a number;
# $ours, $stated, a block for each curve: x, y; printed: stated points.

set title ' '
set label 1 title_text at screen 0.5,0.965 center
set xlabel x_text
set ylabel y_text
if (log_x) set logscale x 2
if (log_y) set logscale y 2
if (log_x && strstrt(x_text, '[B]')) {
  set xtics ()
  do for [e=0:40:4] { set xtics add (bytes(2.0**e) 2.0**e) }
}
if (!log_y) set yrange [0:*]
set offsets graph 0.02, graph 0.02, graph 0.05, 0
if (categories) {
  set offsets 0, 0, graph 0.05, 0
  set xtics rotate by 90 right
}
if (printed) set key title (categories ? 'filled: ours' : 'lines: ours') left

side(i) = categories ? (i - (curves + 1) / 2.0) * 0.7 / curves : 0
width = categories ? 0 : 1.5

plot for [i=1:curves] $ours index i-1 using ($1+side(i)):2 \
       with linespoints lt type[i] lw width ps (categories ? 0.9 : 0.45) \
       title name[i], \
     for [i=1:curves] $stated index i-1 using ($1+side(i)):2 \
       with points lc rgb '#000000' pt 4 ps 1.7 lw 1.2 \
       title (printed && i == 1 ? 'stated in the text' : ''), \
     for [i=1:curves] $stated index i-1 using ($1+side(i)):2 \
       with points lt type[i] ps 0.8 notitle
# SPDX-License-Identifier: GPL-3.0-or-later
