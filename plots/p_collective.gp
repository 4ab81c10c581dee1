# p_collective.gp - bus bandwidth of a collective over the bytes of a call, its
# interval as a band, measured points.
#
# Given: title_text, note_text; curves, and of each name[], type[]; $expected, a
# block for each: bytes, bandwidth, its lower and upper bound (B/s);
# $measured: bytes, bandwidth (B/s), curve.

set title title_text
set label 1 note_text at screen 0.02,0.03 left font ',13' textcolor rgb '#555555'
set bmargin at screen 0.21
set lmargin at screen 0.16
set xlabel 'bytes of a call, as nccl-tests counts them'
set ylabel 'bus bandwidth (B/s)'
set logscale x 2
set logscale y
set ytics ()
do for [e=3:12] {
  do for [k in '1 2 5'] {
    set ytics add (gprintf('%.0s %c', k*10.0**e) k*10.0**e)
  }
}
set xtics ()
do for [e=0:40:5] { set xtics add (bytes(2.0**e) 2.0**e) }
set style fill solid 0.18 noborder

plot for [i=1:curves] $expected index i-1 using 1:3:4 \
         with filledcurves lt type[i] notitle, \
     for [i=1:curves] $expected index i-1 using 1:2 \
         with lines lt type[i] title name[i], \
     for [i=1:curves] $measured using ($3 == i ? $1 : NaN):2 \
         with points lt type[i] notitle
# SPDX-License-Identifier: GPL-3.0-or-later
