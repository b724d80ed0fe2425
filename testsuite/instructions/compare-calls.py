#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-calls.py ranges PLAIN COUNTED: prints the ranges of the functions of PLAIN that
COUNTED has, too, for stepcalls.
compare-calls.py compare PLAIN STEPS COUNTED MLMON: compares what stepcalls says of the
program PLAIN with the pairs in the data of COUNTED, the same program with inclusive
instructions. Functions are compared by name, calls by their order in the function. It reads
the tables (doc/tables.md, "Machine code") itself, so it knows nothing of mlprof."""

import re
import subprocess
import sys


def tool(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def functions(program):
    """The functions with code of their own, by address: start, end, and one of the names."""
    found = {}
    for line in tool("nm", "-S", "--defined-only", program).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            start = int(words[0], 16)
            found[start] = min((start, start + int(words[1], 16), words[3]), found.get(start, (start + 1,)))
    return sorted(found.values())


def calls(program):
    """The call instructions of each function, without those that the plugin has added:
    lists of the address behind the call, and its own address, by name of the function."""
    found, name = {}, None
    pending = None
    for line in tool("objdump", "-d", "--no-show-raw-insn", program).splitlines():
        head = re.match(r"([0-9a-f]+) <(.*)>:$", line)
        if head:
            if pending is not None:
                found[name].append((None, pending))
            name, pending = head.group(2), None
            continue
        insn = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if not insn:
            continue
        address = int(insn.group(1), 16)
        if pending is not None:
            found[name].append((address, pending))
            pending = None
        words = insn.group(2).split()
        if any(word in ("call", "callq") for word in words[:3]) and "<ccprof_calls_" not in line:
            found.setdefault(name, [])
            pending = address
    return found


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], "little")

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.word(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def tables(program):
    """Start, address of pair 0, and calls (return address, pair's address) of functions."""
    section = tool("readelf", "-SW", program)
    place = re.search(r"\.ccprof\.machine +PROGBITS +\S+ (\S+) (\S+)", section)
    with open(program, "rb") as file:
        file.seek(int(place.group(1), 16))
        reader = Reader(file.read(int(place.group(2), 16)))
    found = []
    while reader.at < len(reader.data):
        assert reader.word(1) == 2, "version"
        parts = reader.word(1)
        reader.word(8)
        pairs = reader.word(8)
        starts = [reader.word(8) for _ in range(parts)]
        reader.uleb()
        for _ in range(reader.uleb()):
            for _ in range(4):
                reader.uleb()
        for _ in range(parts):
            for _ in range(reader.uleb()):
                reader.uleb()
                reader.uleb()
                if reader.uleb() & 2:
                    reader.uleb()
        sites = []
        for start in starts:
            at = start
            for _ in range(reader.uleb()):
                at += reader.uleb()
                sites.append((at, pairs + 16 * reader.uleb()))
        found.append((starts[0], pairs, sites))
    return found


def data(mlmon, program):
    """The counters of the program, and its targets of indirect calls by site and target."""
    found, number, counting = {}, None, False
    with open(mlmon, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "module" and words[-1].endswith("/" + program):
                number = words[1]
            counting = counting or words[0] == "counters"
            if counting and len(words) == 3 and words[0] == number:
                found[int(words[1], 16)] = int(words[2])
            if counting and len(words) == 5 and words[0] == words[2] == number:
                found[int(words[1], 16), int(words[3], 16)] = int(words[4])
    return found


def compare(plain, steps, counted, mlmon):
    names = {start: name for start, _, name in functions(counted)}
    starts = {name: start for start, name in names.items()}
    real, targets = {}, {}
    with open(steps, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            real[words[0], words[1]] = int(words[-1])
            if words[0] == "target":
                targets.setdefault(words[1], {})[words[2]] = (int(words[4]), int(words[3]))
    plain_calls, own_calls = calls(plain), calls(counted)
    counts, bad, seen = data(mlmon, counted.split("/")[-1]), 0, 0
    for start, pairs, sites in tables(counted):
        name = names.get(start, "?")
        if pairs and name != "?":
            seen += 1
            ours, theirs = counts.get(pairs, 0), real.get(("function", name), 0)
            if ours != theirs:
                bad += 1
                print(f"{name}: {ours}, in single steps {theirs}")
        backs = dict(sites)
        for part in (name, name + ".cold"):
            own, others = own_calls.get(part, []), plain_calls.get(part, [])
            if len(own) != len(others):
                print(f"{part}: {len(own)} calls, in the plain program {len(others)}")
                bad += 1
                continue
            for (back, _), (_, address) in zip(own, others):
                if back in backs:
                    seen += 1
                    ours = counts.get(backs[back], 0)
                    theirs = real.get(("call", f"{address:x}"), 0)
                    if ours != theirs:
                        bad += 1
                        print(f"{part}, call at {address:x}: {ours}, in single steps {theirs}")
                    for target, both in targets.get(f"{address:x}", {}).items():
                        seen += 1
                        ours = tuple(counts.get((backs[back] + word, starts[target]), 0)
                                     for word in (0, 8))
                        if ours != both:
                            bad += 1
                            print(f"{part}, call at {address:x} of {target}: {ours}, in single steps {both}")
    print(f"{seen} amounts, {bad} differ")
    return bad or not seen


if sys.argv[1] == "ranges":
    own = {name for _, _, name in functions(sys.argv[3])}
    for start, end, name in functions(sys.argv[2]):
        if name in own and not re.match("_(?!Z)|ccprof_|(de)?register_|frame_dummy", name):
            print(f"{start:x} {end:x} {name.removesuffix('.cold')}")
else:
    sys.exit(bool(compare(*sys.argv[2:])))
