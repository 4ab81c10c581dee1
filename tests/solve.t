# solve: which value of a number reaches a target.

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
efficiency=0.8 on 8 GPUs: n from 695 (590 to 855 within one standard error), by
  inline
0
$ gpuscale solve jacobi --system h200x8 --gpus 8 --for rate --until efficiency=0.99; echo $?
none: from 450 MB/s to 450 TB/s of link.rate, efficiency is 0.01525 to 0.7215
gpuscale: solve: there is no such value
1
$ gpuscale solve jacobi --system h200x8 --gpus 2 --for rate --until efficiency=0.01; echo $?
anywhere: efficiency=0.01 holds from 450 MB/s to 450 TB/s of link.rate (0.135 to
  0.9536)
0
$ gpuscale solve jacobi --system ct-bus --gpus 4 --for n=16..1024 --crossover memcpy,inline; echo $?
inline is as fast as memcpy on 4 GPUs from n = 17 (17 to 17 within one standard
  error)
0
$ gpuscale solve jacobi --system h200x8 --gpus 4 -p memcpy --for n=64..1024 --crossover pcie4,nvlink4; echo $?
none: from 64 to 1024 of n, one of pcie4,nvlink4 is always faster
gpuscale: solve: there is no such value
1

# ---- what is refused
$ ask() { gpuscale solve jacobi --system h200x8 "$@"; echo $?; }; \
  ask; ask --for rate; ask --for rate --until efficiency=2; ask --for rate --until efficiency; \
  ask --for rate --until time=2GB; ask --for n --until speedup=2; ask --for n=5 --until speedup=2; \
  ask --for n=9..1 --until speedup=2; ask --for can.peer=1..2 --until speedup=2; \
  ask --for rate --crossover memcpy; ask --for rate --crossover memcpy,nothing; \
  ask --for rate --until speedup=2 --crossover a,b; ask --for rate --until speedup=nan; \
  ask --for nothing --until speedup=2
gpuscale: solve: needs --for NAME; see `gpuscale solve --help`
2
gpuscale: solve: needs --until WHAT=VALUE or --crossover A,B
2
gpuscale: --until: efficiency is at most 1
2
gpuscale: --until: 'efficiency' is not efficiency=X, speedup=X, opportunity=X or time=X
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
