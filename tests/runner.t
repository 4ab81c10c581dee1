# The runner of the suite, tests/check: what passes, fails, and was not run.
#once
$ printf '%s\n' '$ echo a' a '$ echo there is no pandoc here; exit 77' b '$ echo c' c > a.t; "$SRC/tests/check" a.t; echo $?
not run: a.t: $ echo there is no pandoc here; exit 77: there is no pandoc here
1 not run
2 passed, 0 failed
0
# A file of which nothing was run does not fail; one without commands does.
$ sed -n 3,4p a.t > none.t; "$SRC/tests/check" none.t; echo $?; : > empty.t; "$SRC/tests/check" empty.t; echo $?
not run: none.t: $ echo there is no pandoc here; exit 77: there is no pandoc here
1 not run
0 passed, 0 failed
0
FAIL  empty.t: it has no commands
0 passed, 1 failed
1
# Beside it a failure stays one.
$ echo '$ echo d; exit 76' >> a.t; "$SRC/tests/check" a.t; echo $?
not run: a.t: $ echo there is no pandoc here; exit 77: there is no pandoc here
FAIL  a.t: $ echo d; exit 76
      @@ -0,0 +1 @@
      +d
1 not run
2 passed, 1 failed
1
# A program that asserted something and ends with 77 failed.
$ printf '#!/bin/sh\necho no GPU here; exit 77\n' > t_a; printf '#!/bin/sh\necho PASS: b; exit 77\n' > t_b; chmod +x t_a t_b; \
    "$SRC/tests/check" t_a; "$SRC/tests/check" t_b
not run: t_a: no GPU here
1 not run
0 passed, 0 failed
FAIL  t_b: exit status 77
1 passed, 1 failed
