#!/bin/sh
# NCCL on two GPUs, twice; OUT is a folder.
export CUDA_MODULE_LOADING=EAGER
scripts/bench /tmp/n nccl
scripts/bench /tmp/n/repeat nccl
(cd /tmp && tar czf "$OUT"/nccl.tgz n)
