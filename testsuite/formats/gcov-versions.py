#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gcov-versions.py ONE TWO: version 2 of gcov's JSON is version 1 and the numbers of blocks: a
line's branches leave the blocks that end on it."""

import json
import sys

one, two = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
assert (one.pop("format_version"), two.pop("format_version")) == ("1", "2")
branches = 0
for file in two["files"]:
    for line in file["lines"]:
        blocks = line.pop("block_ids")
        assert all(isinstance(block, int) and block > 0 for block in blocks), line
        for branch in line["branches"]:
            assert branch.pop("source_block_id") in blocks, line
            assert branch.pop("destination_block_id") > 0, line
            branches += 1
assert one == two
assert branches
