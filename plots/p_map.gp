# p_map.gp - which paradigm is best, over two numbers.
#
# Given: title_text, asked_text; x_text, y_text, and the tics; across, up: how many
# boxes; $boxes: column, middle, half its height, the colour, 1 if another way is
# as good; $borders: where ways meet; $marks: where the number of each way stands;
# ways, and of each way[]: its name, mark[]: its colour; tied, gap: 1 if there are
# such boxes.
#
# The first eight colours are those of style.gp; of the others none is alike.

set label 1 title_text at screen 0.02,0.955 left font ',18'
set label 2 (asked_text eq '' ? '' : asked_text.' GPUs') at screen 0.02,0.905 left \
    font ',13' textcolor rgb '#555555'
set lmargin at screen 0.155
set rmargin at screen 0.735
set tmargin at screen 0.86
set bmargin at screen 0.16
set xlabel x_text offset 0,0.4
set label 3 y_text at screen 0.022,0.51 center rotate by 90
set xrange [-0.5:across-0.5]
set yrange [-0.5:up-0.5]
unset grid
set xtics font ',13'
set ytics font ',13'
set key at screen 0.745,0.86 left top reverse Left samplen 1.2 spacing 1.2 font ',13'
set style textbox opaque noborder
array shade[24] = [ 0x000000, 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, \
    0x56b4e9, 0x666666, 0x8c564b, 0x17365d, 0x7f2704, 0x00441b, 0x6a2a7b, \
    0x7f6000, 0x2b8cbe, 0xb3b3b3, 0xd9b38c, 0x9e9ac8, 0xfdae6b, 0xa1d99b, \
    0xf1b6da, 0xffe08a, 0xb5e2fa, 0xe0e0e0 ]
hatch = 4 # of gnuplot's patterns

plot for [k=1:ways] $boxes using ($4 == mark[k] && $5 == 0 ? $1 : NaN):2:(0.5):3 \
       with boxxyerror fillstyle solid 1 noborder lc rgb shade[mark[k]] title way[k], \
     for [k=1:ways] $boxes using ($4 == mark[k] && $5 == 1 ? $1 : NaN):2:(0.5):3 \
       with boxxyerror fillstyle pattern hatch noborder lc rgb shade[mark[k]] notitle, \
     NaN with boxes fillstyle pattern hatch noborder lc rgb '#444444' \
       title (tied ? 'hatched: 2nd in 5%' : ''), \
     NaN with boxes fillstyle empty border lc rgb '#444444' \
       title (gap ? 'none runs' : ''), \
     $borders using 1:2:3:4 with vectors nohead lc rgb '#000000' lw 1 dt 1 notitle, \
     $marks using 1:2:(sprintf('%d', $3)) with labels boxed font ',14' notitle
# SPDX-License-Identifier: GPL-3.0-or-later
