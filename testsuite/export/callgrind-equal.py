#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""callgrind-equal.py FOLDED SELF INCLUSIVE TREE: what callgrind_annotate prints (--threshold=100
--show=Samples; --inclusive=yes; that with --tree=calling) says of each function what the folded stacks say."""

import collections
import re
import sys

own, inclusive, pairs = (collections.Counter() for _ in range(3))
total = 0
for line in open(sys.argv[1]):
    path, count = line.rsplit(" ", 1)
    path, count = path.split(";"), int(count)
    total += count
    own[path[-1]] += count
    for name in set(path):
        inclusive[name] += count
    # The call that is open in each function's innermost activation.
    last = {name: i for i, name in enumerate(path)}
    for name, i in last.items():
        if i + 1 < len(path):
            pairs[name, path[i + 1]] += count
inclusive["<outside>"] = total


def rows(path, marked=None):
    """The samples and the name of each row."""
    for line in open(path):
        match = re.match(r" *([\d,]+) \([ \d.]+%\)  ( ?[*<>] +)?(.*)", line)
        if not match or "PROGRAM TOTALS" in line:
            continue
        name = re.sub(r" \(\d[\d,]*x\)$", "", re.sub(r" \[[^\[]*\]$", "", match[3]))
        yield int(match[1].replace(",", "")), (match[2] or "").strip(), name.split(":", 1)[1]


def compare(what, got, want):
    got = {key: count for key, count in got.items() if count}
    want = {key: count for key, count in want.items() if count}
    for key in sorted(set(got) | set(want), key=str):
        if got.get(key, 0) != want.get(key, 0):
            sys.exit(f"{what}: {key}: {got.get(key, 0)} samples, not {want.get(key, 0)}")
    if not got:
        sys.exit(f"{what}: nothing was read")


def totals(path):
    found = collections.Counter()
    for count, _, name in rows(path):
        found[name] += count
    return found


compare("self", totals(sys.argv[2]), own)
compare("inclusive", totals(sys.argv[3]), inclusive)
found, caller = collections.Counter(), None
for count, mark, name in rows(sys.argv[4]):
    if mark == "*":
        caller = name
    elif mark == ">":
        found[caller, name] += count
compare("calls", {key: count for key, count in found.items() if key[0] != "<outside>"}, pairs)
