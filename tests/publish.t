# Publishing in a program's own schedule: each paradigm puts its calls there.
#once

# ---- the page: what a host does of which nothing is said
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.workload {' \
    '  name = "halo", knobs = { n = gs.knob { default = 512 } },' \
    '  step = function (k) return {' > head
$ printf '%s\n' '    gs.phase { name = "sweep", units = k.n, bytes = 8 * k.n ^ 3,' \
    '      footprint = 8 * k.n ^ 3, to = "neighbours", publish = 4 * k.n ^ 2,' \
    '      blocks = { { share = 1 / k.n, per = "face", publishes = 1 }, {} } },' \
    '  } end }' > tail
$ sed -n '/^## Any paradigm/,/^That is the default/s/^    //p' $SRC/docs/reference/schedules.md > said; \
  sed '$s/$/,/' said | cat head - tail > halo.lua; cat head tail > short.lua; \
  grep -c publish halo.lua
3
$ for f in halo short; do gpuscale predict ./$f.lua --system h200x8 --gpus 1-8 \
    --proposed --format csv | cut -d, -f 3,5-20 > $f.csv; done; wc -l < halo.csv
129
# Times, errors, speedups, parts and bytes are those of the short form.
$ paste -d, halo.csv short.csv | awk -F, 'NR > 1 { n = NF / 2; \
    for (i = 1; i <= n; i++) { d = $i - $(i + n); \
      if ($i + 0 == $i ? d * d > 1e-22 * $i * $i + 1e-36 : $i != $(i + n)) print } }'

# ---- a host that runs ahead
$ gpuscale predict $SRC/lua/examples/publish.lua --system h200x8 --gpus 4 \
    --format csv | sed 1d | cut -d, -f 3 | xargs
infinite memcpy memcpy-async um um-hints rdl inline proact-poll proact-cdp broadcast nccl
# What it does beside kernels is joined to what it does itself.
$ gpuscale explain --all $SRC/lua/examples/publish.lua --system h200x8 --gpus 2 \
    --paradigm memcpy-async --timeline --format csv | cut -d, -f 1,3-6 | sed -n 2,13p
even,0,main,wait,done1 of GPU 1
even,0,main,record,second stream
even,0,beside,wait,second stream
even,0,beside,launch,boundary
even,0,main,launch,sweep
even,0,beside,copy-d2d,last copy
even,0,beside,record,second stream
even,0,main,wait,second stream
even,0,main,record,done0 of GPU 0
even,0,main,copy-d2h,4 B
even,0,main,record,norm0 of GPU 0
even,,,sync-event,norm1 of GPU 0
# Each thread waits for one event of the other GPU a step, first of all: 1 us more.
$ for far in 8us 9us; do gpuscale predict $SRC/lua/examples/publish.lua --system h200x8 --gpus 2 \
    --paradigm inline -P n=64 -P host.wait_remote=$far -P contention.wait_remote=0 -P share.wait_remote=0 \
    --format csv | awk -F, 'END { print 1e6 * $6 }'; done | awk '{ t[NR] = $1 } END { printf "%.3f\n", t[2] - t[1] }'
1.000
# By infinite what serves the other GPU is left out.
$ gpuscale explain --all $SRC/lua/examples/publish.lua --system h200x8 --gpus 2 \
    --paradigm infinite --timeline --format csv | cut -d, -f 1,3,5 | sed -n 2,5p
even,0,launch
even,0,copy-d2h
even,0,record
even,,sync-event
$ gpuscale tune $SRC/lua/examples/publish.lua --system h200x8 --gpus 4 > t; echo $?
0
$ printf '%s\n' 'workload,paradigm,knobs,gpus' './halo.lua,inline,n=512,2' > plan.csv; \
  gpuscale freeze plan.csv --system h200x8 --commit 0123456 | grep -v '^#' | \
    cut -d, -f 1-4
system,workload,paradigm,knobs
h200x8,./halo.lua,inline,n=512

# ---- what is refused
$ gpuscale predict ./halo.lua --system h200x8 --gpus 2 --paradigm schedule; echo $?
gpuscale: schedule: the program publishes: paradigms say how
3
$ printf '%s\n' 'sed "s/^  gs.launch.*/$1/; s/^  gs.publish.*/$2/" halo.lua > t.lua' \
    'gpuscale predict ./t.lua --system h200x8 --gpus 2; echo $?' > try.sh
$ sh try.sh '' 'gs.publish("sweep")'
gpuscale: ./t.lua:7: gs.publish: 'sweep' is not launched before it
3
$ sh try.sh 'gs.launch("sweep")' 'gs.publish("sweeps")'
gpuscale: ./t.lua:7: gs.publish: there is no phase 'sweeps'; did you mean 'sweep'?
3
$ sh try.sh 'gs.launch("sweep")' 'gs.publish("sweep", 2)'
gpuscale: ./t.lua:7: gs.publish: takes 1 argument, got 2
3
$ sh try.sh 'gs.launch("sweep")' 'gs.publish("sweep") gs.publish("sweep")'
gpuscale: ./t.lua:7: schedule (n = 1): publish: 'sweep' is not launched before, in that stream
3
$ sh try.sh 'gs.launch("sweep") gs.launch("sweep")' 'gs.publish("sweep")'
gpuscale: ./t.lua:6: schedule (n = 1): launch: 'sweep' is launched again before it is published
3
$ sh try.sh 'gs.launch("sweep")' 'gs.publish("sweep") gs.launch("sweep")'
gpuscale: ./t.lua:7: schedule (n = 1): launch: 'sweep' is not published behind it
3
$ sh try.sh 'gs.launch("sweep", { share = 0.5 })' 'gs.publish("sweep")'
gpuscale: ./t.lua:6: schedule (n = 1): launch: 'sweep' is launched whole where phases are published
3
$ sh try.sh 'gs.launch("sweep")' 'gs.publish("sweep") if n > 1 then gs.copy { to = 1 - g, bytes = 8 } end'
gpuscale: ./t.lua:7: schedule (n = 2): copy-d2d: the schedule publishes: the paradigm defines the transfers
3
$ sh try.sh 'gs.launch("sweep")' 'if g == 0 then gs.publish("sweep") end'
gpuscale: ./t.lua:6: schedule (n = 2): launch: 'sweep' is not published behind it
3
$ sh try.sh 'gs.launch("sweep")' 'if n > 1 then gs.publish("sweep") end'
gpuscale: halo: of the schedules for 2 and 1 GPUs one publishes and one does not: on one GPU nothing moves, but say so
3
$ sed 's/to = "neighbours", publish = 4 \* k.n ^ 2,/repeats = 1,/' halo.lua > t.lua; \
  gpuscale predict ./t.lua --system h200x8 --gpus 2; echo $?
gpuscale: ./t.lua:7: schedule (n = 1): publish: 'sweep' has nothing that others need
3
$ gpuscale predict ./halo.lua --system dgx-h100-ndr --gpus 16 --paradigm memcpy; echo $?
gpuscale: halo: 16 GPUs are several nodes: the program's own schedule covers one node
3
# As with any schedule nothing hangs, and what is not there is said.
$ sh try.sh 'gs.launch("sweep") gs.wait("never")' 'gs.publish("sweep")'
gpuscale: ./t.lua:6: schedule (n = 1): nobody records event 'never' of GPU 0
3
$ sh try.sh 'gs.launch("sweep")' 'gs.publish("sweep") if g == 0 then gs.barrier() end'
gpuscale: ./t.lua:7: schedule (n = 2): barrier: of the 2 barriers in even steps thread 1 reaches 1
3
