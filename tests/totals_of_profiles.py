#!/usr/bin/env python3
"""totals_of_profiles FILE.sqlite... - what `gpuscale describe --show` says of
exports of Nsight Systems against sums of SQL, and its shares of time against a
sweep that is written here: intervals are joined, and their lengths added up."""
import csv
import io
import sqlite3
import subprocess
import sys

KINDS = {1: "h2d", 2: "d2h", 8: "d2d", 10: "p2p"}
T = "CUPTI_ACTIVITY_KIND_"


def described(path):
    text = subprocess.run(["gpuscale", "describe", path, "--show", "-f", "csv"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True, text=True).stdout
    lines = [l for l in text.splitlines() if not l.startswith("#")]
    return [{k: float(v or "nan") for k, v in r.items()}
            for r in csv.DictReader(io.StringIO("\n".join(lines)))]


class Export:
    def __init__(self, path):
        self.db = sqlite3.connect("file:%s?immutable=1" % path, uri=True)
        self.tables = {r[0] for r in self.db.execute(
            "select name from sqlite_master where type='table'")}

    def columns(self, table):
        return {r[1] for r in self.db.execute("pragma table_info(%s)" % table)}

    def rows(self, table, *wanted):
        """Rows of a table, None for a column that it lacks."""
        if T + table not in self.tables:
            return []
        have = self.columns(T + table)
        names = ",".join(w if w in have else "null" for w in wanted)
        return self.db.execute("select %s from %s%s" % (names, T, table)).fetchall()

    def string(self, key):
        row = self.db.execute("select value from StringIds where id=?", (key,)).fetchone()
        return row[0] if row else ""


def joined(intervals, low, high):
    out = []
    for a, b in sorted((max(a, low), min(b, high)) for a, b in intervals):
        if a >= b:
            continue
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def length(v):
    return sum(b - a for a, b in v)


def common(v, w):
    """Length of what is in both of two joined lists."""
    i = j = total = 0
    while i < len(v) and j < len(w):
        total += max(0, min(v[i][1], w[j][1]) - max(v[i][0], w[j][0]))
        if v[i][1] < w[j][1]:
            i += 1
        else:
            j += 1
    return total


def check(path):
    e = Export(path)
    want = {}
    work = {}
    zero = []
    names = {}
    for s, t, pid, dev, stream, d, n in e.rows(
            "KERNEL", "start", "end", "globalPid", "deviceId", "streamId",
            "demangledName", "shortName"):
        key = ((pid or 0) >> 24, dev)
        w = want.setdefault(key, {})
        for k in ("kernels", "kernels_s", "collectives"):
            w.setdefault(k, 0)
        name = names.setdefault((d, n), e.string(d if d is not None else n))
        nccl = "nccl" in name[:4] or "ncclDev" in name or "ncclKernel" in name
        w["kernels"] += 1
        w["kernels_s"] += t - s
        w["collectives"] += nccl
        w.setdefault("streams", set()).add(stream)
        work.setdefault(key, []).append((s, t, "coll" if nccl else "compute"))
        zero.append(s)
    for s, t, pid, dev, stream, b, kind in e.rows(
            "MEMCPY", "start", "end", "globalPid", "deviceId", "streamId", "bytes", "copyKind"):
        key = ((pid or 0) >> 24, dev)
        w = want.setdefault(key, {})
        k = KINDS.get(kind)
        if k:
            w[k] = w.get(k, 0) + 1
            w[k + "_B"] = w.get(k + "_B", 0) + b
        w.setdefault("streams", set()).add(stream)
        work.setdefault(key, []).append((s, t, "copy"))
        zero.append(s)
    for s, t, pid, dev, stream, b in e.rows(
            "MEMSET", "start", "end", "globalPid", "deviceId", "streamId", "bytes"):
        key = ((pid or 0) >> 24, dev)
        w = want.setdefault(key, {})
        w["memsets"] = w.get("memsets", 0) + 1
        w["memset_B"] = w.get("memset_B", 0) + b
        w.setdefault("streams", set()).add(stream)
        work.setdefault(key, []).append((s, t, "compute"))
        zero.append(s)
    for s, c in e.rows("RUNTIME", "start", "eventClass"):
        if c in (0, 1, None):
            zero.append(s)
    calls = {}
    for tid, c in e.rows("RUNTIME", "globalTid", "eventClass"):
        if c in (0, 1, None):
            key = (tid or 0) >> 24
            calls[key] = calls.get(key, 0) + 1
    if "NVTX_EVENTS" in e.tables:
        zero += [r[0] for r in e.db.execute(
            "select start from NVTX_EVENTS where eventType in (59,60) and end is not null")]
    if not zero:
        return
    begin = min(zero)
    failed = 0

    def differ(gpu, what, have, should, share=0.0):
        nonlocal failed
        if abs(have - should) > share * abs(should) + 1e-12:
            failed += 1
            print("%s: GPU %d: %s: %.15g, not %.15g"
                  % (path.split("/")[-1], gpu, what, have, should))

    rows = described(path)
    if len(rows) != len(want):
        print("%s: %d GPUs, not %d" % (path.split("/")[-1], len(rows), len(want)))
        failed += 1
    for gpu, key in enumerate(sorted(want)):
        w, r = want[key], rows[gpu]
        w["streams"] = len(w["streams"])
        w["kernels_s"] *= 1e-9
        w["calls"] = calls.get(key[0], 0)
        for k, v in w.items():
            differ(gpu, k, r[k], v, 1e-9 if k == "kernels_s" else 0.0)
        low = begin + (r["begin_s"] + r["offset_s"]) * 1e9
        high = low + r["window_s"] * 1e9
        by = {k: joined([(a, b) for a, b, c in work[key] if c in k], low, high)
              for k in (("compute",), ("copy",), ("coll",), ("copy", "coll"),
                        ("compute", "copy"), ("compute", "copy", "coll"))}
        ns = {"compute_s": length(by[("compute",)]),
              "exposed_copies_s": length(by[("compute", "copy")]) - length(by[("compute",)]),
              "exposed_collectives_s":
                  length(by[("compute", "copy", "coll")]) - length(by[("compute", "copy")]),
              "hidden_s": common(by[("compute",)], by[("copy", "coll")]),
              "idle_s": high - low - length(by[("compute", "copy", "coll")])}
        for k, v in ns.items():
            if abs(r[k] - v * 1e-9) > 1e-3 * abs(v * 1e-9) + 1e-7 * r["window_s"]:
                differ(gpu, k, r[k], v * 1e-9, 1e-3)
    return failed


for f in sys.argv[1:]:
    check(f)
# SPDX-License-Identifier: GPL-3.0-or-later
