# What `make install` gives: a program and libraries that need nothing of the
# source, from any directory.
#once

#long on
$ make -s -C $SRC install B=$B DESTDIR=$PWD/root PREFIX=/usr CC="$CC" CFLAGS="$CFLAGS"
$ find root/usr/lib root/usr/include -maxdepth 1 ! -type d | LC_ALL=C sort
root/usr/include/gpuscale.h
root/usr/lib/libgpuscale-lua.a
root/usr/lib/libgpuscale-lua.so
root/usr/lib/libgpuscale-lua.so.0.2.0
root/usr/lib/libgpuscale-lua.so.1
root/usr/lib/libgpuscale.a
root/usr/lib/libgpuscale.so
root/usr/lib/libgpuscale.so.0.2.0
root/usr/lib/libgpuscale.so.1
$ grep -rlF "$SRC/" root/usr/share root/usr/include; echo $?
1
$ nm -D --defined-only root/usr/lib/*.so | grep ' [TDBR] ' | grep -v ' gscale_[a-z0-9]'; echo $?
1

# ---- the program, where nothing else is
$ mkdir empty; printf '%s\n' \
    'unset GPUSCALE_PATH' \
    'cd empty' \
    'PATH=$OLDPWD/root/usr/bin:$PATH' \
    > alone
$ . ./alone; command -v gpuscale | sed 's|.*/root/|root/|'; \
    gpuscale list systems --format csv | sed -n 's/^\(h200x8\),.*/\1/p'
root/usr/bin/gpuscale
h200x8
$ . ./alone; gpuscale validate $SRC/data/h200x8/runs/runs.csv --system h200x8 \
    --where n=512 --format csv > rows.csv; echo $?; head -n 1 rows.csv | cut -d, -f1-5
0
workload,paradigm,knobs,gpus,measured_s

# ---- C and C++, by pkg-config, shared and static
$ gpuscale predict jacobi --system h200x8 -P n=512 --gpus 4 --paradigm memcpy --format csv | \
    awk -F, 'NR > 1 { printf "%.1f us a step, speedup %.2f\n", 1e6 * $6, $9 }' > expected
$ printf '%s\n' \
    'export PKG_CONFIG_PATH=$PWD/root/usr/lib/pkgconfig' \
    'export PKG_CONFIG_SYSROOT_DIR=$PWD/root LD_LIBRARY_PATH=$PWD/root/usr/lib' \
    'unset GPUSCALE_PATH' \
    'examples=$PWD/root/usr/share/doc/gpuscale/examples' \
    'cd empty' \
    > built
# By the one page: no example includes more, nothing of Lua.
$ grep -h '#include' root/usr/share/doc/gpuscale/examples/* | sort | uniq -c | sort -rn | sed 's/^ *[0-9]* //' | grep gpuscale
\#include <gpuscale.h>
$ . ./built; $CC $CFLAGS -std=c11 -Wall -Wextra -Wpedantic -Werror $examples/predict.c \
    $(pkg-config --cflags --libs gpuscale-lua gpuscale) -o predict && ./predict > said && diff said ../expected && echo same
same
$ . ./built; $CXX $CFLAGS -std=c++11 -Wall -Wextra -Wpedantic -Werror $examples/goodput.cpp \
    $(pkg-config --cflags --libs gpuscale) -o goodput && ./goodput
8 B: 0.25
32 B: 0.571429
128 B: 0.842105
$ . ./built; rm -f $PKG_CONFIG_SYSROOT_DIR/usr/lib/*.so*; unset PKG_CONFIG_SYSROOT_DIR; \
    $CC $CFLAGS -I$PKG_CONFIG_PATH/../../include $examples/predict.c -L$PKG_CONFIG_PATH/.. \
    $(pkg-config --static --libs gpuscale-lua gpuscale | sed 's|-L/usr/lib ||g') -o static && \
    mkdir far && mv static far && XDG_DATA_DIRS=/nothing:$OLDPWD/root/usr/share far/static | diff - ../expected && echo same
same

# ---- manual pages and completions, from the program's own words
$ gpuscale help | sed -n '/^verbs/,/^$/s/^  \([a-z]*\) .*/gpuscale-\1.1/p' > verbs; echo gpuscale.1 >> verbs; \
    sort -o verbs verbs; ls root/usr/share/man/man1 | sort | diff verbs - && echo same
same
$ gpuscale help validate | sed '/^examples/,$d' | sed -n 's/^  .* --\([a-z-]*\) .*/\1/p' > options; \
    sed -n 's/^\.B .*\\-\\-\([a-z\\-]*\).*/\1/p' root/usr/share/man/man1/gpuscale-validate.1 | \
    tr -d '\\' | diff options - && echo same
same
$ gpuscale list fields --format csv | grep -c '^[^,]*,\(system\|link\|topology\),' > rows; \
    grep -c '^\.TP' root/usr/share/man/man5/gpuscale-system.5 | diff rows - && echo same
same
# The program on the page of workloads runs.
$ sed -n '/^local gs/,/^}/p' $SRC/docs/man/workload.txt > mine.lua; \
    gpuscale predict mine.lua --system h200x8 --gpus 4 --paradigm memcpy --format csv | cut -d, -f2,3,5
workload,paradigm,gpus
mine,memcpy,4
$ printf '%s\n' \
    '. root/usr/share/bash-completion/completions/gpuscale' \
    'compopt() { :; }' \
    'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))' \
    '_gpuscale' \
    'echo "${COMPREPLY[*]}"' \
    > complete
$ bash complete gpuscale expl
explain
$ bash complete gpuscale predict jaco
jacobi
$ bash complete gpuscale predict jacobi --system h200x
h200x2 h200x4 h200x8
$ bash complete gpuscale predict jacobi --parad
--paradigm
$ bash complete gpuscale list work
workloads
$ bash complete gpuscale plot scal; bash complete gpuscale plot scaling jaco; bash complete gpuscale predict jacobi -s h200x8 -P link.ra; \
    bash complete gpuscale predict jacobi --paradigm memcpy,inf; bash complete gpuscale reproduce 2.1
scaling
jacobi
link.rate=
memcpy,infinite
2.10
# Every option of every verb, in the completion and on the page.
$ for v in $(sed -n 's/^gpuscale-\(.*\)\.1/\1/p' verbs); do \
    gpuscale help $v | sed '/^examples/,$d' | sed -n 's/^      --\([a-z-]*\) .*/\1/p; s/^  -., --\([a-z-]*\) .*/\1/p' | sort -u > options; \
    bash complete gpuscale $v --nothing --|  tr ' ' '\n' | sed -n 's/^--//p' | sort -u | diff options -; \
    sed -n 's/^\.B .*\\-\\-\([a-z\\-]*\).*/\1/p' root/usr/share/man/man1/gpuscale-$v.1 | tr -d '\\' | sort -u | diff options -; \
  done > differ; wc -l < differ
0

# ---- and none of it is left, but what others put there
$ touch root/usr/share/gpuscale/params/mine.lua
$ make -s -C $SRC uninstall B=$B DESTDIR=$PWD/root PREFIX=/usr CC="$CC" CFLAGS="$CFLAGS"
$ find root ! -type d; find root -name gpuscale
root/usr/share/gpuscale/params/mine.lua
root/usr/share/gpuscale
