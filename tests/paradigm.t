# The page model/paradigm/README.md, followed word by word in a copy of the
# project: the file it shows, the row it adds, make, and the laws.  What was built
# is copied too: only what the page adds is compiled.
#long on
$ mkdir copy && cp -a $SRC/Makefile $SRC/model $SRC/lua $SRC/params $SRC/tests \
    $SRC/plots copy && mkdir copy/build && cp -a $B/model $B/lua copy/build
$ cd copy && page=model/paradigm/README.md && \
  sed -n '/^```c$/,/^```$/p' $page | sed '1d;$d' \
    > model/paradigm/memcpy_staged.c && \
  row=$(sed -n 's/^+  \(row(.*),\) .*/\1/p' $page) && \
  sed -i "s/row(schedule)/$row &/" model/paradigm/registry.c
$ cd copy && make -s -j2 CC="$CC" CFLAGS="$CFLAGS" build/gpuscale build/tests/t_laws 2>&1 | \
    grep -E 'warning|error'
$ cd copy && build/gpuscale list paradigms --format csv | grep memcpy-staged
memcpy-staged,exists,,bulk copies by way of host memory
$ cd copy && build/gpuscale predict jacobi --system ct-bus -P t1=4ms --gpus 2 \
    --paradigm memcpy,memcpy-staged --format csv | cut -d, -f 3,14 | \
    sed 's/\(\.[0-9]\{8\}\)[0-9]*/\1/'
paradigm,transfer_s
memcpy,0.00013107
memcpy-staged,0.00026214
$ cd copy && build/tests/t_laws | sed 's/ .*//'
Completed
