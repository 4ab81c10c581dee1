# sweep: one question at many values of its numbers.

# ---- what a row says is what predict says
$ gpuscale sweep jacobi --system h200x8 --gpus 4 --paradigm memcpy \
    --over link.rate=10GB/s..900GB/s,log,3 --format csv | cut -d, -f 1-5,7,13
point,system,workload,link.rate_Bps,paradigm,gpus,bound
0,h200x8,jacobi,10000000000,memcpy,4,bandwidth
1,h200x8,jacobi,94868329805.051376,memcpy,4,compute
2,h200x8,jacobi,900000000000,memcpy,4,compute
$ printf '%s\n' 'for v in 8 64 512; do' \
    '  gpuscale predict allgather --system h200x8 --gpus 2 -p inline,memcpy -P "bytes=$v MB" \' \
    '    -P link.rate=300GB/s -P host.copy=3us -f csv | sed 1d | cut -d, -f 3,6,9' \
    'done' > each; \
  gpuscale sweep allgather --system h200x8 --gpus 2 -p inline,memcpy --over bytes=8..512MB,log,3 \
    --over link.rate=300GB/s --over host.copy=3us -f csv | sed 1d | cut -d, -f 7,10,12 | \
    sort > swept; sh each | sort | diff - swept && echo same
same
# Points that differ in parameters are predicted together: as predict does, by each way, where it cannot be, and where a
# plan is made of the number.
$ for k in 'link.rate 2 3 5 8 13 21 34 55 89 GB/s' 'host.sync 1 2 3 4 5 6 7 8 9 us' 'device.membw 1 2 3 4 5 6 7 8 9 TB/s' \
    'device.memory 1 2 4 8 16 32 64 128 256 MB'; do \
    set -- $k; name=$1; shift; values=; while [ $# -gt 1 ]; do values="$values $1"; shift; done; unit=$1; \
    for v in $values; do gpuscale predict jacobi --system h200x8 -g 2,8 -P n=256 -P "$name=$v $unit" -f csv 2>/dev/null | \
      sed 1d | cut -d, -f 3-6,9-11; done | sort > each; \
    over=; for v in $values; do over="$over,$v$unit"; done; \
    gpuscale sweep jacobi --system h200x8 -g 2,8 -P n=256 --over $name=${over#,} -f csv 2>/dev/null | sed 1d | \
      cut -d, -f 5-8,10-12 | sort | cmp - each && grep -c . each; done
198
198
198
66
# With errors too; and N and a paradigm's knob are axes.
$ gpuscale sweep jacobi --system h200x8 -p memcpy-async --over gpus=2,4 --errors \
    --over memcpy-async.chunk=64KiB,1MiB -f csv | sed 1d | cut -d, -f 4,5,8,9,10 > swept; \
  for n in 2 4; do for c in 65536 1048576; do \
    gpuscale predict jacobi --system h200x8 -p memcpy-async -g $n -P memcpy-async.chunk=$c\ B -f csv | \
      sed 1d | awk -F, -v c=$c '{ print $5 "," c "," $5 "," $6 "," $7 }'; \
  done; done | diff - swept && echo same
same
$ gpuscale sweep jacobi --system h200x8 --gpus 2,4 -p memcpy,inline --over n=128,512 --best -f csv | \
    cut -d, -f 1,4,5,7
point,n,paradigm,gpus
0,128,inline,2
0,128,inline,4
1,512,inline,2
1,512,inline,4

# ---- --at: points of a table, one a row
# A grid's own points, as a table, are the grid; parts of the table, by split, are joined by cat.
$ q='sweep jacobi --system h200x8 -p memcpy,inline -f csv'; \
  gpuscale $q --over link.rate=10GB/s,20GB/s,40GB/s --over gpus=2,4 --over n=64,512 > grid.csv; \
  { echo link.rate,gpus,n; for r in 10 20 40; do for g in 2 4; do for n in 64 512; do \
    echo $r GB/s,$g,$n; done; done; done; } > points.csv; \
  for n in 1 2; do gpuscale $q --at points.csv --jobs $n | cmp - grid.csv && echo same; done
same
same
$ q='sweep jacobi --system h200x8 -p memcpy,inline -f csv'; sed 1d points.csv | split -l 5 - part.; for p in part.a?; do { head -n 1 points.csv; cat $p; } > points.$p; \
    gpuscale $q --at points.$p -o rows.$p; grep -v '^#' rows.$p | sed 1d | cut -d, -f 2- > $p; done; \
  cat part.a? > joined; sed 1d grid.csv | cut -d, -f 2- | cmp - joined && wc -l < joined
24
# Any knob; errors too; a point that has no answer is left out, and said.
$ printf 'n,memcpy-async.chunk,device.memory\n64,64KiB,80 GB\n512,1MiB,1 MB\n128,1 MiB,80 GB\n' > points.csv; \
  gpuscale sweep jacobi -s h200x8 -p memcpy-async -g 2 --at points.csv --errors -f csv > said 2>why; cut -d, -f 1,4-9 said; \
  cut -c 1-70 why; for n in 64 128; do gpuscale predict jacobi -s h200x8 -p memcpy-async -g 2 -P n=$n \
    -P memcpy-async.chunk=$([ $n = 64 ] && echo 64 || echo 1024)KiB -P 'device.memory=80 GB' -f csv | sed 1d | cut -d, -f 6,7; done > each; \
  sed 1d said | cut -d, -f 10,11 | cmp - each && echo same
point,n,memcpy-async.chunk_B,device.memory_B,paradigm,knobs,gpus
0,64,65536,80000000000,memcpy-async,,2
2,128,1048576,80000000000,memcpy-async,,2
gpuscale: note: no row for 1 point: jacobi on 2 GPUs does not fit devi
same
$ for table in 'n' 'n;64;x' 'gpus;2;0' 'link.rate,n;1 GB/s,64;1 TB,64' 'copy.efficiency;2' 'n,n;1,2' 'nothing;1' 'n;-5' \
    "$(seq -s, 17);$(seq -s, 17)"; do printf "$table" | tr ';' '\n' > points.csv; \
    gpuscale sweep jacobi -s h200x8 --at points.csv -f csv; echo $?; done 2>&1 | paste -d'|' - -
gpuscale: points.csv: no points|3
gpuscale: points.csv:3: n: 'x' is no number|3
gpuscale: points.csv:3: gpus: 0 is not in 1 .. 65536, whole|3
gpuscale: points.csv:3: link.rate: '1 TB': a size where a rate (B/s) is needed|3
gpuscale: points.csv:2: copy.efficiency: 2 is not in 1e-06 .. 1|3
gpuscale: points.csv:1:2: a column name given twice: 'n'|3
gpuscale: points.csv:2: nothing: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word|3
gpuscale: points.csv:2: n: -5 is not in 8 .. 65536|3
gpuscale: points.csv: more than 16 columns|3
$ for q in '--at points.csv --over n=64' '--at points.csv --design random --points 3' '--at no.csv'; do \
    gpuscale sweep jacobi -s h200x8 $q; echo $?; done 2>&1 | paste -d'|' - -
gpuscale: sweep: --at excludes --over and --design|2
gpuscale: sweep: --at excludes --over and --design|2
gpuscale: no.csv: cannot open: No such file or directory|5
# A pipe is written too; a file is whole or not there, with the command that made it.
$ mkfifo pipe; gpuscale sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64,128 -f csv -o pipe & \
    grep -vc '^#' pipe; wait; ls -l pipe | cut -c 1
3
p
$ gpuscale sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64,128 -f csv -o made.csv; sed -n 's/^# command: //p' made.csv; ls made.csv*
gpuscale sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64,128 -f csv -o made.csv
made.csv

# ---- what is refused, before any point
$ for over in link.rate=9GB/s..1GB/s link.rate=1GB/s..2GB/s,log,0 link.rate=nan n=1,x n=1MB,2GB \
    gpus=0..4 copy.efficiency=0.5..2 link.rate=1e400GB/s memcpy-async.chunk=0 x 'n=8..16,few' \
    'host.launch=0s..1s,log'; do \
    gpuscale sweep jacobi --system h200x8 --over "$over"; echo $?; done 2>&1 | paste -d'|' - -
gpuscale: --over link.rate: the range runs backwards|2
gpuscale: --over link.rate: 0 is not in 1 .. 100000000|2
gpuscale: --over link.rate: 'nan': not a finite decimal number|2
gpuscale: --over n: 'x' is no number|2
gpuscale: -P n: '1MB': a size where a count or fraction is needed|2
gpuscale: --over gpus: 0 is not in 1 .. 65536, whole|2
gpuscale: --over copy.efficiency: 2 is not in 1e-06 .. 1|2
gpuscale: --over link.rate: '1e400GB/s': not a finite decimal number|2
gpuscale: --over memcpy-async.chunk: 0 is not above 0|2
gpuscale: --over x: needs the form NAME=FROM..TO or NAME=V,V,...|2
gpuscale: --over n: 'few' is not log, whole, or a number of values|2
gpuscale: --over host.launch: log: begins at 0|2
$ gpuscale sweep jacobi --system h200x8 --over link.rate=1GB/s..2GB/s,100000 \
    --over copy.initiation=1us..2us,10000 -f csv; echo $?
gpuscale: sweep: 1000000000 points, at most 100000000
2
$ gpuscale sweep jacobi --system h200x8 --over nothing=1..2; echo $?
gpuscale: -P nothing: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2
$ gpuscale sweep jacobi --system h200x8 --over can.peer=1,2; echo $?
gpuscale: -P can.peer: '1': needs none, copies, stores or atomics
2
$ gpuscale sweep jacobi --system h200x8; echo $?
gpuscale: sweep: needs --over NAME=FROM..TO or --at FILE
2
$ gpuscale sweep jacobi --system h200x8 --over n=64 --design sobol; echo $?
gpuscale: --design sobol: needs --points
2
$ gpuscale sweep jacobi --system h200x8 -g 4 -p memcpy --over n=64,1024 --design sobol --points 1 -f csv | \
    sed '/^#/d' | wc -l
2
$ gpuscale sweep jacobi --system h200x8 --over device.memory=1MB,80GB -p memcpy -g 4 -f csv 2>&1 | cut -c 1-70
point,system,workload,device.memory_B,paradigm,knobs,gpus,time_s,time_
1,h200x8,jacobi,80000000000,memcpy,,4,9.2645447005022832e-05,,2.934914
gpuscale: note: no row for 1 point: jacobi on 4 GPUs does not fit devi
# Without any of the paradigms, a point is left out; without some, each says why.
$ for p in schedule,gpudirect schedule,gpudirect,memcpy schedule,gpudirect,memcpy,inline; do \
    gpuscale sweep jacobi --system h200x8 -g 2 -p $p --over n=64,128 -f csv 2>&1 | sed 1d | cut -d, -f 4,5; done
gpuscale: no paradigm can run there: schedule: needs a schedule of the program's own
64,memcpy
128,memcpy
gpuscale: note: no row for 2 points: schedule: needs a schedule of the program's own
gpuscale: note: no row for 2 points: memcpy+gpudirect: needs a system of several nodes (network)
64,memcpy
64,inline
128,memcpy
128,inline
gpuscale: note: no row for 2 points: schedule: needs a schedule of the program's own
gpuscale: note: no row for 2 points: memcpy+gpudirect: needs a system of several nodes (network)

# Numbers that only some of a plan asks for: what a sweep says is what a
# prediction does.
$ gpuscale predict pagerank -s dgx-h100-ndr -g 64 -p infinite,memcpy \
    -P network.jitter=300us --format csv | sed '/^#/d' | cut -d, -f 3,11
paradigm,opportunity
infinite,1
memcpy,0.39488384883877475
$ gpuscale sweep pagerank -s dgx-h100-ndr -g 64 -p infinite,memcpy \
    --over network.jitter=10ns,300us --format csv | sed '/^#/d' | cut -d, -f 5,12
paradigm,opportunity
infinite,1
memcpy,0.07110563582680865
infinite,1
memcpy,0.39488384883877475
$ gpuscale predict jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us \
    -P copy.initiation=40us --format csv | sed '/^#/d' | cut -d, -f 9
gpuscale: note: t1 of jacobi is below the time of a GPU of h200x8 without the work of phases; calls, waits, starts, norms and given times are scaled by 0.934
speedup
1.6682135901176434
$ gpuscale sweep jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us \
    --over copy.initiation=1us,40us --format csv | sed '/^#/d' | cut -d, -f 10
speedup
4.258632808437623
1.6682135901176434
