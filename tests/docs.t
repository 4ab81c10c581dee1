# What the pages of docs/ name is there.
#once

# ---- files, but those that a page adds itself, and links between pages
$ cd $SRC && for page in README.md CONTRIBUTING.md SECURITY.md docs/*.md docs/*/*.md; do \
    grep -oE '`(model|params|lua|data|plots|tests|docs|scripts)/[A-Za-z0-9_./-]*`' $page | tr -d '`' | \
      while read -r f; do [ -e "$f" ] || grep -q "\`$f\`:$" $page || echo "$page: $f"; done; \
    grep -oE '\]\([^) ]+\)' $page | sed 's/^..//; s/)$//; /^http/d' | \
      while read -r f; do [ -e "${page%/*}/$f" ] || [ -e "$f" ] || echo "$page: $f"; done; \
  done

# ---- the way of one number: each function is called or defined in its file
$ cd $SRC && sed -n 's/^| `\([a-z_/]*\.c\)`: `\([a-z_]*\)()`.*/\1 \2/p' docs/architecture.md > $OLDPWD/way; cd $OLDPWD; \
  while read -r f name; do grep -q "\b$name(" $SRC/$f || echo "$f: $name"; done < way; wc -l < way
9

# ---- the rooms are those that tests hold
$ sed -n '/^| room/,/^$/p' $SRC/docs/architecture.md | grep -o '`[a-z]*/`' | grep -v model | tr -d '`/' | sort > said; \
  find $SRC/model -mindepth 1 -maxdepth 1 -type d ! -name gpuscale | sed 's|.*/||' | sort | diff said - && wc -l < said
11

# ---- a word has one meaning, and stands where one looks for it
$ grep -oE '^- \*\*[a-z, ]*\*\*' $SRC/docs/glossary.md | cut -c 5- | tr -d '*' > words; LC_ALL=C sort -uc words && test $(wc -l < words) -gt 30 && echo sorted
sorted
