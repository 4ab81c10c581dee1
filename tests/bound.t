# Zero-cost communication is a bound, never an answer.
#once

# ---- four GPUs that reach each other neither directly nor by the host's memory
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.system { name = "apart", like = "h200x8", gpus = 4, topology = "switch",' \
    '  link = { name = "pcie3" }, can = { peer = "none", managed = true },' \
    '  staged = { rate = gs.spec("0 B/s", "no way"), ring = gs.spec("0 B/s", "no way") },' \
    '  device = { memory = gs.spec("8 GB", "sheet"), sms = gs.spec(20, "sheet"), threads = gs.spec(1024, "sheet"),' \
    '    flops = gs.spec("8 Tflop/s", "sheet"), membw = gs.spec("0.3 TB/s", "sheet") } }' > apart.lua
$ q="jacobi --system apart.lua"; for v in "predict $q" "predict $q --gpus 4 -f csv" "tune $q" \
    "explain $q --gpus 4" "sensitivity $q" "report $q -o r.html" "solve $q --knee" "plot scaling $q -o s.svg" \
    "plot waterfall $q -o w.svg" "compare $q --link pcie3,pcie4"; do gpuscale $v > out 2> err; echo $? $(wc -c < out) $(grep -v ': note: ' err); done | sort | uniq -c; ls *.html *.svg 2> err
     10 3 0 gpuscale: no paradigm can run jacobi on 4 GPUs of apart: memcpy, memcpy-async, um, um-hints: phase 1 needs staged.rate and staged.initiation of the system, whose can.peer is 'none'; rdl, inline, proact-poll, proact-cdp, broadcast: phase 1 needs peer access for stores and loads; can.peer of the system is 'none'; nccl: phase 1 needs staged.ring of the system, which has no peer access; add the missing numbers to the system (its description, or -P NAME=VALUE) or to the workload
$ q="jacobi --system apart.lua --gpus 4 --over n=128,256"; for v in "sweep $q -f csv" "sweep $q --best" \
    "plot map $q --over link.rate=1GB/s,2GB/s -o w.svg" "solve jacobi --system apart.lua --gpus 4 --for n=64..512 --until speedup=2"; do \
    gpuscale $v > out 2> err; echo $? $(grep -c infinite out) $(cut -c 1-88 err); done | sort | uniq -c; ls *.svg 2> err
      4 3 0 gpuscale: no paradigm can run there: memcpy, memcpy-async, um, um-hints: phase 1 needs s
# One of them needs what was named.
$ gpuscale predict jacobi --system apart.lua --gpus 4 -p infinite,memcpy; echo $?
gpuscale: memcpy: phase 1 needs staged.rate and staged.initiation of the system, whose can.peer is 'none'
3
# What is said to be missing is enough.
$ gpuscale predict jacobi --system apart.lua --gpus 1,4 -P staged.rate=10GB/s -P staged.initiation=10us -f csv | \
    cut -d, -f 3,5,31
paradigm,gpus,standing
infinite,1,
infinite,4,
memcpy,1,
memcpy,4,
memcpy-async,1,
memcpy-async,4,best
um,1,
um,4,
um-hints,1,
um-hints,4,
# On one GPU nothing moves.
$ gpuscale predict jacobi --system apart.lua --gpus 1 | sed -n 's/^ *1  \([a-z]*\) .*/\1/p'
any
$ echo 'gs.rows(require("gpuscale").predict { workload = "jacobi", system = "apart.lua", gpus = { 2, 4 } })' > ask.lua; \
  gpuscale run ask.lua 2>&1 | cut -c 1-78; gpuscale compare jacobi --system apart.lua,h200x8 --gpus 4 2> err | sed -n '1s/ by .*//p'; cut -c 1-75 err
gpuscale: ask.lua:1: gs.predict: no paradigm can run jacobi on 4 GPUs of apart
On 4 GPUs h200x8
gpuscale: note: no row for apart: no paradigm can run jacobi on 4 GPUs of a

# ---- asked for alone it is called what it is
$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 4 -p infinite | head -n 2
On 4 GPUs of ct-bus one step of jacobi takes at least 1 ms with zero-cost
  communication (a bound), 4.00 times as fast as one GPU, an efficiency of 100%.
$ gpuscale compare jacobi --system ct-bus,v100x4 --gpus 4 -p infinite 2> err | sed -n '1p; /^v100/p'
On 4 GPUs v100x4 with zero-cost communication (a bound) is the fastest: one step
v100x4     4  infinite  320.3 us  +68/-40%     2.91        95.5%        -

# ---- N on which nothing runs are left out where something runs on others
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.system { name = "far", node = "ct-bus", nodes = 2,' \
    '  network = { link = "ib-ndr", rate = gs.spec("50 GB/s", "sheet") } }' > far.lua
$ gpuscale predict jacobi --system far.lua --gpus 1-8 -f csv 2> err | cut -d, -f 5 | sort -u | xargs; cut -d: -f 1-4 err
1 2 3 4 gpus
gpuscale: note: no row for 4 of 8 numbers of GPUs: no paradigm can run jacobi on 5 GPUs of far
$ gpuscale predict jacobi --system far.lua --gpus 8 -f csv 2> err; echo $?; cut -d: -f 1-2 err
3
gpuscale: no paradigm can run jacobi on 8 GPUs of far

# ---- runs without communication
$ printf '%s\n' workload,paradigm,knobs,gpus,time_s,sigma_s jacobi,infinite,n=512,1,2.8e-4,1e-6 jacobi,infinite,n=512,2,1.4e-4,1e-6 \
    jacobi,infinite,n=512,4,0.7e-4,1e-6 jacobi,memcpy,n=512,2,1.7e-4,1e-6 jacobi,memcpy,n=512,4,1.2e-4,1e-6 > runs.csv
$ for q in "jacobi --system h200x8" ""; do gpuscale predict $q --gpus 8 --runs runs.csv -f csv 2> err | cut -d, -f 1,2,4 | grep -v '^workload'; done
jacobi,memcpy,8
jacobi,memcpy,8
$ grep -v memcpy runs.csv > bare.csv; gpuscale predict --gpus 8 --runs bare.csv; echo $?
gpuscale: bare.csv: no run on several GPUs with these knobs
3
