# compare, and --link on the other verbs: small cases whose times follow by hand.
#
# On ct-bus nothing costs time but bytes on the bus: memcpy on N GPUs takes
# 4 ms/N + 2 (N-1) MiB/rate.
#once

# ---- links: a PCIe 3 packet carries 256 B in 280 B at 15.754 GB/s
$ gpuscale compare jacobi --system ct-bus --link pcie3,nvlink2 -P t1=4ms \
    --paradigm infinite,memcpy
On 4 GPUs ct-bus:nvlink2 by memcpy is the fastest: one step of jacobi takes
  1.043 ms (+/- 0.2%), 1.34x as fast as ct-bus by memcpy. ct-bus:nvlink2 is the
  best of all with 100%. Lost to communication 4%.

link     GPUs  paradigm      time  +/-   x first  faster with  goodput
raw         1  infinite      4 ms           1.00            -        -
raw         1  memcpy        4 ms           1.00            -        -
pcie3       1  infinite      4 ms           1.00        50.0%        -
pcie3       1  memcpy        4 ms           1.00        50.0%        -
nvlink2     1  infinite      4 ms           1.00        50.0%        -
nvlink2     1  memcpy        4 ms           1.00        50.0%        -
raw         2  infinite      2 ms           1.00            -        -
raw         2  memcpy    2.131 ms           1.00            -   100.0%
pcie3       2  infinite      2 ms           1.00        50.0%        -
pcie3       2  memcpy    2.146 ms  0.4%     0.99         5.5%    91.4%
nvlink2     2  infinite      2 ms           1.00        50.0%        -
nvlink2     2  memcpy    2.014 ms           1.06       100.0%    94.1%
raw         4  infinite      1 ms           1.00            -        -
raw         4  memcpy    1.393 ms           1.00            -   100.0%
pcie3       4  infinite      1 ms           1.00        50.0%        -
pcie3       4  memcpy    1.437 ms  1.6%     0.97         5.3%    91.4%
nvlink2     4  infinite      1 ms           1.00        50.0%        -
nvlink2     4  memcpy    1.043 ms  0.2%     1.34       100.0%    94.1%

not inside what was measured: ct-bus:pcie3 (assumed: number)

# ---- what is enough: PCIe 3 takes 1.38 times as long as NVLink 2 on 4 GPUs
$ for x in 5% 0.4 100%; do gpuscale compare jacobi --system ct-bus \
    --link pcie3,nvlink2 -P t1=4ms --paradigm memcpy --within $x | sed -n 1p; done
within 5% of the best: nvlink2 is enough as link, 4 GPUs, memcpy
within 40% of the best: pcie3 is enough as link, 4 GPUs, memcpy
within 100% of the best: pcie3 is enough as link, 2 GPUs, memcpy
$ gpuscale compare jacobi --system ct-bus --link pcie3,nvlink2 -P t1=4ms \
    --paradigm memcpy --within 40% | sed -n 2,4p
  best: ct-bus:nvlink2 by memcpy on 4 GPUs, 1.043 ms (+/- 0.2%)
  slowest link: ct-bus:pcie3 by memcpy on 4 GPUs, 1.437 ms (+/- 1.6%), 37.7%
    behind, within 40% with 87%
$ for x in 0 -1 5p ''; do gpuscale compare jacobi --system ct-bus --link pcie3 \
    --within "$x"; echo $?; done
gpuscale: --within: 0 is not above 0
2
gpuscale: --within: -1 is not above 0
2
gpuscale: --within: '5p': unknown unit 'p'
2
gpuscale: --within: '': not a finite decimal number
2
$ gpuscale compare jacobi --system ct-bus --link pcie3 -P t1=4ms \
    --paradigm memcpy --gpus 2 --format csv | cut -d, -f 1-6,8-24
system,workload,paradigm,knobs,gpus,time_s,setup_s,speedup,efficiency,opportunity,compute_s,host_s,transfer_s,initiation_s,tracking_s,tail_s,latency_s,wire_B,useful_B,protocol_B,redundant_B,unused_B,bound
ct-bus,jacobi,memcpy,,2,0.0021310719999999999,0,1.8769896089855247,0.93849480449276235,0.93849480449276235,0.002,0,0.00013107200000000001,0,0,0,0,2097152,2097152,0,0,0,compute
ct-bus:pcie3,jacobi,memcpy,,2,0.0021456000000000001,0,1.8642803877703207,0.93214019388516034,0.93214019388516034,0.002,0,0.00014559999999999999,0,0,0,0,2293760,2097152,196608,0,0,compute

# Without the others, a row is that of `predict`.
$ gpuscale compare jacobi --system ct-bus --link pcie3 --format csv > both.csv; \
  gpuscale predict jacobi --system ct-bus --format csv > one.csv; \
  gpuscale predict jacobi --system ct-bus --link pcie3 --format csv | sed 1d \
    >> one.csv; cmp both.csv one.csv && wc -l < one.csv
43
$ gpuscale compare jacobi --system ct-bus --link pcie3 --gpus 1 -p infinite \
    --format json | sed '/"made_by"/,/^ },/d; /"answer"/,/^ },/d' | tr -d '\n ' | cut -c 1-76
{"schema":"gpuscale.compare/1","rows":[{"system":"ct-bus","workload":"jacobi

# What -P says about the link holds for the others too: 2293760 B at 8 GB/s.
$ gpuscale compare jacobi --system ct-bus --link pcie3 -P t1=4ms --gpus 2 \
    --paradigm memcpy -P link.rate=8GB/s --format csv | cut -d, -f 1,6
system,time_s
ct-bus,0.0022621440000000002
ct-bus:pcie3,0.0022867199999999999

# Each row has the link it is about.
$ gpuscale compare jacobi --system ct-bus --link pcie3,pcie5 -P n=64 --gpus 2 \
    --paradigm memcpy --format csv | cut -d, -f 1,26
system,settings
ct-bus,n=64
ct-bus:pcie3,n=64;link=pcie3
ct-bus:pcie5,n=64;link=pcie5

# Efficiencies that matter are assumed; where nothing moves, nothing is.
$ gpuscale predict jacobi --system ct-bus --link pcie3 -P t1=4ms --gpus 1,4 \
    --paradigm memcpy --format csv | cut -d, -f 1,5,6,25
system,gpus,time_s,applicability
ct-bus:pcie3,1,0.0040000000000000001,inside
ct-bus:pcie3,4,0.0014368,assumed
$ gpuscale explain --all jacobi --system ct-bus --link pcie3 -P t1=4ms --gpus 4 \
    --paradigm memcpy | sed -n '1p; s/ (.*//; /applicability/p'
On 4 GPUs of ct-bus:pcie3 one step of jacobi takes 1.437 ms (+/- 1.6%, assumed)
applicability: assumed
$ printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    'jacobi,infinite,n=512,1,0.004,0' 'jacobi,memcpy,n=512,4,0.0014,0' \
    > runs.csv; \
  gpuscale validate runs.csv --system ct-bus --link pcie3 --format csv | \
    cut -d, -f 2,4,7
paradigm,gpus,predicted_s
infinite,1,0.0040000000000000001
memcpy,4,0.0014368

# ---- values of a number: the rows of `predict` with each
$ gpuscale compare jacobi --system ct-bus -g 1,4 -p memcpy -P t1=4ms \
    --over link.rate=8GB/s..32GB/s,log,3 -f csv > over.csv; \
  for r in 8 16 32; do gpuscale predict jacobi --system ct-bus -g 1,4 -p memcpy -P t1=4ms \
    -P link.rate=${r}GB/s -f csv | sed 1d; done | cut -d, -f 2-25 > one.csv; \
  sed 1d over.csv | cut -d, -f 2-25 | cmp - one.csv && sed 1d over.csv | cut -d, -f 1,5
ct-bus:link.rate=8 GB/s,1
ct-bus:link.rate=8 GB/s,4
ct-bus:link.rate=16 GB/s,1
ct-bus:link.rate=16 GB/s,4
ct-bus:link.rate=32 GB/s,1
ct-bus:link.rate=32 GB/s,4
# Values that are not round are those of sweep to the last digit.
$ q='jacobi --system h200x8 --gpus 4 -p memcpy --over link.rate=10GB/s..900GB/s,log,7'; \
  gpuscale compare $q -f csv | sed 1d | cut -d, -f 6 > a; gpuscale sweep $q -f csv | sed 1d | cut -d, -f 8 | cmp - a && wc -l < a
7
# The least of what speeds and the most of what slows, by brute force.
$ least() { q="jacobi --system h200x8 --gpus 8 -p memcpy --over $1"; \
    gpuscale compare $q -f csv | sed 1d | awk -F, -v x=$2 -v slows=$3 '{ split($1, w, "="); t[NR] = $6; v[NR] = w[2]; \
      if (NR == 1 || $6 < best) best = $6 } \
      END { for (i = 1; i <= NR; i++) if (t[i] <= (1 + x) * best && (!said || slows)) { said = 1; k = i } print v[k] }'; \
    gpuscale compare $q --within $2 | sed -n '1s/.* of \(.*\) is enough.*/\1/p'; }; \
  for x in 0.02 0.1 0.5; do least link.rate=10GB/s..900GB/s,log,19 $x 0; \
    least host.launch=1us..9us,17 $x 1; least n=64,96,128,256,512 $x 1; \
    least host.sync=1us..30us,9 $x 1; done | uniq -c | awk '$1 % 2'

$ gpuscale compare jacobi --system h200x8 -p memcpy --gpus 8 --within 50% --over n=64,128,256 | sed -n 1,4p
within 50% of the best: n of 256 is enough, 8 GPUs, memcpy
  best: h200x8:n=64 by memcpy on 8 GPUs, 21.39 us (+22/-18%)
  least demanding value: h200x8:n=256 by memcpy on 8 GPUs, 25.27 us (+22/-18%),
    18.2% behind, within 50% with 100%
# Of several systems that of the best, though another is faster there.
$ gpuscale compare jacobi --system h200x8,h200x2 --gpus 2 -p inline --over link.rate=1GB/s,900GB/s --within 1000% | \
    grep -o -e 'best: h[^ ]*' -e 'value: h[^ ]*'
best: h200x8:link.rate=900
value: h200x8:link.rate=1
$ ask() { gpuscale compare jacobi --system ct-bus "$@"; echo $?; }; \
  ask --over gpus=2,4; ask --over n=64,128 --over link.rate=1GB/s,2GB/s; ask --over n=64..1024,33; \
  ask --over can.peer=1,2; ask --over n=64; ask --over link.rate=9GB/s..1GB/s; ask --over n=64,64
gpuscale: --over gpus: list them with --gpus
2
gpuscale: compare: one --over; sweep takes several
2
gpuscale: compare: more than 32 systems
2
gpuscale: -P can.peer: '1': needs none, copies, stores or atomics
2
gpuscale: compare: one system; name another, or links with --link
2
gpuscale: --over link.rate: the range runs backwards
2
gpuscale: compare: 'ct-bus:n=64' is given twice
2

# ---- what it costs: time x GPUs x price of an hour, the setup shared by steps
$ gpuscale compare als --system h200x8,dgx-a100,ct-bus --gpus 1-8 -f csv \
    --price 2,h200x8=4.5,ct-bus=0.25 --steps 10 > cost.csv; sed 1q cost.csv | cut -d, -f 29-; \
  awk -F, 'BEGIN { p["h200x8"] = 4.5; p["dgx-a100"] = 2; p["ct-bus"] = 0.25 } \
    NR > 1 { c = ($6 + $8 / 10) * $5 * p[$1] / 3600; d = $(NF - 1) / c - 1; if (d * d > 1e-24) print "cost: " $0 }' cost.csv
gpuscale: note: ct-bus has 4 GPUs; 5 to 8 are extrapolated
energy_J,power_W,standing,also,cost_USD,frontier
# The front, by brute force.
$ awk -F, 'NR > 1 { c[++n] = $(NF - 1); t[n] = $6 + $8 / 10; f[n] = $NF; real[n] = $3 != "infinite" } \
    END { for (i = 1; i <= n; i++) { on = real[i]; \
        for (k = 1; k <= n; k++) if (real[k] && c[k] <= c[i] && t[k] <= t[i] && (c[k] < c[i] || t[k] < t[i] || k < i)) on = 0; \
        bad += on != f[i]; all += on } print (bad ? bad " bad" : "same"), (all > 3 ? "several" : all) }' cost.csv
same several
$ gpuscale compare als --system h200x8,dgx-a100 --price h200x8=4.5,dgx-a100=1 | sed -n 1,/^$/p
Pareto front: nothing is faster for less (of 10^6 steps)
  USD      time  system    GPUs  paradigm
 5.77  20.79 ms  dgx-a100     1  any
 5.87  10.57 ms  dgx-a100     2  inline
 6.15  5.531 ms  dgx-a100     4  proact-poll
 6.59  2.968 ms  dgx-a100     8  proact-poll
12.43  2.486 ms  h200x8       4  proact-poll
13.53  1.353 ms  h200x8       8  proact-poll
$ gpuscale compare als --system h200x8 --gpus 1,8 --price 4 | sed -n 1,/^$/p
Pareto front: nothing is faster for less (of 10^6 steps)
  USD      time  system  GPUs  paradigm
10.15  9.138 ms  h200x8     1  any
12.02  1.353 ms  h200x8     8  proact-poll
$ ask() { gpuscale compare jacobi --system ct-bus,h200x8 --price "$@"; echo $?; }; \
  ask ct-bus=2; ask 0; ask -1; ask nan; ask 2GB; ask h200x8=1,ct-bus=
gpuscale: --price: says nothing of 'h200x8'
2
gpuscale: --price: 0 is not above 0
2
gpuscale: --price: -1 is not above 0
2
gpuscale: --price: 'nan': not a finite decimal number
2
gpuscale: --price: '2GB': a size where a count or fraction is needed
2
gpuscale: --price: '': not a finite decimal number
2

# ---- systems: one with a quicker memory, one with a quicker bus
$ sed 's/"288 GB/"320 GB/; s/"16 GB.s"/"4 GB\/s"/; s/"ct-bus"/"quick"/; s/= 4,/= 8,/' \
    "$SRC/params/ct-bus.lua" > quick.lua
$ gpuscale compare jacobi --system ct-bus,quick --paradigm memcpy; echo $?
On 8 GPUs quick by memcpy is the fastest: one step of jacobi takes 4.089 ms.
  quick is the best of all with 100%. Lost to communication 90%.

system  GPUs  paradigm      time  +/-  x first  faster with  goodput
ct-bus     1  memcpy    3.728 ms          1.00            -        -
quick      1  memcpy    3.355 ms          1.11       100.0%        -
ct-bus     2  memcpy    1.995 ms          1.00            -   100.0%
quick      2  memcpy    2.202 ms          0.91           0%   100.0%
ct-bus     4  memcpy    1.325 ms          1.00            -   100.0%
quick      4  memcpy    2.412 ms          0.55           0%   100.0%
quick      8  memcpy    4.089 ms             -            -   100.0%

the winner changes at 2 GPUs, from quick to ct-bus by memcpy
0

# Two files may have the same name inside.
$ cp "$SRC/params/ct-bus.lua" a.lua; cp a.lua b.lua; \
  gpuscale compare ct --system a.lua,b.lua --gpus 1 -p infinite -f csv | \
    cut -d, -f 1
system
ct-bus
b.lua
$ gpuscale compare ct --system ct-bus,quick --link pcie3 --gpus 1 \
    --paradigm infinite --format csv | cut -d, -f 1
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for quick it is scaled by the roofline
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for quick it is scaled by the roofline
system
ct-bus
ct-bus:pcie3
quick
quick:pcie3

# Beyond what was built: a note for each system.
$ gpuscale compare jacobi --system ct-bus,quick --gpus 6,16 -p infinite -f csv \
    -o x.csv
gpuscale: note: ct-bus has 4 GPUs; 6 to 16 are extrapolated
gpuscale: note: quick has 8 GPUs; 16 is extrapolated
$ sed 's/grows    = true/grows    = false/' quick.lua > fixed.lua; \
  gpuscale compare jacobi --system ct-bus,fixed.lua --gpus 16 -o x.csv; echo $?
gpuscale: note: ct-bus has 4 GPUs; 16 is extrapolated
gpuscale: note: no row for quick: quick has 8 GPUs and no rule to grow to 16
0

# ---- refused
$ gpuscale compare jacobi; echo $?
gpuscale: compare: needs --system A,B,...
2
$ gpuscale compare jacobi --system ct-bus,ct-bus; echo $?
gpuscale: compare: 'ct-bus' is given twice
2
$ gpuscale compare jacobi --system ct-bus --link pcie3,pcie3; echo $?
gpuscale: compare: 'ct-bus:pcie3' is given twice
2
$ gpuscale compare jacobi --system ct-bus --link pcie33; echo $?
gpuscale: no link 'pcie33'; did you mean 'pcie3'?
3
$ gpuscale compare jacobi --system quick,ct-buss; echo $?
gpuscale: no system 'ct-buss'; did you mean 'ct-bus'?
3
$ gpuscale compare jacobi --system ct-bus,quick -P m=1; echo $?
gpuscale: -P m: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2
$ l=pcie1; for i in 2 3 4 5 6 7; do l=$l,pcie$i; done; \
  for s in 0 1 2 3 4; do cp a.lua s$s.lua; done; \
  gpuscale compare jacobi --system s0.lua,s1.lua,s2.lua,s3.lua,s4.lua \
    --link $l; echo $?
gpuscale: compare: more than 32 systems
2
$ gpuscale predict jacobi --system ct-bus --link pcie3,pcie4; echo $?
gpuscale: predict: one link, not 'pcie3,pcie4'
2
$ gpuscale compare jacobi --system ct-bus,quick -o /dev/full; echo $?
gpuscale: /dev/full: No space left on device
5

# ---- plot comparison
$ gpuscale plot comparison jacobi --system ct-bus --link pcie3,nvlink2 \
    -o c.svg; echo $?; tail -n 1 c.svg; \
  grep -c '<text>ct-bus:nvlink2<' c.svg; grep '<title>jacobi' c.svg
0
</svg>
1
<title>jacobi, each system by its best paradigm</title>
$ gpuscale plot comparison jacobi --system ct-bus,quick --paradigm memcpy | \
    grep '<title>jacobi'
<title>jacobi by memcpy</title>
$ gpuscale plot scaling jacobi --system ct-bus --link pcie3 | grep '<title>jac'
<title>jacobi on ct-bus:pcie3 (link=pcie3)</title>
$ gpuscale plot comparision jacobi --system ct-bus,quick; echo $?
gpuscale: plot: no figure 'comparision'; did you mean 'comparison'?
2

# ---- each two: PCIe 3 takes 1.437 ms where NVLink 2 takes 1.043 on 4 GPUs
$ gpuscale compare jacobi --system ct-bus --link pcie3,nvlink2 -P t1=4ms --paradigm memcpy --pairs -g 4 -f csv | \
    cut -d, -f 1-3,8,11
system,other,gpus,ratio,faster_odds
...
$ gpuscale compare jacobi --system ct-bus --link pcie3,nvlink2 -P t1=4ms --paradigm memcpy --pairs -g 4 -f csv | \
    awk -F, '$1 ~ /pcie3/ && $2 ~ /nvlink2/ { printf "%.4f %d %d\n", $8, $9 < $8 && $8 < $10, $11 < 0.001 }'
0.7261 1 1
# Twice the price pays where it is twice as fast.
$ for p in 1.3 1.5; do gpuscale compare jacobi --system ct-bus --link pcie3,nvlink2 -P t1=4ms --paradigm memcpy \
    --pairs --price 1,ct-bus:nvlink2=$p -g 2,4 | grep 'nvlink2 .*pay.* beside ct-bus:pcie3'; done
ct-bus:nvlink2 pays beside ct-bus:pcie3 from 4 GPUs on
ct-bus:nvlink2 does not pay beside ct-bus:pcie3, up to 4 GPUs
# Of two alone: 13 times as fast.
$ for p in 2 20; do gpuscale compare jacobi --system ct-bus,h200x4 -p memcpy --pairs --price ct-bus=1,h200x4=$p -g 2,4 | \
    grep beside; done
h200x4 pays beside ct-bus from 2 GPUs on
h200x4 does not pay beside ct-bus, up to 4 GPUs
# From which size on.
$ gpuscale compare jacobi --system h200x8,dgx-b200 --over n=128,256,512,1024 --pairs --price h200x8=4,dgx-b200=5 -g 2 \
    -p memcpy | grep ' pays beside h200x8 from '
2 GPUs: dgx-b200 pays beside h200x8 from 512 on
# Who was projected says how far such projections were off.
$ gpuscale compare jacobi --system h200x8,dgx-b200 --pairs -g 2 -p memcpy | sed -n '/^projected/s/off by.*/off by/p'; \
  gpuscale compare jacobi --system h200x8,h200x4 --pairs -g 2 -p memcpy | grep -c projected
projected, not measured: dgx-b200; such projections were off by
0

# Each link has its best paradigm, with --all each that runs; every time has an interval.
$ q='compare jacobi -s h200x8 --link pcie3,pcie4,pcie5,nvlink4 -g 4'; for all in '' --all; do \
    gpuscale $q $all 2> note | awk '$1 != "On" && $2 == 4 { n++; e += $6 ~ /^[+0-9].*%$/ } END { print n, e }'; done
4 4
40 40

# The rate at which one paradigm passes another, between two links; `solve` finds 37.15 GB/s.
$ gpuscale compare sssp -P preset=paper --system v100-sim4 --link pcie3,pcie4,pcie5 -g 4 -p memcpy,inline 2> why | grep passes
on 4 GPUs inline passes memcpy at about 36.6 GB/s
