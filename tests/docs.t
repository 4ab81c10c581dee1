# What the pages of docs/ name is there.
#once

# ---- files, and links between pages, with their headings
$ $SRC/tests/links
$ mkdir -p copy/tests copy/docs && cp $SRC/tests/links copy/tests && cd copy && \
    printf '%s\n' '# A page' '[a](b.md#c-d) [e](b.md#g) [h](i.md) `lua/k.c`' > docs/a.md; echo '## C `d`' > docs/b.md; \
    tests/links; echo $?
docs/a.md: b.md#g
docs/a.md: i.md
docs/a.md: lua/k.c
1

# ---- the way of one number: each function is called or defined in its file
$ cd $SRC && sed -n 's/^| [0-9]* | `\([a-z_/]*\.c\)`: `\([a-z_]*\)()`.*/\1 \2/p' docs/architecture.md > $OLDPWD/way; cd $OLDPWD; \
  while read -r f name; do grep -q "\b$name(" $SRC/$f || echo "$f: $name"; done < way; wc -l < way
9

# ---- a word has one meaning, and stands where one looks for it
$ grep -oE '^- \*\*[a-z, ]*\*\*' $SRC/docs/glossary.md | cut -c 5- | tr -d '*' > words; LC_ALL=C sort -uc words && test $(wc -l < words) -gt 30 && echo sorted
sorted
