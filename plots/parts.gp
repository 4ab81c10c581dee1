# parts.gp - where the time of a step goes on 1 to 16 GPUs, a column a number of GPUs.
#
# Given: title_text, asked_text; rows: CSV of predict; text, height: of style.gp.

set datafile separator ','
set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 asked_text at screen 0.02,0.905 left font ',13' textcolor rgb '#555555'
set label 3 'share of the step (%)' at screen 0.025,0.49 center rotate by 90
set label 4 'GPUs' at screen 0.45,0.022 center
set lmargin at screen 0.1
set rmargin at screen 0.8
set tmargin at screen 0.82
set bmargin at screen 0.12
set style fill solid 1 border lc rgb 'white'
set boxwidth 0.86
set xrange [0.4:16.6]
set yrange [0:100]
unset grid
set tics scale 0
set xtics 1 font ',13'
set key outside right center Left reverse samplen 1 spacing 1.4

# Parts stand on one another, the first below.
array parts = ['compute_s', 'transfer_s', 'initiation_s', 'latency_s', 'host_s']
up_to(k) = 100 * (sum [i=1:k] column(parts[i])) / column('time_s')
ms = 1e3

plot rows using 'gpus':(up_to(5)) with boxes dt 1 lc rgb word(inks, 1) title 'host', \
     '' using 'gpus':(up_to(4)) with boxes dt 1 lc rgb word(inks, 5) title 'starts, latency', \
     '' using 'gpus':(up_to(2)) with boxes dt 1 lc rgb word(inks, 3) title 'transfer', \
     '' using 'gpus':(up_to(1)) with boxes dt 1 lc rgb word(inks, 2) title 'kernels', \
     '' using 'gpus':(100):(sprintf('%.3g', ms * column('time_s'))) with labels \
       offset 0,0.7 font ',11' notitle
# SPDX-License-Identifier: GPL-3.0-or-later
