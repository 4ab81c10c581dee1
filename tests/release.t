# A claim of CHANGELOG that nothing shows, or whose command says otherwise, is one too many
# (`scripts/release check` asks those of the version in preparation; past ones are history).
#once
$ printf '## 9.9\n\n- it is fast\n| small | `gpuscale --version` | `gpuscale 9` |\n\n## 9.8\n' > c; "$SRC/tests/guard/claims" c 9.9
no command: - it is fast
small: gpuscale --version does not print gpuscale 9
2 of 1 claims are not
# The paper's numbers are those of the program and of docs/accuracy.md.
#long
$ "$SRC/scripts/paper" --check
the paper's numbers are those of now
# Cut, a page keeps what users read of a release; the notes that led to it leave the file.
$ mkdir -p cut/scripts cut/model cut/docs cut/build && cp "$SRC/scripts/release" cut/scripts && cd cut && \
  echo '#define GSCALE_VERSION "9.9"' > model/gpuscale.h && \
  printf '%s\n' '# Changes' '' '## Unreleased' '' '- a note' '' '## 9.9 (in preparation)' '' 'A page.' '' '## Before 9.9' '- an old one' '' '## 9.8 (2020-01-01)' 'Older.' > CHANGELOG.md; \
  B=build scripts/release cut 2021-01-01; cat CHANGELOG.md; B=build scripts/release cut 2021-01-01; echo $?
CHANGELOG.md: 10 lines
\# Changes

\## Unreleased

\## 9.9 (2021-01-01)

A page.

\## 9.8 (2020-01-01)
Older.
release: CHANGELOG.md has no section 9.9 (in preparation)
3
# A figure that was missed, or never run, is no obstacle once the page names it.
$ cd cut && printf '%s\n' '| figure | promised | commit | date | seed | size | | found |' '|---|---|---|---|---|---|---|---|' \
    '| fuzz | x | c | d | 1 | long | ok | y |' '| sealed | x | c | d | 1 | long | **FAILED** | y |' '| laws | x | never run | | | | | |' \
    > docs/reliability.md; sed -i 's/^A page\.$/A page; `sealed` is missed./' CHANGELOG.md; mkdir -p tests; \
    B=build scripts/release check 2> /dev/null | grep guard:
lacks: laws of scripts/guard: not met, and CHANGELOG.md 9.9 does not name it
