# Sweeps over knobs of a workload: step() runs once and its arithmetic is done
# again for other values, to the last bit what loading the file anew gives.

# ---- arithmetic, comparisons, rounding, keys, quotes and comments
$ each () { for x in $2; do \
    gpuscale predict $SRC/tests/taped.lua --system h200x8 -g 2,4 -p memcpy,proact-poll,gps -P $1=$x -f csv 2>&1 | \
      sed 1d | cut -d, -f 3,5,6,9,24; done; }; \
  all () { gpuscale sweep $SRC/tests/taped.lua --system h200x8 -g 2,4 -p memcpy,proact-poll,gps \
      --over $1=$(echo $2 | tr ' ' ,) -f csv 2>&1 | sed 1d | cut -d, -f 5,7,8,10,13; }; \
  order () { awk -F, '{ print (FNR - 1) / 6 - (FNR - 1) % 6 / 6, $0 }' $1 | sort; }; \
  for a in 'n 1 2 3 8 9 31 32 33 64 96 100 999' 'f 0 0.25 0.5 0.74 0.75 1 1.5 4 5 99.5' 'b 1MB 2MB 2.5MB'; do \
    k=${a%% *}; v=${a#* }; each $k "$v" > one; all $k "$v" > many; order one > o; order many > m; \
    cmp o m && grep -c . m; done
72
60
18

# ---- without loading the file for each value: one that loops up to its knob is loaded, and takes 3 times as long at least
$ for f in 'return k.n' 'local s = 0; for i = 1, k.n do s = s + 1 end; return s'; do \
    printf '%s\n' 'local gs = require "gpuscale"' 'local function f (k)' "$f" 'end' \
      'return gs.workload { name = "w", knobs = { n = gs.knob { default = 8 } }, step = function (k) return {' \
      'gs.phase { name = "p", flop = 1e9 * f(k), to = "all", publish = 1e6 } } end }' > w.lua; \
    s=$(date +%s%N); gpuscale sweep ./w.lua --system h200x8 -g 4 -p memcpy --over n=1..500,whole,500 -f csv; e=$(date +%s%N); \
    echo $(( (e - s) / 1000 )) >> times; done | sort | uniq -c | awk '{ print $1 }' | sort | uniq -c | sed 's/^ *//'; \
  { read a; read b; test $((3 * a)) -lt $b && echo faster; } < times
501 2
faster

# ---- what it cannot record is loaded anew: loops, keys, texts, hosts, schedules
$ for code in 'local s = 0; for i = 1, k.n do s = s + i end; return s' 'return ({[8] = 5})[k.n] or 6' \
    'return type(k.n) == "number" and 3 or 4' 'return tonumber(k.n) or 1' 'return #("x"):rep(3) == 3 and k.n or 1' \
    'return math.type(k.n) == "float" and 2 or 1' 'return math.tointeger(k.n) or 1' 'return k.n // 1 % 3 + math.floor(k.n) // 3' \
    'local t = {}; t[k.n] = 4; return t[8] or 2' 'return k.n .. "" == "8.0" and 9 or 1' 'return (k.n | 1) + 2' \
    'return select(k.n > 8 and 2 or 1, 5, 7)' 'local t = {k.n, 8}; table.sort(t); return t[1]'; do \
    printf '%s\n' 'local gs = require "gpuscale"' 'local function f (k)' "$code" 'end' \
      'return gs.workload { name = "w", knobs = { n = gs.knob { default = 8 } }, step = function (k) return {' \
      'gs.phase { name = "p", flop = 1e9 * f(k), to = "all", publish = 1e6 } } end }' > w.lua; \
    for x in 2 8 9 12; do gpuscale predict ./w.lua --system h200x8 -g 4 -p memcpy -P n=$x -f csv 2>&1 | sed 1d | cut -d, -f 6; done > one; \
    gpuscale sweep ./w.lua --system h200x8 -g 4 -p memcpy --over n=2,8,9,12 -f csv 2>&1 | sed 1d | cut -d, -f 8 | cmp one - && echo same; \
  done | sort | uniq -c | sed 's/^ *//'
13 same

# ---- beyond a knob's domain there is no row, as without
$ gpuscale sweep jacobi --system h200x8 -g 4 -p memcpy --over n=4,64,70000,128,129.5,130 -f csv 2>said | cut -d, -f 4; cat said
n
64
128
130
gpuscale: note: no row for 3 points: -P n: 4 is not in 8 .. 65536

# ---- a first value of which nothing is sent says nothing of where the others go
$ s () { gpuscale sweep template --system h200x8 -g 2 -p memcpy --over publish=$1 -f csv | cut -d, -f 4,8; }; \
    s 0B,1B,8MB | sed 1,2d > one; s 1B,8MB | sed 1d | cmp one - && echo same
same

# ---- values that a knob refuses are not loaded
$ time_of () { s=$(date +%s%N); gpuscale sweep jacobi --system h200x8 -g 2 -p memcpy --over n=$1,whole,500 -f csv \
    2>&1 | grep -c memcpy; e=$(date +%s%N); echo $(((e - s) / 1000)) >> times; }; rm -f times; \
  time_of 65500..65999; time_of 500..999; { read a; read b; test $a -lt $((5 * b)) && echo 'as fast'; } < times
0
500
as fast
