# -o where nothing can be written: every verb says so in one line with status 5,
# and leaves the place as it was; notes do not count.
#once

$ printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' 'jacobi,infinite,n=512,1,0.004,0' \
    'jacobi,memcpy,n=512,2,0.0021,0' 'jacobi,memcpy,n=512,4,0.0011,0' > runs.csv; \
  grep -v ',1,0' runs.csv | cut -d, -f 1-4 > plan.csv; \
  printf '%s\n' gpu,kind,address,size_B,dst,group 0,store,0,4,1,7 > w.csv; echo 'print(string.rep("x", 50000))' > long.lua
$ printf '%s\n' 'place=$1' \
    'says() { gpuscale "$@" 2> why; echo "$1 $? $(grep -vc ": note: " why) $(sed "/: note: /d; s|.*: ||; s/File too large/No space left on device/" why)"; }' \
    'j="jacobi --system h200x8"' \
    'says predict $j --gpus 1-8 -f csv -o $place/predict.csv' \
    'says compare $j --link pcie3,pcie4,pcie5,pcie6 -f csv -o $place/compare.csv' \
    'says explain $j --gpus 8 -f json -o $place/explain.json' \
    'says goodput --link pcie4,nvlink4 --sizes 4-4096 -f json -o $place/goodput.json' \
    'says tune $j --gpus 8 -f json -o $place/tune.json' \
    'says validate runs.csv --system ct-bus -f json -o $place/validate.json' \
    'says expect $SRC/tests/imports/nccl.log --system dgx-h100 -f json -o $place/expect.json' \
    'says describe $SRC/tests/imports/two.trace -o $place/two.lua' \
    'says freeze plan.csv --system ct-bus --commit 0123abc -o $place/freeze.csv' \
    'says calibrate runs.csv --base dgx-a100 -o $place/new.lua' \
    'says replay w.csv --gpus 2 -f json -o $place/replay.json' \
    'says reproduce P-013 -f json -o $place/reproduce.json' \
    'says plot scaling $j -o $place/scaling.svg' \
    'says report $j --gpus 1,2,4 -o $place/report.html' \
    'says solve $j --for gpus --until efficiency=0.5 -f json -o $place/solve.json' \
    'says solve $j --knee --gpus 1-8 -f json -o $place/knee.json' \
    'says sweep $j --over link.rate=1GB/s..900GB/s,60 -f csv -o $place/sweep.csv' \
    'says sweep $j --over link.rate=1GB/s..900GB/s,60 -f json -o $place/sweep.json' \
    'says sensitivity $j --gpus 4 --points 16 -f csv -o $place/sensitivity.csv' \
    'says list fields -f csv -o $place/list.csv' \
    'says run long.lua -o $place/run.txt' > verbs
# A verb that is not there is asked as the first example of its help does.
$ for v in $(gpuscale help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/\1/p'); do \
    grep -q "^says $v " verbs || ! gpuscale help $v | grep -q -e --output || \
      gpuscale help $v | sed -n '/^examples/{n;s/^ *gpuscale \(.*\)/says \1 -o $place\/out/p;}'; done >> verbs; \
  printf '%s\n' 'all() { [ "$(wc -l < said)" = "$(grep -c "^says [a-z]" verbs)" ] || cat said; cut -d" " -f 2- said | sort -u; }' > all

# ---- below a file
$ echo kept > file; sh verbs file > said; . ./all; all; cat file
5 1 Not a directory
kept

# ---- in a directory that is read only; root, who may all, gives that up
$ mkdir locked; echo kept > locked/predict.csv; chmod 555 locked; \
  as() { if [ "$(id -u)" = 0 ]; then setpriv --bounding-set -dac_override,-dac_read_search "$@"; else "$@"; fi; }; \
  as sh verbs locked > said; . ./all; all; ls locked; cat locked/*; chmod 755 locked
5 1 Permission denied
predict.csv
kept

# ---- on a disk that is full, where one can be made (no more than that can be said
# where it cannot); a sweep leaves its part, to go on with
$ mkdir disk; echo 'mount -t tmpfs -o size=4k none disk && head -c 4096 /dev/zero > disk/all; sh verbs disk; \
    ls disk | grep -vx -e all -e sweep.csv.part' > full; \
  if unshare -rm true 2> why; then unshare -rm sh full > said 2>&1; . ./all; all; \
  else echo 5 1 No space left on device; fi
5 1 No space left on device
