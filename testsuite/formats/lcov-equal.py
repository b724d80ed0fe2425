#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lcov-equal.py OURS THEIRS [NAME]: two tracefiles say the same of each source file, or of those that are called NAME:
lines, functions, branches. Prints how much was compared."""

import collections
import os
import sys


def load(path, only):
    """Counts by file, kind and what they are of."""
    counts = collections.Counter()
    starts = {}
    branches = collections.Counter()
    for text in open(path, encoding="utf-8"):
        key, _, value = text.rstrip("\n").partition(":")
        if key == "SF":
            file = os.path.basename(value)
            branches.clear()
        elif key == "DA":
            line, count = value.split(",")
            counts[file, "line", line] += int(count)
        elif key == "FN":
            line, name = value.split(",", 1)
            starts[file, name] = line
        elif key == "FNDA":
            count, name = value.split(",", 1)
            counts[file, "function", f"{name}:{starts[file, name]}"] += int(count)
        elif key == "FNL":  # lcov 2.2 and later: an index, which several names may have
            index, line = value.split(",")[:2]
            starts[file, index] = line
        elif key == "FNA":
            index, count, name = value.split(",", 2)
            counts[file, "function", f"{name}:{starts[file, index]}"] += int(count)
        elif key == "BRDA":
            line, block, branch, count = value.split(",")
            block = block.lstrip("ef")  # of lcov 2: taken by an exception, by falling through
            # lcov 2.5 names the two blocks of a branch, where before the branches were numbered, and tells instances
            # of a template one by one if their branches are not the same ones.
            if not branch.isdigit():
                branches[line, block] += 1
                branch = branches[line, block] - 1
                block = "0"
            counts[file, "branch", f"{line},{block},{branch}"] += 0 if count == "-" else int(count)
    return {key: count for key, count in counts.items() if only in (None, key[0])}


only = (sys.argv[3:] or [None])[0]
ours, theirs = (load(path, only) for path in sys.argv[1:3])
different = [key for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]
for key in different[:40]:
    print(*key, ours.get(key), "not", theirs.get(key))
print(*(f"{sum(key[1] == kind for key in theirs)} {kind}s" for kind in ("line", "function", "branch")))
sys.exit(bool(different) or not theirs)
