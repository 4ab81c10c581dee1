# The one page of header: gpuscale.h alone is enough to predict, compare and
# calibrate, in C and in C++.
#once

# ---- it is a page: 20 to 40 functions, and no other header of ours
$ grep -cE '^[a-z].*\bgscale_[a-z_0-9]+\(' $SRC/model/gpuscale.h | awk '{ print ($1 >= 20 && $1 <= 40) }'
1
$ grep '#include' $SRC/model/gpuscale.h
\#include <stdbool.h>
\#include <stddef.h>

# ---- every example includes it alone, and is C11, C++98 and C++11
$ mkdir page && cp $SRC/model/gpuscale.h page; for e in $SRC/docs/examples/*; do \
    case $e in *.c) $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -Ipage -fsyntax-only $e ;; esac; \
    for std in 98 11; do \
      case $e in *.cpp) [ $std = 11 ] || continue ;; esac; \
      ${CXX:-c++} -std=c++$std -Wall -Wextra -Wpedantic -Werror -x c++ -Ipage -fsyntax-only $e; done; \
  done

# ---- every other header, too, stands for itself
$ for h in $SRC/model/gpuscale/*.h; do \
    echo "#include \"gpuscale/${h##*/}\"" > one.c; \
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -I$SRC/model -fsyntax-only one.c; \
  done
$ for h in $SRC/model/gpuscale/*.h; do grep -q "\"gpuscale/${h##*/}\"" $SRC/model/gpuscale/all.h || echo ${h##*/}; done
all.h

# ---- a prediction, a comparison, a calibration, linked statically, with the stack of a thread of musl
$ for e in predict compare calibrate; do \
    $CC $CFLAGS -std=c11 -I$SRC/model $SRC/docs/examples/$e.c $B/libgpuscale-lua.a $B/libgpuscale.a \
      $(pkg-config --libs gsl jansson expat sqlite3 yajl zlib ${LUA:-lua5.4}) -lcsv -lm -o $e; done
$ (ulimit -s 128; ./predict) > said; gpuscale predict jacobi --system h200x8 -P n=512 --gpus 4 --paradigm memcpy --format csv | \
    awk -F, 'NR > 1 { printf "%.1f us a step, speedup %.2f\n", 1e6 * $6, $9 }' | diff - said
$ ulimit -s 128; ./compare h200x8 allgather pcie5 nvlink3 | sed 's/:.*//'; ./compare h200x8 allgather pcie50 2>&1 > said; echo $?
as it is
pcie5
nvlink3
pcie50: no such link
1
$ (ulimit -s 128; ./calibrate h200x8 $SRC/data/h200x8/micro/dma.csv) > said; gpuscale calibrate $SRC/data/h200x8/micro/dma.csv --base h200x8 \
    -o mine.lua --format csv 2> notes | awk -F, '/^copy.efficiency,/ { printf "copy.efficiency %.3f +/- %.3f, dma.csv\n", $2, $3 }' | diff - said
$ ./calibrate h200x8 nothing.csv; echo $?
nothing.csv: cannot open: No such file or directory
1
