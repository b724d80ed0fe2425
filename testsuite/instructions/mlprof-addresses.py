#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# mlprof-addresses.py FILE: reads what `mlprof -measure instructions -pprof FILE' wrote, and prints lines PATH ADDRESS
# COUNT as stepcount does. Modules are mapped at multiples of 2 MiB, the first at its own addresses
# (mlprof/export/locations.c), so the others must have their code in their first 2 MiB.

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "formats"))
from pprof import Profile, one  # noqa: E402

ALIGNMENT = 1 << 21


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: mlprof-addresses.py FILE")
    profile = Profile(sys.argv[1])
    index = [name for name, _ in profile.types].index("instructions")
    first = min(profile.mappings, default=0)
    counts = {}
    for locations, values, _ in profile.samples:
        location = profile.locations[locations[0]]
        number = one(location, 2)
        mapping = profile.mappings[number]
        base = 0 if number == first else one(mapping, 2) // ALIGNMENT * ALIGNMENT
        key = os.path.realpath(profile.strings[one(mapping, 5)]), one(location, 3) - base
        counts[key] = counts.get(key, 0) + values[index]
    for (path, address), count in sorted(counts.items()):
        print(path, hex(address), count)


main()
