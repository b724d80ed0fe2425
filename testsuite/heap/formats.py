# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the heap in the formats of other programs with mlprof -heap -csv, function by function.

formats.py folded CSV MEASURE FOLDED     own bytes and those on the stack
formats.py pprof CSV MEASURE FILE TYPE   the same, blocks or bytes by the sample type
formats.py top CSV MEASURE TOP           what `go tool pprof -top -unit=B' printed of bytes
formats.py dhat CSV MEASURE TREE         own bytes and blocks, in what dh_view makes of it (dhat.js)
MEASURE is live, peak or all, as the columns of CSV are called."""

import csv
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "formats"))
import folded
import pprof


def table(path, measure, unit):
    """{function: (own, on the stack)}, those with none left out."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            own, stack = rows.get(row["function"], (0, 0))
            own += int(row[f"{measure}_{unit}"])
            stack += int(row[f"{measure}_stack_{unit}"])
            if stack:
                rows[row["function"]] = own, stack
    return rows


what, path, measure, file = sys.argv[1:5]
unit = "bytes"
if what == "folded":
    got = folded.tops(folded.read(file))
elif what == "pprof":
    profile = pprof.Profile(file)
    unit = "blocks" if sys.argv[5].endswith("objects") else "bytes"
    got = folded.tops([(stack, value) for stack, value in profile.stacks(sys.argv[5]) if value])
elif what == "dhat":
    # The frames of the tree stand from the innermost outwards.
    got = {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            depth, size, blocks, frame = line.split(" ", 3)
            if depth == "1":
                name = re.sub(r"^0x0: | \([^()]*\)$", "", frame.strip())
                own = got.get(name, (0, 0))
                got[name] = own[0] + int(size), own[1] + int(blocks)
    want = {name: own for name, (own, _) in table(path, measure, "bytes").items() if own}
    blocks = {name: own for name, (own, _) in table(path, measure, "blocks").items() if own}
    assert got == {name: (want[name], blocks[name]) for name in want}, got
    sys.exit()
else:
    got = {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r" *(\d+)B? +\S+% +\S+% +(\d+)B? +\S+%  (.*?)( \((partial-)?inline\))?$", line)
            if match:
                got[match[3]] = int(match[1]), int(match[2])
want = table(path, measure, unit)
assert want and got == want, {name: (got.get(name), want.get(name)) for name in {*got, *want} if got.get(name) != want.get(name)}
