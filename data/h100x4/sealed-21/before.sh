#!/bin/sh
# What is measured before anything is sealed, on a machine of four GPUs; OUT is a folder.
export CUDA_MODULE_LOADING=EAGER
S=data/h100x4/sealed-21; T=/tmp/s; mkdir -p $T/profiles
nvidia-smi topo -m >$T/topo.txt
scripts/bench $T build --runs $S/programs.txt calls launch membw nccl
scripts/bench --quick $T/before >/dev/null
scripts/bench --quick $T/micro >/dev/null
scripts/bench $T/single --single --runs $S/programs.txt >/dev/null
prof() {
  n=$1; shift
  scripts/profile -o $T/profiles/$n-2.trace build/bench/apps/"$@" \
    --variant memcpy --gpus 2 --steps 15 $nocheck >/dev/null
}
nocheck=--no-check
prof transpose transpose --n 3456
prof pagerank pagerank --vertices 655360
prof sssp sssp --rows 327680
prof diffusion diffusion --n 9216
prof eqwp eqwp --n 576
prof ct ct --image 1536 --views 288
prof als als --rows 180224
prof scatter scatter --kib 18432 --word 4
prof jacobi jacobi --n 312
nocheck=
prof allgather allgather --bytes 29360128 --work 28
ls $T/*
(cd /tmp && tar czf "$OUT"/before.tgz s)
