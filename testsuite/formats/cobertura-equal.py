#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""cobertura-equal.py OURS [THEIRS]: the file has the attributes that coverage-04.dtd wants; and two files in
Cobertura's format say the same of each line of each source file, and of all together."""

import re
import sys
import xml.etree.ElementTree

NUMBER, RATE = r"\d+", r"[01](\.\d+)?"
RATES = {"line-rate": RATE, "branch-rate": RATE, "complexity": NUMBER}
COUNTS = ("lines-covered", "lines-valid", "branches-covered", "branches-valid")
ATTRIBUTES = {
    "coverage": {**RATES, **dict.fromkeys(COUNTS, NUMBER), "version": ".*", "timestamp": NUMBER},
    "package": {**RATES, "name": ".*"},
    "class": {**RATES, "name": ".*", "filename": ".+"},
    "method": {**RATES, "name": ".+", "signature": ".+"},
    "line": {"number": NUMBER, "hits": NUMBER, "branch": "true|false"},
    "condition": {"number": NUMBER, "type": ".+", "coverage": r"\d+%"},
}


def load(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    lines = {}
    for one in root.iter("class"):
        for line in one.find("lines"):
            lines[one.get("filename"), line.get("number")] = (
                line.get("hits"), line.get("branch"), line.get("condition-coverage"))
    return root, lines, [root.get(name) for name in COUNTS]


root, lines, totals = load(sys.argv[1])
for element in root.iter():
    for name, form in ATTRIBUTES.get(element.tag, {}).items():
        assert re.fullmatch(form, element.get(name, "")), (element.tag, name, element.attrib)
for line in root.iter("line"):
    covered = re.fullmatch(r"\d+% \(\d+/\d+\)", line.get("condition-coverage", "")) is not None
    conditions = line.find("conditions/condition") is not None
    assert (line.get("branch") == "true") == covered == conditions, line.attrib
if sys.argv[2:]:
    _, want, want_totals = load(sys.argv[2])
    different = [key for key in sorted(lines.keys() | want.keys()) if lines.get(key) != want.get(key)]
    for key in different[:40]:
        print(*key, lines.get(key), "not", want.get(key))
    print(len(want), "lines", *totals, "and", *want_totals)
    sys.exit(bool(different) or not want or totals != want_totals)
