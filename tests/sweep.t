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

# ---- designs: the same points whatever the shard
$ for d in grid random sobol; do \
    case $d in grid) k='' ;; *) k='--points 91' ;; esac; \
    q="sweep jacobi --system h200x8 --gpus 4 -p memcpy,inline --design $d $k --seed 3 --format csv"; \
    q="$q --over link.rate=10GB/s..900GB/s,log,7 --over copy.initiation=1us..9us,13"; \
    gpuscale $q -o whole.csv || exit; \
    for n in 1 7 64; do \
      files=; for i in $(seq $n); do \
        gpuscale $q --shard $i/$n -o part$i.csv; files="$files part$i.csv"; done; \
      gpuscale sweep --merge $files -o merged.csv && cmp whole.csv merged.csv && echo $d $n; \
    done; done
grid 1
grid 7
grid 64
random 1
random 7
random 64
sobol 1
sobol 7
sobol 64
$ gpuscale sweep --merge part1.csv part3.csv -o merged2.csv; echo $?; ls merged2.csv 2>&1 | wc -l
gpuscale: part3.csv: begins with point 2 where 1 is next
3
1
$ gpuscale sweep --merge part1.csv -o merged2.csv; echo $?
gpuscale: sweep: points from 1 on are missing
3

# ---- a run that was killed goes on where it was, to the same bytes
$ q='sweep jacobi --system h200x8 --gpus 4 -p memcpy,inline --over link.rate=10GB/s..900GB/s,log,40'; \
  gpuscale $q -f csv -o whole.csv; \
  for bytes in 300 900 1800 4000; do \
    head -c $bytes whole.csv > killed.csv.part; \
    gpuscale $q -f csv -o killed.csv --resume; cmp whole.csv killed.csv && echo $bytes; done; ls *.part 2>/dev/null
300
900
1800
4000
$ echo '# gpuscale sweep 1' > killed.csv.part; echo '# of something else' >> killed.csv.part; \
    gpuscale sweep jacobi --system h200x8 --over gpus=2 -f csv -o killed.csv --resume; echo $?
gpuscale: killed.csv.part: was made by another question: remove it to begin anew
3
# A shard of point 1 alone: what has one before it, or behind, was made by another.
$ q='sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64,128,256,512 -f csv --shard 2/4'; \
  gpuscale $q -o part.csv; for point in 0 1 2; do \
    sed "s/^1,/$point,/" part.csv > again.csv.part; gpuscale $q -o again.csv --resume; echo $?; \
    rm -f again.csv.part; done; cmp part.csv again.csv && echo same
gpuscale: again.csv.part: has point 0, not of this part
3
0
gpuscale: again.csv.part: has point 2, not of this part
3
same
$ mkfifo pipe; gpuscale sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64,128 -f csv -o pipe & \
    cat pipe | wc -l; wait; ls -l pipe | cut -c 1; ls pipe.part 2>&1 | wc -l
3
p
1
# A name with a quote changes no shard's head.
$ mkdir "it's"; q='sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64,128 -f csv'; \
  for i in 1 2; do gpuscale $q --shard $i/2 -o "it's/$i.csv"; done; \
  gpuscale sweep --merge "it's/1.csv" "it's/2.csv" | wc -l
3
# In earnest: SIGKILL in the middle.
$ q='sweep jacobi --system h200x8 --gpus 4 -p proact-poll --over link.rate=10GB/s..900GB/s,log,2000'; \
  gpuscale $q -f csv -o whole.csv; rm -f killed.csv*; \
  gpuscale $q -f csv -o killed.csv & \
  while [ "$(cat killed.csv.part 2>&1 | wc -c)" -lt 4096 ] && [ ! -e killed.csv ]; do :; done; \
  kill -9 $! 2>/dev/null; wait 2>/dev/null; gpuscale $q -f csv -o killed.csv --resume; cmp whole.csv killed.csv && echo same
same

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
gpuscale: --over gpus: 0 is not in 1 .. 2048, whole|2
gpuscale: --over copy.efficiency: 2 is not in 1e-06 .. 1|2
gpuscale: --over link.rate: '1e400GB/s': not a finite decimal number|2
gpuscale: --over memcpy-async.chunk: 0 is not above 0|2
gpuscale: --over x: needs the form NAME=FROM..TO or NAME=V,V,...|2
gpuscale: --over n: 'few' is not log, whole, or a number of values|2
gpuscale: --over host.launch: log: begins at 0|2
$ gpuscale sweep jacobi --system h200x8 --over link.rate=1GB/s..2GB/s,100000 \
    --over copy.initiation=1us..2us,10000 -f csv; echo $?
gpuscale: sweep: 1000000000 points, at most 100000000 in one process: take --shard I/N
2
$ gpuscale sweep jacobi --system h200x8 --over nothing=1..2; echo $?
gpuscale: -P nothing: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2
$ gpuscale sweep jacobi --system h200x8 --over can.peer=1,2; echo $?
gpuscale: -P can.peer: '1': needs none, copies, stores or atomics
2
$ gpuscale sweep jacobi --system h200x8; echo $?
gpuscale: sweep: needs --over NAME=FROM..TO
2
$ gpuscale sweep jacobi --system h200x8 --over n=64 --design sobol; echo $?
gpuscale: --design sobol: needs --points
2
$ gpuscale sweep jacobi --system h200x8 -g 4 -p memcpy --over n=64,1024 --design sobol --points 1 -f csv | \
    sed '/^#/d' | wc -l
2
$ gpuscale sweep jacobi --system h200x8 --over n=64 --shard 3/2; echo $?
gpuscale: --shard: '3/2' is not I/N, I from 1 to N
2
$ gpuscale sweep jacobi --system h200x8 --over n=64 --resume; echo $?
gpuscale: --resume: needs --format csv and -o FILE
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
memcpy,0.4703624822556336
$ gpuscale sweep pagerank -s dgx-h100-ndr -g 64 -p infinite,memcpy \
    --over network.jitter=10ns,300us --format csv | sed '/^#/d' | cut -d, -f 5,12
paradigm,opportunity
infinite,1
memcpy,0.20595111515133072
infinite,1
memcpy,0.4703624822556336
$ gpuscale predict jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us \
    -P copy.initiation=40us --format csv | sed '/^#/d' | cut -d, -f 9
gpuscale: note: t1 of jacobi is below what a GPU of h200x8 takes without the work of phases; calls, waits, starts, norms and given times are taken to be 0.934 times as long
speedup
1.6682135901176434
$ gpuscale sweep jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us \
    --over copy.initiation=1us,40us --format csv | sed '/^#/d' | cut -d, -f 10
speedup
4.258632808437623
1.6682135901176434
