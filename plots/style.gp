# style.gp - what every figure has in common.
#
# Given: height, of the figure, which is 640 wide; text: 1 to draw of characters.
#
# Nine colours: any two are at least 15 apart by CIEDE2000, as most people see them and as
# people without red or green cones do, and each has a contrast of 3 and more with white
# and with a dark page.  A line type also has its own dash and point, so
# that colour is never needed; types above 9 repeat the colours with others of both.  At a
# width of 9 cm the letters are of 6 points.
#
# tint[] of a curve is its colour, 0 of one that stands back: at most five of a figure
# are in colour (cli/figures/curves.c).

inks = '#726750 #3493ff #ff4f0d #44a662 #a801b8 #be2104 #37686c #a96aa5 #939392'
line_ink(k) = k ? word(inks, k) : '#c4c4c4'
name_ink(k) = k ? word(inks, k) : '#767676'

# Bytes as people write them.
bytes(x) = x < 1024 ? sprintf('%g B', x) : x < 1048576 ? sprintf('%g KiB', x/1024) : \
    x < 1073741824 ? sprintf('%g MiB', x/1048576) : sprintf('%g GiB', x/1073741824)

if (text) {
  set terminal dumb nofeed noenhanced size 79,(height > 500 ? 44 : 30)
} else {
  set terminal svg size 640,height font 'Helvetica,15' background rgb 'white' \
      linewidth 1.5 noenhanced
}
set encoding utf8

set linetype 1 lc rgb '#726750' lw 1.5 dt 3           pt 2  ps 0.8
set linetype 2 lc rgb '#3493ff' lw 1.5 dt 1           pt 7  ps 0.8
set linetype 3 lc rgb '#ff4f0d' lw 1.5 dt (12,4)      pt 5  ps 0.8
set linetype 4 lc rgb '#44a662' lw 1.5 dt (12,3,2,3)  pt 9  ps 0.9
set linetype 5 lc rgb '#a801b8' lw 1.5 dt (6,3)       pt 13 ps 0.9
set linetype 6 lc rgb '#be2104' lw 1.5 dt (20,4)      pt 11 ps 0.9
set linetype 7 lc rgb '#37686c' lw 1.5 dt (4,2)       pt 4  ps 0.8
set linetype 8 lc rgb '#a96aa5' lw 1.5 dt (16,3,4,3)  pt 6  ps 0.8
set linetype 9 lc rgb '#939392' lw 1.5 dt (8,2)       pt 8  ps 0.9
set linetype 10 lc rgb '#726750' lw 1.5 dt (2,2)      pt 10 ps 0.9
set linetype 11 lc rgb '#3493ff' lw 1.5 dt (4,4)      pt 12 ps 0.9
set linetype 12 lc rgb '#ff4f0d' lw 1.5 dt (2,4)      pt 6  ps 0.9
set linetype 13 lc rgb '#44a662' lw 1.5 dt (20,3,2,3) pt 1  ps 0.9
set linetype 14 lc rgb '#a801b8' lw 1.5 dt (3,3)      pt 3  ps 0.9
set linetype 15 lc rgb '#be2104' lw 1.5 dt (12,2,2,2) pt 14 ps 0.9
set linetype 16 lc rgb '#37686c' lw 1.5 dt (2,3)      pt 15 ps 0.9
set linetype 17 lc rgb '#a96aa5' lw 1.5 dt (16,6)     pt 4  ps 0.8
set linetype 18 lc rgb '#939392' lw 1.5 dt (8,3,2,3)  pt 5  ps 0.8
set linetype cycle 18

# What would be perfect.
set linetype 99 lc rgb '#999999' lw 1 dt (8,6)

set border 3 lc rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set grid lc rgb '#dddddd' lw 0.7 dt 1
set key outside right top vertical maxcols 1 Left reverse samplen 2.5 spacing 1.1 \
    font ',14'
# SPDX-License-Identifier: GPL-3.0-or-later
