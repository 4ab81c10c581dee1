# Numbers of a system from runs of programs.

# ---- the page lua/workloads/three-runs.md
$ awk '/^    / { for (; n > 0; n--) print ""; print substr($0, 5); n = 0 } \
       /^$/ { n++ } /^[^ ]/ { n = -99 }' \
    "$SRC/lua/workloads/three-runs.md" > page.t; \
  [ "$(grep -c '^\$ gpuscale' page.t)" -ge 4 ] && sh "$SRC/tests/check" page.t
