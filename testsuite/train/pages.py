# SPDX-License-Identifier: GPL-3.0-or-later
"""How many pages of 4 KiB the functions are on that have 90 % of the samples in the program's own
code: pages.py PROGRAM DATA, by the data's addresses and the sizes of nm, which knows no tables."""

import subprocess
import sys

program, data = sys.argv[1:]
functions = []
for line in subprocess.run(['nm', '-S', '--defined-only', program], capture_output=True, text=True,
                           check=True).stdout.split('\n'):
    words = line.split()
    if len(words) == 4 and words[2] in 'tTwW':
        functions.append((int(words[0], 16), int(words[1], 16)))
samples = {}
inside = False
for line in open(data, encoding='utf-8'):
    words = line.split()
    if words[0] == 'counts':
        inside = True
    elif inside and words[0].isdigit() and len(words) >= 4:
        if words[1] == '0':
            address = int(words[2], 16)
            for start, size in functions:
                if start <= address < start + size:
                    samples[start, size] = samples.get((start, size), 0) + int(words[3])
                    break
    elif inside:
        break
total = sum(samples.values())
pages = set()
least = 0
for (start, size), count in sorted(samples.items(), key=lambda one: (-one[1], one[0])):
    if least >= 0.9 * total:
        break
    least += count
    pages.update(range(start >> 12, (start + size - 1 >> 12) + 1))
print(len(pages))
