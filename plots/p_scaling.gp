# p_scaling.gp - speedup over the number of GPUs: model lines, measured points.
#
# Given: title_text; curves, name[], type[]; $model: gpus, speedup of each
# curve; points, $runs: gpus, speedup, its error, curve; $ideal: gpus, speedup;
# least, most: the range of gpus.

set title title_text
set xlabel 'GPUs'
set ylabel 'speedup over one GPU'
set logscale xy 2
set xrange [least/1.1:most*1.1]

if (points) set key title "lines: model\npoints: measured" left

# The key shows a line, with its point if there are points; the figure has them
# apart.  Points of no size would be an SVG that not every reader takes.
plot $ideal using 1:2 with lines lt 99 title 'ideal', \
     for [i=1:curves] $model using 1:(column(i+1)) \
       with lines lt type[i] notitle, \
     for [i=1:(points ? curves : 0)] $runs \
       using 1:($4 == i ? $2 : NaN):3 with yerrorbars lt type[i] dt 1 notitle, \
     for [i=1:(points ? curves : 0)] NaN with linespoints lt type[i] \
       pointsize 0.9 title name[i], \
     for [i=1:(points ? 0 : curves)] NaN with lines lt type[i] title name[i]
