# Each line of seeds.lua is a script, and says the same in every run: under other
# addresses and at another time.  What Lua seeds its hashes by is new in each.
#once
$ n=2; [ -z "$GPUSCALE_LONG" ] || n=20; grep -v "^--" $SRC/tests/seeds.lua | while read -r line; do i=$((i + 1)); echo "$line" > $i.lua; done; \
    for run in $(seq $n); do for f in *.lua; do gpuscale run $f 2>&1; echo $?; done | md5sum; done | sort -u | wc -l; ls *.lua | wc -l
1
50
# Sums feel the order: that of pairs is awk's over sorted texts.
$ echo "local t, s = {}, 0 for i = 1, 1000 do t['v' .. i] = 1 / i end" \
    "for _, v in pairs(t) do s = s + v end print(string.format('%.17g', s))" > sum.lua; \
    seq 1000 | sed 's/^/v/' | LC_ALL=C sort | tr -d v | awk '{ s += 1 / $1 } END { printf "%.17g\n", s }' > by-awk; \
    gpuscale run sum.lua | cmp - by-awk
# 1 .. n, then other numbers ascending, then texts by bytes; next is the same.
$ echo 'local t, k = { 10, 20, nil, 40, [0] = 0, [-3] = 1, [2.5] = 2, b = 1, B = 1, ["é"] = 3, [""] = 4, aa = 5, a = 2 }' \
    'for k in pairs(t) do print(k) end repeat k = next(t, k) print(k) until k == nil' > t.lua; gpuscale run t.lua | paste -sd ' '
1 2 -3 0 2.5 4  B a aa b é 1 2 -3 0 2.5 4  B a aa b é nil
# What shows an address is refused, and a key without an order.
$ for x in 'tostring({})' 'tostring(print)' 'string.format("%s", gs.phase)' 'string.format("%-9p", "x")' \
    'next { [true] = 1 }' 'pairs { [{}] = 1 }'; do echo "print($x)" > a.lua; gpuscale run a.lua; done
gpuscale: a.lua:1: tostring: a table has no text
gpuscale: a.lua:1: tostring: a function has no text
gpuscale: a.lua:1: string.format: a function has no text
gpuscale: a.lua:1: string.format: '%p' differs from run to run
gpuscale: a.lua:1: next: a key that is a boolean: only numbers and texts have an order
gpuscale: a.lua:1: pairs: a key that is a table: only numbers and texts have an order
# Both count: a million visits, and a table that is looked through again and again.
$ echo 'local t = {} for i = 1, 3000 do t["k" .. i] = i end while true do for _ in pairs(t) do break end end' > p.lua; \
    echo 'local t, k = {} for i = 1, 15000 do t[i] = i end repeat k = next(t, k) until not k' > n.lua; \
    for f in p n; do gpuscale run $f.lua > said 2>&1; echo $?; sed 's/ran more than 100000000 instructions/meets a limit/; s/took more than 4 s/meets a limit/' said; done
6
gpuscale: p.lua:1: meets a limit
6
gpuscale: n.lua:1: meets a limit
