#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# gcov-equal.py [--only NAMES] [--but LINE] LCOV COBERTURA JSON...: mlprof's files say what the JSON
# of gcov says: the starts, ends and calls of functions, the executions of lines, and how often each
# branch was taken, in the same order. All files are compared, or those that have one of the names,
# with commas between. At LINE gcov has one execution more: the way out of Fortran's loop.
# Prints what differs, at most 40 of each, and how many functions, lines and branches were compared;
# exit status 1 if anything differs. Functions have their symbols.
# mlprof adds up the compilations, and the instances of a template, that share a line: their first
# branches, their second ones, and so on.
# Of few lines gcov says that they were never executed, although a block goes through them
# (count_lines in mlprof/flow/gcov.c): mlprof has the count of this block.

import gzip
import json
import os
import sys
import xml.etree.ElementTree


class Line:
    def __init__(self):
        self.count = 0
        self.branches = []
        self.unexecuted = False  # gcov: a block of the line was not executed

    def add(self, count, branches):
        # A count can be below 0 if a run did not end; mlprof then writes 0.
        self.count += max(count, 0)
        self.branches += [0] * (len(branches) - len(self.branches))
        for at, branch in enumerate(branches):
            self.branches[at] += max(branch, 0)


class Counts:
    def __init__(self):
        self.functions = {}  # by file, symbol and line of the start: calls
        self.lines = {}      # by file and number
        self.methods = {}    # by file and symbol: numbers of the lines from the start to the end

    def line(self, name, number):
        return self.lines.setdefault((name, number), Line())

    def keep(self, names):
        for table in self.functions, self.lines, self.methods:
            for key in [key for key in table if os.path.basename(key[0]) not in names]:
                del table[key]


def read_lcov(counts, path):
    name, function, branches = None, None, {}
    with open(path, encoding="utf-8") as file:
        for text in file:
            word, _, rest = text.rstrip("\n").partition(":")
            fields = rest.split(",")
            if word == "SF":
                name, branches = os.path.normpath(rest), {}
            elif word == "FN":
                function = name, rest.split(",", 1)[1], int(fields[0])
            elif word == "FNDA":
                assert rest.split(",", 1)[1] == function[1], text
                counts.functions[function] = counts.functions.get(function, 0) + int(fields[0])
            elif word == "BRDA":
                taken = branches.setdefault(int(fields[0]), [])
                assert fields[1] == "0" and int(fields[2]) == len(taken), text
                taken.append(fields[3])
            elif word == "DA":
                number, count = map(int, fields)
                taken = branches.pop(number, [])
                assert all((branch == "-") == (count == 0) for branch in taken), text
                counts.line(name, number).add(count, [int(branch) if count else 0 for branch in taken])
            elif word == "end_of_record":
                assert not branches, (name, branches)


def read_cobertura(counts, path):
    root = xml.etree.ElementTree.parse(path).getroot()
    folder = root.findtext("sources/source")
    for one in root.iter("class"):
        name = os.path.normpath(os.path.join(folder, one.get("filename")))
        for method in one.iter("method"):
            counts.methods[name, method.get("signature")] = [int(line.get("number")) for line in method.iter("line")]


def read_json(counts, path):
    with (gzip.open if path.endswith(".gz") else open)(path) as file:
        data = json.load(file)
    assert data["format_version"] in ("1", "2")
    for file in data["files"]:
        name = os.path.normpath(os.path.join(data["current_working_directory"], file["file"]))
        for one in file["functions"]:
            key = name, one["name"], one["start_line"]
            counts.functions[key] = counts.functions.get(key, 0) + one["execution_count"]
            # The file for Cobertura leaves out system headers.
            if not name.startswith("/usr/"):
                counts.methods[name, one["name"]] = one["start_line"], one["end_line"]
        for one in file["lines"]:
            line = counts.line(name, one["line_number"])
            line.add(one["count"], [branch["count"] for branch in one["branches"]])
            line.unexecuted |= one["unexecuted_block"]


def find_method_lines(counts):
    numbers = {}
    for name, number in sorted(counts.lines):
        numbers.setdefault(name, []).append(number)
    for key, (start, end) in counts.methods.items():
        counts.methods[key] = [number for number in numbers.get(key[0], ()) if start <= number <= end]


def differ(what, ours, theirs):
    different = [key for key in sorted(ours.keys() | theirs.keys(), key=str) if ours.get(key) != theirs.get(key)]
    for key in different[:40]:
        print(f"{what} {key}:\n  mlprof {ours.get(key)}\n  gcov   {theirs.get(key)}")
    return len(different)


def lines_differ(ours, theirs, but):
    """Allows the line BUT to have one execution more, and one line to have a count only in OURS."""
    through = 0
    for key in ours.keys() & theirs.keys():
        one, other = ours[key], theirs[key]
        if key[1] == but and other.count == one.count + 1:
            other.count -= 1
        elif other.unexecuted and other.count == 0 < one.count:
            through += 1
            other.count = one.count
    if through:
        print(f"{through} lines are gone through")
    # No program that is compared has more than one of them.
    return differ("line", {key: (line.count, line.branches) for key, line in ours.items()},
                  {key: (line.count, line.branches) for key, line in theirs.items()}) + (through > 1)


def main(words):
    only, but = None, None
    if words[0] == "--only":
        only, words = words[1].split(","), words[2:]
    if words[0] == "--but":
        but, words = int(words[1]), words[2:]
    ours, theirs = Counts(), Counts()
    read_lcov(ours, words[0])
    read_cobertura(ours, words[1])
    for path in words[2:]:
        read_json(theirs, path)
    find_method_lines(theirs)
    for side in (ours, theirs) if only else ():
        side.keep(only)
    branches = sum(len(line.branches) for line in theirs.lines.values())
    print(f"{len(theirs.functions)} functions, {len(theirs.lines)} lines, {branches} branches")
    if not theirs.functions or not theirs.lines or not theirs.methods:
        sys.exit("nothing was compared")
    sys.exit(differ("function", ours.functions, theirs.functions) + differ("lines of", ours.methods, theirs.methods) +
             lines_differ(ours.lines, theirs.lines, but) != 0)


main(sys.argv[1:])
