# README.md: its links and its length; tests/howto.t asks its commands.
#once

# The links of the page lead somewhere.
$ cd $SRC && grep -o '](\([^)]*\))' README.md | sed 's/^](//; s/)$//' | while read -r f; do \
    [ -e "$f" ] || echo "$f"; done
$ grep -vc '^<!--' $SRC/README.md
60
