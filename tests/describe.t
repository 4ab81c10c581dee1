# describe: from a profile to its step, and to a program.

# ---- two GPUs that exchange a face, as params/trace writes it
$ cp $SRC/tests/imports/two.trace .; gpuscale describe two.trace --show
A step takes 100 us (+/- 0.0%) on 2 GPUs: 70% of it is kernels, 5% what moves
  data beside none, 25% idle. `gpuscale describe two.trace -o PROGRAM.lua` makes
  a program of it, to predict on more GPUs.

two.trace
2 GPUs, 1 process, 72 records
step: by what repeats, 100 us +/- 0 ns, slowest 100 us

GPU  steps  work    step  compute  +copies  +idle  (host)
  0      6     2  100 us    70.0%     5.2%  24.8%    5.4%
  1      6     2  100 us    70.0%     5.2%  24.8%    5.4%

a step of GPU 0, in the order of its calls
        0 ns       70 us  stream 0   sweep
     75.1 us      5.2 us  stream 0   copy 1 MiB to GPU 1

$ gpuscale describe two.trace -o two.lua; sed -n '/schedule =/,/end,/p' two.lua | tee two.schedule
gpuscale: note: the description has 100% of the time of kernels; on the profile's 2 GPUs it takes 87.05 us, measured 100 us
      schedule = function (g, n, i)
        local share = share(n)
        gs.launch("sweep", { share = share })
        send(g, n, k.bytes1, nil)
        gs.synchronize {}
        gs.barrier()
      end,

# ---- the step as it is told: by a kernel, or by what repeats
$ for p in auto kernel:sweep kernel:swoop nvtx:step sweep; do \
    gpuscale describe two.trace --show --period $p 2>&1 | sed -n '/step:/p; /--period:/p' | \
    cut -c 1-49; done
step: by what repeats, 100 us +/- 0 ns, slowest 1
step: by kernel 'sweep', 100 us +/- 0 ns, slowest
no step: two.trace: no repeated step, neither by 
no step: two.trace: no repeated step, neither by 
gpuscale: --period: 'sweep' is not nvtx:NAME, ker

# A run that is made twice is no step; a GPU that does something alone before has those of the others.
$ for f in als-1 ct-1 pagerank-1 pagerank-2 ct-2 ../sealed-19/profiles/allgather-2; do \
    gpuscale describe $SRC/data/h100x2/profiles/$f.trace.gz --show -f csv | \
    awk -F, -v f=$f '/^gpu,/ { for (i = 1; i <= NF; i++) at[$i] = i } \
      /^[0-9]/ { print f, "GPU", $1 ":", $at["steps"], "steps of", $at["work"] }'; done
als-1 GPU 0: 100 steps of 1
ct-1 GPU 0: 200 steps of 2
pagerank-1 GPU 0: 50 steps of 1
pagerank-2 GPU 0: 25 steps of 2
pagerank-2 GPU 1: 25 steps of 2
ct-2 GPU 0: 100 steps of 4
ct-2 GPU 1: 100 steps of 4
../sealed-19/profiles/allgather-2 GPU 0: 210 steps of 2
../sealed-19/profiles/allgather-2 GPU 1: 210 steps of 2

# ---- the profiled step, if it is said on which system it was: as wrong as it is seen there, and nowhere else
$ gpuscale describe two.trace -s h200x8 -o run.lua 2> /dev/null; grep -A1 'run =' run.lua; \
    sigma() { gpuscale predict run.lua "$@" -p schedule -f csv 2> /dev/null | \
      awk -F, 'NR > 1 { printf "%.1f of %.1f us\n", 1e6 * $7, 1e6 * $6 }'; }; \
    sigma -s h200x8 -g 2,4; sigma -s h200x8 -g 2 -P speed=1.1; sigma -s h200x8 -g 2 --link pcie5; sigma -s dgx-a100 -g 2
      run = k.speed == 1 and { gpus = N, on = "h200x8", time = measured(0.0001, 1e-06, file) } or nil,
      kernel("sweep", 7e-05, 0),
13.0 of 87.1 us
4.1 of 58.9 us
4.1 of 80.8 us
7.9 of 103.1 us
20.8 of 91.1 us
$ gpuscale explain --all run.lua -s h200x8 -g 2 -p schedule | sed -n '/of the error/,/^$/p'
of the error 1.0% is the system's numbers', 0.2% the workload's, 14.9% the
  model's own (most of it of transfer beside compute)
speedup 1.66, efficiency 83.1%, fraction of ideal 88.2%
bound by the compute: the kernels themselves
applicability: extrapolated (footprint of 0 .. 0 MB)
$ run() { sed "s/run = .*/run = $1,/" run.lua > bad.lua; gpuscale predict bad.lua -s h200x8 -g 2 -f csv > out; }; \
    run 3; run '{ gpus = 0, on = "h200x8", time = "1 us" }'; run '{ gpus = 2, on = "h200x8", time = "0 s" }'; \
    run '{ gpus = 2, on = "h200x8", time = "1 GB" }'; run '{ gpu = 2 }'
gpuscale: bad.lua:49: run: needs { gpus =, on =, time = }, got a number
gpuscale: bad.lua:49: two: run: 0 GPUs
gpuscale: bad.lua:49: two: run: 0 s +- 0 s is no time
gpuscale: bad.lua:49: run.time: '1 GB': a size where a time (s) is needed
gpuscale: bad.lua:49: run.gpu: unknown key; did you mean 'gpus'?
gpuscale: bad.lua:49: run.on: missing; needs text
gpuscale: bad.lua:49: run.time: missing; needs a number

# ---- ranks in files of their own, the second with a clock that is 1 ms ahead; one that is missing
$ for r in 0 1; do awk -F, -v OFS=, -v r=$r '/^[a-z]+,[0-9]/ && ($4 != "" && $4 != r || $3 != "" && $3 != 70 + r) { next } \
      /^[a-z]+,[0-9]/ { $2 = 7 + r; for (i = 6; i <= 7; i++) if ($i > 0) $i += r * 1e6 } \
      { print }' two.trace > rank$r.trace; done; \
    gpuscale describe rank0.trace rank1.trace --show | sed -n '7,13p'
2 GPUs, 2 processes, 72 records
step: by what repeats, 100 us +/- 0 ns, slowest 100 us
clock of GPU 1: 1 ms ahead, and aligned

GPU  steps  work    step  compute  +copies  +idle  (host)
  0      6     2  100 us    70.0%     5.2%  24.8%    5.4%
  1      6     2  100 us    70.0%     5.2%  24.8%    5.4%
$ gpuscale describe rank0.trace rank1.trace -o both.lua 2> /dev/null; \
    sed -n 's/meet(true)/gs.barrier()/; /schedule =/,/end,/p' both.lua | cmp - two.schedule && echo the same
the same
$ gpuscale describe rank0.trace -o no.lua; echo $?; \
    gpuscale describe rank0.trace --show | sed -n 5,7p
gpuscale: rank0.trace: copies to a GPU of which no file has work: give the profiles of all ranks
3
gpuscale: note: rank0.trace: copies to a GPU of which no file has work: give the profiles of all ranks
rank0.trace
1 GPU, 1 process, 36 records
step: by what repeats, 100 us +/- 0 ns, slowest 100 us

# ---- other runs of a program: what its kernels do not shrink by, and how bytes grow
$ for f in pagerank sssp; do \
    gpuscale describe $SRC/data/h100x2/profiles/$f-2.trace.gz \
      --also $SRC/data/h100x2/profiles/$f-1.trace.gz -o $f.lua 2>&1 | sed -n 's/.*note: \(.*shrink.*\)/\1/p'; done
pagerank_kernel: 28.6 +/- 0.8 % of its time does not shrink with more GPUs
sssp_kernel: 2.6 +/- 0.5 % of its time does not shrink with more GPUs

# A kernel of 70 us on each of two GPUs that takes 127.4 us on one: with 1.54 us to start,
# 125.86 = 68.46 (s + 2 (1 - s)); of a quarter of the work 40 us, 38.46 = 68.46 (s + (1 - s) / 2).
$ cp $SRC/tests/imports/one.trace $SRC/tests/imports/part.trace .; \
    for f in one.trace part.trace@0.25; do \
      gpuscale describe two.trace --also $f -o also.lua 2>&1 | sed -n 's/.*note: //p' | sed 2q; \
      gpuscale predict also.lua -s h200x8 -g 1,2,4 -p schedule -f csv 2>/dev/null | cut -d, -f 12 | \
        awk 'NR > 1 { printf "%.1f us\n", 1e6 * $1 }'; done
one.trace: 1 GPU, 1 of the work
sweep: 16.2 +/- 0.0 % of its time does not shrink with more GPUs
127.4 us
70.0 us
41.3 us
part.trace: 1 GPU, 0.25 of the work
sweep: 12.4 +/- 0.0 % of its time does not shrink with more GPUs
130.0 us
70.0 us
40.0 us
$ for s in 0 2 half; do gpuscale describe two.trace --also one.trace@$s -o no.lua 2>&1 | cut -c 1-52; done
gpuscale: --also: 'one.trace@0' is not FILE@SHARE, a
gpuscale: --also: 'one.trace@2' is not FILE@SHARE, a
gpuscale: --also: 'one.trace@half' is not FILE@SHARE

# ---- GPU 1 comes to each sum 2 us later than GPU 0, which waits for it: 2 % of 100 us
$ awk -F, -v OFS=, '$1 == "copy" { $1 = "kernel"; $9 = "ncclDevKernel_AllReduce_Sum"; $10 = $11 = $12 = ""; \
      $13 = "grid=8x1x1 block=256x1x1"; if ($4 == 1) $6 += 2000 } \
    { sub("cudaMemcpyPeerAsync", "cudaLaunchKernel"); print }' two.trace > sums.trace; \
  gpuscale describe sums.trace --show | sed -n '/^GPU/,/^$/p'
GPU  steps  work    step  compute  +copies  +coll.  (wait)  +idle  (host)
  0      6     2  100 us    70.0%       0%    5.2%    2.0%  24.8%    5.4%
  1      6     2  100 us    70.0%       0%    3.2%      0%  26.8%    5.4%

# ---- a copy that is called behind a kernel, and begins before it on another stream
$ awk -F, -v OFS=, '$1 == "kernel" { $6 += 10000; $7 += 10000 } $1 == "copy" { $5 += 2; $6 -= 72000; $7 -= 72000 } { print }' \
    two.trace > before.trace; gpuscale describe before.trace --show | sed -n '/^a step/,$p'
a step of GPU 0, in the order of its calls
        0 ns       70 us  stream 0   sweep
     -6.9 us      5.2 us  stream 1   copy 1 MiB to GPU 1

# ---- ranges of a step's name with no work in them begin no step: what is seen stays
$ range() { echo "range,7,70,,,$(($1 * 100000 + $2)),$(($1 * 100000 + $3)),,step,,,,"; }; cp two.trace one.trace; \
  for k in 0 1 2 3 4 5; do range $k 600 99500; done >> one.trace; cp one.trace more.trace; \
  for k in 0 1 2 3 4 5; do range $k 200 400; done >> more.trace; \
  for f in one more; do gpuscale describe $f.trace --show --period nvtx:step | sed -n '/^GPU/,$p' > $f; done; \
  cmp one more && awk '/^  [01] / { print $2, "steps of", $3 }' one
6 steps of 2
6 steps of 2

# ---- the host's time between calls is the median of steps: 20 us behind a copy, 3 less behind each next
$ awk -F, -v OFS=, '/^call/ && /cudaMemcpyPeerAsync/ { $6 += 1500 * int($6 / 100000); $7 = $6 + 1700 } \
    /^call/ && /cudaStreamSynchronize/ { $6 += 20000 } { print }' two.trace > waits.trace; \
  gpuscale describe waits.trace -o waits.lua 2> /dev/null; grep 'gs.host' waits.lua
        gs.host(1.7e-05)

# ---- queues hold a host if most of its work begins two steps behind its calls: here half of it does
$ awk -F, -v OFS=, '/^sync/ || /cudaStreamSynchronize/ { next } /^[ck].*,/ && NR > 3 { $6 += 1e6; $7 += 1e6 } \
    /cudaLaunchKernel/ { $6 -= 250000; $7 -= 250000 } /cudaMemcpyPeerAsync/ { $6 += 40000; $7 += 40000 } { print }' \
    two.trace > half.trace; gpuscale describe half.trace -o half.lua 2> /dev/null; grep 'gs.host' half.lua
        gs.host(9e-05)
        gs.host(4.9e-06)

# ---- one GPU does not show what others would need: it is sent behind the last kernel of a step
$ awk -F, -v OFS=, '$3 == 71 || $4 == 1 { next } $1 == "copy" { $1 = "kernel"; $9 = "second"; $10 = $11 = $12 = ""; \
      $13 = "grid=8x1x1 block=256x1x1" } { sub("cudaMemcpyPeerAsync", "cudaLaunchKernel"); print }' two.trace > single.trace; \
  gpuscale describe single.trace -o single.lua 2> why; sed -n '/schedule =/,/end,/p' single.lua | grep -A 1 -B 1 'send('
        gs.launch("second", { share = share })
        send(g, n, k.bytes1)
        gs.synchronize {}

# ---- ncu: 200 MB of each GPU's memory, 5 Mflop; 4.1 TB/s take 49 us for them, and 1.5 to start
$ cp $SRC/tests/imports/two.ncu.csv .; gpuscale describe two.trace two.ncu.csv -o ncu.lua 2> /dev/null; \
    grep -c 'kernel("sweep", 7e-05, 0, 5e+06, 2e+08)' ncu.lua; \
    for k in timed counted; do \
      gpuscale predict ncu.lua -s h200x8 -g 2 -p schedule -P kernels=$k -f csv | cut -d, -f 12 | \
        awk 'NR > 1 { printf "%.0f us\n", 1e6 * $1 }'; done
1
70 us
52 us
# Profiled twice, a kernel has the mean: of 200 and 240 MB, 220.
$ (cat two.ncu.csv; sed -n '$s/"120","80"/"140","100"/p' two.ncu.csv) > twice.csv; \
  gpuscale describe two.trace twice.csv -o ncu.lua 2> /dev/null; grep -c 'kernel("sweep", 7e-05, 0, 5e+06, 2.2e+08)' ncu.lua
1

# ---- what is no profile
$ : > empty; echo hello > text; echo '{"traceEvents": [' > cut.json; \
  echo '{"traceEvents": []}' > none.json; printf 'SQLite format 3\0' > cut.sqlite; \
  for f in empty text cut.json none.json cut.sqlite away; do \
    gpuscale describe $f -o no.lua; echo $?; done; ls no.lua 2>&1 | cut -c 1-2
gpuscale: empty: an empty file
3
gpuscale: text: unknown profile: neither SQLite of nsys export, CSV of ncu, JSON of Kineto nor of scripts/profile
3
gpuscale: cut.json: no JSON, or cut off, byte 19: parse error: premature EOF
3
gpuscale: none.json: no kernels, copies or calls in it: profile with nsys profile --trace=cuda,nvtx
3
gpuscale: cut.sqlite: SQLite says: file is not a database
3
gpuscale: away: No such file or directory
5
ls
# Compressed, a trace says the same; cut off, it is refused.
$ gzip -c two.trace > two.gz; gpuscale describe two.gz --show -f csv | grep -v '^#' > gz.csv; \
  gpuscale describe two.trace --show -f csv | grep -v '^#' | cmp - gz.csv; \
  head -c 200 two.gz > cut.gz; gpuscale describe cut.gz --show; echo $?
gpuscale: cut.gz: compressed, and cut off
3
$ gpuscale describe; echo $?
gpuscale: describe: needs a PROFILE; see `gpuscale describe --help`
2

# ---- real exports, where they are at hand: sums are those of SQL, shares of time those of a sweep
$ d=$SRC/../shared/external; [ ! -d $d ] || \
    python3 $SRC/tests/totals_of_profiles.py $d/nsys_ai_mit/*.sqlite \
      $d/nsightful_bsd3/*.sqlite $d/pipit_nsys_mit/*.sqlite
$ d=$SRC/../shared/external; [ ! -d $d ] || for f in $(find $d -name '*.sqlite'); do \
    gpuscale describe $f -o p.lua 2>/dev/null || { echo ${f##*/} $?; continue; }; \
    gpuscale predict p.lua --system h200x8 --gpus 1-8 > out 2>&1 || cat out; done
...
