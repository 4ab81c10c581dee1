# p_map.gp - which way of moving data is best, over two numbers.
#
# Given: title_text, asked_text; x_text, y_text, and the tics; across, up: how many
# boxes; $boxes: column, middle, half its height, line type of the colour, 1 if
# another way is as good; $borders: where ways meet; $marks: where the number of
# each way stands; ways, and of each way[]: its name, mark[]: its line type; tied,
# gap: 1 if there are such boxes.

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

plot for [k=1:ways] $boxes using ($4 == mark[k] && $5 == 0 ? $1 : NaN):2:(0.5):3 \
       with boxxyerror fillstyle solid 1 noborder lc mark[k] title way[k], \
     for [k=1:ways] $boxes using ($4 == mark[k] && $5 == 1 ? $1 : NaN):2:(0.5):3 \
       with boxxyerror fillstyle solid 0.45 noborder lc mark[k] notitle, \
     NaN with boxes fillstyle solid 0.45 noborder lc rgb '#444444' \
       title (tied ? 'light: 2nd in 5%' : ''), \
     NaN with boxes fillstyle empty border lc rgb '#444444' \
       title (gap ? 'none runs' : ''), \
     $borders using 1:2:3:4 with vectors nohead lc rgb '#000000' lw 1 dt 1 notitle, \
     $marks using 1:2:(sprintf('%d', $3)) with labels boxed font ',14' notitle
