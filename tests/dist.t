# make dist: what is committed, the same bytes wherever and whenever it is made.  Without
# the repository, as in an unpacked tarball, it says that it needs one.
$ cd "$SRC" && if git rev-parse -q --verify HEAD > /dev/null 2>&1; then \
    TZ=Asia/Tokyo scripts/dist "$OLDPWD/one" 2> "$OLDPWD/said" | grep -c tar.gz; (umask 077; scripts/dist "$OLDPWD/two") > /dev/null 2>&1; \
    cmp "$OLDPWD"/one/*.gz "$OLDPWD"/two/*.gz && tar tzf "$OLDPWD"/one/*.gz | sed 's|gpuscale-[0-9.]*/||' | grep -cxE 'README.md|model/gpuscale.h|scripts/test'; \
  else scripts/dist "$OLDPWD/one" 2>&1 | grep -c 'from a commit'; printf '3\n'; fi
1
3
# What the owner has not said stands where it belongs, marked.
$ cd "$SRC" && for f in CITATION.cff debian/control; do grep -c 'OWNER:' $f; done
2
1
# Names, version and licence agree.
$ cd "$SRC" && v=$(sed -n 's/^#define GSCALE_VERSION "\(.*\)"/\1/p' model/gpuscale.h); grep -c "^version: $v\$" CITATION.cff; \
  grep -c "^version = \"$v\"" notebooks/pyproject.toml; \
  grep -c "\"version\": \"$v\"" codemeta.json; sed -n "1s/.*($v).*/debian/p" debian/changelog; python3 -m json.tool codemeta.json > /dev/null && echo json
1
1
1
debian
json
