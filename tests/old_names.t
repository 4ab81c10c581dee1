# Names of 0.1 that were changed are read, the answer is the same, and nothing shows them.

# A description, whose parameters all have their old names.
$ mkdir old; sed -e '/^  hand = {/,/}/s/remote =/far =/; s/\(launch\|copy\)_contention =/\1_crowd =/;' \
    -e 's/wait_remote =/wait_far =/; s/^  contention =/  crowd =/; s/^    contention =/    beside =/;' \
    -e 's/thrash_window =/lapse =/' $SRC/params/h200x4.lua > old/h200x4.lua; \
  diff $SRC/params/h200x4.lua old/h200x4.lua | grep -cE '^> .*(crowd|beside|far|lapse) ='
9
$ for s in h200x4 old/h200x4.lua; do for w in um proact-poll memcpy-async; do \
    gpuscale explain jacobi -s $s -g 4 -p $w --all -f csv | grep -v '^file'; done > said; \
    gpuscale predict pagerank -s $s -g 1-4 -f csv >> said; md5sum < said; done | uniq | wc -l; \
  cut -d, -f 1 said | grep -E 'crowd|beside|far$|lapse'
1
$ gpuscale calibrate $SRC/data/h200x4/micro/calls.csv -b old/h200x4.lua -o new.lua -f csv 2> notes | cut -d, -f 1 | \
    cat - new.lua notes | grep -E 'crowd|beside =|_far|lapse ='; grep -cE 'contention =|remote =|window =' new.lua
9

# A parameter that has both names is refused.
$ sed 's/^    lapse = .*/&\n    thrash_window = spec("1 ms", "a test"),/' old/h200x4.lua > two.lua; \
  gpuscale predict jacobi -s two.lua 2>&1 | sed 's/:[0-9]*:/:/'
gpuscale: two.lua: um.lapse: unknown key

# Options.
$ for p in um.lapse um.thrash_window; do \
    gpuscale predict jacobi -s h200x4 -g 4 -p um -P $p=1ms -f csv; \
    gpuscale sweep jacobi -s h200x4 -g 2 -p um --over $p=1ms..9ms,3 -f csv; \
    gpuscale sensitivity jacobi -s h200x4 -g 4 -p memcpy -P $p=1ms -f csv; done > said; \
  n=$(($(wc -l < said) / 2)); tail -n $n said > new; head -n $n said | cmp - new; grep -cE '^h200.*thrash_window|thrash_window_s' new
22
$ gpuscale predict jacobi -s h200x4 -P um.lapse=1ms -P um.thrash_window=2ms; echo $?
gpuscale: -P um.thrash_window: given twice
2
$ for o in --offset --alignment-offset; do gpuscale goodput -l pcie4 $o=4 -f csv | md5sum; done | uniq | wc -l
1
$ gpuscale goodput -l pcie4 --offset x
gpuscale: --alignment-offset: 'x': not a finite decimal number

# Tables.
$ mkdir data; cp $SRC/data/*.csv data; gpuscale predict jacobi -s h200x4 -f csv > new; \
  gpuscale project --from h200x8 --device b200 -o b.lua -f csv >> new; \
  sed -i 's/^contention/beside/' data/residuals.csv; \
  sed -i 's/^contention\.wait_remote/crowd.wait_far/; s/^contention/crowd/; s/_contention,/_crowd,/; s/_remote,/_far,/; s/^agent.contention/agent.beside/' data/projection.csv; \
  gpuscale predict jacobi -s h200x4 -f csv > was; gpuscale project --from h200x8 --device b200 -o b.lua -f csv >> was; \
  grep -c '^beside' data/residuals.csv; grep -cE '^[a-z.]*(crowd|far|beside)' data/projection.csv; cmp new was
9
14

# A word of a program.
$ sed 's/"partial"/"masked"/' $SRC/lua/workloads/sssp.lua > sssp.lua; grep -c masked sssp.lua; \
  gpuscale predict ./sssp.lua -s h200x4 -f csv > was; gpuscale predict sssp -s h200x4 -f csv | cmp - was
1
