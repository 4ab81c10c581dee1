# p_goodput.gp - useful share of a link's bytes over the size of a message.
#
# Given: title_text; curves, name[], type[], dash[]; $goodput: size, share of
# each curve.

set title title_text
set xlabel 'message [B]'
set ylabel 'useful share of the bytes on the wire [%]'
set logscale x 2
set yrange [0:100]
set xtics ()
do for [e=0:40:2] { set xtics add (bytes(2.0**e) 2.0**e) }

plot for [i=1:curves] $goodput using 1:(100*column(i+1)) \
       with linespoints lt type[i] dt dash[i] title name[i]
# SPDX-License-Identifier: GPL-3.0-or-later
