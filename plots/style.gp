# style.gp - what every figure has in common.
#
# Given: height, of the figure, which is 640 wide; text: 1 to draw of characters.
#
# Colours are those of Okabe and Ito, which colour-blind people can tell apart,
# with grey for their yellow, which is too pale on white.
# A line type also has its own dash and point, so that colour is never needed;
# types above 8 repeat the colours with other dashes and points.  At a width of
# 9 cm the letters are of 6 points.

if (text) {
  set terminal dumb nofeed noenhanced size 79,(height > 500 ? 44 : 30)
} else {
  set terminal svg size 640,height font 'Helvetica,15' background rgb 'white' \
      linewidth 1.5 noenhanced
}
set encoding utf8

set linetype 1 lc rgb '#000000' lw 1.5 dt 3           pt 2  ps 0.8
set linetype 2 lc rgb '#0072b2' lw 1.5 dt 1           pt 7  ps 0.8
set linetype 3 lc rgb '#d55e00' lw 1.5 dt (12,4)      pt 5  ps 0.8
set linetype 4 lc rgb '#009e73' lw 1.5 dt (12,3,2,3)  pt 9  ps 0.9
set linetype 5 lc rgb '#cc79a7' lw 1.5 dt (6,3)       pt 13 ps 0.9
set linetype 6 lc rgb '#e69f00' lw 1.5 dt (20,4)      pt 11 ps 0.9
set linetype 7 lc rgb '#56b4e9' lw 1.5 dt (4,2)       pt 4  ps 0.8
set linetype 8 lc rgb '#666666' lw 1.5 dt (16,3,4,3)  pt 6  ps 0.8
set linetype 9 lc rgb '#000000' lw 1.5 dt (8,2)       pt 8  ps 0.9
set linetype 10 lc rgb '#0072b2' lw 1.5 dt (2,2)      pt 10 ps 0.9
set linetype 11 lc rgb '#d55e00' lw 1.5 dt (4,4)      pt 12 ps 0.9
set linetype 12 lc rgb '#009e73' lw 1.5 dt (2,4)      pt 6  ps 0.9
set linetype 13 lc rgb '#cc79a7' lw 1.5 dt (20,3,2,3) pt 1  ps 0.9
set linetype 14 lc rgb '#e69f00' lw 1.5 dt (3,3)      pt 3  ps 0.9
set linetype 15 lc rgb '#56b4e9' lw 1.5 dt (12,2,2,2) pt 14 ps 0.9
set linetype 16 lc rgb '#666666' lw 1.5 dt (2,3)      pt 15 ps 0.9
set linetype 17 lc rgb '#000000' lw 1.5 dt (16,6)     pt 4  ps 0.8
set linetype 18 lc rgb '#0072b2' lw 1.5 dt (8,3,2,3)  pt 5  ps 0.8
set linetype cycle 18

# What would be perfect.
set linetype 99 lc rgb '#999999' lw 1 dt (8,6)

set border 3 lc rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set grid lc rgb '#dddddd' lw 0.7 dt 1
set key outside right top vertical maxcols 1 Left reverse samplen 2.5 spacing 1.1 \
    font ',14'
