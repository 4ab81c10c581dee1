# profiles: what is described from the profile of a predicted step predicts that step.
# tests/write_profile.py leaves the records that the run would have left: kernels called
# k17, threads and streams numbered at random, 2 % of the records lost, one step in ten
# slow, a warm-up before, ranges in half of the cases; as SQLite, or as params/trace.
#once

$ for n in 2 ${GPUSCALE_FULL:+4}; do set -- $n; for s in n=2048 threads=1 norm=1 'threads=1 waits=0' \
      'threads=1 waits=0 norm=2' fetch=65536 'n=16384 barriers=3' 'n=16384 barriers=7' barriers=7; do \
    $SRC/tests/profiled stencil-host neighbours $n $(($1 + 3 * $#)) $s; set -- "$@" x; done; done | \
  sed 's/ on [24]:/:/' | sort -u
barriers=7: within 2 %, on 8: within 5 %
fetch=65536: within 2 %, on 8: within 5 %
n=16384 barriers=3: within 2 %, on 8: within 5 %
n=16384 barriers=7: within 2 %, on 8: within 5 %
n=2048: within 2 %, on 8: within 5 %
norm=1: within 2 %, on 8: within 5 %
threads=1 waits=0 norm=2: within 2 %, on 8: within 5 %
threads=1 waits=0: within 2 %, on 8: within 5 %
threads=1: within 2 %, on 8: within 5 %

# The first step's waits mean no record that is there, and any may be lost; two sets of
# events make steps take turns.
$ for s in 1 2 3 7; do $SRC/tests/profiled stencil-host neighbours 2 $s threads=1 waits=0; \
    $SRC/tests/profiled stencil-host neighbours 4 $s threads=1 waits=0 norm=2; done | sort | uniq -c
      4 threads=1 waits=0 norm=2 on 4: within 2 %, on 8: within 5 %
      4 threads=1 waits=0 on 2: within 2 %, on 8: within 5 %

# Ten programs by copies on four GPUs, with the profile of two beside it, and on two.  What
# fails: pagerank's lists fit the cache on eight GPUs and not on four.
$ ten() { set -- 0 $1; for s in jacobi:neighbours als:all allgather:all eqwp:neighbours \
      pagerank:all sssp:all ct:all diffusion:neighbours transpose:all scatter:all; do \
    $SRC/tests/profiled ${s%:*} ${s#*:} $2 $1; set -- $(($1 + 1)) $2; done; }; ten 4
jacobi on 4: within 2 %, on 8: within 5 %
als on 4: within 2 %, on 8: within 5 %
allgather on 4: within 2 %, on 8: within 5 %
eqwp on 4: within 2 %, on 8: within 5 %
pagerank on 4: within 2 %, on 8: 11 % off
sssp on 4: within 2 %, on 8: within 5 %
ct on 4: within 2 %, on 8: within 5 %
diffusion on 4: within 2 %, on 8: within 5 %
transpose on 4: within 2 %, on 8: within 5 %
scatter on 4: within 2 %, on 8: within 5 %
#full
$ ten() { set -- 0 $1; for s in jacobi:neighbours als:all allgather:all eqwp:neighbours \
      pagerank:all sssp:all ct:all diffusion:neighbours transpose:all scatter:all; do \
    $SRC/tests/profiled ${s%:*} ${s#*:} $2 $1; set -- $(($1 + 1)) $2; done; }; ten 2
jacobi on 2: within 2 %
als on 2: within 2 %
allgather on 2: within 2 %
eqwp on 2: within 2 %
pagerank on 2: within 2 %
sssp on 2: within 2 %
ct on 2: within 2 %
diffusion on 2: within 2 %
transpose on 2: within 2 %
scatter on 2: within 2 %
