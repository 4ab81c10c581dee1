# Machines that nobody measured, from those that somebody did and a data sheet.
#once

# ---- a file that says where each number comes from, and reads back
$ gpuscale project --from h100x2 --device h200 -o p.lua -f csv > p.csv; \
  grep -E '^(device.memory|device.membw|store.rate|copy.interference|host.launch),' p.csv | cut -d, -f 1,2,6
device.memory,sheet,spec
device.membw,memory,projected
host.launch,host,projected
copy.interference,memory,projected
store.rate,cores,projected
$ awk -F, '$1 == "device.membw" { printf "%.4f\n", $4 / $3 } $1 == "copy.interference" { printf "%.4f\n", $3 / $4 }' p.csv; \
  grep -c 'projected("' p.lua
1.4328
1.4328
40
$ gpuscale explain --all jacobi -s ./p.lua -g 2 -p memcpy | grep 'device.membw  ' | sed 's/ [0-9.]*%.*%//'
device.membw          4.301 TB/s    projected, h100x2,
$ gpuscale predict jacobi -s ./p.lua -g 2 -p memcpy -f csv | grep '^p,' | cut -d, -f 25
extrapolated

# ---- the same in a description, where some of it was measured
$ printf '%s\n' 'local gs = require "gpuscale"' 'return gs.project {' \
    '  name = "q", summary = "a test", from = { "h100x2", "h200x2" }, hosts = "h200x4",' \
    '  gpus = 2, topology = "switch", link = "nvlink5",' \
    '  device = { name = "b200", start = gs.measured("3 us", "10 ns", "somebody") },' \
    '}' > q.lua; gpuscale explain --all jacobi -s ./q.lua -g 1 -p memcpy -f csv | \
    grep -E '^(device.start|device.membw|host.launch),' | cut -d, -f 1
device.membw
host.launch
device.start

# ---- mistakes
$ for q in h100x2 'h100x2 --device b2000' './q.lua --device b200'; do gpuscale project --from $q -o x.lua; echo $?; done
gpuscale: project: needs --device NAME
2
gpuscale: device: no data sheet of 'b2000' in params/devices.csv, nor in a devices.csv beside the description; did you mean 'b200'?
3
gpuscale: from: './q.lua' is itself projected: name systems that stand by themselves
3
$ for c in 's/from = .*hosts/hosts/' 's/"h100x2"/".\/h100x2.lua"/'; do sed "$c" q.lua > bad.lua; gpuscale predict jacobi -s ./bad.lua 2>&1 | \
    grep -e hosts -e from; done
gpuscale: ./bad.lua:2: hosts: is for systems with `from`
gpuscale: ./bad.lua:2: from: './h100x2.lua': needs a system's name, not a file
$ ls x.lua 2>/dev/null

# ---- a device of one's own is a row of a devices.csv beside the description
$ grep -e ^device, -e ^h200, $SRC/params/devices.csv | sed s/^h200,/mine,/ > devices.csv; for d in h200 mine; do \
    gpuscale project --from h100x2 --device $d -o y.lua -f csv | cksum; done | uniq | wc -l; sed s/b200/mine/ q.lua > own.lua; \
  sed -i 's/141 GB/141 Gib/' devices.csv; gpuscale predict jacobi -s ./own.lua 2>&1 | cut -d';' -f 1; rm devices.csv
1
gpuscale: ./own.lua:2: ./devices.csv:4: memory: '141 Gib': unknown unit 'Gib'

# ---- rules, tried: a copy is listed and no trial, what is inherited neither; the table is what the script makes
$ gpuscale project --pairs -f csv | grep ',copy,' | cut -d, -f 1,4,5 | head -1; \
  gpuscale project --pairs -f csv | grep -c '^host.copy_contention,' # inherited by all but two
device.membw,dgx2,v100x4
1
# What others printed of one suite is compared: a rate of a link goes with it, NVLink 4 to 5.
$ mkdir -p data/published; printf '%s\n' machine,device,suite,parameter,value,err,said one,h100,x,coll.ll_rate,3e9,1e7,a \
    two,b200,x,coll.ll_rate,7e9,1e7,b > data/published/gpus.csv; \
  GPUSCALE_PATH=$PWD:$SRC gpuscale project --pairs -f csv | grep ,one,two, | cut -d, -f 1-7; \
  sed -i s/b200/b2000/ data/published/gpus.csv; GPUSCALE_PATH=$PWD:$SRC gpuscale project --pairs; echo $?
coll.ll_rate,link,other,one,two,6000000000,7000000000
gpuscale: data/published/gpus.csv:3: no such parameter, device or link
3
#long
$ (cd $SRC && GPUSCALE=$(command -v gpuscale) scripts/projections "$OLDPWD/made.csv") && cmp made.csv $SRC/data/projection.csv
