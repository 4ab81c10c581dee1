#!/usr/bin/env python3
"""reader SYSTEM.lua... - reads what gpuscale reads and writes, by its documentation alone:
a description's numbers (docs/reference/language.md: text with units, origins), CSV (lines that begin with
# are the head, columns by name), JSON (NaN is null).  It shares no code with the program.

Each number of a description must be what `explain` says of it, value and standard error; the
rows of predict's CSV must be those of its JSON.  Prints how much agreed, or what did not."""
import csv, json, math, re, subprocess, sys

TOKEN = re.compile(r'\s+|--\[\[.*?\]\]|--[^\n]*|("(?:[^"\\]|\\.)*")|(-?\d+\.?\d*(?:[eE][+-]?\d+)?)|([A-Za-z_][\w.]*)|([{}(),=;\[\]])', re.S)
PREFIX = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15,
          "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
NUMBER = re.compile(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?) ?(Ki|Mi|Gi|Ti|[kMGTPmunpf]?)(B/s|B|s/B|s|flop/s|J/B|J|W|/s|Hz|%)?$")
ORIGINS = ("spec", "measured", "projected", "inherited", "assumed", "counted", "derived", "fitted")


# ---- a description -----------------------------------------------------------------------

class Reader:
    def __init__(self, text):
        self.words, at = [], 0
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                raise ValueError(f"cannot read {text[at:at + 30]!r}")
            if m.lastindex:
                self.words.append(m.group(m.lastindex))
            at = m.end()
        self.at = self.words.index("return") + 1

    def take(self, word=None):
        self.at += 1
        if word and self.words[self.at - 1] != word:
            raise ValueError(f"{word} wanted, {self.words[self.at - 1]} is there")
        return self.words[self.at - 1]

    def value(self):
        word = self.take()
        if word == "{":
            self.at -= 1
            return self.table()
        if word[0] == '"':
            return word[1:-1]
        if re.match(r"-?\d", word):
            return float(word)
        if word in ("true", "false", "nil"):
            return {"true": True, "false": False, "nil": None}[word]
        name = word.split(".")[-1]
        if self.words[self.at] == "{":
            return (name, [self.table()])
        if self.words[self.at] != "(":
            return word  # a local: a text
        return (name, self.listed("(", ")"))

    def listed(self, first, last):
        found = []
        self.take(first)
        while self.words[self.at] != last:
            found.append(self.value())
            if self.words[self.at] in ",;":
                self.take()
        self.take(last)
        return found

    def table(self):
        """Fields by name; those without one by 1, 2, ..."""
        found, n = {}, 0
        self.take("{")
        while self.words[self.at] != "}":
            if self.words[self.at + 1] == "=":
                key = self.take()
                self.take("=")
            else:
                n += 1
                key = n
            found[key] = self.value()
            if self.words[self.at] in ",;":
                self.take()
        self.take("}")
        return found


def quantity(text):
    """A number, or text with a unit, in SI units."""
    if isinstance(text, float):
        return text
    m = NUMBER.match(text)
    if not m:
        raise ValueError(f"no number: {text!r}")
    return float(m.group(1)) * PREFIX[m.group(2) or ""] * (0.01 if m.group(3) == "%" else 1)


def number(origin, words):
    """Value and standard error of a number with an origin."""
    value = quantity(words[0])
    if origin == "assumed":
        low, high = quantity(words[1][1]), quantity(words[1][2])
        return value, (high - low) / math.sqrt(12)
    if origin in ("measured", "projected", "inherited", "fitted") and len(words) > 1:
        relative = isinstance(words[1], str) and words[1].endswith("%")
        return value, quantity(words[1]) * (value if relative else 1)
    return value, 0.0


def numbers(table, path=""):
    for key, v in table.items():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(v, dict):
            yield from numbers(v, name)
        elif isinstance(v, tuple) and v[0] in ORIGINS and v[1] and not isinstance(v[1][0], dict):
            yield name, v[0], *number(*v)


# ---- what the program says ------------------------------------------------------------------

def asked(*words):
    return subprocess.run(["gpuscale", *words], check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def table(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def same(a, b):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def description(path):
    """Numbers of a file that explain says too; how they differ."""
    with open(path) as f:
        name, (fields,) = Reader(f.read()).value()
    if name != "system":
        raise ValueError(f"{path}: a {name}, no system")
    said = {r["name"]: r for r in table(asked("explain", "jacobi", "--system", path, "--gpus", "2", "-p", "memcpy", "-f", "csv"))}
    shared, wrong = 0, []
    for name, origin, value, err in numbers(fields):
        if name in said and said[name]["origin"] == origin:
            shared += 1
            row = said[name]
            if not same(float(row["value"]), value) or not same(float(row["err"]), err):
                wrong.append(f"{path}: {name}: {value} +/- {err}, explain: {row['value']} +/- {row['err']}")
    return shared, wrong


def answers():
    """predict's rows as CSV and as JSON."""
    question = ["predict", "jacobi", "--system", "h200x8", "--gpus", "1,4", "-f"]
    rows, wrong = table(asked(*question, "csv")), []
    result = json.loads(asked(*question, "json"))
    if result["schema"] != "gpuscale.predict/1" or len(rows) != len(result["rows"]):
        wrong.append("other rows in JSON")
    for row, other in zip(rows, result["rows"]):
        for key, text in row.items():
            v = other[key]
            if v is None:
                ok = text in ("", "nan")
            else:
                ok = same(float(text), v) if isinstance(v, (int, float)) else text == v
            if not ok:
                wrong.append(f"{key}: {text!r} in CSV, {v!r} in JSON")
    return len(rows), wrong


def main():
    shared, wrong = 0, []
    for path in sys.argv[1:]:
        n, bad = description(path)
        shared += n
        wrong += bad + ([f"{path}: explain says none of it"] if n < 3 else [])
    rows, bad = answers()
    wrong += bad
    print("\n".join(wrong) if wrong else f"{len(sys.argv) - 1} descriptions, {shared} numbers, {rows} rows: as documented")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: GPL-3.0-or-later
