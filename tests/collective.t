# Collectives: in a program's own schedule.

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
$ gpuscale explain sum.lua --system h200x4 --gpus 2 --paradigm schedule \
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
    gpuscale explain by.lua --system h200x4 --gpus 4 --paradigm schedule \
      -P coll.switch=0.7 --timeline --format csv | sed -n '3s/.*\(by [^,]*\),.*/\1/p'; \
  done
by ring/LL128
by tree/LL128
by in-switch/simple
$ sed 's/bytes = k.bytes/&, protocol = "simple"/' sum.lua > by.lua; \
  gpuscale explain by.lua --system h200x4 --gpus 4 --paradigm schedule \
    --timeline --format csv | grep -c 'ring/simple'
4
$ sed 's/bytes = k.bytes/&, algorithm = "in-switch"/' sum.lua > by.lua; \
  gpuscale predict by.lua --system h200x4 --gpus 4; echo $?
gpuscale: schedule: all-reduce: not by that algorithm and protocol
3
# What cannot be meant is refused with the line of the call.
$ for with in 'algorithm = "rng"' 'protocol = "ll"' 'to = 1' 'stream = "x"'; do \
    sed "s/bytes = k.bytes/&, $with/" sum.lua > bad.lua; \
    gpuscale predict bad.lua --system h200x4 --gpus 2; done; echo $?
gpuscale: bad.lua:10: gs.collective: algorithm: there is no 'rng'; did you mean 'ring'?
gpuscale: bad.lua:10: gs.collective: protocol: there is no 'll'
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
