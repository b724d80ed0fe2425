# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the rows of mlprof -heap allocated -by line -csv with what the lines of a source say:
lines.py SOURCE ROWS."""

import csv
import os
import re
import sys

wanted, prints = {}, set()
for number, line in enumerate(open(sys.argv[1]), 1):
    said = re.search(r"gets (\d+) (\d+) keeps (\d+) (\d+)", line)
    if said:
        wanted[number] = tuple(map(int, said.groups()))
    elif line.strip().startswith("print "):  # whose buffers are the library's
        prints.add(number)
got = {}
for row in csv.DictReader(open(sys.argv[2])):
    if row["file"] and os.path.basename(row["file"]) == os.path.basename(sys.argv[1]) and int(row["all_blocks"]):
        place = re.fullmatch(r".*: (\d+)", row["place"])
        assert place and place[1] == row["line"], row
        got[int(row["line"])] = tuple(
            int(row[column]) for column in ("all_blocks", "all_bytes", "live_blocks", "live_bytes"))
assert len(wanted) >= 2 and {number: of for number, of in got.items() if number not in prints} == wanted, (got, wanted)
