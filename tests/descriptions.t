# What descriptions say when they are right and when they are wrong.

# A workload of one's own, in the current directory.
$ printf '%s\n' 'local gs = require "gpuscale"' \
    'return gs.workload { name = "mine", summary = "a first try",' \
    '  knobs = { n = gs.knob { default = 64, least = 8, whole = true } },' \
    '  step = function (k)' \
    '    return {' \
    '      t1 = gs.assumed("1 ms", {"0.5 ms", "2 ms"}, "a guess"),' \
    '      gs.phase { name = "sweep", bytes = "1 GB", units = k.n },' \
    '    }' \
    '  end }' > mine.lua

$ gpuscale predict mine --system ct-bus --gpus 1,64 --paradigm infinite \
    --format csv 2>&1 | grep '^ct-bus' | cut -d, -f 1-3,5,6
ct-bus,mine,infinite,1,0.001
ct-bus,mine,infinite,64,1.5625e-05

# Settings are checked against its knobs.
$ gpuscale predict mine --system ct-bus -P n=7; echo $?
gpuscale: -P n: 7 is less than 8
2
$ gpuscale predict mine --system ct-bus -P n=8.5; echo $?
gpuscale: -P n: 8.5 is not whole
2
$ gpuscale predict mine --system ct-bus -P link.rate=64Gb/s; echo $?
gpuscale: -P link.rate: '64Gb/s': unknown unit 'Gb/s'; there are B/s, kB/s, MB/s, GB/s, TB/s, PB/s, KiB/s, MiB/s, GiB/s, TiB/s
2

# Mistakes are named by file, line and field.
$ sed 's/1 GB/1 Gb/' mine.lua > bad.lua; \
  gpuscale predict bad.lua --system ct-bus; echo $?
gpuscale: bad.lua:7: sweep: bytes: '1 Gb': unknown unit 'Gb'; there are B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB
3
$ sed 's/units/unit/' mine.lua > bad.lua; \
  gpuscale predict bad.lua --system ct-bus; echo $?
gpuscale: bad.lua:7: sweep: unit: unknown key; did you mean 'units'?
3
$ sed 's/k\.n/k.m/' mine.lua > bad.lua; \
  gpuscale predict bad.lua --system ct-bus; echo $?
gpuscale: bad.lua:7: knob 'm' is not defined
3
$ sed 's/spec(15,.*/15,/' "$SRC/params/ct-bus.lua" > bad.lua; \
  gpuscale predict mine --system bad.lua; echo $?
gpuscale: bad.lua:18: device.sms: needs gs.spec, gs.measured, gs.assumed or gs.fitted
3

# All of them at once.
$ sed -e 's/units/unit/' -e 's/1 GB/1 Gb/' -e 's/"a guess"/7/' mine.lua > bad.lua; \
  gpuscale predict bad.lua --system ct-bus; echo $?
gpuscale: bad.lua:6: gs.assumed: needs a reason as its last argument
gpuscale: bad.lua:7: sweep: unit: unknown key; did you mean 'units'?
gpuscale: bad.lua:7: sweep: bytes: '1 Gb': unknown unit 'Gb'; there are B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB
3

# The page docs/howto/add-a-system.md: its example is a system.
$ sed -n 's/^    //p' "$SRC/docs/howto/add-a-system.md" \
    > tree.lua; gpuscale predict mine --system ./tree.lua --gpus 4 \
    --paradigm infinite --format csv | cut -d, -f 1-5
system,workload,paradigm,knobs,gpus
mine,mine,infinite,,4
# No line of it can be left out.
$ for line in $(grep -n ' spec(\| measured(\| assumed(\|kind' tree.lua | cut -d: -f 1); do \
    sed "${line}d" tree.lua > less.lua; \
    gpuscale predict mine --system ./less.lua --gpus 4 >out.txt 2>&1 && \
      echo "line $line is not needed"; \
  done
# What is not known of it is assumed to be as on machines that were measured; of
# its host as on all of them.
$ sed -e '/^  host = {/,/^  },/d' -e '/^  agent = {/,/^  },/d' -e '/store =/d' \
    -e '/^  gpus/i like = "base",' tree.lua > new.lua; \
  sed -e 's/"0.2 us", "launch/"0.4 us", "launch/' -e '/^  gpus/i grows = true,' \
    tree.lua > base.lua
$ gpuscale explain --all mine --system new.lua --gpus 4 -p memcpy --format csv | \
    grep '^host.launch,' | cut -d, -f 1-3,8
host.launch,3.8299999999999998e-06,2.169183501836357e-06,as on 15 machines that measured it
# So it is where that one is projected itself, or made of nodes; its own parameters come along.
$ for b in l40s-pcie dgx-h100-ndr; do sed "s/like = \"base\"/like = \"$b\"/" new.lua > far.lua; \
    gpuscale explain --all mine --system far.lua --gpus 4 -p inline --format csv | \
    grep -E '^(host.launch|store.efficiency),' | cut -d, -f 1,8; done
host.launch,as on 15 machines that measured it
store.efficiency,l40s-pcie: assumed there
host.launch,as on 15 machines that measured it
store.efficiency,dgx-h100-ndr: assumed there
# The range of a fraction ends at 1; what its file or -P says is not replaced.
$ gpuscale explain --all mine --system new.lua --gpus 4 -p inline -P host.sync=1us \
    --format csv | grep -E '^(store.efficiency|host.sync|device.membw),' | \
    cut -d, -f 1-3 | sort
device.membw,1800000000000,36000000000
host.sync,9.9999999999999995e-07,0
store.efficiency,0.90000000000000002,0.13279056191361394
# What a GPU is, is not taken; nor is anything from two systems away.
$ sed '/sms  /d' new.lua > bad.lua; gpuscale predict mine --system bad.lua; echo $?
gpuscale: bad.lua:3: device.sms: missing (streaming multiprocessors of one GPU)
3
$ sed 's/"base"/"new"/' new.lua > far.lua; \
  gpuscale predict mine --system far.lua; echo $?
gpuscale: far.lua:3: like: 'new' is itself like 'base': name a system that stands by itself
3
$ sed 's/"base"/"far"/' new.lua > far.lua; \
  gpuscale predict mine --system far.lua; echo $?
gpuscale: far.lua:3: like: 'far' is itself like 'far': name a system that stands by itself
3
$ sed 's/"base"/"h200y8"/' new.lua > bad.lua; \
  gpuscale predict mine --system bad.lua; echo $?
gpuscale: bad.lua:3: like: no system 'h200y8'; did you mean 'h200x8'?
3
$ sed 's/"base"/".\/base.lua"/' new.lua > bad.lua; \
  gpuscale predict mine --system bad.lua; echo $?
gpuscale: bad.lua:3: like: './base.lua': needs a system's name, not a file
3
$ sed 's/"base"/7/' new.lua > bad.lua; gpuscale predict mine --system bad.lua; echo $?
gpuscale: bad.lua:3: like: needs text, got a number
3
# A base that has a mistake of its own.
$ sed 's/sms  /sns  /' tree.lua > base.lua; \
  gpuscale predict mine --system new.lua; echo $?
gpuscale: base.lua:3: device.sns: unknown key; did you mean 'sms'?
3
# The shipped systems that nobody measured take what those that were have in common.
$ for s in k40x4 p100x4 v100x4 dgx2 v100-sim4 dgx-a100 pcie-tree4; do \
    gpuscale explain --all jacobi --system "$SRC/params/$s.lua" --gpus 4 -p memcpy --format csv | \
      grep '^host.launch,' | cut -d, -f 2; done | uniq
3.8299999999999998e-06

# What it says of other topologies.
$ sed 's/kind = "tree", group/kind = "ring", group/' tree.lua > bad.lua; \
  gpuscale predict mine --system bad.lua; echo $?
gpuscale: bad.lua:6: topology.group: a ring has none
gpuscale: bad.lua:6: topology.uplink: a ring has none
3

# Names that nobody knows, and files that cannot be read.
$ gpuscale predict jacoby --system ct-bus; echo $?
gpuscale: no workload 'jacoby'; did you mean 'jacobi'?
3
$ gpuscale predict mine --system ./none.lua; echo $?
gpuscale: ./none.lua: No such file or directory
5
$ gpuscale predict mine --system /; echo $?
gpuscale: /: Is a directory
5

# Limits.
$ echo "while true do end" > loop.lua; gpuscale predict ./loop.lua --system ct-bus 2>&1 | \
    sed 's|.*/||'
loop.lua:1: ran more than 10000000 instructions
$ gpuscale predict ./loop.lua --system ct-bus 2>&-; echo $?
6

# The published model of CT: about 6 times with 10 GPUs at 16 GB/s, about 12
# times with 20 at 64 GB/s, both within 5 %.
$ gpuscale predict ct --system ct-bus --gpus 10 --paradigm memcpy \
    --format csv 2>&1 | grep '^ct-bus' | cut -d, -f 9 | cut -c 1-5
5.882
$ gpuscale predict ct --system ct-bus --gpus 20 --paradigm memcpy \
    -P link.rate=64GB/s --format csv 2>&1 | grep '^ct-bus' | cut -d, -f 9 | \
    cut -c 1-5
11.50
