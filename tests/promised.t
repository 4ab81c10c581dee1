# What 0.1.0 promises (tests/abi/0.1.0) against what is built: columns, exit statuses,
# schemas.  Types, offsets, values and functions of the libraries are promised within a
# soname: that of 0.1.0 was 0.
#once
$ [ "$(uname -m)" = x86_64 ] || { echo 'nothing promised is broken'; exit; }; B=$B "$SRC/scripts/abi" --since 0.1.0
nothing promised is broken
# It says what is broken, and takes what was added.
$ cp -r "$SRC/tests/abi/0.1.0" old; printf '%s\n' 'gscale_diag 320' 'gscale_predict()' > old/library; cp -r old new; \
  printf '%s\n' 'gscale_diag 328' 'gscale_fresh()' > new/library; sed -i -e 's/^links name,format/links format,name/' -e 's/^goodput link,/goodput /' \
    -e '/^workloads /s/$/,fresh/' new/columns; sed -i 's/^limit 6/limit 1/' new/statuses; \
  sed -i '/^tune-1.*row.required "chunk_B"/d' new/schemas; "$SRC/tests/abi/said" old new; echo $?
columns of goodput: gone: link
columns of links: another order
statuses: limit was 6, is 1
library: gscale_diag was 320, is 328
library: gscale_predict() is gone
schemas: tune-1.json/$defs/row/required "chunk_B" is gone or another
1
