# sensitivity: which numbers a prediction rests on.
#once

# What remains of the error if a number is exact is what predict says if it is given so.
$ ask="jacobi --system h200x8 --gpus 4 --paradigm memcpy"; gpuscale sensitivity $ask -f csv | \
    awk -F, 'NR > 1 && $11 > 0 && !/curve/ { sub(/^1$/, "", $7); print $5 "=" $6 $7, $16 }' | while read p left; do \
    gpuscale predict $ask -P $p -f csv | awk -F, -v left=$left 'NR > 1 { d = $7 / left - 1; print (d * d < 1e-18 ? "same" : d) }'; \
  done | uniq -c | tr -s ' '
 11 same
$ sed 's/"5 %", "membw.csv"/"0 %", "membw.csv"/' "$SRC/params/h200x8.lua" > exact.lua; \
  for a in "sensitivity h200x8 16" "predict ./exact.lua 7"; do set -- $a; \
    gpuscale $1 jacobi --system $2 --gpus 4 --paradigm memcpy -f csv | sed -n 2p | cut -d, -f $3 | cut -c 1-10; done
2.60942941
2.60942941
# The indices are shares, alone at most in all but for their errors, and stable
# over seeds within these.
#long
$ for w in jacobi als transpose; do for seed in 1 2; do \
    gpuscale sensitivity $w --system dgx-a100 --gpus 4 -p memcpy --seed $seed --points 256 -f csv | sed 1d > $w.$seed; \
  done; \
  awk -F, -v w=$w '$12 != "" { if ($12 > $14 + 4 * ($13 + $15) + 0.02) bad++; sum += $12; n++ } \
    NR == FNR { first[$5] = $12; err[$5] = $13; next } \
    $12 != "" && ($12 - first[$5]) ^ 2 > 25 * ($13 ^ 2 + err[$5] ^ 2) + 1e-4 { bad++ } \
    END { print w, (bad ? bad " bad" : "held"), (sum / 2 > 0.7 && sum / 2 < 1.2 ? "adds up" : sum / 2) }' $w.1 $w.2; done
jacobi held adds up
als held adds up
transpose held adds up
$ gpuscale sensitivity jacobi --system h200x8 --gpus 4 -p memcpy --link pcie5 -P t1=281.8us | tr -s ' \n' ' ' | grep -o 'Measure .* [num]*s\.' 
Measure device.membw at 1.074 GB next (bench membw): if it were exact the error would be 5.339 us, 8.7% less; the model's own is 4.823 us.
$ gpuscale sensitivity jacobi --system h200x8 --gpus 2,4; echo $?
gpuscale: sensitivity: --gpus: one number, not '2,4'
2
$ gpuscale sensitivity jacobi --system h200x8 --gpus 4 --points 3; echo $?
gpuscale: 9 inputs, 3 points: not 1 .. 512, 16 ..
3
