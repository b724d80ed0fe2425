#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-addresses.py [OPTIONS] A B: compares two files of lines PATH ADDRESS COUNT, each address. Prints the addresses
# whose counts differ, at most 10, and how many were compared. Exit status 1 if any differs, or if nothing was compared.
#
# --module PATH     only this module; a PATH of A or B that has no folder is this module's name
# --section NAME    only this section of the module; callgrind knows the module of addresses in .text only
# --but FILE        the addresses in FILE, a line each, are left out; what follows # is the reason
# --in-b            addresses that B does not have are not compared: A also has the counters' own instructions
# --iterations      the iterations that stepcount has written into A are added to A's executions, as callgrind does

import argparse
import os
import subprocess
import sys


def load(path, module, iterations=False):
    """The counts by module and address. Lines that begin with # say other things."""
    counts = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if iterations and line.startswith("# iterations "):
                line = line[len("# iterations "):]
            if line.startswith("#"):
                continue
            words = line.rsplit(None, 2)
            try:
                name, address, count = words[0], int(words[1], 16), int(words[2])
            except (IndexError, ValueError):
                sys.exit(f"compare-addresses.py: {path}:{number}: not PATH ADDRESS COUNT")
            if module and name != module and name != os.path.basename(module):
                continue
            if count:
                key = module or name, address
                counts[key] = counts.get(key, 0) + count
    return counts


def left_out(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].split() for line in file]
    return {int(words[-1], 16) for words in lines if words}


def section(module, name):
    """The addresses of a section."""
    lines = subprocess.run(["readelf", "-SW", module], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        words = line.replace("[ ", "[").split()
        if len(words) > 5 and words[1] == name:
            return range(int(words[3], 16), int(words[3], 16) + int(words[5], 16))
    sys.exit(f"compare-addresses.py: {module}: no section {name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module")
    parser.add_argument("--section")
    parser.add_argument("--in-b", action="store_true")
    parser.add_argument("--iterations", action="store_true")
    parser.add_argument("--but")
    parser.add_argument("a")
    parser.add_argument("b")
    options = parser.parse_args()
    module = options.module and os.path.realpath(options.module)
    a, b = load(options.a, module, options.iterations), load(options.b, module)
    if options.section:
        inside = section(module, options.section)
        a, b = ({key: count for key, count in side.items() if key[1] in inside} for side in (a, b))
    but = left_out(options.but) if options.but else set()
    keys = sorted(key for key in (b.keys() if options.in_b else a.keys() | b.keys()) if key[1] not in but)
    differ = [key for key in keys if a.get(key, 0) != b.get(key, 0)]
    for path, address in differ[:10]:
        key = path, address
        print(f"{path} {address:#x}: {a.get(key, 0)}, {b.get(key, 0)}")
    if len(differ) > 10:
        print(f"and {len(differ) - 10} others")
    print(f"{len(keys)} instructions compared, {len(differ)} differ;"
          f" {sum(a.values())} and {sum(b.values())} executions")
    sys.exit(1 if differ or not keys else 0)


main()
