# ---- calibrate: the shipped measurements over the shipped base

$ data=$SRC/data/h200x8/micro && cd $data && \
  gpuscale calibrate agent.csv dma.csv exchange.csv launch.csv membw.csv \
    overlap.csv store.csv track.csv ../../h200x2/micro/cdp.csv remote.csv scatter.csv um.csv \
    --base h200x8 -o $OLDPWD/mine.lua \
    --format csv 2>/dev/null > $OLDPWD/report.csv; echo $?
0

# What has no bench keeps the base's value and says so; the rest is fitted.
$ cut -d, -f 1,8- report.csv | grep -E 'no bench|not measured' | cut -d, -f 1 > kept; wc -l < kept; sed -n '1p;$p' kept; \
    grep -cxE 'host.sync|device.membw|store.gap' kept
168
device.memory
hostpath.fetch
0

# What is but a guess is not written, and is one of the new file again.
$ grep -cE '^    (memset|straggle|near) =|^  (contention|share|hand) =' mine.lua
0
$ gpuscale explain --all jacobi --system ./mine.lua --gpus 2 --paradigm inline \
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
# Its title says how far off the fit is, as the table does.
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base h200x8 -o dma.lua -f csv 2> /dev/null | \
    awk -F, '$1 == "copy.initiation" { printf "mean |error| %.1f %%, worst %.1f %%\n", 100 * $6, 100 * $7 }' > said; \
  grep -o -f said fit.svg | sort -u | wc -l
1
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

# ---- what becomes of a warp's atomics: sectors on these GPUs, over any base; lines and words
# from times that say so
$ for m in h100x2 h200x2 h200x4 h200x8; do for b in h100x2 h200x8; do \
    gpuscale calibrate $SRC/data/$m/micro/remote.csv --base $b -o m.lua >said 2>why; grep -h " merge = measured" m.lua; done; done | uniq -c
      8     merge = measured("32 B", "0.032 B", "atomic_remote"),
$ for t in 44e-6 665e-6 150e-6; do sed "s/^\(atomic_remote,.*,1,\)[^,]*\(,[^,]*,51\)$/\1$t\2/" \
      $SRC/data/h200x8/micro/remote.csv >r.csv; gpuscale calibrate r.csv --base h200x8 -o m.lua -f csv 2>why | \
    grep "^atomic.merge" | cut -d, -f 2,4,9-; done
128,32,,atomic_remote,
4,32,,atomic_remote,
,32,,,neither words nor sectors nor lines

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
gpuscale: note: 31 measurements identify no parameter: event_pair, dma_single, dma_streams

# Another machine's numbers over a base that cannot have them.
$ gpuscale calibrate $SRC/tests/imports/p2p.txt --base dgx-a100 -o x.lua \
    --format csv 2>/dev/null | grep copy.eff | cut -d, -f 11-
"1.365, held at the limit: is the base right?"

# A topology among the files: how the GPUs of the new system are joined.
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv $SRC/tests/imports/topo-mesh.txt --base h200x8 -o mesh.lua 2>&1 > /dev/null | grep mesh | sed 's/.*imports/i/'
i/topo-mesh.txt: 4 GPUs, mesh
$ grep -c 'kind = "mesh"' mesh.lua; gpuscale predict jacobi --system ./mesh.lua --gpus 4 --paradigm memcpy --format csv | cut -d, -f 1,3,5
1
system,paradigm,gpus
mesh,memcpy,4
$ gpuscale calibrate $SRC/data/h200x8/micro/dma.csv $SRC/tests/imports/nccl-tree.xml --base h200x8 -o tree.lua > /dev/null 2>&1; grep -o 'kind = "tree"' tree.lua
kind = "tree"
$ head -3 $SRC/tests/imports/nccl-tree.xml > cut.xml; gpuscale calibrate $SRC/data/h200x8/micro/dma.csv cut.xml --base h200x8 -o cut.lua > /dev/null 2>&1; echo $?; ls cut.lua
3
ls: cannot access 'cut.lua': No such file or directory
# Rates of pairs alone: bridges of 270 GB/s, 24.5 GB/s without one, 530 GB/s both ways.
$ awk 'BEGIN { for (b = 0; b < 2; b++) { print "Running device_to_device_" (b ? "bidirectional_" : "") "memcpy_read_ce.\nmemcpy CE GPU(row) " (b ? "<-> GPU(column) Total" : "-> GPU(column)") " bandwidth (GB/s)\n 0 1 2 3"; \
    for (i = 0; i < 4; i++) { printf "%d", i; for (j = 0; j < 4; j++) printf " %s", i == j ? "N/A" : int(i / 2) == int(j / 2) ? (b ? 530 : 270) : (b ? 48 : 24.5); print "" } print "" } }' > pairs.txt; gpuscale calibrate pairs.txt --base h100-pairs -o pairs.lua --format csv 2> /dev/null | grep ^link.duplex | cut -c 1-17; \
    grep -o 'kind = "mesh", staged = spec(0.0907' pairs.lua; sed -n '/links = {/,/}/p' pairs.lua | sed -n 2p
link.duplex,1.989
kind = "mesh", staged = spec(0.0907
      { 0, 1, 0, 0 },

# ---- people get a screen of what is told worst, and the rest with --all
$ q="$SRC/data/h200x8/micro/*.csv --base h200x8 -o mine.lua"; gpuscale calibrate $q 2>/dev/null > some; \
  gpuscale calibrate $q --all 2>/dev/null > all; awk 'END { print (NR <= 40) }' some; grep -c ' +/- ' all; \
  tr -s ' ' < all > all.1; tr -s ' ' < some | sed -n '/^[a-z.]*[.][a-z_]* .*%$/s/ [^ ]*$//p' | grep -cxFf all.1; grep -c outliers: all; grep -e '--all' some
1
50
16
3
of 54 numbers, the 16 with the worst fits; --all has the others, with benches

# ---- which rows come first says nothing: those of barriers, the last to the first, or all so
$ f=$SRC/data/h200x8/micro/launch.csv; sed -n '/^#/p; /^bench/p' $f > head; sed '/^#/d; /^bench/d' $f > rows; cp $f said.csv; \
  (cat head; tac rows) > back.csv; (cat head; grep ^launch_sync_barrier rows | tac; grep -v ^launch_sync_barrier rows) > barriers.csv; \
  for x in said back barriers; do gpuscale calibrate $x.csv --base h100x2 -o out.lua -f csv 2> why | \
    awk -F, '!/^#/ && $2 + 0 > 0 { printf "%s %.6g %.6g\n", $1, $2, $3 }' > $x; done; \
  grep -c '^host.barrier' said; cmp said back && cmp said barriers && echo same
2
same

# Each file is closed when its kind is known: fifteen are read where sixteen can be open.
$ (ulimit -n 16; gpuscale calibrate $(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo $SRC/data/h200x8/micro/dma.csv; done) \
    --base h200x8 -o fifteen.lua) > said 2> /dev/null; echo $?
0
# Ours are told from those of other tools by the first column; runs of programs move numbers.
$ for head in bench,size 'benchmarks of a day'; do echo "$head" > b.txt; gpuscale calibrate b.txt --base h200x8 -o b.lua; done; \
  printf '%s\n' workload,paradigm,knobs,gpus,time_s,sigma_s jacobi,infinite,n=512,1,2.8e-4,1e-6 jacobi,memcpy,n=512,2,1.6e-4,1e-6 \
    jacobi,memcpy,n=512,4,1.1e-4,1e-6 > b.txt; gpuscale calibrate b.txt --base h200x8 -o b.lua | head -n 1
gpuscale: b.txt: no column 'src'
gpuscale: b.txt: content of no known import format; known are nccl-tests-json, rccl-tests-json, nvbandwidth-json, nccl-tests, nvbandwidth, p2pBandwidthLatencyTest, osu, nvshmem-perftest, bandwidthTest, ib_write_bw, BabelStream, ds_bench, PARAM
2 numbers moved

# Arithmetic rates by precision replace those of the sheet.
$ gpuscale calibrate $SRC/data/h200x2/steps/flops.csv --base h200x2 -o f.lua > said 2>&1; grep -o ' flops.* = measured("[^"]*"' f.lua
 flops = measured("63.6524 Tflop/s"
 flops_fp64 = measured("33.0991 Tflop/s"
 flops_fp64_tensor = measured("64.8238 Tflop/s"
 flops_tf32 = measured("452.578 Tflop/s"
 flops_fp16 = measured("858.221 Tflop/s"
# All pairs of GPUs, as pairs.cu writes them: four alike are one point beside dma.cu's 21; two bridges; no peers.
$ for p in all two none; do awk -v p=$p 'BEGIN { print "bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,sigma_s,repeats"; for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) if (i != j) { \
    near = p == "all" || (p == "two" && int(i / 2) == int(j / 2)); print (near ? "dma," : "staged_copy,") i "," j ",2," (near ? "copy" : "host") ",67108864,4,0,1," (near ? 696e-6 : 24e-3) ",1e-7,21" } }' > $p.csv; \
    gpuscale calibrate $p.csv $([ $p != all ] || echo $SRC/data/h200x8/micro/dma.csv) --base h200x4 -o p.lua -f csv 2> why | grep '^copy.eff\|^staged.rate' | cut -d, -f 1,5; grep -o 'mesh, .*\|can.peer is.*' why; done | xargs
copy.efficiency,22 staged.rate,0 copy.efficiency,4 staged.rate,8 mesh, between its parts by the host copy.efficiency,0 staged.rate,12 can.peer is none
# Rings between bridged pairs tell the rate through the host, not the host's time of a call.
$ awk 'BEGIN { print "# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 4"; for (i = 0; i < 4; i++) print "#  Rank  " i " on n device " i " [0x1] A100"; print "# size count type redop root time algbw busbw #wrong"; for (b = 2 ^ 21; b < 2 ^ 31; b *= 2) { t = 40 + 1.5 * b / 16e3; printf "%d %d float sum -1 %.2f %.3f %.3f 0\n", b, b / 4, t, b / t / 1e3, 1.5 * b / t / 1e3 } print "# Avg bus bandwidth : 16" }' > host.log; gpuscale calibrate host.log --base a100-pairs -o host.lua -f csv | grep -E '^(staged.rate|coll.issue)' | cut -d, -f 1,5 | sort; gpuscale expect host.log -s ./host.lua | head -n 1
coll.issue,0
staged.rate,10
0 of 10 rows are slow, 0 odd within the log, 0 fast. The log is even within
