# p_comparison.gp - speed over the number of GPUs, a line for each system.
#
# Given: title_text, label_text; curves, name[], type[]; $speed: gpus, speed, a
# block for each curve; $ideal: gpus, speed; least, most: the range of gpus.

set title title_text
set xlabel 'GPUs'
set ylabel label_text
set logscale xy 2
set xrange [least/1.1:most*1.1]

plot $ideal using 1:2 with lines lt 99 title 'ideal', \
     for [i=1:curves] $speed index i-1 using 1:2 \
       with linespoints lt type[i] title name[i]
