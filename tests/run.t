# run: scripts of users, what they can say, and how they are refused.

# ---- the example
$ gpuscale run "$SRC/lua/examples/sweep.lua" --format csv | cut -d, -f 1 | \
    paste -sd ' '
n 64 128 256 512 1024
$ gpuscale run "$SRC/lua/examples/sweep.lua" | sed -n 1p
   n  paradigm      time  speedup  effic.  bound

# ---- predictions are rows keyed by the columns of `predict`
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'local rows = gs.predict {' \
    '  workload = "jacobi", system = "ct-bus", gpus = { 1, 2, 4 },' \
    '  paradigm = { "infinite", "memcpy" }, set = { t1 = "4ms" },' \
    '}' \
    'gs.rows(rows)' \
    > two.lua
$ gpuscale run two.lua
system  workload  paradigm  GPUs      time  speedup  effic.  bound
ct-bus  jacobi    infinite     1      4 ms     1.00  100.0%  compute
ct-bus  jacobi    infinite     2      2 ms     2.00  100.0%  compute
ct-bus  jacobi    infinite     4      1 ms     4.00  100.0%  compute
ct-bus  jacobi    memcpy       1      4 ms     1.00  100.0%  compute
ct-bus  jacobi    memcpy       2  2.131 ms     1.88   93.8%  compute
ct-bus  jacobi    memcpy       4  1.393 ms     2.87   71.8%  compute

system  workload  paradigm  GPUs  applicability  settings  standing
ct-bus  jacobi    infinite     1  inside         t1=4ms
ct-bus  jacobi    infinite     2  inside         t1=4ms
ct-bus  jacobi    infinite     4  inside         t1=4ms
ct-bus  jacobi    memcpy       1  inside         t1=4ms
ct-bus  jacobi    memcpy       2  inside         t1=4ms    best
ct-bus  jacobi    memcpy       4  inside         t1=4ms    best
$ gpuscale run two.lua --format csv > run.csv; \
  gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 1,2,4 \
    --paradigm infinite,memcpy --format csv | \
    cut -d, -f 1-28,31,32,34-40 | cmp - run.csv && echo same
same
$ gpuscale run two.lua --format json | sed -n 2p
 "schema": "gpuscale.run/1",

# Numbers and text as an option would have them; a link in place of the own.
$ printf '%s\n' 'local function time (q)' \
    '  q.workload, q.system, q.paradigm = "jacobi", "ct-bus", "memcpy"' \
    '  local rows = gs.predict(q)' \
    '  return rows[#rows].system, rows[#rows].gpus, rows[#rows].time_s' \
    'end' \
    'print(time { gpus = 4, set = { n = 512, t1 = "4ms" } })' \
    'print(time { gpus = "1-4", set = { t1 = "4ms", ["link.rate"] = "8GB/s" } })' \
    'print(time { set = { t1 = "4ms" } })' \
    'print(time { gpus = 4, link = "pcie3", set = { t1 = "4ms" } })' \
    > asked.lua
$ gpuscale run asked.lua
ct-bus	4	0.001393216
ct-bus	4	0.001786432
ct-bus	4	0.001393216
ct-bus:pcie3	4	0.0014368

# Proposed hardware only if asked for; unmet needs leave a paradigm out.
$ printf '%s\n' 'local function count (proposed)' \
    '  return #gs.predict { workload = "ct", system = "ct-bus", gpus = 2,' \
    '                       proposed = proposed }' \
    'end' 'print(count(false) >= 3, count(true) >= count(false))' > all.lua; \
  gpuscale run all.lua
true	true

# ---- rows of one's own
$ printf '%s\n' 'gs.rows({' \
    '  { name = "a, b", whole = 3, part = 0.25, wait_s = 2e-6, yes = true },' \
    '  { name = "c", whole = -1, wait_s = 1, mixed = 1 },' \
    '  { name = "d", part = 1e9, mixed = "two" },' \
    '}, { "name", "whole", "part", "wait_s", "yes", "mixed" })' \
    > own.lua
$ gpuscale run own.lua
name  whole        part  wait_s  yes   mixed
a, b      3        0.25    2 us  true
c        -1           -     1 s        1
d         -  1000000000       -        two
$ gpuscale run own.lua --format csv
name,whole,part,wait_s,yes,mixed
"a, b",3,0.25,1.9999999999999999e-06,true,
c,-1,,1,,1
d,,1000000000,,,two
$ gpuscale run own.lua --format json | sed '/"made_by"/,/^ },/d' | tr -d '\n '; echo
{"schema":"gpuscale.run/1","rows":[{"name":"a,b","whole":3,"part":0.25,"wait_s":1.9999999999999999e-6,"yes":"true","mixed":""},{"name":"c","whole":-1,"part":null,"wait_s":1.0,"yes":"","mixed":"1"},{"name":"d","whole":null,"part":1000000000.0,"wait_s":null,"yes":"","mixed":"two"}]}

# Without columns: those of `predict` in its order, then the others by name.
$ echo 'gs.rows { { z = 1, gpus = 2, a = "x", paradigm = "p" } }' > mine.lua; \
  gpuscale run mine.lua
paradigm  GPUs  a  z
p            2  x  1

# A column may hold what `predict` would not put there.
$ echo 'gs.rows { { gpus = "many", bound = 7 } }' > odd.lua; \
  gpuscale run odd.lua
gpus  bound
many      7

# ---- print
$ printf '%s\n' \
    'print("a", 1, 2.5, 1e300, true, nil, {}, print, gs.spec(1, "x"))' \
    'print() print("last")' > print.lua; gpuscale run print.lua
a	1	2.5	1e+300	true	nil	table	function	number with an origin

last
$ gpuscale run print.lua --format csv -o print.txt; tail -n 1 print.txt
last

# ---- whole or not at all
$ echo 'print("half") error("the rest")' > half.lua; echo old > keep.txt; \
  gpuscale run half.lua; echo $?; gpuscale run half.lua -o keep.txt; \
  cat keep.txt
gpuscale: half.lua:1: the rest
3
gpuscale: half.lua:1: the rest
old
$ gpuscale run print.lua > /dev/full; echo $?
gpuscale: standard output: No space left on device
5
$ gpuscale run print.lua -o none/print.txt; echo $?
gpuscale: none/print.txt: No such file or directory
5

# ---- refused: usage and files
$ gpuscale run; echo $?
gpuscale: run: needs a SCRIPT.lua; see `gpuscale run --help`
2
$ gpuscale run two.lua own.lua; echo $?
gpuscale: run: 'own.lua' is one argument too many
2
$ gpuscale run two.lua --gpus 4; echo $?
gpuscale: run: no option '--gpus'; see `gpuscale run --help`
2
$ gpuscale run none.lua; echo $?
gpuscale: none.lua: No such file or directory
5
$ gpuscale run .; echo $?
gpuscale: .: Is a directory
5
$ echo 'print(' > syntax.lua; gpuscale run syntax.lua; echo $?
gpuscale: syntax.lua:2: unexpected symbol near <eof>
3

# ---- refused: what a script says
$ printf '%s\n' 'echo "$1" > try.lua; gpuscale run try.lua -o try.out; echo $?' \
    > try.sh
$ sh try.sh 'gs.predict()'
gpuscale: try.lua:1: gs.predict: needs one table, as in gs.predict { workload = ... }
3
$ sh try.sh 'gs.predict {}'
gpuscale: try.lua:1: gs.predict: workload: missing; needs a name or a file
3
$ sh try.sh 'gs.predict { workload = "jacobi" }'
gpuscale: try.lua:1: gs.predict: system: missing; needs a name or a file
3
$ q='workload = "jacobi", system = "ct-bus"'; \
  for more in 'gpu = 3' '7' 'gpus = {}' 'gpus = 1.5' 'gpus = "0"' \
    'paradigm = "memcopy"' 'paradigm = true' 'link = "pcie33"' 'link = 3' \
    'set = 3' 'set = { 3 }' 'set = { zz = 1, m = 2 }' 'set = { n = {} }' \
    'set = { n = "many" }'; do \
    sh try.sh "gs.predict { $q, $more }"; \
  done
gpuscale: try.lua:1: gs.predict: gpu: unknown key; did you mean 'gpus'?
3
gpuscale: try.lua:1: gs.predict: a key that is a number, not a name
3
gpuscale: try.lua:1: gs.predict: gpus: an empty list
3
gpuscale: try.lua:1: gs.predict: gpus: needs text, whole numbers or a list of them, got a number
3
gpuscale: try.lua:1: gs.predict: --gpus: 0 is not in 1 .. 65536
2
gpuscale: try.lua:1: gs.predict: no paradigm 'memcopy'; did you mean 'memcpy'?
3
gpuscale: try.lua:1: gs.predict: paradigm: needs text, whole numbers or a list of them, got a boolean
3
gpuscale: try.lua:1: gs.predict: no link 'pcie33'; did you mean 'pcie3'?
3
gpuscale: try.lua:1: gs.predict: link: needs text, got a number
3
gpuscale: try.lua:1: gs.predict: set: needs a table, got a number
3
gpuscale: try.lua:1: gs.predict: set: needs names, { n = 512 }
3
gpuscale: try.lua:1: gs.predict: -P m: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2
gpuscale: try.lua:1: gs.predict: set: n: needs a number or text, got a table
3
gpuscale: try.lua:1: gs.predict: -P n: 'many': not a finite decimal number
2
$ sh try.sh 'gs.predict { workload = gs.workload {}, system = "ct-bus" }'
gpuscale: try.lua:1: gs.predict: workload: needs text, got a gs.workload
3
$ sh try.sh 'gs.predict { workload = "jacobi", system = "none.lua" }'
gpuscale: try.lua:1: gs.predict: none.lua: No such file or directory
5
$ echo 'while true do end' > forever.lua; \
  sh try.sh 'gs.predict { workload = "forever.lua", system = "ct-bus" }'
gpuscale: try.lua:1: gs.predict: forever.lua:1: ran more than 10000000 instructions
6
$ for rows in '' '{}' '{ 1 }' '{ { 1 } }' '{ { a = {} } }' \
    '{ { a = string.rep("x", 256) } }' '{ { a = 1 } }, { "b" }' \
    '{ { a = 1 } }, {}' '{ { a = 1 } }, "a"' '{ { a = 1 } }, { 1 }'; do \
    sh try.sh "gs.rows($rows)"; \
  done
gpuscale: try.lua:1: gs.rows: needs a list of rows and may have a list of columns
3
gpuscale: try.lua:1: gs.rows: no rows
3
gpuscale: try.lua:1: gs.rows: row 1 is a number; needs a table
3
gpuscale: try.lua:1: gs.rows: row 1: a key that is a number, not a name
3
gpuscale: try.lua:1: gs.rows: row 1: a: is a table
3
gpuscale: try.lua:1: gs.rows: row 1: a: longer than 255 bytes
3
gpuscale: try.lua:1: gs.rows: no row has a field 'b'
3
gpuscale: try.lua:1: gs.rows: no columns
3
gpuscale: try.lua:1: gs.rows: columns: needs a list of names, got a string
3
gpuscale: try.lua:1: gs.rows: column 1 is a number; needs a name
3

# ---- the sandbox and its limits
$ for name in io os debug package load dofile pcall coroutine setmetatable; do \
    sh try.sh "$name.x()"; done 2>&1 | grep -c 'is not defined'
9
$ sh try.sh 'while true do end'
gpuscale: try.lua:1: ran more than 100000000 instructions
6
$ sh try.sh 'while true do print(string.rep("x", 2^18 // 1 | 0)) end'
gpuscale: try.lua:1: wrote more than 64 MiB
6
$ sh try.sh 'local t = {} while true do t[#t + 1] = {} end'
gpuscale: try.lua: used more than 65536 KiB of memory
6
$ sh try.sh 'local r, t = { a = 1 }, {} for i = 1, 2^21 do t[i] = r end gs.rows(t)'
gpuscale: try.lua:1: gs.rows: more than 1048576 cells
6
$ ls try.out
ls: cannot access 'try.out': No such file or directory

# Descriptions have neither gs.predict nor print.
$ echo 'print(1)' > d.lua; gpuscale predict jacobi --system d.lua; echo $?
gpuscale: d.lua:1: global 'print' is not defined
3

# One note, however many predictions are beyond what was built.
$ echo 'for n = 5, 8 do gs.predict { workload = "ct", system = "ct-bus", gpus = n } end' \
    > beyond.lua; gpuscale run beyond.lua
gpuscale: note: ct-bus has 4 GPUs; 5 is extrapolated
