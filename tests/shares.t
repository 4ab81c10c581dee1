# What a share of the work takes on one GPU is what the kernels of as many GPUs take.
#once
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.workload { name = "mine", summary = "x",' \
    'step = function (k) return { t1 = T,' 'gs.phase { name = "a", units = 4096, bytes = "10 GB",' \
    'footprint = "12 GB", to = "neighbours", publish = "1 MB", store = 128 } } end }' > form.lua; \
  echo 'sed "s|T,|$1,|" form.lua > mine.lua' > t1; \
  echo 'gpuscale predict ./mine.lua --system h200x8 --paradigm infinite --gpus 1,2,4,8 -f csv "$@" |' \
    'tail -n +2 | cut -d, -f 5,12' > ask
$ sh t1 '"20 ms"'; sh ask; sh t1 'gs.shares { {1, "20 ms"}, {0.25, "6 ms"} }'; sh ask
1,0.019993708979999997
2,0.010004470608275317
4,0.0050134383177417282
8,0.0025171374837329556
1,0.019993708979999997
2,0.010660375646666666
4,0.0059937089799999999
8,0.0030091602532687145
# Linear in the share: half the work takes 10.67 ms where all of it takes 20 and a quarter 6.
# Given half the time of all, each is half.
$ sh ask -P t1=10ms
1,0.0099937089799999983
2,0.0053270423133333321
4,0.0029937089799999994
8,0.0015033839759221856
# What cannot be meant.
$ for s in '{1, "20 ms"}, {0.3, "6 ms"}' '{0.25, "6 ms"}' '{1, "20 ms"}, {0.5}' \
    '{1, "20 ms"}, {0.5, "9 ms"}, {0.5, "9 ms"}' '{1, "20 ms"}, {0.25, "0 ms"}'; do \
    sh t1 "gs.shares { $s }"; gpuscale predict ./mine.lua --system h200x8 2>&1 | tail -n 1; done
gpuscale: ./mine.lua:3: t1: share 2: 0.3 is not 1 over a whole number
gpuscale: ./mine.lua:3: t1: gs.shares: needs the time of share 1
gpuscale: ./mine.lua:3: t1: share 2: needs {share, time}
gpuscale: ./mine.lua:3: mine: t1: the share 1/2 twice
gpuscale: ./mine.lua:3: t1: share 2: its time must be above 0
# A row of as many GPUs as a share that was given is an input.  A share is of what its own way
# takes on one GPU, not of another's.
$ sh t1 '"20 ms"'; printf '%s\n' workload,paradigm,knobs,gpus,time_s,sigma_s,share \
    ./mine.lua,memcpy,,1,24e-3,0,1 \
    ./mine.lua,infinite,,1,20e-3,0,1 ./mine.lua,infinite,,1,6e-3,0,0.25 \
    ./mine.lua,infinite,,4,6.1e-3,0,1 ./mine.lua,infinite,,8,3.1e-3,0,1 > runs.csv; \
  gpuscale validate runs.csv --system h200x8 -f csv | \
    awk -F, 'NR > 1 {printf "%d %.3f %s\n", $4, $7 * 1e3, $11}'; \
  sed 's/,1,6e-3,0,0.25/,2,6e-3,0,0.25/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system h200x8
1 20.000 single
1 20.000 input
4 6.001 input
8 3.019 scored
gpuscale: bad.csv:4: share: a part of the work runs alone on one GPU
# Explain names shares only where they would narrow the error: on 8 GPUs nobody measured they do not.
$ gpuscale explain --all ./mine.lua --system dgx-a100 --gpus 8 --paradigm inline | \
    grep -A 1 -E 'gs.shares|one step takes'; \
  sh t1 'gs.shares { {1, "20 ms"}, {0.25, "6 ms"} }'; \
  gpuscale explain --all ./mine.lua --system dgx-a100 --gpus 8 --paradigm inline | grep -c gs.shares
one step takes 2.517 ms +/- 1.592 ms (63.2%)
of the error 0.3% is the system's numbers', 0.0% the workload's, 63.2% the
0
