#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""callgrind-equal.py FOLDED SELF INCLUSIVE TREE: what callgrind_annotate prints (--threshold=100
--show=Samples; --inclusive=yes; that with --tree=calling) says of each function what the folded stacks say."""

import re
import sys

import folded


def rows(path):
    """The samples, the mark and the name of each row."""
    for line in open(path):
        match = re.match(r" *([\d,]+) \([ \d.]+%\)  ( ?[*<>] +)?(.*)", line)
        if not match or "PROGRAM TOTALS" in line:
            continue
        # The object file may be [kernel].
        name = re.sub(r" \[(\[[^\[]*\]|[^\[]*)\]$", "", match[3])
        name = re.sub(r" \(\d[\d,]*x\)$", "", name)
        yield int(match[1].replace(",", "")), (match[2] or "").strip(), name.split(":", 1)[1]


def totals(path):
    found = {}
    for count, _, name in rows(path):
        found[name] = (found.get(name, (0,))[0] + count,)
    return found


stacks = folded.read(sys.argv[1])
tops = folded.tops(stacks)
tops["<outside>"] = (0, sum(count for _, count in stacks))
folded.compare(totals(sys.argv[2]), folded.own(stacks), "self")
folded.compare(totals(sys.argv[3]), {name: value[1:] for name, value in tops.items()}, "inclusive")
found, caller = {}, None
for count, mark, name in rows(sys.argv[4]):
    if mark == "*":
        caller = name
    elif mark == ">" and caller != "<outside>":
        found[caller, name] = (found.get((caller, name), (0,))[0] + count,)
folded.compare(found, {pair: (count,) for pair, count in folded.calls(stacks).items()}, "calls")
