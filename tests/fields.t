# The table of fields, and what is made of it.
#once

# The tables of docs/reference are what the program says, each on one page.
# Where this fails: scripts/tables writes them.
$ B="$B" "$SRC/scripts/tables" --check

# Basic fields come first, and there are about ten.
$ gpuscale list fields --format csv | grep ',phase,' | \
    grep -oE ',(basic|advanced),' | uniq -c | awk '{ print $1, $2 }'
9 ,basic,
22 ,advanced,
$ gpuscale list fields --format csv | grep -E '^(name,of|publish.bytes,|t1,|host.launch,)'
name,of,short,kind,unit,default,domain,level,meaning
publish.bytes,phase,publish,number,B,0,>= 0,basic,"bytes that other GPUs need; `neighbours`: size of a cut through the whole problem, in a line what each neighbour gets; else: sum over GPUs, each byte once"
t1,step,,number,s,0,>= 0,basic,measured time of one step on one GPU; 0: from the roofline
host.launch,system,,number,s,needed,>= 0,basic,host time to issue a kernel

# The order in which GPUs turn to one another: nothing for two, much for four, and on a
# bus nothing.
$ for s in h200x4 ct-bus; do for o in rotated same; do \
  gpuscale predict jacobi --system $s -P n=64 -P sweep.to=all \
    -P sweep.publish=1GB -P sweep.publish.order=$o --gpus 2,4 --paradigm memcpy \
    --format csv | sed 1d | cut -d, -f 14; done; done | \
  awk '{ t[NR] = $1 } END { for (i = 1; i < 8; i += 4) \
    printf "%.1f %.1f\n", t[i + 2] / t[i], t[i + 3] / t[i + 1] }'
1.0 1.9
1.0 1.0

# A setting reaches any of them: 6 faces of 1 MB.
$ gpuscale predict jacobi --system ct-bus --gpus 4 --paradigm memcpy \
    -P sweep.publish.bytes=1MB --format csv | sed 1d | cut -d, -f 19
6000000
$ gpuscale predict jacobi --system ct-bus --gpus 4 --paradigm memcpy \
    -P sweep.to=all -P sweep.publish=1MB -P sweep.host.kernels=2 \
    --format csv | sed 1d | cut -d, -f 19
3000000
$ gpuscale predict jacobi --system ct-bus -P sweep.publish.byte=1MB; echo $?
gpuscale: -P sweep.publish.byte: nothing here has a knob of that name; jacobi has bands, barriers, dims, fetch, n, norm, threads, waits, word
2
