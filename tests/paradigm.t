# The page model/predict/paradigm/README.md, followed word by word in a copy of the
# project: the file it shows, the two lines it adds, make, and the laws.
#long on
$ mkdir copy && cp -r $SRC/Makefile $SRC/model $SRC/lua $SRC/params $SRC/tests \
    $SRC/plots copy
$ cd copy && page=model/predict/paradigm/README.md && \
  sed -n '/^```c$/,/^```$/p' $page | sed '1d;$d' \
    > model/predict/paradigm/memcpy_staged.c && \
  announce=$(sed -n 's/^+    \(gscale__.*\)/\1/p' $page) && \
  row=$(sed -n 's/^+    &\(gscale__.*\)/\1/p' $page) && \
  sed -i "/^extern const gscale__paradigm/a\    $announce" model/predict/paradigm.h && \
  sed -i "/^static const gscale__paradigm .const/a\    \&$row" model/predict/predict.c
$ cd copy && make -s -j2 CFLAGS=-O1 build/gpuscale build/tests/t_laws 2>&1 | \
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
