"""gpuscale from Python: asks the program, gives back rows.

    import gpuscale
    rows = gpuscale.ask("predict", "jacobi", system="h200x8", gpus="1-8")
    pandas.DataFrame(rows)                    # where pandas is installed
    gpuscale.figure("scaling", "jacobi", system="h200x8")
    program, said = gpuscale.describe("two.trace", system="h200x8")

Every verb of the command line can be asked, every option by its long name: an
option that is given once a name by a dict (set={"n": 512}), one without a value
by True, '-' as '_'.  Numbers are those of the program's JSON, in SI units.
There is no equation here.  Needs nothing beyond Python 3.8.
"""

import atexit
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

__all__ = ["ask", "describe", "figure", "program", "Rows", "Figure", "Failure"]


class Failure(Exception):
    """The program's own words; `status` is its exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Rows(list):
    """Rows of a result, dicts by column; a notebook shows them as a table.

    `document` is the whole of what the program said, with how it was made."""

    def __init__(self, document):
        super().__init__(document.get("rows", []))
        self.document = document

    def only(self, *columns, **values):
        """The rows with these values, of each only these columns."""
        chosen = [r for r in self if all(r[k] == v for k, v in values.items())]
        if columns:
            chosen = [{c: r[c] for c in columns} for r in chosen]
        return Rows(dict(self.document, rows=chosen))

    def column(self, name):
        return [r[name] for r in self]

    def to_frame(self):
        """A pandas DataFrame of the rows, with `document` among its attrs."""
        import pandas

        frame = pandas.DataFrame(list(self))
        frame.attrs["document"] = self.document
        return frame

    def __repr__(self):
        return f"{len(self)} rows"

    def _repr_html_(self):
        if not self:
            return "<p>no rows</p>"
        names = list(self[0])
        cell = lambda v: ("" if v is None else f"{v:.4g}" if isinstance(v, float)
                          else html.escape(str(v)))
        head = "".join(f"<th>{html.escape(n)}</th>" for n in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{cell(r[n])}</td>" for n in names) + "</tr>"
            for r in self)
        return f"<table><tr>{head}</tr>{body}</table>"


class Figure:
    """A drawing, as SVG text; a notebook shows it."""

    def __init__(self, svg):
        self.svg = svg[svg.index("<svg"):]  # it goes into a page

    def __repr__(self):
        return "a figure"

    def _repr_svg_(self):
        return self.svg


def _near():
    here = pathlib.Path(__file__).resolve().parent
    near = (here / "gpuscale_program" / "bin" / "gpuscale", here.parent / "build" / "gpuscale")
    return os.environ.get("GPUSCALE") or next((str(p) for p in near if p.exists()), None)


def program():
    """$GPUSCALE, or the wheel's own, or the one built in this source tree, or the installed one."""
    found = _near() or shutil.which("gpuscale")
    if not found:
        raise Failure(127, "no gpuscale: build it, install it, or say $GPUSCALE")
    return found


def main():
    """The command `gpuscale` of the wheel."""
    if not _near():
        sys.exit("gpuscale: this module was installed without the program")
    os.execv(_near(), ["gpuscale", *sys.argv[1:]])


def _words(options):
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            yield option
        elif isinstance(value, dict):
            for key, v in value.items():
                yield from (option, f"{key}={v}")
        elif isinstance(value, (list, tuple)):
            yield from (option, ",".join(map(str, value)))
        elif value is not None and value is not False:
            yield from (option, str(value))


def _done(*words):
    done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: done, and the answer is no
        raise Failure(done.returncode, done.stderr.strip())
    return done


def _run(*words):
    return _done(*words).stdout


def ask(verb, *arguments, **options):
    """What `gpuscale VERB ARGUMENTS... --OPTION VALUE...` answers, as Rows."""
    return Rows(json.loads(_run(verb, *arguments, *_words(options), "--format", "json")))


def describe(*profiles, **options):
    """The program that profiles show: a file to ask about, which is removed when Python
    ends, and what the program said of its guesses."""
    directory = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    name = pathlib.Path(profiles[0]).name.split(".")[0] + ".lua"
    path = os.path.join(directory, name)
    return path, _done("describe", *profiles, *_words(options), "--notes", "--output", path).stderr.strip()


def figure(*arguments, **options):
    """What `gpuscale plot` draws."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "figure.svg"
        _run("plot", *arguments, *_words(options), "--output", path)
        return Figure(path.read_text())
