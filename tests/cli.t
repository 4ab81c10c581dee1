# The command line: what every verb says, and every exit status.

# ---- help, version, verbs
$ gpuscale --version
gpuscale 0.2.0
$ gpuscale --help | head -n 1
usage: gpuscale VERB [arguments] [options]
$ gpuscale; echo $?
gpuscale: no verb given; see `gpuscale --help`
2
$ gpuscale predct; echo $?
gpuscale: no verb 'predct'; did you mean 'predict'?
2
$ gpuscale frobnicate; echo $?
gpuscale: no verb 'frobnicate'; see `gpuscale --help`
2
$ gpuscale --verbose; echo $?
gpuscale: '--verbose': a verb comes first; see `gpuscale --help`
2

$ gpuscale help > a; gpuscale --help | cmp - a; \
  for v in predict replay reproduce; do gpuscale help $v > a; \
    gpuscale $v --help | cmp - a && sed 1q a | cut -c 1-22; done
usage: gpuscale predic
usage: gpuscale replay
usage: gpuscale reprod
$ gpuscale help predct; echo $?; gpuscale help list systems; echo $?
gpuscale: no verb 'predct'; did you mean 'predict'?
2
gpuscale: help: 'systems' is one argument too many
2
$ gpuscale help predict > /dev/full; echo $?
gpuscale: standard output: No space left on device
5

# Every verb has help of at most one screen.
$ for v in predict compare explain goodput validate freeze calibrate plot list run; do \
    gpuscale $v --help > help.txt && sed -n 1p help.txt && \
    [ "$(wc -l < help.txt)" -le 34 ] || echo "$v: too long"; \
  done
usage: gpuscale predict WORKLOAD --system SYSTEM [options], or --runs FILE
usage: gpuscale compare WORKLOAD --system A,B,... [--link NAME,...] [options]
usage: gpuscale explain WORKLOAD --system SYSTEM --gpus N [options]
usage: gpuscale goodput --link NAME,... [options]
usage: gpuscale validate RUNS.csv... --system SYSTEM [options]
usage: gpuscale freeze PLAN.csv --system SYSTEM --commit HASH -o PREDICTIONS.csv
usage: gpuscale calibrate DATA... --base SYSTEM -o NEW.lua
usage: gpuscale plot FIGURE [WORKLOAD | DATA...] | printed NAME [options]
usage: gpuscale list systems|workloads|paradigms|links|fields|figures [options]
usage: gpuscale run SCRIPT.lua [options]
$ gpuscale goodput --help
usage: gpuscale goodput --link NAME,... [options]

Shows the useful share of a link's bytes, by message size.

options
  -l, --link LIST        links, NAME,...; replace the link of a system
      --sizes LIST       message sizes in bytes: 4,32,128 or 4-4096
      --partial          messages leave some bytes of a unit unwritten
      --alignment-offset B offset of messages from a packet's boundary, in bytes
      --payload B        largest payload of a packet
      --ecrc             PCIe: end-to-end checks, 4 B a packet
  -f, --format FORMAT    table, csv or json [table]
  -o, --output FILE      write to FILE, whole or not at all
      --notes            print all notes, not only three lines
  -h, --help             this text

examples
  gpuscale goodput --link pcie5,nvlink4
  gpuscale goodput --link nvlink4 --sizes 4,32,128 --partial
  gpuscale goodput --link pcie4 --payload 128 --ecrc --alignment-offset 4

# ---- options
$ gpuscale predict jacobi --sytem ct-bus; echo $?
gpuscale: predict: no option '--sytem'; did you mean '--system'?
2
$ gpuscale goodput --steps 3; echo $?
gpuscale: goodput: no option '--steps'; see `gpuscale goodput --help`
2
$ gpuscale predict jacobi -x; echo $?
gpuscale: predict: no option '-x'; see `gpuscale predict --help`
2
$ gpuscale predict jacobi --system; echo $?
gpuscale: --system needs SYSTEM
2
$ gpuscale goodput --link=raw --partial=yes; echo $?
gpuscale: --partial takes no value
2
$ gpuscale predict jacobi ct --system ct-bus; echo $?
gpuscale: predict: 'ct' is one argument too many
2
$ gpuscale predict --system ct-bus; echo $?
gpuscale: predict: needs a WORKLOAD; see `gpuscale predict --help`
2
$ gpuscale predict jacobi; echo $?
gpuscale: predict: needs --system SYSTEM; see `gpuscale list systems`
2
$ gpuscale predict jacobi --system ct-bus --format xml; echo $?
gpuscale: --format: 'xml' is not one of table, csv, json
2
$ gpuscale predict jacobi --system ct-bus --steps 0; echo $?
gpuscale: --steps: 0 is not in 1 .. 2147483647
2
$ gpuscale predict jacobi --system ct-bus --steps 1e3; echo $?
gpuscale: --steps: '1e3' is not a whole number
2
$ gpuscale validate runs.csv --system ct-bus --max-error nan; echo $?
gpuscale: --max-error: 'nan': not a finite decimal number
2
$ gpuscale validate runs.csv --system ct-bus --max-error=-1; echo $?
gpuscale: --max-error: -1 is below 0
2
# What a terminal obeys is not printed of names and words.
$ for c in '\n' '\033[31m' '\233' '\342\200\256' '\302\205'; do a=$(printf "a${c}b"); \
    gpuscale predict "$a" -s h200x8 2>&1 | od -An -c | tr -d ' \n'; echo; done
gpuscale:noworkload'a?b';see`gpuscalelistworkloads`\n
gpuscale:noworkload'a?[31mb';see`gpuscalelistworkloads`\n
gpuscale:noworkload'a?b';see`gpuscalelistworkloads`\n
gpuscale:noworkload'a???b';see`gpuscalelistworkloads`\n
gpuscale:noworkload'a??b';see`gpuscalelistworkloads`\n
$ gpuscale predict "déjà" -s h200x8; echo $?
gpuscale: no workload 'déjà'; see `gpuscale list workloads`
3
$ for g in 0 65537 1-2049 8-1 1,,2 2x -1 nan ''; do \
    gpuscale predict jacobi --system ct-bus --gpus "$g"; echo $?; \
  done
gpuscale: --gpus: 0 is not in 1 .. 65536
2
gpuscale: --gpus: 65537 is not in 1 .. 65536
2
gpuscale: --gpus: more than 2048 numbers of GPUs
6
gpuscale: --gpus: '8-1' runs backwards
2
gpuscale: --gpus: '1,,2' has an empty entry
2
gpuscale: --gpus: '2x' is not a whole number
2
gpuscale: --gpus: '-1' is not a whole number
2
gpuscale: --gpus: 'nan' is not a whole number
2
gpuscale: --gpus: '' has an empty entry
2

# Both forms of an option, "--", and lists in any order.
$ gpuscale predict --system=ct-bus --gpus=2-3,1 -pinfinite -f csv -- ct \
    | cut -d, -f 2,3,5,6,9
workload,paradigm,gpus,time_s,speedup
ct,infinite,1,116.77999999999999,1
ct,infinite,2,58.389999999999993,2
ct,infinite,3,38.926667144562558,2.999999963169524

# ---- names
$ gpuscale predict jacoby --system ct-bus; echo $?
gpuscale: no workload 'jacoby'; did you mean 'jacobi'?
3
$ for s in CT-Buss 4090; do gpuscale predict jacobi --system $s; echo $?; done
gpuscale: no system 'CT-Buss'; did you mean 'ct-bus'?
3
gpuscale: no system '4090'; did you mean 'rtx4090x4'?
3
$ gpuscale predict jacobi --system ct-bus --paradigm memcopy; echo $?
gpuscale: no paradigm 'memcopy'; did you mean 'memcpy'?
3
$ gpuscale predict jacobi --system ct-bus --paradigm frobnicate; echo $?
gpuscale: no paradigm 'frobnicate'; see `gpuscale list paradigms`
3
$ gpuscale goodput --link nvlink44; echo $?
gpuscale: no link 'nvlink44'; did you mean 'nvlink4'?
3
$ gpuscale list sistems; echo $?
gpuscale: list: no list 'sistems'; did you mean 'systems'?
2
$ gpuscale list; echo $?
gpuscale: list: needs systems, workloads, paradigms, links, fields or figures; see `gpuscale list --help`
2
$ gpuscale plot scalling jacobi --system ct-bus; echo $?
gpuscale: plot: no figure 'scalling'; did you mean 'scaling'?
2

# ---- settings
$ gpuscale predict jacobi --system ct-bus -P m=3; echo $?
gpuscale: -P m: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2
$ gpuscale predict jacobi --system ct-bus -P n; echo $?
gpuscale: -P n: needs the form name=value
2
$ gpuscale predict jacobi --system ct-bus -P n=nan; echo $?
gpuscale: -P n: 'nan': not a finite decimal number
2
$ gpuscale predict jacobi --system ct-bus -P t1=0.004; echo $?
gpuscale: -P t1: '0.004': no unit; expected e.g. us
2
$ gpuscale predict jacobi --system ct-bus -P proact-poll.chunk=65536; echo $?
gpuscale: -P proact-poll.chunk: '65536': no unit; expected e.g. KiB
2
$ gpuscale predict jacobi --system ct-bus -P proact-poll.chunk=0; echo $?
gpuscale: -P proact-poll.chunk: '0' is not above 0
2
$ gpuscale predict jacobi --system ct-bus -p memcpy -P proact-poll.width=64; \
  echo $?
gpuscale: -P proact-poll.width: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2

# ---- predict
$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 1,2,4 \
    --paradigm infinite,memcpy
On 4 GPUs of ct-bus one step of jacobi takes 1.393 ms by memcpy, 2.87 times as
  fast as one GPU, an efficiency of 72%. Lost to communication 28%.

GPUs  paradigm      time  speedup  effic.  lost to  applicability
   1  any           4 ms     1.00  100.0%  nothing  inside
   2  memcpy    2.131 ms     1.88   93.8%  comm.    inside
   4  memcpy    1.393 ms     2.87   71.8%  comm.    inside

infinite: best 4.0x at 4 GPUs, marginal efficiency >= 50% up to 4,
  lost to nothing
memcpy: best 2.9x at 4 GPUs, marginal efficiency >= 50% up to 4,
  lost to communication 28%

# What bounds a peak, in words; how far GPUs are well spent.
$ for rate in 16GB/s 4GB/s 1GB/s 100MB/s; do \
    gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 1-4 \
      --paradigm memcpy -P link.rate=$rate | tail -n 2; \
  done
memcpy: best 2.9x at 4 GPUs, marginal efficiency >= 50% up to 3,
  lost to communication 28%
memcpy: best 1.7x at 3 GPUs, marginal efficiency >= 50% up to 2,
  lost to communication 44%
  more GPUs only slow it,
  lost to nothing
memcpy: best 1.0x at 1 GPU, more GPUs only slow it,
  lost to nothing
$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 4 \
    --paradigm memcpy -P link.rate=1GB/s | tail -n 1
  lost to communication 86%
$ for p in sync launch; do gpuscale predict jacobi --system ct-bus -P t1=4ms \
    --gpus 4 --paradigm memcpy -P host.$p=1s 2> /dev/null | tail -n 1; done
  lost to host 68%, communication 9%
  lost to host 57%, waiting 17%, communication 7%

$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 2 --paradigm memcpy \
    --format csv
system,workload,paradigm,knobs,gpus,time_s,time_err_s,setup_s,speedup,efficiency,opportunity,compute_s,host_s,transfer_s,initiation_s,tracking_s,tail_s,latency_s,wire_B,useful_B,protocol_B,redundant_B,unused_B,bound,applicability,settings,time_lo_s,time_hi_s,energy_J,power_W,standing,also,energy_err_J,lost_communication_s,lost_waiting_s,lost_host_s,lost_start_s,lost_kernels_s,gain_s,hidden_s
ct-bus,jacobi,memcpy,,2,0.0021310719999999999,0,0,1.8769896089855247,0.93849480449276235,0.93849480449276235,0.002,0,0.00013107200000000001,0,0,0,0,2097152,2097152,0,0,0,compute,inside,t1=4ms,0.0021310719999999999,0.0021310719999999999,,,best,,,0.00013107199999999987,0,0,0,0,0,0
$ gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 2 --paradigm memcpy \
    --format json | sed '/"made_by"/,/^ },/d' | sed -n '/"rows"/,/"time_s"/p'
 "rows": [
  {
   "system": "ct-bus",
   "workload": "jacobi",
   "paradigm": "memcpy",
   "knobs": "",
   "gpus": 2,
   "time_s": 0.0021310719999999999,

# A row says what was asked: each -P, in its order and spelling, and the link;
# settings of more than 255 bytes are not cut.
$ last() { gpuscale "$@" --format csv | \
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "settings") c = i } END { print $c }'; }; \
  last predict jacobi --system ct-bus -P n=256 -P link.rate=8GB/s -P word=8; \
  last predict jacobi --system ct-bus -p memcpy -l pcie5 -P t1='4 ms'; \
  last predict jacobi --system ct-bus --gpus 2; \
  last tune als --system v100x4 -p proact-poll -P proact-poll.chunk=64KiB -P rank=9
n=256;link.rate=8GB/s;word=8
t1=4 ms;link=pcie5

proact-poll.chunk=64KiB;rank=9
$ z=$(printf %0100d 0); \
  for f in csv json; do gpuscale predict jacobi --system ct-bus --gpus 2 -f $f \
    -p memcpy -P n=${z}512 -P dims=${z}3 -P word=${z}4 -l pcie5 | \
    grep -o "n=${z}512;dims=${z}3;word=${z}4;link=pcie5" | wc -c; done; \
  printf '%s' 'gs.rows(gs.predict { workload = "jacobi", system = "ct-bus", ' \
    "gpus = 2, set = { n = '${z}512', dims = '${z}3', word = '${z}4' }, " \
    'paradigm = "memcpy" })' > long.lua; \
  gpuscale run long.lua -f csv | grep -o "dims=${z}3;n=${z}512;word=${z}4" | wc -c
331
331
320

# A result says how it was made: JSON always, CSV in a file's head, which those
# who read such files skip.  The command can be pasted; the hash is that of
# sha256sum; where a description lies does not matter.
$ hash() { sha256sum "$1" | cut -c 1-64; }; \
  mkdir "a b"; cp $SRC/params/ct-bus.lua "a b/it's.lua"; \
  gpuscale predict jacobi --system "a b/it's.lua" -g 2 -p memcpy -P 't1=4 ms' \
    -P n='64' -f csv -o made.csv; \
  sed "s/$(hash "a b/it's.lua")/SYSTEM/; s/$(hash \
    $SRC/lua/workloads/jacobi.lua)/WORKLOAD/; /^system/,\$d" made.csv; \
  cp made.csv again.csv; \
  eval "$(sed -n 's/^# command: //p' made.csv)"; cmp made.csv again.csv; \
  gpuscale predict jacobi --system "a b/it's.lua" -g 2 -p memcpy -P 't1=4 ms' \
    -P n='64' -f csv | diff - made.csv | grep -c '^<'
\# made by: gpuscale 0.2.0
\# command: gpuscale predict jacobi --system 'a b/it'\''s.lua' -g 2 -p memcpy -P 't1=4 ms' -P n=64 -f csv -o made.csv
\# it's.lua: sha256 SYSTEM
\# jacobi.lua: sha256 WORKLOAD
0
# A file that is read again is said once.
$ gpuscale compare jacobi --system h200x8,k40x4 -g 2 -p memcpy -f csv -o made.csv; \
  sed -n 's/^# \(.*\): sha256 .*/\1/p' made.csv
h200x8.lua
jacobi.lua
k40x4.lua
$ gpuscale predict jacobi --system ct-bus -g 2 -p memcpy -f json | \
    sed "s/$(sha256sum < $SRC/params/ct-bus.lua | cut -c 1-64)/SYSTEM/; 2,10!d"
 "schema": "gpuscale.predict/1",
 "made_by": {
  "version": "0.2.0",
  "command": "gpuscale predict jacobi --system ct-bus -g 2 -p memcpy -f json",
  "descriptions": [
   {
    "file": "ct-bus.lua",
    "sha256": "SYSTEM"
   },
# What stood there keeps who may read it.
$ for mode in 600 640 664; do : > made.csv; chmod $mode made.csv; gpuscale list links -o made.csv; \
    stat -c %a made.csv; done; [ -s made.csv ] && rm made.csv
600
640
664
$ gpuscale list links -f csv -o - | head -n 1; \
  gpuscale list links -o links.txt; grep -c '^#' links.txt
name,format,rate_Bps,goodput_store_4B,goodput_store_128B,goodput_copy
0
$ printf 'print("")' > "$(printf 'new\nline.lua')"; \
  gpuscale run "$(printf 'new\nline.lua')" | wc -l; \
  echo 'gs.rows { { a = 1 } }' 'gs.predict { workload = "jacobi", system = "ct-bus" }' \
    'gs.rows { { a = 2 } } gs.rows { { a = 3 } }' > "$(printf 'new\nline.lua')"; \
  gpuscale run "$(printf 'new\nline.lua')" -f csv -o made.csv; \
  sed 's/sha256 .*/sha256/' made.csv
1
\# made by: gpuscale 0.2.0
\# command: gpuscale run 'new?line.lua' -f csv -o made.csv
\# new?line.lua: sha256
a
1
\# ct-bus.lua: sha256
\# jacobi.lua: sha256
a
2
a
3

# Numbers are the same in every locale.
$ LC_ALL=de_DE.UTF-8 gpuscale goodput --link pcie3 --sizes 4 --format csv
link,access,size_B,wire_B,goodput,rate_Bps
pcie3,store,4,28,0.14285714285714285,2250549450.5494504
pcie3,copy,4,28,0.14285714285714285,2250549450.5494504

# The parts and the bytes sum.
$ gpuscale predict jacobi --system ct-bus --gpus 1-16 --format csv 2>notes | \
    awk -F, 'NR > 1 { t = 0; for (i = 12; i <= 18; i++) t += $i; \
      b = $20 + $21 + $22 + $23; n++; \
      if ((t - $6)^2 > (1e-12 * $6)^2 || (b - $19)^2 > (1e-12 * $19)^2) bad++ } \
      END { print (n >= 64), bad + 0 }'; cat notes
1 0
gpuscale: note: ct-bus has 4 GPUs; 5 to 16 are extrapolated
$ gpuscale predict jacobi --system ct-bus --gpus 8 -p infinite -o x.csv -f csv
gpuscale: note: ct-bus has 4 GPUs; 8 is extrapolated

# A knob as given, and where it is shown.
$ gpuscale predict jacobi --system ct-bus --gpus 2 --paradigm proact-poll \
    -P proact-poll.chunk=64KiB -P proact-poll.width=512 --format csv | \
    cut -d, -f 4
knobs
chunk=65536;width=512

# Slower than one GPU is not worth a GPU, though each is faster than fewer.
$ gpuscale predict sssp --system h200x8 -p rdl -g 2,4,8,16 2>&1 | \
    sed -n 's/best 0[.][0-9]*x/best 0.Xx/; /^rdl: /p'
rdl: best 0.Xx at 16 GPUs, slower than one GPU,
$ curve() { gpuscale predict jacobi --system ct-bus -P t1=4ms -p memcpy "$@" \
    2>&1 | grep '^memcpy: '; }; \
  curve -g 2,4,8 -P host.copy=40ms; curve -g 1-4 -P link.rate=1.4GB/s; \
  curve -g 1,2,16 -P link.rate=1.4GB/s
memcpy: best 0.10x at 2 GPUs, slower than one GPU,
memcpy: best 1.1x at 2 GPUs, marginal efficiency below 50% from the start,
memcpy: best 1.1x at 2 GPUs, marginal efficiency below 50% from the start,

# A system that does not grow, a program that does not fit: no rows of those N,
# of which the whole list is looked at before anything is predicted.
$ sed 's/grows    = true/grows    = false/' "$SRC/params/ct-bus.lua" > fixed.lua
$ asked() { gpuscale predict jacobi -p memcpy -f csv "$@" 2> notes | cut -d, -f 5; \
    cat notes; }; \
  asked -s fixed.lua -g 4,5; asked -s fixed.lua -g 5-9,2; \
  asked -s ct-bus -P n=2048 -g 1,8; asked -s h200x8 -g 2,2048
gpus
4
gpuscale: note: no row for 5 GPUs: ct-bus has 4 GPUs and no rule to grow to 5
gpus
2
gpuscale: note: no row for 5 to 9 GPUs: ct-bus has 4 GPUs and no rule to grow to 5
gpus
8
gpuscale: note: no row for 1 GPU: jacobi on 1 GPU does not fit device.memory of ct-bus (12 GB each)
gpuscale: note: ct-bus has 4 GPUs; 8 is extrapolated
gpus
2
2048
gpuscale: note: h200x8 has 8 GPUs; 2048 is extrapolated
$ gpuscale predict jacobi --system fixed.lua --gpus 5,6; echo $?
gpuscale: ct-bus has 4 GPUs and no rule to grow to 5
3
$ gpuscale predict jacobi --system ct-bus -P n=4096 --gpus 1,4; echo $?
gpuscale: jacobi on 1 GPU does not fit device.memory of ct-bus (12 GB each)
3
$ gpuscale explain --all jacobi --system fixed.lua --gpus 5; echo $?
gpuscale: ct-bus has 4 GPUs and no rule to grow to 5
3
$ printf '%s\n' 'for n = 1, 3 do' \
    '  for _, r in ipairs(gs.predict { workload = "jacobi", system = "fixed.lua",' \
    '      gpus = { n, 8 }, paradigm = "memcpy" }) do print(r.gpus) end' \
    'end' > fit.lua; gpuscale run fit.lua
gpuscale: note: no row for 8 GPUs: ct-bus has 4 GPUs and no rule to grow to 8
1
2
3

# A paradigm that cannot run a program is left out, unless it is named.
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.workload { name = "halo", summary = "no boundary given",' \
    '  step = function () return { gs.phase { name = "p", units = 64,' \
    '    bytes = "1 GB", to = "neighbours", publish = "1 MB" } } end }' \
    > halo.lua
$ gpuscale predict halo.lua --system ct-bus --gpus 4 --paradigm memcpy-async; \
  echo $?
gpuscale: memcpy-async: phase 1 needs the blocks that make a face (blocks = { {share =, per = "face", publishes =} })
3
$ gpuscale predict halo.lua --system ct-bus --gpus 4 --format csv | \
    cut -d, -f 3 | grep memcpy
memcpy

# ---- explain
# people get a page: with --all the rest, and nothing that is not in it
$ q='jacobi --system h200x8 --gpus 8'; gpuscale explain $q > some; gpuscale explain --all $q > all; \
  awk 'END { print (NR <= 42) }' some; grep -c -e '^its schedule' -e '^  bands' all some; \
  for f in all some; do tr -s ' ' < $f > $f.t; done; grep -vxFf all.t some.t
1
all:2
some:0
248 other numbers add less; --all has them, what to measure, the descriptions
 and the schedule

$ gpuscale explain --all jacobi --system ct-bus -P t1=4ms --gpus 4 --paradigm memcpy \
    | sed 's,from .*/,from ,; s/^[0-9]* oth/K oth/; /^where the time/,/^system/d'
On 4 GPUs of ct-bus one step of jacobi takes 1.393 ms by memcpy, 2.87 times as
  fast as one GPU, an efficiency of 72%. Lost to communication 28%.

asked with t1=4ms
one step takes 1.393 ms +/- 0 ns (0.0%)
of the error 0.0% is the system's numbers', 0.0% the workload's, the model's own
  is not known: no run is off from it
speedup 2.87, efficiency 71.8%, fraction of ideal 71.8%
bound by the compute: the kernels themselves
applicability: inside

lost over an even share of one GPU's step
  communication   393.2 us   28.2%
  waiting            0 ns    0.0%
  host               0 ns    0.0%
  start-up           0 ns    0.0%
  kernels            0 ns    0.0%
  gain               0 ns    0.0%
  hidden             0 ns    0.0%  communication beside other work

  from ct-bus.lua

numbers that matter, what adds most to the error first
(elasticity: % of time per % of the number; moves: the time, by its error)
parameter            value    elasticity  moves  origin
t1                   4 ms           0.72     0%  measured, given on the command
                                                 line
sweep.compute.units  512            0.43     0%  derived
copy.efficiency      1             -0.29     0%  spec, the document's model has
                                                 no such cost or limit
copy.all_active      1             -0.29     0%  spec, default: no such cost or
                                                 limit
sweep.publish.bytes  1 MiB          0.28     0%  derived
link.rate            16 GB/s       -0.28     0%  spec, Muthukrishnan 2022,
                                                 section 3.4.2, PCIe 3.0
K other numbers move the time by less than 0.5%; --format csv lists them

its schedule in the long run, from the first call on, of one of 4 GPUs
host  stream  action       what                   called         begin       end
0     0 main  launch       sweep                    0 ns  2.168e-10 ns      1 ms
0     0 main  copy-d2d     copies but the last      0 ns          1 ms  1.328 ms
0             host         calls of copies          0 ns             -         -
0     0 main  copy-d2d     last copy                0 ns      1.328 ms  1.393 ms
0     0 main  sync-stream                           0 ns             -         -
0             host         barrier after waits  1.393 ms             -         -
$ gpuscale explain --all jacobi --system ct-bus -P t1=4ms --gpus 4 -p memcpy \
    --format csv | sed -n '1p; /^time/p; /^copy.all/p; /^transfer/p; /^bound/p'
name,value,err,unit,origin,elasticity,time_err_s,source,group,share,text,note
time,0.0013932159999999999,0,s,,,,,prediction,0,,share: of the error
bound,,,,,,,,prediction,,compute,the compute: the kernels themselves
transfer,0.000393216,,s,,,,,part,0.2822362074509624,,
copy.all_active,1,0,1,spec,-0.28508707823329626,0,default: no such cost or limit,number,0,,

# The three formats tell the same: each text, each note and each share of CSV is
# in the table, and JSON has the rows of CSV.
$ same() { gpuscale explain --all "$@" | tr -s ' \n' '  ' > table; gpuscale explain "$@" -f csv > rows; \
    gpuscale explain --all "$@" -f json > json; \
    sed -n 's/^   "group": "\(.*\)",$/\1/p' json | grep -v number | uniq -c; \
    awk '/"group"/ { number = /"number"/ } !number' json > rest; \
    { sed -n 's/^   "text": "\(.*\)",$/\1/p; s/^   "note": "\(.*\)"$/\1/p' rest; \
      awk '/"share": [^n]/ { printf "%.1f%%\n", 100 * $2 }' rest; } | sort -u | \
    grep -v -e '^share: of' -e '^exists$' -e '^compute$' -e '^$' | \
    while IFS= read -r fact; do \
      grep -qF -e "$fact" table || echo "not in the table: $fact"; done; \
    [ $(grep -c . rows) -eq $(($(grep -c '"group"' json) + 1)) ] || echo rows; }; \
  same jacobi --system h200x8 --gpus 4 -p proact-poll -P n=128 -l nvlink3; \
  for p in infinite um finepack; do \
    same sssp --system h200x8 --gpus 2 --proposed -p $p > out; grep : out; done; \
  same jacobi --system h200x8 --gpus 1 > out; grep : out
      5 question
     10 prediction
      4 draws
      7 part
      5 bytes
      6 lost
      1 hidden
      1 paradigm
      2 knob
      1 workload
      9 setting
      1 workload
      1 system
$ gpuscale explain --all jacobi --system ct-bus; echo $?
gpuscale: explain: needs --gpus N
2
$ gpuscale explain --all jacobi --system ct-bus --gpus 1-4; echo $?
gpuscale: explain: one number of GPUs, not '1-4'
2
$ gpuscale explain --all jacobi --system ct-bus --gpus 4 -p memcpy,infinite; echo $?
gpuscale: explain: one paradigm, not 'memcpy,infinite'
2

# ---- goodput
$ gpuscale goodput --link pcie3,nvlink2 --sizes 4,128
nvlink2 carries most that is useful: 137.5 GB/s by a store of 128 B, 88.9%. At
  least half of its bytes are useful from 128 B on.

link     access  size [B]  wire [B]  goodput      useful
pcie3    store          4        28    14.3%  2.251 GB/s
pcie3    store        128       152    84.2%  13.27 GB/s
pcie3    copy           4        28    14.3%  2.251 GB/s
pcie3    copy         128       152    84.2%  13.27 GB/s
nvlink2  store          4        48     8.3%  12.89 GB/s
nvlink2  store        128       144    88.9%  137.5 GB/s
nvlink2  copy           4        32    12.5%  19.34 GB/s
nvlink2  copy         128       144    88.9%  137.5 GB/s
$ gpuscale goodput --link nvlink2 --sizes 4-16 --partial --format csv
link,access,size_B,wire_B,goodput,rate_Bps
nvlink2,store,4,48,0.083333333333333329,12890625000
nvlink2,store,8,48,0.16666666666666666,25781250000
nvlink2,store,16,48,0.33333333333333331,51562500000
nvlink2,copy,4,48,0.083333333333333329,12890625000
nvlink2,copy,8,48,0.16666666666666666,25781250000
nvlink2,copy,16,48,0.33333333333333331,51562500000
$ gpuscale goodput --link raw --sizes 4-8 --format json | sed '/"made_by"/,/^ },/d' | tr -d '\n '; echo
{"schema":"gpuscale.goodput/1","rows":[{"link":"raw","access":"store","size_B":4,"wire_B":4,"goodput":1.0,"rate_Bps":null},{"link":"raw","access":"store","size_B":8,"wire_B":8,"goodput":1.0,"rate_Bps":null},{"link":"raw","access":"copy","size_B":4,"wire_B":4,"goodput":1.0,"rate_Bps":null},{"link":"raw","access":"copy","size_B":8,"wire_B":8,"goodput":1.0,"rate_Bps":null}]}
# A packet of PCIe 4 has 24 B before its data, 4 B more with ECRC, and at
# most 256 B of copies or 128 B of stores.  A message
# that straddles one more boundary needs one more packet.
$ g() { gpuscale goodput --link pcie4 --sizes 256 --format csv "$@" | \
      sed 1d | cut -d, -f 2,4 | paste -sd ' '; }; \
  g; g --ecrc; g --payload 128; g --alignment-offset 4; \
  g --payload 128 --alignment-offset 4 --ecrc
store,304 copy,280
store,312 copy,284
store,304 copy,304
store,328 copy,304
store,340 copy,340
$ gpuscale goodput --link nvlink2 --sizes 16 --alignment-offset 8 --format csv | \
    cut -d, -f 1-5
link,access,size_B,wire_B,goodput
nvlink2,store,16,48,0.33333333333333331
nvlink2,copy,16,48,0.33333333333333331
$ gpuscale goodput --link nvlink4 --ecrc; echo $?
gpuscale: nvlink4: only PCIe has ECRC and short addresses
3
$ gpuscale goodput --link pcie4 --payload 100000; echo $?
gpuscale: pcie4: payload: no packet of it carries 100000 B
3
$ gpuscale goodput --link pcie4 --sizes 4 --alignment-offset 128; echo $?
gpuscale: --alignment-offset: 128 B is not below the payload of a store packet of pcie4
2
$ for s in -1 1.5 4x nan ''; do \
    gpuscale goodput --link pcie4 --alignment-offset "$s"; echo $?; done
gpuscale: --alignment-offset: '-1': no unit; expected e.g. KiB
2
gpuscale: --alignment-offset: '1.5': no unit; expected e.g. KiB
2
gpuscale: --alignment-offset: '4x': unknown unit 'x'; there are B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB
2
gpuscale: --alignment-offset: 'nan': not a finite decimal number
2
gpuscale: --alignment-offset: '': not a finite decimal number
2
$ gpuscale goodput --link pcie4 --payload 0; echo $?
gpuscale: --payload: '0' is not 1 B .. 2^50 B, whole
2
$ gpuscale goodput; echo $?
gpuscale: goodput: needs --link NAME; see `gpuscale list links`
2
$ for s in 0 1.5 8-4 4x 4GB/s nan ''; do \
    gpuscale goodput --link raw --sizes "$s"; echo $?; \
  done
gpuscale: --sizes: '0' is not 1 B .. 2^50 B, whole
2
gpuscale: --sizes: '1.5': no unit; expected e.g. KiB
2
gpuscale: --sizes: '8-4' runs backwards
2
gpuscale: --sizes: '4x': unknown unit 'x'; there are B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB
2
gpuscale: --sizes: '4GB/s': a rate where a size (B) is needed
2
gpuscale: --sizes: 'nan': not a finite decimal number
2
gpuscale: --sizes: '' has an empty entry
2

# ---- list
$ gpuscale list systems --format csv | grep -E '^(name|ct-bus)'
name,gpus,topology,link,rate_Bps,summary
ct-bus,4,bus,raw,16000000000,"K40m GPUs on one bus without overheads, as in a published model"
$ gpuscale list workloads --format csv | grep -E '^(name|jacobi)'
name,knobs,summary
jacobi,bands=0;barriers=1;dims=3;fetch=0;n=512;norm=0;threads=0;waits=1;word=4,"Jacobi sweep on a square or cube, halo exchange with neighbours"
$ gpuscale list paradigms --format csv | grep -E '^(name|memcpy),'
name,status,knobs,summary,runs
memcpy,exists,,"compute, then copy in bulk",measured
$ gpuscale list links --format csv | grep -E '^(name|raw|nvlink3)'
name,format,rate_Bps,goodput_store_4B,goodput_store_128B,goodput_copy
nvlink3,nvlink,300000000000,0.083333333333333329,0.80000000000000004,0.94117647058823528
nvlink3x4,nvlink,100000000000,0.083333333333333329,0.80000000000000004,0.94117647058823528
raw,raw,,1,1,1
$ gpuscale list links --format json | sed '/"made_by"/,/^ },/d' | head -n 8
{
 "schema": "gpuscale.links/1",
 "rows": [
  {
   "name": "pcie1",
   "format": "pcie",
   "rate_Bps": 4000000000.0,
   "goodput_store_4B": 0.14285714285714285,

# One that cannot be read does not hide the others.
$ mkdir -p params; echo 'return 1' > params/broken.lua; \
  gpuscale list systems --format csv 2>&1 | grep -E '^(ct-bus|gpuscale)'; \
  gpuscale list systems > list.txt 2> list.err; echo $?; rm -r params
gpuscale: params/broken.lua: returns a number; a system file ends with `return gs.system {`
ct-bus,4,bus,raw,16000000000,"K40m GPUs on one bus without overheads, as in a published model"
gpuscale: list: 1 of the systems cannot be read
3

# ---- validate
$ printf '%s\n' '# runs of nothing real' \
    'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    'jacobi,infinite,n=512;word=4,1,0.004,0' \
    'jacobi,infinite,n=512;word=4,4,0.00105,1e-6' \
    'jacobi,memcpy,n=512;word=4,1,0.0041,0' \
    'jacobi,memcpy,n=512;word=4,4,0.0014,1e-6' \
    'jacobi,proact-poll,n=512;word=4;proact-poll.chunk=65536;proact-poll.width=512,4,0.0012,1e-6' \
    'jacobi,proact-poll,word=4;n=512;proact-poll.chunk=4096;proact-poll.width=512,4,0.0013,1e-6' \
    > runs.csv
$ gpuscale validate runs.csv --system ct-bus > said; echo $?; sed -n '/^jacobi/,/^$/p' said
0
jacobi n=512;word=4
paradigm     knobs                  GPUs  measured  predicted   +/-  error
infinite                               1      4 ms       4 ms    0%     0%
infinite                               4   1.05 ms       1 ms    0%  -4.8%
memcpy                                 1    4.1 ms       4 ms    0%  -2.4%
memcpy                                 4    1.4 ms   1.393 ms    0%  -0.5%
proact-poll  chunk=65536;width=512     4    1.2 ms     1.2 ms  1.2%     0%
proact-poll  chunk=4096;width=512      4    1.3 ms     1.2 ms  1.2%  -7.7%
$ gpuscale validate runs.csv --system ct-bus --max-error 0.2 -o /dev/null; \
  echo $?
0
$ gpuscale validate runs.csv --system ct-bus --max-error 0.01 -o /dev/null; \
  echo $?
gpuscale: mean |error| 3.2% exceeds 1.0%
1
$ gpuscale validate runs.csv --system ct-bus --format csv | sed -n 1,3p
workload,paradigm,knobs,gpus,measured_s,sigma_s,predicted_s,predicted_err_s,error,bound,role,applicability,parameters_err_s,compute_error,transfer_error,compute_s,host_s,transfer_s,initiation_s,tracking_s,tail_s,latency_s,amdahl_s,usl_s,messages_s,scaled_s,file,line,infinite_s,extra_p_s,given_s,weighted_s,weights,weighted_err
jacobi,infinite,n=512;word=4,1,0.0040000000000000001,0,0.0040000000000000001,0,0,compute,input,inside,0,0,0,0.0040000000000000001,0,0,0,0,0,0,,,,,runs.csv,3,0.0040000000000000001,,,,,
jacobi,infinite,n=512;word=4,4,0.0010499999999999999,9.9999999999999995e-07,0.001,0,-0.047619047619047561,compute,scored,inside,0,-0.04761904761904754,0,0.001,0,0,0,0,0,0,,,,,runs.csv,4,0.001,,,,,
$ gpuscale validate runs.csv --system ct-bus --no-single --format csv | \
    cut -d, -f 2,4,11 | sed -n 2,3p
infinite,1,single
infinite,4,scored
$ gpuscale validate none.csv --system ct-bus; echo $?
gpuscale: none.csv: cannot open: No such file or directory
5
$ sed 's/time_s/time_ms/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system ct-bus; echo $?
gpuscale: bad.csv: no column 'time_s'
3
$ sed 's/,memcpy/,memcopy/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system ct-bus; echo $?
gpuscale: bad.csv:5: no paradigm 'memcopy'; did you mean 'memcpy'?
3
$ sed 's/0.0014/nan/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system ct-bus; echo $?
gpuscale: bad.csv:6:5: time_s: not a finite decimal number: 'nan'
3
$ sed 's/n=512/m=512/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system ct-bus; echo $?
gpuscale: bad.csv:3: -P m: nothing here has a knob of that name
3
$ sed 's/n=512;word=4,4/n=512;,4/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system ct-bus > said; echo $?; sed -n '/^jacobi n=512$/,/^$/p' said
0
jacobi n=512
paradigm  GPUs  measured  predicted   error  bound by  role
infinite     4   1.05 ms   932.1 us  -11.2%  compute   scored
memcpy       4    1.4 ms   1.325 ms   -5.3%  compute   scored
$ sed 's/,4,/,4.5,/' runs.csv > bad.csv; \
  gpuscale validate bad.csv --system ct-bus; echo $?
gpuscale: bad.csv:4: gpus: not a number of GPUs
3

# Numbers fitted to run times do not validate anything.
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.workload { name = "tuned", summary = "s",' \
    '  step = function () return { gs.phase { name = "p",' \
    '    flop = gs.fitted(1e9, "to its runs") } } end }' > tuned.lua; \
  printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' \
    'tuned,infinite,,2,1,0' > tuned.csv; \
  gpuscale validate tuned.csv --system ct-bus --no-single; echo $?
gpuscale: tuned.csv:2: tuned: numbers fitted to run times cannot be validated with run times
3

# ---- plot
$ gpuscale plot scaling jacobi --system ct-bus --runs runs.csv -o s.svg; \
  echo $?; tail -n 1 s.svg; grep -c '<title>jacobi on ct-bus' s.svg
gpuscale: note: the most informative next run is by memcpy-async on 3 GPUs: the error of memcpy-async on 4 GPUs would be 0.3% instead of 1.5%
0
</svg>
1
$ gpuscale plot goodput --link pcie3 | tail -n 1
</svg>
$ gpuscale plot scaling jacobi --system ct-bus -P n=64 --runs runs.csv; echo $?
gpuscale: note: no run of jacobi with these knobs; those with others are given
gpuscale: note: the most informative next run is by memcpy-async on 3 GPUs: the error of memcpy-async on 4 GPUs would be 4.5% instead of 21.5%
gpuscale: runs.csv: no runs of jacobi with these knobs
3
$ gpuscale plot goodput -o g.png; echo $?
gpuscale: plot: writes SVG; 'g.png' does not end in .svg
2
$ PATH=$B GPUSCALE_PATH=$SRC gpuscale plot goodput -o g.svg; echo $?; ls g.svg
gpuscale: plot: needs the program gnuplot
3
ls: cannot access 'g.svg': No such file or directory

# Other programs read the figures: with points and without.
$ read_svg() { gpuscale plot "$@" -o r.svg 2> err || cat err; \
    grep -c -e 'scale(0' -e 'NaN' r.svg; \
    ! command -v rsvg-convert > found || rsvg-convert r.svg > r.png; }; \
  read_svg scaling jacobi --system ct-bus; \
  read_svg scaling jacobi --system ct-bus --runs runs.csv; \
  read_svg comparison jacobi --system ct-bus --link pcie3; \
  read_svg tune als --system v100x4 -p memcpy,proact-poll; \
  read_svg goodput; read_svg printed 3.6; \
  read_svg fit $SRC/data/h200x8/micro/dma.csv --base h200x8 --fit copy.initiation
0
0
0
0
0
0
0

# ---- reading and writing
$ gpuscale list links -o .; echo $?
gpuscale: .: is a directory
5
$ gpuscale list links -o none/links.csv; echo $?
gpuscale: none/links.csv: No such file or directory
5
$ gpuscale list links -o /dev/full; echo $?
gpuscale: /dev/full: No space left on device
5
$ gpuscale list links > /dev/full; echo $?
gpuscale: standard output: No space left on device
5
$ gpuscale --help > /dev/full; echo $?
gpuscale: standard output: No space left on device
5
$ gpuscale list links >&-; echo $?
gpuscale: standard output: Bad file descriptor
5
$ { sleep 0.2; gpuscale list links; echo $? >&2; } | true
5
$ gpuscale predict . --system ct-bus; echo $?
gpuscale: no workload '.'; see `gpuscale list workloads`
3
$ gpuscale predict ./ --system ct-bus; echo $?
gpuscale: ./: Is a directory
5
$ gpuscale predict jacobi --system none.lua; echo $?
gpuscale: none.lua: No such file or directory
5
$ gpuscale validate . --system ct-bus; echo $?
gpuscale: .: cannot read: Is a directory
5

# A file appears whole or stays as it was, and nothing is left beside it.
$ echo old > keep.csv; gpuscale predict jacobi --system none -o keep.csv; \
  cat keep.csv; gpuscale goodput --link raw --sizes 4 -f csv -o keep.csv; \
  cat keep.csv; ls keep.csv*
gpuscale: no system 'none'; see `gpuscale list systems`
old
\# made by: gpuscale 0.2.0
\# command: gpuscale goodput --link raw --sizes 4 -f csv -o keep.csv
link,access,size_B,wire_B,goodput,rate_Bps
raw,store,4,4,1,
raw,copy,4,4,1,
keep.csv

# A link stays a link.
$ ln -s keep.csv link.csv; gpuscale list links -f csv -o link.csv; \
  [ -L link.csv ] && grep -v '^#' keep.csv | head -n 1
name,format,rate_Bps,goodput_store_4B,goodput_store_128B,goodput_copy

# A limit of descriptions.

# A link to nothing is written through, as `>` does; one that leads in a circle,
# or into no directory, is refused and stays.
$ ln -s made.csv dangling.csv; gpuscale list links -f csv -o dangling.csv && \
    gpuscale list links -f csv > asked.csv && grep -v '^#' made.csv | \
    cmp - asked.csv && readlink dangling.csv
made.csv
$ ln -s circle.csv circle.csv; gpuscale list links -o circle.csv; echo $?; \
    readlink circle.csv
gpuscale: circle.csv: Too many levels of symbolic links
5
circle.csv
$ mkdir sub; ln -s none/made.csv sub/lost.csv; \
    gpuscale list links -o sub/lost.csv; echo $?; ls sub
gpuscale: sub/lost.csv: No such file or directory
5
lost.csv

# What is long waits in a temporary file; nothing is different, nothing is left.
$ echo 'for i = 1, 2100 do print(string.rep("x", 999)) end' > long.lua; \
    gpuscale run long.lua -o long.txt; gpuscale run long.lua | cmp - long.txt; \
    TMPDIR=none gpuscale run long.lua | cmp - long.txt; wc -c < long.txt
2100000
$ mkdir full; (ulimit -f 1; gpuscale run long.lua -o full/long.txt; echo $?); \
    ls full
gpuscale: full/long.txt: File too large
5
$ (ulimit -f 1; TMPDIR=full gpuscale run long.lua | wc -c); ls full
gpuscale: standard output: File too large
0
$ echo 'while true do end' > forever.lua; \
  gpuscale predict forever.lua --system ct-bus; echo $?
gpuscale: forever.lua:1: ran more than 10000000 instructions
6

# Only some of the runs: by knob, and the best knob setting of a paradigm.
$ gpuscale validate runs.csv --system ct-bus --where n=512 --best --format csv | \
    cut -d, -f 2-4
paradigm,knobs,gpus
infinite,n=512;word=4,1
infinite,n=512;word=4,4
memcpy,n=512;word=4,1
memcpy,n=512;word=4,4
proact-poll,n=512;word=4;proact-poll.chunk=65536;proact-poll.width=512,4
$ gpuscale validate runs.csv --system ct-bus --where n=64; echo $?
gpuscale: runs.csv: no run with the knobs of --where; the first has n=512;word=4
3
$ gpuscale validate runs.csv --system ct-bus --where m=512; echo $?
gpuscale: runs.csv: no run with the knobs of --where; the first has n=512;word=4
3
$ for w in n n= =5 "n=1 --where n=2"; do \
    gpuscale validate runs.csv --system ct-bus --where $w; echo $?; done
gpuscale: --where n: needs the form name=value
2
gpuscale: --where n=: needs the form name=value
2
gpuscale: --where =5: needs the form name=value
2
gpuscale: --where n: given twice
2

# Values are compared, not their spelling.
$ sed 's/n=512/n=512.0/' runs.csv > dots.csv; for w in n=512 n=5.12e2 n=513; do \
    gpuscale validate dots.csv --system ct-bus --where $w --format csv 2>&1 | \
    wc -l; done
7
7
1

# -P sets knobs that the runs do not say; what they say is data.
$ gpuscale validate runs.csv --system ct-bus -P n=512; echo $?
gpuscale: -P n: the runs say it; `--where n=512` chooses runs
2
$ gpuscale validate runs.csv --system ct-bus -P m=1; echo $?
gpuscale: -P m: nothing here has a knob of that name
2
$ sed 's/;word=4//' runs.csv > bare.csv; \
  predicted() { gpuscale validate "$@" --system ct-bus --no-single -f csv | \
    cut -d, -f 7; }; \
  predicted runs.csv > 4; predicted bare.csv -P word=4 | cmp - 4; \
  predicted bare.csv -P word=8 | cmp -s - 4; echo $?
1

# A number of the system, set for one call.
$ gpuscale validate runs.csv --system ct-bus -P link.rate=8GB/s --format csv \
    --where n=512 --best | grep memcpy,.*,4, | cut -d, -f 7
0.0017864320000000001

# ---- every mechanism that can bind has words

$ gpuscale predict diffusion --system h200x8 --gpus 2 -P nx=2048 -P ny=2048 \
    -P nz=1 --paradigm um -P um.thrash_window=1us | tail -1
  lost to communication 92%, host 2%, start-up 1%; gained 2%

# ---- pages that are prefetched: whole ones, there and back

$ for p in um um-hints; do \
  gpuscale predict jacobi --system h200x2 --gpus 2 -p $p -P n=520 \
    -P sweep.load.prefetch=yes -P um.peer_start=30us -P um.peer_rate=100GB/s \
    --format csv | sed 1d | awk -F, '{ page = 65536; face = 520 * 520 * 4; \
      pages = int((face + page - 1) / page) * page; \
      print ((($14 - 2 * pages / 100e9) / $14) ^ 2 < 1e-9), \
            ((($15 - 60e-6) / 60e-6) ^ 2 < 1e-9), \
            ($19 > 4 * pages), ($20 == 2 * face), ($22 == 2 * pages) }'; done
1 1 1 1 1
1 1 1 1 1

# ---- a step in which all subscribe, unless the program unsubscribes by hand

$ for hand in 0 1; do gpuscale predict jacobi --system v100-sim4 --gpus 4 -p gps \
    --proposed -P gps.manual=$hand -f csv | sed 1d | cut -d, -f 6,8; done | \
  awk -F, '{ t[NR] = $1; s[NR] = $2 } END { print (t[1] == t[2]), (s[1] > 0), s[2] }'
1 1 0
$ for p in gps broadcast; do gpuscale predict hit --system v100-sim4 --gpus 4 -p $p \
    --proposed -P link.rate=10MB/s -f csv | sed 1d | cut -d, -f 6,8; done | \
  awk -F, '{ t[NR] = $1; s[NR] = $2 } \
    END { print ((t[1] + s[1]) / t[2] > 0.999), ((t[1] + s[1]) / t[2] < 1.001) }'
1 1

# ---- what is done once

$ gpuscale predict diffusion --system h200x8 --gpus 2 -P nx=2048 -P ny=2048 \
    -P nz=1 --paradigm um-hints --format csv | sed 1d | cut -d, -f 8 > once; \
  gpuscale predict diffusion --system h200x8 --gpus 2 -P nx=2048 -P ny=2048 \
    -P nz=1 --paradigm um-hints --format csv --steps 1000000000 | sed 1d > many; \
  gpuscale predict diffusion --system h200x8 --gpus 2 -P nx=2048 -P ny=2048 \
    -P nz=1 --paradigm um-hints --format csv --steps 1 | sed 1d > one; \
  awk -F, '{ v[FILENAME] = FILENAME == "once" ? $1 : $9; t = $6 } \
    END { print (v["once"] > 5e-4), \
          (v["many"] / v["one"] - (1 + v["once"] / t)) ^ 2 < 1e-9 }' once many one
1 1

# A description is listed from a path of as many characters as there is room for, 511.
$ top=$PWD/deep; n=$((511 - ${#top} - 18)); d=$top; \
  while [ $n -gt 101 ]; do d=$d/$(printf '%0100d' 0); n=$((n - 101)); done; d=$d/$(printf "%0$((n - 1))d" 0); mkdir -p "$d/params"; \
  sed 's/"h200x8"/"atlong"/' $SRC/params/h200x8.lua > "$d/params/atlong.lua"; file=$d/params/atlong.lua; echo ${#file}; \
  GPUSCALE_PATH=$d:$SRC gpuscale list systems -f csv | grep -c '^atlong,'
511
1
