# docs/tutorials: each command of a page runs as it stands there.
#once
$ cp $SRC/tests/imports/*.trace .; \
  sed -n 's/^    gpuscale /gpuscale /p' $SRC/docs/tutorials/from-a-profile.md > commands; \
  wc -l < commands; \
  while read -r line; do $line > out 2> err || { echo "$line: $?"; cat err; }; done < commands
10

# What it shows is shown.
$ gpuscale describe two.trace --show > out; \
  sed -n 's/^    \(step: by\|GPU  \|  0  \)/\1/p' $SRC/docs/tutorials/from-a-profile.md | \
  while read -r line; do grep -qF -- "$line" out || echo "not shown: $line"; done
