# The table of fields, and what is made of it.

# The tables of lua/README.md are what the program says.
$ B="$B" "$SRC/scripts/tables" --check

# Basic fields come first, and there are about ten.
$ gpuscale list fields --format csv | grep ',phase,' | \
    grep -oE ',(basic|advanced),' | uniq -c | awk '{ print $1, $2 }'
8 ,basic,
34 ,advanced,
$ gpuscale list fields --format csv | grep -E '^(name,of|publish.bytes,|t1,|host.launch,)'
name,of,short,kind,unit,default,domain,level,meaning
publish.bytes,phase,publish,number,B,0,>= 0,basic,"bytes that others need; to neighbours: to each; else by all GPUs together, each once"
t1,step,,number,s,0,>= 0,basic,measured time of one step on one GPU; 0: from the roofline
host.launch,system,,number,s,needed,>= 0,basic,host time to issue a kernel

# A setting reaches any of them: 6 faces of 1 MB.
$ gpuscale predict jacobi --system ct-bus --gpus 4 --paradigm memcpy \
    -P sweep.publish.bytes=1MB --format csv | sed 1d | cut -d, -f 19
6000000
$ gpuscale predict jacobi --system ct-bus --gpus 4 --paradigm memcpy \
    -P sweep.to=all -P sweep.publish=1MB -P sweep.host.kernels=2 \
    --format csv | sed 1d | cut -d, -f 19
3000000
$ gpuscale predict jacobi --system ct-bus -P sweep.publish.byte=1MB; echo $?
gpuscale: -P sweep.publish.byte: nothing here has a knob of that name
2
