# Physics that was wrong without a word.  What is expected is derived here, from
# what a program moves and over what: no number is one that was observed.
#once

# ---- pages cross the link, too
# A GPU between two others has faces of 512 * 512 * 4 B to each; both come, and
# go back: 4 MiB over its slowest link of 1 GB/s.  At least what it says it sends.
$ over() { gpuscale predict jacobi -s h200x8 -g 4 -p um -f csv -P link.rate=$1 | tail -n 1; }; \
  for rate in 1 2 5 20 100 450; do over ${rate}GB/s | awk -F, -v rate=$rate '{ \
      faces = 2 * 512 * 512 * 4; sent = $19 / 6 * 2; \
      print ($6 >= sent / (rate * 1e9)), (rate > 1 || $6 >= faces / 1e9) }'; done | sort -u
1 1
# More of it never slows, on every system that has pages that fault.
$ for s in h200x8 h100x2 p100x4 dgx-a100; do for w in jacobi transpose pagerank nbody; do \
    gpuscale sweep $w -s $s -g 2,4 -p um -f csv --over link.rate=1GB/s..900GB/s,log,20 | grep -v '^#' | \
      awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
        { n = $at["gpus"]; t = $at["time_s"]; if (n in last && t > last[n] * (1 + 1e-12)) print "slows", n, $0; last[n] = t; rows++ } \
        END { print (rows > 20 ? "falls" : "few") }'; done; done | sort | uniq -c
     16 falls
# What is brought before it is read goes there and back: of a bus both ways are, whoever
# makes more than he gets.  7 parts of 100 MB are no whole number for each.
$ sed 's/managed = false/managed = true/; s/name *= "ct-bus"/name = "bus"/' $SRC/params/ct-bus.lua > bus.lua; \
  cp $SRC/tests/defects/uneven.lua .; gpuscale predict uneven.lua -s ./bus.lua -g 2-4 -p um-hints -P load.latency=1us \
    -P load.efficiency=0.9 -f csv | awk -F, 'NR > 1 { print ($6 >= $19 / 16e9), ($19 >= 2 * 700e6 * (1 - 1 / $5)) }' | sort -u
1 1
# So many GPUs are never faster by more than as many, by whatever state its pages
# are in: all programs on all systems whose GPUs have one port each.  (In a mesh a
# GPU has more links the more GPUs there are.)
$ for s in h200x8 h200x4 h100x2 dgx2 dgx-a100; do for w in $(gpuscale list workloads -f csv | grep -v '^#' | sed 1d | cut -d, -f1); do \
    gpuscale predict $w -s $s -g 2,4,8,16,32,64,128,256,512,1024 -p um -f csv 2>/dev/null | grep -v '^#' | sed 1d | \
      awk -F, -v of="$w $s" 'NR > 1 && $6 * $5 < last * (1 - 1e-9) { print "falls", of, $5 } { last = $6 * $5 }'; done; done

# ---- more of a rate never slows, none of a cost costs no more than little of it
# A step is timed on one GPU (10 ms): of what legs it is does not matter to how long
# its pieces take, and a roofline that moves past it changes nothing.
$ q='template -s ct-bus -g 4 -p memcpy-async -P publish=6770200B -P memory=4847040155B -P copies=368 -P memcpy-async.chunk=64KiB'; \
  for rate in 100 300 484 484.7 485 600 2000; do gpuscale predict $q -f csv -P device.membw=${rate}GB/s | \
    awk -F, 'END { print $6 }'; done | sort -g | awk 'NR == 1 { least = $1 } END { print ($1 / least < 1 + 1e-9) }'
1
# Blocks whose places wait for their longest thread, and then for its fence, are filled by
# nobody: with faster memory they end no later.
$ cp $SRC/tests/defects/stays.lua .; gpuscale sweep stays.lua -s h200x8 -g 4 -p proact-poll,proact-cdp -f csv -P agent.hold=5us \
    --over device.membw=1TB/s..40TB/s,log,9 | grep -v '^#' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
      { w = $at["paradigm"]; t = $at["time_s"]; if (w in last && t > last[w] * (1 + 1e-12)) print w, "slows"; last[w] = t } END { print NR }'
19
# An agent cannot poll without end: below what a load takes (agent.turn, 166 ns)
# its gap adds to a chunk what it is, and no more.  16 chunks a face of 1 MiB.
$ at() { gpuscale predict jacobi -s h200x8 -g 4 -p proact-poll -P proact-poll.chunk=64KiB -P proact-poll.width=8192 \
    -P agent.gap=$1 -f csv | awk -F, 'END { print $6 }'; }; \
  for gap in 0ns 0.001ns 1ns 10ns 100ns; do echo $gap $(at $gap); done | \
    awk '{ t = $2; if (NR > 1) { rise = (t - first) / ($1 * 1e-9); print (rise > -1e-3 && rise < 32 * 1.001) } else first = t }' | sort -u
1
# What the host does not wait for is in the bound, too: nobody is above it.
$ for barrier in 1us 300us; do gpuscale predict pagerank -s h200x8 -g 2-8 -p nccl -P host.barrier=$barrier -f csv | \
    sed 1d | awk -F, '{ print ($11 > 0 && $11 < 1) }'; done | sort | uniq -c | sed 's/^ *//'
14 1
# Nor is anybody faster than it, whoever waits less: all programs by all ways.
$ for s in h200x8 v100x4 dgx-h100-ndr; do for w in $(gpuscale list workloads -f csv | grep -v '^#' | sed 1d | cut -d, -f1); do \
    gpuscale predict $w -s $s -g 1,2,4,16 -P host.barrier=300us --proposed -f csv 2>/dev/null | sed 1d | \
      awk -F, -v of="$w $s" '$3 == "infinite" { least[$5] = $6; next } \
        $6 < least[$5] * (1 - 1e-12) { print "faster", of, $3, $5, $6 / least[$5] } { n++ } END { print (n > 0) }'; done; done | sort -u
1
# A run of it is the program with its copies left out, whose host waits between its
# six kernels on cg as ever: it is no bound of ways that need not.
$ at() { gpuscale predict cg -s h200x8 -g 4 -p infinite -f csv "$@" | awk -F, 'END { print $6 }'; }; \
  echo cg,infinite,n=4096,1,1e-4,1e-7 > r; sed -i '1i workload,paradigm,knobs,gpus,time_s,sigma_s' r; echo cg,infinite,n=4096,4,1e-4,1e-7 >> r; \
  gpuscale validate r -s h200x8 -f csv --max-error 9 | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["gpus"] == 4 { print $at["predicted_s"] }' > as-run; \
  echo $(at -P n=4096 -P t1=100us) $(at -P n=4096 -P t1=100us -P infinite.host=program) $(cat as-run) | \
    awk '{ print ($1 < $2 * .9), ($3 / $2 - 1) ^ 2 < 1e-12 }'
1 1

# What a library takes for the best way is of its links' generation: a faster link is no
# reason to leave the switch's own sums, for which 90 GB/s a channel are most on one of 900.
$ for n in 2 4 5 8 16 64; do gpuscale sweep tp-layer -s gb200-nvl72 -g $n -p schedule -f csv --over link.rate=450GB/s..9TB/s,log,12 | \
    grep -v '^#' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
      { t = $at["time_s"]; if (NR > 2 && t > last * (1 + 1e-12)) print "slows"; last = t; rows++ } END { print rows }'; done | sort | uniq -c
      6 12

# ---- one GPU runs a program as it is written
# Its step was timed on one GPU, 40 us: whatever it calls there for the sake of
# others is in them.  Its speed-up is over that.
$ cp $SRC/tests/defects/*.lua .; gpuscale predict beside.lua -s h200x8 -g 1,2 -f csv | \
    awk -F, 'NR > 1 { printf "%s %d %d\n", $3, $5, $5 == 1 ? 1e9 * $6 + .5 : 40e-6 / $6 / $9 + 1e-9 }'
infinite 1 40000
infinite 2 1
schedule 1 40000
schedule 2 1
# What a solve says is over it, too: half as fast again would be 26.7 us.
$ gpuscale solve beside.lua -s h200x8 -g 8 -p infinite --for device.start=1ns..40us --until speedup=1.5 -f csv | \
    awk -F, 'NR > 1 { print $5 }' > start; gpuscale predict beside.lua -s h200x8 -g 8 -p infinite -P device.start=$(cat start)s -f csv | \
    awk -F, 'END { print ($6 / (40e-6 / 1.5) - 1) ^ 2 < 1e-12 }'
1

# ---- a copy to its own GPU
# It reads and writes its memory: 200 MB at 4 TB/s are 50 us for 100 MB more, and
# what goes to another GPU beside it is no matter, of the same size or not.
$ at() { gpuscale predict own.lua -s h200x8 -g $1 -p schedule -P device.membw=4TB/s -P own=$2B -P sent=$3B -f csv | \
    awk -F, 'END { print $6 }'; }; \
  for n in 1 2 4; do for sent in 99999996 100000000 200000000; do \
    echo $(at $n 100000000 $sent) $(at $n 200000000 $sent); done; done | awk '{ printf "%.3f\n", 1e6 * ($2 - $1) }' | sort | uniq -c
      9 50.000
# More bytes take longer.
$ for sent in 99999992 99999996 100000000 100000004; do at() { gpuscale predict own.lua -s h200x8 -g 4 -p schedule -P sent=$1B -f csv; }; \
    at $sent | awk -F, 'END { print $6 }'; done | awk 'NR > 1 && $1 < last * (1 - 1e-12) { print "falls" } { last = $1 }'

# ---- what blocks store to others goes as they store it
# That any of them may write any of it keeps copies until their end, nothing else.
$ ways=inline,broadcast,gps,finepack,rdl,memcpy; \
  for where in 0 1; do gpuscale predict scattered.lua -s h200x8 -g 2,4,8 --proposed -p $ways -P anywhere=$where -f csv | \
    sed 1d | cut -d, -f 3,5,6; done | sort | uniq -c | awk '{ print $1 }' | sort | uniq -c
     18 2
$ for way in proact-poll proact-cdp; do for where in 0 1; do gpuscale predict scattered.lua -s h200x8 -g 4 -p $way \
    -P $way.chunk=256KiB -P $way.width=8192 -P anywhere=$where -f csv | awk -F, 'END { print $6 }'; done | \
    awk 'NR == 1 { first = $1 } END { print ($1 > first) }'; done
1
1
# Stores beside their kernel: as long as the longer of the two, and a store's way.
$ at() { gpuscale predict scattered.lua -s h200x8 -g 4 -p $1 -f csv -P store.latency=0s -P store.interference=0 "-Plink.rate=$2" | \
    awk -F, 'END { print 1e6 * $6 }'; }; echo $(at inline 450TB/s) $(at infinite 450GB/s) | awk '{ print ($1 < 1.02 * $2 || $1 / $2) }'
1

# ---- a word's byte enables travel with it, where they do so in predictions
# A flit of header, one of byte enables, one of data: 4 of 48 B.  Of 8 B, all
# written, 8 of 32 on NVLink 4, on 1 and 2 again three flits.
$ gpuscale goodput --link nvlink2,nvlink4 --sizes 4,8,16 -f csv | awk -F, '$2 == "store" { print $1, $3, $4 }'
nvlink2 4 48
nvlink2 8 48
nvlink2 16 32
nvlink4 4 48
nvlink4 8 32
nvlink4 16 32
$ for link in nvlink2 nvlink4; do gpuscale goodput --link $link --sizes 4 -f csv | awk -F, 'NR == 2 { print $4 / 4 }'; \
    gpuscale predict scattered.lua -s h200x8 -g 2 -l $link -p inline -P work.store.size=4B -f csv | awk -F, 'END { print $19 / $20 }'; done
12
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
12
12
12

# ---- an agent whose blocks own chunks
# Each GPU of two has n chunks of 4 KiB, ready at once, and a gap of 5 us is all
# that they cost: 16 owners take ceil(n / 16) of them, one after another takes n.
$ at() { gpuscale predict agent.lua -s h200x8 -g 2 -p proact-poll -P proact-poll.chunk=4KiB -P proact-poll.width=4096 \
    -P agent.gap=5us -P agent.thread_rate=10TB/s -P agent.sm_rate=100TB/s -P link.rate=450TB/s -P agent.latency=0s \
    -P agent.contention=1 -P store.latency=0s -P of=$1 -P chunks=$2 -f csv | awk -F, 'END { print 1e6 * $6 }'; }; \
  for n in 1600 3200 3201 4000; do echo $n $(at block $n) $(at grid $n) $(at block 16) $(at grid 1); done | \
    awk '{ rounds = int(($1 + 15) / 16); block = ($2 - $4) / 5 / (rounds - 1); grid = ($3 - $5) / 5 / ($1 - 1); \
      print $1, (block > .98 && block < 1.02), (grid > .98 && grid < 1.02) }'
1600 1 1
3200 1 1
3201 1 1
4000 1 1

# A chunk by the 256 threads of one owner takes 1.6 us; the first round is as long if
# only one of them has any, and begins 0.2 us sooner, when that is ready.
$ at() { gpuscale predict agent.lua -s h200x8 -g 2 -p proact-poll -P proact-poll.chunk=4KiB -P proact-poll.width=4096 \
    -P agent.gap=0s -P agent.thread_rate=10MB/s -P agent.sm_rate=100TB/s -P link.rate=450TB/s -P agent.latency=0s \
    -P agent.contention=1 -P store.latency=0s -P chunks=$1 -f csv | awk -F, 'END { print 1e6 * $6 }'; }; \
  for n in 160 161 176 177; do at $n; done | awk 'NR > 1 { printf "%.1f\n", $1 - last } { last = $1 }'
1.4
0.2
1.4

# What the blocks of a wave make is there at its end.  Each GPU has 12 chunks, which
# take longer than its kernel, C: with w waves they begin at C / w, with one of 12 or
# more at the chunk's own end, C / 12.  What is C follows from the first and the last.
$ at() { gpuscale predict waves.lua -s h200x8 -g 2 -p $1 -P $1.chunk=64KiB -P $1.width=64 -P agent.gap=100us -P cdp.gap=100us \
    -P agent.thread_rate=10TB/s -P agent.sm_rate=100TB/s -P link.rate=450TB/s -P agent.contention=1 -P agent.hold=0s -P agent.track=0s -P cdp.waits=0 \
    -P device.flops=1e16flop/s -P waves=$2 -f csv | awk -F, 'END { printf "%.9g ", 1e6 * $6 }'; }; \
  for way in proact-poll proact-cdp; do for w in 1 2 3 4 6 12 480; do at $way $w; done; echo; done | \
    awk '{ split("1 2 3 4 6 12 12", w); for (i = 1; i <= 7; i++) { x = ($1 - $i) / ($1 - $6) / (12 / 11 * (1 - 1 / w[i]) + (i < 2)); \
      printf "%s ", (i < 2 || (x > .98 && x < 1.02) ? "so" : x) } print "" }'
so so so so so so so 
so so so so so so so 

# A measured time belongs to the sizes that it was measured at.  The arithmetic
# of ct grows with its views: half of them take half of the time.
$ t() { gpuscale predict ct -s k40x4 -g 1 -p memcpy -f csv "$@" 2>/dev/null | sed -n 2p | cut -d, -f 6; }; \
    awk -v a=$(t) -v b=$(t -P views=3628) 'BEGIN { x = b / a; print (x > 0.49 && x < 0.51 ? "half" : x) }'
half

# A calibration tells whose they are of an agent that it does not know, by its chunks alone: of
# blocks that send side by side, and of blocks that all send each (params/bench/owner.cu).
$ gpuscale calibrate $SRC/data/h100x2/micro/owner.csv $SRC/data/h100x2/micro/agent.csv --base h100x2 -o told.lua -f csv 2> why | \
    grep -o 'owner_[a-z]*: chunk_of = [a-z]*' | sort -u
owner_chunk: chunk_of = block
owner_grid: chunk_of = grid
# Every program whose agent is shipped says so.
$ for app in $(cd $SRC/params/bench/apps && grep -l 'agent_kernel\|program.cuh\|sums.cuh\|publish.cuh' *.cu); do \
    grep -L 'chunk_of = "grid"' $SRC/lua/workloads/${app%.cu}.lua; done; gpuscale validate $SRC/data/h200x4/runs/runs.csv --system h200x4 \
    -f csv > own; for of in grid block; do gpuscale validate $SRC/data/h200x4/runs/runs.csv --system h200x4 \
    -P sweep.agent.chunk_of=$of -f csv > with; cmp -s own with && echo $of; done
grid
