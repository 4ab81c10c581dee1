# README.md, docs/howto, docs/tutorials, docs/explanation: each command prints what the page
# shows.  tests/pages --write PAGE... shows what it prints now.
#once
$ $SRC/tests/pages $SRC/README.md $SRC/docs/howto/*.md $SRC/docs/tutorials/*.md $SRC/docs/explanation/*.md && echo as shown
as shown
# They have what they are about: a command each, or a program.
$ for f in $SRC/docs/howto/*.md; do grep -q '^    ' $f || echo "$f has no command"; done
