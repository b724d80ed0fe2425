#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# gcov-equal.py [--only NAMES] [--but LINE] OURS THEIRS...: mlprof's JSON says what those of gcov say
# together, of all files or of those that have one of the names, with commas between.  At LINE gcov
# has one execution more, and a block: the way out of Fortran's loop, which is not of the line.
# Prints what differs, at most 40 lines, and how many functions, lines and branches were
# compared; exit status 1 if anything differs.  Names that gcov demangles are not compared.
# Of few lines gcov says that they were never executed, although a block goes through them
# (count_lines in mlprof/flow/gcov.c): mlprof has the count of this block.

import gzip
import json
import os
import sys


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path) as file:
        return json.load(file)


def add(into, key, entry, sums):
    """Adds up what several compilations say of one line or function."""
    if key not in into:
        into[key] = entry
        return
    for name in sums:
        into[key][name] += entry[name]


# What format 2, of GCC 14 and later, adds: of gcov's own blocks, calls, conditions and paths.
NEWER = ("block_ids", "calls", "conditions", "source_block_id", "destination_block_id",
         "total_prime_paths", "covered_prime_paths", "prime_path_coverage")


def common(entry):
    """The entry, without what is newer than format 1."""
    for name in NEWER:
        entry.pop(name, None)
    for branch in entry.get("branches", []):
        common(branch)
    return entry


def collect(paths, only):
    functions, lines, branches = {}, {}, 0
    for path in paths:
        data = load(path)
        assert data["format_version"] in ("1", "2")
        here = data["current_working_directory"]
        for file in data["files"]:
            name = os.path.normpath(os.path.join(here, file["file"]))
            if only and os.path.basename(name) not in only:
                continue
            for one in file["functions"]:
                add(functions, (name, one["name"], one["start_line"]), common(one), [])
            for one in file["lines"]:
                common(one)
                branches += len(one["branches"])
                add(lines, (name, one["line_number"], one.get("function_name")), one,
                    ["count", "branches"])
    return functions, lines, branches


def is_gone_through(ours, theirs):
    """All but the count is the same: gcov has none, and a block that was not executed ends there."""
    return (ours and theirs and theirs.get("count") == 0 and ours["count"] > 0 and theirs["unexecuted_block"]
            and {**ours, "count": 0} == theirs)


def is_loop_end(key, ours, theirs):
    if not ours or not theirs or but is None:
        return False
    if "blocks" in ours:
        more = {name: ours[name] + 1 for name in ("blocks", "blocks_executed")}
        return ours["start_line"] <= but <= ours["end_line"] and {**ours, **more} == theirs
    return key[1] == but and {**ours, "count": ours["count"] + 1} == theirs


def differ(what, ours, theirs):
    found = through = 0
    for key in sorted(ours.keys() | theirs.keys(), key=str):
        if is_gone_through(ours.get(key), theirs.get(key)):
            through += 1
        elif is_loop_end(key, ours.get(key), theirs.get(key)):
            continue
        elif ours.get(key) != theirs.get(key):
            found += 1
            if found <= 40:
                print(f"{what} {key}:\n  mlprof {ours.get(key)}\n  gcov   {theirs.get(key)}")
    if through:
        print(f"{through} lines are gone through")
    # No program that is compared has more than one of them.
    return found + (through if through > 1 else 0)


only = None
if sys.argv[1] == "--only":
    only = sys.argv[2].split(",")
    del sys.argv[1:3]
but = None
if sys.argv[1] == "--but":
    but = int(sys.argv[2])
    del sys.argv[1:3]
ours, theirs = collect(sys.argv[1:2], only), collect(sys.argv[2:], only)
found = differ("function", ours[0], theirs[0]) + differ("line", ours[1], theirs[1])
print(f"{len(theirs[0])} functions, {len(theirs[1])} lines, {theirs[2]} branches")
if not theirs[0] or not theirs[1]:
    sys.exit("nothing was compared")
sys.exit(found != 0)
