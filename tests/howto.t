# README.md, docs/howto, docs/tutorials, docs/explanation: each command prints what the page
# shows.  scripts/dev/pages --write PAGE... shows what it prints now.
#once
$ $SRC/scripts/dev/pages $SRC/README.md $SRC/docs/howto/*.md $SRC/docs/tutorials/*.md $SRC/docs/explanation/*.md && echo as shown
as shown
# They have what they are about: a command each, or a program.
$ for f in $SRC/docs/howto/*.md; do grep -q '^    ' $f || echo "$f has no command"; done

# ---- pages that are read once: lengths of sentences and pages, no empty beginnings
$ $SRC/scripts/dev/prose
$ mkdir -p copy/scripts/dev && cp $SRC/scripts/dev/prose copy/scripts/dev && cd copy && \
    { echo 'Note that it is so. Short.'; echo; echo 'The GPU that has what others need and what'; \
      yes 'they ask for and' | head -8; echo 'waits.'; yes '' | head -160; } > README.md; scripts/dev/prose; echo $?
README.md: 172 lines, 160 at most
README.md: begins with nothing: Note that it is so.
README.md: 42 words: The GPU that has what others need and what they ask for and  ...
1

# ---- four tasks of somebody who types what stands there, but for the demonstration
$ mkdir clone && for f in data lua params plots; do ln -s $SRC/$f clone/$f; done; mkdir clone/build clone/scripts && \
    ln -s "$B/gpuscale" clone/build/gpuscale && printf '#!/bin/sh\n' > clone/scripts/demo && chmod +x clone/scripts/demo; \
  $SRC/scripts/dev/stranger clone > said; echo $?; grep -c ' s, ' said; grep NOT said
0
9
