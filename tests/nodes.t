# Systems of several nodes: what is said of them, what they predict, and what is
# refused.
#once

# ---- one node of a cluster is that node, bit for bit ----
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.system {' \
  '  name = "one", summary = "nodes of h200x8", node = "h200x8",' \
  '  nodes = 4, rails = 8,' \
  '  network = { link = "ib-ndr" },' \
  '  gpudirect = {' \
  '    latency = gs.assumed("3 us", { "2 us", "5 us" }, "a test"),' \
  '    rate = gs.assumed("45 GB/s", { "40 GB/s", "49 GB/s" }, "a test") },' \
  '}' > one.lua
$ for w in jacobi pagerank allgather eqwp als sgd; do for s in one.lua h200x8; do \
    gpuscale predict $w --system $s --gpus 1-8 --format csv 2>&1 | \
      grep -vE ',(staged|gpudirect|gpi2|mpi[^,]*|host-assisted|put-(ib|rma)|ggas|nvshmem-ibgda),' | sed 's/^[^,]*,//' \
      > $(basename $s .lua).csv; done; cmp one.csv h200x8.csv && wc -l < one.csv; done
89
89
89
89
89
89
$ gpuscale predict jacobi --system one.lua --gpus 8 --paradigm gpudirect,memcpy --format csv | cut -d, -f5,6 | uniq | wc -l
2

# ---- beyond it ----
$ gpuscale list systems --format csv | grep -e ndr -e perl | cut -d, -f1,2
dgx-h100-ndr,1024
perlmutter,1024
$ gpuscale predict jacobi --system dgx-h100-ndr --gpus 8,16,1024 --format csv --paradigm memcpy,memcpy+staged,gpudirect | cut -d, -f3-5
paradigm,knobs,gpus
memcpy,,8
memcpy,between=gpudirect,16
memcpy,between=gpudirect,1024
memcpy,,8
memcpy,between=staged,16
memcpy,between=staged,1024
memcpy,,8
memcpy,between=gpudirect,16
memcpy,between=gpudirect,1024
# The fastest is chosen, which is the first where the other is made slow.
$ for rate in 45GB/s 100MB/s; do gpuscale predict jacobi --system perlmutter --gpus 8 \
      --format csv --paradigm memcpy,memcpy+staged,gpudirect -P gpudirect.rate=$rate \
      -P gpudirect.long_rate=$rate | awk -F, 'NR == 2 { by = $4; t = $6 } NR > 2 && (!least || $6 < least) { least = $6; fastest = $4 } \
        END { print by, by == fastest, t == least }'; done
between=gpudirect 1 1
between=staged 1 1
$ gpuscale predict jacobi --system dgx-h100-ndr --gpus 64 --format csv --paradigm memcpy -P memcpy.between=staged | cut -d, -f3,4,26
paradigm,knobs,settings
memcpy,between=staged,memcpy.between=staged
$ gpuscale predict jacobi --system dgx-h100-ndr --link ib-hdr --gpus 64 --paradigm gpudirect --format csv | cut -d, -f1,3,5
system,paradigm,gpus
dgx-h100-ndr:ib-hdr,memcpy,64
$ gpuscale predict jacobi --system one.lua --gpus 16 --paradigm staged; echo $?
gpuscale: staged between nodes needs hostpath.rate of the system
3
$ gpuscale predict jacobi --system one.lua --gpus 16 --paradigm nccl; echo $?
gpuscale: nccl: phase 1 needs coll.net_rate of the system
3
$ gpuscale predict jacobi --system one.lua --gpus 33 --paradigm memcpy; echo $?
gpuscale: one has 32 GPUs and no rule to grow to 33
3
$ gpuscale predict jacobi --system h200x8 --gpus 4 --paradigm memcpy+staged; echo $?
gpuscale: memcpy+staged: needs a system of several nodes (network)
3
$ gpuscale predict jacobi --system h200x8 --gpus 4 --paradigm nccl+staged; echo $?
gpuscale: no paradigm 'nccl+staged'; see `gpuscale list paradigms`
3
$ gpuscale predict jacobi --system h200x8 --link ib-ndr --gpus 4; echo $?
gpuscale: link: ib-ndr joins nodes, and h200x8 is one
3

# ---- a way between nodes is a knob: one question, one time, one error, one row ----
$ gpuscale list paradigms --format csv | grep -c ',method of memcpy,'
12
$ printf '%s\n' 'local gs = require "gpuscale"' \
  'local system, sizes, programs = "SYSTEM", { SIZES }, { PROGRAMS }' \
  'local asked, other = 0, 0' \
  'local function one (row)' \
  '  local text = {}' \
  '  for k, v in pairs(row) do' \
  '    if k ~= "settings" and k ~= "standing" and k ~= "also" then text[#text + 1] = k .. "=" .. tostring(v) end' \
  '  end' \
  '  table.sort(text)' \
  '  return table.concat(text, " ")' \
  'end' \
  'local function ask (s, w, n, paradigm, between)' \
  '  local rows = gs.predict { system = s, workload = w, gpus = n, paradigm = paradigm,' \
  '    set = between and { ["memcpy.between"] = between } }' \
  '  return #rows == 1 and one(rows[1]) or "not one row"' \
  'end' \
  '-- What `all` has of memcpy on as many GPUs, by the way that it goes by.' \
  'local function listed (s, w, n)' \
  '  local by = {}' \
  '  for _, row in ipairs(gs.predict { system = s, workload = w, gpus = n }) do' \
  '    local way = string.sub(row.knobs, 9)' \
  '    if row.paradigm == "memcpy" then by[way] = one(row) end' \
  '  end' \
  '  return by' \
  'end' \
  'local function compare (s, w, n, way, by)' \
  '  local first = by[way] or by[""]' \
  '  for _, again in ipairs { ask(s, w, n, way), ask(s, w, n, "memcpy+" .. way),' \
  '                           ask(s, w, n, "memcpy", way) } do' \
  '    if again ~= first then other = other + 1 print(s, w, n, way, first, again) end' \
  '  end' \
  '  asked = asked + 1' \
  'end' \
  'for _, w in ipairs(programs) do' \
  '  local ways = listed(system, w, sizes[#sizes])' \
  '  for _, n in ipairs(sizes) do' \
  '    local by = listed(system, w, n)' \
  '    for way in pairs(ways) do compare(system, w, n, way, by) end' \
  '  end' \
  'end' \
  'print(asked, other)' > spelled.lua
# Each system and program in a script of its own: one may run for four seconds.
$ for s in 'dgx-h100-ndr 8,16,64' 'perlmutter 4,8,256' 'hokiespeed 2,4' 'k20-fdr 1,2' \
    'k20-galibier 2' 'k20-ggas 2,6' 'k20-qdr 2' 'k40-fdr 2,8'; do for w in jacobi allgather pagerank himeno; do \
      sed "s/SYSTEM/${s% *}/; s/SIZES/${s#* }/; s/PROGRAMS/\"$w\"/" spelled.lua > spelt.lua; gpuscale run spelt.lua; \
  done; done | awk 'NF != 2 { print; next } { asked += $1; other += $2 } END { print asked, other }'
404 0
$ for s in dgx-h100-ndr:1,8,16 k20-ggas:1,2,6; do gpuscale predict jacobi --system ${s%:*} --gpus ${s#*:} --format csv | sed 1d > all.csv; \
    cut -d, -f3-5 all.csv | sort | uniq -d; grep -c ,memcpy, all.csv; done
6
19
$ for o in '-p gpudirect' '-p memcpy+gpudirect' '-p memcpy -P memcpy.between=gpudirect'; do \
    gpuscale solve jacobi --system dgx-h100-ndr --gpus 16 --for n=256..8192 --until efficiency=0.4 \
      $o -f csv | cut -d, -f5-7; done | sort | uniq -c | awk '{ print $1 }'
3
3
$ printf '%s\n' workload,paradigm,knobs,gpus,time_s,sigma_s jacobi,infinite,n=512,1,5e-4,0 \
    jacobi,gpudirect,n=512,16,7e-5,0 'jacobi,memcpy+staged,n=512,16,14e-5,0' \
    'jacobi,memcpy,n=512;memcpy.between=put-ib,16,9e-5,0' > ways.csv; \
  gpuscale validate ways.csv --system dgx-h100-ndr -f csv | cut -d, -f 2-4
paradigm,knobs,gpus
infinite,n=512,1
memcpy,n=512;memcpy.between=gpudirect,16
memcpy,n=512;memcpy.between=staged,16
memcpy,n=512;memcpy.between=put-ib,16

# ---- a schedule of the program's own: messages between nodes, as gpudirect takes ----
$ for n in 2 8; do gpuscale predict stencil-host --system one.lua --gpus $n -f csv | \
    sed 's/^[^,]*,//' > a; gpuscale predict stencil-host --system h200x8 --gpus $n -f csv | sed 's/^[^,]*,//' | cmp - a && wc -l < a; done
3
3
$ for n in 16 64; do \
    for w in 'stencil-host schedule' 'jacobi memcpy+gpudirect'; do set -- $w; \
      gpuscale predict $1 --system dgx-h100-ndr --gpus $n -P dims=3 -P n=1024 -p $2 -f csv | \
        awk -F, 'NR > 1 { print $6, $14 }'; done | \
    awk '{ t[NR] = $1; x[NR] = $2 } END { \
      print (t[1] / t[2] > 1 && t[1] / t[2] < 1.15), (x[1] > x[2] && x[1] < 1.2 * x[2]) }'; done
1 1
1 1
$ gpuscale predict stencil-host --system dgx-h100-ndr --gpus 16 -P threads=1; echo $?
gpuscale: schedule: 16 GPUs are 2 nodes: a host thread issues for GPUs of its own node only
3
$ sed -e 's/bytes = face/bytes = 1e8/' -e "s|gs.barrier()|gs.record('a') gs.wait('a', { of = (g + 1) % n })|" \
    $SRC/lua/workloads/stencil-host.lua > over.lua; \
  gpuscale predict over.lua --system dgx-h100-ndr --gpus 16; echo $?
gpuscale: schedule: 16 GPUs are 2 nodes: a stream waits for an event of another node
3
$ sed '/gpudirect = {/,/rate =/d' one.lua > bare.lua; \
  gpuscale predict stencil-host --system ./bare.lua --gpus 16; echo $?
gpuscale: schedule: copies to other nodes need gpudirect.rate of the system
3

# ---- fewer GPUs of each node: 1, 2, 4 and 8 of ten nodes carry 48.6, 97.7, 195 and 345 GB/s of all-reduces of 1 GiB (nccl-tests)
$ for m in 1 2 4 8; do gpuscale predict all-reduce -s dgx-h100-ndr -g $((10 * m)) --per-node $m -p nccl -P count=1 -P bytes=1GiB -f csv | \
    tail -n 1 | awk -F, -v n=$((10 * m)) '{ printf "%.1f ", 2 * (n - 1) / n * 1.073741824 / $6 }'; done; echo
49.3 97.0 186.4 303.5 
$ gpuscale predict jacobi -s dgx-h100-ndr -g 2 --per-node 9; gpuscale predict jacobi -s h200x8 -g 2 --per-node 1 2>&1 | cut -d';' -f 1
gpuscale: --per-node: '9': needs a whole number from 1 to 8, the GPUs of a node of dgx-h100-ndr
gpuscale: -P per_node: nothing here has a knob of that name

# ---- what is refused ----
$ for q in 'h200x8 -g 2049' 'dgx-h100-ndr -g 65536 -P n=16384'; do gpuscale predict jacobi -p memcpy -f csv -s $q 2>&1 | tail -n 1 | cut -d, -f 3,5; done
gpuscale: 2049 GPUs of a system without nodes: not in 1 .. 2048
memcpy,65536
$ printf '%s\n' 'sed "$1" one.lua > bad.lua' 'gpuscale predict jacobi --system ./bad.lua --gpus 4; echo $?' > refuse
$ sh refuse 's/rails = 8/rails = 3/'
gpuscale: ./bad.lua:2: rails: 3 do not divide the 8 GPUs of a node
3
$ sh refuse 's/rails = 8/rails = 0/'
gpuscale: ./bad.lua:2: rails: 0 do not divide the 8 GPUs of a node
3
$ sh refuse 's/"ib-ndr"/"ib-ndr", topology = "fat-tree", leaf = 4/'
gpuscale: ./bad.lua:2: network.leaf: a node of 8 rails is larger than its switch of 4 ports
3
$ sh refuse 's/"ib-ndr"/"ib-ndr", topology = "torus"/'
gpuscale: ./bad.lua:2: network.topology: 'torus': needs one of "flat", "fat-tree", "rails"
3
$ sh refuse 's/ib-ndr/nvlink4/'
gpuscale: ./bad.lua:2: network.link: 'nvlink4' has no packets between nodes
3
$ sh refuse 's/ib-ndr/raw/'
gpuscale: ./bad.lua:2: network.link: 'raw' has no packets between nodes
3
$ sh refuse 's/ib-ndr/ib-nrd/'
gpuscale: ./bad.lua:2: network.link: 'ib-nrd' is unknown; did you mean 'ib-ndr'?
3
$ sh refuse 's/nodes = 4/nodes = 8193/'
gpuscale: ./bad.lua:2: nodes: 8193 of 8 GPUs are more than 65536
3
$ sh refuse 's/nodes = 4, //'
gpuscale: ./bad.lua:2: nodes: missing; needs a whole number
3
$ sh refuse 's/node = "h200x8"/node = "one-of-those"/'
gpuscale: ./bad.lua:2: node: no system 'one-of-those'; see `gpuscale list systems`
3
$ sh refuse 's/node = "h200x8"/node = "perlmutter"/'
gpuscale: ./bad.lua:2: node: 'perlmutter' has nodes itself
3
$ sh refuse 's/nodes = 4/gpus = 4, nodes = 4/'
gpuscale: ./bad.lua:2: gpus: the node 'h200x8' says that
3
$ sh refuse 's/network = .*/network = 7,/'
gpuscale: ./bad.lua:2: network: needs a table, got a number
3
$ sh refuse 's/network = .*//'
gpuscale: ./bad.lua:2: network: missing (how the nodes are joined)
3
$ sh refuse 's/"45 GB/"-45 GB/'
gpuscale: ./bad.lua:8: gpudirect.rate: -4.5e+10 is not in its range 4e+10 .. 4.9e+10
3
$ sh refuse 's/    latency = /    from = gs.spec("8 KiB", "a test"), latency = /'
gpuscale: ./bad.lua:2: one: gpudirect.long_rate is missing (gpudirect.from is set)
3

# ---- written and read again ----
$ printf '%s\n' 'bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,sigma_s,repeats' \
  'net_latency,all,nodes,2,host,8,1,0,1,2e-6,0,1' \
  'net_latency,all,nodes,2,host,4096,1,0,1,3e-6,0,1' \
  'net_latency,all,nodes,2,host,1048576,1,0,1,50e-6,0,1' > net.csv
$ gpuscale calibrate net.csv --base one.lua -o two.lua > /dev/null 2>&1; \
  grep -e nodes -e rails -e ib-ndr -e net_latency two.lua
  summary = "nodes of h200x8",
  nodes = 4,
  rails = 8,
    link = "ib-ndr",
    rate = spec("50 GB/s", "ib-ndr"),
    latency = measured("2.37379 us", "406.623 ns", "net_latency, net_bandwidth"),
    rate = measured("21.7127 GB/s", "5.3061 GB/s", "net_latency, net_bandwidth"),
    stage = measured("0 fs/B", "15.917 ps/B", "net_latency, net_bandwidth"),
$ gpuscale predict jacobi --system ./two.lua --gpus 32 --paradigm gpudirect \
  --format csv | cut -d, -f6 > two; \
  gpuscale predict jacobi --system one.lua --gpus 32 --paradigm gpudirect \
  --format csv | cut -d, -f6 | paste - two | \
  awk 'NR > 1 { d = $1 / $2 - 1; print (d < 1e-5 && d > -1e-5) ? "same" : d }'
same

# ---- what an error is of, on several nodes; not inside one ----
$ for n in 8 64; do gpuscale explain --all jacobi --system dgx-h100-ndr --gpus $n --paradigm memcpy+gpudirect \
    2>/dev/null | grep '^by cause' | sed 's/[0-9.]*%/x/g'; done
by cause, of nodes: network x, growth x, imbalance x, host x
$ gpuscale explain --all jacobi --system dgx-h100-ndr --gpus 64 --paradigm gpudirect -f csv 2>/dev/null | \
    awk -F, '$9 == "causes" { print $1 }' | tr '\n' ' '
network growth imbalance host 

# ---- stores smaller than a packet are one each: 512 of 8 B behind 3 us, 56 B at 1.4 GB/s ----
$ gpuscale predict random-access --system k20-ggas --gpus 2 --paradigm memcpy+ggas -P updates=2048 -f csv 2>/dev/null | \
    awk -F, '$4 ~ /ggas/ { printf "%.9f %.9f\n", $14, 3e-6 + 511 * 56 / 1.4e9 }'
0.000023440 0.000023440

# ---- two GPUs take no less energy than one, by no way ----
$ for s in dgx-h100-ndr perlmutter k20-fdr k20-ggas; do gpuscale predict himeno --system $s --gpus 1,2 \
    --paradigm all -f csv 2>/dev/null; done | \
    awk -F, '$1 == "system" { for (i = 1; i <= NF; i++) if ($i == "energy_J") e = i; next } \
      $5 == 1 && (!($1 in least) || $e < least[$1]) { least[$1] = $e } \
      $5 == 2 { n++; if ($e < least[$1]) print $1, $3, $4, $e, least[$1] } \
      END { print (n > 20 ? "many" : n) " ways" }'
many ways

# ---- what has watts has joules and their error, what has none has neither: A100, H100, H200 and GH200 have ----
$ for s in $(gpuscale list systems -f csv | sed 1d | cut -d, -f 1); do gpuscale predict jacobi --system $s --gpus 2 \
    --paradigm infinite -f csv 2>/dev/null; done | \
    awk -F, '$1 == "system" { for (i = 1; i <= NF; i++) { if ($i == "energy_J") e = i; if ($i == "energy_err_J") f = i }; next } \
      ($e == "") != ($f == "") || ($e != "" && !($e > 0 && $f > 0 && $f < $e)) { print "wrong:", $1, $e, $f } \
      { said[$e == ""] = said[$e == ""] " " $1 } END { print "known:" said[0]; print "not:" said[1] }'
known: dgx-a100 dgx-h100 dgx-h100-ndr gh200x4 h100x2 h100x4 h200x2 h200x4 h200x8 k20-fdr k20-ggas perlmutter
not: a100-pairs a100-pcie a6000x2 cpu ct-bus dgx-b200 dgx1 dgx1v dgx2 gb200-nvl72 h100-pairs h100-pcie hokiespeed k20-galibier k20-qdr k40-fdr k40x4 l40s-pcie p100x4 pcie-tree4 rtx-pcie5 rtx3090x2 rtx4090x4 v100-sim4 v100x4

# ---- a single byte between nodes needs what many do ----
$ for bytes in 1B 100MB; do gpuscale predict template --system k20-fdr --gpus 2 -p nccl -P publish=$bytes; done
gpuscale: nccl: phase 1 needs coll.net_rate of the system
gpuscale: nccl: phase 1 needs coll.net_rate of the system

# ---- ways that tie, as all do where a step is long, are named as far as there is room ----
$ ways=memcpy,$(printf 'memcpy+%s,' gpudirect ggas gpi2 staged put-rma mpi mpi-manual mpi-manual-chunked mpi-acc) \
  ways=${ways}memcpy-async,broadcast,inline,rdl,proact-poll,proact-cdp,proact-hw,um,um-hints,gps,finepack-config,gps-finepack; \
  for more in '' ,finepack; do gpuscale predict template --system k20-ggas --gpus 8 -p $ways$more -P publish=64B \
    -P t1=9000s -P can.managed=true -f csv | awk -F, '$31 ~ /^best/ { print length($32), substr($32, 220) }'; done
251 pi-manual-chunked memcpy+mpi-acc
249  memcpy+mpi-manual-chunked ...
