# Collectives: in a program's own schedule, and of phases by paradigm nccl.
#once

# ---- in a schedule
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.workload {' \
    '  name = "sum", summary = "a kernel and a sum over all GPUs",' \
    '  knobs = { bytes = gs.knob { default = "1 MB", unit = "bytes" } },' \
    '  step = function (k)' \
    '    return {' \
    '      gs.phase { name = "sweep", units = 1e6, bytes = 1e9 },' \
    '      schedule = function (g, n, i)' \
    '        gs.launch("sweep")' \
    '        gs.collective { kind = "all-reduce", bytes = k.bytes }' \
    '        gs.synchronize()' \
    '        gs.barrier()' \
    '      end,' \
    '    }' \
    '  end,' \
    '}' > sum.lua
$ gpuscale explain --all sum.lua --system h200x4 --gpus 2 --paradigm schedule \
    --timeline --format csv | cut -d, -f 1-6
step,thread,gpu,stream,action,what
every,0,0,main,launch,sweep
every,0,0,main,collective,all-reduce of 1 MB by ring/LL128
every,0,0,main,sync-stream,
every,0,,,barrier,
every,1,1,main,launch,sweep
every,1,1,main,collective,all-reduce of 1 MB by ring/LL128
every,1,1,main,sync-stream,
every,1,,,barrier,
# What it moves, and what it costs: two steps, and a ring's 2 (n-1)/n bytes.
$ gpuscale predict sum.lua --system h200x4 --gpus 1-4 --paradigm schedule \
    --format csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
    { n = $at["gpus"]; print n, $at["useful_B"] / 2e6, \
      ($at["latency_s"] > 0), ($at["initiation_s"] > 0) }'
1 0 0 0
2 1 1 1
3 2 1 1
4 3 1 1
# Without the sum it is `infinite`.
$ gpuscale predict sum.lua --system h200x4 --gpus 1-4 --paradigm infinite \
    --format csv | cut -d, -f 5,14,20
gpus,transfer_s,useful_B
1,0,0
2,0,0
3,0,0
4,0,0
# The k-th of a GPU is the k-th of the others; the fastest way unless it is said.
$ for by in ring tree in-switch; do \
    sed "s/bytes = k.bytes/&, algorithm = \"$by\"/" sum.lua > by.lua; \
    gpuscale explain --all by.lua --system h200x4 --gpus 4 --paradigm schedule \
      -P coll.switch=0.7 --timeline --format csv | sed -n '3s/.*\(by [^,]*\),.*/\1/p'; \
  done
by ring/LL128
by tree/LL128
by in-switch/simple
$ sed 's/bytes = k.bytes/&, protocol = "simple"/' sum.lua > by.lua; \
  gpuscale explain --all by.lua --system h200x4 --gpus 4 --paradigm schedule \
    --timeline --format csv | grep -c 'ring/simple'
4
$ sed 's/bytes = k.bytes/&, algorithm = "in-switch"/' sum.lua > by.lua; \
  gpuscale predict by.lua --system h200x4 --gpus 4; echo $?
gpuscale: schedule: all-reduce: not by that algorithm and protocol
3
# By kernels that reach all peers, or by MPI, only where it is said; what MPI adds
# up is staged.  The library's rules choose, or the fastest.
$ for by in one-shot two-shot mpi rabenseifner; do \
    sed "s/bytes = k.bytes/bytes = \"64KiB\", algorithm = \"$by\"/" sum.lua > by.lua; \
    gpuscale explain --all by.lua --system h200x4 --gpus 4 --paradigm schedule \
      --timeline --format csv | sed -n '3s/.*\(by [^,]*\),.*/\1/p'; \
  done
by one-shot/simple
by two-shot/simple
by rabenseifner/staged
by rabenseifner/staged
$ sed 's/bytes = k.bytes/&, algorithm = "mpi"/' sum.lua > by.lua; \
  for r in 0 1 2; do gpuscale explain --all by.lua --system perlmutter --gpus 64 -P bytes=4KiB \
    -P mpi.rules=$r --paradigm schedule --timeline --format csv | \
    sed -n '3s/.*\(by [^,]*\),.*/\1/p'; done
by recursive-doubling/staged
by recursive-doubling/staged
by rabenseifner/staged
# In a row of broadcasts a GPU whose part is done goes on, on however many nodes;
# alone each takes as many steps as there are.
$ for row in false true; do \
    sed "s/kind = \"all-reduce\"/kind = \"broadcast\", streamed = $row/" sum.lua > row.lua; \
    gpuscale predict row.lua --system perlmutter --gpus 8,64 -P bytes=4B \
      --paradigm schedule --format csv | awk -F, -v row=$row 'NR == 1 { \
      for (i = 1; i <= NF; i++) at[$i] = i; next } \
      { t[NR] = $at["latency_s"] * 1e6 } \
      END { print row, (t[3] > 2 * t[2]), (t[3] == 0) }'; done
false 1 0
true 0 1
$ sed 's/bytes = k.bytes/&, streamed = 1/' sum.lua > row.lua; \
  gpuscale predict row.lua --system h200x4 --gpus 2
gpuscale: row.lua:10: gs.collective: streamed: needs true or false, got a number
# Beside kernels of another stream its c = ceil(rate of the path / coll.channel) channels keep
# multiprocessors from them, if arithmetic binds them: 1/(1 - c/132) times longer at most.
$ sed 's/bytes = 1e9/flop = 6e10/; s/schedule =/host = { streams = { "a", "b" } }, &/' \
    sum.lua > one.lua; \
  sed 's/bytes = k.bytes/&, stream = "b"/; s/gs.sync.*/& gs.synchronize { stream = "b" }/' \
    one.lua > two.lua; \
  for w in one two; do gpuscale predict $w.lua --system h200x4 --gpus 2 \
    -P bytes=100MB --paradigm schedule --format csv | \
    awk -F, 'NR > 1 { printf "%.1f us\n", $12 * 1e6 }'; \
  done
449.9 us
510.4 us
# What cannot be meant is refused with the line of the call.
$ for with in 'algorithm = "rng"' 'protocol = "ll"' 'to = 1' 'stream = "x"'; do \
    sed "s/bytes = k.bytes/&, $with/" sum.lua > bad.lua; \
    gpuscale predict bad.lua --system h200x4 --gpus 2; done; echo $?
gpuscale: bad.lua:10: gs.collective: algorithm: there is no 'rng'; did you mean 'ring'?
gpuscale: bad.lua:10: gs.collective: protocol: there is no 'll'; did you mean 'LL'?
gpuscale: bad.lua:10: gs.collective: to: unknown option
gpuscale: bad.lua:10: gs.collective: stream: there is no 'x'; host = { streams = { ... } } names them
3
$ sed 's/kind = "all-reduce"/kind = "allreduce"/' sum.lua > bad.lua; \
  gpuscale predict bad.lua --system h200x4 --gpus 2
gpuscale: bad.lua:10: gs.collective: kind: there is no 'allreduce'; did you mean 'all-reduce'?
$ sed 's/kind = "all-reduce", //' sum.lua > bad.lua; \
  gpuscale predict bad.lua --system h200x4 --gpus 2
gpuscale: bad.lua:10: gs.collective: kind: needs a name, got a nil
$ sed 's/bytes = k.bytes/bytes = 0/' sum.lua > bad.lua; \
  gpuscale predict bad.lua --system h200x4 --gpus 2
gpuscale: bad.lua:10: gs.collective: bytes: 0 is not > 0
$ sed 's/k.bytes }/k.bytes * (g + 1) }/' sum.lua > bad.lua; \
  gpuscale predict bad.lua --system h200x4 --gpus 2
gpuscale: bad.lua:10: schedule (n = 2): collective 1 of a step is not the same on all GPUs
$ sed 's/gs.collective/if g == 0 then gs.collective/; s/k.bytes }/& end/' \
    sum.lua > bad.lua; gpuscale predict bad.lua --system h200x4 --gpus 2
gpuscale: bad.lua:10: schedule (n = 2): 1 GPUs call collective 1 of a step, not all

# ---- of phases
$ gpuscale list paradigms --format csv | grep -o '^nccl,[^,]*,[^,]*'
nccl,exists,algorithm;protocol
# Two sums and a halo, or one sum: bytes of all GPUs together.
$ for w in "cg -P n=512" "sgd -P wide=256"; do \
    gpuscale predict $w --system h200x4 --gpus 1-4 \
      --paradigm memcpy,inline,nccl --format csv | cut -d, -f 2,3,5,20; done
workload,paradigm,gpus,useful_B
cg,memcpy,1,0
cg,memcpy,2,4128
cg,memcpy,3,8288
cg,memcpy,4,12480
cg,inline,1,0
cg,inline,2,4128
cg,inline,3,8288
cg,inline,4,12480
cg,nccl,1,0
cg,nccl,2,4128
cg,nccl,3,8256
cg,nccl,4,12384
workload,paradigm,gpus,useful_B
sgd,memcpy,1,0
sgd,memcpy,2,1048576
sgd,memcpy,3,3145728
sgd,memcpy,4,6291456
sgd,inline,1,0
sgd,inline,2,1048576
sgd,inline,3,3145728
sgd,inline,4,6291456
sgd,nccl,1,0
sgd,nccl,2,1048576
sgd,nccl,3,2097152
sgd,nccl,4,3145728
# By another way, as a knob says.
$ for a in ring tree in-switch direct; do \
    gpuscale predict sgd --system h200x4 --gpus 4 --paradigm nccl \
      -P nccl.algorithm=$a --format csv | cut -d, -f 20 | sed 1d; done
12582912
12582912
gpuscale: nccl: phase 1 needs an algorithm and a protocol that can do its collective
gpuscale: nccl: phase 1 needs an algorithm and a protocol that can do its collective
$ gpuscale predict sgd --system h200x4 --gpus 4 --paradigm nccl \
    -P nccl.protocol=ll; echo $?
gpuscale: -P nccl.protocol: 'll': needs one of LL, LL128, simple, host, staged, gpudirect
2
$ gpuscale predict sgd --system h200x4 --gpus 4 --paradigm nccl \
    -P learn.collective.protocol=LL; echo $?
gpuscale: -P learn.collective.protocol: nothing here has a knob of that name; sgd has batch, wide, word
2
# So do rows of runs.
$ for k in tree ring trees; do \
    printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' \
      "sgd,nccl,nccl.algorithm=$k,4,2e-4,1e-7" > runs.csv; \
    gpuscale validate runs.csv --system h200x4 --format csv 2>&1 | \
      awk -F, '/^gpuscale/ { print } $2 == "nccl" { print $3, ($7 > 1.2e-4) }'; done
nccl.algorithm=tree 1
nccl.algorithm=ring 0
gpuscale: runs.csv:2: knobs: algorithm: 'trees': needs one of ring, tree, pairwise, direct, in-switch, in-switch-tree, one-shot, two-shot, mpi, or one of MPI's
$ gpuscale predict cg --system h200x4 --gpus 2 --paradigm inline \
    -P apply.to=all 2>&1 | sed 's/.*cg.lua/cg.lua/'
cg.lua:36: apply: reduce and to: a phase moves one of them
# The way is named: chosen by the library, so it is a knob that nobody set.
$ gpuscale predict cg --system h200x4 --gpus 2 --paradigm nccl --format csv | \
    cut -d, -f 4
knobs
apply=ring/LL;advance=ring/LL;turn=direct/LL128
$ gpuscale predict cg --system h200x4 --gpus 2,4 --paradigm nccl | \
    sed -n '/^nccl: /,$p'
nccl: best 1.5x at 2 (2-4) GPUs (apply=ring/LL;advance=ring/LL;turn=direct/LL128),
  more GPUs only slow it,
  lost to communication 20%, host 17%, start-up 4%, waiting 1%; hidden:
  communication 19%; gained 19%
$ gpuscale explain --all cg --system h200x4 --gpus 2 --paradigm nccl | \
    sed -n '/^paradigm/,/^$/p'
paradigm nccl: collectives of NCCL in the stream of the kernels
  apply           ring/LL  all-reduce; tree/LL +0%; ring/LL128 from 6.317 kB
  advance         ring/LL  all-reduce; tree/LL +0%; ring/LL128 from 6.317 kB
  turn         direct/LL128  send-recv; direct/LL +10%; direct/simple from 4.194
                MB; direct/LL up to 2.896 kB
$ gpuscale explain --all cg --system h200x4 --gpus 2 --paradigm nccl --format csv | \
    grep -c ',collective,'
3
# Which way is next, by how much it loses, and where another is chosen: there it is.
$ gpuscale explain --all all-reduce --system dgx-h100 --gpus 8 -P count=1 -P bytes=4MiB \
    --paradigm nccl | grep -A 1 '^  sum1 .*switch'
  sum1         in-switch/simple  all-reduce; ring/LL128 +27%; ring/LL128 up to
                2.097 MB
$ for b in 2 3; do gpuscale predict all-reduce --system dgx-h100 --gpus 8 -P count=1 \
    -P bytes=${b}MB --paradigm nccl --format csv | cut -d, -f 4 | sed 1d; done
sum1=ring/LL128
sum1=in-switch/simple
# One that was asked for loses or wins.
$ gpuscale explain --all all-reduce --system perlmutter --gpus 64 -P count=1 -P bytes=4MiB \
    --paradigm nccl -P nccl.algorithm=ring | grep -o 'ring/LL .*'
ring/LL  all-reduce; tree/simple -61%
$ gpuscale tune sgd --system h200x4 --gpus 4 | grep "^nccl:"
nccl: learn=ring/LL128
$ gpuscale tune sgd --system h200x4 --gpus 4 --format csv | grep -o '^.*nccl.*' | \
    cut -d, -f 13
learn=ring/LL128
# A slower link changes the choice.
$ gpuscale compare sgd --all --system h200x4 --link pcie3 --gpus 4 \
    -P wide=2048 --paradigm nccl | tail -3
gpuscale: note: h200x4, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
4 GPUs: nccl moves by learn=ring/simple on h200x4,
  by learn=ring/LL128 on h200x4:pcie3
not inside what was measured: h200x4:pcie3 (assumed: number)

# ---- one price, whoever asks: of a call in a row by -p nccl, by a program's schedule, and of a log's row, on all systems
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.workload { name = "sums", summary = "all-reduces of a schedule",' \
    '  knobs = { bytes = gs.knob { default = "1 MiB", unit = "bytes" }, count = gs.knob { default = 20, whole = true } },' \
    '  step = function (k) return { gs.phase { name = "begin", units = 1, bytes = 4096 }, schedule = function (g, n)' \
    '    gs.launch("begin") for i = 1, k.count do if n > 1 then gs.collective { kind = "all-reduce", bytes = k.bytes } end end' \
    '    gs.synchronize {} gs.barrier() end } end }' > sums.lua
$ printf '%s\n' '# Collective test starting: all_reduce_perf' '# nThread 2 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1' \
    '#  Rank  0 Group  0 Pid   4000 on     node-a device  0 [0x18] NVIDIA X' '#  Rank  1 Group  0 Pid   4000 on     node-a device  1 [0x19] NVIDIA X' \
    '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong' \
    '        8192          2048     float     sum      -1    10.00    1.00    1.00      0    10.00    1.00    1.00      0' \
    '     4194304       1048576     float     sum      -1    100.0    1.00    1.00      0    100.0    1.00    1.00      0' '# Out of bounds values : 0 OK' > pair.log
$ t() { gpuscale predict "$@" --gpus 2 -f csv 2> err | awk -F, '!/^#/ && NR > 1 { t = $6 } END { print t }'; }; \
  for s in $(gpuscale list systems -f csv | sed 1d | cut -d, -f 1); do gpuscale expect pair.log --system $s -f csv 2> err | awk -F, '/^all-reduce/ { print $4, $7 }' | sort -u | \
    while read b e; do echo $s $b $e $(for c in 60 20; do t all-reduce --system $s -p nccl -P bytes=${b}B -P count=$c; t sums.lua --system $s -P bytes=${b}B -P count=$c; done); done; done | \
  awk 'function off(x) { x = x / 40 / $3 - 1; return x < 0 ? -x : x } NF == 7 { n++; if (off($4 - $6) > 1e-9 || off($5 - $7) > 1e-9) print "differ", $0 } NF < 7 { print "left out", $1 } END { print (n > 40) }' | sort -u
1
