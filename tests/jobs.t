# --jobs N: the same answer from any number of processes.

# ---- the same bytes, whatever N, as rows, tables and JSON
$ q='sweep jacobi --system h200x8 -g 2,4 -p memcpy-async,inline,nccl --over link.rate=10GB/s..900GB/s,log,700'; \
  gpuscale $q -f csv --jobs 1 -o n.csv; mv n.csv one.csv; \
  for n in 2 3 7; do gpuscale $q -f csv --jobs $n -o n.csv; cmp one.csv n.csv && echo $n; done; \
  gpuscale $q -f csv -o n.csv; cmp one.csv n.csv && echo as many as processors; \
  gpuscale $q -f csv --jobs=5 > out; sed '/^#/d' one.csv | cmp - out; grep -c . one.csv
2
3
7
as many as processors
4205
$ for f in csv table json; do for n in 1 3; do \
    gpuscale sweep jacobi --system h200x8 -g 4 -p memcpy,rdl --over n=120..136,17 --over link.rate=1GB/s..2GB/s,3 \
      -f $f --jobs $n > $f.$n 2>$f.$n.err; done; \
    cmp $f.1 $f.3 && cmp $f.1.err $f.3.err && echo $f; done
csv
table
json
$ for n in 1 3; do gpuscale sweep allgather --system h200x8 -g 2 --errors --over bytes=1..64MB,log,20 \
    --best --jobs $n -f csv; done | sort | uniq -c | awk '{ print $1 }' | uniq -c | sed 's/^ *//'
21 2

# Pieces that are longer than the memory that processes share has places for.
$ for n in 1 2 7; do gpuscale sweep jacobi --system h200x8 -g 1-64 -p memcpy --over link.rate=10GB/s..900GB/s,log,256 \
    -f csv --jobs $n 2>/dev/null | sha256sum; done | uniq -c | awk '{ print $1 }'; \
  gpuscale sweep jacobi --system h200x8 -g 1-64 -p memcpy --over link.rate=10GB/s..900GB/s,log,128 -f csv 2>/dev/null | \
    wc -c | awk '{ print ($1 > 1048576) }'
3
1

# ---- of other verbs too, with what they say on stderr: all that have it
$ for v in $(gpuscale --help | awk '/^  [a-z]+ / { print $1 }'); do \
    gpuscale $v --help 2>/dev/null | grep -q -e '--jobs N' && echo $v; done | sort | paste -sd" " -
calibrate compare report reproduce sensitivity sweep validate
#long
$ for n in 1 2 7; do gpuscale validate $SRC/data/h200x8/runs/*.csv --system h200x8 --jobs $n -f csv > v.$n 2>v.$n.err; \
    gpuscale sensitivity allgather --system h200x8 -g 4 --points 40 --jobs $n -f json > s.$n 2>s.$n.err; \
    [ $n = 2 ] || gpuscale reproduce all --jobs $n -f csv > r.$n 2>r.$n.err; done; \
  for f in 'v 2' 'v 7' 's 2' 's 7' 'r 7'; do set -- $f; cmp $1.1 $1.$2 && cmp $1.1.err $1.$2.err && echo $f; done
v 2
v 7
s 2
s 7
r 7
#long
$ for n in 1 2 7; do mkdir -p at.$n; \
    gpuscale compare jacobi --system h200x8,v100x4,dgx-a100 --gpus 1-16 --jobs $n -f json > m.$n 2>m.$n.err; \
    gpuscale compare jacobi --system h200x8,v100x4,dgx-a100 --gpus 1-16 --jobs $n > c.$n 2>c.$n.err; \
    (cd at.$n; gpuscale report jacobi -s h200x8 -g 1-8 --over n=256..1024,4 --over link.rate=50GB/s..900GB/s,3 \
      --jobs $n -o page.html; gpuscale calibrate $SRC/data/h200x8/runs/runs.csv --base h200x8 --jobs $n -o new.lua \
      >said 2>said.err); sed 's/--jobs [127]//' at.$n/page.html > p.$n; cp at.$n/said p.$n.err; cp at.$n/new.lua l.$n; \
      cp at.$n/said.err l.$n.err; done; grep -c "no row" c.1.err; grep -c "^const swept" p.1; \
  for f in m c p l; do for n in 2 7; do cmp $f.1 $f.$n && cmp $f.1.err $f.$n.err && echo $f $n; done; done
1
1
m 2
m 7
c 2
c 7
p 2
p 7
l 2
l 7
# The first run that cannot be predicted is the one that is said.
$ { echo workload,paradigm,knobs,gpus,time_s,sigma_s; \
    for n in $(seq 64 164); do echo jacobi,memcpy,n=$n,2,1e-4,0; done; \
    for n in 1 2 3; do echo jacobi,memcpy,n=$n.5,2,1e-4,0; done; } > odd.csv; \
  for n in 1 3; do gpuscale validate odd.csv --system h200x8 --jobs $n; echo $?; done 2>&1 | uniq -c | sed 's/^ *//'
1 gpuscale: odd.csv:103: -P n: 1.5 is not whole
1 3
1 gpuscale: odd.csv:103: -P n: 1.5 is not whole
1 3

# ---- what has no answer is counted as in one process
$ for n in 1 4; do gpuscale sweep jacobi --system h200x8 -g 4 -p memcpy --over n=100..200,101,whole \
    --over device.memory=100kB,80GB -f csv --jobs $n 2>&1 >/dev/null; done | uniq -c | sed 's/^ *//; s/: jacobi on.*//'
2 gpuscale: note: no row for 101 points
$ for n in 1 4; do gpuscale sweep jacobi --system h200x8 -p memcpy --over link.rate=1GB/s..2GB/s,101000 \
    -g 2 --jobs $n; echo $?; done 2>&1 | uniq -c | sed 's/^ *//'
1 gpuscale: sweep: more than 100000 rows: take --format csv
1 6
1 gpuscale: sweep: more than 100000 rows: take --format csv
1 6

# ---- killed: no process goes on, and no file is there in part
$ q='sweep jacobi --system h200x8 -p proact-poll --over link.rate=10GB/s..900GB/s,log,30000 -g 4 -f csv'; \
  . $SRC/tests/begun; for signal in KILL TERM; do begun killed.csv 4096 gpuscale $q --jobs 3 2>/dev/null; \
    jobs="$(cat /proc/$p/task/$p/children)"; echo $jobs | wc -w; \
    kill -$signal $p; kill -CONT $p 2>/dev/null; wait $p 2>/dev/null; \
    for i in 1 2 3 4 5 6 7 8 9; do \
      left=$(for j in $jobs; do sed 's/.*) //' /proc/$j/stat 2>/dev/null; done | grep -vc '^[ZX]'); \
      [ $left = 0 ] && break; sleep 0.1; done; echo $left; ls killed.csv 2>&1 | cut -c 1-3; done
3
0
ls:
3
0
ls:
# A process that is lost is not waited for, and nothing half is written.
$ q='sweep jacobi --system h200x8 -p proact-poll --over link.rate=10GB/s..900GB/s,log,30000 -g 4 -f csv'; \
    . $SRC/tests/begun; begun lost.csv 4096 gpuscale $q --jobs 3; \
    set -- $(cat /proc/$p/task/$p/children); kill -9 $2; kill -CONT $p; wait $p; echo $?; ls lost.csv 2>&1 | cut -c 1-3
gpuscale: a process of --jobs ended before its work was done
70
ls:

# ---- what is refused
$ for n in 0 -1 x 1.5 1025; do gpuscale sweep jacobi -s h200x8 --over n=64 --jobs $n; echo $?; done 2>&1 | paste -d'|' - -
gpuscale: --jobs: 0 is not in 1 .. 1024|2
gpuscale: --jobs: '-1' is not a whole number|2
gpuscale: --jobs: 'x' is not a whole number|2
gpuscale: --jobs: '1.5' is not a whole number|2
gpuscale: --jobs: 1025 is not in 1 .. 1024|2
