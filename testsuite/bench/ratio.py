#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ratio.py ROUNDS NAME COMMAND [NAME COMMAND]...: runs the commands in turn, ROUNDS times, and prints a line for each,
fields separated by tabs:
    NAME CPU RATIO LOW HIGH WALL PEAK
CPU and WALL are medians in seconds, user and system time together. RATIO is the median over the rounds of its CPU time
to that of the first command in the same round, so that a machine which grows slower or faster meanwhile does no harm;
between LOW and HIGH lies the middle half of these ratios. PEAK is the largest memory in KiB. Ends with status 1 if a
command fails."""

import os
import sys
import time


def run(command):
    """Its CPU time, its time on the clock, and the most memory that it had."""
    before = time.monotonic()
    child = os.posix_spawn('/bin/sh', ['sh', '-c', command], os.environ,
                           file_actions=[(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)])
    _, status, used = os.wait4(child, 0)
    if status != 0:
        sys.exit('ratio.py: failed: ' + command)
    return used.ru_utime + used.ru_stime, time.monotonic() - before, used.ru_maxrss


def quantile(values, part):
    """The value below which this part of the values lies."""
    values = sorted(values)
    place = part * (len(values) - 1)
    below = int(place)
    return values[below] + (place - below) * (values[min(below + 1, len(values) - 1)] - values[below])


def main(words):
    if len(words) < 4 or len(words) % 2:
        sys.exit(__doc__)
    rounds, names, commands = int(words[1]), words[2::2], words[3::2]
    runs = [[None] * rounds for _ in commands]
    for turn in range(rounds):
        # Each round starts with another one.
        for i in range(len(commands)):
            at = (i + turn) % len(commands)
            runs[at][turn] = run(commands[at])
    for name, mine in zip(names, runs):
        cpu, wall, peak = zip(*mine)
        ratio = [own / first[0] for own, first in zip(cpu, runs[0])]
        print('%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%d' % (name, quantile(cpu, 0.5), quantile(ratio, 0.5),
                                                      quantile(ratio, 0.25), quantile(ratio, 0.75),
                                                      quantile(wall, 0.5), max(peak)))


main(sys.argv)
