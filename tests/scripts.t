# The scripts: what they say where something is missing, and what they print to
# be typed.
#once

$ mkdir stubs

# ---- the demonstration prints commands that can be typed
$ eval "$(sed -n '/^run()/,/^}/p' $SRC/scripts/demo)" && run echo -P 't1=0.0003 s' x/*.csv

\$ echo -P 't1=0.0003 s' 'x/*.csv'

-P t1=0.0003 s x/*.csv

# ---- crossovers: of the measured runs, whatever a program says of them
$ printf '%s\n' '#!/bin/sh' 'case $* in *jacobi*) echo "none: it may be anywhere" ;; *scatter*) echo none: ;; *) echo x ;; esac' \
    > says; chmod +x says; GPUSCALE=$PWD/says $SRC/scripts/crossovers h100x2 > c.csv; \
  grep -v -e transpose c.csv; grep -c 'transpose.*found' c.csv
machine,workload,gpus,ways,number,from,to,margin,verdict
h100x2,ct,2,memcpy/proact-poll,views,576,768,1.7,found
h100x2,ct,2,memcpy-async/proact-cdp,views,576,768,9.7,found
h100x2,ct,2,memcpy-async/proact-cdp,views,384,512,4.2,found
h100x2,jacobi,2,memcpy/proact-poll,n,192,256,4.5,within
h100x2,jacobi,2,memcpy/proact-poll,n,256,288,1.9,within
h100x2,jacobi,2,memcpy/proact-poll,n,576,608,0.0,within
h100x2,jacobi,2,memcpy/proact-poll,n,608,640,0.0,within
h100x2,scatter,2,memcpy/memcpy-async,word,4,8,4.2,none
h100x2,scatter,2,memcpy-async/proact-cdp,word,4,8,1.7,none
h100x2,scatter,2,memcpy-async/proact-poll,word,4,8,8.6,none
\# 21 crossovers: the interval meets 86 %
\# 10 with a margin of 3 %: 80 %
11
# The times between which they are: the faster is another.
$ cat $SRC/data/h100x2/sealed-*/runs*.csv | awk -F, '$1 == "jacobi" && $4 == 2 && $3 ~ /n=(192|256);/ { \
    split($3, k, ";"); way = $2 " " k[2]; if (!(way in t) || $5 < t[way]) t[way] = $5 } \
    END { print (t["memcpy n=192"] < t["proact-poll n=192"]), (t["memcpy n=256"] < t["proact-poll n=256"]) }'
1 0

# ---- profile: a program with the tracer in it
$ printf '#!/bin/sh\nexit 1\n' > stubs/python3; chmod +x stubs/python3; \
    NVCC=/none/bin/nvcc PATH=$PWD/stubs:$PATH $SRC/scripts/profile true; echo $?
profile: no cupti.h here: skipped (CUPTI_HOME names where it is)
77
$ mkdir -p cupti/include cupti/lib64; touch cupti/include/cupti.h \
    cupti/lib64/libcupti.so.13; printf '%s\n' '#!/bin/sh' \
    'while [ "$1" != -o ]; do shift; done; echo "$3" >> cc.log; touch "$2"' \
    > stubs/compiler; printf '%s\n' '#!/bin/sh' \
    'for p in 7 8; do echo "kernel,$p,,0,7,1,2,3,k$1,,,," > "$GPUSCALE_TRACE.$p"; done' \
    'basename "$CUDA_INJECTION64_PATH"; exit 3' > stubs/program; \
    chmod +x stubs/compiler stubs/program; printf '%s\n' '#!/bin/sh' \
    'CUPTI_HOME=$PWD/cupti CC=$PWD/stubs/compiler B=$PWD/b exec "$SRC/scripts/profile" "$@"' \
    > profile; chmod +x profile; \
    ./profile -o a.trace stubs/program -n 1; echo $?; \
    ./profile stubs/program 2 > log; sed 's|.*/||' cc.log
libgpuscale-trace.so
3
libcupti.so.13
$ grep -v '^# [md][a-z-]*:' a.trace; tail -n 1 program.trace
gpuscale-trace 1
\# command: program -n 1
kind,process,thread,device,stream,start_ns,end_ns,correlation,name,bytes,src,dst,extra
kernel,7,,0,7,1,2,3,k-n,,,,
kernel,8,,0,7,1,2,3,k-n,,,,
kernel,8,,0,7,1,2,3,k2,,,,
$ ./profile -o none.trace true; echo $?; ls -A | grep none; ./profile; echo $?
profile: true left no record: no CUDA in it, or it ended at once
1
usage: scripts/profile [-o FILE] PROGRAM [ARG...]
2

# ---- fields as types of an editor: each with its meaning, a group also in its short form
$ $SRC/scripts/types $B/gpuscale > types.lua; grep -e '^---@field units' -e '^---@field publish?' -e '^---@field sms' -e '^function gs.topology' types.lua | cut -c 1-60; \
    gpuscale run types.lua 2>&1 | grep -c 'returns a table' # it is Lua
---@field units? gs.number indivisible units distributed to 
---@field publish? gs.phase.publish|gs.number bytes that oth
function gs.topology(fields) end
---@field sms? gs.number streaming multiprocessors of one GP
1

# ---- transcripts: what waits for the long suite, and for the whole
$ printf '%s\n' '$ echo a' a '#long' '$ echo b' b '#full' '$ echo c' x '$ echo d' d > three.t; \
    for s in x=1 GPUSCALE_LONG=1 'GPUSCALE_LONG=1 GPUSCALE_FULL=1'; do \
      env -u GPUSCALE_LONG -u GPUSCALE_FULL $s $SRC/tests/check three.t | tail -n 1; done
2 passed, 0 failed
3 passed, 0 failed
3 passed, 1 failed

# ---- what was not run fails, but for what not everybody has
$ eval "$(sed -n '/^may_lack=/p; /^not_run()/,/^}/p' $SRC/scripts/test)"; work=.; count() { echo "$1 $2"; }; fail() { echo "FAILED: $1"; }; \
    printf 'not run: a.t: $ b: %s\n' 'there is no nvcc here' 'no ../shared/external' > few; not_run < few; \
    printf 'not run: a.t: $ nvcc: %s\n' 'there is no pandoc here' > more; not_run < more
not run: a.t: $ b: there is no nvcc here
not run: a.t: $ b: no ../shared/external
0 0
not run: a.t: $ nvcc: there is no pandoc here
FAILED: tests that had to run
0 1
