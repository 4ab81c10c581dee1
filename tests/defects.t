# Defects that a correct question once met without a word: a wrong answer and
# exit 0, or a crash.  What is expected here is derived, not observed: comments
# say how.

# ---- values of --over: a range stands alone; a word has an end
$ long=$(printf '%0130d' 1); for verb in 'sweep jacobi' 'compare jacobi' 'plot map jacobi --over gpus=2,4'; do \
    for over in n=64,128..256 n=64,128..256,log "n=$long..2" "n=1,$long"; do \
      gpuscale $verb --system h200x8 --over "$over"; echo $?; done; done 2>&1 | sort | uniq -c | sed 's/^ *//'
12 2
6 gpuscale: --over n: '0000000000000000000000000000000000000000...' is too long
6 gpuscale: --over n: '128..256' is a range among values
$ gpuscale solve jacobi --system h200x8 -g 4 --for n=64,128..256 --until time=1ms; echo $?
gpuscale: --over n: '128..256' is a range among values
2

# ---- what cannot be answered takes nothing from what can
# A way: the rows of the others are those that they have alone.
$ for verb in predict compare; do system=h200x8,k40x4; [ $verb = compare ] || system=h200x8; \
    q="$verb jacobi -s $system -g 2,4 -f csv"; gpuscale $q -p memcpy,inline > alone; \
    gpuscale $q -p memcpy,schedule,inline 2>said | cmp - alone && cat said; done
gpuscale: note: left out on h200x8: schedule: needs a schedule of the program's own
gpuscale: note: left out on h200x8: schedule: needs a schedule of the program's own
gpuscale: note: left out on k40x4: schedule: needs a schedule of the program's own
$ q='sweep jacobi -s h200x8 -g 2 --over n=64,128 -f csv'; gpuscale $q -p memcpy > alone; \
    gpuscale $q -p memcpy,schedule | cmp - alone
gpuscale: note: no row for 2 points: schedule: needs a schedule of the program's own
$ q='tune jacobi -s h200x8 -g 4 -f csv'; gpuscale $q -p proact-poll > alone; \
    gpuscale $q -p proact-poll,schedule | cmp - alone
gpuscale: note: left out on h200x8: schedule: needs a schedule of the program's own
# None is left: then that is the answer.
$ for q in 'predict jacobi -g 2,4' 'compare jacobi -g 2,4 -l pcie4,nvlink4' 'tune jacobi -g 4'; do \
    gpuscale $q -s h200x8 -p schedule; echo $?; done
gpuscale: schedule: needs a schedule of the program's own
3
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
gpuscale: schedule: needs a schedule of the program's own
3
gpuscale: schedule: needs a schedule of the program's own
3
# A way on one number of GPUs: a quad of a DGX-1 stores to all others, 8 GPUs do not.
$ gpuscale predict allgather -s dgx1 -g 2,4 -p inline -f csv > alone; \
    gpuscale predict allgather -s dgx1 -g 2,4,8 -p inline -f csv 2>/dev/null | cmp - alone
# A number of GPUs: weak scaling doubles nz = 512 of himeno with N, and 512 * 256
# is beyond 65536; a schedule may be for some N only.
$ gpuscale predict himeno -s perlmutter --weak -g 1,2,4 -p memcpy -f csv > alone; \
    gpuscale predict himeno -s perlmutter --weak -g 1,2,256,4,1024 -p memcpy -f csv 2>said | cmp - alone; \
    sed "s:$SRC/::" said
gpuscale: note: no row for 256 and 1024 GPUs: lua/workloads/himeno.lua:10: weak: nz = 131072 on 256 GPUs is not in 8 .. 65536
$ sed 's/schedule = function (g, n, i)/&\n        if n == 3 then error "not for three" end/' $SRC/lua/workloads/stencil-host.lua > some.lua; \
    gpuscale predict some.lua -s h200x8 -g 2,4 -f csv > alone; \
    gpuscale predict some.lua -s h200x8 -g 2-4 -f csv 2>said | cmp - alone; sed 's/lua:[0-9]*/lua:LINE/' said
gpuscale: note: no row for 3 GPUs: some.lua:LINE: not for three
# A value of a knob, the first too; a value of one that it has not is no value.
$ gpuscale sweep jacobi -s h200x8 -p memcpy -g 2 --over n=128 -f csv | cut -d, -f 2- > alone; \
    gpuscale sweep jacobi -s h200x8 -p memcpy -g 2 --over n=4,128,70000 -f csv 2>said | cut -d, -f 2- | cmp - alone; cat said
gpuscale: note: no row for 2 points: -P n: 4 is not in 8 .. 65536
# A system.
$ gpuscale predict jacobi -s h200x8 -g 16 -p memcpy -f csv > alone 2>/dev/null; \
    sed 's/grows *= *true/grows = false/' $SRC/params/k40x4.lua > k.lua; \
    gpuscale compare jacobi -s h200x8,k.lua -g 16 -p memcpy -f csv 2>said | cmp - alone; cat said
gpuscale: note: h200x8 has 8 GPUs; 16 is extrapolated
gpuscale: note: no row for k40x4: k40x4 has 4 GPUs and no rule to grow to 16

# ---- a price for all, or one for each
# A GPU hour of 4 costs twice one of 2 on the same system in the same time.
$ gpuscale compare als -s h200x8,dgx-a100 --price 4,2; echo $?
gpuscale: --price: '2' is a second price for all systems: name each system, as in A=4,B=2
2
$ gpuscale compare als -s h200x8,dgx-a100 --price h200x8=4,h200x8=2; echo $?
gpuscale: --price: 'h200x8' is given twice
2
$ q='compare als -g 4 -p memcpy -f csv -s h200x8,dgx-a100'; cost() { sed 1d | awk -F, '{ print $1, $(NF - 1) }'; }; \
    gpuscale $q --price h200x8=4,dgx-a100=2 | cost > each; gpuscale $q --price 2 | cost | \
    awk '{ print $1, $1 == "h200x8" ? 2 * $2 : $2 }' | paste -d' ' - each | awk '{ print $1, $2 / $4 }' | sort
dgx-a100 1
h200x8 1

# ---- what is returned to `run` is not lost without a word
$ for f in workloads/jacobi.lua ../params/h200x8.lua; do gpuscale run $SRC/lua/$f; echo $?; done 2>&1 | sed "s:$SRC/::"
gpuscale: lua/workloads/jacobi.lua:1: returns a description, which `run` has no use for: a script prints; `gpuscale predict` takes programs and systems
3
gpuscale: lua/../params/h200x8.lua:1: returns a description, which `run` has no use for: a script prints; `gpuscale predict` takes programs and systems
3
$ echo 'print(1 + 1) return 2' > two.lua; gpuscale run two.lua; echo $?; echo 'print(1 + 1)' > two.lua; gpuscale run two.lua
gpuscale: two.lua:1: returns a number, which `run` has no use for: a script prints; `gpuscale predict` takes programs and systems
3
2

# ---- units of one number may differ: 1 GB is 1000 MB
$ q='sweep allgather -s h200x8 -g 2 -p memcpy -f csv'; for over in 1MB,1GB 1..1000MB,2 1MB..1GB,2 1MB..1000MB,2; do \
    gpuscale $q --over bytes=$over | md5sum; done | uniq | wc -l
1
$ gpuscale $(echo sweep allgather -s h200x8 -g 2 -p memcpy -f csv) --over bytes=1GB,1MB,500kB,1MiB | cut -d, -f 4
bytes_GB
1
0.001
0.00050000000000000001
0.0010485760000000001
$ for over in 1MB,2us 1MB,2 1MB..2GB/s; do gpuscale sweep allgather -s h200x8 -g 2 --over bytes=$over; echo $?; done
gpuscale: --over bytes: '2us' needs a unit of the kind of 'MB'
2
gpuscale: --over bytes: '2' needs a unit of the kind of 'MB'
2
gpuscale: --over bytes: '2GB/s' needs a unit of the kind of 'MB'
2

# ---- measured speedups are over what was measured on one GPU
# 20 us on one GPU and 10 us on two are a speedup of 2.  What is infinite is
# preferred; else it is the fastest.
$ head='workload,paradigm,knobs,gpus,time_s,sigma_s'; \
    printf '%s\n' $head jacobi,memcpy,n=512,1,2e-5,0 jacobi,inline,n=512,1,2.2e-5,0 jacobi,memcpy,n=512,2,1e-5,0 > own.csv; \
    { cat own.csv; echo jacobi,infinite,n=512,1,1.9e-5,0; } > infinite.csv; grep -v ,1,2 own.csv > none.csv; \
    for f in own infinite none; do gpuscale plot scaling jacobi -s h200x8 -P n=512 -g 1-4 -p memcpy --runs $f.csv --terminal > $f.txt 2> why; s=$?; sed "/: note: /d" why; echo $s; done
0
0
gpuscale: none.csv: no run of jacobi on 1 GPU to compare with
3

# ---- a time that is none of one step
# The file's times are those of 10 000 steps; 50 are still within a hundred.
$ for steps in 10000 50; do awk -F, -v OFS=, -v s=$steps 'NR > 1 { $5 *= s } 1' own.csv > total.csv; \
    for q in 'validate total.csv' 'plot scaling jacobi -P n=512 -g 1-4 -p memcpy --terminal --runs total.csv' \
      'predict jacobi -P n=512 -g 4 --runs total.csv' 'report jacobi -P n=512 -g 1-4 --runs total.csv -o total.html'; do \
      gpuscale $q -s h200x8 2>&1 >/dev/null | grep -c 'not within a factor of 100'; done | paste -sd ' '; done
1 1 1 1
0 0 0 0

# ---- which link is enough is one of those that were asked for
# nvlink4 is the system's own: nvlink3, of two thirds of its rate, is not within
# 5 % of it where bytes are all, and is within 60 %.
$ echo "compare allgather -s h200x8 -g 2,4 -p memcpy" > asked; gpuscale $(cat asked) --within 5% -l pcie5,nvlink3 | \
    sed '4q; s/, [0-9.]* us.*//; s/, [0-9.]*% behind//'
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
within 5% of the best: no link that is asked for is enough, 2 GPUs, memcpy
  best: h200x8 by memcpy on 2 GPUs
  nearest: h200x8:nvlink3 by memcpy

$ gpuscale $(cat asked) --within 60% -l pcie5,nvlink3 | head -n 1; gpuscale $(cat asked) --within 60% -l pcie5,nvlink4 | head -n 1
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
within 60% of the best: nvlink3 is enough as link, 2 GPUs, memcpy
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
within 60% of the best: nvlink4 is enough as link, 2 GPUs, memcpy
# In files each row says how far behind it is: time over the best one's, less 1.
$ gpuscale $(cat asked) --within 60% -l pcie5,nvlink3 -f csv | awk -F, 'NR > 1 { t[NR] = $6; b[NR] = $(NF - 2); \
    if (best == "" || $6 < best) best = $6; if ($NF != "") print $1, $5, $NF } \
    END { for (i in t) if ((t[i] / best - 1 - b[i]) ^ 2 > 1e-20) print "wrong" }'
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
h200x8 2 best gpus way
h200x8:nvlink3 2 link
$ gpuscale $(cat asked) --within 60% -l pcie5 -f csv | head -n 1 | grep -o 'behind.*'; \
    gpuscale $(cat asked) --within 60% -l pcie5 -f json | grep -c '"enough"'
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
behind,within_odds,enough
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
4

# ---- a description means the same each time it is read
# What it streams is added up in the order of pairs, by bytes: 1, then
# 2 x 1 + 0.5, 2 x 2.5 + 1, and 2 x 6 + 2 = 14 GB; the other ways round it is 10.5
# to 19.  Ten runs have ten seeds.
$ for t in 14 '0 for _, v in pairs { ab = 1, aa = 0.5, b = 2, ["a!"] = 1 } do t = 2 * t + v end'; do i=$((i + 1)); \
    echo "local gs, t = require \"gpuscale\", $t return gs.workload { name = \"sum\", step = function ()" \
    'return { gs.phase { name = "p", units = 1e6, bytes = t * 1e9, footprint = t * 1e9 } } end }' > sum$i.lua; done; \
    for i in 1 2 2 2 2 2 2 2 2 2 2; do gpuscale predict sum$i.lua -s h200x8 -g 1 -p infinite -f csv; done | sort -u | wc -l
2

# ---- the limits hold for what is planned when loading has ended
# A thread a GPU: 5 000 calls each are 40 000 on eight, below 160 000; of 1 to 8 together
# they are 36 times 5 000, above.  One thread for all, of which 64 000 are the most: 9 800 a
# GPU are too many on eight.  Sanitizers take longer than a schedule may.
#long
$ for threads in 'per gpu' one; do loops=$(if [ "$threads" = one ]; then echo 2450; else echo 1250; fi); printf '%s\n' 'local gs = require "gpuscale" return gs.workload { name = "many", step = function () return {' \
      'gs.phase { name = "p", units = 1e5, bytes = 1e6 }, host = { streams = { "a", "b" }, threads = "'"$threads"'" },' \
      'schedule = function (g, n) for j = 1, '$loops' do gs.launch("p") gs.record("e") gs.wait("e", { stream = "b" })' \
      'gs.launch("p", { stream = "b" }) end gs.synchronize { stream = "b" } gs.barrier() end } end }' > many.lua; \
    for g in 8 1-8; do gpuscale predict many.lua -s h200x8 -g $g -f csv 2>said | wc -l; sed 's/ of all GPUs.*//; s/:1: schedule (n = [0-9]*): more than [0-9]* calls/ meets a limit/; s/\(:[0-9]*\)\{0,1\}: took more than 2 s/ meets a limit/' said; done; done
3
0
gpuscale: many.lua meets a limit
0
gpuscale: many.lua meets a limit
0
gpuscale: many.lua meets a limit

# ---- a number that is swept, or found, is one that is given
# Each row is that of a predict of its own, the error of its time too: what a number
# changes is made anew, and it is as exact as one behind -P.  Of a machine that is projected
# it moves no number that was projected by it.
$ shown() { awk -F, -v OFS=, '/^(point|system),/ { for (i = 1; i <= NF; i++) at[$i] = i; next } \
      { print $at["paradigm"], $at["time_s"], $at["time_err_s"], $at["speedup"], $at["opportunity"] }'; }; \
    printf '%s\n' 'pagerank -s dgx-h100-ndr -g 64 -p infinite,memcpy|network.jitter|10ns,300us' \
      'pagerank -s dgx-h100-ndr -g 64 -p infinite,memcpy|network.barrier|1us,300us' \
      'jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us|copy.initiation|1us,40us' \
      'jacobi -s h200x8 -g 2 -p infinite,memcpy,inline|device.membw|3GB/s,100GB/s' \
      'jacobi -s h200x8 -g 2 -p infinite,memcpy,inline|copy.efficiency|0.5,1' \
      "$SRC/tests/defects/agent.lua -s h100-pcie -g 4 -p infinite,memcpy|device.membw|1GB/s,9TB/s" \
      "$SRC/tests/defects/agent.lua -s gb200-nvl72 -g 4 -p infinite,nccl|link.rate|100GB/s,2TB/s" | \
    while IFS='|' read -r asked name values; do asked="$asked -f csv"; \
      gpuscale sweep $asked --errors --over "$name=$values" | shown > swept; wc -l < swept; \
      for v in $(echo $values | tr , ' '); do gpuscale predict $asked -P "$name=$v" 2> /dev/null; done | shown | cmp - swept; done
4
4
2
6
6
4
4
# What is found answers when it is given.
$ printf '%s\n' 'pagerank -s dgx-h100-ndr -g 64 -p memcpy|network.jitter|10ns..1ms|opportunity=0.4|11|0.4' \
      'jacobi -s h200x8 -g 8 -p memcpy -P norm=1 -P t1=300us|copy.initiation|1ns..100us|time=150us|6|150e-6' | \
    while IFS='|' read -r asked name range wanted column value; do \
      found=$(gpuscale solve $asked -f csv --for $name=$range --until $wanted | awk -F, 'NR == 2 { print $5 }'); \
      gpuscale predict $asked -f csv -P $name=${found}s 2> /dev/null | awk -F, -v c=$column -v v=$value \
        'NR == 2 { x = $c / v - 1; print (x * x < 1e-12 ? "so it is" : $c) }'; done
so it is
so it is

# ---- the same time on one GPU is as sure however it is said
# Said by the program or behind -P it is of the system that is asked about: on one GPU
# there is nothing but it.  That of another system is never shown without a mark.
$ for t1 in '' 't1 = 0.004,' 't1 = 0.004, t1_on = "dgx-a100",' 't1 = 0.004, t1_on = "k40x4",'; do i=$((i + 1)); \
      echo "local gs = require 'gpuscale' return gs.workload { name = 'one', step = function () return { $t1" \
      "gs.phase { name = 'p', units = 1e6, bytes = 1e9, footprint = 1e9, to = 'all', publish = 1e6 } } end }" > t1$i.lua; done; \
    q='-s dgx-a100 -g 1,4 -p infinite,memcpy -f csv'; given='-P t1=4ms'; for i in 1 2 3; do \
      gpuscale predict t1$i.lua $q $given | cut -d, -f 3-7,25 | md5sum; given=; done | uniq | wc -l; \
    for s in dgx-a100 h200x8; do gpuscale predict t14.lua -s $s -g 1 | grep -o 'any.*'; done; \
    gpuscale predict t14.lua -s dgx-a100 -g 1 -P t1=4ms | grep -o 'any.*'
1
gpuscale: note: t1 of one was measured on a GPU of k40x4; for dgx-a100 it is scaled by the roofline
any       495.8 us  +40/-28%     1.00  100.0%  nothing  assumed: number
gpuscale: note: t1 of one was measured on a GPU of k40x4; for h200x8 it is scaled by the roofline
any       223.1 us  +40/-28%     1.00  100.0%  nothing  assumed: t1
any       4 ms     1.00  100.0%  nothing  extrapolated: machine

# What its roofline explains is scaled by the rooflines (third number there, and here);
# the rest is not (6 ms: what exceeds 4.553 ms is as long on every GPU).
$ for s in k40x4 dgx-a100 h200x8; do q="-s $s -g 1 -p infinite -f csv"; { gpuscale predict t14.lua $q; \
      gpuscale predict t14.lua $q -P t1=6ms -P t1_on=k40x4; gpuscale predict t11.lua $q; } 2>/dev/null | \
      awk -F, -v s=$s '$5 == 1 { t = t sprintf(" %.4g", 1e3 * $6); if (!a) a = $25 } END { print s, a t }'; done
k40x4 extrapolated 4 6 4.554
dgx-a100 assumed 0.4958 2.01 0.5646
h200x8 assumed 0.2231 1.7 0.254
# Links of its own system keep it; of several systems each has its own.
$ gpuscale compare t14.lua -s k40x4 --link pcie2,pcie4 -g 1 -f csv | awk -F, 'NR > 1 { print $6 }' | sort | uniq -c | sed 's/ *//'
gpuscale: note: k40x4, whose link is pcie3, keeps loads and stores by peers, packets of up to 128 B and 41% of a link's rate; its other numbers, known with pcie3, become assumptions
27 0.0040000000000000001
$ gpuscale compare t14.lua -s k40x4,h200x8 -g 1 -P t1=3ms; \
    gpuscale compare t14.lua -s k40x4,h200x8 -g 1 -P k40x4.t1=3ms -P h200x8.t1=2ms -f csv | cut -d, -f 1,6 | sort -u
gpuscale: compare: -P t1 is the time on one system: name it, as in SYSTEM.t1=3ms
h200x8,0.0019999999999999996
k40x4,0.0030000000000000001
system,time_s

# ---- no shipped program shows a time of another GPU without a mark
$ for w in $(gpuscale list workloads -f csv | sed 1d | cut -d, -f 1); do \
      grep -q "t1_on = " $SRC/lua/workloads/$w.lua && echo $w; done >timed; \
    grep -l " t1 = .*gs.measured" $SRC/lua/workloads/*.lua | sed 's:.*/::; s:.lua$::' | grep -v template | cmp - timed && cat timed
ct
moe
tp-layer
$ for w in $(cat timed); do for s in $(gpuscale list systems -f csv | sed 1d | cut -d, -f 1); do \
      gpuscale predict $w -s $s -f csv 2>/dev/null | awk -F, -v s=$s 'NR > 1 { print (s ~ /^(k40x4|ct-bus|h200x[248])$/ ? "its own" : \
        $25 == "assumed" ? "marked" : s " " $25) }'; done; done | sort -u
its own
marked

# ---- both formats of rows have the same numbers
# A packet of pcie7 takes parts of flits: its bytes are a mean, and no whole number.
$ for link in pcie1 pcie6 pcie7; do gpuscale goodput --link $link -f csv | awk -F, 'NR > 1 { printf "%.9g\n", $4 }' > by-csv; \
      gpuscale goodput --link $link -f json | sed -n 's/.*"wire_B": \([0-9.e+-]*\).*/\1/p' | \
        awk '{ printf "%.9g\n", $1 }' | cmp - by-csv && wc -l < by-csv; done
22
22
22

# ---- two systems of one name have two names
# Whichever is asked about first: the file's time is that of its slower link.
$ sed 's/"450 GB.s"/"100 GB\/s"/' $SRC/params/h200x4.lua > mine.lua; \
    cmp -s mine.lua $SRC/params/h200x4.lua && echo alike; for s in mine.lua,h200x4 h200x4,mine.lua; do \
      gpuscale compare allgather -g 2 -p memcpy -f csv -s $s | awk -F, 'NR > 1 { print $1, $6 }' | sort | tee row | cut -d' ' -f 1; \
      awk '{ t[NR] = $2 } END { print (t[2] > t[1]) }' row; done
h200x4
mine.lua
1
h200x4
mine.lua
1

# ---- a row without a field has no columns
# Which ended by a division by zero.
$ for rows in '{ {} }' '{ {}, { a = {} } }' '{ { a = 1 } }, {}' '{}'; do \
    echo "local gs = require 'gpuscale' gs.rows($rows)" > rows.lua; gpuscale run rows.lua; echo $?; done
gpuscale: rows.lua:1: gs.rows: no columns
3
gpuscale: rows.lua:1: gs.rows: no columns
3
gpuscale: rows.lua:1: gs.rows: no columns
3
gpuscale: rows.lua:1: gs.rows: no rows
3

# ---- the best is the fastest shown, and what is as fast ties with it
# On ct-bus without errors 2 GPUs take T/2 and what each sends behind it, 1 MiB by copies and
# less by stores: the longer T is, the nearer they are.  Up to 1.01 times as long copies tie.
$ for t1 in 4 20 30 40; do gpuscale predict jacobi -s ct-bus -g 2 -p inline,memcpy -P t1=${t1}ms -f csv | \
      awk -F, 'NR > 1 { t[$3] = $6; is[$3] = $31 "," $32 } END { r = t["memcpy"] / t["inline"]; \
        print (r <= 1.01 ? "near" : "far"), is["inline"], is["memcpy"] }'; done
far best, ,
far best, ,
near best,memcpy tie,
near best,memcpy tie,
# Beyond 1 % they tie by what the errors allow: that of the ratio is at most the sum of theirs.
# The best is the fastest, of equal times the plainest, and all that are within 1 % tie.
$ plain='schedule memcpy memcpy-async broadcast inline rdl nccl proact-poll proact-cdp um um-hints'; \
    for w in jacobi als pagerank hit allgather ct sssp; do for s in h200x8 dgx-a100 v100x4 dgx2 pcie-tree4 dgx-h100-ndr:8,32; do \
      g=${s#*:}; [ $g = $s ] && g=2,4; gpuscale predict $w -s ${s%:*} -g $g -f csv 2> why | \
        awk -F, -v plain="$plain" 'BEGIN { n = split(plain, name, " "); for (i = 1; i <= n; i++) rank[name[i]] = i } \
          NR > 1 && $3 != "infinite" { k = $5; m[k]++; way[k, m[k]] = $3; t[k, m[k]] = $6; e[k, m[k]] = $7 / $6; is[k, m[k]] = $31; \
            if (!(k in least) || $6 < least[k]) { least[k] = $6; of[k] = $7 / $6 } if ($31 ~ /^best/) { best[k] = rank[$3]; bests[k]++; split($32, a, " "); tied[k] = length(a) } } \
          END { for (k in m) { if (bests[k] != 1) print "not one best"; ties = 0; for (i = 1; i <= m[k]; i++) { r = t[k, i] / least[k]; \
            in_it = is[k, i] != ""; ties += is[k, i] ~ /^tie/; asked++; if (r <= 1.01 && !in_it) print "left out " way[k, i]; \
            if (in_it && r > 1.01 && r > exp(0.1 * (e[k, i] + of[k]))) print "too far " way[k, i]; \
            if (in_it && is[k, i] !~ /^best/ && t[k, i] <= least[k] && rank[way[k, i]] < best[k]) print "plainer " way[k, i]; \
            if (is[k, i] ~ /^best/ && r > 1 + 1e-9) print "slower " way[k, i] } if (ties != tied[k]) print "also says another number" } \
            print asked > "asked" }'; cat asked; done; done | awk 'NF > 1 { print } NF == 1 { n += $1 } END { print (n > 600) }'
1
# Whatever names it says it: a table, explain, tune, compare, solve, report.
$ q='jacobi -s h200x8'; gpuscale predict $q -g 4 | grep -o 'also: um-hints'; gpuscale explain --all $q -g 4 | grep -o 'best, also: um-hints'; \
    gpuscale tune $q -g 4 | tr '\n' ' ' | grep -o 'the best is rdl.*also: um-hints'; gpuscale compare $q,k40x4 -g 4 2> why | tr -s '\n ' '  ' | grep -o 'by rdl, also: um-hints,'; \
    gpuscale solve $q -g 4,8 --knee | tr -s '\n ' ' ' | grep -o 'by rdl, also: um-hints' | sort -u; \
    gpuscale report $q -g 2,4 -o page.html; grep -c 'also: um-hints' page.html
also: um-hints
best, also: um-hints
by rdl, also: um-hints,
by rdl, also: um-hints
1
# The ways that have runs are those of data/, and no other is named best without the word.
$ find $SRC/data -name 'runs*.csv' | xargs awk -F, 'FNR == 1 { p = 0 } /^#/ { next } \
      !p { for (i = 1; i <= NF; i++) { if ($i == "paradigm") p = i; if ($i == "gpus") g = i; if ($i == "knobs") k = i; if ($i == "time_s") t = i } next } \
      $g > 1 && $t > 0 { print $p; if (match($k, /between=[a-z0-9-]*/)) print substr($k, RSTART + 8, RLENGTH - 8) }' | sort -u > runs; \
    gpuscale list paradigms -f csv | awk -F, '$NF == "measured" && $1 != "schedule" { print $1 }' | sort | diff - runs && wc -l < runs
10
$ for q in 'jacobi -s h200x8 -g 2 -p broadcast' 'jacobi -s dgx-h100-ndr -g 16' 'jacobi -s h200x8 -g 2 -p gps --proposed'; do \
      gpuscale predict $q | grep -c unmeasured; gpuscale explain --all $q | grep -c unmeasured; gpuscale predict $q -f json | grep -c '"best'; done
3
2
1
6
2
1
3
2
1

# ---- a graph is one call, and its kernels follow one another
# Three phases of 30, 20 and 10 us and nothing to wait for: a step is the longer of the host's
# calls, three launches or one graph, and of the GPU's, 60 us and three starts.
$ printf '%s\n' 'local gs = require "gpuscale"' 'local function phase (name, time)' \
      '  return gs.phase { name = name, units = 1, compute = { fixed = time } } end' \
      'return gs.workload { name = "three", knobs = { graph = gs.knob { default = 0, least = 0, most = 1, whole = true } },' \
      '  step = function (k) return { phase("a", "30us"), phase("b", "20us"), phase("c", "10us"),' \
      '    schedule = function (g, n, i)' \
      '      if k.graph == 1 then gs.graph { "a", "b", "c" } return end' \
      '      gs.launch "a" gs.launch "b" gs.launch "c"' \
      '    end } end }' > three.lua; \
    for graph in 0 1; do for calls in 1:1 50:70 50:170; do for start in 0 7; do \
      gpuscale predict three.lua -s h200x4 -g 1 -p schedule -P graph=$graph -P host.launch=${calls%:*}us \
        -P host.graph=${calls#*:}us -P device.start=${start}us -f csv | \
        awk -F, -v g=$graph -v l=${calls%:*} -v c=${calls#*:} -v s=$start 'NR == 2 { host = g ? c : 3 * l; gpu = 60 + 3 * s; \
          t = 1e-6 * (host > gpu ? host : gpu); x = $6 / t - 1; print (x * x < 1e-18 ? "so long" : $6) }'; \
    done; done; done | sort | uniq -c | sed 's/^ *//'
12 so long
# ---- a copy that is pulled is issued by who pulls
# Each from its right neighbour takes as long as each to its left; all from one GPU as long as
# its port needs for all, and at most as long as if it sent all in a row, with each one's start.
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.workload { name = "pull",' \
      '  knobs = { how = gs.knob { default = 0, least = 0, most = 3, whole = true } },' \
      '  step = function (k) return { gs.phase { name = "p", units = 1, bytes = 8, footprint = 8 },' \
      '    schedule = function (g, n, i)' '      gs.barrier()' \
      '      if k.how == 0 then gs.copy { to = (g - 1) % n, bytes = "64 MiB" } end' \
      '      if k.how == 1 then gs.copy { from = (g + 1) % n, bytes = "64 MiB" } end' \
      '      if k.how == 2 and g > 0 then gs.copy { from = 0, bytes = "64 MiB" } end' \
      '      for to = 1, k.how == 3 and g == 0 and n - 1 or 0 do gs.copy { to = to, bytes = "64 MiB" } end' \
      '      gs.synchronize {}' '      gs.barrier()' '    end } end }' > pull.lua; \
    for n in 2 3 4; do for how in 0 1 2 3; do gpuscale predict pull.lua -s h200x4 -g $n -p schedule -P how=$how -f csv | \
      sed 1d | cut -d, -f 6; done | awk -v n=$n '{ t[NR] = $1 } END { \
        print (t[1] == t[2]), (t[3] <= t[4]), (t[3] >= (n - 1) * 67108864 / 450e9), (t[4] / t[3] - 1 < 0.02) }'; done; \
    gpuscale explain --all pull.lua -s h200x4 -g 3 -p schedule -P how=2 --timeline -f csv | \
      awk -F, '$5 == "copy-d2d" { print "thread " $2 ", GPU " $3 ", " $6 }'
1 1 1 1
1 1 1 1
1 1 1 1
thread 1, GPU 1, 64 MiB from GPU 0
thread 2, GPU 2, 64 MiB from GPU 0
# ---- what cannot be said is refused by a line that says so
$ for call in 'gs.copy { to = 1, bytes = 4, pageable = true }' 'gs.send { to = 0, bytes = 4 }' 'gs.graph "p"' \
      'gs.graph { "q", "p" }' 'gs.graph { "p", "q", "p" }' 'gs.graph {}' 'gs.graph { "p", 1 }' 'gs.copy { to = 0, from = 0, bytes = 4 }' \
      'gs.copy { kind = "d2h", from = 0, bytes = 4 }' 'gs.graph { "q" } gs.launch "p" gs.publish "p"'; do \
      echo 'local gs = require "gpuscale" return gs.workload { name = "w", step = function () return {' \
        'gs.phase { name = "p", units = 1, bytes = 8, footprint = 8, to = "all", publish = 8 }, gs.phase { name = "q", units = 1, bytes = 8, footprint = 8 },' \
        "schedule = function (g, n, i) $call end } end }" > no.lua; gpuscale predict no.lua -s h200x4 -g 2; done; \
    echo 'local gs = require "gpuscale" return gs.system { name = "x", like = "h200x8", gpus = 2, topology = "switch",' \
      'link = { name = "pcie4" }, staged = { rate = function (n) return 1e9 * n end } }' > over-n.lua; \
    gpuscale predict jacobi -s ./over-n.lua -g 2 2>&1 | grep -m 1 'depends on N'
gpuscale: no.lua:1: gs.copy: pageable: only from and to the host
gpuscale: no.lua:1: gs.send: messages of MPI are not modelled in a schedule; gs.copy to a GPU of another node is one as by gpudirect, gs.collective NCCL's
gpuscale: no.lua:1: gs.graph: needs a list of phases, got a string
gpuscale: no.lua:1: gs.graph: 'p' does not follow 'q' in the workload: a graph is of phases in the order that step returns them
gpuscale: no.lua:1: gs.graph: 'p' does not follow 'q' in the workload: a graph is of phases in the order that step returns them
gpuscale: no.lua:1: gs.graph: needs a list of phases, got a table
gpuscale: no.lua:1: gs.graph: phase: needs a name, got a number
gpuscale: no.lua:1: gs.copy: to and from exclude one another: the other end is this GPU
gpuscale: no.lua:1: gs.copy: from: only between GPUs
gpuscale: no.lua:1: schedule (n = 1): graph: 'q' is launched by itself where phases are published
gpuscale: ./over-n.lua:1: staged.rate: needs gs.spec, gs.measured, gs.assumed or gs.fitted; a number of a system that depends on N is not modelled

# ---- copies of several streams share their GPU's port
# To each other GPU by a stream of its own: all bytes leave by one port, however many streams
# there are, so a step takes at least these at the link's rate, and no less than in a row.
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.workload { name = "spread", summary = "to all others",' \
      '  knobs = { apart = gs.knob { default = 0, least = 0, most = 1, whole = true }, bytes = gs.knob { default = 67108864, least = 4, whole = true } },' \
      '  step = function (k) return { gs.phase { name = "p", units = 1, bytes = 8, footprint = 8 },' \
      '    host = { streams = { "s1", "s2", "s3", "s4", "s5", "s6", "s7" } },' \
      '    schedule = function (g, n, i)' '      gs.barrier()' \
      '      for d = 1, n - 1 do gs.copy { to = (g + d) % n, bytes = k.bytes, stream = "s" .. (k.apart == 1 and d or 1) } end' \
      '      for d = 1, k.apart == 1 and n - 1 or 1 do gs.synchronize { stream = "s" .. d } end' '      gs.barrier()' \
      '    end } end }' > spread.lua; \
    for s in h200x4:450 dgx2:150; do for n in 2 3 4 8; do for bytes in 1048576 67108864; do for apart in 0 1; do \
      gpuscale predict spread.lua -s ${s%:*} -g $n -p schedule -P apart=$apart -P bytes=$bytes -f csv 2> why | sed 1d | cut -d, -f 6; done | \
        awk -v n=$n -v b=$bytes -v r=${s#*:} '{ t[NR] = $1 } END { least = (n - 1) * b / r / 1e9; \
          print (t[1] >= least), (t[2] >= least), (n < 3 || b < 2e7 || t[2] >= 0.99 * t[1]) }'; done; done; done | sort | uniq -c | sed 's/^ *//'
16 1 1 1

# ---- what leaves a node passes its cards, by methods of messages too
# Of 256 MB each of eight GPUs has 32 and needs the rest: four GPUs that share a card, and
# send each other by it too, send 4 x 7 x 32 MB, however fast the messages themselves are.
$ for r in 6 3 1 0.5; do gpuscale predict allgather -s k40-fdr -g 8 -P network.rate=${r}GB/s -p memcpy+gpi2,memcpy+mpi -f csv 2> why | \
      awk -F, -v r=$r 'NR > 1 { least = 28 * 32e6 / r / 1e9; print ($6 >= least), (r > 1 || $6 < 1.01 * least) }'; done | sort | uniq -c | sed 's/^ *//'
8 1 1

# ---- managed memory is no slower where pages are copied faster
# Between pages that move and pages that stay the time is the harmonic mean of both, which the
# wire's part and the loads' may not exceed: over many rates of loads, a faster copy never slows.
$ for w in allgather jacobi pagerank transpose; do gpuscale sweep $w -s h200x4 -g 4 -p um -P um.thrash_window=10ms -P um.fault_start=1us \
      -P um.fault_rate=1000TB/s --over load.rate=10M/s..100G/s,log,60 --over copy.efficiency=0.2,0.5,0.9 -f csv 2> why | \
      awk -F, 'NR > 1 { asked++; if ($4 == was && $9 > t * (1 + 1e-12)) print "slower at " $4; was = $4; t = $9 } END { print asked }'; done
180
180
180
180

# ---- a guess that is steep where it stands and flat on the way to its error's end matters
# (store.reach of h200x4, borrowed: elasticity -2.35 here, 0.03 over its error)
$ for s in h200x4 h200x8; do for p in inline broadcast; do \
    gpuscale explain random-access --system $s --gpus 2 --paradigm $p --all -f csv 2> notes | \
    awk -F, '/^applicability,/ { said = $11 " " $12 } $5 == "assumed" && ($6 > 0.1 || $6 < -0.1) { most = $1 } \
      END { print said, most }'; done; done | sort | uniq -c | sed 's/^ *//'
4 assumed store.reach store.reach
