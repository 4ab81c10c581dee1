# plot: what figures hold, every one renders, and what cannot be drawn.
#once

$ draw() { gpuscale plot "$@" -o f.svg 2> err || { echo "$*: $?"; cat err; }; \
    grep -n -e 'scale(0' -e '[^a-z]nan[^a-z]' -e NaN f.svg; $SRC/tests/pictures f.svg | sed "s|^|$*: |"; \
    ! command -v rsvg-convert > found || rsvg-convert f.svg > f.png || echo "$*"; \
    rm f.svg; }; \
  printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    'jacobi,infinite,n=512,1,0.004,0' 'jacobi,memcpy,n=512,2,0.0024,0.0001' > runs.csv; \
  draw scaling jacobi --system h200x8; \
  draw scaling jacobi --system h200x8 --gpus 1-32 --proposed; \
  draw scaling jacobi --system ct-bus --runs runs.csv -p infinite,memcpy; \
  draw scaling als --system v100x4 -p memcpy --gpus 2,4; \
  draw comparison ct --system h200x8,dgx2,pcie-tree4; \
  draw comparison jacobi --system h200x8 --link pcie3 -p memcpy -P n=64; \
  draw generations jacobi --system h200x8 --link pcie3,pcie6,nvlink5 --gpus 4; draw generations als --system v100-sim4 --proposed --link pcie3,pcie6; \
  for p in memcpy um proact-poll infinite; do \
    draw waterfall jacobi --system h200x8 --gpus 4 -p $p; \
    draw timeline hit --system h200x8 --gpus 4 -p $p; done; \
  draw waterfall sssp --system h200x8; draw timeline stencil-host --system h200x8; \
  draw timeline jacobi --system h200x8 --gpus 1; \
  draw tornado jacobi --system h200x8 --gpus 4 -p memcpy; \
  draw map jacobi --system h200x8 --gpus 4 --over link.rate=1GB/s..900GB/s,log,9 \
    --over n=64..1024,log,whole,5; \
  draw map allgather --system h200x8 --over gpus=2,4,8 --over bytes=1,64MB; \
  draw tornado als --system dgx-a100; draw tornado hit --system h200x8 --gpus 1; \
  draw tune als --system v100x4; draw goodput; for k in $(gpuscale list figures | awk 'NR > 1 && !/traces/ { print $1 }'); do draw printed $k; done

# ---- pictures of pages, and a picture with each fault
$ $SRC/tests/pictures $SRC/plots/*.svg
$ printf '%s\n' 'set terminal svg size 300,200' 'set output "bad.svg"' 'set label 1 "first" at graph 0.5,0.5' 'set label 2 "second" at graph 0.52,0.5' \
    'set label 3 "far out of it" at graph 0.95,0.9' 'set key at graph 0.4,0.2' 'plot [0:1][0:1] x title "curve" lt 2, "+" using 1:(0.2) with points lt 3 title "mark"' | gnuplot; $SRC/tests/pictures bad.svg | sort
bad.svg: 'curve' on a curve
bad.svg: 'far out of it' leaves the canvas
bad.svg: 'far out of it' on a curve
bad.svg: 'first' on 'second'
bad.svg: 'first' on a curve
bad.svg: 'mark' on a curve
bad.svg: 'second' on a curve
# ---- curves that were given the runs show them open and say so, others do not
$ gpuscale plot scaling jacobi --system h200x8 --gpus 1,2,4 -P n=512 -p infinite,memcpy --runs $SRC/data/h200x8/runs/runs.csv 2>why | grep -o -e 'Open points: given' -e "gpPt5'" | sort -u; \
  gpuscale plot scaling jacobi --system h200x8 --gpus 1,2,4 -P n=512 -p infinite,memcpy --against $SRC/data/h200x8/runs/runs.csv 2>why | grep -o -e 'not given to the curves' -e "gpPt6'" | sort -u
Open points: given
gpPt5'
gpPt6'
not given to the curves

# ---- measured speedups are over the infinite run on one GPU, whatever else was run there
$ for more in '' 'jacobi,memcpy,n=512,1,0.0039,0'; do echo $more | cat runs.csv - | grep . > more.csv; \
    gpuscale plot scaling jacobi --system h200x8 --gpus 1,2 -P n=512 -p infinite,memcpy --runs more.csv 2> why | \
    grep -o "#gpPt6' transform='[^ ]*" | sort -u > at"${more:+2}"; done; [ -s at ] || echo none; comm -23 at at2

# ---- a way has its colour in every figure, printed ones too
$ gpuscale plot printed 4.9 | tr -d ' ' > printed.svg; for way in broadcast gps; do \
    of=$(gpuscale plot scaling allgather --system h200x8 -p memcpy,$way --proposed | grep -B 1 "<text>$way" | grep -o 'rgb([^)]*)' | tr -d ' '); \
    grep -q -F "stroke='$of'" printed.svg && echo $way; done
broadcast
gps

# ---- scaling: names at the curves, what is off the scale, what is extrapolated
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'; }; \
  gpuscale plot scaling jacobi --system h200x8 -P n=512 -p memcpy,rdl,um,inline,nccl \
    > s.svg; texts < s.svg | grep -x -e memcpy -e rdl -e um -e inline -e nccl; \
  texts < s.svg | grep -e extrapolated -e Band; \
  grep -o '<title>jac.*</title>' s.svg; texts < s.svg | grep -x 'n=512'
memcpy
rdl
um
inline
nccl
Band: one standard error of rdl. Off the scale: um, 0.12 on 8.
extrapolated
<title>jacobi on h200x8 (n=512)</title>
n=512
$ gpuscale plot scaling jacobi --system h200x8 --gpus 1-4 -p memcpy,rdl | \
    grep -c extrapolated
0
$ gpuscale plot scaling jacobi --system h200x8 -p memcpy,rdl,inline,nccl | \
    grep -o "fill = '[^']*' fill-opacity" | sort -u | wc -l
4

# ---- comparison: which way won, at each point
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'; }; \
  gpuscale plot comparison jacobi --system h200x8 --link pcie3,nvlink2 2>/dev/null | \
    texts | grep -x -e 'um.*' -e 'memcpy.*' -e rdl -e 'fastest by' | sort; \
  gpuscale compare jacobi --system h200x8 --link pcie3,nvlink2 --gpus 2-8 -f csv 2>/dev/null | \
    awk -F, '$31 ~ /^best/ { print $3 }' | sort -u
fastest by
memcpy-async
rdl
memcpy-async
rdl

# ---- generations: by slowest first, and what packets change is the ratio of times at one rate
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p'; }; q='allgather --system ct-bus -p memcpy -g 4'; \
  gpuscale plot generations $q --link pcie3,pcie4 | texts | grep -x -e pcie. -e raw -e 'memcpy: .*'; \
  gpuscale compare $q --link pcie3 -P link.rate=16GB/s -f csv | awk -F, 'NR > 1 { t[NR] = $6 } END { printf "memcpy: %+.1f%%\n", 100 * (t[3] / t[2] - 1) }'
pcie3
raw
pcie4
memcpy: +9.0%
memcpy: +9.0%
$ gpuscale plot generations ct --system h200x8,h200x4 --link pcie4; echo $?
gpuscale: plot: generations are of one system
2

# ---- waterfall: what the bars say is what explain says
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'; }; \
  gpuscale plot waterfall jacobi --system h200x8 --gpus 8 -p memcpy | texts | \
    grep -e '[mu]s$' > bars; \
  gpuscale explain --all jacobi --system h200x8 --gpus 8 -p memcpy | \
    awk '/^[a-z]/ { lost = /^lost/ } lost && /^  / && !/hidden/ && NF > 2 && $2 > 0 { print "+" $2 " " $3 } \
      /^one step takes/ { print $4 " " $5 }' | \
    while IFS= read -r t; do grep -qxF -e "$t" bars || echo "no $t"; done; wc -l < bars
7

# ---- tornado: sensitivity's first twelve, by what each does one error off
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'; }; \
  ask="jacobi --system h200x8 --gpus 4 -p memcpy"; \
  gpuscale plot tornado $ask | texts > said; \
  gpuscale sensitivity $ask -f csv | sed 1d | awk -F, '$9 > 0' | head -n 12 | cut -d, -f 5 | \
    sed 's/_curve.*/ at 256 MiB/' > first; \
  grep -xFc -f first said; grep -xF -f first said | cmp - first && echo in order; \
  grep -c '^4.107 TB/s, 0.1%$' said
12
in order
1
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'; }; \
  gpuscale plot tornado als --system dgx-a100 --gpus 8 | texts | grep -c -e '^[a-z_.]*$'
12
$ gpuscale plot tornado jacobi --system h200x8 --gpus 2,4 -o n.svg; echo $?
gpuscale: plot: --gpus: one number, not '2,4'
2
$ gpuscale plot tornado jacobi --system h200x8 -p memcopy -o n.svg; echo $?
gpuscale: no paradigm 'memcopy'; did you mean 'memcpy'?
3
$ gpuscale plot tornado --system h200x8 -o n.svg; echo $?
gpuscale: plot: needs tornado WORKLOAD; see `gpuscale plot --help`
2

# ---- map: the ways that occur are those that sweep finds best
$ texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g'; }; \
  ask="jacobi --system h200x8 --gpus 4 --over link.rate=1GB/s..900GB/s,log,9"; \
  ask="$ask --over n=64..1024,log,whole,5"; \
  gpuscale plot map $ask | texts | sed -n 's/^[0-9][^a-zA-Z]*\([a-z][a-z-]*\)$/\1/p' | sort > named; \
  gpuscale sweep $ask --best -f csv | sed 1d | cut -d, -f 6 | sort -u | diff - named && echo same; \
  [ "$(wc -l < named)" -gt 2 ] && echo several; \
  gpuscale plot map $ask | texts | grep -x -e '1 GB/s' -e '10 GB/s' -e '100 GB/s' -e 64 -e 256 -e 1024 -e hatched.*
same
several
64
256
1024
1 GB/s
10 GB/s
100 GB/s
hatched: 2nd in 5%
# What takes 5 % longer at most is as good: memcpy does at 900 GB/s, not at 10.
$ for r in 900GB/s,901GB/s 10GB/s,11GB/s; do gpuscale sweep jacobi --system h200x8 --gpus 2 -p memcpy,inline \
    --over link.rate=$r -f csv | sed 1d | awk -F, '{ t[NR % 2] = $8 } END { print ((t[0] > t[1] ? t[0] / t[1] : t[1] / t[0]) <= 1.05) }'; \
    gpuscale plot map jacobi --system h200x8 --gpus 2 -p memcpy,inline --over link.rate=$r --over host.copy=1us,1.01us | \
    grep -c hatched; done
1
1
0
0
# No two ways have the same colour.
$ grep -o '0x[0-9a-f]\{6\}' $SRC/plots/p_map.gp | sort | uniq -c | awk '{ n++; if ($1 > 1) print } END { print n }'
24
$ gpuscale plot map jacobi --system h200x8 --over n=64,128 -o n.svg; echo $?
gpuscale: plot: map needs --over twice, as in --over gpus=2..8 --over n=64..512
2
$ gpuscale plot map jacobi --system h200x8 --over gpus=2,4 --over n=64,128 -p memcopy \
    -o n.svg; echo $?
gpuscale: no paradigm 'memcopy'; did you mean 'memcpy'?
3
$ gpuscale plot map jacobi --system h200x8 --gpus 2,4 --over host.copy=1us,2us \
    --over n=64,128 -o n.svg; echo $?
gpuscale: plot: map: one number of GPUs, or --over gpus
2

# The first --over goes to the right, the second up.
$ gpuscale plot map jacobi --system h200x8 --gpus 4 --over link.rate=1GB/s..900GB/s,log,3 --over n=64,256 | \
    grep -B 1 -e '<text>link.rate' -e '<text>n<' | grep -o -e 'rotate(-90[.0)]*' -e '<text>[a-z.]*' | sed 's/\.0*)/)/'
rotate(-90)
<text>n
<text>link.rate

# ---- characters
$ for f in 'scaling jacobi' 'waterfall jacobi -p memcpy' 'timeline jacobi' 'tornado jacobi' \
    'tune jacobi'; do \
    gpuscale plot $f --system h200x8 --terminal > t.txt || echo $?; \
    LC_ALL=C.UTF-8 awk 'length($0) > 80 { wide++ } /jacobi/ { named++ } \
      END { if (wide || !named || NR < 20) print "bad" }' t.txt; \
    grep -c svg t.txt; done
0
0
0
0
0
$ gpuscale plot goodput --terminal -o g.txt; echo $?; grep -c goodput g.txt
0
1

# ---- what cannot be drawn: one line, the status, nothing half-written
$ gpuscale plot comparison jacobi --system h200x8,dgx2 --gpus 1 -o n.svg; echo $?
gpuscale: plot: comparison needs more than one number of GPUs
2
$ gpuscale plot scaling jacobi --system h200x8 --gpus 1 -o n.svg; echo $?
gpuscale: plot: scaling needs more than one number of GPUs
2
$ gpuscale plot waterfall jacobi --system h200x8 --gpus 1 -o n.svg; echo $?
gpuscale: plot: waterfall needs more than one GPU to share a step
2
$ gpuscale plot waterfall jacobi --system h200x8 --gpus 2,4; echo $?
gpuscale: plot: --gpus: one number, not '2,4'
2
$ gpuscale plot timeline jacobi --system h200x8 --gpus 4 -p rdl,um; echo $?
gpuscale: plot: one paradigm, not 'rdl,um'
2
$ gpuscale plot scaling jacobi --system pcie-tree4 -p gps,rdl -P can.peer=none -o n.svg; echo $?
gpuscale: gps: phase 1 needs peer access for stores and loads; can.peer of the system is 'none'
3
$ gpuscale plot timeline stencil-host --system h200x8 --gpus 2 -p memcpy -o n.svg; echo $?
gpuscale: memcpy: the program has a schedule of its own, which runs as written: paradigms schedule and infinite only
3
$ for figure in scaling waterfall; do gpuscale plot $figure jacobi --system h200x8 -o nowhere/s.svg; echo $?; done
gpuscale: nowhere/s.svg: No such file or directory
5
gpuscale: nowhere/s.svg: No such file or directory
5
$ for f in scaling waterfall timeline; do PATH=$B gpuscale plot $f jacobi --system h200x8 \
    -o n.svg; echo $?; done
gpuscale: plot: needs the program gnuplot
3
gpuscale: plot: needs the program gnuplot
3
gpuscale: plot: needs the program gnuplot
3
$ PATH=$B GPUSCALE_PATH=$SRC gpuscale plot scaling jacobi --system h200x8 --terminal; echo $?
gpuscale: plot: needs the program gnuplot
3
$ ls n.svg
ls: cannot access 'n.svg': No such file or directory

# ---- a program whose eight GPUs differ: whole GPUs, as many as fit, each with its link
$ gpuscale plot timeline $SRC/lua/examples/publish.lua --system h200x8 --gpus 8 -o eight.svg 2> note; \
  for w in thread link; do grep -c "<text>[GPU0-9 ]*$w\|<text>$w [0-9]<" eight.svg; done
8
8

# ---- curves that are too low for the axis are named
$ gpuscale plot comparison allgather --system h200x8 --link pcie1,pcie6 -o low.svg; grep -o 'below the axis: [a-z0-9:]*' low.svg
below the axis: h200x8:pcie1

# Runs without a description: their curve by laws, and the runs as points.
$ printf 'gpus,time_s\n1,10\n2,5.4\n4,3.1\n' > r.csv; gpuscale plot scaling --runs r.csv -o r.svg; grep -c 'runs, one standard error\|>runs<' r.svg; \
    gpuscale plot scaling --runs r.csv --terminal | grep -c 'by laws fitted to its runs'
1
1
