# solve: which value of a number reaches a target.
#once

$ gpuscale solve jacobi --system h200x8 --gpus 4 -p memcpy --for rate --until opportunity=0.8 -f csv > x.csv; \
  cut -d, -f 1-4,8,9 x.csv
system,workload,for,until,holds,paradigm
h200x8,jacobi,link.rate,opportunity=0.8,from there on,memcpy
# What it finds is what predict has there, and what a sweep brackets.
$ rate=$(sed -n 2p x.csv | cut -d, -f 5); for f in 0.999 1.001; do \
    gpuscale predict jacobi --system h200x8 --gpus 4 -p memcpy -P "link.rate=$(awk -v r=$rate -v f=$f 'BEGIN { printf "%.9g", r * f / 1e9 }') GB/s" \
      -f csv | awk -F, 'NR > 1 { print ($11 >= 0.8) }'; done
0
1
# All N by brute force.
$ gpuscale predict jacobi --system h200x8 --gpus 1-64 -p memcpy -f csv 2> why | \
    awk -F, 'NR > 1 && $10 >= 0.5 { n = $5 } END { print n }' > last; \
  gpuscale solve jacobi --system h200x8 -p memcpy --for gpus --until efficiency=0.5 2> why | \
    grep -o "up to $(cat last) " | wc -l
1
$ for n in 600 700; do gpuscale predict jacobi --system h200x8 --gpus 8 -p inline -P n=$n -f csv | \
    awk -F, 'NR > 1 { print ($10 >= 0.8) }'; done
0
1
$ gpuscale solve jacobi --system h200x8 --gpus 8 -p inline --for n=64..2048 --until efficiency=0.8; echo $?
efficiency=0.8 on 8 GPUs: n from 695 (621 to 795 within one standard error), by
  inline. `gpuscale explain` there says what binds; a run there (--runs) would
  make it surer.
0
$ gpuscale solve jacobi --system h200x8 --gpus 8 --for rate --until efficiency=0.99; echo $?
none: from 450 MB/s to 450 TB/s of link.rate, efficiency is 0.006249 to 0.7215.
  `gpuscale sensitivity` says which numbers move it.
gpuscale: solve: there is no such value
1
$ gpuscale solve jacobi --system h200x8 --gpus 2 --for rate --until efficiency=0.01; echo $?
anywhere: efficiency=0.01 holds from 450 MB/s to 450 TB/s of link.rate (0.04987
  to 0.9536). `gpuscale sensitivity` says which numbers move it.
0
$ gpuscale solve jacobi --system h200x8 --gpus 8 --for n=64..4096 --crossover memcpy,memcpy-async; echo $?
memcpy-async is as fast as memcpy on 8 GPUs from n = 297 (beyond to 345 within
  one standard error). `gpuscale explain` there says what binds; a run there
  (--runs) would make it surer.
0
$ gpuscale solve jacobi --system h200x8 --gpus 4 -p memcpy --for n=64..1024 --crossover pcie4,nvlink4; echo $?
none: from 64 to 1024 of n, one of pcie4,nvlink4 is always faster; within one
  standard error there may be one, at 141. `gpuscale sensitivity` says which
  numbers move it.
gpuscale: solve: there is no such value
1
# The interval is that of the ratio: the same whoever is named first.
#long
$ q='jacobi --system h200x4 --gpus 4 --for n=100..400'; \
  for c in memcpy,memcpy-async memcpy-async,memcpy; do gpuscale solve $q --crossover $c -f csv | sed 1d | \
    cut -d, -f 6-8; done
274,229,298
274,229,298
$ gpuscale solve jacobi --system h200x4 --gpus 2 --for n=169..170 --crossover memcpy,proact-poll; echo $?; \
  gpuscale solve jacobi --system h200x8 --gpus 8 -p inline --for n=64..600 --until efficiency=0.8; echo $?
none: from 169 to 170 of n, one of memcpy,proact-poll is always faster; within
  one standard error it may be anywhere. `gpuscale sensitivity` says which
  numbers move it.
gpuscale: solve: there is no such value
1
none: from 64 to 600 of n, efficiency is 0.08327 to 0.7429. `gpuscale
  sensitivity` says which numbers move it.
gpuscale: solve: there is no such value
1
# An end beyond the range is empty; a range of orders of magnitude is looked at in
# ratios.
#long
$ q() { gpuscale solve "$@" -f csv | sed 1d | cut -d, -f 6-9 | grep -v '^$'; }; \
  q jacobi --system h200x8 --gpus 2 --for n=64..2000 --crossover inline,memcpy-async; \
  q allgather --system h200x4 --gpus 2 --for bytes=1..64MB --crossover memcpy,memcpy-async; \
  q jacobi --system h200x4 --gpus 2 --for n=16..30000 --crossover memcpy,proact-poll
957,282,,from there on
8.3742720003411613,,19.943424000120906,from there on
8.3886079995718319,,,below
11.073535999450666,,19.943424000120906,from there on
667,,,from there on
725,,,below
804,,,from there on
2402,,,below
$ gpuscale solve jacobi --system v100x4 -P can.peer=none -P can.managed=no -P staged.rate=0 -P staged.ring=0 --gpus 4 --for rate \
    --until efficiency=0.5; echo $?
gpuscale: no paradigm can run there: memcpy, memcpy-async: phase 1 needs staged.rate and staged.initiation of the system, whose can.peer is 'none'; um, um-hints: phase 1 needs managed memory; can.managed of the system is false; rdl, inline, proact-poll, proact-cdp, broadcast: phase 1 needs peer access for stores and loads; can.peer of the system is 'none
3

# ---- the knee: by brute force over what predict says of each N, of the fastest
# way that moves data
$ for w in jacobi als ct hit allgather transpose; do \
    for s in "h200x8 --gpus 1-40" "v100x4 --gpus 1,2,4" "dgx2 --gpus 1-16" "pcie-tree4 --gpus 2,3,4"; do \
      q="$w --system $s"; \
      gpuscale predict $q -f csv 2> why | sed 1d | \
        awk -F, '$31 ~ /^best/ || ($5 == 1 && $3 != "infinite" && !($5 in t)) { t[$5] = $6; way[$5] = $3 } \
          END { for (n = 1; n <= 64; n++) { if (!(n in t)) continue; \
              if (!last || t[n] < t[peak]) peak = n; N[++k] = n; last = n } \
            knee = N[1]; \
            for (j = 2; N[j - 1] < peak; j++) \
              if (t[N[j - 1]] / t[N[j]] - 1 >= 0.5 * (N[j] / N[j - 1] - 1)) knee = N[j]; \
            print "knee " knee " up to there " way[knee]; print "peak " peak " there " way[peak] }' > by-hand; \
      gpuscale solve $q --knee -f csv 2> why | sed 1d | \
        awk -F, '{ print $4, $5, $8, $9; if ($6 + 0 > $5 + 0 || $7 + 0 < $5 + 0) print "interval" }' | \
        diff - by-hand && echo same; done; done | sort | uniq -c | sed 's/^ *//'
24 same
# Of one way both, and their intervals, are those of predict's table.
$ gpuscale predict jacobi --system h200x8 -p memcpy --gpus 1-64 2> why | \
    sed -n -e 's/.*best .* at \([0-9]*\) (\([0-9]*\)-\([0-9]*\)) GPUs.*/peak,\1,\2,\3/p' \
      -e 's/.*50% up to \([0-9]*\) (\([0-9]*\)-\([0-9]*\)),.*/knee,\1,\2,\3/p' | sort > said; \
  gpuscale solve jacobi --system h200x8 -p memcpy --knee -f csv 2> why | sed 1d | cut -d, -f 4-7 | \
    diff - said && wc -l < said
2
$ gpuscale solve jacobi --system h200x8 -P n=512 --gpus 1,2,4,8 --knee; \
  gpuscale solve jacobi --system ct-bus -P n=64 --gpus 1-4 -p memcpy --knee
knee: 8 GPUs (8 to 8 within one standard error), marginal efficiency >= 50% up
  to there, by rdl, also: um-hints
peak: 8 GPUs (8 to 8 within one standard error), 5.77x as fast as one, the most
  that were looked at, by rdl, also: um-hints. `gpuscale explain --gpus 8` says
  what binds; a run there (--runs) would make it surer.
knee: 1 GPU (1 to 1 within one standard error), marginal efficiency below 50%
  from the start
peak: 2 GPUs (2 to 2 within one standard error), 1.28x as fast as one, by
  memcpy. `gpuscale explain --gpus 1` says what binds; a run there (--runs)
  would make it surer.

# A share between two whole numbers is none itself: what is found from 0 to 1 is what is found
# from 0 to 0.9, and where the efficiency is a half.
$ q='template --system h200x8 --gpus 8 -p memcpy'; for to in 0.9 1; do \
    gpuscale solve $q --for serial=0..$to --until efficiency=0.5 -f csv | sed -n '2p' | cut -d, -f 5; done > found; \
  awk '{ printf "%.6f\n", $1 }' found | uniq | wc -l; \
  gpuscale predict $q -P serial=$(sed -n 2p found) -f csv | awk -F, 'NR == 2 { printf "%.3f\n", $10 }'
1
0.500

# ---- what is refused
$ ask() { gpuscale solve jacobi --system h200x8 "$@"; echo $?; }; \
  ask; ask --for rate; ask --for rate --until efficiency=2; ask --for rate --until efficiency; \
  ask --for rate --until time=2GB; ask --for n --until speedup=2; ask --for n=5 --until speedup=2; \
  ask --for n=9..1 --until speedup=2; ask --for can.peer=1..2 --until speedup=2; \
  ask --for rate --crossover memcpy; ask --for rate --crossover memcpy,nothing; \
  ask --for rate --until speedup=2 --crossover a,b; ask --for rate --until speedup=nan; \
  ask --for nothing --until speedup=2; ask --knee --until speedup=2; ask --knee --for rate; \
  ask --knee --gpus 4; ask --for rate --until time=0s; ask --for rate -p memcpy --crossover memcpy,inline
gpuscale: solve: needs --for NAME or --knee; see `gpuscale solve --help`
2
gpuscale: solve: needs --until WHAT=VALUE or --crossover A,B
2
gpuscale: --until: efficiency is at most 1
2
gpuscale: --until: 'efficiency' is not efficiency=X, speedup=X, opportunity=X, time=X or pays=X
2
gpuscale: --until: '2GB': a size where a time (s) is needed
2
gpuscale: --for n: say the range, n=FROM..TO
2
gpuscale: --for n: needs FROM..TO, not '5'
2
gpuscale: --over n: the range runs backwards
2
gpuscale: -P can.peer: '1': needs none, copies, stores or atomics
2
gpuscale: --crossover: 'memcpy' is not A,B
2
gpuscale: no paradigm 'nothing'; see `gpuscale list paradigms`
3
gpuscale: solve: needs --until WHAT=VALUE or --crossover A,B
2
gpuscale: --until: 'nan': not a finite decimal number
2
gpuscale: --for nothing: say the range, nothing=FROM..TO
2
gpuscale: solve: --knee, --until and --crossover exclude one another
2
gpuscale: --knee: is of gpus, not of 'rate'
2
gpuscale: --knee: needs more than one number of GPUs
2
gpuscale: --until: 0 is not above 0
2
gpuscale: --crossover of paradigms and --paradigm exclude one another
2

# Numbers that were asked for only by `infinite`, or by the measured step of one
# GPU with a norm in it.
$ gpuscale solve pagerank -s dgx-h100-ndr -g 64 -p memcpy \
    --for network.jitter=10ns..1ms --until opportunity=0.4
opportunity=0.4 on 64 GPUs: network.jitter from 320.3 us (17.6 us to beyond
  within one standard error), by memcpy (unmeasured). `gpuscale explain` there
  says what binds; a run there (--runs) would make it surer.
$ gpuscale solve jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us \
    --for copy.initiation=1ns..100us --until time=150us
time=150us on 8 GPUs: copy.initiation up to 28.8 us (26.4 us to 31.33 us within
  one standard error), by memcpy. `gpuscale explain` there says what binds; a
  run there (--runs) would make it surer.
