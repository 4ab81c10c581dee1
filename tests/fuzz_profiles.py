#!/usr/bin/env python3
"""fuzz_profiles CASES SEED FILE... - CASES damaged copies of each profile: bytes flipped,
runs of them zeroed, doubled or taken away, numbers made huge, a file cut.  `gpuscale
describe` must read each or refuse it with words and exit status 3, in ten seconds."""
import random
import re
import subprocess
import sys

NUMBERS = (b"-1", b"0", b"1e308", b"99999999999999999999", b"nan", b"", b"\xff\xfe")


def flip(data, rng):
    for _ in range(rng.randrange(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return data


def cut(data, rng):
    return data[:rng.randrange(len(data))]


def piece(data, rng):
    at = rng.randrange(len(data))
    return at, min(len(data), at + rng.randrange(1, 4096))


def zero(data, rng):
    a, b = piece(data, rng)
    data[a:b] = bytes(b - a)
    return data


def double(data, rng):
    a, b = piece(data, rng)
    return data[:b] + data[a:b] + data[b:]


def remove(data, rng):
    a, b = piece(data, rng)
    return data[:a] + data[b:]


def number(data, rng):
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return flip(data, rng)
    m = rng.choice(found)
    return data[:m.start()] + rng.choice(NUMBERS) + data[m.end():]


def main():
    cases, rng, bad = int(sys.argv[1]), random.Random(int(sys.argv[2])), 0
    for path in sys.argv[3:]:
        with open(path, "rb") as f:
            whole = f.read()
        for i in range(cases):
            data = bytearray(whole)
            for _ in range(rng.randrange(1, 4)):
                if data:
                    data = rng.choice((flip, cut, zero, double, remove, number))(data, rng)
            with open("damaged", "wb") as f:
                f.write(data)
            for last in (["--show"], ["-o", "damaged.lua"]):
                try:
                    r = subprocess.run(["gpuscale", "describe", "damaged"] + last,
                                       capture_output=True, timeout=10)
                    how = r.returncode
                except subprocess.TimeoutExpired:
                    r, how = None, "no end"
                if how not in (0, 3) or (how == 3 and not r.stderr):
                    bad += 1
                    print("%s, case %d, %s: %s" % (path, i, last[0], how))
                    with open("bad-%s-%d" % (path.split("/")[-1], i), "wb") as f:
                        f.write(data)
    print("%d of %d" % (bad, 2 * cases * len(sys.argv[3:])))


main()
# SPDX-License-Identifier: GPL-3.0-or-later
