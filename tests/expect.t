# Collectives of a log beside what they should take.

# A log of nccl-tests on eight GPUs of a node; of 32 MiB and more, as long as a
# DGX H100 needs, and a quarter longer.
$ awk -v slow=1 -f $SRC/tests/log.awk > well.log; awk -v slow=1.25 -f $SRC/tests/log.awk > slow.log
$ gpuscale expect well.log --system dgx-h100 --format csv | grep -v in-place | \
    cut -d, -f 1-4,12
collective,gpus,nodes,size_B,verdict
all-gather,8,1,33554432,normal
all-gather,8,1,67108864,normal
all-gather,8,1,134217728,normal
all-gather,8,1,268435456,normal
all-gather,8,1,536870912,normal
all-gather,8,1,1073741824,normal
all-gather,8,1,2147483648,normal
all-gather,8,1,4294967296,normal
all-gather,8,1,8589934592,normal
all-gather,8,1,17179869184,normal

$ gpuscale expect well.log --system dgx-h100 > said; echo $?; head -n 1 said
0
0 of 20 rows are slow, 0 odd within the log, 0 fast. The log is even within
# What is normal is as many times as much as what is expected as it is times more than the least.
$ gpuscale expect well.log --system dgx-h100 --format csv | awk -F, 'NR > 1 { r = $10 * $11 / $9 ^ 2; n++; bad += !($10 < $9 && r > 1 - 1e-9 && r < 1 + 1e-9) } \
    END { print n, bad }'
20 0
# A fifth less bandwidth is the level of the log, not of its rows.
$ gpuscale expect slow.log --system dgx-h100 -o said; echo $?
gpuscale: not as expected: broken 0, files off 0, rows slow 0, odd 0, level 1.25
1
# Results in place have rows of their own.
$ gpuscale expect well.log --system dgx-h100 --format csv | cut -d, -f 15 | sort | uniq -c
     10 in-place
     10 out-of-place
      1 place
# The library's version is that of the log: the switch adds up since 2.17.
$ sed 's/all_gather/all_reduce/; s/float none/float sum/' well.log > new.log; \
  sed 's/22902/21504/g' new.log > old.log
$ for l in old new; do gpuscale expect $l.log --system dgx-h100 --format csv 2> why | \
    sed -n 2p | cut -d, -f 1,2,5; done
all-reduce,8,ring/simple
all-reduce,8,in-switch/simple
$ gpuscale calibrate new.log old.log --base dgx-h100 -o n.lua > said 2> why; \
  grep -o 'the logs are of several' said
the logs are of several
$ gpuscale calibrate old.log --base dgx-h100 -o n.lua > said 2> why; grep 'version =' n.lua
    version = measured(21504, 0, "allreduce, allgather, ... of NCCL"),
# A machine that cannot do the calls, and one with other GPUs: the log is even within itself,
# and the GPUs are said first.
$ gpuscale expect slow.log --system v100x4 -f csv | cut -d, -f 12 | uniq; \
  gpuscale expect slow.log --system dgx-a100 2> why | head -n 1
gpuscale: not as expected: broken 1, files off 0, rows slow 0, odd 0, level 1.00
verdict
even
The GPUs of the log are NVIDIA H100, those of dgx-a100 are not (DGX A100: eight
# A test that failed ends its table; the next one has its own.
$ awk '/^ *134217728/ { print "node1: Test NCCL failure common.cu:401"; exit } { print }' \
    slow.log > failed.log; cat failed.log well.log > both.log; \
  gpuscale expect both.log --system dgx-h100 -f csv 2> said | cut -d, -f 12 | sort | uniq -c
     20 normal
      4 slow
      1 verdict

# Collectives of MPI, from OSU's log: ranks and nodes are said before it.
$ printf '%s\n' '# nodes: 4' '# ranks: 16' '# OSU MPI-CUDA Allreduce Latency Test v7.3' \
    '# Size       Avg Latency(us)' '8 45.0' '65536 150.0' > osu.log
$ gpuscale expect osu.log --system perlmutter --format csv | cut -d, -f 1-5,12
collective,gpus,nodes,size_B,way,verdict
all-reduce,16,4,8,recursive-doubling/staged,cannot tell
all-reduce,16,4,65536,rabenseifner/staged,cannot tell
$ gpuscale calibrate osu.log --base perlmutter -o n.lua > said; \
  grep -o '^ *copy_start = measured' n.lua
    copy_start = measured

# ---- what is broken comes first
$ sed '/ 4294967296 /s/ 0$/ 77/' well.log > wrong.log; gpuscale expect wrong.log --system dgx-h100 2> why | head -n 2; cat why
wrong.log:22: 1 results have wrong elements: correct these before judging
  bandwidths. 0 of 19 rows are slow, 0 odd within the log, 0 fast. The log is
gpuscale: note: wrong.log:22: 1 results have wrong elements: correct these before judging bandwidths
gpuscale: note: wrong.log: 1 entries have no counterpart
gpuscale: not as expected: broken 1, files off 0, rows slow 0, odd 0, level 1.00
# Prefixes of launchers, mail and terminals; a lost number sign; carriage returns; each line twice: the same answer.
$ gpuscale expect well.log --system dgx-h100 -f csv > 0; for p in 's/^/[1,0]<stdout>:/' 's/^/0: /' 's/^/2024-05-01T12:00:00.123Z /' \
    's/^/> /' 's/^# *//' 's/$/\r/' 's/^/node-17: /' 's/^/[rank0]: /' 's/^/worker-1  | /' 's/^/    /' p; do \
    sed "$p" well.log > p.log; gpuscale expect p.log --system dgx-h100 -f csv 2> /dev/null | cut -d, -f -12 > p; cut -d, -f -12 0 | cmp - p; done
# An unknown program and a single rank are named; one iteration is noted.
$ sed -E 's/^# nThread.*/# Collective test starting: hypercube_perf/' well.log > h.log; gpuscale expect h.log --system dgx-h100
gpuscale: h.log:13: no row is left: hypercube_perf is none of the collectives that are known
$ grep -v 'Rank  [1-9]' well.log | awk '/^ *[0-9]/ { $8 = $12 = "0.00" } { print }' > one.log; gpuscale expect one.log --system dgx-h100 2>&1 | head -n 1
gpuscale: note: one.log:6: one rank alone sends nothing
$ sed 's/^# nThread.*/& warmup iters: 5 iters: 1 agg iters: 1/' well.log > once.log; gpuscale expect once.log --system dgx-h100 2>&1 > said
gpuscale: note: once.log:3: one iteration: each time is of a single call
# Pairs are odd among those that the system says are alike: bridged pairs are not odd beside faster PCIe.
$ awk 'BEGIN { print "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n D\\D 0 1 2 3"; for (i = 0; i < 4; i++) { printf "%d", i; for (j = 0; j < 4; j++) printf " %s", i == j ? 1500 : int(i / 2) == int(j / 2) ? 291 : 24.5; print "" } }' > bridged.txt; gpuscale expect bridged.txt --system a100-pairs 2> why | head -n 1
0 of 12 rows are slow, 0 odd within the log, 8 fast. The log is even within
# A lost rank, ranks in turns over hosts, groups: the rows tell.
$ grep -v 'Rank  3' well.log > lost.log; gpuscale expect lost.log --system dgx-h100 -f csv 2> why | cut -d, -f 2 | uniq | xargs; grep -c 'list of ranks is cut' why
gpus 8
1
$ sed -E 's/Rank +([0-9]) Group +0/Rank \1 Group \1/' well.log > split.log; gpuscale expect split.log --system dgx-h100 -f csv 2> why | cut -d, -f 2 | uniq | xargs
gpus 8
# Ranks that neither a list nor the rows tell; a stream of copies, as osu_bw sends it.
$ grep -v 'Rank' well.log | awk '/^ *[0-9]/ { $8 = $7; $12 = $11 } { gsub(/all_gather/, "broadcast"); print }' > b.log; gpuscale expect b.log --system dgx-h100; \
    gpuscale expect b.log --system dgx-h100 --ranks 8 -f csv | cut -d, -f 1,2 | uniq | xargs
gpuscale: b.log:5: no row is left: no '#  Rank' lines, and the rows do not tell the number of ranks: add --ranks
collective,gpus broadcast,8
$ printf '%s\n' '# OSU MPI-CUDA Bi-Directional Bandwidth Test v7.3' '# Size  Bandwidth (MB/s)' '4 5.1' > bi.txt; gpuscale expect bi.txt -s dgx-h100 2>&1 | head -n 1
gpuscale: note: bi.txt:1: OSU MPI-CUDA Bi-Directional Bandwidth Test v7.3: rows of this test are left out
$ printf '%s\n' '# OSU MPI-CUDA Bandwidth Test v7.3' '# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)' '# Size      Bandwidth (MB/s)' '1048576 383000' '4194304 388000' \
    > w.txt; gpuscale expect w.txt --system dgx-h100 -f csv | sed 1d | cut -d, -f 1,4,12; gpuscale expect w.txt -s h100-pcie | grep -o 'level above.*,'
dma 0-1,1048576,normal
dma 0-1,4194304,normal
level above h100-pcie,
# A row that is slow beside its twin and its neighbours is odd on every machine.
$ awk '/^ *536870912/ { $6 *= 1.2 } { print }' well.log > one.log; gpuscale expect one.log --system v100x4 -f csv 2> why | grep odd | cut -d, -f 4,12,15
536870912,odd,out-of-place
# Files of equal shape need no system; of two, the slow one is named in either order.
$ for f in 1 2 3; do cp well.log $f.log; done; awk -v slow=1.08 -f $SRC/tests/log.awk > 4.log; gpuscale expect [1-4].log 2> why | head -n 1; cat why
4.log (n1) takes 1.08 times as long as the others. 0 of 80 rows are slow, 0 odd
gpuscale: not as expected: broken 0, files off 1, rows slow 0, odd 0, level 1.00
$ gpuscale expect [1-3].log | head -n 1
No file differs from the others. 0 of 60 rows are slow, 0 odd within the log, 0
$ gpuscale expect slow.log well.log 2> why | head -n 1; gpuscale expect well.log slow.log 2> why | head -n 1
slow.log (n1) takes 1.25 times as long as the other one. 0 of 40 rows are slow,
slow.log (n1) takes 1.25 times as long as the other one. 0 of 40 rows are slow,
$ gpuscale expect well.log --system dgx-h100 -P coll.efficency=0.2; echo $?
gpuscale: -P coll.efficency: nothing here has a knob of that name; did you mean 'coll.efficiency'?
2

# ---- copies: a pair that is off beside its matrix, a link at half its rate, records of rccl-tests
$ awk 'BEGIN { print "Running device_to_device_memcpy_read_ce.\nmemcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n 0 1 2 3"; \
    for (i = 0; i < 4; i++) { printf "%d", i; for (j = 0; j < 4; j++) printf " %s", i == j ? "N/A" : i == 2 && j == 3 ? 300 : 390; print "" } }' > nvb.txt
$ gpuscale expect nvb.txt --system dgx-h100 -f csv 2> why | cut -d, -f 1,12,14 | grep -v normal
collective,verdict,line
dma 2-3,odd,6
$ sed 's/390/195/g; s/300/195/' nvb.txt > half.txt; gpuscale expect half.txt --system dgx-h100 2> why | grep -o 'level below dgx-h100, 1.99'; cat why
level below dgx-h100, 1.99
gpuscale: not as expected: broken 0, files off 0, rows slow 0, odd 0, level 1.99
$ printf '%s\n' 'Running host_to_device_memcpy_ce.' 'memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)' ' 0 1 2 3' '0 26.1 26.1 13.0 26.1' '' > h2d.txt; \
  gpuscale expect h2d.txt --system a100-pcie -f csv 2> why | cut -d, -f 1,12
collective,verdict
dma_pinned h-0,even
dma_pinned h-1,even
dma_pinned h-2,odd
dma_pinned h-3,even
$ echo '{"#wrong":"0","algBw":274.0,"busBw":479.5,"gpus":8,"inPlace":1,"name":"AllReduce","redop":"sum","size":1073741824,"time":3918.8,"type":"float"}' > r.json; \
  gpuscale expect r.json --system dgx-h100 -f csv | cut -d, -f 1-4,15 | tail -n 1
all-reduce,8,1,1073741824,in-place

# ---- logs whose truth is known, as launchers, terminals and pages leave them
$ python3 $SRC/tests/logs.py $(command -v gpuscale) 120
120 logs: no wrong ranks, no lost rows, no crash

# ---- what is no log, or no system
$ gpuscale expect; echo $?
gpuscale: expect: needs LOG; see `gpuscale expect --help`
2
$ gpuscale expect well.log; echo $?
gpuscale: expect: needs --system SYSTEM; see `gpuscale list systems`
2
$ echo 'nothing' > none.log; gpuscale expect none.log --system dgx-h100; echo $?
gpuscale: none.log: content of no known import format; known are nccl-tests-json, rccl-tests-json, nvbandwidth-json, nccl-tests, nvbandwidth, p2pBandwidthLatencyTest, osu, nvshmem-perftest, bandwidthTest, ib_write_bw, BabelStream, ds_bench, PARAM
3
$ gpuscale expect missing.log --system dgx-h100; echo $?
gpuscale: missing.log: cannot open: No such file or directory
5
$ head -n 14 well.log > cut.log; gpuscale expect cut.log --system dgx-h100 > said; echo $?
gpuscale: note: cut.log:15: the file ends inside a table of results: is it cut off?
0
$ head -n 12 well.log > cut.log; gpuscale expect cut.log --system dgx-h100; echo $?
gpuscale: cut.log:13:1: the file ends inside a table of results: is it cut off?
3
# ---- from all-reduces alone: a workload whose bytes are those of nccl-tests
$ gpuscale predict all-reduce --system dgx-h100 --gpus 4,5 -P count=1 \
    --paradigm nccl --format csv | cut -d, -f 3-5
paradigm,knobs,gpus
nccl,sum1=ring/simple,4
nccl,sum1=in-switch/simple,5
$ gpuscale sweep all-reduce --system dgx-h100 --gpus 8 --paradigm nccl \
    --over bytes=1KiB..1GiB,log,3 | sed '1,/bytes_KiB/d' | cut -c 1-9
     1.00
     1024
  1048576
