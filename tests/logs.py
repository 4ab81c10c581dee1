#!/usr/bin/env python3
"""logs.py GPUSCALE COUNT [SEED] [KEEP] - logs of nccl-tests whose truth is known, read by `gpuscale expect`.

Each log has a version (2.10 to 2.20), a collective, ranks on nodes, perhaps in groups, and what people's terminals,
launchers and pages do to it: prefixes, indents, colours, carriage returns, other output between its lines, cuts, lost
lines.  Prints how many logs had a wrong number of ranks, a wrong collective, rows lost without a word, or another exit
status than 0, 1 or, for a log of which nothing is left, 3.  Exits 1 if there is one; KEEP is a folder for these."""
import csv, os, random, subprocess, sys, tempfile

KINDS = {  # program: name of `expect`, bus bandwidth over algorithm bandwidth, columns redop and root
    "all_reduce": ("all-reduce", lambda n: 2 * (n - 1) / n, "sum", -1),
    "all_gather": ("all-gather", lambda n: (n - 1) / n, "none", -1),
    "reduce_scatter": ("reduce-scatter", lambda n: (n - 1) / n, "sum", -1),
    "alltoall": ("all-to-all", lambda n: (n - 1) / n, "none", -1),
    "sendrecv": ("send-recv", lambda n: 1, "sum", -1),
    "broadcast": ("broadcast", lambda n: 1, "none", 0),
    "reduce": ("reduce", lambda n: 1, "sum", 0),
}
PREFIXES = ["", "", "", "[1,0]<stdout>:", "[1,0]<stdout> :", "[prterun-node-a-77@1,0]<stdout>: ", "0: ", " 0: ", "> ", "    ", "\t", "[0]:", "[rank0]: ", "node-17: ",
            "worker-1  | ", "2024-05-01T12:00:00.123456789Z ", "2024-05-01T12:00:00.123456789Z stdout F ",
            "2024-05-01 12:00:00,123 - INFO - ", "[2024-05-01 12:00:00] ", "12:00:01 ", "(worker pid=77) ", "[default0]:",
            "Wed May  1 12:00:00 2024[1,0]<stdout>:", "\033[32m"]
NOISE = ["node-a:4000:4012 [0] NCCL INFO Channel 00/16 : 0 1 2 3", "ERROR: ld.so: object 'libx.so' cannot be preloaded",
         "node-b:4001:4019 [3] NCCL INFO comm 0x55 rank 3 nranks 8 - Init COMPLETE", "WARNING: no such file", ""]


def width7(v):
    """A number as nccl-tests prints it, in at most seven characters."""
    return "%.2f" % v if v < 1e4 else "%.1f" % v if v < 1e5 else "%.0f" % v if v < 1e7 else "%.1e" % v


def rank_lines(r, version, names, each, gpus, split):
    out = []
    for i, (host, device) in enumerate(names):
        group = " Group %2d" % (i & split if split else 0) if version >= 2.14 else ""
        bus = "[0x%02x]" % (16 + device) if version < 2.17 else "[0000:%02x:00]" % (16 + device)
        out.append("#  Rank %2d%s Pid %6d on %10s device %2d %s %s" % (i, group, 4000 + i, host, device, bus, gpus))
    return out


def make(r):
    """Returns a name, lines, and the truth."""
    version = r.choice([2.10, 2.11, 2.13, 2.14, 2.16, 2.17, 2.18, 2.20])
    program = r.choice(list(KINDS))
    label, bus, redop, root = KINDS[program]
    nodes = r.choice([1, 1, 1, 2, 4])
    each = r.choice([2, 4, 8, 8]) if nodes == 1 else 8
    turns = nodes > 1 and r.random() < 0.2
    all_ranks = nodes * each
    names = [("node-%c" % (97 + (i % nodes if turns else i // each)), i // nodes if turns else i % each)
             for i in range(all_ranks)]
    split = r.choice([1, 3, 7]) if version >= 2.14 and all_ranks >= 16 and r.random() < 0.3 else 0
    n = all_ranks // (split + 1)
    gpus = r.choice(["NVIDIA H100 80GB HBM3", "NVIDIA H100"])
    lines = []
    named = version >= 2.17
    command = "./build/%s_perf -b 8 -e 8G -f 2 -g %d" % (program, each if nodes == 1 else 1)
    if r.random() < 0.3: lines.append("+ " + command)
    if named: lines.append("# Collective test starting: %s_perf" % program)
    lines += ["# nThread 1 nGpus %d minBytes 8 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 "
              "validat%s: 1 graph: 0" % (each if nodes == 1 else 1, "ion"), "#", "# Using devices"]
    at = len(lines)
    lines += rank_lines(r, version, names, each, gpus, split)
    end = len(lines)
    wrong = "#wrong" if version >= 2.13 else "error"
    with_root = version >= 2.11 or root >= 0
    with_redop = version >= 2.11 or redop != "none"
    cols = "size count type" + " redop" * with_redop + " root" * with_root + (" time algbw busbw " + wrong) * 2
    lines += ["#", "#" + " " * 60 + "out-of-place" + " " * 20 + "in-place", "#  " + "  ".join(cols.split()),
              "#   (B)  (elements)" + " " * 20 + "(us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)"]
    size, rows, bad = float(r.choice([8, 1024, 65536, 1 << 20])) * 4, 0, 0
    first = len(lines)
    while rows < r.randint(1, 12) and size <= 2 ** 33:
        both = ""
        for place in range(2):
            time = 15e-6 + size * r.uniform(0.9, 1.1) / (150e9 if nodes == 1 else 40e9)
            algbw = size / time / 1e9 * (n if program == "sendrecv" and False else 1)
            error = "0" if wrong == "#wrong" else "0e+00"
            if program == "alltoall" and place == 1: error = "N/A"
            both += "  %7s  %6.2f  %6.2f  %6s" % (width7(time * 1e6), algbw, algbw * bus(n), error)
        lines.append("%12d  %12d  %8s" % (size, size // 4, "float") + ("  %6s" % redop) * with_redop +
                     ("  %6d" % root) * with_root + both)
        rows += 1
        size *= r.choice([2, 2, 4])
    last = len(lines)
    lines += ["# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 77.7", "#"]
    # What the rows themselves tell of n, and what must then be said.
    told = bus(2) != 1 and size > 2 ** 24
    truth = dict(label=label, n=n, rows=rows * 2, said=False, program=program, left=rows)
    damage = r.random()
    if damage < 0.1 and told and not split and end - at > 2:  # a rank is lost
        del lines[r.randrange(at, end - 1)]
        truth["said"] = True
    elif damage < 0.2 and told and not split and end - at > 2:  # most ranks are left out
        lines[at + 2:end] = ["#  ..."]
        truth["said"] = True
    elif damage < 0.35 and rows > 1:  # the file ends early
        k = r.randrange(first + 1, last)
        del lines[k:]
        truth["rows"], truth["cut"] = 2 * (k - first), True
    elif damage < 0.45:  # a row is broken by another line
        k = r.randrange(first, last)
        lines[k] = lines[k][:r.randrange(20, len(lines[k]) - 20)] + r.choice(NOISE[:4])
        truth["rows"] -= 2
        truth["broken"] = True
    noise = r.random() < 0.3
    if noise:
        for _ in range(r.randint(1, 6)): lines.insert(r.randint(0, len(lines)), r.choice(NOISE))
    if r.random() < 0.1: lines = [l.lstrip("# ") if l.startswith("#") else l for l in lines]  # rendered
    prefix = r.choice(PREFIXES)
    lines = [prefix + l + ("\033[0m" if prefix == "\033[32m" else "") for l in lines]
    if r.random() < 0.15: lines = ["Here is my log:", "```"] + lines + ["```"]
    name = program + ".log" if not named or r.random() < 0.5 else "log%d.txt" % r.randint(1, 9)
    return name, lines, truth, "\r\n" if r.random() < 0.15 else "\n"


def judge(program, path, truth):
    """Returns what is wrong with the answer, or nothing."""
    run = subprocess.run([program, "expect", path, "--system", "dgx-h100-ndr", "-f", "csv"], capture_output=True, text=True)
    rows = list(csv.DictReader(l for l in run.stdout.splitlines() if not l.startswith("#")))
    said = run.stderr
    if run.returncode not in (0, 1) and not (run.returncode == 3 and truth["rows"] == 0):
        return "status %d: %s" % (run.returncode, said.strip()[-200:])
    if any(int(x["gpus"]) != truth["n"] for x in rows):
        return "ranks: %s for %d" % (sorted({x["gpus"] for x in rows}), truth["n"])
    if truth["n"] <= 512 and any(x["collective"] not in (truth["label"], truth["program"].replace("_", "")) for x in rows):
        return "collective: %s for %s" % (sorted({x["collective"] for x in rows}), truth["label"])
    # The first result of a broken row may be whole.
    if len(rows) - truth["rows"] not in (0, 1 if truth.get("broken") else 0): return "rows: %d of %d: %s" % (len(rows), truth["rows"], said.strip()[-200:])
    loud = "note:" in said or run.returncode == 3
    if (truth["said"] or truth.get("cut") or truth.get("broken")) and not loud: return "nothing is said: " + said[-200:]
    return ""


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    r = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    found = {}
    for i in range(count):
        name, lines, truth, feed = make(r)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "w", newline="") as f: f.write(feed.join(lines) + feed)
            bad = judge(program, path, truth)
        if not bad: continue
        found.setdefault(bad.split(":")[0], []).append((i, bad))
        if len(sys.argv) > 4:
            with open(os.path.join(sys.argv[4], "%d-%s" % (i, name)), "w", newline="") as f: f.write(feed.join(lines) + feed)
    print("%d logs: " % count + ", ".join("%d %s" % (len(v), k) for k, v in sorted(found.items())) if found else
          "%d logs: no wrong ranks, no lost rows, no crash" % count)
    for v in found.values():
        for i, bad in v[:6]: print(i, bad)
    return bool(found)


if __name__ == "__main__": sys.exit(main())
