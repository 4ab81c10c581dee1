# p_wire.gp - what a store takes on a link over its size.
#
# Given: title_text; $wire: size, bytes on the wire.

set title title_text
set xlabel 'store [B]'
set ylabel 'on the wire [B]'
set logscale xy 2
unset key

plot $wire using 1:2 with linespoints lt 2
# SPDX-License-Identifier: GPL-3.0-or-later
