#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# functions.py [--module PATH] [--most N] [--exact] [--foreign FILE] [--without-nops] A [B]: sums lines PATH ADDRESS COUNT by function, the symbols of the ELF file
# PATH. Prints a table: the count in A, in B, the difference B - A in percent of A, the function; largest first. The last
# line is the total of all functions. Functions with equal addresses are one, under the first name.
# --module: only this module; twice: in A, and in B. --most: only the N largest functions (and the total of all).
# --exact: only the functions that the compiler made from the program's sources, and of these only those that differ; exit
# status 1 if there are any, or if there is nothing to compare. --foreign FILE: the functions in FILE, what nm
# printed of libgcc.a say, are not from the program's sources. --without-nops: leaves out the instructions that do
# nothing: how many the assembler needs to align a loop depends on the addresses, so builds differ.

import argparse
import bisect
import os
import subprocess
import sys


def load(path, module):
    counts = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#"):
                continue
            words = line.rsplit(None, 2)
            try:
                name, address, count = words[0], int(words[1], 16), int(words[2])
            except (IndexError, ValueError):
                sys.exit(f"functions.py: {path}:{number}: not PATH ADDRESS COUNT")
            if not module or name in (module, os.path.basename(module)):
                key = module or name, address
                counts[key] = counts.get(key, 0) + count
    return counts


# What the compiler's own files bring to each program. Other sections, .plt say, begin with a dot.
STARTUP = {"_start", "_init", "_fini", "_dl_relocate_static_pie", "register_tm_clones", "deregister_tm_clones"}
STARTUP |= {"__do_global_dtors_aux", "frame_dummy", "atexit", "call_weak_fn", "load_gp", "[none]"}


class Symbols:
    """The functions of a module, and the sections for addresses without one."""

    def __init__(self, path):
        self.ranges = []
        self.path = path
        if not os.path.isfile(path):
            return
        found = {}
        for table in [], ["--dyn-syms"]:
            words = self.read(table or ["-s"])
            for line in words:
                # Num: Value Size Type Bind Vis Ndx Name
                word = line.split()
                if len(word) >= 8 and word[3] in ("FUNC", "IFUNC", "GNU_IFUNC") and word[6] != "UND" and int(word[2], 0):
                    key = int(word[1], 16), int(word[2], 0)
                    name = word[7].split("@")[0]
                    found[key] = min(found.get(key, name), name)
            if found:
                break
        sections = []
        for line in self.read(["-S"]):
            word = line.replace("[ ", "[").split()
            if len(word) > 7 and word[0].startswith("[") and word[1].startswith(".") and "X" in word[7]:
                sections.append((int(word[3], 16), int(word[5], 16), word[1]))
        self.functions = sorted((start, size, name) for (start, size), name in found.items())
        self.sections = sorted(sections)

    def read(self, options):
        result = subprocess.run(["readelf", "-W", *options, self.path], capture_output=True, text=True, check=False)
        return result.stdout.splitlines()

    def nops(self):
        """The addresses of instructions that do nothing."""
        lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", self.path], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        words = [line.split() for line in lines if line.startswith(" ")]
        # Perhaps behind prefixes: `data16 cs nopw'. Two bytes are printed as `xchg %ax,%ax'.
        return {int(word[0][:-1], 16) for word in words
                if any(part.startswith("nop") for part in word[1:]) or word[1:] == ["xchg", "%ax,%ax"]}

    def name(self, address):
        for table in "functions", "sections":
            ranges = getattr(self, table, [])
            at = bisect.bisect(ranges, (address, float("inf"), "")) - 1
            if at >= 0 and address < ranges[at][0] + ranges[at][1]:
                return ranges[at][2]
        return "[none]"


def by_function(counts, symbols, without_nops):
    sums = {}
    nops = {}
    for (path, address), count in counts.items():
        if path not in symbols:
            symbols[path] = Symbols(path)
        if without_nops and path not in nops:
            nops[path] = symbols[path].nops()
        if address in nops.get(path, ()):
            continue
        key = path, symbols[path].name(address)
        sums[key] = sums.get(key, 0) + count
    return sums


def foreign_functions(path):
    """The functions in the output of nm."""
    if not path:
        return set()
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file]
    return {words[2] for words in lines if len(words) == 3 and words[1] in "tTwW"}


def percent(a, b):
    return f"{100 * (b - a) / a:+.4f}" if a else "new" if b else "0"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", action="append", default=[])
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--without-nops", action="store_true")
    parser.add_argument("--foreign")
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("a")
    parser.add_argument("b", nargs="?")
    options = parser.parse_args()
    modules = [os.path.realpath(module) for module in options.module] or [None]
    symbols = {}
    files = [path for path in (options.a, options.b) if path]
    sides = [by_function(load(path, module), symbols, options.without_nops) for path, module in zip(files, [modules[0], modules[-1]])]
    if len(modules) > 1:
        sides = [{("", name): count for (_, name), count in side.items()} for side in sides]
    keys = sorted(set().union(*sides), key=lambda key: (-max(side.get(key, 0) for side in sides), key))
    if options.exact:
        foreign = STARTUP | foreign_functions(options.foreign)
        own = [key for key in keys if key[1] not in foreign and not key[1].startswith(".")]
        keys = [key for key in own if len({side.get(key, 0) for side in sides}) > 1]
    modules = len({path for path, _ in keys})
    rows = [[side.get(key, 0) for side in sides] + [key] for key in (keys[:options.most] if options.most else keys)]
    if not options.exact:
        rows.append([sum(side.values()) for side in sides] + [("", "total")])
    for *counts, (path, name) in rows:
        cells = [f"{count:15d}" for count in counts]
        if len(counts) == 2:
            cells.append(f"{percent(*counts):>10}")
        if modules > 1 and path:
            name += f" ({os.path.basename(path)})"
        print("".join(cells), "", name)
    if options.exact:
        print(f"{len(own)} functions compared, {len(keys)} differ")
        sys.exit(1 if keys or not own else 0)


main()
