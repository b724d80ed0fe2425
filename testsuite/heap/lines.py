# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the rows of mlprof -heap -by line -csv with what the lines of a source say of blocks and bytes: `gets BLOCKS
BYTES', all that they allocate, and `keeps BLOCKS BYTES', what is alive at the end: lines.py SOURCE ROWS."""

import csv
import os
import re
import sys

wanted, prints, words = {}, set(), set()
for number, line in enumerate(open(sys.argv[1]), 1):
    said = re.findall(r"\b(gets|keeps) (\d+) (\d+)", line)
    if said:
        wanted[number] = [int(n) for _, *amount in said for n in amount]
        words.add(tuple(word for word, *_ in said))
    elif line.strip().startswith("print "):  # whose buffers are the library's
        prints.add(number)
(told,) = words  # all lines tell the same
columns = [{"gets": "all", "keeps": "live"}[word] + unit for word in told for unit in ("_blocks", "_bytes")]
got = {}
for row in csv.DictReader(open(sys.argv[2])):
    amounts = [int(row[column]) for column in columns]
    if row["file"] and os.path.basename(row["file"]) == os.path.basename(sys.argv[1]) and any(amounts):
        place = re.fullmatch(r".*: (\d+)", row["place"])
        assert place and place[1] == row["line"], row
        got[int(row["line"])] = amounts
assert len(wanted) >= 2 and {number: of for number, of in got.items() if number not in prints} == wanted, (got, wanted)
