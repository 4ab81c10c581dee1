# A number of a phase that is a function of the number of GPUs.
$ printf '%s\n' 'printf "%s\n" "return gs.workload { name = \"mine\"," \' \
    '"knobs = { more = gs.knob { default = gs.assumed(0.1, {0.05, 0.2}, \"\") } }," \' \
    '"step = function (k) return { t1 = \"300 us\"," \' \
    '"gs.phase { name = \"sweep\", units = 512, to = \"neighbours\"," "$1" \' \
    '"} } end }" > mine.lua' | sed 's/0.2}, \\"\\"/0.2}, \\"guess\\"/' > write

# ---- one that is constant is that number, bit for bit ----
$ sh write 'bytes = 1e9, publish = 1e6'
$ gpuscale predict mine.lua -s h200x8 -g 1,2,4,8 -f csv > constant 2> notes
$ gpuscale predict mine.lua -s dgx-h100-ndr -g 8,64 -f csv > wide 2> notes
$ sh write "bytes = gs.per_gpus(function (n) return 1e9 end), \
    publish = gs.per_gpus(function (n) return '1 MB' end)"
$ gpuscale predict mine.lua -s h200x8 -g 1,2,4,8 -f csv 2> notes | cmp - constant
$ gpuscale predict mine.lua -s dgx-h100-ndr -g 8,64 -f csv 2> notes | cmp - wide

# ---- one that is not: the same by each verb, and alone as among others ----
$ sh write "publish = 1e6, bytes = gs.per_gpus(function (n) \
    return 1e9 * (1 + k.more * math.log(n, 2)) end), \
    compute = { imbalance = gs.per_gpus(function (n) \
    return 1 + 0.05 * math.log(n, 2) end) }"
$ gpuscale predict mine.lua -s h200x8 -g 1,2,4,8 -p memcpy -f csv > grown 2> notes
# (What is left of sums that are zero is 0.)
$ cut -d, -f5-7 grown | sed 's/,[0-9.]*e-2[0-9]$/,0/'
gpus,time_s,time_err_s
1,0.00029999999999999997,0
2,0.00018719849421589051,8.3394420634903558e-06
4,0.00012085702972274106,7.8847820180462726e-06
8,8.0954527274081071e-05,6.3368761482418175e-06
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
more               0.1        43.3%        0.16   6.7%  assumed, guess
# A setting takes the place of a function.
$ gpuscale predict mine.lua -s h200x8 -g 8 -p memcpy -P sweep.bytes=1GB \
    -P sweep.compute.imbalance=1 -f csv 2> notes | cut -d, -f6
time_s
6.2876358786581065e-05
$ grep memcpy,,8 constant | cut -d, -f6
6.2876358786581065e-05

# ---- what is wrong in one ----
$ for e in 'return n > 1 and {}' 'return n > 1 and "x" or 1' 'return -1' \
    'return n > 1 and -1 or 1' 'error("no")' 'while true do end' \
    'return gs.assumed(1, {0, 2}, "so")' 'return 1 / 0'; do \
    sh write "bytes = gs.per_gpus(function (n) $e end)"; \
    gpuscale predict mine.lua -s h200x8 -g 8; echo "[$?]"; done
gpuscale: mine.lua:5: sweep: bytes on 1 GPU: needs a number, got a boolean
[3]
gpuscale: mine.lua:5: sweep: bytes on 8 GPUs: 'x': not a finite decimal number
[3]
gpuscale: mine.lua:4: sweep: bytes: -1 is not >= 0
[3]
gpuscale: mine.lua:5: sweep: bytes: -1 is not >= 0 on 8 GPUs
[3]
gpuscale: mine.lua:5: no
[3]
gpuscale: mine.lua:5: ran more than 10000000 instructions
[6]
gpuscale: mine.lua:5: sweep: bytes on 1 GPU: a function of the number of GPUs has no error: let it depend on a knob that has one
[3]
gpuscale: mine.lua:5: sweep: bytes on 1 GPU: is not finite
[3]
$ sh write 'footprint = gs.per_gpus(function (n) return n end)'
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:4: sweep: compute.footprint: it decides how many GPUs there can be, and is the same on all
$ sh write 'bytes = gs.per_gpus(3)'
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:5: gs.per_gpus: needs one function, as in gs.per_gpus(function (n) return ... end)
$ sh write 'to = gs.per_gpus(function (n) return "all" end)'
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:4: sweep: to: needs a word, got a gs.per_gpus
$ sh write 'compute = { doubled = { work = 0.1 } }'
$ gpuscale predict mine.lua -s h200x8 -g 8
gpuscale: mine.lua:4: sweep: compute.doubled: now compute = { imbalance =, flop =, bytes = }, each gs.per_gpus(function (n) ... end)
