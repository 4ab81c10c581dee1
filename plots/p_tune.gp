# p_tune.gp - speed over bulk copies by the size of a chunk, for each mechanism
# at its best width; symbols say what the transfer costs most by.
#
# Given: title_text; high: the largest speed; curves, and of each name[], type[],
# height[], foot[] as in p_scaling.gp; $sweep, a block for each curve:
# chunk, speed, regime (1 initiation, 2 bandwidth, 3 threads, 4 tracking,
# 5 tail; 0 none), met[]: 1 of those that occur; $best: chunk, speed, star: 1 if
# the best way has chunks.

set title title_text offset 0,3
set xlabel 'bytes of a chunk' offset 0,-0.3
set label 3 'speed over memcpy' at screen 0.028,0.475 center rotate by 90
set logscale x 2
set yrange [0:high]
set lmargin at screen 0.12
set rmargin at screen 0.745
set tmargin at screen 0.75
set bmargin at screen 0.2
set key at screen 0.11,0.9 left top horizontal maxcols 3 maxrows 2 width 1 samplen 1 font ',13'
set xtics font ',13'
set xtics ()
do for [e=0:40:2] { set xtics add (bytes(2.0**e) 2.0**e) }
do for [i=1:curves] {
  set label 10+i name[i] at graph 1.07,height[i] left textcolor rgb name_ink(tint[i]) font ',14'
  if (!text) {
    set arrow 10+i from graph 1.01,foot[i] to graph 1.06,height[i] nohead \
        lc rgb '#aaaaaa' lw 0.5
  }
}

array marks = [8, 6, 2, 1, 10]
array words = ['initiation-bound', 'bandwidth-bound', 'too few threads', \
               'tracking-bound', 'tail-bound']

plot 1 with lines lt 99 notitle, \
     for [i=1:curves] $sweep index i-1 using 1:2 with lines lt type[i] \
       lc rgb line_ink(tint[i]) notitle, \
     for [r=1:5] $sweep using 1:($3 == r ? $2 : NaN) with points \
       lc rgb '#000000' lw 1 pt marks[r] ps 0.9 title (met[r] ? words[r] : ''), \
     $best using 1:2 with points lc rgb '#000000' pt 3 ps 1.6 title (star ? 'best' : '')
# SPDX-License-Identifier: GPL-3.0-or-later
