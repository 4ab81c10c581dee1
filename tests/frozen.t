# frozen: the answers to 600 questions are those of tests/frozen/answers, number by number.
#once

# ---- one question in six; the long suite asks all
$ every=6; [ -z "$GPUSCALE_LONG" ] || every=1; "$SRC/scripts/dev/frozen" held --every $every >said 2>why || \
    { tail -n 5 why; tail -n 40 said; }; tail -n 1 said | sed 's/^[1-9][0-9]* //'
questions, 0 answered otherwise

# ---- the file: at most 250 kB, twelve numbers a line, questions of the list
$ f=$SRC/tests/frozen/answers; grep -vc '^#' $f; [ $(wc -c <$f) -le 250000 ] && sed -n '/^#/!s/.* | //p' $f | awk 'NF > 12'
600
$ export LC_ALL=C; sed '/^#/d; s/ | .*//; s/^/gpuscale /' $SRC/tests/frozen/answers | sort -u >asked; wc -l <asked; \
    gzip -dc $SRC/data/questions.txt.gz | sort | comm -23 asked -
600

# ---- a time that moves by 2e-9 is told, and one that moves by 2e-10 is not
$ moved() { awk -v by=$1 '/^predict .* time_s=/ { match($0, / time_s=[0-9.e-]+/); \
    printf "%s time_s=%.12g%s\n", substr($0, 1, RSTART - 1), substr($0, RSTART + 8, RLENGTH - 8) * (1 + by), substr($0, RSTART + RLENGTH); exit }' \
    "$SRC/tests/frozen/answers" >moved; "$SRC/scripts/dev/frozen" held moved | sed 's/[^ ]* -> [^ ]*,/A -> B,/; /^predict/d'; }; \
  moved 2e-9; moved 2e-10
  time_s A -> B, 2e-09
1 questions, 1 answered otherwise
1 questions, 0 answered otherwise

# ---- two trees, side by side: what differs by verb and column, and each question
$ for t in old new; do mkdir -p $t/build; for f in data lua scripts; do ln -s "$SRC/$f" $t/$f; done; done; \
  ln -s "$B/gpuscale" old/build/gpuscale; \
  printf '#!/bin/sh\n"%s" "$@" | sed "/,infinite,,2,/s/,0,/,1e-3,/; s/,um,/,managed,/"\n' "$B/gpuscale" >new/build/gpuscale; chmod +x new/build/gpuscale
$ "$SRC/scripts/dev/frozen" between old old --only '^list paradigms'
3 questions, 0 answered otherwise
$ "$SRC/scripts/dev/frozen" between old new --only '^predict jacobi --system h200x8 .*--gpus .* csv' --list each | sed 's/ (predict .*//'; cat each
questions  largest  words  verb: column (an example)
        2        0      2  predict: paradigm
        1        1      0  predict: setup_s
2 questions, 2 answered otherwise
predict jacobi --system h200x8 --proposed --gpus 1,2,3,4,6,8,16,64 --format csv
  setup_s: 1: 0 -> 1e-3
  paradigm: words: um -> managed
predict jacobi --system h200x8 --proposed --gpus 3 --paradigm all --format csv
  paradigm: words: um -> managed
