# From the 13th on, the head of a sealed run names a commit that has the predictions.  It
# does not in the 18th, whose runs were made with a tree from before its seal.  An unpacked
# tarball has no commits: that is said, and counted as not run.
#once
$ "$SRC/scripts/dev/seals" > said; s=$?; [ $s != 77 ] || { cat said; exit 77; }; echo $s; grep 'NOT held' said | cut -d: -f 1; grep -c ': held$' said
1
data/h200x2/sealed-18
17

# A run before its seal, or of a commit that nobody has, is told.
$ s=0; "$SRC/scripts/dev/seals" > said || s=$?; [ $s != 77 ] || { cat said; exit 77; }; \
  git clone -q --no-checkout "$SRC" copy 2> why && cd copy && git checkout -q HEAD -- data && \
    sed -i 's/ e0ead83$/ 0562489/' data/h100x2/sealed-13/runs-jacobi.csv && \
    "$SRC/scripts/dev/seals" . | grep 'sealed-13'; cd ..
data/h100x2/sealed-13: 1 sealed, heads name 0562489, e0ead83: NOT held
  data/h100x2/sealed-13/runs-jacobi.csv: 0562489 has not data/h100x2/sealed-13/predictions.csv
