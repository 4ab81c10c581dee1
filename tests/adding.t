# The pages docs/adding.md, docs/adding-program.md and model/paradigm/README.md, followed word
# by word in a copy of the project: what they add fits where they say, builds without a warning, and does
# what they show.
#once

# ---- every change has its place, once
$ mkdir copy && cp -a $SRC/Makefile $SRC/model $SRC/lua $SRC/cli $SRC/params $SRC/scripts $SRC/tests \
    $SRC/plots $SRC/data copy && cd copy && { tests/follow $SRC/docs/adding.md && tests/follow $SRC/docs/adding-program.md; } > page.t && \
  grep -c '^\$ ' page.t | awk '{ print ($1 >= 8) }'
1
# A page that has gone astray is told from one that has not.
$ cd copy && sed '/gscale__format_osu/d' $SRC/model/import/import.c > model/import/import.c; \
    tests/follow $SRC/docs/adding-program.md 'An importer' > /dev/null; echo $?
follow: model/import/import.c: 0 places are like:    &gscale__format_osu,
1
$ cp $SRC/model/import/import.c copy/model/import && cd copy && \
    tests/follow $SRC/docs/adding-program.md 'An importer' | grep -c '^\$'
2

# ---- built and asked, section after section; in the same copy, once for all three,
# the page model/paradigm/README.md (the file it shows, the row it adds), and the trap:
# parameters that are a row each and are read where a plan is made, by a paradigm, and
# in a cost, with no other line changed
#long on
$ cd copy && patch -s -p1 <$SRC/tests/trap.patch && page=model/paradigm/README.md && \
  cp $SRC/docs/adding/memcpy_staged.c model/paradigm && \
  row=$(sed -n 's/^+  \(row(.*),\) .*/\1/p' $page) && \
  sed -i "s/row(schedule)/$row &/" model/paradigm/registry.c
$ cd copy && mkdir build && \
  make -s -j2 CC="$CC" CFLAGS='-O0 -DSHORT_DRAWS' build/gpuscale build/tests/t_laws build/tests/t_asked 2>&1 | \
    grep -E 'warning|error'
$ cd copy && sed -i 's/^\$ /$ cd $SRC \&\& /' page.t && B=build tests/check page.t | sed 's/^[0-9]* passed/all passed/'
all passed, 0 failed
# The laws of all paradigms hold; the bench compiles where there is a compiler.
$ cd copy && env -u GPUSCALE_LONG build/tests/t_laws | sed 's/ .*//'
Completed
$ ! command -v nvcc > path || make -s -C copy B=build NVCCFLAGS=-O0 NVCCARCH="$(copy/scripts/arch oldest)" build/params/bench/fence 2>&1 | grep -E 'warning|error'

# ---- the paradigm of the page
$ cd copy && build/gpuscale list paradigms --format csv | grep memcpy-staged
memcpy-staged,exists,,bulk copies by way of host memory,unmeasured
$ cd copy && build/gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 2 \
    --paradigm memcpy,memcpy-staged --format csv | cut -d, -f 3,14 | \
    sed 's/\(\.[0-9]\{8\}\)[0-9]*/\1/'
paradigm,transfer_s
memcpy,0.00013107
memcpy-staged,0.00026214

# ---- the trap: sweeps, errors and the rest do not answer from what was made before
# a number moved
$ cd copy && env -u GPUSCALE_LONG build/tests/t_asked | sed 's/ .*//'
Completed
# What a sweep says of a value is what a prediction with it says.
$ cd copy && q="jacobi -s h200x8 -g 4 -p inline --format csv" && \
  for n in plan=1,3 paradigm=1us,30us cost=1us,30us; do \
    one=$(build/gpuscale predict $q -P trap.${n%%=*}=${n##*,} | sed '/^#/d' | \
      tail -n 1 | cut -d, -f 6) && \
    all=$(build/gpuscale sweep $q --over trap.$n | sed '/^#/d' | \
      tail -n 1) && \
    case $all in *"$one"*) echo same ;; *) echo "$n: $one, not $all" ;; esac; \
  done
same
same
same
