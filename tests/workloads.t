# The workloads that are shipped: each on every system, and their bytes by hand.
#once

# ---- every workload on every system
# At 1, 2, 3, 4, 8 and 16 GPUs there is a row of each paradigm, with a time that
# is finite and positive; nothing is faster than `infinite`, one GPU moves no
# byte, more do, and the bytes sum up.
$ printf '%s\n' 'BEGIN { FS = "," }' \
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }' \
    '{ t = $at["time_s"]; n = $at["gpus"]; wire = $at["wire_B"]' \
    '  sum = $at["useful_B"] + $at["protocol_B"]' \
    '  sum += $at["redundant_B"] + $at["unused_B"]; seen[n]' \
    '  rows[$3] += !(($3, n) in once); once[$3, n] }' \
    '$3 == "infinite" { least[n] = t }' \
    '!(t > 0 && t < 1e9) || /nan|inf,|inf$/ { print "bad: " $0 }' \
    't < least[n] * (1 - 1e-12) { print "faster than infinite: " $0 }' \
    '(wire > 0) != (n > 1 && $3 != "infinite") { print "wire: " $0 }' \
    '(sum - wire) ^ 2 > 1e-18 * wire ^ 2 { print "sum: " $0 }' \
    'END { for (n in seen) k++; if (k != count) print k + 0 " N of " count' \
    '      for (p in rows) if (rows[p] != count) print p ": " rows[p] " rows"' \
    '      if (!("memcpy" in rows || "schedule" in rows))' \
    '        print "paradigms are missing" }' > rows.awk

# A system that does not grow has no rows of larger N, one without room none of
# smaller N, and each says so in one line; all paradigms have the same rows. A
# program that says its own schedule needs gpudirect.rate between nodes.
# Only what is wrong is printed.
$ printf '%s\n' 'w=$1 s=$2 n=1,2,3,4,8,16 count=6' \
    'ask() { gpuscale predict $w --system $s --gpus $n --paradigm all \' \
    '          --format csv > out 2> err; rc=$?; }' \
    'ask' \
    'if grep -q "to other nodes need gpudirect.rate" err; then exit; fi' \
    'if grep -q "no rule to grow" err; then' \
    '  [ "$(grep -c "no rule to grow" err)" -eq 1 ] || cat err' \
    '  count=$(echo $n | tr , "\n" | awk -v m=$3 "\$1 <= m" | wc -l)' \
    'fi' \
    'if grep -q "does not fit" err; then' \
    '  [ "$(grep -c "does not fit" err)" -eq 1 ] || cat err' \
    '  count=$(cut -d, -f 5 out | sort -u | grep -c "[0-9]")' \
    'fi' \
    '[ $rc -eq 0 ] || cat err' \
    'awk -v count=$count -f rows.awk out' > one.sh
# The short suite asks every fourth system, the long one all.
$ [ -z "$GPUSCALE_LONG" ] || exit 0; \
  gpuscale list workloads --format csv | sed 1d | cut -d, -f 1 > names; \
  gpuscale list systems --format csv | sed 1d | cut -d, -f 1,2 | sed -n '2~4p' | \
    while IFS=, read -r s size; do \
      while read -r w; do \
        sh one.sh $w $s $size < /dev/null | sed "s/^/$w on $s: /"; \
      done < names; \
    done
#long
$ gpuscale list systems --format csv | sed 1d | cut -d, -f 1,2 > systems; \
  gpuscale list workloads --format csv | sed 1d | cut -d, -f 1 > names; \
  while IFS=, read -r s size; do \
    while read -r w; do \
      sh one.sh $w $s $size | sed "s/^/$w on $s: /"; \
    done < names; \
  done < systems; wc -l < names
28

# ---- bytes by hand
# Four GPUs on links that add nothing: bytes of memcpy and of inline.
$ printf '%s\n' 'gpuscale predict "$@" --system ct-bus --gpus 4 \' \
    '  --format csv --paradigm memcpy,inline | sed 1d | cut -d, -f 19 | \' \
    '  xargs printf "%.0f and %.0f\n"' > bytes.sh
# Every GPU sends its sums of the vertices of the others, 12 * 3566907; or 3 of
# 4 of the edges' updates, 3 * 45030389.
$ sh bytes.sh pagerank
42802884 and 135091167
# All ranks to three others.
$ sh bytes.sh pagerank -P pull=yes
42802884 and 42802884
# All distances to three others, 12 * 2017169; half of them, times the 2.28
# stores of a row of five parts: 1 + 1/2 + 1/3 + 1/4 + 1/5.
$ sh bytes.sh sssp -P band=1
24206028 and 27635215
# Two factors of 16 numbers a row to three others: 2 * 3 * 64 * 2017169.
$ sh bytes.sh als
774592896 and 774592896
# Six halos of 512^2 points of 8 bytes; and, in two phases, of three fields of
# two planes of 4 bytes.
$ sh bytes.sh diffusion
12582912 and 12582912
$ sh bytes.sh eqwp
75497472 and 75497472
# Two stages of 6 + 3 fields of 4 * 512^3 bytes, 3/4 of each.
$ sh bytes.sh hit
7247757312 and 7247757312
# 3/4 of a matrix of 16384^2 numbers.
$ sh bytes.sh transpose
805306368 and 805306368
# 3/4 of 2^26 values, with an index each or without.
$ sh bytes.sh scatter
402653184 and 201326592
# 256 MB to three others.
$ sh bytes.sh proact-micro
768000000 and 768000000

# ---- what a practitioner expects
# Scattered stores of 4 bytes are the worst way by far; dense ones are not.
$ printf '%s\n' 'gpuscale predict "$@" --system h200x8 --gpus 4 \' \
    '  --format csv --paradigm memcpy,inline | sed 1d | cut -d, -f 6 | \' \
    '  paste -s | awk "\$2 > 2 * \$1 { print \"far worse\" }' \
    '                  \$2 < \$1 { print \"better\" }"' > inline.sh
$ for w in pagerank als scatter "transpose -P tiled=no"; do \
    sh inline.sh $w; done | uniq
far worse
$ for w in transpose hit allgather jacobi diffusion eqwp ct; do \
    sh inline.sh $w; done | uniq
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for h200x8 it is scaled by the roofline
better

# A transpose is nothing but transfer: a tenth of the rate, nearly ten times.
$ for r in 450GB/s 45GB/s; do gpuscale predict transpose --system h200x8 \
    --gpus 4 --paradigm memcpy --format csv -P link.rate=$r | sed 1d | \
    cut -d, -f 6; done | paste -s | awk '{ print ($2 > 7*$1), ($2 < 10*$1) }'
1 1

# The PROACT microbenchmark gains most where compute equals the copy: memcpy
# takes twice as long as infinite.
$ gpuscale predict proact-micro --system ct-bus --gpus 2 --format csv \
    --paradigm infinite,memcpy -P t1=16ms | sed 1d | cut -d, -f 6 | \
    xargs printf '%.4g and %.4g\n'
0.016 and 0.032

# ---- the template is a workload of one's own
# Each pattern is known; 120 MB: to neighbours six halos, to all three times,
# else three quarters.
$ for to in none neighbours all random partition; do gpuscale predict template --system ct-bus --gpus 4 \
    --paradigm memcpy --format csv -P to=$to -P publish=120MB | sed 1d | \
    cut -d, -f 19; done
0
720000000
360000000
90000000
90000000
$ gpuscale predict template --system ct-bus -P to=2; echo $?
gpuscale: -P to: '2': needs one of none, neighbours, all, random, partition
2

# All-pairs bodies and a product of matrices: what each GPU sends to all others, and
# arithmetic of 20 flop a pair, of 2 n^3.
$ for q in 'nbody n=4096' 'matmul n=1024'; do set -- $q; \
    gpuscale predict $1 -s h200x8 -g 4 -P $2 -p memcpy,nccl -f csv | \
    awk -F, 'NR > 1 { printf "%s %s %.0f\n", $2, $3, $20 }'; done
nbody memcpy 196608
nbody nccl 196608
matmul memcpy 12582912
matmul nccl 12582912
$ for q in 'nbody n=1048576' 'matmul n=32768'; do set -- $q; \
    gpuscale predict $1 -s h200x8 -g 1 -P $2 -P 'device.flops=10 Tflop/s' -p infinite -f csv | \
    awk -F, -v q="$q" 'NR > 1 { n = substr(q, index(q, "=") + 1); \
      flop = $2 == "nbody" ? 20 * n * n + 24 * n : 2 * n ^ 3; \
      r = $12 / (flop / 1e13); print $2, (r > 0.999 && r < 1.001) }'; done
nbody 1
matmul 1
