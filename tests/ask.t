# gs.sweep and gs.solve of scripts: what the verbs find, and what is refused.
#once

# ---- the example
$ gpuscale run "$SRC/lua/examples/ask.lua" | grep -c 'of the ideal from there on'
1
$ gpuscale run "$SRC/lua/examples/ask.lua" | grep -c ' 80.0% '
1

# ---- sweep: the rows of the verb
$ printf '%s\n' 'gs.rows(gs.sweep { workload = "jacobi", system = "h200x8", gpus = { 2, 4 },' \
    '  paradigm = { "memcpy", "inline" }, set = { n = 512 }, errors = true,' \
    '  over = { "link.rate=10GB/s..900GB/s,log,5", "host.copy=1us,3us" } },' \
    '  { "point", "system", "workload", "link.rate_Bps", "host.copy_s", "paradigm", "knobs", "gpus",' \
    '    "time_s", "time_err_s", "speedup", "efficiency", "opportunity", "bound",' \
    '    "standing", "also" })' > grid.lua; \
  gpuscale run grid.lua -f csv -o run.csv; \
  gpuscale sweep jacobi --system h200x8 --gpus 2,4 -p memcpy,inline -P n=512 --errors \
    --over link.rate=10GB/s..900GB/s,log,5 --over host.copy=1us,3us -f csv -o verb.csv; \
  grep -v '^#' run.csv > a; grep -v '^#' verb.csv > b; wc -l < a; cmp a b && echo same
41
same
# By names they come in the order of the alphabet; --best, designs, seeds.
$ printf '%s\n' 'local rows = gs.sweep { workload = "jacobi", system = "h200x8", gpus = 4,' \
    '  over = { n = "64..2048,whole", ["link.rate"] = "10GB/s..900GB/s,log" },' \
    '  best = true, design = "random", points = 9, seed = 3 }' \
    'for _, r in ipairs(rows) do' \
    '  print(string.format("%d,%.17g,%d,%s,%.17g", r.point, r["link.rate_Bps"], r.n // 1, r.paradigm, r.time_s))' \
    'end' > named.lua; gpuscale run named.lua > a; wc -l < a; \
  gpuscale sweep jacobi --system h200x8 --gpus 4 --over link.rate=10GB/s..900GB/s,log \
    --over n=64..2048,whole --best --design random --points 9 --seed 3 -f csv | sed 1d | \
    cut -d, -f 1,4-6,9 | cmp - a && echo same
9
same
$ printf '%s\n' 'for _, over in ipairs { { gpus = { 2, 4, 8 } }, { gpus = "2,4,8" }, "gpus=2,4,8", { "gpus=2,4,8" } } do' \
    '  local t = gs.sweep { workload = "jacobi", system = "h200x8", paradigm = "memcpy", over = over }' \
    '  print(#t, t[1].gpus, t[3].gpus, t[3]["over.gpus"], t[1].time_err_s)' \
    'end' > ways.lua; gpuscale run ways.lua
3	2	8	8.0	nil
3	2	8	8.0	nil
3	2	8	8.0	nil
3	2	8	8.0	nil
# A point without an answer has no row.
$ printf '%s\n' 'print(#gs.sweep { workload = "jacobi", system = "h200x8", gpus = 4, paradigm = "memcpy",' \
    '  over = { ["device.memory"] = "1MB,80GB" } })' > unfit.lua; \
  gpuscale run unfit.lua 2>&1 | cut -c 1-70
gpuscale: note: no row for 1 point: jacobi on 4 GPUs does not fit devi
1

# ---- solve: the crossings of the verb
#long
$ printf '%s\n' 'local function show (q)' \
    '  q.workload, q.system = "jacobi", q.system or "h200x8"' \
    '  local list, holds = gs.solve(q)' \
    '  for _, f in ipairs(list) do' \
    '    local function number (x) return x and string.format("%.17g", x) or "" end' \
    '    print(table.concat({ f.system, f.workload, f["for"], f["until"], number(f.value), number(f.value_lo),' \
    '                         number(f.value_hi), f.holds, f.paradigm, f.settings }, ","))' \
    '  end' \
    '  if #list == 0 then print("none", holds) end' \
    'end' \
    'show { gpus = 4, paradigm = "memcpy", ["for"] = "rate", ["until"] = "opportunity=0.8" }' \
    'show { paradigm = "memcpy", ["for"] = "gpus", ["until"] = "efficiency=0.5" }' \
    'show { gpus = 8, paradigm = "inline", ["for"] = "n=64..2048", ["until"] = "efficiency=0.8" }' \
    'show { gpus = 8, ["for"] = "n=64..4096", crossover = "memcpy,memcpy-async" }' \
    'show { gpus = 8, ["for"] = "rate", ["until"] = "efficiency=0.99" }' \
    'show { gpus = 2, ["for"] = "rate", ["until"] = "efficiency=0.01" }' > solve.lua; \
  gpuscale run solve.lua > a 2> why; \
  { gpuscale solve jacobi --system h200x8 --gpus 4 -p memcpy --for rate --until opportunity=0.8 -f csv; \
    gpuscale solve jacobi --system h200x8 -p memcpy --for gpus --until efficiency=0.5 -f csv; \
    gpuscale solve jacobi --system h200x8 --gpus 8 -p inline --for n=64..2048 --until efficiency=0.8 -f csv; \
    gpuscale solve jacobi --system h200x8 --gpus 8 --for n=64..4096 --crossover memcpy,memcpy-async -f csv; \
  } 2> why | grep -v '^system' | tr -d '"' > b; wc -l < b; \
  head -n 4 a | tr -d '"' | cmp - b && echo same; tail -n 2 a
4
same
none	false
none	true

# ---- what is refused
$ printf '%s\n' 'echo "gs.$1" > try.lua; gpuscale run try.lua -o try.out; echo $?' > try.sh; \
  q='workload = "jacobi", system = "h200x8", gpus = 4'; \
  for more in '' 'over = 3' 'over = {}' 'over = { n = {} }' 'over = { n = true }' 'over = { [true] = "1" }' \
    'over = { "n=64", m = 2 }' 'over = { 3 }' 'over = "x"' 'over = { ["link.rate"] = "9GB/s..1GB/s" }' \
    'over = { nothing = "1..2" }' 'over = { "n=64", "n=65" }' 'over = { gpus = 2 }' \
    'over = { n = 64 }, design = "sobol"' 'over = { n = 64 }, points = 2' 'over = { n = 64 }, points = 0' \
    'over = { n = 64 }, seed = 1.5' 'over = { n = 64 }, desing = "grid"' 'over = { n = 64 }, design = 1'; do \
    sh try.sh "sweep { $q, $more }"; done 2>&1 | paste -d'|' - -
gpuscale: try.lua:1: gs.sweep: over: needs { NAME = "FROM..TO" }, got a nil|3
gpuscale: try.lua:1: gs.sweep: over: needs { NAME = "FROM..TO" }, got a number|3
gpuscale: try.lua:1: gs.sweep: over: is empty|3
gpuscale: try.lua:1: gs.sweep: over: n: an empty list|3
gpuscale: try.lua:1: gs.sweep: over: n: needs text, whole numbers or a list of them, got a boolean|3
gpuscale: try.lua:1: gs.sweep: over: a key that is a boolean, not a name|3
gpuscale: try.lua:1: gs.sweep: over: both a list and names|3
gpuscale: try.lua:1: gs.sweep: over: needs a list of "NAME=FROM..TO", got a number|3
gpuscale: try.lua:1: gs.sweep: --over x: needs the form NAME=FROM..TO or NAME=V,V,...|3
gpuscale: try.lua:1: gs.sweep: --over link.rate: the range runs backwards|3
gpuscale: try.lua:1: gs.sweep: -P nothing: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word|3
gpuscale: try.lua:1: gs.sweep: --over n: given twice|3
gpuscale: try.lua:1: gs.sweep: sweep: --over gpus and --gpus exclude one another|3
gpuscale: try.lua:1: gs.sweep: --design sobol: needs --points|3
gpuscale: try.lua:1: gs.sweep: --points: a grid has as many as its axes have values|3
gpuscale: try.lua:1: gs.sweep: points: needs a whole number, 1 to 100000|3
gpuscale: try.lua:1: gs.sweep: seed: needs a whole number, 0 to 1000000000|3
gpuscale: try.lua:1: gs.sweep: desing: unknown key; did you mean 'design'?|3
gpuscale: try.lua:1: gs.sweep: design: needs text, got a number|3
$ sh try.sh 'sweep()'; sh try.sh 'sweep { workload = "jacobi", over = "n=64" }'
gpuscale: try.lua:1: gs.sweep: needs one table, as in gs.sweep { workload = ... }
3
gpuscale: try.lua:1: gs.sweep: system: missing; needs a name or a file
3
$ sh try.sh 'sweep { workload = "jacobi", system = "h200x8", over = { ["link.rate"] = "1GB/s..2GB/s,100001" } }'
gpuscale: try.lua:1: gs.sweep: more than 100000 rows
6
$ sh try.sh 'sweep { workload = "jacobi", system = "h200x8", over = { ["link.rate"] = "1GB/s..2GB/s,30000" } }'
gpuscale: try.lua:1: gs.sweep: more than 100000 rows
6
$ sh try.sh 'sweep { workload = "jacobi", system = "none.lua", over = "n=64" }'
gpuscale: try.lua:1: gs.sweep: none.lua: No such file or directory
5
$ printf '%s\n' 'local list, more = gs.solve { workload = "jacobi", system = "h200x8", knee = true,' \
    '  paradigm = "memcpy", gpus = { 1, 2, 3, 4, 8 } }' \
    'for _, f in ipairs(list) do' \
    '  print(table.concat({ f["for"], f["until"], f.value, f.value_lo, f.value_hi, f.holds, f.paradigm }, ","), more)' \
    'end' > knee.lua; gpuscale run knee.lua | sed 's/\.0,/,/g' > a; \
  gpuscale solve jacobi --system h200x8 --gpus 1,2,3,4,8 -p memcpy --knee -f csv | sed 1d | \
    cut -d, -f 3-9 | sed 's/$/\ttrue/' | cmp - a && echo same
same
$ q='workload = "jacobi", system = "h200x8", gpus = 4'; \
  for more in '' '["for"] = 3' '["for"] = "rate"' '["for"] = "rate", ["until"] = "efficiency=2"' \
    '["for"] = "n", ["until"] = "speedup=2"' '["for"] = "rate", crossover = "memcpy"' \
    '["for"] = "rate", ["until"] = "speedup=2", crossover = "memcpy,inline"' \
    'knee = true, ["for"] = "rate"' 'knee = true' \
    '["for"] = "rate", crossover = "memcpy,nothing"' '["for"] = "rate", untl = "speedup=2"'; do \
    sh try.sh "solve { $q, $more }"; done 2>&1 | paste -d'|' - -
gpuscale: try.lua:1: gs.solve: for: missing; needs a name|3
gpuscale: try.lua:1: gs.solve: for: needs text, got a number|3
gpuscale: try.lua:1: gs.solve: needs until = "WHAT=VALUE" or crossover = "A,B"|3
gpuscale: try.lua:1: gs.solve: --until: efficiency is at most 1|3
gpuscale: try.lua:1: gs.solve: --for n: say the range, n=FROM..TO|3
gpuscale: try.lua:1: gs.solve: --crossover: 'memcpy' is not A,B|3
gpuscale: try.lua:1: gs.solve: needs until = "WHAT=VALUE" or crossover = "A,B"|3
gpuscale: try.lua:1: gs.solve: --knee: is of gpus, not of 'rate'|3
gpuscale: try.lua:1: gs.solve: --knee: needs more than one number of GPUs|3
gpuscale: try.lua:1: gs.solve: no paradigm 'nothing'; see `gpuscale list paradigms`|3
gpuscale: try.lua:1: gs.solve: untl: unknown key; did you mean 'until'?|3
$ ls try.out
ls: cannot access 'try.out': No such file or directory
# Descriptions have neither.
$ echo 'gs.sweep {}' > d.lua; gpuscale predict jacobi --system d.lua; echo $?
gpuscale: d.lua:1: attempt to call a nil value (field 'sweep')
3
