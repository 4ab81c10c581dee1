# ---- a time that is not finite is no answer: exit 4, and nothing on stdout
#once

$ gpuscale predict template --system h200x8 -P units=1e308 --gpus 2 \
    --paradigm memcpy; echo $?
gpuscale: memcpy on 2 GPUs: no finite time: its bandwidth overflows
4
$ gpuscale predict jacobi --system dgx-a100 -P 'copy.interference=1e308 s/B' \
    --gpus 4 --paradigm memcpy-async --format csv; echo $?
gpuscale: memcpy-async on 4 GPUs: no finite time: its bandwidth overflows
4
$ gpuscale predict jacobi --system h200x8 -P 'host.sync=1e308 s' \
    -P 'host.barrier_more=1e308 s' --gpus 4; echo $?
gpuscale: jacobi on 4 GPUs of h200x8: no finite time: the compute or the host's calls overflow
4
$ for verb in tune compare,dgx-a100; do \
    gpuscale ${verb%,*} template --system h200x8${verb#${verb%,*}} \
      -P units=1e308 --gpus 2 --paradigm memcpy 2>/dev/null; echo $verb $?; done
tune 4
compare,dgx-a100 4
$ gpuscale explain --all template --system h200x8 -P units=1e308 --gpus 2 \
    --paradigm memcpy; echo $?
gpuscale: memcpy on 2 GPUs: no finite time: its bandwidth overflows
4
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'gs.predict { workload = "template", system = "h200x8", gpus = 2,' \
    '             paradigm = "memcpy", set = { units = 1e308 } }' > s.lua
$ gpuscale run s.lua; echo $?
gpuscale: s.lua:2: gs.predict: memcpy on 2 GPUs: no finite time: its bandwidth overflows
4

# ---- shares that add up to 1 and a rounding error are all of it

$ gpuscale predict sssp --system h200x8 -P at=6 --gpus 2 --proposed \
    --paradigm gps --format csv | cut -d, -f 3,5,6 | \
    sed 's/\(\.[0-9]\{6\}\)[0-9]*/\1/'
paradigm,gpus,time_s
gps,2,0.000291
