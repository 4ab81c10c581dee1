# monotone: more bytes to publish never take less time.
#once

$ falls() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } \
    { p = $at["paradigm"]; t = $at["time_s"]; if (p in was && t < was[p] * (1 - 1e-9)) n[p]++; \
      was[p] = t } END { for (p in was) print p, n[p] + 0 }' | sort; }; \
  gpuscale sweep cg -s h100-pcie -g 4 -p gps,um,inline --proposed -f csv \
    --over turn.publish.bytes=1B,2B,8B,64B,128B,1kB,8kB,40kB,50kB,64kB | falls; \
  gpuscale sweep allgather -s dgx-h100-ndr -g 8 -p um,rdl,inline,memcpy -f csv \
    --over bytes=5kB..700kB,101 | falls; \
  gpuscale sweep template -s dgx1 -g 7 -p memcpy -f csv --over publish=1MB..20MB,39 | falls; \
  gpuscale sweep counted -s h100-pcie -g 4 -p memcpy-async -P memcpy-async.chunk=4KiB -f csv \
    --over published.publish.bytes=4kB..60kB,57 | falls; \
  gpuscale sweep sssp -s a100-pcie -g 4 -p memcpy-async -P memcpy-async.chunk=4KiB -f csv \
    --over relax.publish.bytes=16600B..21000B,40 | falls; \
  gpuscale sweep cg -s a100-pcie -g 2 -p gps --proposed -f csv --over turn.publish.bytes=8kB..70kB,32 | falls; \
  gpuscale sweep counted -s h200x8 -g 8 -p gps --proposed -f csv --over published.publish.bytes=500kB..1MB,21 | falls; \
  gpuscale sweep hit -s perlmutter -g 8 -p inline -f csv --over to_planes.publish.bytes=6MB..9MB,61 | falls; \
  gpuscale sweep cg -s l40s-pcie -g 8 -p broadcast -f csv --over turn.publish.bytes=1kB..12kB,111 | falls
gps 0
inline 0
um 0
inline 0
memcpy 0
rdl 0
um 0
memcpy 0
memcpy-async 0
memcpy-async 0
gps 0
gps 0
inline 0
broadcast 0
