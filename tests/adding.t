# The page docs/adding.md, followed word by word in a copy of the project: what it
# adds fits where it says, builds without a warning, and does what it shows.

# ---- every change has its place, once
$ mkdir copy && cp -a $SRC/Makefile $SRC/model $SRC/lua $SRC/params $SRC/tests \
    $SRC/plots $SRC/data copy && cd copy && tests/follow $SRC/docs/adding.md > page.t && \
  grep -c '^\$ ' page.t | awk '{ print ($1 >= 8) }'
1
# A page that has gone astray is told from one that has not.
$ cd copy && sed '/^ *&gscale__format_nvshmem/d' $SRC/model/import/import.c > model/import/import.c; \
    tests/follow $SRC/docs/adding.md 'An importer' > /dev/null; echo $?
follow: model/import/import.c: 0 places are like:    &gscale__format_nvshmem,      &gscale__format_extrap,
1
$ cp $SRC/model/import/import.c copy/model/import && cd copy && \
    tests/follow $SRC/docs/adding.md 'An importer' | grep -c '^\$'
2

# ---- built and asked, section after section
#long on
$ cd copy && mkdir build && cp -a $B/model $B/lua build && \
  make -s -j2 CC="$CC" CFLAGS="$CFLAGS" build/gpuscale 2>&1 | grep -E 'warning|error'
$ cd copy && sed -i 's/^\$ /$ cd $SRC \&\& /' page.t && B=build tests/check page.t | sed 's/^[0-9]* passed/all passed/'
all passed, 0 failed
# The laws of all paradigms hold; the bench compiles where there is a compiler.
$ cd copy && make -s -j2 CC="$CC" CFLAGS="$CFLAGS" build/tests/t_laws 2>&1 | \
    grep -E 'warning|error'; build/tests/t_laws | sed 's/ .*//'
Completed
$ ! command -v nvcc > path || make -s -C copy B=build build/params/bench/fence 2>&1 | grep -E 'warning|error'
