# replay: small traces whose packets follow by hand.

# ---- one warp writes a line, then a word twice, to GPU 1 of two
$ { echo gpu,kind,address,size_B,dst,group; \
    for i in 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60; do \
      echo 0,store,$i,4,1,7; done; \
    echo 0,store,256,4,1,8; echo 0,store,256,4,1,9; \
  } > words.csv
$ gpuscale replay words.csv --gpus 2 --profile 0
Through finepack pcie4 carries 1.47 B for each that is needed, through bulk
  1054.12.

queue     stage   link   stores  packets    wire  goodput  useful  protocol
sm        steady  pcie4       3        3   144 B    47.2%    68 B      72 B
plain     steady  pcie4       3        3   144 B    47.2%    68 B      72 B
gps       steady  pcie4       3        2   304 B    22.4%    68 B      48 B
finepack  steady  pcie4       3        1   100 B    68.0%    68 B      32 B
bulk      steady  pcie4       3      256  70 KiB     0.1%    68 B     6 KiB

queue     stage   link   stores  redundant    unused  per packet   hits
sm        steady  pcie4       3        4 B       0 B           -      -
plain     steady  pcie4       3        4 B       0 B           -      -
gps       steady  pcie4       3        0 B     188 B        1.50  33.3%
finepack  steady  pcie4       3        0 B       0 B        3.00  33.3%
bulk      steady  pcie4       3        0 B  65.47 kB           -      -

queue     stage   link   stores  TLB hits
sm        steady  pcie4       3         -
plain     steady  pcie4       3         -
gps       steady  pcie4       3     50.0%
finepack  steady  pcie4       3         -
bulk      steady  pcie4       3         -

gps, steady: left by phase 2
gps: no page that GPUs share
finepack, steady: left by phase 1

# Rewrites that meet in a queue: 72 B for 68, of which finepack sends 68; a phase with as many is sent alike.
$ gpuscale replay words.csv --gpus 2 --profile 0 -q plain,finepack -f csv | awk -F, '{ print $1, $NF }'
queue rewrites
plain 1.0588235294117647
finepack 1
$ for r in '1 1' '6 6' '6 3' '2 8'; do gpuscale predict pagerank -s v100-sim4 -g 4 -p inline,finepack --proposed -P preset=finepack \
    -P pull.publish.rewrites=${r% *} -P pull.store.locality.near=${r#* } -f csv | awk -F, 'NR > 1 { printf "%.0f ", $19 }'; done; echo
299620188 44399363 1797721128 44399363 1797721128 88798725 599240376 44399363 

# A script has the same counts.
$ printf '%s\n' 'for _, q in ipairs { "plain", "gps", "finepack" } do' \
    '  local r = gs.replay { trace = "words.csv", gpus = 2, queue = q, profile = 0, tlb = 4, ways = 4 }' \
    '  print(q, r.stores, r.packets, r.wire_B, r.useful_B, r.queued, r.hits) end' >replay.lua; gpuscale run replay.lua; \
  for more in 'gpus = 0' 'queue = "gsp"' 'gpu = 2' 'tlb = "8"' 'tlb = 1.5'; do echo "gs.replay { trace = 'words.csv', $more }" >bad.lua; gpuscale run bad.lua; done; \
  echo 'gs.replay { queue = "gps" }' >bad.lua; gpuscale run bad.lua; echo $?; \
  mkfifo pipe; echo 'gs.replay { trace = "pipe", gpus = 2 }' >bad.lua; gpuscale run bad.lua; echo $?
plain	3.0	3.0	144.0	68.0	0.0	0.0
gps	3.0	2.0	304.0	68.0	3.0	1.0
finepack	3.0	1.0	100.0	68.0	3.0	1.0
gpuscale: bad.lua:1: gs.replay: words.csv: a CSV trace does not say how many GPUs there are
gpuscale: bad.lua:1: gs.replay: queue: no 'gsp'
gpuscale: bad.lua:1: gs.replay: unknown key 'gpu'
gpuscale: bad.lua:1: gs.replay: tlb: needs a number, got a string
gpuscale: bad.lua:1: gs.replay: tlb: needs a whole number
gpuscale: bad.lua:1: gs.replay: trace: needs a file
3
gpuscale: bad.lua:1: gs.replay: pipe: not a regular file
3

# 64 + 24 and 4 + 24 twice; 2 (128 + 24); 24 + (4 + 64) + (4 + 4); with
# configuration packets 10 B more for each run; sub-headers of 5 B.
$ gpuscale replay words.csv --gpus 2 -q finepack --config-packets --subheader 5 \
    --format csv | cut -d, -f 1-12
queue,stage,link,gpus,stores,packets,wire_B,goodput,useful_B,protocol_B,redundant_B,unused_B
finepack,steady,pcie4,2,3,3,124,0.54838709677419351,68,56,0,0
$ gpuscale replay words.csv --gpus 2 -q sm --link nvlink1,nvlink4 --format csv \
    | cut -d, -f 1,3,6,7
queue,link,packets,wire_B
sm,nvlink1,3,176
sm,nvlink4,3,176
# A limit is a whole number, and one that cannot be is refused, not left out.
$ gpuscale replay words.csv --gpus 2 --timeout 9.5; gpuscale replay words.csv --gpus 2 --queue finepack --payload 1B
gpuscale: --timeout: '9.5' is not a whole number
gpuscale: finepack: payload: 1 is not 256 .. 65536

# ---- the binary form, from a pipe; profiling, then one subscriber
$ record() { printf "\\$1\\0\\0\\0\\0\\0\\0\\0\\$2\\0\\0\\0\\$3\\$4\\$5\\$6"; }; \
  { printf 'gscaletr\1\0\0\0\3\0\0\0'; \
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; \
    record 0 1 4 0 377 0; record 0 2 4 1 377 1; record 0 3 0 0 377 5; \
    record 4 4 4 0 377 0; } > small.trace
$ cat small.trace | gpuscale replay /dev/stdin -q gps,plain
Through plain pcie4 carries 7.00 B for each that is needed, through gps 38.00.

queue  stage      link   stores  packets   wire  goodput  useful  protocol
gps    profiling  pcie4       1        2  304 B     2.6%     8 B      48 B
gps    steady     pcie4       1        1  152 B     2.6%     4 B      24 B
plain  steady     pcie4       2        4  112 B    14.3%    16 B      96 B

queue  stage      link   stores  redundant  unused  per packet  TLB hits
gps    profiling  pcie4       1        0 B   248 B        1.00        0%
gps    steady     pcie4       1        0 B   124 B        1.00    100.0%
plain  steady     pcie4       2        0 B     0 B           -         -

gps, profiling: left by phase 1
gps, steady: left by phase 1
gps: pages with 2 subscribers 1
$ gpuscale replay small.trace -q gps --format json | sed '/"made_by"/,/^ },/d; /"answer"/,/^ },/d' > out.json && \
  sed -n '1,6p; /flush_phase/p; /subscribers/p' out.json
{
 "schema": "gpuscale.replay/1",
 "rows": [
  {
   "queue": "gps",
   "stage": "profiling",
   "pages_by_subscribers": "2:1",
   "flush_phase": 1,
   "pages_by_subscribers": "2:1",
   "flush_phase": 1,

# ---- pages with 1 .. 64 subscribers do not fit a field, and that is said
$ { echo gpu,kind,address,size_B,dst,group; \
    awk 'BEGIN { for (n = 1; n <= 64; n++) for (g = 0; g < n; g++) \
      printf "%d,load,%d,4,all,%d\n", g, n * 65536, n; }'; \
    echo 0,phase,0,0,all,0; echo 0,store,0,4,all,0; } > many.csv
$ gpuscale replay many.csv --gpus 64 -q gps --format csv | tail -n 1 | \
    grep -o '1:2;2:1;.*[.][.][.]' | wc -c
256

# ---- atomics of a warp: each a packet, those of a sector, those of a line; of one word each
$ { echo gpu,kind,address,size_B,dst,group; for i in 0 4 8 28 32 124 124; do \
      echo 0,atomic,$((1048576 + i)),4,1,1; done; } >warp.csv; for b in 4 32 128; do \
    gpuscale replay warp.csv --gpus 2 --queue gps --atomics $b -f csv | awk -F, 'NR == 3 || NR == 2 && $5 { print $5 }'; done
7
4
2
$ gpuscale replay warp.csv --gpus 2 --queue gps --atomics 24; echo $?
gpuscale: gps: merge: 24 B is not a power of two, 4 B .. 128 B
2

# ---- what is wrong
$ gpuscale replay; echo $?
gpuscale: replay: needs TRACE; see `gpuscale replay --help`
2
$ gpuscale replay nowhere.trace; echo $?
gpuscale: nowhere.trace: cannot open: No such file or directory
5
$ gpuscale replay words.csv; echo $?
gpuscale: words.csv: a CSV trace does not say how many GPUs there are; give --gpus
2
$ gpuscale replay small.trace --gpus 4; echo $?
gpuscale: small.trace: gpus: 3, where 4 are asked
3
$ gpuscale replay words.csv --gpus 1; echo $?
gpuscale: words.csv:2: dst: 1 is not 0 .. 0, nor all
3
$ gpuscale replay words.csv --gpus 65; echo $?
gpuscale: --gpus: 65 is not in 1 .. 64
2
$ head -c 70 small.trace > cut.trace; gpuscale replay cut.trace -o none; echo $?
gpuscale: cut.trace: record 3: the file ends inside it
3
$ ls none
ls: cannot access 'none': No such file or directory
$ gpuscale replay small.trace -q gsp; echo $?
gpuscale: --queue: no 'gsp'; did you mean 'gps'?
2
$ gpuscale replay small.trace -q fifo; echo $?
gpuscale: --queue: 'fifo' is not one of sm, plain, gps, finepack, bulk
2
$ gpuscale replay small.trace -q finepack --capacity 2000; echo $?
gpuscale: finepack: capacity: 2000 is not 1 .. 1024
2
$ gpuscale replay small.trace -q gps --page 48KiB; echo $?
gpuscale: gps: page: 49152 B is not a power of two, 128 B .. 2^40 B
2
$ gpuscale replay small.trace --windows two; echo $?
gpuscale: --windows: 'two' is not a whole number
2
$ gpuscale replay small.trace --link pcie9; echo $?
gpuscale: no link 'pcie9'; did you mean 'pcie1'?
3
$ gpuscale replay small.trace -o /dev/full; echo $?
gpuscale: /dev/full: No space left on device
5
$ gpuscale replay --help | wc -l
28
