# SPDX-License-Identifier: GPL-3.0-or-later
# events.py FILE MOST [signals]: judges the calls that a data file tells one by one, by what it says of
# all of them: of those that took LEAST ticks or more none is missing, and no other is there; they
# are MOST at most, lie inside each other as their paths do, and within the run. Prints LEAST if it is
# 0, else `long', and of each path its regions, its events, its threads.

import bisect
import sys

from buckets import STARTS, counted, low


def bad(*what):
    sys.exit("%s: %s" % (sys.argv[1], " ".join(map(str, what))))


MOST = int(sys.argv[2])
regions, paths, events, least = [], [], [], None
with open(sys.argv[1]) as file:
    for line in file:
        word = line.rstrip("\n").split(" ")
        if word[0] == "times":
            span = int(word[2])
        elif word[0] == "regions":
            hz = int(word[2])
        elif word[0] == "region":
            regions.append(" ".join(word[4:]))
        elif word[0] == "path":
            numbers = [int(w) if w != "-" else None for w in word[1:]]
            around = paths[numbers[0]]["name"] + "/" if numbers[0] is not None else ""
            paths.append({"parent": numbers[0], "name": around + regions[numbers[1]], "total": numbers[3],
                          "squares": numbers[6], "open": numbers[14], "buckets": {}, "events": []})
        elif word[0] == "bucket":
            paths[-1]["buckets"][int(word[1])] = int(word[2])
        elif word[0] == "events":
            least = int(word[1])
        elif word[0] == "event":
            events.append(tuple(map(int, word[1:])))
            paths[events[-1][1]]["events"].append(events[-1])

if least is None or len(events) > MOST:
    bad(len(events), "events, not", MOST, "at most")
for thread, path, start, length in events:
    if length < least:
        bad("too short:", length)
    # Both count from one moment; other threads may go on while the file is written.
    if (start + length) / hz > span / 1e9 * 1.01 + 0.01:
        bad("begins at", start / hz, "and the run takes", span / 1e9)

for path in paths:
    lengths = [event[3] for event in path["events"]]
    found = counted(lengths)
    for bucket, count in path["buckets"].items():
        if low(bucket) >= least and found.get(bucket, 0) != count:
            bad(path["name"], "bucket", bucket, "has", found.get(bucket, 0), "events of", count)
    if any(count > path["buckets"].get(bucket, 0) for bucket, count in found.items()):
        bad(path["name"], "more events than calls")
    if least == 0 and (sum(lengths), sum(n * n for n in lengths)) != (path["total"], path["squares"]):
        bad(path["name"], "the sums are wrong")

# Had a few more been told, they would have been too many.
if least:
    last = bisect.bisect_right(STARTS, least - 1) - 1
    if sum(count for path in paths for bucket, count in path["buckets"].items() if bucket >= last) <= MOST:
        bad("there would have been room for calls of less than", least)

# The enclosing call took longer and has ended, unless it is open.
around = {}
for thread, path, start, length in sorted(events, key=lambda event: event[2]):
    around.setdefault((thread, path), []).append((start, start + length))
for thread, path, start, length in events:
    parent = paths[path]["parent"]
    if parent is None or paths[parent]["open"] or sys.argv[3:]:
        continue
    spans = around.get((thread, parent), [])
    before = bisect.bisect_right(spans, (start, float("inf")))
    if not any(end >= start + length for _, end in spans[:before][-64:]):
        bad(paths[path]["name"], start, length, "of thread", thread, "is in no call around it")

print(least if least == 0 else "long")
for path in sorted(paths, key=lambda path: path["name"]):
    print(path["name"], len(path["events"]), len({event[0] for event in path["events"]}))
