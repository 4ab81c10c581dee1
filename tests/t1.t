# What was measured on one GPU is what one GPU takes, however little the model thinks it can take: a
# graph or a persistent kernel needs less of a host than calls do.
#once
$ for s in h200x8 h100-pcie; do for w in template cg moe hit als; do for t in 1e-9 9e-6 1.61e-3 900; do \
    gpuscale predict $w --system $s --gpus 1 -P t1=${t}s -f csv 2>> notes | awk -F, -v t=$t \
      'NR > 1 { d = $6 / t - 1; all++; e = $9 - 1; is += d * d + e * e <= 1e-18 } END { print(all > 0 && is == all) }'; \
  done; done; done | sort | uniq -c
     40 1
# Said once, where the host gives way, and errors are wider.
$ gpuscale predict template --system h200x8 --gpus 1-4 -P t1=4us > answer; \
  for t in 4us 40us; do gpuscale predict template --system h200x8 --gpus 2 -p infinite -P t1=$t -f csv 2> /dev/null | \
    awk -F, 'NR > 1 { print($7 > 0.15 * $6) }'; done
gpuscale: note: t1 of template is below the time of a GPU of h200x8 without the work of phases; calls, waits, starts, norms and given times are scaled by 0.511
1
0
# Runs say it, too; what they are off from is not the roofline.
$ printf '%s\n' workload,paradigm,knobs,gpus,time_s,sigma_s 'template,infinite,publish=2 MB,1,6.5e-6,1e-8' \
    'template,memcpy,publish=2 MB,2,3.1e-5,1e-7' > two.csv; head -n 2 two.csv > one.csv; \
  for f in one two; do gpuscale predict template --system dgx-a100 --gpus 1,2 -p infinite,memcpy -P 'publish=2 MB' \
    --runs $f.csv -f csv 2> /dev/null | awk -F, '$5 == 1 { d = $6 / 6.5e-6 - 1; e = $9 - 1; print(d * d + e * e <= 1e-18) }'; \
    gpuscale validate $f.csv --system dgx-a100 -f csv | awk -F, '$4 == 1 { printf "%.9g %s\n", $7, $11 }'; done
1
1
6.5e-06 input
1
1
6.5e-06 input
