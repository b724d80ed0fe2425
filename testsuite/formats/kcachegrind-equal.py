#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kcachegrind-equal.py SHOWN FOLDED JSON: what KCachegrind shows of a program (kcachegrind.cc) is what the
folded stacks and the tables of -json say: samples of functions, of calls and of lines, how often calls
were made, and what else was measured."""

import collections
import json
import re
import sys

import folded

EVENTS = {"Calls": "calls", "Bytes": "bytes", "Allocations": "allocations", "ns": "time_ns"}


def number(text):
    return int(text) if text else 0


def add(table, key, *values):
    table[key] = tuple(map(sum, zip(table.get(key, (0,) * len(values)), values)))


def read(path):
    """What each kind of line tells; calls and lines have a function as a part of their keys."""
    shown = collections.defaultdict(dict)
    for line in open(path, encoding="utf-8"):
        kind, function, *fields = line.rstrip("\n").split("\t")
        if kind == "function":
            add(shown["functions"], function, number(fields[1]), number(fields[0]))
        elif kind == "event":
            add(shown[fields[0]], function, number(fields[2]))
        elif kind == "call":
            # The object and the source file stand behind the name.
            callee = re.sub(r" \([^()]*: [^()]*\)$|(?<=>) \([^()]*\)$", "", fields[0])
            add(shown["calls"], (function, callee), number(fields[1]))
            add(shown["call counts"], (function, callee), number(fields[2]))
        elif kind == "line":
            add(shown["lines"], (function, fields[0]), number(fields[1]))
        elif kind == "site":
            call = re.match(r" *([\d ]+) calls? to '(.*)' \([^()]*\)$", fields[1])
            if call:
                add(shown["sites"], (function, fields[0], call[2]), number(call[1].replace(" ", "")))
    return shown


shown, stacks = read(sys.argv[1]), folded.read(sys.argv[2])
with open(sys.argv[3], encoding="utf-8") as text:
    data = json.load(text)

functions = folded.tops(stacks)
functions["<outside>"] = (0, sum(count for _, count in stacks))
folded.compare(shown["functions"], functions, "functions")

calls = {pair: (count,) for pair, count in folded.calls(stacks).items()}
inside = {pair: value for pair, value in shown["calls"].items() if pair[0] != "<outside>"}
folded.compare(inside, calls, "calls")

events = [name for name in EVENTS if name in shown]
for name in events:
    want = {}
    for row in data["functions"]:
        add(want, row["function"], row[EVENTS[name]] or 0)
    folded.compare(shown[name], want, name)

# Lines are those of a function's own source file; a call of a function by itself is not shown.
files = {row["function"]: row["file"] for row in data["functions"]}
counts, sites, lines = {}, {}, {}
for row in data["call_sites"]:
    caller, callee = row["caller"], row["callee"]
    if not row["indirect"] and callee not in (None, caller) and row["calls"]:
        add(counts, (caller, callee), row["calls"])
        if row["line"] and row["file"] == files[caller]:
            add(sites, (caller, str(row["line"]), callee), row["calls"])
if counts:
    folded.compare({key: shown["call counts"].get(key, (0,)) for key in counts}, counts, "call counts")
    folded.compare({key: shown["sites"].get(key, (0,)) for key in sites}, sites, "call sites")

for row in data["lines"]:
    if row["line"] and row["file"] == files[row["function"]]:
        add(lines, (row["function"], str(row["line"])), row["samples"])
folded.compare({key: value for key, value in shown["lines"].items() if key[1] != "0"}, lines, "lines")
print(len(functions), "functions,", len(calls), "calls,", len(counts), "counted,", len(sites), "at their lines,", *events)
