# kineto: what a description carries of a PyTorch profile: kernels, collectives, bytes, the step's time.

$ for c in plain graph names ddp tp groups; do python3 $SRC/tests/write_torch.py $c > $c.json; \
    gpuscale describe $c.json -s h200x8 -o $c.lua 2>&1 | sed -n "s/.*note: the description has/$c:/p"; done
plain: 100% of the time of kernels; on the profile's 1 GPU it takes 8.094 ms, measured 8.088 ms
graph: 100% of the time of kernels; on the profile's 1 GPU it takes 8.094 ms, measured 8.088 ms
names: 100% of the time of kernels; on the profile's 1 GPU it takes 8.115 ms, measured 8.088 ms
ddp: 100% of the time of kernels, 2 collectives of 200 MB; on the profile's 8 GPUs it takes 9.023 ms, measured 8.989 ms
tp: 100% of the time of kernels, 8 collectives of 0 B; on the profile's 8 GPUs it takes 9.75 ms, measured 9.696 ms
groups: 100% of the time of kernels, 9 collectives of 164 MB; on the profile's 8 GPUs it takes 9.854 ms, measured 9.797 ms

# Two threads launch what one did; the step is that of a GPU of eight.
$ gpuscale describe ddp.json --show | sed -n '1,2p; /^GPU/,/^$/p'
A step takes 8.989 ms (+/- 0.0%) on 1 of 8 GPUs: 89% of it is kernels, 10% what
  moves data beside none, 1% idle. `gpuscale describe ddp.json -o PROGRAM.lua`
GPU  steps  work      step  compute  +copies  +coll.  +idle  (host)  hidden
  0      5    10  8.989 ms    89.2%       0%   10.0%   0.8%    0.8%   10.0%

# At 8 GPUs collectives of unknown bytes take as long as they did, on 16 more in a ring; a rate prices them.
$ for s in "-g 8" "-g 16" "-g 8 -P collective_rate=100GB/s"; do \
    gpuscale predict tp.lua -s h200x8 -p schedule $s -f csv 2> /dev/null | \
      awk -F, 'NR > 1 { printf "%.2f ms\n", 1e3 * $6 }'; done
9.61 ms
8.74 ms
8.76 ms

# A profiled step is no run; with t1, a step's time without the profiler, there is one, 1 % off.
$ gpuscale predict names.lua -s h200x8 -g 1 -P t1=0.0081
gpuscale: -P t1: '0.0081': no unit; expected e.g. us
$ for s in "" "-P t1=8.1ms"; do gpuscale predict names.lua -s h200x8 -g 1 -p schedule $s -f csv 2> /dev/null | \
    awk -F, 'NR > 1 { printf "%.2f ms +/- %.1f %%\n", 1e3 * $6, 100 * $7 / $6 }'; done
8.01 ms +/- 5.1 %
8.01 ms +/- 1.5 %

# ---- programs side by side, with samples a second and the chance to be the fastest
$ gpuscale parallel names.lua -s h200x8 -g 1,8 -P samples=8 -P with=tp.lua -f csv | \
    awk -F, '/^[0-9]/ { printf "%d %s %.2f ms %.0f/s %.2f %.2f\n", $1, $2, 1e3 * $3, $5, $6, $11 }'
1 names 8.01 ms 999/s 1.00 1.00
1 tp 63.99 ms 125/s 1.00 0.00
8 names 7.26 ms 1101/s 1.10 0.90
8 tp 9.61 ms 833/s 6.66 0.10

# ---- a slow step, micro-steps and layers without marks; tensor parallelism shares a batch, FSDP's GPUs have one each
$ for c in slow accum layers trains shards; do python3 $SRC/tests/write_torch.py $c > $c.json; \
    gpuscale describe $c.json -s h200x8 -o $c.lua 2>&1 | sed -n "s/.*note: the description has/$c/p"; \
    gpuscale predict ./$c.lua -s h200x8 -g 1,8 -p schedule -f csv 2> /dev/null | awk -F, 'NR > 1 { printf "%.2f ms ", 1e3 * $6 } END { print "" }'; done; \
  python3 $SRC/tests/write_torch.py turns > turns.json; gpuscale describe turns.json -o turns.lua 2>&1 | sed -n 's/.*it takes/turns/p'
slow 100% of the time of kernels; on the profile's 1 GPU it takes 8.094 ms, measured 8.088 ms
8.09 ms 1.11 ms 
accum 100% of the time of kernels; on the profile's 1 GPU it takes 17.16 ms, measured 17.1 ms
17.02 ms 17.02 ms 
layers 100% of the time of kernels, 1 collectives of 0 B; on the profile's 8 GPUs it takes 1.202 ms, measured 1.202 ms
8.00 ms 1.20 ms 
trains 100% of the time of kernels, 8 collectives of 320 MB; on the profile's 8 GPUs it takes 10.76 ms, measured 10.7 ms
71.99 ms 10.38 ms 
shards 100% of the time of kernels, 4 collectives of 1.28 GB; on the profile's 8 GPUs it takes 9.134 ms, measured 9.089 ms
9.01 ms 9.01 ms 
turns 16.01 ms, measured 8.099 ms: too far off to predict; GPUs that take turns are not described
$ for c in trains shards; do for p in fsdp tp; do gpuscale predict $c.json --parallel $p -s h200x8 2>&1 | sed -n '/json: /p'; done; done
gpuscale: trains.json: --parallel fsdp: its collectives are of tp
gpuscale: shards.json: --parallel tp: its collectives are of fsdp

# ---- what holds less than two fifths of the time of kernels is no step
$ python3 $SRC/tests/write_torch.py late > late.json; gpuscale describe late.json -o late.lua; echo $?
gpuscale: late.json: the repeated part has 33% of the time of kernels and lacks 'late', 80 ms: give the begin of a step by --period nvtx:NAME or kernel:NAME
3

# ---- every profile at hand: 95 % of the time of kernels; without copies between GPUs its step within 3 or 10 %; or refused
$ d=$SRC/../shared; for f in $SRC/data/*/profiles/*-1.trace.gz $([ ! -d $d ] || find $d/external $d/cases/profiles \
      -name '*.sqlite' -o -name '*.json.gz' -o -name '*.json' -path '*/profiles/*'); do \
    gpuscale describe $f -o p.lua > said 2>&1; s=$?; [ $s != 3 ] || continue; [ $s = 0 ] || echo "$f: $s"; \
    sed -n 's/,//g; s/.*description has //p' said | awk -v f=$f '{ split("ns us ms s", u, " "); for (i in u) of[u[i]] = 1000 ^ i } \
      { for (i = 1; i <= NF; i++) if ($i == "takes") { t = $(i + 1) * of[$(i + 2)]; own = $(i + 4) * of[$(i + 5)] } } \
      $1 + 0 < 95 || t / own > 1.1 || t / own < 0.9 { print f ": " $0 }'; done

# Without the framework's ranges, as by nsys, the names of kernels tell a training step.
$ python3 $SRC/tests/write_kineto.py | sed 's/torch::autograd::AccumulateGrad/mul/g; s/Optimizer.step/zero/g' > bare.json; \
    gpuscale describe bare.json --parallel ddp --params 4e8 -o bare.lua 2> /dev/null; grep -c 'grads = 1' bare.lua; \
    gpuscale predict ./bare.lua -s h200x8 -g 8 -P t1=23.5ms -f csv 2> /dev/null | awk -F, 'END { printf "%.1f ms\n", 1e3 * $6 }'
24
29.1 ms
$ for f in "./bare.lua" "bare.json --parallel ddp --params 4e8"; do \
    gpuscale predict $f -s h200x8 -g 1,8 -P t1=23.5ms -f csv 2> /dev/null | grep -v '^#' | md5sum; done | uniq | wc -l; \
  gpuscale predict bare.json -s h200x8 2>&1 | cut -c 1-57; gpuscale predict bare.json --parallel tp -s h200x8 2>&1 | cut -c 1-54
1
gpuscale: predict: bare.json is a profile: --parallel ddp
gpuscale: bare.json: --parallel tp: no collective in i

# A kernel of the table takes half: 24 of 600 us backward are 7.2 ms less of 23.7.
$ grep -c '"gemm_backward", 24, 600, 1056, 256, 0, 0 }' bare.lua; sed -i '/"gemm_backward"/s/ }/, times = 0.5 }/' bare.lua; \
    gpuscale predict ./bare.lua -s h200x8 -g 1 -f csv 2> /dev/null | awk -F, 'END { printf "%.1f ms\n", 1e3 * $6 }'
1
16.5 ms

# Memory of a GPU: 16 B of a parameter with Adam, 4 in buckets of DDP; the other 1.6 GB of the trace go by the batch.
$ python3 $SRC/tests/write_kineto.py | sed '1s/{/{"ph": "i", "args": {"Total Allocated": 8e9, "Device Type": 1}}, {/3' > held.json; \
    gpuscale describe held.json --parallel ddp --params 4e8 -o held.lua 2> /dev/null; for b in 1 2; do \
      gpuscale parallel held.lua -s h200x8 -g 1,8 -P t1=23.5ms -P batch=$b -f csv | awk -F, '/^[0-9]/ { print $1, $12, $13 }'; done
1 6400000000 8000000000
8 8000000000 9600000000
1 6400000000 9600000000
8 8000000000 11200000000
