# host: the benchmarks that need no GPU, for real, and a system out of what they would say of
# a machine whose numbers are known.  No time is looked at: any machine may do this, however busy.
#once

# ---- measuring
$ "$SRC/scripts/bench-host" . quick 2> err || cat err; ls host.csv
host.csv
# calibrate reads each row, whatever the times.
$ gpuscale calibrate host.csv --base cpu -o real.lua 2>&1 | grep 'gpuscale: host.csv:[0-9]'

# ---- calibrating
# The times that laws give in place of those measured: so long each item, and 10 GB/s of its
# bytes.  What comes back: a call, a copy's, an event (us), the wait less its launch and kernel,
# half of a flag's way there and back, the start of a kernel in a row and of a copy, what
# counting a block adds, and the share of the link, 100 GB/s.
$ printf '%s\n' 'BEGIN { FS = OFS = ","; us["issue_launch"] = 2; us["issue_copy"] = 3' \
    '  us["issue_event"] = us["kernel_gap"] = us["membw"] = 1; us["dma"] = 1.5; us["barrier"] = 4' \
    '  us["launch_sync"] = 9; us["launch_sync_barrier"] = 13; us["null_kernel"] = 5' \
    '  us["membw_sync"] = 8; us["dma_after_kernel"] = 6; us["flag_pingpong"] = 2' \
    '  us["agent_latency"] = 3; us["track_on"] = 0.1; us["agent_chunk"] = 0.2 }' \
    '/^#/ || $1 == "bench" { print; next }' \
    '{ $10 = $7 * (1e-6 * us[$1] + ($5 == "host" && $1 !~ /^membw/ ? 0 : $6 / 1e10))' \
    '  $11 = 0.01 * $10; $12 = 21; print }' > laws.awk; awk -f laws.awk host.csv > told.csv
$ gpuscale calibrate told.csv --base cpu -o mine.lua --format csv > report.csv 2> notes; echo $?; \
    awk -F, '$1 ~ /^(host\.(launch|copy|event|sync|barrier)|device\.start|copy\.initiation|store\.latency|agent\.track)$/ \
        { printf "%s %.3g us\n", $1, 1e6 * $2 } \
      $1 ~ /^(copy|store)\.efficiency$/ { printf "%s %.3g\n", $1, $2 }' report.csv
0
device.start 1 us
host.launch 2 us
host.copy 3 us
host.event 1 us
host.sync 5 us
host.barrier 4 us
copy.efficiency 0.1
copy.initiation 1.5 us
store.efficiency 0.1
store.latency 1 us
agent.track 0.1 us

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
$ grep -c 'measured(.*"told.csv")' mine.lua | awk '{ print ($1 >= 1) }'
1
$ gpuscale predict allgather --system ./mine.lua --gpus 1,2 --paradigm memcpy \
    --format csv > two.csv; echo $?; wc -l < two.csv
0
3
$ awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_s") t = i; next }\
    !($t > 0 && $t < 1e30)' two.csv
# Again, and nothing differs.
$ mkdir again; gpuscale calibrate told.csv --base cpu -o again/mine.lua \
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
# A byte-order mark, which editors leave, changes nothing.
$ mkdir bom; { printf '\357\273\277'; cat told.csv; } > bom/told.csv; \
  gpuscale calibrate bom/told.csv --base cpu -o bom/mine.lua --format csv 2> /dev/null | cmp - report.csv
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
