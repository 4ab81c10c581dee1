#!/usr/bin/env python3
"""strangers.py [--write] - the rows of params/strangers.csv from runs of others, which are read where
../shared/external (or EXTERNAL) is, and how often widths hold without each row: its coverage by one
standard error, log score (Student's t of 4 degrees, scale ln(1 + error)) and median half-width.

A source is described by data sheets and one-GPU times: `tests/strangers/` has what a stranger would
write for H200; tiles.lua lies beside the data."""
import csv, io, math, os, pathlib, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
AWAY = pathlib.Path(os.environ.get("EXTERNAL", ROOT / "../shared/external"))
PROGRAM = ROOT / os.environ.get("B", "build") / "gpuscale"
TABLE = ROOT / "params/strangers.csv"
HEAD = "workload,paradigm,knobs,gpus,time_s,sigma_s\n"


def rows(text):
    return list(csv.DictReader(l for l in io.StringIO(text) if not l.startswith("#")))


def jacobi(to):
    style = {"copy": 0, "overlap": 1, "p2p": 2, "nvshmem": 3}
    by = ROOT / "scripts/dev/a100/stencil-styles.lua"
    to.write_text(HEAD + "".join(
        f"{by},{'schedule' if style[r['style']] < 2 else 'inline'},compute={r['compute']};dims={r['dims']};n={r['nx']};"
        f"style={style[r['style']]},{r['gpus']},{r['time_s']},{0.01 * float(r['time_s'])}\n"
        for r in rows((AWAY / "cpufree_a100_mit/jacobi_strong.csv").read_text())))
    return [to], "dgx-a100"


def tiles(to):
    """One file a program, SLATE apart: its times on 1 GPU vary by runs."""
    by, files = AWAY / "mustard_a100_mit/tiles.lua", {}
    for r in rows((AWAY / "mustard_a100_mit/mustard.csv").read_text()):
        if r["runtime"] != "slate" and int(r["tiles"]) <= 20:
            files.setdefault(r["algorithm"] + r["runtime"], []).append(
                f"{by},memcpy,lu={'true' if r['algorithm'] == 'lu' else 'false'};n={r['n']};tiles={r['tiles']},"
                f"{r['gpus']},{r['time_s']},{0.01 * float(r['time_s'])}\n")
    for name, lines in files.items():
        to.with_name(name + ".csv").write_text(HEAD + "".join(lines))
    return [to.with_name(n + ".csv") for n in files], "dgx-a100"


def ours(to):
    names = [l.strip() for l in open(ROOT / "data/scored.txt") if "/runs/" in l and "h200" in l and "staged" not in l]
    return [ROOT / n for n in names], ROOT / "tests/strangers/h200.lua"


SOURCES = {"jacobi": jacobi, "tiles": tiles, "ours": ours}


def score(source, tree, work):
    """ln(measured / predicted), doublings of N, ln(1 + error) of each row with its one-GPU time."""
    files, system = SOURCES[source](work / f"{source}.csv")
    env, out = dict(os.environ, GPUSCALE_PATH=str(tree)), []
    for file in files:
        said = subprocess.run([PROGRAM, "validate", file, "-s", system, "-f", "csv"], env=env, cwd=ROOT,
                              capture_output=True, text=True).stdout
        of = rows(said)
        single = {(r["workload"], ";".join(k for k in r["knobs"].split(";") if "." not in k)) for r in of if r["gpus"] == "1"}
        out += [(math.log(float(r["measured_s"]) / float(r["predicted_s"])), math.log2(int(r["gpus"])),
                 math.log1p(float(r["predicted_err_s"]) / float(r["predicted_s"])))
                for r in of if r["role"] == "scored" and r["predicted_s"] and r["gpus"] != "1"
                and (r["workload"], ";".join(k for k in r["knobs"].split(";") if "." not in k)) in single]
    return out


def without(line, work):
    """A tree whose table lacks the line."""
    tree = pathlib.Path(tempfile.mkdtemp(dir=work))
    for part in "lua", "data", "scripts":
        (tree / part).symlink_to(ROOT / part)
    (tree / "params").mkdir()
    for f in (ROOT / "params").iterdir():
        (tree / "params" / f.name).symlink_to(f)
    (tree / "params/strangers.csv").unlink()
    (tree / "params/strangers.csv").write_text(TABLE.read_text().replace(line, ""))
    return tree


def main():
    if not AWAY.is_dir():
        print(f"strangers: no runs of others at {AWAY.name}: skipped")
        return
    lines = [l for l in TABLE.read_text().splitlines(True) if l.split(",")[0] in SOURCES]
    text = TABLE.read_text()
    c = math.lgamma(2.5) - math.lgamma(2) - 0.5 * math.log(4 * math.pi)
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for line in lines:
            source = line.split(",")[0]
            of = score(source, without(line, work), work)
            rms = math.sqrt(statistics.fmean((off / n) ** 2 for off, n, _ in of))
            new = f"{source},{len(of)},{rms:.3f},{line.split(',', 3)[3]}"
            text = text.replace(line, new)
            log = statistics.fmean(c - math.log(s) - 2.5 * math.log1p((off / s) ** 2 / 4) for off, _, s in of)
            print(f"{source}: {'as written' if new == line else new.strip()}; {len(of)} rows, "
                  f"mean {100 * statistics.fmean(abs(math.expm1(-off)) for off, *_ in of):.1f} %, covered "
                  f"{100 * statistics.fmean(abs(off) <= s for off, _, s in of):.0f} %, log score {log:.2f}, "
                  f"half-width {100 * statistics.median(math.expm1(s) for *_, s in of):.0f} %")
    if "--write" in sys.argv:
        TABLE.write_text(text)


main()
# SPDX-License-Identifier: GPL-3.0-or-later
