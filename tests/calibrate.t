# ---- calibrate: the shipped measurements over the shipped base

$ data=$SRC/data/h200x8/micro && cd $data && \
  gpuscale calibrate agent.csv dma.csv exchange.csv launch.csv membw.csv \
    overlap.csv store.csv track.csv ../../h200x2/micro/cdp.csv remote.csv scatter.csv um.csv \
    --base h200x8 -o $OLDPWD/mine.lua \
    --format csv 2>/dev/null > $OLDPWD/report.csv; echo $?
0

# What has no bench keeps the base's value and says so; the rest is fitted.
$ cut -d, -f 1,8- report.csv | grep -E 'no bench|not measured' | cut -d, -f 1
device.memory
device.sms
device.threads
device.flops
device.flops_fp64
device.flops_fp64_tensor
device.flops_tf32
device.flops_fp16
device.flops_fp8
device.l1
host.graph
host.memset
host.d2h
host.h2d
host.wait_far
host.sync_event
host.set_device
host.wake
host.barrier_bare
host.barrier_bare_more
host.straggle
host.straggle_more
crowd.graph
crowd.memset
crowd.d2h
crowd.h2d
crowd.event
crowd.wait_far
crowd.sync
crowd.sync_event
crowd.set_device
share.launch
share.graph
share.memset
share.copy
share.d2h
share.h2d
share.event
share.wait_far
share.sync
share.sync_event
share.set_device
share.room
share.wake
share.straggle
hand.copy_kernel
hand.near
hand.far
hand.meet
link.rate
link.duplex
copy.same
staged.rate
staged.all_active
staged.host
staged.buffer
staged.initiation
staged.latency
store.reach
store.same
store.same_small
agent.turn
agent.word
agent.sm_rate
cdp.waits
cdp.at_once
load.all_active
load.same
atomic.all_active
atomic.same
atomic.same_small
coll.issue
coll.start
coll.step
coll.ll_rate
coll.flag_step
coll.ll128_rate
coll.simple_start
coll.efficiency
coll.turn
coll.pair_start
coll.channel
coll.channels
coll.switch
coll.version
coll.net_start
coll.net_ll_start
coll.net_step
coll.net_simple_step
coll.net_inside
coll.net_ll_rate
coll.net_ll128_rate
coll.tree_step
coll.tree_simple_step
coll.net_rate
coll.off_small
coll.off_middle
coll.off_large
coll.net_off_small
coll.net_off_middle
coll.net_off_large
um.lapse
gps.entries
gps.page
gps.tlb
gps.walk
gps.walks
gps.manual
finepack.entries
finepack.subheader
finepack.payload
network.rate
network.efficiency
network.read
network.taper
network.barrier
network.jitter
gpudirect.overhead
gpudirect.latency
gpudirect.rate
gpudirect.node_rate
gpudirect.stage
gpudirect.messages
gpudirect.from
gpudirect.long_overhead
gpudirect.long_latency
gpudirect.long_rate
gpudirect.long_node_rate
gpudirect.long_stage
gpudirect.inline
gpudirect.fetch
hostpath.overhead
hostpath.latency
hostpath.rate
hostpath.node_rate
hostpath.stage
hostpath.messages
hostpath.from
hostpath.long_overhead
hostpath.long_latency
hostpath.long_rate
hostpath.long_node_rate
hostpath.long_stage
hostpath.inline
hostpath.fetch

# What is but a guess is not written, and is one of the new file again.
$ grep -cE '^    (memset|straggle|near) =|^  (crowd|share|hand) =' mine.lua
0
$ gpuscale explain jacobi --system ./mine.lua --gpus 2 --paradigm inline \
    --format csv | grep '^host.memset' | cut -d, -f 4-6
s,assumed,0

# The new file is a system; calibrating over it gives the same numbers.
$ gpuscale predict jacobi --system ./mine.lua --gpus 4 --format csv | \
    cut -d, -f 1,2,3,5 | head -2
system,workload,paradigm,gpus
mine,jacobi,infinite,4
$ cp mine.lua base.lua && cd $SRC/data/h200x8/micro && \
  gpuscale calibrate agent.csv dma.csv exchange.csv launch.csv membw.csv \
    overlap.csv store.csv track.csv ../../h200x2/micro/cdp.csv remote.csv scatter.csv um.csv \
    --base $OLDPWD/base.lua \
    -o $OLDPWD/again/mine.lua > /dev/null 2>&1; echo $?
5
$ mkdir again && cd $SRC/data/h200x8/micro && \
  gpuscale calibrate agent.csv dma.csv exchange.csv launch.csv membw.csv \
    overlap.csv store.csv track.csv ../../h200x2/micro/cdp.csv remote.csv scatter.csv um.csv \
    --base $OLDPWD/base.lua \
    -o $OLDPWD/again/mine.lua > /dev/null 2>&1; echo $?
0
$ grep -v '^-- \|source' mine.lua > a; grep -v '^-- ' again/mine.lua > b; cmp a b

# ---- figures of the fits

$ gpuscale plot fit $SRC/data/h200x8/micro/dma.csv --base h200x8 \
    --fit copy.initiation -o fit.svg 2> /dev/null; echo $?
0
$ grep -c '<svg' fit.svg; grep -o 'copy.initiation (dma): mean |error|' fit.svg \
    | sort -u
1
copy.initiation (dma): mean |error|
$ gpuscale plot fit $SRC/data/h200x8/micro/dma.csv --base h200x8 -o x.svg; echo $?
gpuscale: plot: fit needs --fit PARAMETER, as in --fit copy.efficiency
2
$ gpuscale plot fit $SRC/data/h200x8/micro/dma.csv --base h200x8 --fit nothing \
    -o x.svg 2>&1 | grep -v note
gpuscale: plot: --fit 'nothing' is no parameter and no bench of a fit
$ gpuscale plot fit $SRC/data/h200x8/micro/dma.csv --base h200x8 --fit host.sync \
    -o x.svg 2>&1 | grep -v note; ls x.svg
gpuscale: plot: no fit of host.sync: not measured
ls: cannot access 'x.svg': No such file or directory

# ---- refusals

$ gpuscale calibrate --base h200x8 -o x.lua; echo $?
gpuscale: calibrate: needs files of measurements
2
$ gpuscale calibrate m.csv -o x.lua; echo $?
gpuscale: calibrate: needs --base SYSTEM
2
$ gpuscale calibrate m.csv --base h200x8; echo $?
gpuscale: calibrate: needs -o NEW.lua
2
$ gpuscale calibrate none.csv --base h200x8 -o x.lua; echo $?; ls x.lua
gpuscale: none.csv: cannot open: No such file or directory
5
ls: cannot access 'x.lua': No such file or directory
$ printf '%s\n' \
    'bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,sigma_s,repeats' \
    'dma,0,1,2,copy,4096,1,0,1,nan,0,21' > bad.csv
$ gpuscale calibrate bad.csv --base h200x8 -o x.lua; echo $?
gpuscale: bad.csv:2:10: time_s: not a finite decimal number: 'nan'
3
$ printf '%s\n' \
    'bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,sigma_s,repeats' \
    'mystery,0,1,2,copy,4096,1,0,1,1e-6,0,21' > odd.csv
$ gpuscale calibrate odd.csv --base h200x8 -o x.lua; echo $?
gpuscale: no measurement identifies a parameter
3
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base h200x8 -o /dev/full \
    > /dev/null; echo $?
gpuscale: /dev/full: No space left on device
5

# ---- what is named

# Runs of programs are never fitted.
# The report is part of the answer: a system appears with it or not at all.
$ echo old > kept.lua; gpuscale calibrate $SRC/data/h200x8/micro/dma.csv \
    --base h200x8 -o kept.lua >/dev/full; echo $?; cat kept.lua; ls kept.lua*
gpuscale: standard output: No space left on device
5
old
kept.lua
$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv \
    --base h200x8 -o $OLDPWD/d.lua > /dev/null
gpuscale: note: 39 measurements identify no parameter: event_pair, dma_pinned, dma_single, dma_streams

# Another machine's numbers over a base that cannot have them.
$ gpuscale calibrate $SRC/tests/imports/p2p.txt --base dgx-a100 -o x.lua \
    --format csv 2>/dev/null | grep copy.eff | cut -d, -f 11-
"1.365, held at the limit: is the base right?"

# A topology among the files: how the GPUs of the new system are joined.
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv $SRC/tests/imports/topo-mesh.txt \
    --base h200x8 -o mesh.lua 2>&1 > /dev/null | grep mesh | sed 's/.*imports/i/'
i/topo-mesh.txt: 4 GPUs, mesh
$ grep -c 'kind = "mesh"' mesh.lua; gpuscale predict jacobi --system ./mesh.lua \
    --gpus 4 --paradigm memcpy --format csv | cut -d, -f 1,3,5
1
system,paradigm,gpus
mesh,memcpy,4
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv $SRC/tests/imports/nccl-tree.xml \
    --base h200x8 -o tree.lua > /dev/null 2>&1; grep -o 'kind = "tree"' tree.lua
kind = "tree"
$ head -3 $SRC/tests/imports/nccl-tree.xml > cut.xml
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv cut.xml --base h200x8 -o cut.lua \
    > /dev/null 2>&1; echo $?; ls cut.lua
3
ls: cannot access 'cut.lua': No such file or directory

# Files that disagree about a link.
$ sed 's/,268435456,4,0,1,0.0027/,268435456,4,0,1,0.0054/' \
    $SRC/data/h200x8/micro/dma.csv > slow.csv
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv slow.csv --base h200x8 \
    -o x.lua 2>&1 > /dev/null | grep disagree
gpuscale: note: dma.csv:78 and slow.csv:78 disagree about dma 0 to 1: the second has 0.50 of the bandwidth

# ---- the model's own error, from runs of programs

# The shipped system is made by one command, of which this is the second half.
$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 --runs \
    data/h200x8/runs/runs.csv,data/h200x8/runs/runs-allgather.csv,data/h200x8/runs/repeat/runs.csv \
    -o $OLDPWD/with.lua --format csv 2>/dev/null > $OLDPWD/report.csv; \
  grep ' by ' $OLDPWD/report.csv | cut -d, -f 1,5,10
jacobi by infinite,18,runs.csv
jacobi by memcpy,18,runs.csv
jacobi by memcpy-async,18,runs.csv
jacobi by inline,18,runs.csv
jacobi by proact-poll,144,runs.csv
allgather by infinite,12,runs-allgather.csv
allgather by memcpy,12,runs-allgather.csv
allgather by memcpy-async,48,runs-allgather.csv
allgather by inline,12,runs-allgather.csv
allgather by proact-poll,96,runs-allgather.csv

# Their table lies beside the new file, which names it.
$ head -5 with-discrepancy.csv; grep -v '^#' with-discrepancy.csv | \
    cut -d, -f 1-3,6 | sed -n '1,2p;$p'; grep discrepancies with.lua
\# gpuscale discrepancies 1
\# system: with
\# made-by: gpuscale calibrate --runs
\# runs: data/h200x8/runs/runs.csv,data/h200x8/runs/runs-allgather.csv,data/h200x8/runs/repeat/runs.csv
\# sigma: how far the model is off beyond what errors explain, of what transfer adds
workload,paradigm,rows,files
jacobi,infinite,18,"runs.csv"
allgather,proact-poll,96,"runs-allgather.csv"
  discrepancies = "with",

# Runs change no parameter.  Without them the new file has the base's table.
$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 \
    -o $OLDPWD/without.lua > /dev/null 2>&1; cd $OLDPWD; \
  for f in with without; do sed '/^-- /d; /^  name/d' $f.lua > $f; done; \
  diff with without | grep '^[<>]'; ls without-discrepancy.csv
<   discrepancies = "with",
>   discrepancies = "h200x8",
ls: cannot access 'without-discrepancy.csv': No such file or directory

# A base whose table is not on the search path, and one with a list of its own
# as older files have it: written beside the new file too.
$ mkdir far; gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base ./with.lua \
    -o far/kept.lua > /dev/null 2>&1; for f in with far/kept; do \
    grep -v '^#' $f-discrepancy.csv > $f.rows; done; cmp with.rows far/kept.rows; \
  sed -n 2,4p far/kept-discrepancy.csv
\# system: kept
\# made-by: gpuscale calibrate
\# from: ./with.lua
$ sed 's/^  discrepancies.*/  discrepancy = { { workload = "w", paradigm = "memcpy",\
    rows = 2, sigma = measured(0.5, 0.25, "w.csv") } },/' with.lua > old.lua; \
  gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base ./old.lua \
    -o far/list.lua > /dev/null 2>&1; tail -1 far/list-discrepancy.csv
w,memcpy,2,0.5,0.25,"w.csv"
$ for b in with far/kept; do gpuscale explain pagerank --system ./$b.lua --gpus 4 \
    -p memcpy | tr -s ' \n' '  ' | grep -o 'of the error.* speedup'; done | uniq | wc -l
1

# Nothing lies beside a pipe.
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base ./with.lua \
    -o /dev/null; echo $?
gpuscale: calibrate: -o /dev/null: needs a file, beside which the table of discrepancies is written
2

# What a table that is read says of itself.
$ rm with-discrepancy.csv; gpuscale predict jacobi --system ./with.lua; echo $?
gpuscale: ./with.lua:10: discrepancies: no with-discrepancy.csv beside it, no data/with/discrepancy.csv on the search path
3
$ bad() { { head -6 far/kept-discrepancy.csv; echo "$1"; } > with-discrepancy.csv; \
    gpuscale predict jacobi --system ./with.lua --gpus 2; echo $?; }; \
  bad 'w,memcopy,2,0.5,0.25,f'; bad 'w,memcpy,2.5,0.5,0.25,f'; bad ',memcpy,2,1,1,f'; \
  bad 'w,memcpy,2,-1,1,f'; bad 'w,memcpy,2,1,-1,f'; bad 'w,memcpy,2,x,1,f'; \
  bad 'w,memcpy,0,1,1,f'; bad 'w,memcpy,2,1,1,'; bad 'w,memcpy,2,1'
gpuscale: ./with-discrepancy.csv:7: paradigm: no paradigm 'memcopy'
3
gpuscale: ./with-discrepancy.csv:7: rows: 2.5 is no number of runs
3
gpuscale: ./with-discrepancy.csv:7: workload: 1 to 47 bytes
3
gpuscale: ./with-discrepancy.csv:7: discrepancy: sigma: -1
3
gpuscale: ./with-discrepancy.csv:7: sigma_err: -1 is negative
3
gpuscale: ./with-discrepancy.csv:7:4: sigma: not a finite decimal number: 'x'
3
gpuscale: ./with-discrepancy.csv:7: rows: 0 is no number of runs
3
gpuscale: ./with-discrepancy.csv:7: files: 1 to 95 bytes
3
gpuscale: ./with-discrepancy.csv:7:5: sigma_err: missing, the row ends before it
3
$ sed 's/sigma_err/sigma_error/' far/kept-discrepancy.csv > with-discrepancy.csv; \
  gpuscale predict jacobi --system ./with.lua --gpus 2; echo $?
gpuscale: ./with-discrepancy.csv: no column 'sigma_err'
3
$ sed 's/= "with"/= "..\/with"/; s/^  name = .*/  name = "with",/' with.lua > bad.lua; \
  gpuscale predict jacobi --system bad.lua; echo $?
gpuscale: bad.lua:10: discrepancies: '../with': letters, digits, and '_.+-' only
3
$ sed '/^  discrepancies/p; s/^  discrepancies = .*/  discrepancy = { { workload =\
    "w", paradigm = "memcpy", rows = 2, sigma = measured(1, 1, "w") } },/' \
    with.lua > bad.lua; gpuscale predict jacobi --system bad.lua; echo $?
gpuscale: bad.lua:10: discrepancy: a list, and a table by name too
3

# A program's own runs do not widen its intervals, others' do.
$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 \
    --runs data/h200x8/runs/runs.csv -o $OLDPWD/one.lua > /dev/null 2>&1; cd $OLDPWD; \
  for w in jacobi allgather; do gpuscale explain $w --system ./one.lua --gpus 4 \
    -p memcpy | tr -s ' \n' '  ' | grep -o 'of the error.* speedup'; done
of the error 13.7% is the system's numbers', 0.0% the workload's, the model's own is not known: no other program was measured speedup
of the error 3.7% is the system's numbers', 0.0% the workload's, 31.7% the model's own (memcpy on 1 other program, x1.33 for gpus) speedup

$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 \
    --runs none.csv -o $OLDPWD/y.lua; echo $?
gpuscale: none.csv: cannot open: No such file or directory
5
$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 \
    --runs data/h200x8/micro/dma.csv, -o $OLDPWD/y.lua; echo $?
gpuscale: --runs: 'data/h200x8/micro/dma.csv,' has an empty entry
2
$ cd $SRC && gpuscale calibrate data/h200x8/micro/dma.csv --base h200x8 \
    --runs data/h200x8/micro/dma.csv -o $OLDPWD/y.lua; echo $?
gpuscale: data/h200x8/micro/dma.csv: no column 'workload'
3
$ ls y.lua
ls: cannot access 'y.lua': No such file or directory

# What to measure next, for people: numbers of the new system with a bench each, and
# what would be left of a shipped program's error; the first is explain's first.
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base h200x8 -o next.lua 2>/dev/null | \
    sed -n '/^measure this next/,$p' | tr -s ' \n' '  ' > next; cut -d: -f 1,2 next | \
    sed 's/;.*//'; gpuscale explain jacobi --system ./next.lua --gpus 8 | \
    sed -n '/^measure this next/{n;s/^  \(.*\);.*/\1/p}' > first; grep -cF -f first next
measure this next, for programs on 8 GPUs device.membw: bench membw
1
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base h200x8 -o next.lua -f csv \
    2>/dev/null | grep -c 'measure this'
0
