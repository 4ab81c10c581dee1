# profiles: what is described from the profile of a predicted step predicts that step.
# tests/write_profile.py leaves the records that the run would have left: kernels called
# k17, threads and streams numbered at random, 2 % of the records lost, one step in ten
# slow, a warm-up before, ranges in half of the cases; as SQLite, or as params/trace.

$ for n in 2 4; do set -- $n; for s in n=2048 threads=1 norm=1 'threads=1 waits=0' \
      'threads=1 waits=0 norm=2' fetch=65536 'n=16384 barriers=3'; do \
    $SRC/tests/profiled "$s" $n $(($1 + 3 * $#)) $s; set -- "$@" x; done; done
n=2048 on 2: within 2 %, on 8: within 5 %
threads=1 on 2: within 2 %, on 8: within 5 %
norm=1 on 2: within 2 %, on 8: within 5 %
threads=1 waits=0 on 2: within 2 %, on 8: within 5 %
threads=1 waits=0 norm=2 on 2: within 2 %, on 8: within 5 %
fetch=65536 on 2: within 2 %, on 8: within 5 %
n=16384 barriers=3 on 2: within 2 %, on 8: within 5 %
n=2048 on 4: within 2 %, on 8: within 5 %
threads=1 on 4: within 2 %, on 8: within 5 %
norm=1 on 4: within 2 %, on 8: within 5 %
threads=1 waits=0 on 4: within 2 %, on 8: within 5 %
threads=1 waits=0 norm=2 on 4: within 2 %, on 8: within 5 %
fetch=65536 on 4: within 2 %, on 8: within 5 %
n=16384 barriers=3 on 4: within 2 %, on 8: within 5 %
