# p_timeline.gp - lanes of host threads and streams over the time of a step.
#
# Given: title_text, asked_text, note_text; lanes, lane[]: their names, the lowest
# first; unit_text: of times; $boxes: begin, end, lane, paint (0 call, 1 wait, 2 kernel, 3 copy),
# what it is; step: the time of a step.

head = 1 - 82.0/height
set label 1 title_text at screen 0.02,(1 - 20.0/height) left font ',18'
set label 2 asked_text at screen 0.02,(1 - 42.0/height) left font ',13' \
    textcolor rgb '#555555'
set label 3 note_text at screen 0.02,(10.0/height) left font ',13' \
    textcolor rgb '#555555'
set lmargin at screen 0.2
set rmargin at screen 0.97
set tmargin at screen (text ? 0.85 : head)
set bmargin at screen (text ? 0.15 : 90.0/height)
set yrange [-0.6:lanes-0.4]
set xrange [0:step*1.02]
set xlabel 'time ('.unit_text.')' offset 0,0.5
set ytics ('' 0)
do for [i=1:lanes] { set ytics add (lane[i] i-1) }
set ytics scale 0
unset grid
set key at screen 0.97,(1 - 64.0/height) right center horizontal maxcols 4 \
    samplen 1.5 \
    font ',13'
set arrow 1 from step,graph 0 to step,graph 1 nohead lc rgb '#999999' dt (6,4)

array colour = ['#bbbbbb', '#eeeeee', '#56b4e9', '#f0e442']
array words = ['call', 'wait', 'kernel', 'transfer']

# Words only where there is room for them.
room(text, width) = strlen(text)*0.013*step < width
plot for [k=1:4] $boxes using (($1+$2)/2):($4 == k-1 ? $3 : NaN):(($2-$1)/2):(0.36) \
       with boxxyerror fillstyle solid 1 border lc rgb '#555555' dt 1 lw 0.7 \
       fillcolor rgb colour[k] title words[k], \
     $boxes using (($1+$2)/2):3:(room(strcol(5), $2-$1) ? strcol(5) : '') \
       with labels font ',12' notitle
# SPDX-License-Identifier: GPL-3.0-or-later
