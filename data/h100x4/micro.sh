#!/bin/sh
# Every microbenchmark, and what chunks cost the host, three processes in turn; OUT is a folder.
export CUDA_MODULE_LOADING=EAGER
T=/tmp/m; mkdir -p $T
scripts/bench $T build micro --runs params/bench/lists/chunks.txt
for i in 1 2 3; do
  scripts/bench $T/chunks-$i calls >/dev/null
  scripts/bench $T/chunks-$i --runs params/bench/lists/chunks.txt >/dev/null
done
scripts/bench $T/micro micro >/dev/null
scripts/bench $T/runs --runs params/bench/lists/runs.txt >/dev/null
(cd /tmp && tar czf "$OUT"/micro.tgz m)
