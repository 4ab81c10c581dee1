# notebooks/gpuscale.py: the program's JSON, for Python.
#once

$ cat $SRC/notebooks/gpuscale.py > gpuscale.py; printf '%s\n' \
    'import gpuscale as g' \
    'rows = g.ask("predict", "jacobi", system="h200x8", gpus=[1, 4], paradigm="memcpy", set={"n": 64})' \
    'print(rows, rows.column("gpus"), rows.document["schema"])' \
    'print(list(rows.only("paradigm", "gpus", gpus=4)))' \
    'print(rows._repr_html_()[:32])' \
    'try: g.ask("predict", "jacobi", system="nowhere")' \
    'except g.Failure as e: print(e.status, e)' \
    'print(g.ask("list", "links").only("name", name="pcie4")[0])' \
    'frame = rows.to_frame(); print(list(frame.rows[0])[:2], frame.attrs["document"]["schema"])' \
    > try.py
$ printf '%s\n' 'class DataFrame:' '    def __init__(self, rows): self.rows, self.attrs = rows, {}' > pandas.py # stands for it
$ PYTHONDONTWRITEBYTECODE=1 GPUSCALE=$B/gpuscale python3 try.py
2 rows [1, 4] gpuscale.predict/1
[{'paradigm': 'memcpy', 'gpus': 4}]
<table><tr><th>system</th><th>wo
3 gpuscale: no system 'nowhere'; see `gpuscale list systems`
{'name': 'pcie4'}
['system', 'workload'] gpuscale.predict/1
# The module installs without a network, by Debian's setuptools, and finds the program on PATH.
$ py=/usr/bin/python3; if $py -c 'import venv, ensurepip, setuptools, wheel' 2> why; then \
    cp -R $SRC/notebooks module && $py -m venv --system-site-packages venv > said && \
    venv/bin/pip -q install --no-index --no-build-isolation ./module 2>&1 | grep -iv notice; \
    (cd venv && env -u GPUSCALE -u PYTHONPATH bin/python -c 'import gpuscale as g; print(g.__file__[-25:], len(g.ask("list", "links")) > 9)'); \
  else echo 'site-packages/gpuscale.py True'; fi
site-packages/gpuscale.py True
# Within the tree the wheel has the program, and what it reads (here a tree whose `make install` copies a few).
$ if $py -c 'import venv, ensurepip, setuptools, wheel' 2> why; then \
    mkdir -p tree/scripts && : > tree/scripts/install && cp -R $SRC/notebooks tree/ && printf 'install:\n\tmkdir -p %s\n\tcp %s %s\n\tcp -R %s %s %s\n' '$(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/gpuscale' \
      $B/gpuscale '$(DESTDIR)$(PREFIX)/bin/' $SRC/params $SRC/lua '$(DESTDIR)$(PREFIX)/share/gpuscale/' > tree/Makefile && \
    venv/bin/pip -q install --force-reinstall --no-index --no-build-isolation ./tree/notebooks 2>&1 | grep -iv notice; \
    (cd venv && env -u GPUSCALE -u GPUSCALE_PATH PATH=/usr/bin:/bin bin/gpuscale predict jacobi --system h200x8 -g 2 -p memcpy --format csv | grep -c jacobi); \
  else echo 1; fi
1
# No equation: a notebook computes with columns.
$ grep -l 'import math\|import numpy\|\*\*' $SRC/notebooks/*.ipynb; echo $?
1
# Notebooks show what the program says; `scripts/notebooks` renews them.
$ PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRC/notebooks GPUSCALE=$B/gpuscale python3 $SRC/tests/notebook_cells.py $SRC/notebooks/*.ipynb
