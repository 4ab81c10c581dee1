# What machines say of one more is what their files say.
#once
$ B=$B $SRC/scripts/dev/population --check; echo $?
0
$ $SRC/scripts/dev/population --leave-out | tail -n 1
all 94.8 % of 422; median range a factor of 2.09

# What a call of NCCL takes a host decides small calls. One that measured it in ten
# seconds is known; one that did not has a wide range.
$ grep -E '^(#|bench|nccl_issue)' "$SRC/data/h200x2/sealed-20/nccl.csv" > ten.csv; \
  gpuscale calibrate ten.csv --base h200x4 -o ten.lua | grep "^coll.issue" | head -n 1
coll.issue  9.139 us +/- 13%  6.349 us       1     0%         -
$ for s in ./ten.lua h200x4 dgx-h100; do gpuscale predict -f csv -g 2 -p schedule \
    "$SRC/data/h100x2/sealed-16/nccl-loop.lua" -s $s -P bytes=8 | \
    awk -F, 'NR == 2 { printf "%.1f +/- %.1f us\n", $6 / 20e-6, $7 / 20e-6 }'; done; \
  grep '^allreduce,.*,8,' "$SRC/data/h200x2/sealed-20/nccl.csv" | cut -d, -f10
19.5 +/- 3.5 us
13.9 +/- 2.5 us
15.3 +/- 12.5 us
1.8669825e-05
