# damaged files: a few records without a length are a note, many are a refusal; files that
# would never end, or need much more memory than they have bytes, are refused.
$ python3 $SRC/tests/write_damaged.py; ask() { (case "$CFLAGS" in *sanitize*) ;; *) ulimit -v 800000 ;; esac; gpuscale describe $1 --notes -o out.lua 2>err >/dev/null; \
    echo $? $(grep -v 'no records of events\|no calls of the host' err | head -n 1)); }; \
  for f in long.json negative.json text.json none.json before.sqlite text.sqlite view.sqlite string.sqlite \
    string.json.gz events.json.gz few.json few.sqlite; do ask $f; done; ask grid.json | cut -c 1
3 gpuscale: long.json: 40 of 40 records have no length, or end before they start
3 gpuscale: negative.json: 40 of 40 records have no length, or end before they start
3 gpuscale: text.json: 40 of 40 records have no length, or end before they start
3 gpuscale: none.json: 40 of 40 records have no length, or end before they start
3 gpuscale: before.sqlite: 40 of 40 records have no length, or end before they start
3 gpuscale: text.sqlite: 40 of 40 records have no length, or end before they start
3 gpuscale: view.sqlite: SQLite, but not of nsys export: a view in place of a table
3 gpuscale: string.sqlite: SQLite, but not of nsys export: a view in place of a table
3 gpuscale: string.json.gz: a text of more than 4 MiB
3 gpuscale: events.json.gz: compressed, and expands to more than 200 times its size
0 gpuscale: note: few.json: 3 records have no length, or end before they start: they are left out
0 gpuscale: note: few.sqlite: 2 records have no length, or end before they start: they are left out
0
$ a="$(printf 'a\302\233\nb').json"; cp few.json "$a"; gpuscale describe "$a" -o out.lua 2>&1 | head -n 1
gpuscale: note: a???b.json: 3 records have no length, or end before they start: they are left out

# Tables have a million rows and 64 MiB at most.
$ names=workload,paradigm,knobs,gpus,time_s,sigma_s; \
  (echo $names; yes jacobi,memcpy,,2,1e-3,1e-5 | head -n 1000001) > runs.csv; \
  gpuscale validate runs.csv --system h200x8; echo $?; \
  (yes '# a comment' | head -n 6000000; echo $names; echo jacobi,memcpy,,2,1e-3,1e-5) > runs.csv; \
  gpuscale validate runs.csv --system h200x8; echo $?
gpuscale: runs.csv:1000002:1: workload: more than 1000000 rows
3
gpuscale: runs.csv:5592406:1: more than 64 MiB
3
# What is damaged inside gzip or SQLite is damaged data; lines and bytes are named. A mark of UTF-8 is none.
$ t=$SRC/tests/imports/two.trace; sed 's/^kernel/ker/' $t > kind.trace; gzip -c $t > zip.gz; (printf '\357\273\277'; cat few.json) > mark.json; \
  printf '\377\377\377' | dd of=zip.gz bs=1 seek=60 conv=notrunc 2>dd; gzip -c text.sqlite > base.gz; (head -c 200 few.json; echo x) > odd.json; \
  (cat $t; yes xxxxxxx | head -c 9000000 | tr -d '\n') > line.trace; for f in kind.trace zip.gz base.gz mark.json line.trace odd.json $SRC; do gpuscale describe $f -o out.lua 2>err >/dev/null; echo $? $(sed 's/^[^ ]* //;q' err); done
3 kind.trace:5: no such kind of record
3 zip.gz: compressed, and damaged
3 base.gz: SQLite says: file is not a database
0 note: mark.json: 3 records have no length, or end before they start: they are left out
3 line.trace:75: a text of more than 4 MiB
3 odd.json: no JSON, or cut off, byte 201: lexical error: invalid char in json text.
...
# The name of a profile may have what the name of a program cannot; no error stands for a time.
$ t=$SRC/tests/imports/two.trace; cp $t 'a ?%\"é.trace'; gpuscale describe a*.trace -o odd.lua 2>/dev/null; gpuscale predict odd.lua --system h200x8 -f csv | grep -om 1 'a----*'; \
  gpuscale describe $t -o odd.txt 2>&1 | grep -o 'it takes an unknown time, .* no workload'; \
  cp $t own.trace; gpuscale describe own.trace -o ./own.trace; echo $?; cmp $t own.trace; echo n > n.csv; gpuscale sweep jacobi -s h200x8 --at n.csv -o n.csv
a-------
it takes an unknown time, measured 100 us: no workload
gpuscale: -o ./own.trace: would replace what describe reads
2
gpuscale: -o n.csv: would replace what sweep reads
$ printf '\357\273\277print(1)\n' > mark.lua; printf '#!/usr/bin/env gpuscale\nprint(2)\n' > first.lua; gpuscale run mark.lua; gpuscale run first.lua
1
2
# Names of runs may have any byte; a page and its figures have UTF-8.
$ printf 'workload,paradigm,gpus,time_s\nj\377,memcpy,1,4e-3\nj\377,memcpy,2,2e-3\nj\377,memcpy,4,1e-3\n' > bytes.csv; \
  gpuscale report --runs bytes.csv -o bytes.html 2>notes; iconv -f utf-8 bytes.html | grep -o 'j?, by laws' | uniq
j?, by laws
#long
# A log that holds a job's rows 10000 times takes seconds.
$ for i in $(seq 10000); do cat $SRC/tests/imports/nccl.log; done > long.log; timeout 60 gpuscale expect long.log --system dgx-h100 -o out.txt 2>notes; echo $?
1
