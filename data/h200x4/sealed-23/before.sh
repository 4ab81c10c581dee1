#!/bin/sh
# before.sh OUTDIR - what the predictions are made from: power.csv, and one GPU's times.
set -u
scripts/bench "$1" power --single --runs data/h200x4/sealed-23/programs.txt
cd "$1" || exit
{
  cat runs-programs-*.csv | grep '^#' | awk '!seen[$0]++'
  cat runs-programs-*.csv | grep '^workload' | head -n 1
  cat runs-programs-*.csv | grep -v '^#' | grep -v '^workload'
} >single.csv
