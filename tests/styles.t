# What the host of a program does, in short (host = { ... }, norm = { ... }),
# and written down call by call (stencil-host.lua): the same times.
#once
$ for style in "" "-P threads=1" "-P barriers=3" "-P barriers=7" \
      "-P threads=1 -P waits=0" "-P norm=1" \
      "-P threads=1 -P waits=0 -P norm=2" "-P fetch=65536"; do \
    for n in 2 3; do \
      gpuscale predict jacobi --system h200x4 -P dims=2 -P n=1024 $style \
        --gpus $n --paradigm memcpy -f csv > short.csv && \
      gpuscale predict stencil-host --system h200x4 -P dims=2 -P n=1024 $style \
        --gpus $n --paradigm schedule -f csv > long.csv && \
      paste -d, short.csv long.csv | awk -F, -v s="$style" -v n=$n \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_s") at[++k] = i } \
         NR == 2 { r = $at[1] / $at[2]; \
           if (r < 0.97 || r > 1.03) printf "%s on %d GPUs: %.3f\n", s, n, r }'; \
    done; done
# All paradigms can be run with any of them.
$ for style in "-P barriers=7" "-P threads=1 -P waits=0" "-P norm=1"; do \
    gpuscale predict jacobi --system h200x4 -P n=64 $style --gpus 1-4 -f csv \
      --proposed | cut -d, -f 3 | sort -u | wc -l; done
17
17
17
# Phases that the host does not wait for follow each other by events.
$ for w in phase step never; do \
    gpuscale predict hit --system h200x4 --gpus 2 --paradigm memcpy -f csv \
      -P host.waits=$w | sed 1d | cut -d, -f 3; done
memcpy
memcpy
memcpy
$ gpuscale predict jacobi --system h200x4 --gpus 2 -P host.waits=often; echo $?
gpuscale: -P host.waits: 'often': needs one of phase, step, never
2
$ gpuscale predict jacobi --system h200x4 --gpus 2 -P barriers=4 2>&1 | \
    sed 's,: /.*/,: ,'
gpuscale: jacobi.lua:14: jacobi: host.barriers: out of its domain
