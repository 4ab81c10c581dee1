# What people see: every table fits 80 columns, colour only where it is wanted.
#once

# ---- the widest line of each, in characters
$ wide() { "$@" 2>/dev/null > out; LC_ALL=C.UTF-8 awk -v what="$*" \
      'length($0) > 80 { print what ": " $0 }' out; [ -s out ] || echo "$*"; }; \
  for w in jacobi pagerank ct counted stencil-host; do \
    wide gpuscale predict $w --system h200x8; \
    wide gpuscale predict $w --system h200x8 --gpus 1-16 --proposed --all; \
    wide gpuscale explain --all $w --system h200x8 --gpus 8; \
    wide gpuscale compare $w --system h200x8,dgx2,pcie-tree4; done; \
  for w in jacobi als; do wide gpuscale tune $w --system h200x8 --gpus 4; \
    wide gpuscale explain --all $w --system v100x4 --gpus 4 -p proact-poll; \
    wide gpuscale compare $w --system h200x8 --link pcie3,nvlink2 --gpus 8; done; \
  for l in systems workloads paradigms links fields figures; do \
    wide gpuscale list $l; done
#long
$ cd $SRC && wide() { "$@" 2>/dev/null | LC_ALL=C.UTF-8 awk \
      'length($0) > 80 && !/gpuscale predict / { print; n++ } END { if (!NR) print "nothing" }'; }; \
  wide gpuscale goodput --link pcie5,nvlink4; \
  wide gpuscale run lua/examples/sweep.lua; \
  wide gpuscale reproduce; wide gpuscale reproduce P-117; \
  v='gpuscale validate data/h200x8/runs/runs.csv --system h200x8'; \
  wide $v; wide $v --baselines 1,2; \
  wide gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 \
    data/h200x8/runs/runs.csv -o "$OLDPWD/new.lua"; wide gpuscale help; \
  for v in predict compare explain tune validate calibrate reproduce replay goodput \
    plot report list run freeze; do wide gpuscale $v --help; done

# ---- what is too wide is cut, and says again which row it is; texts go on
$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 4 -p all --all | \
    grep -c '^paradigm'
2
$ gpuscale list systems | sed -n '/^ct-bus/,/^dgx-a/p' | head -n 3
ct-bus           4  bus       raw            16 GB/s  K40m GPUs on one bus
                                                      without overheads, as in a
                                                      published model

# ---- the summary: the best on each N, the ranking, what would be ideal
$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 1,2,4 \
    --paradigm infinite,memcpy,inline
On 4 GPUs of ct-bus one step of jacobi takes 1.19 ms by inline, 3.36 times as
  fast as one GPU, an efficiency of 84%. Lost to communication 16%; hidden:
  communication 17%. Of 2 paradigms it is the fastest with 100%.

GPUs  paradigm      time  speedup  effic.  lost to  applicability
   1  any           4 ms     1.00  100.0%  nothing  inside
   2  inline    2.058 ms     1.94   97.2%  comm.    inside
   4  inline     1.19 ms     3.36   84.1%  comm.    inside

ranking on 4 GPUs; peak: the N with the smallest time,
knee: the last N at which added GPUs give half or more; 4-8: alike

   paradigm      time  speedup  x best  peak  knee  lost to
1  inline     1.19 ms     3.36    1.00  4     4     comm.
2  memcpy    1.393 ms     2.87    1.17  4     4     comm.

zero-cost communication (infinite) would take 1 ms, 4.00x; --all has every row
$ gpuscale predict jacobi --system h200x8 --gpus 1
On 1 GPU of h200x8 one step of jacobi takes 271.9 us (+40/-28%). One run on one
...

# The first of the ranking is the best of the largest N, as its row says, and within 1 %
# or what the errors allow of the fastest.
$ for s in h200x8 v100x4 dgx2; do gpuscale predict als --system $s > table; \
    n=$(awk '/^ranking/ { print $3 }' table); \
    gpuscale predict als --system $s --gpus $n -f csv | \
      awk -F, '$31 ~ /^best/ { print $3 }' > first; \
    awk '/^ *1  / { print $2 }' table | tail -n 1 | cmp - first; done

# ---- colour: bold headings, on a terminal that can, unless NO_COLOR is set
$ bold() { script -qec "gpuscale list links" /dev/null | grep -c "$(printf '\033')"; }; \
  export TERM=xterm; bold; NO_COLOR=1 bold; NO_COLOR= bold; TERM=dumb bold; \
  gpuscale list links | grep -c "$(printf '\033')"
2
0
2
0
0

# Progress is for a terminal only.
$ gpuscale predict jacobi --system ct-bus --gpus 1-40 -f csv 2>&1 >/dev/null | \
    grep -c ' of '
0
