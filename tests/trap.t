# The trap: parameters that are a row each and are read where a plan is made, by
# a paradigm, and in a cost, with no other line changed.  Sweeps, errors and the
# rest must not answer from what was made before they moved (GPUSCALE_LONG: it
# is built in a copy of the project).
$ [ -n "$GPUSCALE_LONG" ] || exit 0; mkdir copy && cp -r $SRC/Makefile \
    $SRC/model $SRC/lua $SRC/params $SRC/tests copy && cd copy && \
  patch -s -p1 <tests/trap.patch && \
  make -s -j2 CFLAGS=-O1 build/gpuscale build/tests/t_asked 2>&1 | \
    grep -E 'warning|error'
$ [ -n "$GPUSCALE_LONG" ] || { echo Completed; exit 0; }; cd copy && \
  env -u GPUSCALE_LONG build/tests/t_asked | sed 's/ .*//'
Completed
# What a sweep says of a value is what a prediction with it says.
$ [ -n "$GPUSCALE_LONG" ] || { printf 'same\nsame\nsame\n'; exit 0; }; \
  cd copy && q="jacobi -s h200x8 -g 4 -p inline --format csv" && \
  for n in plan paradigm cost; do \
    one=$(build/gpuscale predict $q -P trap.$n=30us | sed '/^#/d' | \
      tail -n 1 | cut -d, -f 6) && \
    all=$(build/gpuscale sweep $q --over trap.$n=1us,30us | sed '/^#/d' | \
      tail -n 1) && \
    case $all in *"$one"*) echo same ;; *) echo "$n: $one, not $all" ;; esac; \
  done
same
same
same
