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
$ gpuscale project --from h100x2 -o x.lua; echo $?
gpuscale: project: needs --device NAME
2
$ gpuscale project --from h100x2 --device b2000 -o x.lua; echo $?
gpuscale: device: no data sheet of 'b2000' in params/devices.csv; did you mean 'b200'?
3
$ gpuscale project --from ./q.lua --device b200 -o x.lua; echo $?
gpuscale: from: './q.lua' is itself projected: name systems that stand by themselves
3
$ sed 's/from = .*hosts/hosts/' q.lua > bad.lua; gpuscale predict jacobi -s ./bad.lua 2>&1 | grep hosts
gpuscale: ./bad.lua:2: hosts: is for systems with `from`
$ sed 's/"h100x2"/".\/h100x2.lua"/' q.lua > bad.lua; gpuscale predict jacobi -s ./bad.lua; echo $?
gpuscale: ./bad.lua:2: from: './h100x2.lua': needs a system's name, not a file
3
$ ls x.lua 2>/dev/null

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
