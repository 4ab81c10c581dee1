# traces: programs that compute for real and emit their accesses to shared data.
#once
$ printf '%s\n' '#!/bin/sh' 'p=$1; shift; exec "$B/params/traces/$p" "$@"' > t; \
    chmod +x t

# ---- the results are right, in any order, on any number of GPUs
$ ./t jacobi --check --size 24
ok    points unlike a plain loop's: 0
ok    residual / that before: 0.786638
$ ./t jacobi --check --dims 2 --size 100 --gpus 3 --order in-order
ok    points unlike a plain loop's: 0
ok    residual / that before: 0.761725
$ ./t pagerank --check --size 2000 | cut -d : -f 1
ok    sum of all ranks
ok    farthest from a plain loop's rank
$ ./t pagerank --check --size 2000 --pull 1 --gpus 5 --seed 8 | cut -d : -f 1
ok    sum of all ranks
ok    farthest from a plain loop's rank
$ ./t sssp --check --size 1000 --iterations 4
ok    distances above those of as many plain rounds: 0
ok    distances below the shortest path: 0
ok    share of vertices at the shortest path, so far: 0.706
$ ./t sssp --check --size 1000 --iterations 30 --gpus 7 --seed 3
ok    distances above those of as many plain rounds: 0
ok    distances below the shortest path: 0
ok    share of vertices at the shortest path, in the end: 1
$ ./t als --check --size 300
ok    squared error / that before: 0.44079
ok    numbers unlike a plain loop's: 0
$ ./t als --check --size 100 --atomic 1 --ratings 40 --gpus 2 | cut -d : -f 1
ok    squared error / that before
$ ./t ct --check --size 12 | cut -d : -f 1
ok    residual / that before
ok    voxels unlike a plain loop's
ok    back projection is the adjoint, but for
$ ./t ct --check --size 8 --gpus 8 --order in-order --seed 4 --subsets 5 | \
    cut -d : -f 1
ok    residual / that before
ok    voxels unlike a plain loop's
ok    back projection is the adjoint, but for
# Flat slabs: planes beside points per edge.
$ ./t jacobi --check --size 20 --planes 9
ok    points unlike a plain loop's: 0
ok    residual / that before: 0.787818
# Also one GPU, and more GPUs than there is work for.
$ ./t sssp --check --size 20 --gpus 64 --iterations 20 | grep -c ok
3
$ ./t pagerank --size 100 --gpus 1 --csv --iterations 1
gpu,kind,address,size_B,dst,group
0,phase,0,0,all,0
0,phase,0,0,all,0
# Paths of one edge, as far as warps that came later did not go on from them.
$ ./t sssp --check --size 1000 --iterations 1 | grep share
ok    share of vertices at the shortest path, so far: 0.05

# ---- one load of each 4 KiB and kernel says the same of who reads which page
$ for p in "jacobi --size 48" "pagerank --size 20000" "sssp --size 20000 --edges 9" \
      "als --size 2000 --ratings 9 --seed 4" "ct --size 16 --subsets 1"; do \
    ./t $p --loads -o l.trace && ./t $p --touches -o s.trace && \
    test $(wc -c <s.trace) -lt $(wc -c <l.trace) && \
    for k in 4KiB 64KiB; do for f in l s; do "$B/gpuscale" replay $f.trace --queue gps --profile 2 \
      --page $k --link pcie4 -f csv | cut -d, -f 1-15,18-25,29-36 >$f.csv; done; \
    cmp l.csv s.csv && echo $k same; done; done
4KiB same
64KiB same
4KiB same
64KiB same
4KiB same
64KiB same
4KiB same
64KiB same
4KiB same
64KiB same

# ---- the file
$ ./t jacobi --dims 2 --size 4 --gpus 2 --iterations 1 --order in-order --csv
gpu,kind,address,size_B,dst,group
0,store,4297064464,4,1,1
0,store,4297064468,4,1,1
0,store,4297064472,4,1,1
0,store,4297064476,4,1,1
1,store,4297064480,4,0,1
1,store,4297064484,4,0,1
1,store,4297064488,4,0,1
1,store,4297064492,4,0,1
0,phase,0,0,all,0
$ ./t jacobi --dims 2 --size 4 --gpus 2 --iterations 1 -o a.trace; \
    od -A n -t c -N 8 a.trace; od -A n -t u4 -w24 -j 8 -N 24 a.trace; \
    od -A n -t u1 -j 160 -N 16 a.trace
   g   s   c   a   l   e   t   r
          1          2          9          0          0          0
   0   0   0   0   0   0   0   0   0   0   0   0   0   0 255   5
# A stream does not know its length; else it is the same.
$ ./t jacobi --dims 2 --size 4 --gpus 2 --iterations 1 > b.trace; \
    cmp -l a.trace b.trace | awk '{ print $1, $2, $3 }'
17 11 0
$ ./t jacobi --dims 2 --size 4 --gpus 2 --iterations 1 -o - | cmp - b.trace

# Both forms say the same.
$ printf '%s\n' 'BEGIN { split("store load atomic system fence phase", kind, " ") }' \
    'NR > 2 { a = 0; for (i = 8; i >= 1; i--) a = 256 * a + $i' \
    '  printf "%d,%s,%.0f,%d,%s,%d\n", $14, kind[$16 + 1], a, $13,' \
    '    $15 == 255 ? "all" : $15, $9 + 256 * ($10 + 256 * ($11 + 256 * $12)) }' \
    > decode.awk
$ for p in "jacobi --size 16" "pagerank --size 500" \
    "pagerank --size 500 --pull 1" "sssp --size 500 --edges 40" \
    "als --size 64 --ratings 9 --rank 6" "als --size 64 --atomic 1" \
    "ct --size 8"; do \
    ./t $p --loads --iterations 1 --gpus 3 -o x.trace; \
    ./t $p --loads --iterations 1 --gpus 3 --csv -o x.csv; \
    od -A n -v -t u1 -w16 x.trace | awk -f decode.awk > y.csv; \
    [ -s y.csv ] && sed 1d x.csv | cmp - y.csv || echo "$p"; \
    cat x.csv >> all.csv; \
  done
# Lanes of an instruction follow each other, 32 at most; nobody stores to itself.
$ awk -F, '$2 == "phase" || $2 == "kind" { delete last; next }\
    { key = $2 "," $6; if (last[$1] != key) n[$1] = 0; last[$1] = key }\
    ++n[$1] > 32 { print "33 lanes: " $0 }\
    $4 % 4 || $3 % $4 || $4 > 16 { print "not aligned: " $0 }\
    $2 != "load" && $5 == $1 { print "to itself: " $0 }' all.csv
$ awk -F, '{ kinds[$2 " " $5]++ } END { for (k in kinds) print k }' all.csv | \
    LC_ALL=C sort
atomic 0
atomic 1
atomic 2
atomic all
kind dst
load 0
load 1
load 2
load all
phase all
store 0
store 1
store 2
store all

# ---- the order
# One seed, one trace; another seed, the same stores in another order.
$ for seed in 1 1 2; do ./t ct --size 16 --iterations 1 --seed $seed | cksum; \
  done | uniq | wc -l
2
$ for seed in 1 2; do ./t als --size 500 --iterations 1 --seed $seed --csv | \
    cut -d , -f 1-5 > s$seed; LC_ALL=C sort s$seed | cksum; done | uniq | wc -l
1
$ cmp -s s1 s2 || echo another order
another order
# Another input is another graph.
$ for input in 1 2; do ./t sssp --size 500 --input $input | cksum; done | \
    uniq | wc -l
2
# In order, a GPU's addresses only rise within a sweep of one resident block.
$ ./t jacobi --size 32 --order in-order --resident 1 --iterations 1 --csv | \
    awk -F, '$2 == "store" { if ($3 <= at[$1, $5]) print; at[$1, $5] = $3 }'
# Loads add loads, and change nothing else.
$ for p in "ct --size 8" "sssp --size 500" "als --size 200"; do \
    ./t $p --csv | cut -d , -f 1-5 > without; \
    ./t $p --csv --loads | cut -d , -f 1-5 > with; \
    cmp -s with without && echo "$p: no loads"; \
    grep -v load with | cmp - without; done

# ---- counts
$ ./t jacobi --count --size 64 --iterations 4 | grep -v '_[0-9]*B,0$'
name,value
gpus,4
sweep.launches,4
sweep.published_B,98304
sweep.published_B.gpu0,16384
sweep.published_B.gpu1,32768
sweep.published_B.gpu2,32768
sweep.published_B.gpu3,16384
sweep.over,1
sweep.lines,768
sweep.line_B,128
sweep.stores,768
sweep.store_B,128
sweep.sector_store_B,32
sweep.run_store_B,128
sweep.stores_128B,1
sweep.joins_16,0
sweep.joins_32,0
sweep.joins_64,0
sweep.joins_128,0
sweep.joins_256,0
sweep.rewrites,1
sweep.needed_by_0,0
sweep.needed_by_1,1
sweep.needed_by_2,0
sweep.needed_by_3,0
sweep.read,1
# A GPU of one plane publishes it once, to two neighbours who both need it; the
# first and the last have one neighbour: 2 of 4 words.
$ ./t jacobi --count --size 4 --iterations 3 | grep -E '_B|need|re|over' | grep -v gpu
sweep.published_B,256
sweep.over,1
sweep.line_B,64
sweep.stores,6
sweep.store_B,64
sweep.sector_store_B,32
sweep.run_store_B,64
sweep.stores_4B,0
sweep.stores_8B,0
sweep.stores_16B,0
sweep.stores_32B,0
sweep.stores_64B,1
sweep.stores_128B,0
sweep.rewrites,1
sweep.reuse_B,128
sweep.needed_by_0,0
sweep.needed_by_1,0.5
sweep.needed_by_2,0.5
sweep.needed_by_3,0
sweep.read,1
# Updates pushed, counted from the graph's CSV: bytes again / bytes at first.
$ ./t pagerank --count --size 1000 --iterations 2 > facts; \
    ./t pagerank --size 1000 --iterations 1 --csv | LC_ALL=C awk -F, '$2 == "atomic" {\
      n++; if (!seen[$1, $3]++) first++ }\
    END { printf "push.published_B,%d\npush.rewrites,%.5f\n", 4 * first, n / first }'
push.published_B,9516
push.rewrites,3.95881
$ grep -E 'published_B,|rewrites|read' facts
push.published_B,9516
push.rewrites,3.95881
push.read,1
# Who needs a rank, counted from the loads.
$ ./t pagerank --pull 1 --size 1000 --iterations 3 --count | grep need; \
    ./t pagerank --pull 1 --size 1000 --iterations 1 --loads --csv | LC_ALL=C awk -F, '\
      $2 == "load" && !seen[$1, $3]++ { n[$3]++ }\
    END { for (a in n) by[n[a]]++;\
      for (k = 1; k < 4; k++) print k ": " by[k] / 1000 }'
pull.needed_by_0,0.007
pull.needed_by_1,0.037
pull.needed_by_2,0.227
pull.needed_by_3,0.729
1: 0.037
2: 0.227
3: 0.729
# Each thread of als has a vector of 64 B: two lanes meet in a line.
$ ./t als --count --size 512 | grep -E 'rows.*(store_B|rewrites|line_B|stores_)'
rows.line_B,128
rows.store_B,8
rows.sector_store_B,4
rows.run_store_B,4
rows.stores_4B,0
rows.stores_8B,1
rows.stores_16B,0
rows.stores_32B,0
rows.stores_64B,0
rows.stores_128B,0
rows.rewrites,1
# A GPU of one warp writes number by number: each but the first of 16 is next to
# one that was written 15 lines before.
$ ./t als --count --size 128 | grep rows.joins
rows.joins_16,0.9375
rows.joins_32,0
rows.joins_64,0
rows.joins_128,0
rows.joins_256,0
# With a thread for each rating every number is written once for each rating.
$ ./t als --count --size 500 --ratings 20 --atomic 1 | grep rows.rew
rows.rewrites,20
$ ./t ct --count --size 16 -o facts; grep -E 'published_B,|rewrites|over' facts
forward.published_B,16128
forward.over,1
forward.rewrites,1
back.published_B,16384
back.over,1
back.rewrites,1

# ---- mistakes
$ ./t jacobi --gpus 65; echo $?
jacobi: --gpus: '65' is not a whole number from 1 to 64
2
$ ./t ct --size=4x; echo $?
ct: --size: '4x' is not a whole number from 8 to 512
2
$ ./t als --pull 1; echo $?
als: no option '--pull'; see --help
2
$ ./t als --order up; echo $?
als: --order: 'up' is neither in-order nor shuffled
2
$ ./t sssp --seed; echo $?
sssp: --seed needs a value
2
$ ./t jacobi --size 3; echo $?
jacobi: --size: 3 planes cannot be dealt to 4 GPUs
2
$ ./t jacobi --count --check; echo $?
jacobi: either --count or --check
2
$ ./t jacobi --check -o x; echo $?
jacobi: --check writes no file: leave -o out
2
$ ./t jacobi --count --csv; echo $?
jacobi: --csv and --loads are for traces
2
$ ./t jacobi -o missing/x.trace; echo $?
jacobi: missing/x.trace: No such file or directory
5
$ ./t jacobi > /dev/full; echo $?
jacobi: standard output: No space left on device
5
$ ./t jacobi -o /dev/full; echo $?
jacobi: /dev/full: No space left on device
5
# What does not fit is not left behind, and what was there stays.
$ mkdir d; echo old > d/x; (ulimit -f 8; ./t jacobi -o d/x); echo $?; ls d; \
    cat d/x
jacobi: d/x: File too large
5
x
old
$ ln -s x d/link; chmod 600 d/x; ./t jacobi --size 8 -o d/link; \
    ls -l d | awk 'NR > 1 { print substr($1, 1, 10), $9 }'
lrwxrwxrwx link
-rw------- x
