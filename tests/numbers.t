# Digits of README.md, docs/accuracy.md and data/ledger.csv are what the commands beside them print.
#once
$ "$SRC/tests/numbers" | sed 's/^[0-9]* numbers, //'
0 wrong

# A digit that differs fails, and so does one without a command.
$ mkdir -p copy/docs copy/tests && cd copy && cp "$SRC/tests/numbers" tests/ && \
    printf '<!-- numbers: echo 7.04 3 -->\nGood, 7.0 %% of 3.\n\n<!-- numbers: echo 7.06 -->\nBad, 7.0 %%.\n\nBare 5.\n' \
      > docs/accuracy.md && tests/numbers docs/accuracy.md; echo $?; cd ..
docs/accuracy.md: 7.0 is not what echo 7.06 prints
no command covers docs/accuracy.md: Bare 5.
4 numbers, 2 wrong
1
