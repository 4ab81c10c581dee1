# sweep-slurm: an array of parts and a job that joins them, by an sbatch that runs
# the tasks itself, the last one first, and keeps what Slurm would: no job is run
# after one that failed.
#once

$ mkdir stubs && printf '%s\n' \
    '#!/bin/sh' \
    'tasks= after= line=' \
    'for word; do' \
    '  case $word in' \
    '    --refused) echo "sbatch: error: refused" >&2; exit 1 ;;' \
    '    --array=*) tasks=${word##*-}; tasks=${tasks%%%*} ;;' \
    '    --dependency=*) after=${word##*:} ;;' \
    '  esac' \
    '  case $word in --wrap=*) wrap=${word#*=} ;; *) line="$line $word" ;; esac' \
    'done' \
    'number=$(($(grep -c . jobs 2>&1) + 40))' \
    'echo "$number:$line" >> jobs' \
    'if [ "$tasks" ]; then' \
    '  for i in $(seq $tasks -1 1); do' \
    '    SLURM_ARRAY_TASK_ID=$i sh -c "$wrap" >> said 2>&1 || : > failed.$number' \
    '  done' \
    'elif [ ! -e "failed.$after" ]; then' \
    '  sh -c "$wrap" >> said 2>&1' \
    'fi' \
    'echo "$number;cluster"' \
    > stubs/sbatch; chmod +x stubs/sbatch; : > jobs
$ printf '%s\n' 'PATH=$PWD/stubs:$PATH GPUSCALE=gpuscale' 'export PATH GPUSCALE' \
    'exec $SRC/scripts/sweep-slurm "$@"' > submit

# ---- the bytes of one process
$ set -- jacobi --system h200x8 --gpus 4 -p memcpy,inline -P 't1=280 us +- 2 us' \
      --over link.rate=10GB/s..900GB/s,log,9 --over copy.initiation=1us..9us,5; \
    gpuscale sweep "$@" --format csv -o whole.csv; mkdir 'a $b'; \
    for n in 1 8%2 64; do \
      sh submit $n 'a $b/c.csv' --partition=short -t 5 '--comment=a  b' -- "$@"; \
      cmp whole.csv 'a $b/c.csv' && ls 'a $b' && rm 'a $b/c.csv'; \
    done; cat jobs said
parts: job 40, 1 to 1; then a $b/c.csv: job 41
c.csv
parts: job 42, 1 to 8; then a $b/c.csv: job 43
c.csv
parts: job 44, 1 to 64; then a $b/c.csv: job 45
c.csv
40: --parsable --job-name=sweep --partition=short -t 5 --comment=a  b --array=1-1
41: --parsable --job-name=sweep --partition=short -t 5 --comment=a  b --dependency=afterok:40 --kill-on-invalid-dep=yes
42: --parsable --job-name=sweep --partition=short -t 5 --comment=a  b --array=1-8%2
43: --parsable --job-name=sweep --partition=short -t 5 --comment=a  b --dependency=afterok:42 --kill-on-invalid-dep=yes
44: --parsable --job-name=sweep --partition=short -t 5 --comment=a  b --array=1-64
45: --parsable --job-name=sweep --partition=short -t 5 --comment=a  b --dependency=afterok:44 --kill-on-invalid-dep=yes

# ---- a part that fails: nothing is joined, and the others stay
$ q='jacobi --system h200x8 --gpus 4 -p memcpy,inline --over link.rate=10GB/s..900GB/s,log,40'; \
    gpuscale sweep $q --format csv -o whole.csv; : > said; \
    echo '# of something else' > c.csv.3.part; sh submit 4 c.csv -- $q; cat said; ls c.csv*
parts: job 46, 1 to 4; then c.csv: job 47
gpuscale: c.csv.3.part: was made by another question: remove it to begin anew
c.csv.1
c.csv.2
c.csv.3.part
c.csv.4
# A part that was killed goes on where it was.
$ q='jacobi --system h200x8 --gpus 4 -p memcpy,inline --over link.rate=10GB/s..900GB/s,log,40'; \
    gpuscale sweep $q --format csv --shard 3/4 -o part3; head -c 900 part3 > c.csv.3.part; \
    sh submit 4 c.csv -- $q; cmp whole.csv c.csv && ls c.csv*
parts: job 48, 1 to 4; then c.csv: job 49
c.csv

# ---- what is refused is not submitted
$ : > jobs; q='jacobi --system h200x8 --over n=64,128'; \
    for wrong in '4 c.csv' "4 c.csv $q" '4 c.csv --' "0 c.csv -- $q" "x c.csv -- $q" "4% c.csv -- $q" \
      "4 -o -- $q" "4 c.csv --array=1-3 -- $q" "4 c.csv --wrap true -- $q" \
      "4 c.csv -- $q -f json" "4 c.csv -- $q --shard 1/2" "4 c.csv -- $q -o d.csv" \
      "4 c.csv -- $q --over n=2..1" "4 c.csv -- nothing --system h200x8 --over n=1" \
      "4 c.csv --refused -- $q"; do \
      sh submit $wrong; echo $?; done 2>&1; cat jobs
usage: scripts/sweep-slurm N OUT [SBATCH-OPTION...] -- WORKLOAD --system SYSTEM --over ...
2
usage: scripts/sweep-slurm N OUT [SBATCH-OPTION...] -- WORKLOAD --system SYSTEM --over ...
2
usage: scripts/sweep-slurm N OUT [SBATCH-OPTION...] -- WORKLOAD --system SYSTEM --over ...
2
sweep-slurm: '0': N is 1 to 99999, or N%AT-ONCE
2
sweep-slurm: 'x': N is 1 to 99999, or N%AT-ONCE
2
sweep-slurm: '4%': N is 1 to 99999, or N%AT-ONCE
2
sweep-slurm: '-o': is no name of a file
2
sweep-slurm: --array=1-3: sbatch gets this from here
2
sweep-slurm: --wrap: sbatch gets this from here
2
sweep-slurm: -f: sweep gets this from here
2
sweep-slurm: --shard: sweep gets this from here
2
sweep-slurm: -o: sweep gets this from here
2
gpuscale: --over n: the range runs backwards
2
gpuscale: no workload 'nothing'; see `gpuscale list workloads`
3
sbatch: error: refused
sweep-slurm: sbatch did not take the job
1
