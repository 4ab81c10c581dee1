# Weak scaling: a workload grows by the rule that its file states; efficiency is
# T(1) / T(N), speedup N times that.
#once
$ gpuscale predict jacobi -s h200x8 -g 1,2,8 --weak -p memcpy
On 8 GPUs of h200x8 one step of jacobi takes 306.9 us (+35/-26%, extrapolated)
  by memcpy, an efficiency of 89%. Lost to communication 10%, waiting 1%. One
  run on one GPU (-P t1=TIME) would leave +/- 4.4%.
weak scaling, n~N^(1/3) (n=512 on 1 GPU, n=1024 on 8); efficiency is T(1) /
  T(N), speedup N times that

GPUs  paradigm      time  +/-       speedup  effic.  lost to  applicability
   1  memcpy    271.9 us  +40/-28%     1.00  100.0%  nothing  inside
   2  memcpy    284.6 us  +38/-27%     1.91   95.5%  comm.    inside
   8  memcpy    306.9 us  +35/-26%     7.09   88.6%  comm.    extrapolated: gpus

GPUs  paradigm  size
   1  memcpy    n=512
   2  memcpy    n=645
   8  memcpy    n=1024

memcpy: efficiency 89% on 8 GPUs,
  lost to communication 10%, waiting 1%
$ gpuscale predict jacobi -s dgx-h100-ndr -g 8,64 --weak -P dims=2 -P n=8192 | sed -n 6,15p
  T(N), speedup N times that

GPUs  paradigm                       time  +/-       speedup  effic.  lost to
   8  rdl                        194.5 us  +39/-28%     7.75   96.8%  host
  64  memcpy-async (unmeasured)  212.5 us  +40/-28%    56.73   88.6%  waiting

GPUs  paradigm                   applicability    size
   8  rdl                        assumed: number  n=23170
  64  memcpy-async (unmeasured)  assumed: number  n=65536

# ---- each N is the size that the rule says, alone ----
$ for n in 1 2 8; do \
    gpuscale predict jacobi -s h200x8 -g $n --weak -p memcpy,inline -f csv; \
  done | grep -v ^system | cut -d, -f6,12-18 > weak
$ for a in '1 512' '2 645' '8 1024'; do set -- $a; \
    gpuscale predict jacobi -s h200x8 -g $1 -P n=$2 -p memcpy,inline -f csv; \
  done | grep -v ^system | cut -d, -f6,12-18 | cmp - weak && wc -l < weak
6
$ gpuscale predict jacobi -s h200x8 -g 1,2,8 --weak -p infinite,memcpy -f csv | \
    awk -F, 'NR == 2 { one = $6 } NR > 1 { e = one / $6; \
      print $5, $26, ($10 - e)^2 < 1e-24 && ($9 - $5 * e)^2 < 1e-20 }'
1 weak=n~N^(1/3):n=512 1
2 weak=n~N^(1/3):n=645 1
8 weak=n~N^(1/3):n=1024 1
1 weak=n~N^(1/3):n=512 1
2 weak=n~N^(1/3):n=645 1
8 weak=n~N^(1/3):n=1024 1

# A time that was measured grows as N: the work of each GPU stays the same.
$ gpuscale predict jacobi -s h200x8 -g 1,8 --weak -P t1=1ms -p infinite -f csv | \
    awk -F, 'NR > 1 { printf "%.9g\n", $6 }'
0.001
0.00101918539
$ gpuscale predict jacobi -s h200x8 -g 8 -P n=1024 -P t1=8ms -p infinite -f csv | \
    awk -F, 'NR > 1 { printf "%.9g\n", $6 }'
0.00101918539

# ---- the other verbs ----
$ gpuscale explain --all jacobi -s h200x8 -g 8 --weak -p memcpy | grep 'asked with'
asked with weak=n~N^(1/3):n=1024
$ gpuscale sweep jacobi -s h200x8 --over gpus=2,8 --over link.rate=50GB/s,450GB/s --weak \
    -p memcpy -f csv | cut -d, -f4,5,8,12
over.gpus,link.rate_Bps,gpus,efficiency
2,50000000000,2,0.85255128574604122
2,450000000000,2,0.95549513626220028
8,50000000000,8,0.56631455728468283
8,450000000000,8,0.885911540359969
$ gpuscale predict jacobi -s h200x8 -g 2,8 --weak -P link.rate=50GB/s -p memcpy -f csv | \
    cut -d, -f5,10
gpus,efficiency
2,0.85255128574604122
8,0.56631455728468283
$ printf '%s\n' 'for _, r in ipairs(gs.predict { workload = "jacobi", system = "h200x8",' \
  '  gpus = "2,8", paradigm = "memcpy", weak = true }) do print(r.gpus, r.settings) end' > s.lua
$ gpuscale run s.lua
2	weak=n~N^(1/3):n=645
8	weak=n~N^(1/3):n=1024
$ gpuscale plot scaling jacobi -s h200x8 --weak -p memcpy -o weak.svg; \
  grep -o -e 'weak scaling' -e 'scaled speedup' weak.svg | sort -u
scaled speedup
weak scaling

# ---- what is refused ----
$ gpuscale predict ct -s h200x8 --weak 2>&1 | sed 's/.*ct.lua/ct.lua/'
ct.lua:36: weak: missing; --weak needs the rule by which its size grows, as in weak = function (k) return { n = 1 / 3 } end
$ gpuscale predict jacobi -s h200x8 --weak -P n=40000 2>&1 | sed 's/.*jacobi.lua/jacobi.lua/'
gpuscale: --weak: efficiency is over one GPU, which has no room: jacobi on 1 GPU does not fit device.memory of h200x8 (141 GB each)
$ gpuscale predict jacobi -s h200x8 --weak -P n=8000; echo $?
gpuscale: --weak: efficiency is over one GPU, which has no room: jacobi on 1 GPU does not fit device.memory of h200x8 (141 GB each)
3

# ---- runs of weak scaling are given to weak questions
$ { echo workload,paradigm,knobs,gpus,time_s,sigma_s; for n in 1 2 4; do \
    gpuscale predict jacobi -s h200x8 --weak -g $n -p memcpy -P n=512 -f csv 2> why | \
    awk -F, 'NR > 1 {sub(/.*:/, "", $26); print "jacobi,memcpy," $26 "," $5 "," 1.2 * $6 ",0"}'; done; } > weak.csv; \
  cut -d, -f 3,4 weak.csv; t() { gpuscale predict jacobi -s h200x8 --weak -p memcpy -P n=512 -g 2,8 -f csv "$@" 2> note | \
    awk -F, 'NR > 1 {print $5, $6, $7}'; }; t > a; t --runs weak.csv > b; cat note; \
  paste -d ' ' a b | awk '{print $1, ($5 > $2), ($5 < 1.21 * $2)}'
knobs,gpus
n=512,1
n=645,2
n=813,4
gpuscale: note: no size was run on two numbers of GPUs (weak scaling): no law can be fitted
gpuscale: note: the description does not fit the runs by memcpy: on 2 GPUs 341.5 us was measured and 284.6 us described, bound by compute; sweep.compute.serial of 0.2176, instead of 0, would leave 0% of 18%
gpuscale: note: the most informative next run is by memcpy on 4 GPUs: the error of memcpy on 8 GPUs would be 4.1% instead of 12.3%
2 1 1
8 1 1
$ gpuscale plot scaling jacobi -s h200x8 --weak --runs x.csv; echo $?
gpuscale: plot: --weak and --runs exclude one another: runs are of one size
2
$ gpuscale plot waterfall jacobi -s h200x8 --weak; echo $?
gpuscale: plot: --weak is of the figure scaling
2
$ rule() { printf '%s\n' 'return gs.workload { name = "w", summary = "a test",' \
  '  knobs = { n = gs.knob { default = 100 }, fast = gs.knob { default = true } },' \
  "  weak = $1," \
  '  step = function (k) return { gs.phase { name = "p", units = k.n, flop = 1e9 } } end }' \
  > w.lua; gpuscale predict w.lua -s h200x8 -g 2 --weak; }; \
  for r in 7 'function () return 1 end' 'function () return {} end' \
    'function () return { m = 1 } end' 'function () return { fast = 1 } end' \
    'function () return { n = "1" } end' 'function () return { n = 9 } end' \
    'function (k) return { n = k.m } end'; do rule "$r"; echo $?; done
gpuscale: w.lua:1: weak: needs a function, got a number
3
gpuscale: w.lua:1: weak: needs to return a table, got a number
3
gpuscale: w.lua:1: weak: has no rule for any knob
3
gpuscale: w.lua:1: weak.m: no knob of that name
3
gpuscale: w.lua:1: weak.fast: the knob is not a number
3
gpuscale: w.lua:1: weak.n: needs an exponent of the number of GPUs, got a string
3
gpuscale: w.lua:1: weak.n: 9 is not an exponent of -8 .. 8
3
gpuscale: w.lua:3: knob 'm' is not defined
3

# ---- a cluster's figure says why: of what a step consists, beyond the node too ----
$ gpuscale plot scaling jacobi -s dgx-h100-ndr -g 4,8,16,64 -p memcpy -o why.svg; \
  grep -o -e 'one node' -e 'of a step' -e 'by memcpy:' -e '>transfer<' why.svg | sort -u
by memcpy:
of a step
one node
$ gpuscale plot scaling jacobi -s dgx-h100-ndr -g 2,4,8 -p memcpy -o near.svg; \
  grep -c -e 'one node' -e 'of a step' near.svg
0
