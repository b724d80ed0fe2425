#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# callgrind-addresses.py [--event=NAME] FILE...: reads what `valgrind --tool=callgrind --dump-instr=yes' wrote, and
# prints how often each instruction was executed, as stepcount does: lines PATH ADDRESS COUNT. Several files are added
# up. --event: another event than Ir.
#
# The costs of calls, which include those of the callees, are left out. The format:
# https://valgrind.org/docs/manual/cl-format.html

import re
import sys

NAME = re.compile(r"\((\d+)\)(?: (.*))?$")
COST = re.compile(r"[0-9+*-]")


class Reader:
    """One file: what a line means depends on the lines before it."""

    def __init__(self, path, counts, event):
        self.event = event
        self.path = path
        self.counts = counts
        self.names = {}  # of objects, by number
        self.object = None
        self.positions = ["line"]
        self.events = []
        self.last = [0]
        self.skip = False  # the next line of costs belongs to a call or a jump

    def fail(self, what):
        sys.exit(f"callgrind-addresses.py: {self.path}: {what}")

    def name(self, text):
        """An object's name: `(NUMBER) NAME' when it comes first, then `(NUMBER)'."""
        match = NAME.match(text)
        if not match:
            return text
        number, name = match.groups()
        if name is not None:
            self.names[number] = name
        if number not in self.names:
            self.fail(f"no object has the number {number}")
        return self.names[number]

    def header(self, key, value):
        if key == "positions":
            self.positions = value.split()
            self.last = [0] * len(self.positions)
            if self.positions[0] != "instr":
                self.fail("no addresses of instructions: --dump-instr=yes is missing")
        elif key == "events":
            self.events = value.split()
            if self.event not in self.events:
                self.fail(f"no event {self.event}")

    def position(self, word, last):
        if word == "*":
            return last
        if word[0] in "+-":
            return last + int(word, 0)
        return int(word, 0)

    def costs(self, line):
        words = line.split()
        for i in range(len(self.positions)):
            self.last[i] = self.position(words[i], self.last[i])
        if self.skip:
            self.skip = False
            return
        costs = words[len(self.positions):]
        column = self.events.index(self.event)
        if column < len(costs):
            key = self.object, self.last[0]
            self.counts[key] = self.counts.get(key, 0) + int(costs[column])

    def line(self, line):
        if COST.match(line):
            self.costs(line)
        elif line.startswith("ob="):
            self.object = self.name(line[3:])
        elif line.startswith("cob="):
            self.name(line[4:])
        elif line.startswith(("calls=", "jump=", "jcnd=")):
            self.skip = True
        elif ": " in line and "=" not in line.split(": ")[0]:
            self.header(*line.split(": ", 1))


def main():
    paths, event = sys.argv[1:], "Ir"
    if paths and paths[0].startswith("--event="):
        event = paths.pop(0).split("=")[1]
    if not paths:
        sys.exit("usage: callgrind-addresses.py [--event=NAME] FILE...")
    counts = {}
    for path in paths:
        reader = Reader(path, counts, event)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                reader.line(line.rstrip("\n"))
        if not reader.events or reader.positions[0] != "instr":
            reader.fail("not a file of callgrind's with --dump-instr=yes")
    for (path, address), count in sorted(counts.items(), key=lambda item: (item[0][0] or "", item[0][1])):
        print(path or "[unknown]", hex(address), count)


main()
