# A program's own schedule: the page docs/reference/schedules.md, other threads, and what is
# refused, with the line of the call.

# ---- the page
$ cat $SRC/docs/reference/schedules.md | \
    sed -n '/^    local gs/,/^    }/s/^    //p' > halo.lua
$ gpuscale predict halo.lua --system h200x8 --gpus 1-4 --format csv | \
    cut -d, -f 2,3,5
workload,paradigm,gpus
halo,infinite,1
halo,infinite,2
halo,infinite,3
halo,infinite,4
halo,schedule,1
halo,schedule,2
halo,schedule,3
halo,schedule,4
# It takes longer than infinite, and its parts and bytes sum up: 2 (n-1) rows.
$ gpuscale predict halo.lua --system h200x8 --gpus 1-8 --format csv | \
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
    { t = $at["time_s"]; s = 0; for (i = 0; i < 7; i++) s += $(at["compute_s"] + i); \
      if ((s - t) ^ 2 > 1e-24 * t ^ 2) print "parts: " $0; \
      n = $at["gpus"]; w = $3 == "schedule" ? 2 * (n - 1) * 4 * 4096 : 0; \
      if ($at["useful_B"] != w) print "bytes: " $0; \
      if ($3 == "infinite") least[n] = t; else if (t < least[n]) print "fast: " $0 }'
$ gpuscale predict halo.lua --system h200x8 --gpus 2 --paradigm memcpy; echo $?
gpuscale: memcpy: the program has a schedule of its own, which runs as written: paradigms schedule and infinite only
3
$ gpuscale predict jacobi --system h200x8 --gpus 2 --paradigm schedule; echo $?
gpuscale: schedule: needs a schedule of the program's own
3
# A copy to the host has the link to itself; a number of staged copies changes nothing.
$ sed 's/gs.launch.*/& gs.copy { kind = "d2h", bytes = 1e9 }/' halo.lua > d2h.lua; \
  for with in staged.rate=1GB/s staged.pinned=50GB/s staged.pinned=25GB/s; do \
    gpuscale predict d2h.lua --system h200x2 --gpus 1 --paradigm schedule -P $with -f csv | \
      awk -F, '/^h200x2/ { print 1 / $14 " GB/s" }'; done
55.0349 GB/s
50 GB/s
25 GB/s
# Other verbs run it too.
$ gpuscale compare halo.lua --system h200x8,v100x4 --gpus 4 --format csv | \
    cut -d, -f 1,3,5
system,paradigm,gpus
h200x8,infinite,4
h200x8,schedule,4
v100x4,infinite,4
v100x4,schedule,4
$ gpuscale tune halo.lua --system h200x8 --gpus 4 > tuned; echo $?
0
$ gpuscale list workloads 2>&1 | grep -c 'halo '
1
# What is only loaded is recorded once.
$ gpuscale predict halo.lua --system ct-bus --gpus 2 --format json | \
    grep -c halo.lua
2

# ---- what was run, and when
$ gpuscale explain --all halo.lua --system h200x8 --gpus 2 --paradigm schedule \
    --timeline --format csv > lanes.csv; cut -d, -f 1-6 lanes.csv
step,thread,gpu,stream,action,what
every,0,0,compute,launch,sweep
every,0,0,compute,record,swept of GPU 0
every,0,0,copies,wait,swept of GPU 0
every,0,0,copies,copy-d2d,16 KiB to GPU 1
every,0,0,copies,sync-stream,
every,0,,,barrier,
every,1,1,compute,launch,sweep
every,1,1,compute,record,swept of GPU 1
every,1,1,copies,wait,swept of GPU 1
every,1,1,copies,copy-d2d,16 KiB to GPU 0
every,1,1,copies,sync-stream,
every,1,,,barrier,
# Calls of a thread follow each other, work begins behind its call, and the last
# call is back when the step is over.
$ gpuscale predict halo.lua --system h200x8 --gpus 2 --paradigm schedule \
    --format csv | sed -n '2s/,/ /gp' | cut -d' ' -f 6 > time
$ awk -F, -v t=$(cat time) 'NR == 1 { next } \
    $2 == thread && ($7 - back) ^ 2 > 1e-24 * t ^ 2 { print "call: " $0 } \
    $10 != "" && !($8 <= $9 && $9 <= $10) { print "work: " $0 } \
    { thread = $2; back = $8; if (back > last) last = back } \
    END { if ((last - t) ^ 2 > 1e-24 * t ^ 2) print "ends: " last }' lanes.csv
# By infinite without what serves the other; in a table behind all else; steps
# that alternate one after the other.
$ gpuscale explain --all halo.lua --system h200x8 --gpus 2 --paradigm infinite \
    --timeline --format csv | cut -d, -f 5 | xargs
action launch barrier launch barrier
$ gpuscale explain --all halo.lua --system h200x8 --gpus 1 | sed -n '/^its/,$p' | \
    sed 's/ *what .*//'
its schedule in the long run, from the first call on
host  stream     action
...
$ gpuscale explain --all halo.lua --system h200x8 --gpus 1 --timeline --format json | \
    sed -n '/"rows"/,/"gpu"/p'
 "rows": [
  {
   "step": "every",
   "thread": 0,
   "gpu": 0,
$ sed 's/"swept"/"swept" .. i/' halo.lua > two.lua; gpuscale explain --all two.lua \
    --system h200x8 --gpus 1 --timeline --format csv | cut -d, -f 1 | uniq -c | \
    xargs
1 step 5 even 5 odd
# That of a paradigm too: each GPU's thread does the same, so one is shown. It ends
# when the step is over.
$ gpuscale explain --all jacobi --system h200x8 --gpus 4 --paradigm memcpy-async \
    --timeline --format csv > lanes.csv; cut -d, -f 1-6,11- lanes.csv
step,thread,gpu,stream,action,what,phase,repeats,alike
every,0,0,beside,launch,boundary,1,1,4
every,0,0,main,launch,sweep,1,1,4
every,0,0,beside,copy-d2d,copies but the last,1,1,4
every,0,,,host,calls of copies,1,1,4
every,0,0,beside,copy-d2d,last copy,1,1,4
every,0,0,beside,sync-stream,,,1,4
every,0,0,main,sync-stream,,,1,4
every,0,,,host,barrier after waits,1,1,4
$ gpuscale predict jacobi --system h200x8 --gpus 4 --paradigm memcpy-async \
    --format csv | sed 1d | cut -d, -f 6 > time; tail -n 1 lanes.csv | \
    cut -d, -f 8 | awk -v t=$(cat time) '{ print ($1 / t - 1) ^ 2 < 1e-24 }'
1
$ gpuscale explain --all jacobi --system h200x8 --gpus 2 --paradigm memcpy -P threads=1 \
    --timeline --format csv | sed 1d | cut -d, -f 3,5,12 | xargs
0,set-device,1 0,launch,1 0,copy-d2d,1 1,set-device,1 1,launch,1 1,copy-d2d,1 0,sync-stream,1 1,sync-stream,1 ,barrier,1
# In a table it is at most 80 characters wide, and left out where it is long.
$ for h in "" "-P waits=0 -P norm=2"; do gpuscale explain --all jacobi --system h200x8 \
    --gpus 2 $h --timeline | awk 'length > 80'; done
$ gpuscale explain --all jacobi --system h200x8 --gpus 8 --paradigm memcpy -P waits=0 | \
    tail -n 2
its schedule in the long run, from the first call on
  100 actions; --timeline lists them
$ gpuscale explain --all cg --system h200x8 --gpus 2 --paradigm nccl --timeline \
    --format csv | grep -c ',all-reduce of .* by '
2

# Copies of several streams, to more than two GPUs, meet those of others there.
$ printf '%s\n' 'local gs = require "gpuscale" return gs.workload { name = "all",' \
    '  summary = "each to all", knobs = { streams = gs.knob { default = 2 } },' \
    '  step = function (k) return { host = { streams = { "one", "two" } },' \
    '    gs.phase { name = "make", units = 64, bytes = 1e6, footprint = 1e6 },' \
    '    schedule = function (g, n, i) gs.launch("make") gs.synchronize {}' \
    '      for d = 1, n - 1 do gs.copy { to = (g + d) % n, bytes = 64e6,' \
    '        stream = d % k.streams == 0 and "one" or "two" } end' \
    '      gs.synchronize { stream = "one" } gs.synchronize { stream = "two" }' \
    '      gs.barrier() end } end }' > all.lua
$ at() { gpuscale predict all.lua --system h200x8 --paradigm schedule --format csv \
    "$@" | sed 1d | cut -d, -f 6; }; for s in 1 2; do for n in 3 4; do \
    echo $(at --gpus $n -P streams=$s -P copy.contended=1) \
      $(at --gpus $n -P streams=$s -P copy.contended=0.5) | \
    awk '{ printf "%.2f\n", $2 / $1 }'; done; done
1.00
1.00
1.00
2.93

# ---- the measured step of one GPU
$ sed 's/return {/return { t1 = gs.measured("400 us", "4 us", "x"),/' halo.lua \
    > single.lua
$ gpuscale predict single.lua --system h200x8 --gpus 1 --paradigm schedule \
    --format csv | cut -d, -f 6 | tail -n 1 | xargs printf '%.15f\n'
0.000400000000000

# ---- one thread
$ sed 's/per gpu/one/; s/gs.barrier()//; s/gs.synchronize/gs.barrier() &/' \
    halo.lua > one.lua
$ for f in halo one; do gpuscale predict $f.lua --system h200x8 --gpus 8 \
    --paradigm schedule -P n=64 --format csv | cut -d, -f 6 | tail -n 1; done | \
    xargs printf '%.9f %.9f\n' | \
    awk '{ print ($2 > 2 * $1) ? "eight launches and more in a row" : $0 }'
eight launches and more in a row

# ---- what is refused
$ printf '%s\n' 'body=$1; shift' \
    'printf "%s\n" "local gs = require \"gpuscale\"" \' \
    '"return gs.workload { name = \"t\", step = function (k) return {" \' \
    '"  gs.phase { name = \"sweep\", units = 64, bytes = 1e6 }, $1" \' \
    '"  schedule = function (g, n, i)" "$body" "end } end }" > t.lua' \
    'gpuscale predict t.lua --system h200x8 --gpus 2; echo $?' > try.sh
$ sh try.sh 'gs.launch("sweeep")'
gpuscale: t.lua:5: gs.launch: there is no phase 'sweeep'; did you mean 'sweep'?
3
$ sh try.sh 'gs.launch("sweep", { stream = "copies" })'
gpuscale: t.lua:5: gs.launch: stream: there is no 'copies'; host = { streams = { ... } } names them
3
$ sh try.sh 'gs.launch("sweep") gs.wait("done")'
gpuscale: t.lua:5: schedule (n = 1): nobody records event 'done' of GPU 0
3
$ for most in 64 65; do sh try.sh "gs.launch('sweep') for e = 1, $most do gs.record('e' .. e) end" 2>&1 | tail -n 3 | \
    sed '/^ /d; s/: .* at 2 GPUs,.*//'; done
schedule
0
gpuscale: t.lua:5: gs.record: more than 64 events of a GPU
3
$ sh try.sh 'gs.launch("sweep") gs.copy { to = 1, bytes = 8 }'
gpuscale: t.lua:5: gs.copy: to: there is no GPU 1 of 1
3
$ sh try.sh 'gs.launch("sweep") if g == 0 then gs.barrier() end'
gpuscale: t.lua:5: schedule (n = 2): barrier: of the 1 barriers in even steps thread 1 reaches 0
3
$ sh try.sh 'gs.launch("sweep") if g == 0 then gs.barrier() end' 'host = { threads = "one" },'
gpuscale: t.lua:2: schedule (n = 2): GPU 1 does not reach barrier 1 of the others
3
# Each host thread waits for what the other records behind its own wait: that is
# the record of the step before, as it is for CUDA, and no deadlock.
$ sh try.sh 'gs.synchronize { event = "done", of = n - 1 - g } gs.launch("sweep") gs.record("done")' | \
    grep -c schedule
3
$ sh try.sh 'for k = 1, 10001 do gs.launch("sweep") end'
gpuscale: t.lua:5: gs.launch: more than 10000 actions of GPU 0
3
$ sh try.sh 'if n == 2 then gs.launch("sweep") gs.setdevice(1 - g) end gs.launch("sweep")'
gpuscale: t.lua:5: schedule (n = 2): launch: thread 0 feeds this stream
3
$ sh try.sh 'gs.launch("sweep", { shares = 0.5 })'
gpuscale: t.lua:5: gs.launch: shares: unknown option; did you mean 'share'?
3
$ sh try.sh 'gs.launch("sweep", { share = 2 })'
gpuscale: t.lua:5: gs.launch: share: 2 is not > 0 and <= 1
3
$ sh try.sh 'gs.copy { to = 0 }'
gpuscale: t.lua:5: gs.copy: bytes: needs a number or short text with a unit, got a nil
3
$ sh try.sh 'gs.copy { to = 0, bytes = 8, kind = "d2h" }'
gpuscale: t.lua:5: gs.copy: to: only between GPUs
3
$ sh try.sh 'gs.copy { bytes = 8 }'
gpuscale: t.lua:5: gs.copy: needs to or from = the number of a GPU
3
$ sh try.sh 'gs.copy { bytes = 8, kind = "p2p" }'
gpuscale: t.lua:5: gs.copy: kind: 'p2p': needs one of "d2d", "d2h", "h2d"
3
$ sh try.sh 'gs.host("3 apples")'
gpuscale: t.lua:5: gs.host: '3 apples': unknown unit 'apples'; there are ps, ns, us, ms, s, min, h
3
$ sh try.sh 'gs.host(-1)'
gpuscale: t.lua:5: gs.host: -1 s is no time
3
$ sh try.sh 'gs.barrier(1)'
gpuscale: t.lua:5: gs.barrier: takes 0 arguments, got 1
3
$ sh try.sh ''
gpuscale: t.lua:2: schedule (n = 1): schedule: no actions
3
$ sh try.sh 'while true do end'
gpuscale: t.lua:5: ran more than 10000000 instructions
6
$ sh try.sh 'gs.launch("sweep")' 'threads = 1,'
gpuscale: t.lua:2: threads: unknown key
3
$ sh try.sh 'gs.launch("sweep")' 'host = { thread = "one" },'
gpuscale: t.lua:2: host: with a schedule it has threads, streams, depth; not 'thread'
3
$ sh try.sh 'gs.launch("sweep")' 'host = { threads = "two" },'
gpuscale: t.lua:2: host.threads: needs one of "per gpu", "one"
3
$ sh try.sh 'gs.launch("sweep")' 'host = { streams = { "a", "a" } },'
gpuscale: t.lua:2: host.streams: 'a' is there twice
3
$ sh try.sh 'gs.launch("sweep")' 'host = { streams = "ab" },'
gpuscale: t.lua:2: host.streams: needs a list of 1 to 64 names
3
# An uncertain knob has the host read again.
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.workload { name = "knob", summary = "two streams", knobs = {' \
    '  part = gs.knob { default = gs.assumed(0.5, {0.2, 0.8}, "guess") } },' \
    'step = function (k) return { gs.phase { name = "p", compute = { fixed = 1e-4 } },' \
    '  host = { streams = { "a", "b" } },' \
    '  schedule = function () gs.launch("p", { share = k.part, stream = "b" })' \
    '    gs.synchronize { stream = "b" } end } end }' > knob.lua; \
  gpuscale predict knob.lua --system h200x8 --gpus 1 -f csv | sed 1d | cut -d, -f 1-5
h200x8,knob,infinite,,1
h200x8,knob,schedule,,1
$ sh try.sh 'gs.launch("sweep")' 'host = { depth = 0 },'
gpuscale: t.lua:2: host.depth: needs a whole number from 1 to 1000000
3
$ printf '%s\n' 'local gs = require "gpuscale"' 'gs.launch("sweep")' > o.lua; \
  gpuscale predict ./o.lua --system h200x8; echo $?
gpuscale: ./o.lua:2: gs.launch: only inside schedule = function (g, n, i)
3

# ---- sealed and validated as other programs
$ printf '%s\n' 'workload,paradigm,knobs,gpus' './halo.lua,schedule,n=512,2' \
    './halo.lua,schedule,n=512,4' > plan.csv
$ gpuscale freeze plan.csv --system h200x8 --commit 0123456 | \
    grep -v '^#' | cut -d, -f 1-4
system,workload,paradigm,knobs
h200x8,./halo.lua,schedule,n=512
h200x8,./halo.lua,schedule,n=512
$ printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    './halo.lua,infinite,n=512,1,30e-6,1e-7' \
    './halo.lua,schedule,n=512,2,30e-6,1e-7' \
    './halo.lua,schedule,n=512,4,30e-6,1e-7' > runs.csv
$ gpuscale validate runs.csv --system h200x8 --format csv > scored; echo $?
0

# ---- the shipped host styles
# On eight GPUs: one thread issues eight times, barriers cost, a norm costs, and
# costs less where it is read late; nothing is faster than infinite.
$ printf '%s\n' 'gpuscale predict stencil-host --system h200x8 --gpus ${N:-8} "$@" \' \
    '  -P n=512 --paradigm schedule --format csv | tail -n 1 | cut -d, -f 6' > at.sh
$ printf '%s\n' 'awk -v a=$(eval "sh at.sh $1") -v b=$(eval "sh at.sh $2") \' \
    '  "BEGIN { print (a < b ? \"yes\" : a \" \" b) }"' > less.sh
$ sh less.sh '' '-P threads=1'; sh less.sh '' '-P barriers=3'; \
  sh less.sh '-P barriers=3' '-P barriers=7'; sh less.sh '' '-P norm=1'; \
  sh less.sh '' '-P fetch=65536'; \
  sh less.sh '-P threads=1 -P waits=0' '-P threads=1 -P waits=0 -P norm=2'
yes
yes
yes
yes
yes
yes
# One GPU that never waits: its launches alone.
$ gpuscale predict stencil-host --system h200x8 --gpus 1 -P threads=1 -P waits=0 \
    -P n=64 --paradigm schedule --format csv | tail -n 1 | cut -d, -f 12-18 | \
    tr , '\n' | awk '$1 > 0' | wc -l
1
# As jacobi by memcpy: the same kernel, the same faces.
$ for w in "jacobi --paradigm memcpy" "stencil-host --paradigm schedule"; do \
    gpuscale predict $w --system h200x8 --gpus 2 -P dims=2 -P n=16384 \
      --format csv | tail -n 1 | cut -d, -f 6,20; done | tr ',' ' ' | xargs | \
    awk '{ print ($1 / $3 > 0.99 && $1 / $3 < 1.01), $2, $4 }'
1 131072 131072
# In seven barriers the threads meet seven times, and wait for three things.
$ gpuscale explain --all stencil-host --system h200x8 --gpus 3 -P barriers=7 \
    --paradigm schedule --timeline --format csv | grep '^every,1,' | \
    cut -d, -f 5 | xargs
launch barrier sync-stream barrier copy-d2d barrier sync-stream barrier copy-d2d barrier sync-stream barrier barrier
$ gpuscale explain --all stencil-host --system h200x8 --gpus 2 -P barriers=3 \
    --paradigm schedule --timeline --format csv | grep '^every,1,' | \
    cut -d, -f 5 | xargs
launch sync-stream barrier copy-d2d barrier sync-stream barrier
$ gpuscale explain --all stencil-host --system h200x8 --gpus 2 -P threads=1 \
    --paradigm schedule --timeline --format csv | sed 1d | cut -d, -f 3,5 | xargs
0,set-device 0,launch 0,copy-d2d 1,set-device 1,launch 1,copy-d2d 0,sync-stream 1,sync-stream
$ gpuscale explain --all stencil-host --system h200x8 --gpus 2 -P threads=1 -P waits=0 \
    -P norm=2 --paradigm schedule --timeline --format csv | grep ^odd | \
    cut -d, -f 5,6 | sed 7q | xargs; gpuscale explain --all stencil-host \
    --system h200x8 --gpus 2 -P threads=1 -P waits=0 -P norm=2 --paradigm schedule \
    --timeline --format csv | grep sync | cut -d, -f 1,5,6
set-device, wait,done0 of GPU 1 launch,sweep memset,4 B launch,change copy-d2h,4 B record,read1 of GPU 0
even,sync-event,read1 of GPU 0
even,sync-event,read1 of GPU 1
odd,sync-event,read0 of GPU 0
odd,sync-event,read0 of GPU 1
$ gpuscale predict stencil-host --system h200x8 -P barriers=2 2>&1 | \
    sed "s|$SRC/||"
gpuscale: lua/workloads/stencil-host.lua:54: barriers: 1, 3 or 7

# How GPUs are numbered changes nothing: one that sends to three others by two streams.
$ star() { printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.workload { name = "star", summary = "one to three", step = function ()' \
    '  return { gs.phase { name = "p", compute = { fixed = 1e-4 } }, host = { streams = { "a", "b" } },' \
    "  schedule = function (g, n) gs.launch('p')" \
    "    for i, to in ipairs(n == 4 and g == $1 and { $2 } or {}) do" \
    '      gs.copy { to = to, bytes = 1e7, stream = i % 2 == 0 and "a" or "b" } end' \
    '    gs.synchronize {} end } end }' > star.lua; \
    gpuscale predict star.lua --system h200x8 --gpus 4 -p schedule -f csv | sed 1d | cut -d, -f 5-; }; \
  star 3 1,0,2 > a; star 0 1,2,3 > b; star 3 0,1,2 > c; cmp a b && cmp a c && wc -l < a
1
