# pages: what GPS pays for pages, translations and its queue.  Four GPUs, three cuts of
# 512^2 points of 4 B: six faces of 8192 lines, each 128 + 24 B on PCIe.
#once

# ---- whole pages go to a neighbour: 2 MiB hold two faces
$ for page in 4KiB 64KiB 2MiB 3MiB; do gpuscale predict jacobi --system v100-sim4 \
    --gpus 4 --paradigm gps --proposed -P gps.page=$page -f csv | sed 1d | \
    cut -d, -f 19,20,23; done
7471104,6291456,0
7471104,6291456,0
14942208,6291456,6291456
22413312,6291456,12582912

# ---- a miss for each 4 KiB: 512 of 1 ms for a GPU with two faces; 64 at once; none
$ at() { gpuscale predict jacobi --system v100-sim4 --gpus 4 --paradigm gps --proposed \
    -P "link.rate=1 TB/s" -P "store.rate=1000 G/s" -P gps.page=4KiB -P gps.entries=2 \
    -P "$1" -P "$2" -f csv | sed 1d | cut -d, -f 6; }; \
  for set in gps.walks=1 gps.walks=64 gps.tlb=512; do \
    echo $(at gps.walk=1ms $set) $(at gps.walk=0us $set); done | \
  awk '{printf "%.0f ms\n", ($1 - $2) * 1e3}'
512 ms
8 ms
0 ms

# ---- what a queue holds leaves when the kernel has ended: all of it, or next to none
$ for n in 2 1e6; do gpuscale predict jacobi --system v100-sim4 --gpus 4 -p gps \
    -P gps.entries=$n -P "gps.walk=0 us" -f csv; done | \
  awk -F, '/gps/ && $17 > 10 * $14 {print "tail"} /gps/ && $17 < $14 {print "beside"}'
beside
tail
