# What a system cannot do is refused when named, and not among `all`.
#once

$ gpuscale predict jacobi --system h200x8 -P can.peer=copies --gpus 2 --proposed -f csv | cut -d, -f 3
paradigm
infinite
memcpy
memcpy-async
um
um-hints
nccl

$ for p in inline rdl broadcast proact-poll proact-cdp gps; do \
    gpuscale predict jacobi --system h200x8 -P can.peer=copies --gpus 2 \
      --proposed --paradigm $p 2>&1 || echo $?; done | sed 's/.*: phase/phase/' | sort | uniq -c
      6 3
      6 phase 1 needs peer access for stores and loads; can.peer of the system is 'copies'

$ gpuscale predict jacobi --system h200x8 -P can.managed=no --gpus 2 --paradigm um-hints; echo $?
gpuscale: um-hints: phase 1 needs managed memory; can.managed of the system is false
3

# ---- pages pass the host's memory: 4 MiB there and back, one fault at a time
$ for o in um.fault_rate staged.rate; do for r in 1 2; do \
    gpuscale predict jacobi --system rtx-pcie5 --gpus 2 -p um -f csv \
      -P um.thrash_window=0 -P staged.all_active=1 -P $o=${r}GB/s | \
    tail -1 | cut -d, -f 6; done; done | \
  awk '{t[NR] = 1e6*$1} END {printf "%.1f %.1f us\n", t[1]-t[2], t[3]-t[4]}'
2097.2 2097.2 us
$ for s in $(gpuscale list systems -f csv | cut -d, -f 1 | tail -n +2); do \
    gpuscale predict jacobi --system $s -P can.peer=none --gpus 2 -p um \
      -f csv 2>&1 | tail -1; done | sed 's/.*needs/needs/; s/.*um.*/um/' | \
  sort | uniq -c
      9 needs managed memory; can.managed of the system is false
     28 um

# ---- no parameter makes up for launches by the device
$ gpuscale predict jacobi --system h200x8 -P can.device_launch=no --gpus 2 -P cdp.gap=1us -P cdp.latency=1us --paradigm proact-cdp; echo $?
gpuscale: proact-cdp: phase 1 needs launches by the device; can.device_launch of the system is false
3

# ---- PCIe has no atomics between GPUs, on another machine's GPUs neither
$ for s in pcie-tree4 'h200x8 --link pcie5' \
    'h200x8 --link pcie5 -P can.peer=atomics'; do \
    gpuscale predict counted --system $s -P atomic=1 --gpus 2 \
      --paradigm inline -f csv | wc -l; done
gpuscale: inline: phase 1 needs peer access for atomics; can.peer of the system is 'stores'
0
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
2
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
2

# ---- on a DGX-1 only a quad's GPUs store to all others
$ gpuscale predict allgather --system dgx1 --gpus 2,4 --paradigm inline \
    -f csv | wc -l
3
$ gpuscale predict allgather --system dgx1 --gpus 8 --paradigm inline
gpuscale: inline: phase 1 needs peer access for stores and loads; the topology has pairs whose can.peer is 'none'
$ gpuscale predict allgather --system dgx1 --gpus 2,4,8 -f csv | grep -c inline
0

# ---- copies go by way of the host then, unless the system denies it
$ gpuscale predict jacobi --system v100x4 -P can.peer=none -P staged.rate=0 --gpus 2 \
    --paradigm memcpy; echo $?
gpuscale: memcpy: phase 1 needs staged.rate and staged.initiation of the system, whose can.peer is 'none'
3
$ cd $SRC && gpuscale validate data/h200x8/runs/runs-staged.csv --system h200x8 \
    -P can.peer=none --summary -f csv | cut -d, -f 1-4 | sed -n 1,5p | \
    awk -F, 'NR > 1 { $4 = sprintf("%.3f", $4) } { print $1, $2, $3, $4 }'
group name rows mean_abs_error
all all scored 63 0.063
paradigm infinite 18 0.015
paradigm memcpy 18 0.049
paradigm memcpy-async 27 0.104

# ---- arithmetic in what the machine has no rate for
$ for p in fp64 fp16 fp8 fp128; do \
    printf '%s\n' 'return gs.workload { name = "fp", step = function () return {' \
      'gs.phase { name = "multiply", flop = 7.8e12, compute = { precision = "'$p'" } }' \
      '} end }' > fp.lua; \
    gpuscale predict ./fp.lua --system v100x4 --gpus 1 -p infinite -f csv | \
      awk -F, 'NR > 1 { printf "%.4f s of compute\n", $12 }'; done
1.0000 s of compute
0.0624 s of compute
gpuscale: fp: multiply computes in fp8: device.flops_fp8 of v100x4 is not known
gpuscale: ./fp.lua:2: multiply: compute.precision: 'fp128': needs one of "fp32", "fp64", "fp64_tensor", "tf32", "fp16", "fp8"

# ---- what -P and a description cannot say
$ gpuscale predict jacobi --system h200x8 -P can.peer=some; echo $?
gpuscale: -P can.peer: 'some': needs none, copies, stores or atomics
2
$ gpuscale predict jacobi --system h200x8 -P can.managed=perhaps
gpuscale: -P can.managed: 'perhaps': needs yes or no
$ sed 's/can = .*/can = { pear = "all", managed = 1 },/' \
    $SRC/params/h200x8.lua > odd.lua; \
  gpuscale predict jacobi --system ./odd.lua 2>&1 | sed 's/odd.lua:[0-9]*/odd.lua/'
gpuscale: ./odd.lua: can.pear: unknown key; did you mean 'peer'?
gpuscale: ./odd.lua: can.peer: 'all': needs one of "none", "copies", "stores", "atomics"
gpuscale: ./odd.lua: can.managed: needs true or false, got a number

# ---- every program on every system, by all that its machine can do: finite
#long
$ for w in jacobi pagerank sssp als ct diffusion eqwp hit allgather transpose \
    scatter proact-micro; do \
    for s in h200x8 h200x4 h200x2 h100x2 v100x4 dgx1 dgx2 p100x4 k40x4 dgx-a100 \
      pcie-tree4 v100-sim4 ct-bus cpu; do \
      for link in '' '--link pcie4' '--link nvlink4'; do \
        gpuscale predict $w --system $s $link --gpus 1,2 --proposed -f csv \
          2>>notes || echo $w $s; done; done; done | \
    awk -F, '$1 == "system" { n++; next } !($6 > 0 && $6 < 2e4) { print } \
      END { print n }'
504

# ---- a link swaps as a user means it: each cell has a number, and the machine's own link is the machine
$ for w in jacobi pagerank sssp als ct diffusion hit eqwp; do gpuscale compare $w --system v100-sim4 -g 4 --proposed \
    --link pcie3,pcie4,pcie5,pcie6 -p memcpy,inline,gps,finepack -f csv 2> note | awk -F, 'NR > 1 && $6 > 0' | wc -l; done | uniq -c | sed 's/^ *//'
8 16
$ for s in 'h200x8 nvlink4' 'k40x4 pcie3' 'v100-sim4 pcie3'; do set -- $s; gpuscale predict sssp --system $1 -g 4 -p memcpy -f json > one; \
    gpuscale predict sssp --system $1 --link $2 -g 4 -p memcpy -f json > two 2>&1; sed '/"command"/d' one > a; sed '/"command"/d' two | cmp a - && echo same; done
same
same
same
# One rate has one interval: by --link, by -P, in a sweep.
$ q='allgather --system h200x8 -g 4 -p memcpy -f csv'; { gpuscale predict $q --link nvlink5 2> note; gpuscale predict $q -P link.rate=900GB/s; } | \
    awk -F, '$3 == "memcpy" { print $7 }' > errors; gpuscale sweep $q --over link.rate=900GB/s,450GB/s --errors | \
    awk -F, '$5 == "memcpy" { print $9; exit }' >> errors; sort -u errors | wc -l
1

# ---- who needs what is worked out for the N that is asked: bytes of SSSP by hand
$ for n in 32 64; do gpuscale predict sssp --system v100-sim4 -g $n -p inline -f csv 2> note | awk -F, -v n=$n '$3 == "inline" { r = n / 4; \
    for (b = 0; b < n; b++) o += (b + r < n ? b + r : n - 1) - (b > r ? b - r : 0); for (i = 1; i <= 5; i++) h += 1 / i; \
    want = 0.5 * 4 * 2017169 * o / n * h * 28 / 4; for (i = 18; i <= NF; i++) if (($i / want - 1) ^ 2 < 1e-18) print n, "as by hand" }'; done
32 as by hand
64 as by hand

# ---- a preset is a paper's program; -P goes before it
$ for p in nix paper; do gpuscale predict jacobi --system v100-sim4 -g 4 -p memcpy -P preset=$p -P bands=0 -P threads=0 -P host.order=gpu \
    -P host.blocking=no -f csv | cut -d, -f 6 > $p; done; gpuscale predict jacobi --system v100-sim4 -g 4 -p memcpy -P host.order=gpu -f csv | \
    cut -d, -f 6 | cmp - paper && echo same
gpuscale: -P preset: 'nix': jacobi has finepack, gps21, gps21-hints, paper
same
$ sed 's/finepack = { like = "paper" }/big = { like = "papr", n = 1024 }, odd = { nn = 4 }, self = { like = "self" }/' $SRC/lua/workloads/jacobi.lua > mine.lua; \
    for p in big odd self; do gpuscale predict mine.lua --system h200x8 -g 4 -p memcpy -P preset=$p 2>&1 | sed 's/:[0-9]*:/:/'; done
gpuscale: mine.lua: presets.big.like: no preset 'papr'
gpuscale: mine.lua: presets: 'nn': nothing of that name
gpuscale: mine.lua: presets.self.like: more than 8 in a row
# The link of a network is the system's own, too.
$ for l in '' '--link ib-ndr'; do gpuscale predict jacobi --system dgx-h100-ndr -g 64 -p memcpy $l -f csv | tail -n 1; done | uniq | wc -l
1
# A path through the host, of bridged pairs and at a rate that a file states, follows staged.rate and not the link; by PCIe alone it follows the link, in a sweep too.
$ for o in '-s a100-pairs -g 4' '-s a100-pairs -g 4 -P link.rate=1TB/s' '-s a100-pairs -g 4 --link nvlink4' '-s a100-pairs -g 4 -P staged.rate=1GB/s' \
    '-s dgx1 -g 8 -P staged.rate=1GB/s' '-s dgx1 -g 8 -P staged.rate=0.1GB/s'; do gpuscale predict transpose $o -p memcpy -f csv 2> /dev/null | tail -n 1 | cut -d, -f 6; done | awk '{ printf "%.0f ", 1e3 * $1 } END { print "ms" }'
11 11 11 148 59 549 ms
$ for o in 'a100-pairs -g 4' 'dgx1 -g 8'; do gpuscale sensitivity transpose -s $o -p memcpy | awk '/^staged.*(assumed|measured)/ { print $1, $2, $3, $4 }'; done; gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base a100-pairs -o p.lua > /dev/null 2>&1; \
    grep -o 'mesh", staged = assumed("14.4035 GB/s"' p.lua; gpuscale predict transpose -s ./p.lua -g 4 -p memcpy -P staged.rate=1GB/s -f csv | awk -F, 'END { printf "%d ", ($6 > 0.14) }'; s=$(gpuscale sweep transpose -s rtx4090x4 -g 4 -p memcpy --over link.rate=8GB/s,16GB/s -f csv | tail -n 1 | cut -d, -f 8); gpuscale predict transpose -s rtx4090x4 -g 4 -p memcpy -P link.rate=16GB/s -f csv | tail -n 1 | grep -c ",$s,"
staged.rate 14.4 GB/s assumed
staged.rate 5.75 GB/s measured
mesh", staged = assumed("14.4035 GB/s"
1 1
