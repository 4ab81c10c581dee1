#!/bin/sh
# before.sh OUTDIR - what the predictions are made from: power.csv, and one GPU's times.
set -u
list=data/h100x4/sealed-23/programs.txt
scripts/bench "$1" power --single --runs $list
cat "$1"/runs-programs-*.csv | awk '/^#/ && NR > 1 && seen[$0]++ { next }
  /^workload/ && head++ { next } { print }' >"$1/single.csv"
