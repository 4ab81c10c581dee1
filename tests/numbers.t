# Digits of README.md and docs/accuracy.md are what the commands beside them print; those
# that no command covers yet are listed in docs/uncovered.txt.
#once
$ "$SRC/tests/numbers" | sed 's/^[0-9]* numbers covered, [0-9]* not; //'
0 wrong

# A digit that differs fails, and so does one without a command.
$ mkdir -p copy/docs copy/tests && cd copy && cp "$SRC/tests/numbers" tests/ && \
    printf '<!-- numbers: echo 7.04 3 -->\nGood, 7.0 %% of 3.\n\n<!-- numbers: echo 7.06 -->\nBad, 7.0 %%.\n\nBare 5.\n\nListed 6.\n' \
      > docs/accuracy.md && echo 'docs/accuracy.md: 1: Listed 6.' > docs/uncovered.txt && \
    tests/numbers docs/accuracy.md; echo $?; cd ..
docs/accuracy.md: 7.0 is not what echo 7.06 prints
no command covers docs/accuracy.md: 1: Bare 5.
3 numbers covered, 2 not; 2 wrong
1
