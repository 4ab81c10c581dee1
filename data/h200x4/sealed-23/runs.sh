#!/bin/sh
# runs.sh OUTDIR - the runs.
scripts/bench "$1" --energy --runs data/h200x4/sealed-23/programs.txt
