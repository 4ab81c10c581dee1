# How wide intervals are where less is known, and how often they hold.
#once

# ---- no machine that nobody measured has a narrower median interval than one
# that was, on the same program and by the same paradigm: of all shipped pairs
# at most one in thirty has, where the program's own guesses act less on it or it
# is a cluster, whose messages are known better than a node's faults.  Left out are
# programs with a time of a GPU (ct, and suite, which has it): another GPU is that
# of the machine which nobody measured.  Each is given its own time on one GPU: without
# it kernels are as uncertain on any machine, and where they are less of a step, it is surer.
#long
$ cd $SRC; for w in $(gpuscale list workloads -f csv | sed 1d | cut -d, -f 1); do \
    for s in $(gpuscale list systems -f csv | sed 1d | cut -d, -f 1); do \
      [ $s = ct-bus ] || [ $w = ct ] || [ $w = suite ] || gpuscale predict $w --system $s -f csv -P t1=$(gpuscale predict $w \
        --system $s -g 1 -f csv 2>/dev/null | awk -F, 'NR == 2 { print $6 "s" }') 2>/dev/null | \
        awk -F, 'FNR > 1 && $5 > 1 { print $2, $3, $1, $7 / $6 }'; done; done | \
  awk '{ k = $1 " " $2 " " $3; v[k, ++n[k]] = $4 } \
       END { for (k in n) { \
               for (i = 1; i <= n[k]; i++) \
                 for (j = i; j > 1 && v[k, j] < v[k, j - 1]; j--) { \
                   t = v[k, j]; v[k, j] = v[k, j - 1]; v[k, j - 1] = t } \
               print k, (v[k, int((n[k] + 1) / 2)] + v[k, int(n[k] / 2) + 1]) / 2 } }' > $OLDPWD/medians
#long
$ awk '{ k = $1 " " $2; if ($3 ~ /^h[12]00x/) known[k, ++a[k]] = $4; \
         else other[k, ++b[k]] = $4 } \
       END { for (k in b) for (i = 1; i <= b[k]; i++) for (j = 1; j <= a[k]; j++) { \
               pairs++; narrow += other[k, i] < known[k, j] } \
             print (pairs > 4000), (narrow <= pairs / 30) }' medians
1 1
#long
$ grep -c 'h[12]00x' medians | awk '{ print ($1 > 400) }'
1

# ---- a link or a machine that was not measured is not inside, and says why
$ for s in 'h200x4' 'h200x4 --link nvlink3' 'dgx-a100'; do gpuscale predict allgather \
    --system $s --gpus 4 --paradigm memcpy | awk '/^ *4  memcpy/ { print $NF; exit }'; done
inside
gpuscale: note: h200x4, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
number
number

# ---- coverage of a few runs; a case that there is not
$ r=$SRC/data/h100x2/sealed-4; printf '%s\n' gap,machine,system,settings,files \
    "own,h100x2,h100x2,,$r/runs-sizes-als.csv;$r/runs-sizes-ct.csv" \
    "machine,h100x2,h200x2,,$r/runs-sizes-als.csv" > cases.csv
$ gpuscale validate --coverage cases.csv -f csv > rows; cut -d, -f 1-5 rows | sort | uniq -c | sed 's/^ *//'; \
    $SRC/scripts/coverage < rows | cut -d, -f 1-5 | head -5
15 ,faster,h100x2,,als
15 ,faster,h100x2,,ct
7 1,own,h100x2,h100x2,als
7 1,own,h100x2,h100x2,ct
7 2,machine,h100x2,h200x2,als
1 case,gap,machine,system,workload
gap,machine,system,rows,clusters
own,all,,14,2
own,h100x2,h100x2,14,2
machine,all,,7,1
machine,h100x2,h200x2,7,1
# Of four runs of two programs three are within one error and all within that of 95 %.
$ printf '%s\n' case,gap,machine,system,workload,paradigm,moved,off,tail,half,log_score,sure,right \
    1,own,m,s,p,memcpy,0.01,0.5,2,0.1,1,, 1,own,m,s,p,inline,0.2,1.5,2,0.2,2,, \
    1,own,m,s,q,memcpy,0.05,0.9,2,0.3,3,, 1,own,m,s,q,inline,0.7,0,2,0.3,4,, \
    ,faster,m,,p,,,,,,,0.95,1 ,faster,m,,q,,,,,,,0.65,0 | $SRC/scripts/coverage > said; \
    grep '^own,all\|^moved\|^way\|^faster\|^brier' said | cut -d, -f 1-6,9,12,13
own,all,,4,2,0.75,1,0.29999999999999999,2.5
moved,0-2%,,1,1,1,1,0.10000000000000001,1
moved,2-10%,,1,1,1,1,0.29999999999999999,3
moved,10-30%,,1,1,0,1,0.20000000000000001,2
moved,60-100%,,1,1,1,1,0.29999999999999999,4
way,memcpy,,2,2,1,1,0.29999999999999999,2
way,inline,,2,2,0.5,1,0.29999999999999999,3
faster,pairs of ways,60-70%,1,1,0,,0.65000000000000002,
faster,pairs of ways,90-100%,1,1,1,,0.94999999999999996,
brier,pairs of ways,,2,,0.21250000000000002,,,
# Three ways on two GPUs are three pairs, in whichever order the rows are.
$ r=$SRC/data/h100x2/sealed-4; grep "^#\\|^workload" $r/runs-sizes-als.csv > head; grep 'rows=131072' $r/runs-sizes-als.csv | \
    grep ',[12],' | grep 'infinite\|inline\|memcpy' > rows; \
  printf '%s\n' gap,machine,system,settings,files own,h100x2,h100x2,,few.csv > one.csv; \
  for order in '' -r; do sort $order rows | cat head - > few.csv; \
    gpuscale validate --coverage one.csv -f csv | $SRC/scripts/coverage | sed -n '/^brier/p' | cut -c 1-32 > of$order; cut -d, -f 1-4 of$order; done; \
  cmp of of-r && echo same
brier,pairs of ways,,3
brier,pairs of ways,,3
same
$ mkdir new; gpuscale validate --coverage cases.csv --estimate new > out; \
  cut -d, -f 1 new/residuals.csv | grep -v ' by ' | paste -sd ';' - | sed 's/.*name/name/'; ls new
name;step;host;contention;moved;calls over size;calls over way;calls over knob;calls over gpus;calls over machine;transfer over size;transfer over way;transfer over knob;transfer over gpus;transfer over machine;machine;growth;nodes;compute;tail;measured
residuals.csv
$ sed -i 's/^machine,/link,/' cases.csv; gpuscale validate --coverage cases.csv; echo $?
gpuscale: cases.csv:3: gap: no gap 'link'
3
$ gpuscale validate a.csv --estimate new; echo $?
gpuscale: validate: --estimate needs --coverage
2

# ---- the table of what the model is off by: a mistake has its line
$ mkdir -p data; for e in 's/^tail,[^,]*/tail,0.5/' 's/^growth/grow/' '/^nodes/d' \
    's/^compute,/tail,/' 's/^machine,[^,]*/machine,x/' 's/^moved by rdl,[^,]*/moved by rdl,0/'; do \
    sed "$e" $SRC/data/residuals.csv > data/residuals.csv; \
    gpuscale predict jacobi --system h200x4 --gpus 2 -p memcpy; echo $?; done
gpuscale: data/residuals.csv: residuals: tail: 0.5 is not in 1 .. 1000
3
gpuscale: data/residuals.csv:20: name: no number 'grow'
3
gpuscale: data/residuals.csv: name: no row for 'nodes'
3
gpuscale: data/residuals.csv:23: name: tail is there twice
3
gpuscale: data/residuals.csv:19:2: value: not a finite decimal number: 'x'
3
gpuscale: data/residuals.csv:36: value: 0 is no factor
3

# ---- the tables are those that the runs give (check-full: all of them)
$ cd $SRC; [ -n "$GPUSCALE_FULL" ] || exit 0; mkdir -p $OLDPWD/all; \
  OUT=$OLDPWD/all scripts/residuals && \
  for f in residuals coverage; do cmp data/$f.csv $OLDPWD/all/$f.csv; done
