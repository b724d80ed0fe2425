# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths of paths.c, with the blocks and bytes that they have allocated, by a data file and the symbols of nm:
paths.py PROGRAM DATA."""

import collections
import subprocess
import sys

program, data = sys.argv[1:]
symbols = []
for line in subprocess.run(['nm', '-S', program], text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines():
    fields = line.split()
    if len(fields) == 4 and fields[3].startswith('function_'):
        symbols.append((int(fields[0], 16), int(fields[1], 16), fields[3][len('function_')]))


def letter(module, address):
    """Of the function at an address of the program; empty for others."""
    for start, size, name in symbols:
        if module == '0' and start <= address < start + size:
            return name
    return ''


found = collections.Counter()
sizes = collections.Counter()
names, on = [], False
for line in open(data):
    fields = line.split()
    if on and len(fields) == 11:
        depth = int(fields[0])
        names[depth:] = [letter(fields[1], int(fields[2], 16))]
        path = ''.join(names)
        found[path] += int(fields[3])
        sizes[path] += int(fields[4])
    on = on or fields[0] == 'stacks'
for path in sorted(found):
    if path and found[path]:
        print(path, found[path], sizes[path])
