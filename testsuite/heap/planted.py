# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares tables of mlprof -heap leaks -csv with what planted.c and planted.cc say at the ends of their lines:
planted.py lines SOURCE ROWS; or planted.py types WANTED ROWS, where a line of WANTED is `BLOCKS BYTES TYPE'."""

import csv
import os
import re
import sys

what, source, rows = sys.argv[1:]
wanted, got, others = [], [], []
for number, line in enumerate(open(source), 1):
    said = re.search(r"forgets (\d+) (\d+)", line) if what == "lines" else re.fullmatch(r"(\d+) (\d+) (.*)\n", line)
    if said:
        wanted.append((int(said[2]), int(said[1]), number if what == "lines" else said[3]))
for row in csv.DictReader(open(rows)):
    amount = int(row["live_bytes"]), int(row["live_blocks"])
    if amount == (0, 0):
        continue
    if what == "types":
        got.append((*amount, row["name"]))
    elif os.path.basename(row["file"]) == os.path.basename(source):
        got.append((*amount, int(row["line"])))
    else:  # of a header of a library
        others.append(amount)
assert len(wanted) >= 4
assert sorted(got) == sorted(wanted), (got, wanted)
# The greatest comes first.
assert [row[0] for row in got] == sorted((row[0] for row in wanted), reverse=True), got
print(sum(row[0] for row in got + others), "bytes in", sum(row[1] for row in got + others), "blocks")
