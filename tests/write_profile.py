#!/usr/bin/env python3
"""write_profile LANES.csv PERIOD OUT [--gpus N] [--to RULE --copied B] [--seed K] [--ranges] -
a profile as a run of a predicted step would have left it: records of 40 steps from
`gpuscale explain --timeline --format csv`, in the SQLite of Nsight Systems (OUT ends
in .sqlite) or as params/trace writes it.  Kernels are called k17, threads and streams
are numbered at random, 2 % of the records are lost, one step in ten is slow, a
warm-up comes first, and without --ranges nothing is marked.

Where the lanes show one GPU of several that do the same, RULE (neighbours, ring, all)
says to whom each copies, and B is what all GPUs copy in a step.  Such lanes say several
kernels or copies of a phase in two rows, the last and those before, and repeat a phase:
here each is a record of its own."""
import argparse
import csv
import random
import sqlite3

STEPS = 40
NOW = 100_000_000

parser = argparse.ArgumentParser()
parser.add_argument("lanes")
parser.add_argument("period", type=float)
parser.add_argument("out")
parser.add_argument("--gpus", type=int, default=1)
parser.add_argument("--to", default="neighbours")
parser.add_argument("--copied", type=float, default=0)
parser.add_argument("--initiation", type=float, default=2.433e-6)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--lost", type=float, default=0.02)
parser.add_argument("--ranges", action="store_true")
arg = parser.parse_args()
rng = random.Random(arg.seed)

with open(arg.lanes) as f:
    lanes = list(csv.DictReader(l for l in f if not l.startswith("#")))
alike = max(int(float(r["alike"])) for r in lanes)

UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "kB": 1000, "MB": 10**6}
process = rng.randrange(1000, 30000)
threads, streams, kernels = {}, {}, {}
rows, last_record = [], {}
correlation = rng.randrange(100, 5000)
syncs = 0

def number(table, key, low, high):
    while key not in table:
        v = rng.randrange(low, high)
        if v not in table.values():
            table[key] = v
    return table[key]

def partners(g, n):
    if arg.to == "all":
        return [(g + i) % n for i in range(1, n)]
    if arg.to == "ring":
        return [(g - 1) % n, (g + 1) % n] if n > 2 else [1 - g]
    return [i for i in (g - 1, g + 1) if 0 <= i < n]

def kernel_name(phase, what):
    """Two phases may share a name: then their grids differ."""
    number(kernels, phase, 0, 1000)
    index = list(kernels).index(phase)
    return "k%d" % (17 + index // 2), 64 * (index + 1)

def call(name, thread, start, end):
    global correlation
    correlation += 1
    rows.append(dict(kind="call", thread=thread, start=start, end=end, name=name,
                     correlation=correlation))
    return correlation

def put(r, g, thread, at):
    """One action of GPU g, its times moved by `at` ns."""
    global syncs
    t = lambda key: int(round(at + float(r[key]) * 1e9))
    has = lambda key: r[key] not in ("", "nan")
    action, what = r["action"], r["what"]
    start, end = t("call_s"), t("back_s")
    stream = number(streams, (g, r["stream"]), 7, 200) if r["stream"] else None
    work = dict(gpu=g, stream=stream)
    if action == "launch":
        name, blocks = kernel_name(r["phase"], what)
        c = call("cudaLaunchKernel", thread, start, end)
        rows.append(dict(work, kind="kernel", start=t("begin_s"), end=t("end_s"),
                         name=name, blocks=blocks, correlation=c))
    elif action == "memset":
        c = call("cudaMemsetAsync", thread, start, end)
        rows.append(dict(work, kind="memset", start=t("begin_s"), end=t("end_s"),
                         bytes=4, correlation=c))
    elif action in ("copy-d2h", "copy-h2d"):
        size, unit = what.split()[:2]
        c = call("cudaMemcpyAsync", thread, start, end)
        rows.append(dict(work, kind="copy", copy=action[5:], start=t("begin_s"),
                         end=t("end_s"), bytes=int(float(size) * UNITS[unit]),
                         correlation=c))
    elif action == "copy-d2d" and "place" in r:
        to = partners(g, arg.gpus)
        if r["place"] < len(to) * r["each"]:
            c = call("cudaMemcpyPeerAsync", thread, start, end)
            rows.append(dict(work, kind="copy", copy="p2p", start=t("begin_s"), end=t("end_s"),
                             bytes=r["bytes"], dst=to[r["place"] // r["each"]], correlation=c))
    elif action == "copy-d2d":
        size, unit, _, _, dst = what.split()
        c = call("cudaMemcpyPeerAsync", thread, start, end)
        rows.append(dict(work, kind="copy", copy="p2p", start=t("begin_s"), end=t("end_s"),
                         bytes=int(float(size) * UNITS[unit]), dst=int(dst), correlation=c))
    elif action == "record":
        c = call("cudaEventRecord", thread, start, end)
        syncs += 1
        last_record[what] = syncs
        rows.append(dict(work, kind="event", sync=syncs, correlation=c, start=0, end=0))
    elif action == "wait":
        c = call("cudaStreamWaitEvent", thread, start, end)
        rows.append(dict(work, kind="wait", sync=last_record.get(what, 0), correlation=c,
                         start=start, end=end))
    elif action == "sync-event":
        c = call("cudaEventSynchronize", thread, start, end)
        rows.append(dict(kind="sync", gpu=None, stream=None, sync=last_record.get(what, 0),
                         correlation=c, start=start, end=end))
    elif action == "sync-stream":
        c = call("cudaStreamSynchronize", thread, start, end)
        rows.append(dict(work, kind="sync", sync=0, correlation=c, start=start, end=end))

# ---- lanes of one GPU that stands for all: each kernel and copy by itself ----

def span(r, begin, end):
    return float(r[end]) - float(r[begin])

def together(rows):
    """Rows of one phase: the kernels and the copies that it has."""
    kernels = [r for r in rows if r["action"] == "launch"]
    copies = [r for r in rows if r["action"] == "copy-d2d"]
    between = {r["what"]: span(r, "call_s", "back_s") for r in rows if r["action"] == "host"}
    return kernels, copies, between

def split(first, last, n):
    """n actions: calls and device work one behind the other, from `first` to `last`."""
    call, begin = float(first["call_s"]), float(first["begin_s"])
    a, b = span(first, "call_s", "back_s"), (float(last["end_s"]) - begin) / n
    return [dict(first, call_s=call + i * a, back_s=call + (i + 1) * a,
                 begin_s=begin + i * b, end_s=begin + (i + 1) * b) for i in range(n)]

def counted(first, between, word):
    """Of calls in a row: the first, those between, the last."""
    return 2 + round(between.get(word, 0.0) / span(first, "call_s", "back_s"))

def apart(rows):
    kernels, copies, between = together(rows)
    out = []
    if kernels:
        n = len(kernels) if len(kernels) < 2 else counted(kernels[0], between, "launches")
        out += split(kernels[0], kernels[-1], n)
    if copies:
        n = len(copies) if len(copies) < 2 else counted(copies[0], between, "calls of copies")
        # a phase of one copy has a row for those before it, too
        real = n if float(copies[0]["end_s"]) > float(copies[0]["begin_s"]) else n - 1
        for i, r in enumerate(split(copies[0], copies[-1], real)):
            out.append(dict(r, place=i, copies=real))
    return out + [r for r in rows if r["action"] not in ("launch", "copy-d2d", "host")]

def pieces():
    """Rows of each phase, from its launch to what the host waits for."""
    out = []
    for r in lanes:
        if r["action"] == "launch" and (not out or r["what"] != "last kernel"):
            out.append([])
        out[-1].append(r)
    return out

def unrolled():
    found = pieces()
    begins = [float(v[0]["call_s"]) for v in found] + [arg.period]
    out = []
    for i, v in enumerate(found):
        times = max(1, round(float(v[0]["repeats"])))
        length = (begins[i + 1] - begins[i]) / times
        for k in range(times):
            for r in apart(v):
                move = lambda key: r[key] and str(float(r[key]) + k * length)
                out.append(dict(r, **{key: move(key) if r[key] != "" else ""
                                      for key in ("call_s", "back_s", "begin_s", "end_s")},
                                phase=i))
    # bytes go with the time of a copy beyond its initiation
    most = max(len(partners(g, arg.gpus)) for g in range(arg.gpus))
    all_to = sum(len(partners(g, arg.gpus)) for g in range(arg.gpus))
    moves = [r for r in out if "place" in r]
    wire = lambda r: max(0.0, span(r, "begin_s", "end_s") - arg.initiation)
    total = sum(wire(r) for r in moves)
    for r in moves:
        r["each"] = max(1, r["copies"] // max(1, most))
        r["bytes"] = max(1, round(arg.copied * wire(r) / total * most / max(1, all_to)))
    return out

def warm_up():
    t = NOW - 40_000_000
    for g in range(arg.gpus):
        thread = number(threads, g if alike > 1 else 0, 40, 9000)
        stream = number(streams, (g, "main"), 7, 200)
        for i in range(3):
            c = call("cudaLaunchKernel", thread, t, t + 17_000)
            rows.append(dict(kind="kernel", gpu=g, stream=stream, start=t + 20_000,
                             end=t + 90_000 + 7 * i, name="init", blocks=3 + i, correlation=c))
            t += 200_000

def steps():
    at = NOW
    rows_of_step = unrolled() if alike > 1 else lanes
    for k in range(STEPS):
        step = "odd" if k % 2 else "even"
        # the lanes of odd steps go on from those of even ones
        mine = [r for r in rows_of_step if r["step"] in ("every", step)]
        behind = arg.period * 1e9 if step == "odd" else 0
        for g in range(arg.gpus if alike > 1 else 1):
            for r in mine:
                thread = number(threads, g if alike > 1 else int(float(r["thread"])), 40, 9000)
                own = g if alike > 1 else int(float(r["gpu"])) if r["gpu"] else 0
                put(r, own, thread, at - (behind if r["step"] == "odd" else 0))
        if arg.ranges:
            rows.append(dict(kind="range", thread=min(threads.values()), start=at - 200,
                             end=int(at + arg.period * 1e9 - 300), name="step %d" % k))
        at += int(round(arg.period * 1e9 * (1.5 if k % 10 == 7 else 1.0)))

def kept(r):
    return rng.random() >= arg.lost or r["kind"] == "range"

def write_trace(f):
    print("gpuscale-trace 1", file=f)
    print("kind,process,thread,device,stream,start_ns,end_ns,correlation,name,bytes,"
          "src,dst,extra", file=f)
    names = {"p2p": "PtoP", "d2h": "DtoH", "h2d": "HtoD"}
    for r in rows:
        none = lambda k: "" if r.get(k) is None else r[k]
        extra = ""
        if r["kind"] == "kernel":
            extra = "grid=%dx1x1 block=256x1x1" % r["blocks"]
        if r.get("sync"):
            extra = "event=%d sync=%d" % (r["sync"] % 8, r["sync"])
        name = names[r["copy"]] if r["kind"] == "copy" else none("name")
        src = r["gpu"] if r.get("copy") == "p2p" else ""
        print(r["kind"], process, none("thread"), none("gpu"), none("stream"), r["start"],
              r["end"], none("correlation"), name, none("bytes"), src, none("dst"), extra,
              sep=",", file=f)

def write_sqlite(path):
    db = sqlite3.connect(path)
    base = process << 24
    strings = {}
    key = lambda s: strings.setdefault(s, len(strings) + 1)
    db.executescript("""
      create table META_DATA_EXPORT(name text, value text);
      create table StringIds(id integer primary key, value text);
      create table CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, contextId, streamId,
        correlationId, globalPid, demangledName, shortName, gridX, gridY, gridZ,
        blockX, blockY, blockZ);
      create table CUPTI_ACTIVITY_KIND_MEMCPY(start, end, deviceId, contextId, streamId,
        correlationId, globalPid, bytes, copyKind, srcKind, dstKind, srcDeviceId, dstDeviceId);
      create table CUPTI_ACTIVITY_KIND_MEMSET(start, end, deviceId, contextId, streamId,
        correlationId, globalPid, bytes);
      create table CUPTI_ACTIVITY_KIND_RUNTIME(start, end, eventClass, globalTid,
        correlationId, nameId, returnValue);
      create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, deviceId, contextId,
        streamId, correlationId, globalPid, syncType, eventId, eventSyncId);
      create table CUPTI_ACTIVITY_KIND_CUDA_EVENT(deviceId, contextId, streamId,
        correlationId, globalPid, eventId, eventSyncId);
      create table NVTX_EVENTS(start, end, eventType, globalTid, text, textId);""")

    def add(table, *v):
        db.execute("insert into %s values(%s)" % (table, ",".join("?" * len(v))), v)

    for r in rows:
        g, s, c = r.get("gpu"), r.get("stream"), r.get("correlation")
        context = 1 if g is None else g + 1
        at = (r["start"], r["end"], g, context, s, c, base)
        if r["kind"] == "kernel":
            name = key(r["name"])
            add("CUPTI_ACTIVITY_KIND_KERNEL", *at, name, name, r["blocks"], 1, 1, 256, 1, 1)
        elif r["kind"] == "copy":
            kind = {"h2d": 1, "d2h": 2, "p2p": 10}[r["copy"]]
            peer = (g, r["dst"]) if kind == 10 else (None, None)
            add("CUPTI_ACTIVITY_KIND_MEMCPY", *at, r["bytes"], kind, 2 if kind != 1 else 1,
                2 if kind != 2 else 1, *peer)
        elif r["kind"] == "memset":
            add("CUPTI_ACTIVITY_KIND_MEMSET", *at, r["bytes"])
        elif r["kind"] == "call":
            add("CUPTI_ACTIVITY_KIND_RUNTIME", r["start"], r["end"], 0, base | r["thread"], c,
                key(r["name"] + "_v11060"), 0)
        elif r["kind"] == "event":
            add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", g, context, s, c, base, r["sync"] % 8, r["sync"])
        elif r["kind"] in ("wait", "sync"):
            add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", r["start"], r["end"], 0, context,
                0xFFFFFFFF if s is None else s, c, base, 2, r["sync"] % 8, r["sync"] or None)
        elif r["kind"] == "range":
            add("NVTX_EVENTS", r["start"], r["end"], 59, base | r["thread"], r["name"], None)
    for text, number_of in strings.items():
        add("StringIds", number_of, text)
    add("META_DATA_EXPORT", "EXPORT_SCHEMA_VERSION", "3.25.0")
    db.commit()
    db.close()

warm_up()
steps()
rows = [r for r in rows if kept(r)]
rng.shuffle(rows)
if arg.out.endswith(".sqlite"):
    write_sqlite(arg.out)
else:
    with open(arg.out, "w") as f:
        write_trace(f)
# SPDX-License-Identifier: GPL-3.0-or-later
