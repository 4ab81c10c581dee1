#!/bin/sh
# What is measured before anything is sealed, on a machine of two GPUs; OUT is a folder.
set -x
export CUDA_MODULE_LOADING=EAGER
S=data/h100x2/sealed-19; T=/tmp/s; mkdir -p $T/profiles
scripts/bench $T build --runs $S/programs.txt calls launch membw 2>&1 | tail -3
date; scripts/bench --quick $T/before 2>&1 | tail -2; date
scripts/bench --quick $T/micro 2>&1 | tail -2; date
scripts/bench $T/single --single --runs $S/programs.txt 2>&1 | tail -2; date
prof() { n=$1; shift; scripts/profile -o $T/profiles/$n-2.trace build/bench/apps/"$@" --variant memcpy --gpus 2 --steps 15 --no-check >/dev/null 2>$T/profiles/$n.log || tail -2 $T/profiles/$n.log; }
prof transpose transpose --n 3840; prof pagerank pagerank --vertices 720896; prof sssp sssp --rows 294912
prof diffusion diffusion --n 6656; prof eqwp eqwp --n 336; prof ct ct --image 1152 --views 640; prof als als --rows 163840
prof scatter scatter --kib 24576 --word 4; prof jacobi jacobi --n 336; prof allgather allgather --bytes 22020096 --work 20
date; ls -la $T $T/profiles $T/single $T/micro; nvidia-smi -L
rm -f $T/profiles/*.log; (cd /tmp && tar czf $OUT/call1.tgz s)
