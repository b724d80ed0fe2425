#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""null.py MLPROF PROGRAM WAY TURNS...: null comparisons of equal runs, for each way of null.c.

Pairs of runs are made until a sequential probability ratio test (Wald, Sequential Analysis, 1947)
decides between "5 % of the tested rows are marked at 95 %, at most" and "at least 10 %". A right
program is called wrong once in a million times, and a wrong one right once in a thousand times.
The same rule judges the comparisons that call any row certain. All runs use one processor: those
of a virtual machine may differ in speed by half.
"""
import csv, io, math, os, subprocess, sys, tempfile

WRONG, RIGHT = math.log(1e6), -math.log(1e3)
UP, DOWN = math.log(0.10 / 0.05), math.log(0.90 / 0.95)


class Test:
    def __init__(self):
        self.score, self.marked, self.all = 0, 0, 0

    def add(self, marked):
        if RIGHT < self.score < WRONG:
            self.score += UP if marked else DOWN
            self.marked += marked
            self.all += 1

    def undecided(self):
        return RIGHT < self.score < WRONG

    def text(self):
        verdict = 'not decided' if self.undecided() else 'right' if self.score <= RIGHT else 'FAILED'
        return '%d of %d (%.1f %%) %s' % (self.marked, self.all, 100 * self.marked / max(self.all, 1), verdict)


def compare(mlprof, program, way, turns, folder):
    sides = []
    for side in ('before', 'after'):
        data = os.path.join(folder, side)
        subprocess.run(['rm', '-rf', data], check=True)
        subprocess.run([program, way, turns], env={**os.environ, 'CCPROF': 'output=%s/' % data}, check=True)
        sides.append(data)
    table = subprocess.run([mlprof, program, sides[0], '-compare', program, sides[1], '-csv', '-'],
                           check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(table)))


def judge(mlprof, program, way, turns, most):
    rows, comparisons, untested = Test(), Test(), 0
    with tempfile.TemporaryDirectory() as folder:
        while rows.undecided() and comparisons.all < most:
            certain = False
            for row in compare(mlprof, program, way, turns, folder):
                if row['chance'] == '':
                    untested += 1
                    continue
                rows.add(float(row['chance']) <= 0.05)
                certain |= row['certain'] == 'true'
            comparisons.add(certain)
    print('%s: rows at 95 %%: %s; comparisons with a certain row: %s; %d rows not tested' %
          (way, rows.text(), comparisons.text(), untested), flush=True)
    return rows.score < WRONG and comparisons.score < WRONG


def main():
    mlprof, program = sys.argv[1:3]
    ways = sys.argv[3:]
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    most = int(os.environ.get('COMPARISONS', '1000'))
    good = [judge(mlprof, program, way, turns, most) for way, turns in zip(ways[::2], ways[1::2])]
    sys.exit(not all(good))


main()
