# The table of strangers is what their runs say, where those are.
#once
$ B=$B $SRC/tests/strangers.py | grep -vc 'as written\|skipped'
0

# A program on a machine that nobody measured is wider on each N over its one GPU;
# a machine, a program and sources by other names are as wide.
$ sed 's/"dgx-a100"/"zz"/' $SRC/params/dgx-a100.lua > zz.lua; \
  sed 's/"jacobi"/"yy"/' $SRC/lua/workloads/jacobi.lua > yy.lua; mkdir params; \
  awk -F, -v OFS=, '/^[a-z]*,[0-9]/ { $1 = "s" NR } { print }' $SRC/params/strangers.csv > params/strangers.csv; \
  for q in "jacobi -s dgx-a100" "./yy.lua -s ./zz.lua"; do \
    gpuscale predict $q -P t1=500us -g 1,2,4,8 -p memcpy -f csv | sed '/^#/d;1d' | cut -d, -f 5-7 | tee last >> all; done; \
  sort all | uniq -c | grep -vc ' 2 '; awk -F, '{ printf "%d GPUs: +/- %.0f %%\n", $1, 100 * $3 / $2 }' last
0
1 GPUs: +/- 0 %
2 GPUs: +/- 21 %
4 GPUs: +/- 42 %
8 GPUs: +/- 64 %

# Without the table's rows nothing is known of strangers; a row without its number is refused.
$ grep -v '^[a-z]*,[0-9]' $SRC/params/strangers.csv > params/strangers.csv; \
  gpuscale predict jacobi -s dgx-a100 -P t1=500us -g 8 -p memcpy -f csv | awk -F, '!/^#/ && NR > 1 { printf "%.0f %%\n", 100 * $7 / $6 }'
9 %
$ printf 'source,rows,program,from\na,1,x,b\n' > params/strangers.csv; gpuscale predict jacobi -s dgx-a100 -g 2; echo $?
gpuscale: params/strangers.csv:2:3: program: not a finite decimal number: 'x'
3
