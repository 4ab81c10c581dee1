# ---- where the numbers of a calibrated system come from
#once

# Each file of measurements alone, over bases of the same and of another link: what
# is called measured is what a recipe told from rows of that file, no more, no less.
$ provenance() { awk '/^  [a-z_]+ = \{$/ { g = $1 } \
    / = measured\(/ && $1 != "membw_curve" { print g "." $1 }' "$1" | sort; }; \
  told() { grep -v '^#' "$1" | awk -F, 'NR > 1 && $2 != "" && $1 !~ /^\(/ { print $1 }' | sort; }; \
  n=0; for f in "$SRC"/data/*/micro/*.csv; do for b in h100x2 ${GPUSCALE_FULL:+h200x8 h200x4 dgx-a100}; do \
    gpuscale calibrate "$f" --base $b -o one.lua -f csv > told.csv 2> why || continue; \
    provenance one.lua > called; told told.csv > are; n=$((n + 1)); \
    cmp -s called are || { echo "$f over $b:"; diff called are; }; done; done; \
  [ $n -gt 45 ] && echo all
all

# What the base measured is its own, and less sure here than there; what it
# inherited itself keeps the machine it is from.
$ gpuscale calibrate "$SRC/data/h100x2/micro/dma.csv" --base h200x4 -o one.lua > told 2>&1; \
  grep -c 'measured(' one.lua; grep -c 'inherited(.*"h200x4")' one.lua | awk '{ print ($1 > 50) }'; \
  grep 'barrier = ' one.lua; grep -m1 ' launch = ' one.lua; grep -m1 ' launch = ' "$SRC/params/h200x4.lua"
3
1
    barrier = inherited("261.524 ns", "724.555 ns", "h200x4"),
    launch = inherited("4.22977 us", "661.665 ns", "h200x4"),
    launch = measured("4.22977 us", "470.547 ns", "launch.csv"),

# Numbers that rows tell are those of the rows: another base of that link changes none.
# (Of two threads alone rows do not tell how calls crowd: that is of the base, and what one
# costs is what two take by it.  The first three bases agree about it.)
$ for s in h200x8 h200x4 h200x2 h100x2; do \
    files=$(sed -n "s|^--   \(data/.*\)|$SRC/\1|p" "$SRC/params/$s.lua"); \
    case $s in *x2) more= ;; *) more="h200x4 dgx-h100" ;; esac; \
    for b in h200x8 h100x2 ${GPUSCALE_FULL:+h200x2 $more}; do \
      gpuscale calibrate $files --base $b -o two.lua -f csv 2> why | grep -v '^#' | \
        awk -F, 'NR > 1 && $2 != "" && $1 !~ /^\(/ { printf "%s %.4g\n", $1, $2 }' > $b.told; \
      cmp -s h200x8.told $b.told || { echo "$s over $b:"; diff h200x8.told $b.told; }; done; \
    wc -l < h200x8.told; done
57
124
47
49

# Written under the name of its base it is the same machine: nothing is inherited.
$ cp "$SRC/params/h200x8.lua" . && gpuscale calibrate "$SRC/data/h200x8/micro/dma.csv" \
    --base ./h200x8.lua -o h200x8.lua > told 2>&1; echo $?; grep -c 'inherited(' h200x8.lua
0
0

# An origin of its own: read back, held to be no measurement.
$ gpuscale explain --all jacobi --system ./one.lua --gpus 4 --paradigm memcpy -f csv | grep -m2 inherited | \
    cut -d, -f 1,5,8
device.membw,inherited,h200x4
device.membw_curve[14],inherited,h200x4

# ---- systems that ship are what scripts/systems writes: watts that nobody measured, too
$ for s in $(grep -l 'written by `gpuscale calibrate`' "$SRC"/params/*.lua | sed 's|.*/\(.*\)\.lua|\1|'); do \
    (cd "$SRC" && gpuscale calibrate $(sed -n 's|^--   \(data/.*\)|\1|p' params/$s.lua) --base $s \
      -o "$OLDPWD/$s.lua") > told 2>&1; cmp $s.lua "$SRC/params/$s.lua" && echo $s; done
h100x2
h100x4
h200x2
h200x4
h200x8
