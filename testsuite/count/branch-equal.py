#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# branch-equal.py LISTING CSV GCOV...: by line, the outcomes that `mlprof -list -branch true'
# lists are the branches of gcov's JSON without exceptions; and what `mlprof -branches' says of
# each decision follows from these.  Prints what differs, and how much was compared.

import collections
import csv
import gzip
import json
import re
import sys

decisions = collections.defaultdict(list)  # (function, line, column): outcomes
function = None
for text in open(sys.argv[1]):
    head = re.match(r"(\S.*?)  \S+: \d+$", text)
    outcome = re.match(r" *([\d,]+) +(\d+):(\d+)(?: \(\d+ of \d+\))? (\S.*)$", text)
    if head:
        function = head[1]
    elif outcome:
        count, line, column, label = outcome.groups()
        decisions[function, int(line), int(column)].append((label, int(count.replace(",", ""))))

ours, theirs = collections.defaultdict(list), collections.defaultdict(list)
for (_, line, _), outcomes in decisions.items():
    ours[line] += [count for _, count in outcomes]
for path in sys.argv[3:]:
    for file in json.load(gzip.open(path))["files"]:
        for line in file["lines"]:
            theirs[line["line_number"]] += [branch["count"] for branch in line["branches"] if not branch["throw"]]
wrong = 0
for line in sorted(ours.keys() | theirs.keys()):
    if sorted(ours[line]) != sorted(theirs[line]):
        print(f"line {line}: mlprof {sorted(ours[line])}, gcov {sorted(theirs[line])}")
        wrong += 1

rows = list(csv.DictReader(open(sys.argv[2])))
listed = collections.Counter()
for row in rows:
    outcomes = decisions[row["function"], int(row["line"]), int(row["column"])]
    # Several decisions at one place: those that have not been seen.
    first = listed[row["function"], row["line"], row["column"]]
    mine = outcomes[first:first + int(row["outcomes"])]
    listed[row["function"], row["line"], row["column"]] += len(mine)
    counts = dict(mine)
    most = max(counts.values(), default=0)
    want = {"executed": str(sum(counts.values())), "true": str(counts.get("true", "")),
            "false": str(counts.get("false", "")), "rarer": str(sum(counts.values()) - most)}
    if {name: row[name] for name in want} != want or (most and counts.get(row["mostly"]) != most):
        print(f"{row}: {mine}")
        wrong += 1
if sum(listed.values()) != sum(len(outcomes) for outcomes in decisions.values()):
    print("the listing has other outcomes than the table")
    wrong += 1
print(f"{len(rows)} decisions, {sum(map(len, theirs.values()))} branches of gcov")
sys.exit(wrong != 0 or not rows)
