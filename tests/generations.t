# One GPU from another, in a copy without the target: not worse than it was.
# Wanted: N = 1 6 %, N = 2 7 %, ratios 5 %.
#once

#long
$ $SRC/scripts/dev/generations hopper $PWD > said; \
  awk '/ from /{ multi = / and / } multi { next } \
    /N = 1, carried/ { if ($7 > 7.6) print "N = 1:", $7; n++ } \
    /N = 2    / { if ($6 > 8.8) print "N = 2:", $6; n++ } \
    /^  ratio, both/ { if ($6 > 5.8) print "ratio:", $6; n++ } \
    END { print n }' said
6
#long
$ grep -cE ',(h200x2|h200x4|h200x8),' h200x2/data/projection.csv ; \
  ls h200x2/params | grep -E '^h200'
0
h200x2.lua
