#!/bin/sh
# What is measured before anything is sealed, on a machine of two GPUs; OUT is a folder.
export CUDA_MODULE_LOADING=EAGER
S=data/h100x2/sealed-19; T=/tmp/s; mkdir -p $T/profiles
scripts/bench $T build --runs $S/programs.txt calls launch membw
scripts/bench --quick $T/before >/dev/null
scripts/bench --quick $T/micro >/dev/null
scripts/bench $T/single --single --runs $S/programs.txt
prof() {
  n=$1; shift
  scripts/profile -o $T/profiles/$n-2.trace build/bench/apps/"$@" \
    --variant memcpy --gpus 2 --steps 15 $nocheck >/dev/null
}
nocheck=--no-check
prof transpose transpose --n 3840
prof pagerank pagerank --vertices 720896
prof sssp sssp --rows 294912
prof diffusion diffusion --n 6656
prof eqwp eqwp --n 544
prof ct ct --image 2048 --views 320
prof als als --rows 163840
prof scatter scatter --kib 24576 --word 4
prof jacobi jacobi --n 336
nocheck=
prof allgather allgather --bytes 22020096 --work 20
ls $T/*
(cd /tmp && tar czf "$OUT"/before.tgz s)
