# remote: messages between nodes and power, as systems describe them and scripts
# ask for them.

# ---- the ways between nodes, and the systems that have numbers for them
$ gpuscale list paradigms -f csv | cut -d, -f 1 | grep -E \
    "^(staged|gpudirect|gpi2|mpi|mpi-manual|mpi-manual-chunked|mpi-acc|host-assisted|put-ib|put-rma|ggas|nvshmem-ibgda)$" | \
    paste -sd " "
staged gpudirect gpi2 mpi mpi-manual mpi-manual-chunked mpi-acc host-assisted put-ib put-rma ggas nvshmem-ibgda
$ for s in k20-qdr:2 k20-galibier:2 k40-fdr:8 k20-fdr:2 k20-ggas:2 hokiespeed:4; do \
    gpuscale predict himeno --system ${s%:*} --gpus ${s#*:} -P nz=256 -f csv | \
    tr -d '"' | awk -F, -v s=$s "NR > 1 && \$3 == \"memcpy\" && \$4 ~ /=(gpi2|mpi-acc|put-ib|put-rma|ggas)\$/ \
        { p = p \" \" substr(\$4, 9) } END { print s p }"; done
k20-qdr:2 gpi2 mpi-acc put-ib
k20-galibier:2 gpi2 mpi-acc put-rma
k40-fdr:8 gpi2 mpi-acc
k20-fdr:2 gpi2 mpi-acc put-ib
k20-ggas:2 gpi2 mpi-acc put-rma ggas
hokiespeed:4 gpi2 mpi-acc
$ gpuscale predict himeno --system k20-qdr --gpus 2 -P nz=256 --paradigm ggas; echo $?
gpuscale: ggas between nodes needs its numbers in `remote` of the system
3

# ---- energy, where the system says its power
$ gpuscale predict himeno --system k20-fdr --gpus 2 -P nz=256 --paradigm put-ib,gpi2 \
    -f csv | awk -F, "NR > 1 { e = \$29; if (e / \$6 / \$30 - 1 < 1e-9) print \$4, int(\$30) }"
between=put-ib 429
between=gpi2 481
$ gpuscale predict himeno --system k20-qdr --gpus 2 -P nz=256 --paradigm put-ib \
    -f csv | tail -1 | grep -c ",,,best unmeasured,,"
1

# ---- what is refused
$ sed "s/gpu_busy = assumed(\"187 W\", { \"150 W\", \"225 W\" }/gpu_busy = assumed(\"-187 W\", { \"-225 W\", \"-150 W\" }/" \
    "$SRC/params/k20-fdr.lua" > bad.lua; gpuscale predict himeno --system ./bad.lua; echo $?
gpuscale: ./bad.lua:31: power.gpu_busy: -187 +- 21.6506: must be finite and at least 0
3
$ sed "s/read    =/raed    =/; s/post    = .*/post    = 3,/" "$SRC/params/k20-qdr.lua" > bad.lua; \
    gpuscale predict himeno --system ./bad.lua; echo $?
gpuscale: ./bad.lua:9: remote.path.raed: unknown key; did you mean 'read'?
gpuscale: ./bad.lua:9: remote.path.post: needs gs.spec, gs.measured, gs.assumed or gs.fitted
3
$ sed "s/latency = measured(\"3 us\"/latency = measured(\"3 GB\"/" "$SRC/params/k20-qdr.lua" > bad.lua; \
    gpuscale predict himeno --system ./bad.lua 2>&1 | tail -1
gpuscale: ./bad.lua:50: remote.path.latency: '3 GB': a size where a time (s) is needed
$ gpuscale predict himeno --system k20-qdr -P remote.path.latency=3GB; echo $?
gpuscale: -P remote.path.latency: '3GB': a size where a time (s) is needed
2

# ---- scripts
$ printf "%s\n" "local function ask (q) q.system = \"k20-ggas\" return gs.remote(q) end" \
    "print(string.format(\"%.4g\", ask { what = \"latency\", name = \"ggas\", bytes = 640 } * 1e6))" \
    "print(string.format(\"%.4g\", ask { what = \"barrier\", gpus = 8, kernel = true } * 1e6))" \
    "print(ask { what = \"requests\", values = 64, word = 4, stride = 2, load = true })" \
    "print(ask { what = \"number\", name = \"space.store\", set = { [\"remote.space.store\"] = \"4 us\" } })" \
    > ask.lua
$ gpuscale run ask.lua
3.72
20.98
8.0
4e-06
$ echo "gs.remote { system = \"k20-qdr\", what = \"lateny\" }" > bad.lua; gpuscale run bad.lua; echo $?
gpuscale: bad.lua:1: gs.remote: what: 'lateny' is no question
3
$ echo "gs.remote { system = \"k20-qdr\", what = \"latency\", name = \"ggas\" }" > bad.lua; \
    gpuscale run bad.lua; echo $?
gpuscale: bad.lua:1: gs.remote: latency: k20-qdr cannot say it, or is outside its domain
3
$ echo "gs.remote { system = \"k20-qdr\", what = \"gap\", queues = \"nic\" }" > bad.lua; \
    gpuscale run bad.lua; echo $?
gpuscale: bad.lua:1: gs.remote: queues: 'nic' is not gpu or host
3

# ---- written anew by calibrate
$ gpuscale calibrate "$SRC/data/h200x2/micro/launch.csv" --base k40-fdr -o anew.lua >/dev/null 2>&1; \
    for s in k40-fdr ./anew.lua; do echo "print(gs.remote { system = \"$s\", what = \"latency\", \
    name = \"gpi2\", bytes = 1e6 }, gs.remote { system = \"$s\", what = \"rate\", far = true })" > two.lua; \
    gpuscale run two.lua; done | uniq | wc -l
1
