# p_waterfall.gp - from an even share of one GPU's step to the prediction: what
# each part adds.
#
# Given: title_text, asked_text; unit_text: of times; bars: how many; $bars: number,
# name, both ends, what it says, 1 for the first and the last; most: the highest
# end; low, high: the interval of the prediction.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set lmargin at screen 0.13
set rmargin at screen 0.985
set tmargin at screen 0.86
set bmargin at screen 0.12
unset key
set label 3 'time of a step ('.unit_text.')' at screen 0.028,0.49 center rotate by 90
set xrange [-0.6:bars-0.4]
set yrange [0:most*1.1]
unset grid
set grid y lc rgb '#dddddd' lw 0.7 dt 1
set xtics scale 0 font ',12'

# A step down is drawn in another colour: less than an even share.
plot $bars using 1:(($3+$4)/2):(0.36):(abs($4-$3)/2):xtic(2) with boxxyerror \
       fillstyle solid 1 noborder lc rgb '#0072b2' title 'more', \
     $bars using ($6 == 1 ? $1 : NaN):(($3+$4)/2):(0.36):(abs($4-$3)/2) \
       with boxxyerror fillstyle solid 1 noborder lc rgb '#666666' title 'whole', \
     $bars using ($4 < $3 ? $1 : NaN):(($3+$4)/2):(0.36):(abs($4-$3)/2) \
       with boxxyerror fillstyle solid 1 noborder lc rgb '#e69f00' title 'less', \
     $bars using ($1 < bars-1 ? $1-0.36 : NaN):4:(1.72):(0) with vectors nohead \
       lc rgb '#666666' lw 0.7 dt 1 title '', \
     $bars using ($1 == bars-1 ? $1 : NaN):(low):(0):(high-low) with vectors \
       heads size graph 0.012,90 lc rgb '#000000' lw 1 dt 1 title 'one standard error', \
     $bars using 1:($1 == bars-1 ? high : ($3 > $4 ? $3 : $4)):5 with labels \
       offset 0,0.7 font ',13' title 'times'
# SPDX-License-Identifier: GPL-3.0-or-later
