#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lcov-equal.py [--only NAME] [--library SYMBOLS] OURS THEIRS: two tracefiles say the same of each
source file, or of those that are called NAME: lines, functions, branches. Prints how much was compared.

gcov does not count inline functions whose code is a library's (`extern template', `extern inline'), the
file SYMBOLS has those of libraries, and drops those of headers that are never called. Ours may tell of them, and of their
lines; these are told as often as gcov tells them, or more.
"""

import argparse
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


parser = argparse.ArgumentParser()
parser.add_argument("--only")
parser.add_argument("--library")
parser.add_argument("files", nargs=2)
arguments = parser.parse_args()
ours, theirs = (load(path, arguments.only) for path in arguments.files)

# What gcov has not counted.
library = set(open(arguments.library, encoding="utf-8").read().split()) if arguments.library else set()
# A member that is always inlined has no symbol: of std::string, `extern template class'.
EXTERN = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
missing = {key for key, count in ours.items() if key[1] == "function" and key not in theirs and library
           and (key[2].rsplit(":", 1)[0] in library or key[2].startswith(EXTERN)
                or count == 0 and not key[0].endswith(".cc"))}
more = {key[0] for key in missing}


def differs(key):
    if key in missing:
        return False
    if key[0] in more and key[1] != "function":
        return ours.get(key, -1) < theirs.get(key, 0)
    return ours.get(key) != theirs.get(key)


different = [key for key in sorted(ours.keys() | theirs.keys()) if differs(key)]
for key in different[:40]:
    print(*key, ours.get(key), "not", theirs.get(key))
print(*(f"{sum(key[1] == kind for key in theirs)} {kind}s" for kind in ("line", "function", "branch")))
if missing:
    print(len(missing), "functions more, in", *sorted(more))
sys.exit(bool(different) or not theirs)
