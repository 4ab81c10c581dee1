# The scripts: what they say where something is missing, and what they print to
# be typed.

# ---- packages: why one could not be installed
$ mkdir stubs && printf '%s\n' \
    '#!/bin/sh' \
    '# Of all that is asked for, libcsv-dev and the formatters are missing.' \
    'for p; do :; done' \
    'case $p in' \
    '  libcsv-dev | clang-format*) exit 1 ;;' \
    '  *) printf installed ;;' \
    'esac' \
    > stubs/dpkg-query
$ printf '%s\n' \
    '#!/bin/sh' \
    'echo "apt-get $*" >> apt.log' \
    'case $* in' \
    '  *install*"$BROKEN"*)' \
    '    echo "Reading package lists..."' \
    '    echo "E: Unable to locate package $BROKEN" >&2' \
    '    exit 100 ;;' \
    'esac' \
    > stubs/apt-get
$ printf '#!/bin/sh\nexit 0\n' > stubs/apt-cache; \
    printf '#!/bin/sh\nexec "$@"\n' > stubs/sudo; chmod +x stubs/*
$ BROKEN=libcsv-dev PATH=$PWD/stubs:$PATH $SRC/scripts/prepare demo; echo $?
installing: libcsv-dev
prepare: apt-get could not install: libcsv-dev
  E: Unable to locate package libcsv-dev
1

# A system without version 14 of the formatter gets the one it has, and without
# any everything else goes on.
$ BROKEN=clang-format-14 PATH=$PWD/stubs:$PATH $SRC/scripts/prepare test; echo $?
installing: libcsv-dev
installing: clang-format
0
$ BROKEN=clang-format PATH=$PWD/stubs:$PATH $SRC/scripts/prepare test; echo $?
installing: libcsv-dev
installing: clang-format
prepare: no clang-format; only the formatting is not checked
  E: Unable to locate package clang-format
0

# ---- formatting: another version's opinion is said, not counted
$ mkdir tools && for t in sh sed head tr ls grep sort cat; do ln -s "$(command -v $t)" tools/; done
$ PATH=$PWD/tools sh $SRC/scripts/format check a.c; echo $?
not checked: there is no clang-format here
77
$ printf '%s\n' \
    '#!/bin/sh' \
    'case $1 in' \
    '  --version) echo "Debian clang-format version 19.1.7 (3)" ;;' \
    '  *) echo "a.c:1:1: error: code should be clang-formatted" >&2; exit 1 ;;' \
    'esac' \
    > tools/clang-format-19
$ chmod +x tools/clang-format-19; PATH=$PWD/tools sh $SRC/scripts/format check a.c; echo $?
not checked: clang-format 19 would change something, but only version 14 decides
77
$ PATH=$PWD/tools sh $SRC/scripts/format fix a.c; echo $?
not fixed: the style is that of clang-format 14, this is 19
77
$ sed 's/19.1.7/14.0.6/' tools/clang-format-19 > tools/clang-format-14; chmod +x tools/clang-format-14
$ PATH=$PWD/tools sh $SRC/scripts/format check a.c; echo $?
a.c:1:1: error: code should be clang-formatted
1

# ---- the demonstration prints commands that can be typed
$ eval "$(sed -n '/^run()/,/^}/p' $SRC/scripts/demo)" && run echo -P 't1=0.0003 s' x/*.csv

\$ echo -P 't1=0.0003 s' 'x/*.csv'

-P t1=0.0003 s x/*.csv

# ---- docs/accuracy.md: each line of its development runs works as it stands
$ cd $SRC && sed -n 's/^| `\(data\/[^`]*\)`, .*/\1/p' docs/accuracy.md | \
    grep -v '[{*]' | while read -r line; do \
    gpuscale validate $line --summary | grep -q '^all scored' || echo "$line"; \
  done
