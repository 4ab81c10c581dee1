# host: the benchmarks that need no GPU, for real, and a system out of them.
# No time is compared with anything: any machine may do this, however busy.

# ---- measuring and calibrating
# The parameters in `expected` come from rows that every machine can measure.
# Scatter may be so wild that a fit has no finite error, and then says so, or that
# nothing is left for the cheapest call; as the last of three attempts that is an
# answer too.
$ printf '%s\n' device.start host.launch host.copy host.event \
    copy.efficiency store.rate > expected
$ printf '%s\n' \
    'NR == FNR { expected[$1]; next }' \
    'FNR == 1 { next }' \
    '$2 != "" && !($2 + 0 >= 0 && $2 + 0 < 1e30 && $3 + 0 >= 0 && $3 + 0 < 1e30 &&' \
    '  $2 $3 ~ /^[-+.e0-9]*$/) { print "odd: " $0 }' \
    '$2 == "" && $NF == "the data cannot tell" && last { delete expected[$1] }' \
    '$2 != "" && $2 + 0 == 0 && last { delete expected[$1] }' \
    '$2 + 0 > 0 { delete expected[$1]; fitted++ }' \
    'END { for (p in expected) print "not fitted: " p' \
    '  if (!fitted) print "nothing was fitted" }' > check.awk
$ for try in 1 2 3; do \
    "$SRC/scripts/bench-host" . quick 2> err || cat err; \
    gpuscale calibrate host.csv --base cpu -o mine.lua --format csv \
      > report.csv 2> notes || cat notes; \
    awk -F, -v last=$((try / 3)) -f check.awk expected report.csv > wrong; \
    [ -s wrong ] || break; \
  done; cat wrong
$ ls host.csv mine.lua
host.csv
mine.lua

# ---- the data
$ sed -n -e 1p -e 7p host.csv
\# gpuscale data 1
bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,sigma_s,repeats
$ sed -n 2,6p host.csv | cut -d : -f 1
\# machine
\# date
\# made-by
\# system
\# method
$ sed 1,7d host.csv | awk -F, 'NF != 12 || !($10 > 0) || !($11 >= 0) ||\
    !($7 >= 1) || !($12 >= 5)'
$ sed 1,7d host.csv | cut -d, -f 1 | sort -u > benches; \
  for b in issue_launch issue_copy issue_event launch_sync barrier \
    launch_sync_barrier null_kernel kernel_gap membw membw_sync dma \
    store_dense store_scatter track_off track_on agent_chunk; do \
    grep -qx $b benches || echo "no $b"; \
  done

# ---- the system
$ grep 'name = "mine"' mine.lua
  name = "mine",
$ grep -c 'measured(.*"host.csv")' mine.lua | awk '{ print ($1 >= 1) }'
1
$ gpuscale predict allgather --system ./mine.lua --gpus 1,2 --paradigm memcpy \
    --format csv > two.csv; echo $?; wc -l < two.csv
0
3
$ awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_s") t = i; next }\
    !($t > 0 && $t < 1e30)' two.csv
# Again, and nothing differs.
$ mkdir again; gpuscale calibrate host.csv --base cpu -o again/mine.lua \
    --format csv 2> /dev/null | cmp - report.csv; cmp mine.lua again/mine.lua

# ---- the base alone
$ gpuscale predict allgather --system cpu --gpus 1,2,4 --paradigm memcpy \
    --format csv | wc -l
4

# ---- one core: what needs two at once is left out
$ "$B/params/bench/host" --quick --cpus 1 > one.csv
host: one core: what needs several threads at once is skipped: dma_after_kernel, flag_pingpong, agent_latency, ring, and the host benches of more than one thread
$ grep -cE '^(dma_after_kernel|flag_pingpong|agent_latency|ring),' one.csv
0
$ grep -vE '^[^,]*,[^,]*,[^,]*,[12],[a-z]*,[0-9]*,[0-9]*,1,' one.csv
$ "$B/params/bench/host" --slow; echo $?
usage: host [--quick] [--cpus N]
2
$ "$SRC/scripts/bench-host" . slow; echo $?
usage: scripts/bench-host OUTDIR [quick]
2

# ---- files that something happened to
# Line and column (of the field) are said, the status is 3, nothing is written.
$ printf '%s\n' 'gpuscale calibrate "$1" --base cpu -o bad.lua; echo $?' \
    '[ ! -e bad.lua ] || echo "bad.lua was written"' > refused.sh
$ { sed -n 1,8p host.csv; printf 'dma,0,1,2,copy,4,64'; } > cut.csv; \
  sh refused.sh cut.csv
gpuscale: cut.csv:9:7: a line without its end; is the file cut off?
3
$ { sed -n 1,8p host.csv; echo 'dma,0,1,2,copy,4,64'; } > short.csv; \
  sh refused.sh short.csv
gpuscale: short.csv:9:8: threads: missing, the row ends before it
3
$ { printf '\357\273\277'; sed 1,6d host.csv; } > bom.csv; sh refused.sh bom.csv
gpuscale: bom.csv:1:1: a byte-order mark
3
$ awk '{ printf "%s\r\n", $0 }' host.csv > crlf.csv; sh refused.sh crlf.csv
gpuscale: crlf.csv:1:1: a carriage return; lines end with LF alone
3
$ sed 1,6d host.csv | awk '{ printf NR == 3 ? "%s\r\n" : "%s\n", $0 }' \
    > one-crlf.csv; sh refused.sh one-crlf.csv
gpuscale: one-crlf.csv:3:12: a carriage return; lines end with LF alone
3
$ { sed -n 1,8p host.csv; printf 'dma,0,1,2,copy,4,64,1,1,2\0e-6,0,5\n'; } \
    > nul.csv; sh refused.sh nul.csv
gpuscale: nul.csv:9:10: time_s: a NUL byte
3
$ awk -F, -v OFS=, 'NR == 9 { $10 = "nan" } 1' host.csv > nan.csv; \
  sh refused.sh nan.csv
gpuscale: nan.csv:9:10: time_s: not a finite decimal number: 'nan'
3
$ awk -F, -v OFS=, 'NR == 9 { $11 = "inf" } 1' host.csv > inf.csv; \
  sh refused.sh inf.csv
gpuscale: inf.csv:9:11: sigma_s: not a finite decimal number: 'inf'
3
$ awk -F, -v OFS=, 'NR == 9 { $10 = "0,5"; $12 = 7 } 1' host.csv > comma.csv; \
  sh refused.sh comma.csv
gpuscale: comma.csv:9:13: more fields than column names: '7'
3
$ awk -F, -v OFS=, 'NR == 9 { $10 = "\"0,5\"" } 1' host.csv > quoted.csv; \
  sh refused.sh quoted.csv
gpuscale: quoted.csv:9:10: time_s: not a finite decimal number: '0,5'
3
# Beside a good file too.
$ gpuscale calibrate host.csv nan.csv --base cpu -o bad.lua; echo $?; ls bad.lua
gpuscale: nan.csv:9:10: time_s: not a finite decimal number: 'nan'
3
ls: cannot access 'bad.lua': No such file or directory
