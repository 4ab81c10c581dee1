# p_generations.gp - speedup over one GPU by generations of the link, a curve for each
# paradigm, and below how much faster the packet format alone makes a step.
#
# Given: title_text, asked_text, first_text: the slowest link; most_text: the largest gain by packets; low, high: the axis of speedups;
# links, link[]; curves, and of each name[], type[], tint[], off[], height[], foot[] as in
# p_scaling.gp; $speed, a block for each: index of the link, speedup, its interval, 1 if it is
# inside of what was measured, what the packets gain in %.

# The point of a type, open where it is projected.
pts = '2 7 5 9 13 11 4 6 8 10 12 6 1 3 14 15 4 5'
open(k) = strstrt(' 5 7 9 11 13 15 ', ' '.word(pts, k).' ') ? word(pts, k) - 1 : word(pts, k) + 0
solid(k) = strstrt(' 4 6 8 10 12 14 ', ' '.word(pts, k).' ') ? word(pts, k) + 1 : word(pts, k) + 0

set multiplot
set lmargin at screen 0.145
set rmargin at screen 0.755
set label 1 title_text at screen 0.02,0.965 left font ',18'
set label 2 asked_text at screen 0.02,0.925 left font ',13' textcolor rgb '#555555'
set label 3 'Band: one standard error. Filled: inside what was measured; open: projected.' \
    at screen 0.02,0.02 left font ',13' textcolor rgb '#555555'
unset key
set logscale y 2
set xrange [-0.15:links-0.85]
set yrange [low:high]
set xtics ()
do for [j=1:links] { set xtics add ((text ? link[j] : '') j-1) }
set tmargin at screen 0.885
set bmargin at screen (text ? 0.12 : 0.40)
set label 6 'speedup over one GPU' at screen 0.022,(text ? 0.95 : 0.64) center rotate by (text ? 0 : 90)
do for [i=1:curves] {
  set label 10+i name[i] at graph 1.06,height[i] left textcolor rgb name_ink(tint[i]) font ',14'
  if (!text) {
    set arrow 10+i from graph 1.0,foot[i] to graph 1.05,height[i] nohead lc rgb '#aaaaaa' lw 0.5
  }
}

plot for [i=1:(text ? 0 : curves)] $speed index i-1 using 1:3:4 with filledcurves \
       fillstyle transparent solid 0.15 noborder lc rgb line_ink(tint[i]) title name[i].', one standard error', \
     1 with lines lt 99 title 'one GPU', \
     for [i=1:curves] $speed index i-1 using 1:2:($5 > 0 ? solid(type[i]) : open(type[i])) \
       with linespoints lt type[i] pt variable lc rgb line_ink(tint[i]) title name[i]

if (!text) {
  unset label
  unset arrow
  unset logscale y
  set tmargin at screen 0.34
  set bmargin at screen 0.12
  set yrange [*:*]
  set offsets 0,0,1,1
  set xtics ()
  do for [j=1:links] { set xtics add (link[j] j-1) }
  set label 6 'by packets (%)' at screen 0.022,0.23 center rotate by 90
  set label 7 "faster than\nwith packets\nof ".first_text.",\nat most\n".most_text at graph 1.03,0.95 left font ',13' textcolor rgb '#555555'
  plot for [i=1:curves] $speed index i-1 using 1:6:($5 > 0 ? solid(type[i]) : open(type[i])) \
         with linespoints lt type[i] pt variable lc rgb line_ink(tint[i]) title name[i]
}
unset multiplot
# SPDX-License-Identifier: GPL-3.0-or-later
