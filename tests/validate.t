# ---- two sessions of two programs, nothing real: N = 1, 2, 4, 8

$ printf '%s\n' '# gpuscale data 1' \
    'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    'jacobi,infinite,n=512;word=4,1,0.004,1e-6' \
    'jacobi,infinite,n=512;word=4,2,0.0021,1e-6' \
    'jacobi,infinite,n=512;word=4,4,0.00105,1e-6' \
    'jacobi,infinite,n=512;word=4,8,0.00056,1e-6' \
    'jacobi,memcpy,n=512;word=4,1,0.0041,1e-6' \
    'jacobi,memcpy,n=512;word=4,2,0.0024,1e-6' \
    'jacobi,memcpy,n=512;word=4,4,0.0016,1e-6' \
    'jacobi,memcpy,n=512;word=4,8,0.0013,1e-6' \
    'jacobi,proact-poll,n=512;word=4;proact-poll.chunk=65536;proact-poll.width=512,2,0.0022,1e-6' \
    'jacobi,proact-poll,n=512;word=4;proact-poll.chunk=65536;proact-poll.width=512,4,0.0013,1e-6' \
    'jacobi,proact-poll,n=512;word=4;proact-poll.chunk=65536;proact-poll.width=512,8,0.0011,1e-6' \
    'jacobi,proact-poll,n=512;word=4;proact-poll.chunk=4096;proact-poll.width=512,8,0.0012,1e-6' \
    'allgather,infinite,bytes=16000000B,1,0.0025,1e-6' \
    'allgather,infinite,bytes=16000000B,4,0.00064,1e-6' \
    'allgather,memcpy,bytes=16000000B,4,0.0036,1e-6' \
    > a.csv
$ sed 's/0.0016/0.0012/; s/0.0024/0.0029/' a.csv | grep -v allgather > b.csv

# Numbers to six digits: the last ones differ between machines.
$ printf '%s\n' 'BEGIN { FS = OFS = "," }' \
    '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9]+[.][0-9e+-]+$/)' \
    '    $i = sprintf("%.6g", $i); print }' > six.awk

# ---- summaries

$ gpuscale validate a.csv b.csv --system ct-bus --summary --all
Over 22 runs the predictions are 10.1% off in the mean (median 9.0%, worst
  -26.5%); 0% lie within one standard error, and the best paradigm is named
  right in 5 of 6 cases. The worst is jacobi n=512;word=4 by memcpy on 2 GPUs:
  `gpuscale explain` says what it is made of.

by        errors                     rows   mean  median    90%   worst    bias
          all scored                   22  10.1%    9.0%  19.8%  -26.5%   -6.9%
paradigm  infinite                      7   6.1%    4.8%  10.7%  -10.7%   -6.1%
          memcpy                        7  12.2%   11.2%  20.3%  -26.5%   -2.3%
          proact-poll                   8  11.6%   10.3%  20.3%  -20.3%  -11.6%
gpus      2                             6   9.7%    5.5%  18.9%  -26.5%   -9.7%
          4                             8   7.1%    6.2%  13.9%   16.1%   -2.9%
          8                             8  13.2%   11.8%  20.3%  -20.3%   -8.7%
program   jacobi                       20  10.9%    9.9%  20.3%  -26.5%   -7.5%
          allgather                     2   1.5%    1.5%   2.2%   -2.3%   -0.8%
size      jacobi n=512;word=4          20  10.9%    9.9%  20.3%  -26.5%   -7.5%
          allgather bytes=16000000B     2   1.5%    1.5%   2.2%   -2.3%   -0.8%
file      a.csv                        12   8.6%    8.4%  13.0%  -20.3%   -6.9%
          b.csv                        10  11.8%    9.9%  20.9%  -26.5%   -6.8%
single    on one GPU (not scored)       2   2.4%    2.4%   2.4%   -2.4%   -2.4%

by        errors                     compute  transfer
          all scored                    4.8%      6.5%
paradigm  infinite                      6.1%        0%
          memcpy                        3.5%     12.7%
          proact-poll                   4.7%      6.9%
gpus      2                             4.4%      5.3%
          4                             3.4%      4.9%
          8                             6.4%      9.1%
program   jacobi                        5.1%      7.1%
          allgather                     1.4%      0.6%
size      jacobi n=512;word=4           5.1%      7.1%
          allgather bytes=16000000B     1.4%      0.6%
file      a.csv                         4.5%      4.9%
          b.csv                         5.1%      8.5%
single    on one GPU (not scored)         0%      2.4%

intervals    rows  within +/-  within 95%  median +/-
all scored     22          0%          0%        0.1%
infinite        7          0%          0%        0.1%
memcpy          7          0%          0%        0.1%
proact-poll     8          0%          0%        0.9%
jacobi         20          0%          0%        0.2%
allgather       2          0%          0%        0.1%

best paradigm named right: 5 of 6 where it leads by more than 5%
  jacobi n=512;word=4 on 4 GPUs: proact-poll, which takes 8.3% longer than memcpy
knee named right: 6 of 7 curves
  jacobi n=512;word=4 memcpy: at 4, measured at 2

the worst of each program and paradigm, with the parts of the prediction
 -26.5%  jacobi n=512;word=4 memcpy on 2 GPUs
         measured 2.9 ms, predicted 2.131 ms +/- 0.0%:
         -3.4% by compute, -23.1% by transfer
         compute 94%, transfer 6%; bound by compute
 -20.3%  jacobi n=512;word=4 proact-poll chunk=4096;width=512 on 8 GPUs
         measured 1.2 ms, predicted 956.9 us +/- 0.7%:
         -5.0% by compute, -15.3% by transfer
         compute 52%, transfer 47%, tracking 1%; bound by compute
 -10.7%  jacobi n=512;word=4 infinite on 8 GPUs
         measured 560 us, predicted 500 us +/- 0.0%:
         -10.7% by compute, +0.0% by transfer
         compute 100%; bound by compute
  -2.3%  allgather bytes=16000000B infinite on 4 GPUs
         measured 640 us, predicted 625.1 us +/- 0.0%:
         -2.3% by compute, +0.0% by transfer
         compute 100%; bound by compute
  +0.7%  allgather bytes=16000000B memcpy on 4 GPUs
         measured 3.6 ms, predicted 3.625 ms +/- 0.0%:
         -0.4% by compute, +1.1% by transfer
         compute 17%, transfer 83%; bound by bandwidth
$ gpuscale validate a.csv b.csv --system ct-bus --summary --format csv | \
    cut -d, -f 1-3,14-17
group,name,rows,clear_cells,best_right,knees,knees_right
all,all scored,22,6,5,7,6
paradigm,infinite,7,0,0,3,3
paradigm,memcpy,7,0,0,2,1
paradigm,proact-poll,8,0,0,2,2
gpus,2,6,2,2,0,0
gpus,4,8,2,1,0,0
gpus,8,8,2,2,0,0
program,jacobi,20,6,5,6,5
program,allgather,2,0,0,1,1
size,jacobi n=512;word=4,20,6,5,6,5
size,allgather bytes=16000000B,2,0,0,1,1
file,a.csv,12,3,3,4,3
file,b.csv,10,3,2,3,3
single,on one GPU (not scored),2,0,0,0,0
$ gpuscale validate a.csv b.csv --system ct-bus --summary --format json | \
    sed '/"made_by"/,/^ },/d; /"answer"/,/^ },/d' | sed -n 1,7p
{
 "schema": "gpuscale.scores/1",
 "rows": [
  {
   "group": "all",
   "name": "all scored",
   "rows": 22,

# All rows in one CSV, each with its file and line, errors split, and parts.
$ gpuscale validate a.csv b.csv --system ct-bus --format csv | \
    cut -d, -f 2,4,9,14,15,27,28 | sed -n '1p;3p;7p;20p' | awk -f six.awk
paradigm,gpus,error,compute_error,transfer_error,file,line
infinite,2,-0.047619,-0.047619,0,a.csv,4
memcpy,2,-0.112053,-0.0416667,-0.0703867,a.csv,8
infinite,8,-0.107143,-0.107143,0,b.csv,6
$ gpuscale validate a.csv b.csv --system ct-bus --worst 1 | \
    sed -n '/^the worst/,$p'
the worst of each program and paradigm, with the parts of the prediction
 -26.5%  jacobi n=512;word=4 memcpy on 2 GPUs
         measured 2.9 ms, predicted 2.131 ms +/- 0.0%:
         -3.4% by compute, -23.1% by transfer
         compute 94%, transfer 6%; bound by compute

--all has sizes, parts, intervals of each paradigm, and more of the worst
$ gpuscale validate a.csv --system ct-bus --worst 0 | grep -c '^the worst'
0

# Each session starts from its own run on one GPU; a file without one takes
# that of another.
$ sed 's/,0.004,/,0.008,/' b.csv > c.csv; \
  gpuscale validate a.csv c.csv --system ct-bus --format csv | grep infinite | \
    grep ',1,' | cut -d, -f 5,7,27
0.0040000000000000001,0.0040000000000000001,a.csv
0.0025000000000000001,0.0025000000000000001,a.csv
0.0080000000000000002,0.0080000000000000002,c.csv
$ grep -v infinite b.csv > d.csv; \
  gpuscale validate d.csv a.csv --system ct-bus --format csv | grep d.csv | \
    grep ',2,' | cut -d, -f 2,7,15 | awk -f six.awk
memcpy,0.00213107,-0.230665
proact-poll,0.00207943,-0.00934857
$ gpuscale validate a.csv none.csv --system ct-bus; echo $?
gpuscale: none.csv: cannot open: No such file or directory
5

# ---- laws

$ gpuscale validate a.csv --system ct-bus --summary --worst 0 \
    --baselines 1,2,4 | sed -n '/^laws/,$p'
laws fitted to the runs on N = 1, 2, 4,
  all scored on N > 4; ours without those runs
law          rows   mean  median    90%   worst     ours:  median    90%   worst
                                                     mean
amdahl          3  10.8%    9.3%  20.0%  -22.7%     10.9%   10.7%  12.5%  -13.0%
usl             3   7.7%    0.4%  18.3%  -22.7%     10.9%   10.7%  12.5%  -13.0%
messages        3  17.0%   16.1%  25.0%  -27.2%     10.9%   10.7%  12.5%  -13.0%
extra-p         3  10.8%    9.3%  20.0%  -22.7%     10.9%   10.7%  12.5%  -13.0%
ours-scaled     3  12.4%    6.9%  20.6%   24.0%     10.9%   10.7%  12.5%  -13.0%
ours-given      4  17.3%    8.7%  38.0%   50.1%     13.2%   11.8%  18.1%  -20.3%
weighted        4   6.8%    8.3%   9.7%   -9.8%     13.2%   11.8%  18.1%  -20.3%
1 row not fitted: amdahl: needs runs on 2 different N, there are 1
1 row not fitted: usl: needs runs on 3 different N, there are 1
1 row not fitted: messages: needs runs on 3 different N, there are 1
1 row not fitted: extra-p: needs runs on 3 different N, there are 1
1 row not fitted: ours-scaled: needs a run on more than one GPU

--all has sizes, parts, intervals of each paradigm, and more of the worst
$ gpuscale validate a.csv --system ct-bus --summary --worst 0 \
    --baselines 1,2 | sed -n '/^laws/,$p'
laws fitted to the runs on N = 1, 2,
  all scored on N > 2; ours without those runs
law          rows   mean  median    90%   worst     ours:  median    90%   worst
                                                     mean
amdahl          6  11.6%   11.5%  21.6%  -22.7%      9.7%    9.9%  13.0%  -13.0%
ours-scaled     6   6.9%    4.3%  15.4%   22.8%      9.7%    9.9%  13.0%  -13.0%
ours-given      9  10.0%    2.8%  21.4%   53.4%      9.0%    9.0%  14.4%  -20.3%
weighted        9  24.3%    9.5%  56.3%  127.3%      9.0%    9.0%  14.4%  -20.3%
3 rows not fitted: amdahl: needs runs on 2 different N, there are 1
9 rows not fitted: usl: needs runs on 3 different N, there are 2
9 rows not fitted: messages: needs runs on 3 different N, there are 2
9 rows not fitted: extra-p: needs runs on 3 different N, there are 2
3 rows not fitted: ours-scaled: needs a run on more than one GPU

--all has sizes, parts, intervals of each paradigm, and more of the worst
$ gpuscale validate a.csv --system ct-bus --summary --worst 0 \
    --baselines 1,2,8 | sed -n '/^laws/,$p'
laws fitted to the runs on N = 1, 2, 8,
  all scored on N > 8; ours without those runs
no row was fitted

--all has sizes, parts, intervals of each paradigm, and more of the worst
$ gpuscale validate a.csv --system ct-bus --summary --baselines 1,2,4 -f csv | \
    grep ^baseline | grep -v -e given -e weighted | cut -d, -f 1-4 | \
    awk -f six.awk
baseline,amdahl,3,0.107882
baseline,ours on rows of amdahl,3,0.109099
baseline,usl,3,0.0769362
baseline,ours on rows of usl,3,0.109099
baseline,messages,3,0.170426
baseline,ours on rows of messages,3,0.109099
baseline,extra-p,3,0.107882
baseline,ours on rows of extra-p,3,0.109099
baseline,ours-scaled,3,0.123647
baseline,ours on rows of ours-scaled,3,0.109099

# By hand: memcpy at N = 1, 2, 4 took 4.1, 2.4, 1.6 ms, so that in USL a + 2b is
# 0.17073 and a + 4b 0.18699: 1.3 ms at N = 8.  The factor on ours is that of its
# predictions at 2 and 4, not at 1, which it was given.
$ gpuscale validate a.csv --system ct-bus --baselines 1,2,4 --format csv | \
    grep ',memcpy,' | cut -d, -f 4,7,23-26 | awk -f six.awk
1,0.004,,,,
2,0.00213107,,,,
4,0.00139322,,,,
8,0.0014175,0.00117931,0.0013,0.00109101,0.00161183
4,0.00362512,,,,
$ gpuscale validate a.csv --system ct-bus --baselines 1,x; echo $?
gpuscale: --baselines: 'x' is not a whole number
2

# ---- demands

$ gpuscale validate a.csv --system ct-bus -o /dev/null --baselines 1,2,4 \
    --require mean=0.3,worst=0.9,best=0.5,covered=0-1; echo $?
0
$ gpuscale validate a.csv --system ct-bus -o /dev/null --baselines 1,2,4 \
    --require mean=0.01,worst=0.02,best=1,covered=0.6-0.76,baselines; echo $?
gpuscale: mean |error| 8.6% exceeds 1.0%
gpuscale: the worst error -20.3% exceeds 2.0%
gpuscale: the intervals cover 0.0%, less than 60.0%
gpuscale: mean |error| 10.9% is not below the 10.8% of amdahl
gpuscale: mean |error| 10.9% is not below the 7.7% of usl
gpuscale: mean |error| 10.9% is not below the 10.8% of extra-p
1
$ gpuscale validate a.csv --system ct-bus -o /dev/null \
    --require covered=0-0.01 --max-error 0.01; echo $?
gpuscale: mean |error| 8.6% exceeds 1.0%
1
$ gpuscale validate a.csv --system ct-bus --require baselines; echo $?
gpuscale: --require: baselines needs --baselines LIST
2
$ gpuscale validate a.csv --system ct-bus --require median=0.1; echo $?
gpuscale: --require: 'median=0.1' is not one of mean=X, worst=X, best=X, covered=LOW-HIGH, baselines
2
$ gpuscale validate a.csv --system ct-bus --require mean=; echo $?
gpuscale: --require: '': not a finite decimal number
2
$ gpuscale validate a.csv --system ct-bus --require covered=0.6; echo $?
gpuscale: --require: covered: '0.6' is not of the form 0.60-0.76
2
$ gpuscale validate a.csv --system ct-bus --require worst=-1; echo $?
gpuscale: --require: -1 is below 0
2
$ grep -e '^w' -e ',1,0' a.csv > one.csv; \
  gpuscale validate one.csv --system ct-bus --max-error 0.1 -o /dev/null; echo $?
gpuscale: validate: no run on more than one GPU to score
3

$ grep -v proact a.csv > two.csv; grep -v memcpy two.csv > none.csv; \
  gpuscale validate none.csv --system ct-bus -o /dev/null --require best=0; echo $?
gpuscale: no paradigm leads by more than 5% anywhere
1

# ---- predictions that were frozen

$ { echo workload,paradigm,knobs,gpus; grep -v -e '^#' -e ',1,0' a.csv | \
    sed 1d | cut -d, -f 1-4; } > plan.csv; grep ',1,0' a.csv > n1; \
  { grep ^w a.csv; cat n1; } > singles.csv
$ gpuscale freeze plan.csv --system ct-bus --runs singles.csv \
    --commit 0123abc -o predictions.csv; echo $?; grep -v sha256 predictions.csv | head -9 | \
    awk -f six.awk
0
\# gpuscale predictions 1
\# commit: 0123abc
\# system: ct-bus
\# plan: plan.csv
\# single-GPU times: singles.csv
\# made by: gpuscale 0.2.0
\# command: gpuscale freeze plan.csv --system ct-bus --runs singles.csv --commit 0123abc -o predictions.csv
system,workload,paradigm,knobs,gpus,time_s,time_err_s,parameters_err_s,infinite_s,compute_s,host_s,transfer_s,initiation_s,tracking_s,tail_s,latency_s,bound,applicability
ct-bus,jacobi,infinite,n=512;word=4,2,0.002,5e-07,5e-07,0.002,0.002,0,0,0,0,0,0,compute,inside

# Scored against them, whatever the model says by then.
$ gpuscale validate a.csv --against predictions.csv --summary --worst 0 \
    --baselines 1,2,4 | grep -v sha256
commit: 0123abc
system: ct-bus
plan: plan.csv
single-GPU times: singles.csv
made by: gpuscale 0.2.0
command: gpuscale freeze plan.csv --system ct-bus --runs singles.csv --commit 0123abc -o predictions.csv
predictions: frozen in predictions.csv

Over 12 runs the predictions are 8.6% off in the mean (median 8.4%, worst
  -20.3%); 0% lie within one standard error, and the best paradigm is named
  right in 3 of 3 cases. The worst is jacobi n=512;word=4 by proact-poll on 8
  GPUs: `gpuscale explain` says what it is made of.

by        errors       rows   mean  median    90%   worst    bias
          all scored     12   8.6%    8.4%  13.0%  -20.3%   -6.9%
paradigm  infinite        4   5.6%    4.8%   8.9%  -10.7%   -5.6%
          memcpy          4   8.5%   10.1%  12.4%  -12.9%   -3.6%
          proact-poll     4  11.6%   10.3%  18.1%  -20.3%  -11.6%
gpus      2               3   7.1%    5.5%  10.1%  -11.2%   -7.1%
          4               5   5.7%    4.8%  10.8%  -12.9%   -5.4%
          8               4  13.2%   11.8%  18.1%  -20.3%   -8.7%
program   jacobi         10  10.0%    9.9%  13.7%  -20.3%   -8.2%
          allgather       2   1.5%    1.5%   2.2%   -2.3%   -0.8%

intervals   rows  within +/-  within 95%  median +/-
all scored    12          0%          0%        0.1%

best paradigm named right: 3 of 3 where it leads by more than 5%
knee named right: 2 of 3 curves
  jacobi n=512;word=4 memcpy: at 4, measured at 2

laws fitted to the runs on N = 1, 2, 4,
  all scored on N > 4; ours without those runs
law          rows   mean  median    90%   worst     ours:  median    90%   worst
                                                     mean
amdahl          3  10.8%    9.3%  20.0%  -22.7%     10.9%   10.7%  12.5%  -13.0%
usl             3   7.7%    0.4%  18.3%  -22.7%     10.9%   10.7%  12.5%  -13.0%
messages        3  17.0%   16.1%  25.0%  -27.2%     10.9%   10.7%  12.5%  -13.0%
extra-p         3  10.8%    9.3%  20.0%  -22.7%     10.9%   10.7%  12.5%  -13.0%
ours-scaled     3  12.4%    6.9%  20.6%   24.0%     10.9%   10.7%  12.5%  -13.0%
1 row not fitted: amdahl: needs runs on 2 different N, there are 1
1 row not fitted: usl: needs runs on 3 different N, there are 1
1 row not fitted: messages: needs runs on 3 different N, there are 1
1 row not fitted: extra-p: needs runs on 3 different N, there are 1
1 row not fitted: ours-scaled: needs a run on more than one GPU

--all has sizes, parts, intervals of each paradigm, and more of the worst
$ gpuscale validate a.csv --system ct-bus --format csv | cut -d, -f 2,4,7-9 | \
    grep -v ,1, > now; gpuscale validate a.csv --against predictions.csv \
    --format csv | cut -d, -f 2,4,7-9 | grep -v ,1, > then; cmp now then
$ sed 's/,0.00[0-9]*[0-9],/,0.002,/' predictions.csv > other.csv; \
  gpuscale validate a.csv --against predictions.csv -f csv > x; \
  gpuscale validate a.csv --against other.csv -f csv > y; cmp -s x y; echo $?
1

# What was declared and not run is named; what was not declared is refused.
$ grep -v -e 'proact-poll.*,8,' a.csv > less.csv; \
  gpuscale validate less.csv --against predictions.csv -o /dev/null; echo $?
gpuscale: note: 2 of 12 frozen predictions have no run; the first is predictions.csv:20
0
$ grep -v allgather predictions.csv > some.csv; \
  gpuscale validate a.csv --against some.csv -o /dev/null; echo $?
gpuscale: a.csv:16: no prediction was frozen for this run
3
$ gpuscale validate one.csv --against predictions.csv; echo $?
gpuscale: no run that a prediction was frozen for
3
$ sed 's/,compute,inside/,magic,inside/' predictions.csv > bad.csv; \
  gpuscale validate a.csv --against bad.csv; echo $?
gpuscale: bad.csv:12: bound 'magic', applicability 'inside': no such word
3
$ gpuscale validate a.csv --against plan.csv; echo $?
gpuscale: plan.csv: no column 'time_s'
3
$ gpuscale validate a.csv --against predictions.csv --system ct-bus; echo $?
gpuscale: validate: --against takes the place of a --system
2
$ gpuscale freeze plan.csv --system ct-bus -o p.csv; echo $?
gpuscale: freeze: needs --commit HASH, the model's: `git rev-parse HEAD`
2
$ gpuscale freeze plan.csv --system ct-bus --commit HEAD -o p.csv; echo $?
gpuscale: --commit: 'HEAD' is not a commit's hash
2
$ { cat plan.csv; tail -1 plan.csv; } > twice.csv; \
  gpuscale freeze twice.csv --system ct-bus --commit 0123abc -o p.csv; echo $?
gpuscale: twice.csv:14: the same run as in line 13
3
$ gpuscale freeze plan.csv --system ct-bus --commit 0123abc -P n=3; echo $?
gpuscale: -P n: the runs say it; `--where n=3` chooses runs
2
$ gpuscale freeze plan.csv --system ct-bus --commit 0123abc -P m=3; echo $?
gpuscale: -P m: nothing here has a knob of that name
2
$ gpuscale freeze plan.csv --system ct-bus --commit 0123abc --where n=3; echo $?
gpuscale: plan.csv: no run with the knobs of --where; the first has n=512;word=4
3
$ gpuscale freeze plan.csv --system ct-bus --commit 0123abc -o some.csv \
    --where bytes=16MB; grep -v '^#' some.csv | cut -d, -f 2-5
workload,paradigm,knobs,gpus
allgather,infinite,bytes=16000000B,4
allgather,memcpy,bytes=16000000B,4
$ gpuscale validate a.csv --against predictions.csv --where n=512 -f csv | wc -l
13
$ gpuscale validate a.csv --against predictions.csv -P n=512; echo $?
gpuscale: -P n: predictions that were frozen take no settings
2
$ grep -v allgather singles.csv > some.csv; gpuscale freeze plan.csv \
    --system ct-bus --runs some.csv --commit 0123abc -o p.csv; echo $?
gpuscale: plan.csv:12: no infinite run of it on 1 GPU in some.csv
3
$ ls p.csv
ls: cannot access 'p.csv': No such file or directory

# ---- as many files as the shell gives

$ for i in $(seq 70); do sed "s/n=512/n=$((512 + i))/" a.csv > many-$i.csv; done; \
  gpuscale validate many-*.csv --system ct-bus -f csv | sed 1d | wc -l; \
  gpuscale validate many-1.csv --system ct-bus -f csv | sed 1d | wc -l
1050
15

# ---- of a row that asks what others ask, only its time and error are held: less than 128 B; what
# is said of such rows is what is said of each, and that of a few is as where each is a run of its own (--baselines)
#long on
$ sed '/^#/d' $SRC/data/h200x8/runs/runs.csv > runs.csv; head -n 1 runs.csv > few.csv; \
  sed 1d runs.csv | head -n 100 | awk -F, -v OFS=, '{ t = $5; for (i = 0; i < 300; i++) { \
    $5 = sprintf("%.9g", t * (1 + 0.004 * (i % 7 - 3) + 0.00001 * i)); print } }' >> few.csv; \
  (cat few.csv; for i in 1 2 3; do sed 1d few.csv; done) > many.csv; wc -l < many.csv; \
  python3 $SRC/tests/held.py 11250 few.csv many.csv -- gpuscale validate FILE --system h200x8 --summary --jobs 1
120001
grows by less
$ gpuscale validate few.csv --system h200x8 -f csv | grep -v '^#' > out; gpuscale validate few.csv --system h200x8 --summary -f csv > of; \
  cols() { awk -F, -v want="$2" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; m = split(want, w, " "); next } \
    { for (k = 1; k <= m; k++) printf "%s%s", $at[w[k]], k < m ? "," : "\n" }' $1; }; \
  cols out "gpus measured_s line" | awk -F, '{ print $1 "," $2 + 0 "," $3 }' > said; \
  awk -F, 'NR > 1 { print $4 "," $5 + 0 "," NR }' few.csv | cmp - said && echo every row in its place; \
  cols out "role error" | awk -F, '$1 == "scored" { print $2 < 0 ? -$2 : $2 }' | sort -g | \
    awk '{ v[NR] = $1 } END { printf "%d %.9f\n", NR, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; \
  cols of "group rows median_abs_error" | awk -F, '$1 == "all" { printf "%d %.9f\n", $2, $3 }'
every row in its place
25500 0.024245306
25500 0.024245295
# The width of intervals is the median of the standard errors, of prediction and run, over the prediction.
$ q="validate $SRC/data/h100x2/sealed-4/runs-sizes-als.csv --system h100x2 -f csv"; \
  gpuscale $q | awk -F, '$11 == "scored" { print sqrt($6 ^ 2 + $8 ^ 2) / $7 }' | sort -g | sed -n 4p | cut -c 1-7 > is; \
  gpuscale $q | grep -c ',scored,'; gpuscale $q --summary | awk -F, '$1 == "all" { print $13 }' | cut -c 1-7 | cmp - is && echo same
7
same
$ (cat runs.csv; for i in 1 2; do sed 1d runs.csv | awk -F, -v OFS=, -v i=$i '{ $5 *= 1 + 0.01 * i * (NR % 3); print }'; done) > some.csv; \
  for b in "" "--baselines 2"; do gpuscale validate some.csv --system h200x8 --summary $b -f csv | \
    grep -v '^#\|^baseline' | md5sum; done | uniq | wc -l; \
  for b in "" "--baselines 2"; do gpuscale validate some.csv --system h200x8 -f csv $b | \
    grep -v '^#' | cut -d, -f 1-22 | md5sum; done | uniq | wc -l
1
1
