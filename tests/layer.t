# Layers of models on several GPUs: tp-layer, moe, and whether a second GPU pays.
#once

# ---- bytes by hand
# Two sums of 48 tokens of 1024 numbers of 2 B: each of n GPUs sends 2 (n-1)/n of
# 98304 B, twice: 4 (n-1) 98304 of all.
$ gpuscale predict tp-layer --system h200x4 --gpus 1-4 -P tokens=48 -P hidden=1024 \
    -p schedule --format csv | cut -d, -f 5,20
gpus,useful_B
1,0
2,393216
3,786432
4,1179648
# 80 tokens to 3 experts, 1024 numbers of 2 B: 491520 B there and as many back, of
# which (n-1)/n leave a GPU.  If the busiest has twice its share, all are as long.
$ for r in 1 2; do gpuscale predict moe --system h200x4 --gpus 2,4 -P tokens=80 -P top=3 \
    -P hidden=1024 -P imbalance=$r -p schedule --format csv | cut -d, -f 5,20 | sed 1d; done
2,491520
4,737280
2,983040
4,1474560

# ---- laws
# Twice the imbalance takes at least twice the busiest port, and twice the products.
$ for r in 1 2; do gpuscale predict moe --system h200x4 --gpus 4 -P tokens=65536 \
    -P imbalance=$r -p schedule --format csv | awk -F, 'NR > 1 { print $12, $14 }'; done | \
  awk 'NR == 1 { c = $1; t = $2 } END { print ($1 > 1.99 * c), ($2 >= 2 * t * (1 - 1e-9)) }'
1 1
# What a step takes on one GPU is given: nothing of the machine changes it.
$ for m in 1 3; do gpuscale predict tp-layer --system h200x4 -p infinite --gpus 2 \
    -P device.flops=${m}Tflop/s -P gemm=1ms -P half=0.5 --format csv | \
    awk -F, 'NR > 1 { printf "%.4f ms\n", $12 * 1e3 }'; done | uniq
0.4970 ms

# As shipped it is an H200's: elsewhere by the bandwidth of memory, with a width.
$ for w in tp-layer moe; do for s in h200x8 dgx-a100 rtx4090x4; do gpuscale predict $w --system $s --gpus 1 \
    --format csv 2> /dev/null | awk -F, '$3 == "schedule" { printf "%s on %s: %.3f ms, %d %%\n", $2, $1, $6 * 1e3, 100 * $7 / $6 }'; done; done
tp-layer on h200x8: 0.407 ms, 0 %
tp-layer on dgx-a100: 0.900 ms, 34 %
tp-layer on rtx4090x4: 1.883 ms, 39 %
moe on h200x8: 2.000 ms, 0 %
moe on dgx-a100: 4.184 ms, 44 %
moe on rtx4090x4: 6.679 ms, 48 %

# ---- will a second GPU pay?
# It is as likely as not where both take as long.
$ for u in pays=0.5 speedup=1; do gpuscale solve tp-layer --system h200x2 --gpus 2 \
    --for tokens=1..65536 --until $u -f csv | cut -d, -f 5-8; done
value,value_lo,value_hi,holds
1310,1182,1451,below
value,value_lo,value_hi,holds
1310,1182,1451,below
# Where that is clear, and where it is not.
$ for t in 1024..1088 1344..1408 8192..8256; do \
    gpuscale solve tp-layer --system h200x2 --gpus 2 --for tokens=$t --until pays=0.9; echo $?; done
anywhere: pays=0.9 holds from 1024 to 1088 of tokens (0.9649 to 0.9919); within
  one standard error not everywhere. `gpuscale sensitivity` says which numbers
  move it.
0
none: from 1344 to 1408 of tokens, pays is 0.238 to 0.3982. `gpuscale
  sensitivity` says which numbers move it.
gpuscale: solve: there is no such value
1
none: from 8192 to 8256 of tokens, pays is 0 to 0. `gpuscale sensitivity` says
  which numbers move it.
gpuscale: solve: there is no such value
1
$ gpuscale solve tp-layer --system h200x2 --gpus 2 --for tokens=1..9 --until pays=1.5
gpuscale: --until: pays is at most 1

# ---- measured, on two H200 (data/h200x2/layer): one GPU's step and half of the
# weights are given, collectives from its microbenchmarks.
#long
$ awk -F, '!/^#/ && $2 == "infinite" { t[$3, $4] = $5 } $2 == "nccl" { print $3, t[$3, 1], t[$3, 2], $5 }' \
    $SRC/data/h200x2/layer/peer.txt | tr ';' ' ' | \
  while read -r tokens hidden one two measured; do \
    gpuscale predict tp-layer --system h200x2 --gpus 2 -p schedule -P $tokens -P $hidden \
      -P gemm=${one}s -P half=$(echo $two $one | awk '{ print $1 / $2 }') --format csv | \
    awk -F, -v m=$measured 'NR > 1 { print $6 / m - 1 }'; done | \
  awk '{ e = $1 < 0 ? -$1 : $1; s += e; w = e > w ? e : w } END { printf "%d rows, %.1f %%, worst %.1f %%\n", NR, 100 * s / NR, 100 * w }'
8 rows, 6.1 %, worst 13.1 %
