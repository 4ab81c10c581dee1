# reproduce: the summary that is committed, and how single rows are shown.

$ $SRC/scripts/traces traces && gpuscale reproduce --traces traces | \
    sed -n "/^class/,\$p"
gpuscale: note: ct-bus has 4 GPUs; 5 to 40 are extrapolated
gpuscale: note: v100-sim4 has 4 GPUs; 16 is extrapolated
class           rows   met
structural        19    19
computed          22    22
predicted         85    72
fitted            33    33
conflict          37
not-computable     2
input            143
context           15

met, of computed, predicted and fitted: 127 of 140, 91% (at least 90%): held
of these not fitted: 94 of 127 (at least half): held
constants fitted: 28 (at most a quarter of 127): held

constants fitted, and to what
  k40x4 cdp.gap = 3.0 us: P-053
  k40x4 store.interference = 24 ps/B: P-056
  p100x4 store.interference = 3 ps/B: P-060
  k40x4 agent.track of polling = 1.2 us: P-058
  k40x4 agent.beside of CDP = 1: P-053
  als: share of stores of 4 B = 0.77: P-072
  PROACT suite: compute of the busiest GPU / mean = 1.111: P-092
  PROACT suite: cost of a block's counter = 110 ns: P-115
  PROACT suite: bytes in 100 ms, DGX-2 = 396 MB: P-113
  PROACT suite: bytes in 100 ms, any generation = 310 MB: P-096
  CT: exchanges of the image in an iteration, one per subset = 24: C-009
  CT: share of forward projection in the compute = 0.11: C-033
  CT: time of an iteration on one K40m = 116.8 s: C-008
  CT: compute of the busiest K40m / mean = 1.12: C-026
  CT: rate that its copies get on four K40m = 4.3 GB/s: C-038
  GPS suite: compute of the busiest GPU / mean = 1.2: G-060 G-083
  GPS suite: compute that every GPU repeats = 0.022: G-058 G-093
  GPS suite: bytes in 100 ms = 550 MB: G-062
  GPS suite: store.interference = 5.3 ps/B: G-059 G-094
  SSSP: share of distances that an iteration changes = 0.7: G-089
  v100-sim4 um.fault_rate = 9 GB/s: G-047
  FinePack suite: bytes of a mean store = 40: F-086
  FinePack suite: compute of the busiest GPU / mean = 1.111: F-070
  FinePack suite: stores of a byte = 3.3: F-001 F-006 F-087
  FinePack suite: bytes in 100 ms = 765 MB: F-088
  FinePack suite: bytes of a GPU that are ready together = 57 MB: F-003 F-008
  FinePack suite: share of the pages that a GPU reads = 0.55: F-081
  FinePack suite: chance that a store falls into the open window = 0.983: F-073 F-085

# ---- what is not met
$ gpuscale reproduce --traces traces -f csv | grep ",NO," | cut -d, -f 1 | \
    tr "\n" " "; echo
gpuscale: note: ct-bus has 4 GPUs; 5 to 40 are extrapolated
gpuscale: note: v100-sim4 has 4 GPUs; 16 is extrapolated
P-016 P-055 P-061 P-063 P-070 P-080 P-084 P-099 G-002 G-003 F-004 G-090 G-091 

# ---- one row: the expression, and the constants behind it
$ gpuscale reproduce P-013; echo $?
P-013: goodput of 4-byte stores on PCIe
document    dissertation
place       Sec 2.2.3 / Fig 2.2
system      interconnect
conditions  store size 4 B
printed     eq 14 % (tolerance: round)
class       computed
ours        14.286
met         yes
how         100 * gs.goodput { link = "pcie3", size = 4 }
from        lua/published/proact.lua
note        same isca21 L273; implies H=24.57 B [23.6,25.6]; physical 24 B gives 14.29%
0
$ gpuscale reproduce C-009 | tail -4
gpuscale: note: ct-bus has 4 GPUs; 5 to 40 are extrapolated
how         crossing(pcie3)
from        lua/published/ct.lua
note        copies equal compute at so many GPUs
fitted      CT: exchanges of the image in an iteration, one per subset = 24
$ gpuscale reproduce P-055 | sed -n "s/^met *//p"
gpuscale: reproduce: P-055 is not met
NO
$ gpuscale reproduce G-097; echo $?
G-097: write-queue hit rate
document    micro21
place       Sec 7.4 / Fig 14
system      GPS
conditions  Jacobi (captured in SM coalescer)
printed     eq 0 % (tolerance: round)
class       computed
ours        needs the trace jacobi
how         hits("jacobi")
from        lua/published/gps.lua
note        replayed trace
gpuscale: reproduce: G-097: needs the trace jacobi; scripts/traces DIR, --traces DIR
3
$ gpuscale reproduce F-053 | sed -n "s/^class *//p"
conflict

# ---- refused
$ gpuscale reproduce X-1; echo $?
gpuscale: reproduce: no printed number 'X-1'
3
$ gpuscale reproduce P-001 P-002; echo $?
gpuscale: reproduce: 'P-002' is one argument too many
2
$ mkdir -p lua/published && for f in proact ct gps; do \
    echo "return {}" > lua/published/$f.lua; done; \
    echo "return { [\"P-013\"] = function () return 1 end }" > \
    lua/published/finepack.lua; gpuscale reproduce; echo $?
gpuscale: P-002: is classed computed, but has no recipe
3
$ echo "return { [\"P-009\"] = function () return 1 end }" > \
    lua/published/ct.lua; gpuscale reproduce; echo $?
gpuscale: lua/published/ct.lua: P-009: is classed input, but has a recipe
3
$ echo "gs.fit(1, \"c\", \"P-013\") return {}" > lua/published/ct.lua; \
    gpuscale reproduce; echo $?
gpuscale: lua/published/ct.lua:1: P-013 is classed computed, but a constant is fitted to it
3
$ echo "gs.constant \"c\" return {}" > lua/published/ct.lua; \
    gpuscale reproduce; echo $?
gpuscale: lua/published/ct.lua:1: no constant 'c' was fitted before
3

# ---- figures
$ rm -r lua; gpuscale list figures -f csv | wc -l
42
$ gpuscale reproduce 2.2 -f csv | head -4
figure,series,kind,category,x,y
2.2,PCIe,printed,,4,14
2.2,NVLink,printed,,4,8
2.2,PCIe,ours,,4,14.285714285714285
$ gpuscale reproduce gps.14 --traces traces -f csv | grep "jacobi,ours" | head -1
gps.14,jacobi,ours,,8,0
$ gpuscale reproduce gps.14; echo $?
gpuscale: figure gps.14: needs the trace jacobi; scripts/traces DIR, --traces DIR
3
$ gpuscale reproduce 9.9; echo $?
gpuscale: no figure '9.9'; see `gpuscale list figures`
3
$ gpuscale plot printed 3.6 -o f.svg 2>/dev/null; grep -c "<title>3.6: CT on one bus" f.svg
1

# ---- without traces: what was not computed is not a "no"
$ gpuscale reproduce 2>/dev/null >all.txt; echo $?; sed -n "/^met,/,/^\$/p" all.txt
0
met, of computed, predicted and fitted: 117 of 140, 84% (at least 90%): open
of these not fitted: 84 of 117 (at least half): held
constants fitted: 28 (at most a quarter of 117): held
not computed, for want of traces: 11 of these rows
$ gpuscale reproduce 2>&1 >/dev/null | grep traces
gpuscale: note: 11 rows need traces that are not there: scripts/traces DIR makes them, --traces DIR
$ mkdir -p lua/published; echo "return { [\"P-013\"] = function () return gs.replay { trac = 1 } end }" > \
    lua/published/proact.lua; gpuscale reproduce; echo $?
gpuscale: lua/published/proact.lua:1: gs.replay: unknown key 'trac'
3
