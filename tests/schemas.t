# JSON: every verb's output by lua/schemas.  Without python3-jsonschema only
# written, not checked (scripts/test says so).
#once

$ words='gpu,kind,address,size_B,dst,group'; \
  printf '%s\n' $words 0,store,0,4,1,7 0,store,4,4,1,7 0,store,256,4,1,8 > w.csv
$ printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    'jacobi,infinite,n=512,1,0.004,0' 'jacobi,infinite,n=512,2,0.0021,0' \
    'jacobi,memcpy,n=512,2,0.0024,0' 'jacobi,memcpy,n=512,4,0.0014,0' > runs.csv
$ grep -v ',1,0' runs.csv | cut -d, -f 1-4 > plan.csv; \
  gpuscale freeze plan.csv -s ct-bus --commit 0123abc -o frozen.csv
$ gpuscale predict jacobi -s h200x8 --gpus 1,2 --proposed -f json > predict.json; \
  gpuscale predict sssp -s h200x8 -g 2 --steps 5 -f json > steps.json; \
  gpuscale predict jacobi -s ct-bus -g 4,8 --runs runs.csv -f json > ahead.json 2> why; \
  printf '%s\n' gpus,time_s 1,0.004 2,0.0024 4,0.0014 > bare.csv; \
  gpuscale predict --runs bare.csv -g 8 -f json > bare.json 2> why; \
  gpuscale compare ct -s ct-bus -l pcie5 -P image=99 -f json > compare.json; \
  gpuscale compare ct -s h200x8 --price 2.5 -g 2 -f json > priced.json; \
  gpuscale compare ct -s h200x8 -l pcie5 --within 5% -g 2 -f json > within.json; \
  gpuscale tune als -s v100x4 -f json > tune.json; \
  gpuscale goodput -l raw,pcie4 -f json > goodput.json; \
  gpuscale sweep jacobi -s h200x8 --over link.rate=9GB/s,90GB/s -f json > sweep.json; \
  gpuscale solve jacobi -s h200x8 --for gpus --until efficiency=0.8 -f json > solve.json; \
  gpuscale solve jacobi -s h200x8 --knee --gpus 1,2,4 -f json > knee.json; \
  gpuscale sensitivity jacobi -s h200x8 -g 2 --points 16 -f json > sensitivity.json
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for h200x8 it is scaled by the roofline
gpuscale: note: h200x8, whose link is nvlink4, keeps loads, stores and atomics by peers and 100% of a link's rate; its other numbers, known with nvlink4, become assumptions
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for h200x8 it is scaled by the roofline
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for h200x8 it is scaled by the roofline
$ for p in infinite proact-poll gps; do \
    gpuscale explain --all als -s h200x8 -g 2 --proposed -p $p -f json > e-$p.json; done; \
  gpuscale explain --all jacobi -s ct-bus -g 1 -f json > explain.json; \
  gpuscale explain --formula jacobi -s ct-bus -g 2 -f json > terms.json; \
  gpuscale explain --all sssp -s h200x8 -g 2 -p inline -f json > draws.json
$ v='gpuscale validate runs.csv'; \
  $v -s ct-bus --baselines 1,2 -f json > validate.json; \
  $v -s ct-bus --baselines 1,2 --summary -f json > scores.json; \
  $v --against frozen.csv --where n=512 -f json > frozen.json
# Of the constants of all figures it takes minutes: here two constants of one row.
$ mkdir -p few/lua/published; for f in proact ct gps finepack beyond oden mpi-acc; do \
    echo "return {}" > few/lua/published/$f.lua; done; \
  printf '%s\n' 'local gs = require "gpuscale"' \
    'gs.fit { name = "a", value = 4, from = 1, to = 9, rows = "P-060" }' \
    'gs.choose { name = "b", value = "yes", other = "no", why = "b" }' \
    'return { ["P-006"] = function () return gs.constant("a") end }' > few/lua/published/choices.lua; \
  GPUSCALE_PATH=$PWD/few:$SRC gpuscale reproduce --perturb 20 -f json > perturb.json
$ gpuscale replay w.csv --gpus 2 -f json > replay.json; \
  gpuscale describe $SRC/tests/imports/two.trace --show -f json > describe.json; \
  gpuscale reproduce P-117 -f json > reproduce.json; \
  gpuscale reproduce 3.6 -f json 2> why > figure.json; \
  gpuscale run $SRC/lua/examples/sweep.lua -f json > run.json; \
  for l in systems workloads paradigms links fields figures; do \
    gpuscale list $l -f json > $l.json; done
gpuscale: note: t1 of ct was measured on a GPU of k40x4; for dgx2 it is scaled by the roofline
$ h=$SRC/data/h200x8; gpuscale calibrate $h/micro/dma.csv --base h200x8 \
    -o new.lua -f json > calibrate.json 2> why; \
  gpuscale calibrate runs.csv --base dgx-a100 -o new.lua -f json > learned.json 2> why; \
  r=$SRC/data/h100x2/sealed-4/runs-sizes; printf '%s\n' gap,machine,system,settings,files \
    "own,h100x2,h100x2,,$r-als.csv;$r-ct.csv" > cases.csv; \
  gpuscale validate --coverage cases.csv -f json > residuals.json; \
  gpuscale project --from h100x2 --device h200 -o p.lua -f json > project.json; \
  gpuscale project --pairs -f json > pairs.json; \
  gpuscale compare jacobi --system h200x8,dgx-b200 --pairs --price h200x8=4,dgx-b200=6 --within 5% \
    -g 2 -f json > versus.json; \
  gpuscale expect $SRC/tests/imports/nccl.log --system dgx-h100 -f json > expect.json 2> why; ls *.json | wc -l
41
# A verb that is not there is asked as the first example of its help does.
$ for v in $(gpuscale help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/\1/p'); do \
    grep -q "gpuscale $v " $SRC/tests/schemas.t || ! gpuscale help $v | grep -q -e --format || \
      $(gpuscale help $v | sed -n '/^examples/{n;s/^ *//p;}') -f json > first-$v.json; done
$ ! python3 -c 'import jsonschema' 2> why || python3 $SRC/tests/schemas *.json

# A file of the same rows has the same text; other columns than the schema's are
# those of the table in CSV.
$ gpuscale goodput -l raw,pcie4 -f json -o file.json; \
  sed '/"command"/d' file.json > a; sed '/"command"/d' goodput.json | cmp - a
$ for v in "list links" "goodput -l raw" "tune als -s v100x4" \
    "predict jacobi -s ct-bus" "explain jacobi -s ct-bus -g 2"; do \
    gpuscale $v -f csv | sed 1q; gpuscale $v -f json | \
      sed '/"made_by"/,/^ },/d; 1,/"rows"/d; /^  }/,$d' | \
      sed -n 's/^   "\([^"]*\)".*/\1/p' | paste -sd , ; done | uniq -u
