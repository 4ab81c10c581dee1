# scripts/bench without a GPU: a compiler that makes programs which print what
# they were asked. What the real ones measure no machine without GPUs can say.
#once

$ printf '%s\n' '#!/bin/sh' \
    'case "$*" in *--version) echo "tools, release 13.0, V13"; exit ;;' \
    '  --list-gpu-arch) printf "compute_%s\n" 100 52 70 75 80 86 90; exit ;; esac' \
    "echo \"\$*\" >> '$PWD/asked'" \
    'while [ $# -gt 1 ]; do [ "$1" != -o ] || o=$2; shift; done' \
    'printf "%s\n" "#!/bin/sh" "echo \"\$*; GPUs \$CUDA_VISIBLE_DEVICES\"" > "$o"' \
    'chmod +x "$o"' > nvcc; chmod +x nvcc; \
  printf '%s\n' '#!/bin/sh' \
    'CUDA_VISIBLE_DEVICES=0,1 NVCC=$PWD/nvcc B=$PWD/b "$SRC/scripts/bench" "$@" 2> err' \
    > bench; chmod +x bench

# A list of runs: each line goes to the file of its program, under one head.
$ printf '%s\n' '# all of it' '' 'jacobi --n 64 --gpus 1,2' 'als --rows 512' \
    'jacobi --n 128 --gpus 1,2' > runs.txt; \
  sed 's/64/256/' runs.txt > more.txt; \
  ./bench out --runs runs.txt --runs more.txt; echo $?; ls out out.tar.gz
0
out.tar.gz

out:
machine.txt
runs-als.csv
runs-jacobi.csv
runs-more-als.csv
runs-more-jacobi.csv
topo.txt
$ grep -v '^# \(machine\|date\|driver\|made-by\)' out/runs-jacobi.csv
\# gpuscale data 1
\# method: a host thread per GPU, wall time of a step, median of 60 or more, checked
workload,paradigm,knobs,gpus,time_s,sigma_s
--n 64 --gpus 1,2; GPUs 0,1
--n 128 --gpus 1,2; GPUs 0,1
$ grep -v '^#' out/runs-more-jacobi.csv | sed -n 2p
--n 256 --gpus 1,2; GPUs 0,1

# What sealed predictions begin with sees one GPU only.
$ ./bench one --single --runs more.txt; echo $?; tail -n 1 one/runs-more-als.csv
0
--rows 512 --variant infinite; GPUs 0

# Shares of the work alone, on one GPU: a column says which.
$ ./bench parts --shares more.txt; echo $?; grep -v '^#' parts/shares-als.csv
0
workload,paradigm,knobs,gpus,time_s,sigma_s,share
--rows 512 --variant infinite --shares 1,2,3,4,8,16; GPUs 0

# Ten seconds on a host that nobody knows.
$ ./bench --quick fast; echo $?; ls fast | grep csv; \
  sed -n 's/[0-9]* s$/N s/p' err | tail -n 1
0
calls.csv
launch.csv
membw.csv
nccl.csv
pairs.csv
pinned.csv
bench: measured in N s

# What a call of NCCL takes is measured beside what the cores do, where a GPU is.
$ printf '%s\n' '#!/bin/sh' 'echo "GPU 0"' > nvidia-smi; chmod +x nvidia-smi; \
  CUDA_VISIBLE_DEVICES=0,1 PATH=$PWD:$PATH NVCC=$PWD/nvcc B=$PWD/b \
    "$SRC/scripts/bench-host" hosts quick 2> err; echo $?; ls hosts | grep csv; \
  rm nvidia-smi
0
host.csv
nccl.csv
# Programs are compiled for the GPUs that are there; without any for each generation from
# compute capability 7.0 on that nvcc knows, and for those to come.
$ mkdir gpu none; printf '%s\n' '#!/bin/sh' 'echo "GPU 0: one"' > gpu/nvidia-smi; printf '%s\n' '#!/bin/sh' 'exit 9' > none/nvidia-smi; \
  chmod +x */nvidia-smi; for p in gpu none; do PATH=$PWD/$p:$PATH NVCC=$PWD/nvcc "$SRC/scripts/arch"; done; \
  PATH=$PWD/gpu:$PATH NVCC=$PWD/nvcc "$SRC/scripts/arch" oldest
-arch=native
-gencode arch=compute_70,code=sm_70 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=sm_100 -gencode arch=compute_100,code=compute_100
-gencode arch=compute_70,code=sm_70
$ for p in gpu none; do rm -f asked b/bench/dma; PATH=$PWD/$p:$PATH ./bench built build dma; \
    sed 's/.*-O3 \(.*\) -lineinfo.* \([^ ]*\).cu .*/\1 \2/' asked; done
-arch=native params/bench/dma
-gencode arch=compute_70,code=sm_70 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=sm_100 -gencode arch=compute_100,code=compute_100 params/bench/dma
$ NVCC=none B=$PWD/b "$SRC/scripts/bench-host" hosts quick
bench-host: no nvcc: calls of NCCL are not measured
$ ./bench --quick; echo $?; ./bench --quick a b; echo $?
2
2

# The lists that are shipped are of programs that there are.
#long
$ for list in "$SRC"/data/*/sealed-*/*.txt "$SRC"/params/bench/lists/*.txt; do \
    ./bench all --runs "$list" || { echo "$list"; cat err; }; done; \
  grep -c 'GPUs 0,1' all/runs-jacobi.csv all/runs-staged-jacobi.csv
all/runs-jacobi.csv:1
all/runs-staged-jacobi.csv:1

# Microbenchmarks: all with the shipped lists, or those that are named.
$ ./bench micro dma launch quick; echo $?; ls micro | grep csv
0
dma.csv
launch.csv
$ ./bench everything; echo $?; ls everything | grep -c csv
0
36
$ ./bench nothing build dma; echo $?; ls nothing; ls b/bench/dma
0
b/bench/dma

# Mistakes, before anything is built.
$ printf 'jacoby --n 64\n' > wrong.txt; ./bench x --runs wrong.txt; echo $?; \
  sed 's|/.*/||' err
2
bench: wrong.txt: no program 'jacoby'
$ ./bench x --runs none.txt; echo $?; sed 's|/.*/||' err
2
bench: none.txt: cannot be read
$ ./bench x dmb; echo $?; ./bench; echo $?; ./bench x --single; echo $?; \
  ./bench --runs runs.txt; echo $?; ./bench x --runs; echo $?
2
2
2
2
2
$ cat err
usage: scripts/bench OUTDIR [quick] [build] [micro|NAME]... [--runs LIST]... [--single] [--energy] [--shares LIST]...
       scripts/bench --quick OUTDIR

# A program that fails is named, and the others run.
$ rm -r b; sed -i 's/^chmod.*/case $o in *als) echo "exit 3" >> "$o" ;; esac; &/' nvcc; \
  ./bench some --runs runs.txt; echo $?; tail -n 1 err; wc -l < some/runs-jacobi.csv
1
bench: failed: run:apps/als
9
