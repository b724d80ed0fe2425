#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""cobertura-equal.py OURS THEIRS: two files in Cobertura's format say the same of each line of each
source file, and of all together."""

import sys
import xml.etree.ElementTree


def load(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    lines = {}
    for one in root.iter("class"):
        for line in one.find("lines"):
            lines[one.get("filename"), line.get("number")] = (
                line.get("hits"), line.get("branch"), line.get("condition-coverage"))
    totals = [root.get(name) for name in
              ("lines-covered", "lines-valid", "branches-covered", "branches-valid")]
    return lines, totals


ours, theirs = load(sys.argv[1]), load(sys.argv[2])
different = [key for key in sorted(ours[0].keys() | theirs[0].keys())
             if ours[0].get(key) != theirs[0].get(key)]
for key in different[:40]:
    print(*key, ours[0].get(key), "not", theirs[0].get(key))
print(len(theirs[0]), "lines", *ours[1], "and", *theirs[1])
sys.exit(bool(different) or not theirs[0] or ours[1] != theirs[1])
