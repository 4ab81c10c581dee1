# p_scaling.gp - speedup and efficiency over the number of GPUs: predicted curves
# with their names at their ends, some with their interval, measured points.
#
# Given: title_text, asked_text, note_text, speedup_text; low, high: the axis of speedups;
# given: 1 if the curves were given the points; curves, and of each name[], type[], tint[], ran[]: its measured points, band[]: 1 to show its interval, off[]: 1 if
# it leaves the axis, height[], foot[]: where its name stands and its end is, as
# shares of the axis; $model, a block for each: gpus, speedup, its interval;
# points, $runs: gpus, speedup, its error, curve; least, most: the range of gpus;
# known: up to where the system's numbers were measured; node: GPUs of a node
# beyond which data goes through the network, 0: nowhere; then a third panel says of
# what the step of one way, parts_text, consists: parts, $parts_of: gpus, and their
# upper ends in %, part[] their names, middle[] where they stand.

# As if the figure were 640 high and not 860, from its head on: the third panel
# is below.
from_head(y) = node > 0 && !text ? 1 - (1-y)*640.0/860 : y

# Points that the curves were given are open.
pts = '2 7 5 9 13 11 4 6 8 10 12 6 1 3 14 15 4 5'
dot(k) = given && strstrt(' 5 7 9 11 13 15 ', ' '.word(pts, k).' ') ? word(pts, k) - 1 : word(pts, k) + 0

set multiplot
set lmargin at screen (low > 0.05 || text ? 0.125 : 0.155)
# Names of more than 16 letters take room from the curves.
longest = 16
do for [i=1:curves] { if (strlen(name[i]) > longest) { longest = strlen(name[i]) } }
right = 0.755 - (text ? 0 : 0.0115*(longest - 16))
set rmargin at screen right
set label 1 title_text at screen 0.02,from_head(0.965) left font ',18'
set label 2 asked_text at screen 0.02,from_head(0.925) left font ',13' textcolor rgb '#555555'
set label 3 note_text at screen 0.02,0.02 left font ',13' textcolor rgb '#555555'
unset key
set logscale xy 2
set xrange [least/1.03:most*1.03]
set yrange [low:high]

# Beyond what was measured.
if (known < most) {
  set object 1 rectangle from known,graph 0 to graph 1,graph 1 behind \
      fillcolor rgb '#eeeeee' fillstyle solid noborder
}

set tmargin at screen from_head(0.885)
set bmargin at screen (text ? 0.12 : from_head(0.43))
set label 6 speedup_text at screen 0.03,(text ? 0.95 : from_head(0.66)) \
    center rotate by (text ? 0 : 90)
set format x (text ? '%g' : '')
# Room for 1/64, of steps that only move data.
set format y (low > 0.05 ? '%g' : high < 100 ? '%.2g' : '%.3g')
do for [i=1:curves] {
  # A mark beside the name says whose the measured points are.
  if (ran[i]) {
    set label 10+i name[i] at graph 1.085,height[i] left offset 0.7,-0.35 \
        textcolor rgb name_ink(tint[i]) font ',14' point lt type[i] pt dot(type[i]) lc rgb line_ink(tint[i])
  } else {
    set label 10+i name[i] at graph 1.06,height[i] left textcolor rgb name_ink(tint[i]) font ',14'
  }
  if (!text) {
    set arrow 10+i from graph 1.0,foot[i] to graph 1.05,height[i] nohead \
        lc rgb '#aaaaaa' lw 0.5
  }
}
if (known < most) {
  set label 4 'extrapolated' at graph 0.985,1.035 right font ',13' \
      textcolor rgb '#767676'
}
if (node > 0) {
  set arrow 8 from node,graph 0 to node,graph 1 nohead dt 2 lc rgb '#777777'
  set label 8 'one node' at node,graph 0.955 left offset 0.5,0 font ',13' \
      textcolor rgb '#767676'
}
# Not where one node is named.
at_node = node > 0 ? log(node/real(least))/log(most/real(least)) : 0
along = abs(at_node - 0.62) < 0.15 ? 0.45 : 0.78
set label 5 'ideal' at least*(most/real(least))**along,least*(most/real(least))**along right \
    offset -1,0.4 font ',13' textcolor rgb '#767676'

plot for [i=1:(text ? 0 : curves)] $model index i-1 \
       using 1:(band[i] ? $3 : NaN):4 with filledcurves fillstyle transparent \
       solid 0.22 noborder lt type[i] lc rgb line_ink(tint[i]) title name[i].', one standard error', \
     x with lines lt 99 title 'ideal', \
     for [i=1:curves] $model index i-1 using 1:2 with lines lt type[i] lc rgb line_ink(tint[i]) \
       title name[i], \
     for [i=1:(points ? curves : 0)] $runs \
       using 1:($4 == i ? $2 : NaN):3 with yerrorbars lt type[i] pt dot(type[i]) lc rgb line_ink(tint[i]) dt 1 \
       title name[i].', measured'

if (!text) {
  unset label
  unset arrow
  unset logscale y
  set tmargin at screen from_head(0.395)
  set bmargin at screen from_head(0.15)
  set yrange [0:108]
  set format y '%g'
  set ytics 25
  set format x (node > 0 ? '' : '%g')
  if (node == 0) { set xlabel 'GPUs' offset 0,0.7 }
  if (node > 0) {
    set arrow 8 from node,graph 0 to node,graph 1 nohead dt 2 lc rgb '#777777'
  }
  set label 6 'efficiency (%)' at screen 0.03,from_head(0.27) center rotate by 90
  plot 100 with lines lt 99 title 'ideal', \
       for [i=1:curves] $model index i-1 using 1:(100*$2/$1) with lines \
         lt type[i] lc rgb line_ink(tint[i]) title name[i], \
       for [i=1:(points ? curves : 0)] $runs \
         using 1:($4 == i ? 100*$2/$1 : NaN):(100*$3/$1) \
         with yerrorbars lt type[i] pt dot(type[i]) lc rgb line_ink(tint[i]) dt 1 title name[i].', measured'
}

if (!text && node > 0) {
  unset label
  shades = '#bbbbbb #e69f00 #0072b2 #56b4e9 #cc79a7 #d55e00 #009e73'
  set tmargin at screen from_head(0.115)
  set bmargin at screen 0.11
  set yrange [0:100]
  set format x '%g'
  set xlabel 'GPUs' offset 0,0.7
  set label 6 'of a step (%)' at screen 0.03,(from_head(0.115)+0.11)/2 center \
      rotate by 90
  set label 7 'by '.parts_text.':' at screen right+0.02,from_head(0.138) left font ',13'
  set label 8 part[1] at graph 0.015,0.07 left font ',14' front
  do for [i=2:parts] {
    set label 20+i part[i] at graph 1.06,middle[i] left font ',14' \
        textcolor rgb '#222222'
  }
  plot for [i=1:parts] $parts_of using 1:(column(1+i)):(column(2+i)) \
         with filledcurves fillstyle solid 0.75 noborder \
         lc rgb word(shades, i) title part[i]
}
unset multiplot
# SPDX-License-Identifier: GPL-3.0-or-later
