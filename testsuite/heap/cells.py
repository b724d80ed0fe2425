# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares rows of a table of mlprof -csv with lines `NAME COLUMN=NUMBER...' on standard input: cells.py TABLE.
Behind COLUMN~ the number may be a thousandth more or less."""

import csv
import re
import sys

rows = {row.get("function") or row["name"]: row for row in csv.DictReader(open(sys.argv[1]))}
seen = 0
for line in sys.stdin:
    name, *cells = line.split()
    assert name in rows, f"there is no row of {name}"
    for cell in cells:
        column, about, number = re.fullmatch(r"(\w+)([=~])(\d+)", cell).groups()
        off = abs(int(rows[name][column]) - int(number))
        assert off <= (int(number) / 1000 if about == "~" else 0), (name, cell, rows[name][column])
        seen += 1
assert seen, "nothing was compared"
