# SPDX-License-Identifier: GPL-3.0-or-later
"""massif.py check FILE: whether each tree is right: entries below, sums; prints `KIND TIME BYTES' of each snapshot.
massif.py lines FILE KIND SOURCE: `BYTES LINE' of the tree of the snapshot of that kind, largest first: what the innermost
frames in SOURCE have.
Of files of valgrind's Massif, or what mlprof -massif writes."""

import re
import sys


def snapshots(path):
    """[(kind, time, bytes, tree)]; a tree is (bytes, text, children)."""
    found, fields, lines = [], {}, []
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        text = file.read().rstrip("\n").split("\n")
    assert [line.split(":")[0] for line in text[:3]] == ["desc", "cmd", "time_unit"], text[:3]
    for line in text[3:] + ["#-----------"]:
        if re.match(r" *n\d+: ", line):
            lines.append(line)
        elif "=" in line:
            name, value = line.split("=")
            if name == "snapshot":
                assert int(value) == len(found), value
            fields[name] = value
        elif line.startswith("#") and "heap_tree" in fields:
            at = iter(lines)
            tree = parse(at, 0) if lines else None
            assert not list(at), "lines behind the tree"
            found.append((fields["heap_tree"], int(fields["time"]), int(fields["mem_heap_B"]), tree))
            fields, lines = {}, []
    assert not fields and not lines
    return found


def parse(lines, depth):
    line = next(lines)
    match = re.match(r"( *)n(\d+): (\d+) (.*)", line)
    assert match and len(match[1]) == depth, line
    children = [parse(lines, depth + 1) for _ in range(int(match[2]))]
    return int(match[3]), match[4], children


def check(tree):
    size, text, children = tree
    assert not children or sum(child[0] for child in children) <= size, text
    told = [child[0] for child in children if " in " not in child[1]]
    assert told == sorted(told, reverse=True), text
    for child in children:
        check(child)


def add(sums, tree, source):
    size, text, children = tree
    match = re.search(r"\((?:in )?(?:[^()]*/)?" + re.escape(source) + r":(\d+)\)", text)
    if match:
        sums[match[1]] = sums.get(match[1], 0) + size
        return
    for child in children:
        add(sums, child, source)


what, name = sys.argv[1:3]
if what == "check":
    last = 0
    for kind, time, size, tree in snapshots(name):
        assert time >= last, time
        last = time
        if tree:
            assert tree[0] == size, (tree[0], size)
            check(tree)
        print(kind, time, size)
else:
    wanted, source = sys.argv[3:5]
    tree = [tree for kind, _, _, tree in snapshots(name) if kind == wanted][-1]
    sums = {}
    add(sums, tree, source)
    for line, size in sorted(sums.items(), key=lambda item: -item[1]):
        print(size, line)
