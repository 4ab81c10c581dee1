# What programs that were built with the library rely on: a change of it changes
# the number of the soname (scripts/abi says how).
#once

$ B=$B $SRC/scripts/abi > hash; cut -d' ' -f 2 $SRC/model/abi | diff - hash > differ || \
    echo "the ABI is another: raise the number in model/abi if it was released, then make shared && scripts/abi --write"
$ for library in libgpuscale libgpuscale-lua; do \
    readelf -d $B/$library.so.*.*.* | sed -n "s/.*soname: \[$library\.so\.\(.*\)\]/\1/p"; done > sonames; \
  for i in 1 2; do cut -d' ' -f 1 $SRC/model/abi; done | diff - sonames

# ---- what it sees: sizes, offsets, values, functions
$ B=$B $SRC/scripts/abi --list > list; grep -E '^(gscale_diag(\.text)?|gscale_interval\.hi|GSCALE_EDATA) |^gscale_predict\(\)' list
GSCALE_EDATA 7
gscale_diag 320
gscale_diag.text 0
gscale_interval.hi 8
gscale_predict()
$ mkdir copy && cp -a $SRC/model $SRC/scripts copy && sed -i 's/double lo, hi;/double hi, lo;/' copy/model/gpuscale.h && \
    B=$B copy/scripts/abi | diff - hash > differ; echo $?
1
