# scripts/guard: what is promised of faults, limits and laws.  Here a sample of each
# figure but abi (abi.t), sealed, which is of scripts/test, and mutations and sanitizers,
# which are of `long`.
#once
$ for f in questions hostile fuzz io; do "$SRC/scripts/guard" short $f 20261120 | sed 's/: ok: .*/: held/'; done
questions: held
hostile: held
fuzz: held
io: held
# Descriptions that are refused, within limits and in the words they ask for.
$ "$SRC/tests/guard/hostile" files
at least 60 hostile descriptions, 0 bad
# Each has a row, a target, and a budget for both sizes; what it finds is counted.
$ sed -n '/<<.END/,/^END/p' "$SRC/scripts/guard" | awk -F'|' '/^[a-z]+\|/ { print $1, NF, ($6 > $5) }'
questions 6 1
hostile 6 1
fuzz 6 1
io 6 1
mutations 6 1
sanitizers 6 1
abi 6 1
sealed 6 1
# A listed break that is worse, or that does not occur any more, fails, as one that is
# not listed does; more than five are not taken.
$ q="$B/tests/guard/questions"; echo 'fixed host.sync memcpy 2 100 nothing of the kind' > known; \
    "$q" 5 4000 known | grep 'no longer'; for i in 1 2 3 4 5 6; do cat known; done > many; "$q" 5 10 many; echo $?
BROKEN  fixed host.sync memcpy no longer occurs
many: at most 5 lines of six words: fixed host.sync memcpy 2 100 nothing of the kind
2
