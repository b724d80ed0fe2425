#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# branch-equal.py LISTING GCOV...: by line, the outcomes that `mlprof -list -branch' lists are the branches of
# gcov's JSON without exceptions. Prints what differs, and how much was compared. (That -branches says the same as the
# listing, views-agree looks at.)

import collections
import gzip
import json
import re
import sys

ours, theirs = collections.defaultdict(list), collections.defaultdict(list)
for text in open(sys.argv[1]):
    outcome = re.match(r" *([\d,]+) +(\d+):\d+(?: \(\d+ of \d+\))? \S", text)
    if outcome:
        ours[int(outcome[2])].append(int(outcome[1].replace(",", "")))
for path in sys.argv[2:]:
    for file in json.load(gzip.open(path))["files"]:
        for line in file["lines"]:
            theirs[line["line_number"]] += [branch["count"] for branch in line["branches"] if not branch["throw"]]
wrong = 0
for line in sorted(ours.keys() | theirs.keys()):
    if sorted(ours[line]) != sorted(theirs[line]):
        print(f"line {line}: mlprof {sorted(ours[line])}, gcov {sorted(theirs[line])}")
        wrong += 1
print(f"{sum(map(len, theirs.values()))} branches of gcov")
sys.exit(wrong != 0 or not ours)
