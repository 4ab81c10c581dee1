# A step that is a function of the number of GPUs.
#once
$ printf '%s\n' 'printf "%s\n" "return gs.workload { name = \"mine\"," \' \
    '"knobs = { more = gs.knob { default = gs.assumed(0.1, {0.05, 0.2}, \"\") } }," \' \
    '"step = function (k, n) return { t1 = \"300 us\"," \' \
    '"gs.phase { name = \"sweep\", units = 512, to = \"neighbours\"," "$1" \' \
    '"} } end }" > mine.lua' | sed 's/0.2}, \\"\\"/0.2}, \\"guess\\"/' > write

# ---- one that is constant is that number, bit for bit ----
$ sh write 'bytes = 1e9, publish = 1e6'
$ gpuscale predict mine.lua -s h200x8 -g 1,2,4,8 -f csv > constant 2> notes
$ gpuscale predict mine.lua -s dgx-h100-ndr -g 8,64 -f csv > wide 2> notes
$ sh write "bytes = n < 100 and 1e9 or 1e9, publish = '1 MB'"
$ gpuscale predict mine.lua -s h200x8 -g 1,2,4,8 -f csv 2> notes | cmp - constant
$ gpuscale predict mine.lua -s dgx-h100-ndr -g 8,64 -f csv 2> notes | cmp - wide

# ---- one that is not: the same by each verb, and alone as among others ----
$ sh write "publish = 1e6, bytes = 1e9 * (1 + k.more * math.log(n, 2)), \
    compute = { imbalance = 1 + 0.05 * math.log(n, 2) }"
$ gpuscale predict mine.lua -s h200x8 -g 1,2,4,8 -p memcpy -f csv > grown 2> notes
# (What is left of sums that are zero is 0.)
$ cut -d, -f5-7 grown | sed 's/,[0-9.]*e-2[0-9]$/,0/'
gpus,time_s,time_err_s
1,0.00029999999999999997,0
2,0.00018719849421589051,7.9313652239477567e-06
4,0.00012085702972274106,7.7225031431278539e-06
8,8.0954527274081071e-05,6.2591117474201405e-06
$ gpuscale compare mine.lua -s h200x8,dgx-a100 -g 1,2,4,8 -p memcpy -f csv 2> notes | \
    grep -v dgx-a100 | cut -d, -f1-20 > a; cut -d, -f1-20 grown | cmp - a
$ for n in 1 2 4 8; do \
    gpuscale predict mine.lua -s h200x8 -g $n -p memcpy -f csv 2> notes; done | \
    awk 'NR == 1 || !/^system/' | cmp - grown
$ gpuscale sweep mine.lua -s h200x8 -p memcpy --over gpus=1,2,4,8 -f csv \
    2> notes | cut -d, -f8 > swept; cut -d, -f6 grown | cmp - swept
$ gpuscale sweep mine.lua -s h200x8 -p memcpy --over gpus=2,8 --over more=0.1,0.3 \
    -f csv 2> notes | awk -F, '/,8,/ && /0.3/ { print $9 }' > swept; \
  gpuscale predict mine.lua -s h200x8 -g 8 -p memcpy -P more=0.3 -f csv 2> notes | \
    sed 1d | cut -d, -f6 | diff - swept && echo same
same
# Of 8 GPUs the busiest computes 1.15 (1 + 0.3) eighths of what one does.
$ awk -F, '{ c = ($12 - 1.537e-6) * $5 } $5 == 1 { one = c } $5 == 8 { print c / one }' grown
1.49499
# The knob's error is that of the counts.
$ gpuscale explain mine.lua -s h200x8 -g 8 -p memcpy | grep '^more '
more                   0.1        43.3%        0.16   6.7%  assumed, guess
# A setting takes the place of a function.
$ gpuscale predict mine.lua -s h200x8 -g 8 -p memcpy -P sweep.bytes=1GB \
    -P sweep.compute.imbalance=1 -f csv 2> notes | cut -d, -f6
time_s
6.2876358786581065e-05
$ grep memcpy,,8 constant | cut -d, -f6
6.2876358786581065e-05

# ---- what is wrong on some ----
$ for e in 'bytes = n > 1 and {} or 1' 'bytes = n > 1 and "x" or 1' \
    'bytes = n > 1 and -1 or 1' 'bytes = n > 1 and error("no") or 1' \
    'bytes = 1, footprint = n' 'bytes = 1, to = n > 1 and "all" or "partition"'; do \
    sh write "publish = 1e6, $e"; \
    gpuscale predict mine.lua -s h200x8 -g 8; echo "[$?]"; done
gpuscale: mine.lua:4: sweep: bytes: needs a number, got a table
[3]
gpuscale: mine.lua:4: sweep: bytes: 'x': not a finite decimal number
[3]
gpuscale: mine.lua:4: sweep: bytes: -1 is not >= 0
[3]
gpuscale: mine.lua:5: no
[3]
gpuscale: mine.lua:1: step: sweep: compute.footprint: it decides how many GPUs there can be, and is the same on all
[3]
gpuscale: mine.lua:1: step: sweep: only numbers of a phase may depend on the number of GPUs, not words and lengths of lists
[3]
$ printf '%s\n' 'echo "return gs.workload { name = \"mine\", knobs = { m = gs.knob { default = 1 } },"' \
    'echo "step = function (k, n) $1 gs.phase { name = \"a\", units = 512, publish = 1e6,"' \
    'echo "bytes = 1e9 * $2 }, $3 } end }"' > step
$ sh step 'return {' 1 'n > 1 and gs.phase { name = "b" } or nil' > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:1: step: returns other phases, or another order, on 8 GPUs than on one
$ sh step 'return {' 1 't1 = 1e-3 * n' > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:1: step: t1 is the time of one GPU; it differs on 8 GPUs

# ---- the host, and a schedule ----
$ sh step 'return {' 1 'host = { waits = n > 4 and "step" or "phase" }' > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 4,8 -p memcpy -f csv | cut -d, -f6 > both
$ sh step 'return {' 1 'host = { waits = "step" }' > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 8 -p memcpy -f csv | cut -d, -f6 | sed 1d > step8
$ sh step 'return {' 1 'host = { waits = "phase" }' > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 4 -p memcpy -f csv | cut -d, -f6 | cat - step8 | cmp - both
$ printf '%s\n' 'sh step "return {" 1 "schedule = function (g) gs.launch(\"a\") end"' > scheduled
$ sh scheduled | sed 's/, n)/)/' > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 4,8 -p schedule -f csv > one 2> notes
$ sh scheduled > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 4,8 -p schedule -f csv 2> notes | cmp - one
$ sh step 'return {' 1 "schedule = n > 1 and function (g) gs.launch('a') end or nil" > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:1: step: returns a schedule on 8 GPUs or on one only

# ---- it is called once for each N; without n, once ----
$ { echo 'local seen = {}'; sh step 'assert(not seen[n]); seen[n] = true; return {' 1; } > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 1-4 -p memcpy -f csv | wc -l
5
$ { echo 'local seen'; sh step 'assert(not seen); seen = true; return {' 1 \
    'schedule = function (g) gs.launch("a") end' | sed 's/, n)/)/'; } > mine.lua
$ gpuscale predict mine.lua -s h200x8 -g 1-4 -p schedule -f csv 2> notes | wc -l
5

# ---- a step that remembers ----
$ { echo 'local seen = 0'; sh step 'seen = seen + 1; return {' '(seen + k.m)'; } > mine.lua
$ for jobs in 1 8; do gpuscale sweep mine.lua -s h200x8 -g 4 -p memcpy --over m=1,2,3 \
    -f csv -o rows --jobs $jobs; echo "[$?]"; test -e rows && echo rows; done
gpuscale: mine.lua: step: the first point, repeated, differs: step() must depend on its arguments only
[3]
gpuscale: mine.lua: step: the first point, repeated, differs: step() must depend on its arguments only
[3]

# ---- a sweep through values that step refuses, and through other phases ----
$ sh step 'assert(k.m ~= 1 and k.m ~= 3, "no"); return {' 'k.m * n' \
    'k.m > 4 and gs.phase { name = "b", units = 512, bytes = 1e8, publish = 1e6 } or nil' > mine.lua
$ gpuscale sweep mine.lua -s h200x8 -g 4 -p memcpy --over m=1,2,3,6,4 -f csv 2> notes | cut -d, -f8 > swept
$ for m in 2 6 4; do gpuscale predict mine.lua -s h200x8 -g 4 -p memcpy -P m=$m -f csv 2> notes | \
    cut -d, -f6 | sed 1d; done | sed '1i time_s' | cmp - swept
$ wc -l < swept
4
