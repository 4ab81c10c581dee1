# What CHANGELOG says of a release: each claim has a command that shows it, in its words.
#once
#long
$ version=$(gpuscale --version | awk '{ print $2; exit }'); "$SRC/tests/guard/claims" "$SRC/CHANGELOG.md" "$version"
all claims are shown
# A claim that nothing shows, or whose command says otherwise, is one too many.
$ printf '## 9.9\n\n- it is fast\n| small | `gpuscale --version` | `gpuscale 9` |\n\n## 9.8\n' > c; "$SRC/tests/guard/claims" c 9.9
no command: - it is fast
small: gpuscale --version does not print gpuscale 9
2 of 1 claims are not
# The paper's numbers are those of the program and of docs/accuracy.md.
#long
$ "$SRC/scripts/paper" --check
the paper's numbers are those of now
