# tune: the sweep holds the best that `predict` finds, and marks what a transfer
# costs most by.
#once

# ---- the profiler's answer
$ gpuscale tune proact-micro --system ct-bus -P t1=1ms -P bytes=16MiB -p memcpy,proact-poll \
    -P proact-poll.width=256 -P agent.gap=1us -P agent.thread_rate=1GB/s
On 4 GPUs of ct-bus one step of proact-micro takes 3.146 ms by proact-poll, 0.32
  times as fast as one GPU, an efficiency of 8%. Of 16 settings the best is
  proact-poll, chunks of 8 KiB, 256 threads, 1.32x over memcpy, with 100%.
  Predict with it by -P proact-poll.chunk=8KiB -P proact-poll.width=256.

paradigm       chunk  threads      time  speedup      over  regime      best of
                                                    memcpy
memcpy             -        -  4.146 ms     0.24      1.00  bandwidth   paradigm
proact-poll    4 KiB      256  4.162 ms     0.24      1.00  initiation
proact-poll    8 KiB      256  3.146 ms     0.32      1.32  bandwidth   all
proact-poll   16 KiB      256  3.147 ms     0.32      1.32  bandwidth
proact-poll   32 KiB      256  3.148 ms     0.32      1.32  bandwidth
proact-poll   64 KiB      256   3.15 ms     0.32      1.32  bandwidth
proact-poll  128 KiB      256  3.154 ms     0.32      1.31  bandwidth
proact-poll  256 KiB      256  3.161 ms     0.32      1.31  bandwidth
proact-poll  512 KiB      256  3.177 ms     0.31      1.30  bandwidth
proact-poll    1 MiB      256  3.208 ms     0.31      1.29  bandwidth
proact-poll    2 MiB      256  3.271 ms     0.31      1.27  bandwidth
proact-poll    4 MiB      256  3.396 ms     0.29      1.22  bandwidth
proact-poll    8 MiB      256  3.646 ms     0.27      1.14  bandwidth
proact-poll   16 MiB      256  4.147 ms     0.24      1.00  bandwidth
proact-poll   32 MiB      256  4.147 ms     0.24      1.00  bandwidth
proact-poll   64 MiB      256  4.147 ms     0.24      1.00  bandwidth

# ---- the same as the best of predict, which tries the same grid
$ gpuscale tune als --system v100x4 -p proact-poll -f csv | grep ',all,' | \
    cut -d, -f 4-7 > tuned; gpuscale predict als --system v100x4 --gpus 4 \
    -p proact-poll -f csv | sed 1d | cut -d, -f 3,4,6 > predicted; cut -d, -f 1-3 tuned; cut -d, -f 1,2 predicted; \
  sed 's/.*,//' tuned predicted | uniq | wc -l
proact-poll,65536,1024
proact-poll,chunk=65536;width=1024
1
$ gpuscale tune als --system v100x4 -f csv | cut -d, -f 4 | sort | uniq -c
      1 broadcast
      1 inline
      1 memcpy
     15 memcpy-async
      1 nccl
      1 paradigm
    135 proact-cdp
    135 proact-poll
      1 rdl
      1 um
      1 um-hints

# ---- what is held is not swept; what does not move has no knobs
$ gpuscale tune als --system v100x4 -p proact-poll -P proact-poll.chunk=128KiB \
    -P proact-poll.width=256 -f csv | wc -l
2
$ gpuscale tune als --system v100x4 --gpus 1 -p proact-poll -f csv | sed 1d | \
    cut -d, -f 5,6 | sort -u
,

# ---- the figure
$ gpuscale plot tune als --system v100x4 -o tune.svg; grep -c '<title>als on 4 GPUs of v100x4</title>' tune.svg
1

# ---- refused
$ gpuscale tune als --system v100x4 --gpus 2,4; echo $?
gpuscale: tune: --gpus: one number, not '2,4'
2
$ gpuscale tune als --system v100x4 -p infinite; echo $?
gpuscale: tune: zero-cost communication (infinite) is a bound; name a paradigm
3
$ gpuscale tune als --system ct-bus -p um; echo $?
gpuscale: um: phase 1 needs managed memory; can.managed of the system is false
3

# ---- what it says to predict with gives the time that it says
$ gpuscale tune als --system h200x8 --gpus 4 -f json | sed -n 's/^ *"text": "\(.*\)",*$/\1/p' > said; \
  q=$(grep -o -e '-P [^ ]*[^. ]' said | paste -sd ' '); echo $q; \
  gpuscale predict als --system h200x8 --gpus 4 -p proact-poll $q -f json | grep -c "$(grep -o 'takes [0-9.]* ms' said)"
-P proact-poll.chunk=256KiB -P proact-poll.width=4096
1
