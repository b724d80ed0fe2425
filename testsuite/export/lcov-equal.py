#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lcov-equal.py OURS THEIRS [NAME...]: two tracefiles say the same of each source file, or of those
that are called NAME: lines, functions, branches. Prints how much was compared."""

import collections
import os
import sys


def load(path, only):
    """Counts by file, kind and what they are of."""
    counts = collections.Counter()
    starts = {}
    for text in open(path, encoding="utf-8"):
        key, _, value = text.rstrip("\n").partition(":")
        if key == "SF":
            file = os.path.basename(value)
        elif key == "DA":
            line, count = value.split(",")
            counts[file, "line", line] += int(count)
        elif key == "FN":
            line, name = value.split(",", 1)
            starts[file, name] = line
        elif key == "FNDA":
            count, name = value.split(",", 1)
            counts[file, "function", f"{name}:{starts[file, name]}"] += int(count)
        elif key == "BRDA":
            line, block, branch, count = value.split(",")
            counts[file, "branch", f"{line},{block},{branch}"] += 0 if count == "-" else int(count)
    return {key: count for key, count in counts.items() if not only or key[0] in only}


ours, theirs = (load(path, sys.argv[3:]) for path in sys.argv[1:3])
different = [key for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]
for key in different[:40]:
    print(*key, ours.get(key), "not", theirs.get(key))
print(*(f"{sum(key[1] == kind for key in theirs)} {kind}s" for kind in ("line", "function", "branch")))
sys.exit(bool(different) or not theirs)
