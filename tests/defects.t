# Defects that a correct question once met without a word: a wrong answer and
# exit 0, or a crash.  What is expected here is derived, not observed: comments
# say how.

# ---- parts of a sweep
# Four points by two ways are eight rows; a part that lacks any is no part.
$ q='sweep jacobi --system h200x8 -g 4 -p memcpy,inline -f csv --over link.rate=10GB/s..40GB/s,4'; \
  gpuscale $q -o whole.csv; gpuscale $q --shard 1/2 -o a.csv; gpuscale $q --shard 2/2 -o b.csv; \
  gpuscale sweep --merge a.csv b.csv -o ab.csv && cmp ab.csv whole.csv && grep -vc '^#' whole.csv
9
# Cut between two rows, within the last, within its number, within the head.
$ for cut in "$(sed '$d' a.csv | wc -c)" $(($(wc -c < a.csv) - 7)) $(($(sed '$d' a.csv | wc -c) + 1)) 90; do \
    head -c $cut a.csv > cut.csv; gpuscale sweep --merge cut.csv b.csv -o ab2.csv; echo $?; done; \
  ls ab2.csv* 2>&1 | wc -l
gpuscale: cut.csv: has 3 rows where its head says 4
3
gpuscale: cut.csv: row 4 is not a whole one of its points
3
gpuscale: cut.csv: row 4 is not a whole one of its points
3
gpuscale: cut.csv: no shard of a sweep that has ended: its head does not say which points it has and how many rows
3
1
# A row too many, one of another part, and rows in another order.
$ { cat a.csv; tail -n 1 a.csv; } > more.csv; { sed '$d' a.csv; tail -n 1 b.csv; } > strange.csv; \
  { grep -v '^[01]' a.csv; grep '^1' a.csv; grep '^0' a.csv; } > turned.csv; \
  for f in more strange turned; do gpuscale sweep --merge $f.csv b.csv; echo $?; done 2>&1 >out | cat; cat out
gpuscale: more.csv: has 5 rows where its head says 4
gpuscale: strange.csv: row 4 is not a whole one of its points
gpuscale: turned.csv: row 3 is not a whole one of its points
3
3
3
# What has not ended is no part, though it holds all rows; of another version, of
# another question.
$ sed 's/^# rows: .*/# rows:            ?/' a.csv > a.csv.part; sed 's/^# made by: .*/# made by: gpuscale 0.0/' b.csv > old.csv; \
  gpuscale $(echo sweep jacobi --system h200x8 -g 2 -p memcpy,inline -f csv --over link.rate=10GB/s..40GB/s,4) \
    --shard 2/2 -o two.csv; \
  for p in 'a.csv.part b.csv' 'a.csv old.csv' 'a.csv two.csv'; do gpuscale sweep --merge $p; echo $?; done
gpuscale: a.csv.part: no shard of a sweep that has ended: its head does not say which points it has and how many rows
3
gpuscale: old.csv: of another sweep than the first
3
gpuscale: two.csv: of another sweep than the first
3
# One file, one writer: the second says which process the first is, and disturbs
# nothing.  The first is stopped, not slow.
$ q='sweep jacobi --system h200x8 -g 4 -p memcpy,inline -f csv --over link.rate=10GB/s..900GB/s,9000'; \
  rm -f long.csv*; gpuscale $q -o long.csv & p=$!; \
  while [ ! -s long.csv.part ]; do :; done; kill -STOP $p; size=$(wc -c < long.csv.part); \
  for r in '' --resume; do gpuscale $q -o long.csv $r 2> said; echo $?; sed "s/$p/FIRST/" said; done; \
  [ $size = "$(wc -c < long.csv.part)" ] && echo undisturbed; kill -CONT $p; wait $p; echo $?; \
  grep -vc '^#' long.csv; ls long.csv*
5
gpuscale: long.csv.part: process FIRST is writing it
5
gpuscale: long.csv.part: process FIRST is writing it
undisturbed
0
18001
long.csv
# A dead owner's is resumed, to the bytes of one that nobody killed.
$ q='sweep jacobi --system h200x8 -g 4 -p memcpy,inline -f csv --over link.rate=10GB/s..900GB/s,9000'; \
  gpuscale $q -o dead.csv & p=$!; while [ ! -s dead.csv.part ]; do :; done; kill -9 $p; wait $p 2>/dev/null; \
  gpuscale $q -o dead.csv --resume && cmp dead.csv long.csv && echo same
same
# No file elsewhere is written by way of a link.
$ echo mine > mine; ln -s mine linked.csv.part; \
  gpuscale sweep jacobi --system h200x8 -g 2 -p memcpy --over n=64 -f csv -o linked.csv; echo $?; cat mine
gpuscale: linked.csv.part: cannot be written: Too many levels of symbolic links
5
mine

# ---- values of --over: a range stands alone; a word has an end
$ long=$(printf '%0130d' 1); for verb in 'sweep jacobi' 'compare jacobi' 'plot map jacobi --over gpus=2,4'; do \
    for over in n=64,128..256 n=64,128..256,log "n=$long..2" "n=1,$long"; do \
      gpuscale $verb --system h200x8 --over "$over"; echo $?; done; done 2>&1 | sort | uniq -c | sed 's/^ *//'
12 2
6 gpuscale: --over n: '0000000000000000000000000000000000000000...' is too long
6 gpuscale: --over n: '128..256' is a range among values
$ gpuscale solve jacobi --system h200x8 -g 4 --for n=64,128..256 --until time=1ms; echo $?
gpuscale: --over n: '128..256' is a range among values
2
