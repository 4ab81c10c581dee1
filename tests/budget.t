# The project is no larger than tests/budget says.
#once
$ $SRC/tests/size $SRC/tests/budget
11 measures within their limits

# ---- what is above a limit, or unknown, is named
$ printf 'verbs 3\nwords 5\noptions 1000\n' > limits; $SRC/tests/size limits >said; echo $?; sed "s/[0-9]* of/N of/" said
1
verbs: N of 3
words: no such measure
