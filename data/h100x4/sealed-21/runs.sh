#!/bin/sh
# The runs, after the seal, each beside ten seconds of the host; OUT is a folder.
export CUDA_MODULE_LOADING=EAGER
S=data/h100x4/sealed-21; T=/tmp/r; mkdir -p $T
scripts/bench $T build --runs $S/programs.txt calls launch membw nccl
scripts/bench --quick $T/after >/dev/null
scripts/bench $T/nccl nccl >/dev/null
scripts/bench $T/runs --runs $S/programs.txt >/dev/null
scripts/bench $T/repeat --runs $S/programs.txt >/dev/null
scripts/bench $T/repeat nccl >/dev/null
(cd /tmp && tar czf "$OUT"/runs.tgz r)
