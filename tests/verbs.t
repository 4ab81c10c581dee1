# Verbs: what each of the program's must have, and those that users write.
#once

# ---- none without a line in docs/reference/verbs.md, a manual page and, if it writes rows, a schema;
# tests/places.t and tests/schemas.t ask those that they do not name themselves
$ printf '%s\n' 'lacks() { for v; do' \
    '  grep -q "^### .$v.$" "$SRC/docs/reference/verbs.md" || echo "$v: not in verbs.md"' \
    '  [ -s "man/gpuscale-$v.1" ] || echo "$v: no manual page"' \
    '  if gpuscale help $v 2>&1 | grep -q -e --format; then' \
    '    cat "$SRC"/lua/schemas/*-[0-9]*.json | grep -q "\"title\": \"gpuscale $v\b" || echo "$v: no schema"' \
    '  fi; done; }' > lacks; mkdir man; $SRC/scripts/manual "$B/gpuscale" man; \
  . ./lacks; lacks $(gpuscale help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/\1/p'); \
  [ "$(gpuscale help | sed -n '/^verbs/,/^$/p' | grep -c '^  [a-z]')" -ge 17 ] || echo 'few verbs'; grep -L '^\.TH .* "20[0-9-]*" ' man/*

# Each example of a help that needs no file of its reader's gives an answer.
#long
$ ln -s $SRC/data $SRC/lua .; for v in $(gpuscale help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/\1/p'); do gpuscale help $v; done | sed -n '/^examples/,/^$/s/^  //p' | \
    sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' | grep -vE ' (runs|plan|points|[a-z_0-9]*trace|nccl-tests/.*|jacobi)[.](csv|json|log|trace)| [a-zA-Z0-9_]*[.](sqlite|log|txt)|json.gz' > examples; \
  while read -r c; do sh -c "$c" > out 2> why < /dev/null || echo "$? $c"; done < examples; [ $(wc -l < examples) -gt 35 ] || wc -l < examples

# One that has nothing lacks all of it.
$ mkdir verbs; echo 'print(gs.question.workload)' > verbs/echo.lua; . ./lacks; lacks echo
echo: not in verbs.md
echo: no manual page
echo: no schema

# ---- a verb of one's own: that of docs/howto/write-a-verb.md
$ sed -n "/<<'END'/,/^    END/p" "$SRC/docs/howto/write-a-verb.md" | sed '1d;$d;s/^    //' > verbs/peak.lua; \
  gpuscale peak jacobi --system ct-bus --gpus 1,2,4 -P t1=4ms -p infinite,memcpy
paradigm  GPUs      time  speedup
infinite     4      1 ms     4.00
memcpy       4  1.393 ms     2.87
$ gpuscale peak jacobi -s ct-bus -g 1,2 -P t1=4ms -p memcpy -f csv -o peak.csv; \
    sed 's/: [0-9a-z].*//' peak.csv | cut -d, -f 1-3
\# made by
\# command
\# peak.lua
\# ct-bus.lua
\# jacobi.lua
paradigm,gpus,time_s
memcpy,2,0.0021310719999999999
$ gpuscale help peak | sed -n '1,/^options/p'; gpuscale peak --help | grep -c '^  .*--'
usage: gpuscale peak [WORKLOAD] [options]

Shows what verbs/peak.lua predicts and prints.

options
12

# Each option of a question is in gs.question; nothing else is.
$ printf '%s\n' 'for k, v in pairs(gs.question) do if k ~= "set" then print(k, v) end end' \
    'for k, v in pairs(gs.question.set) do print("set " .. k, v) end' > verbs/said.lua; \
  gpuscale said; gpuscale said a -s b -l c -g 1-4 -p d -P e=1 -P f=2s --proposed --weak
proposed	false
weak	false
gpus	1-4
link	c
paradigm	d
proposed	true
system	b
weak	true
workload	a
set e	1
set f	2s
# Of `run` it is empty.
$ gpuscale run verbs/said.lua
proposed	false
weak	false

# The search path, the first of equal names first.
$ mkdir -p else/verbs; echo 'print("else")' | tee else/verbs/there.lua > else/verbs/said.lua; \
  GPUSCALE_PATH=else gpuscale there; GPUSCALE_PATH=else gpuscale said | head -n 1; gpuscale there; echo $?
else
proposed	false
gpuscale: no verb 'there'; see `gpuscale --help`
2

# ---- a verb of the program is never replaced
$ for v in $(gpuscale help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/\1/p') help; do \
    echo 'print("mine")' | tee $v.lua > verbs/$v.lua; done; \
  for v in verbs/*.lua; do v=${v#verbs/}; gpuscale ${v%.lua} --help 2> why; done | sed -n 's/^Shows what \(verbs.*\) predicts.*/\1/p'; \
  gpuscale predict jacobi -s ct-bus -g 1 -p memcpy -P t1=4ms -f csv | cut -d, -f 2-6
verbs/echo.lua
verbs/peak.lua
verbs/said.lua
workload,paradigm,knobs,gpus,time_s
jacobi,memcpy,,1,0.0040000000000000001

# ---- nor does anything else run by its name
$ cp verbs/said.lua alone.lua; for v in jacobi h200x8 alone ./alone alone.lua ../verbs/said \
    verbs/said verbs/said.lua ../../verbs/said -said '' 'sa id' said.lua; do gpuscale "$v"; done
gpuscale: no verb 'jacobi'; see `gpuscale --help`
gpuscale: no verb 'h200x8'; see `gpuscale --help`
gpuscale: no verb 'alone'; see `gpuscale --help`
gpuscale: no verb './alone'; see `gpuscale --help`
gpuscale: no verb 'alone.lua'; see `gpuscale --help`
gpuscale: no verb '../verbs/said'; see `gpuscale --help`
gpuscale: no verb 'verbs/said'; see `gpuscale --help`
gpuscale: no verb 'verbs/said.lua'; see `gpuscale --help`
gpuscale: no verb '../../verbs/said'; see `gpuscale --help`
gpuscale: '-said': a verb comes first; see `gpuscale --help`
gpuscale: no verb ''; see `gpuscale --help`
gpuscale: no verb 'sa id'; did you mean 'said'?
gpuscale: no verb 'said.lua'; see `gpuscale --help`
# What is misspelt is said with the nearest of both.
$ gpuscale peka; gpuscale predct; gpuscale sadi; gpuscale help peka; mkdir none; (cd none; gpuscale peak)
gpuscale: no verb 'peka'; did you mean 'peak'?
gpuscale: no verb 'predct'; did you mean 'predict'?
gpuscale: no verb 'sadi'; did you mean 'said'?
gpuscale: no verb 'peka'; did you mean 'peak'?
gpuscale: no verb 'peak'; see `gpuscale --help`

# ---- the sandbox of `run`, and its limits
$ for say in 'io.open("verbs/peak.lua")' 'loadfile("verbs/peak.lua")' 'os.remove("alone.lua")' \
    'require("peak")' 'gs.predict(gs.question)' \
    'local t = {} while true do t[#t + 1] = {} end'; do \
    echo "$say" > verbs/bad.lua; gpuscale bad -o bad.txt; echo $?; done; ls bad.txt
gpuscale: verbs/bad.lua:1: global 'io' is not defined
3
gpuscale: verbs/bad.lua:1: global 'loadfile' is not defined
3
gpuscale: verbs/bad.lua:1: global 'os' is not defined
3
gpuscale: verbs/bad.lua:1: require: there is only "gpuscale" here
3
gpuscale: verbs/bad.lua:1: gs.predict: workload: missing; needs a name or a file
3
gpuscale: verbs/bad.lua: used more than 65536 KiB of memory
6
ls: cannot access 'bad.txt': No such file or directory
$ gpuscale peak jacobi --sytem ct-bus; gpuscale peak a b; gpuscale peak --steps 3; mkdir verbs/dir.lua; gpuscale dir; echo $?
gpuscale: peak: no option '--sytem'; did you mean '--system'?
gpuscale: peak: 'b' is one argument too many
gpuscale: peak: no option '--steps'; see `gpuscale peak --help`
gpuscale: verbs/dir.lua: Is a directory
5

# ---- the page cli/verbs/README.md, followed in a copy of the project
$ mkdir copy && cp -a $SRC/Makefile $SRC/README.md $SRC/model $SRC/lua $SRC/cli $SRC/params $SRC/scripts $SRC/docs $SRC/debian $SRC/tests copy && \
  mkdir copy/data && cp $SRC/data/coverage.csv $SRC/data/README.md copy/data && \
  cd copy && tests/follow cli/verbs/README.md > page.t && grep -c '^\$ ' page.t && ls cli/verbs/peak.c lua/schemas/peak-1.json
2
cli/verbs/peak.c
lua/schemas/peak-1.json
#long
$ cd copy && mkdir build && cp -a $B/model $B/lua $B/cli build && make -s -j2 CC="$CC" CFLAGS="$CFLAGS" build/gpuscale 2>&1 | \
    grep -E 'warning|error'; sed -i 's/^\$ /$ cd $SRC \&\& /' page.t && B=build tests/check page.t; \
  B=$PWD/build scripts/tables > why; mkdir man && scripts/manual build/gpuscale man; . ../lacks; PATH=$PWD/build:$PATH SRC=$PWD; lacks peak
2 passed, 0 failed
#long
$ cd copy && PATH=$PWD/build:$PATH; gpuscale peak jacobi --system ct-bus -f json > peak.json; \
  ! python3 -c 'import jsonschema' 2> why || python3 -W ignore -c 'import json, jsonschema; \
    peak, common = (json.load(open("lua/schemas/" + n)) for n in ("peak-1.json", "common.json")); \
    jsonschema.validate(json.load(open("peak.json")), peak, resolver=jsonschema.RefResolver("", peak, {"common.json": common}))'
