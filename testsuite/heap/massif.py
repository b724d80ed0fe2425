# SPDX-License-Identifier: GPL-3.0-or-later
"""massif.py dhat FILE SOURCE: prints `BYTES LINE', largest first, of what mlprof -dhat wrote: the innermost line of SOURCE
in each stack.
massif.py massif FILE SOURCE: prints the same of the peak in a file of valgrind's Massif."""

import json
import re
import sys


def stacks_of_dhat(path):
    """[(bytes, frames)], the innermost frame first."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    return [(point["tb"], [data["ftbl"][number] for number in point["fs"]]) for point in data["pps"]]


def stacks_of_massif(path):
    """[(bytes, frames)] of the leaves of the peak's tree, the innermost frame first."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        snapshot = file.read().split("heap_tree=peak\n")[-1].split("#-----------")[0]
    stacks, frames = [], []
    for line in snapshot.splitlines():
        depth, callers, size, frame = re.fullmatch(r"( *)n(\d+): (\d+) (.*)", line).groups()
        frames[len(depth):] = [frame]
        if callers == "0":
            stacks.append((int(size), list(frames)))
    return stacks


what, name, source = sys.argv[1:]
sums = {}
for size, frames in {"dhat": stacks_of_dhat, "massif": stacks_of_massif}[what](name):
    lines = (re.search(r"\((?:in )?(?:[^()]*/)?" + re.escape(source) + r":(\d+)(?::\d+)?\)", frame) for frame in frames)
    line = next((line[1] for line in lines if line), None)
    if line:
        sums[line] = sums.get(line, 0) + size
for line, size in sorted(sums.items(), key=lambda item: (-item[1], item[0])):
    print(size, line)
