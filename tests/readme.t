# README.md: each command of its first page does as it stands; what needs a file
# of the reader's own aside.
#once

$ ln -s $SRC/data $SRC/lua . && sed -n '/^## What to ask/,/^## Your own program/s/^    build\///p' $SRC/README.md | \
    sed 's/ *# .*//' | grep -v 'mine/\|jacobi.trace\|x\.log\|^gpuscale reproduce' > commands; \
  [ "$(wc -l < commands)" -ge 12 ] || echo "only $(wc -l < commands)"; \
  while read -r line; do $line > out 2> err || { echo "$line: $?"; cat err; }; done < commands; ls *.html *.svg
cost.svg
jacobi.html
scaling.svg
# The links of the page lead somewhere.
$ cd $SRC && grep -o '](\([^)]*\))' README.md | sed 's/^](//; s/)$//' | while read -r f; do \
    [ -e "$f" ] || echo "$f"; done
