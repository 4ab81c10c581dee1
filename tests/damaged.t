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
