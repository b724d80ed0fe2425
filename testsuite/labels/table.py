# SPDX-License-Identifier: GPL-3.0-or-later
"""table.py MINIMUM RELATIVE RESULTS: the tables of what answers.py has found, and what is below the minimum; then the
exit status is 1. The minimum, lines of CLASS FUNCTIONS LINES in percent with tabs between, is of one version of GCC; of
another, if RELATIVE is 1, less will do where the better reader of DWARF has no more of that class."""

import collections
import sys


def percent(n, of):
    return 100 * n / of if of else 0


class Sums:
    """By row of a table and tool: the instructions, and of how many function and line are right."""

    def __init__(self, results):
        self.of = collections.defaultdict(lambda: [0, 0, 0])
        self.places, self.classes, self.tools = {}, {}, {}
        for line in results:
            level, language, tool, kind, *numbers = line.rstrip('\n').split('\t')
            place = '%-4s %s' % (language, level.replace(',', ' '))
            self.places[place] = self.classes[kind] = self.tools[tool] = True
            for row in (place, kind, 'all'):
                self.of[row, tool] = [a + int(b) for a, b in zip(self.of[row, tool], numbers)]

    def right(self, row, tool, which):
        """Percent of functions (1) or lines (2)."""
        return percent(self.of[row, tool][which], self.of[row, tool][0])

    def print(self, title, rows):
        print('%-31s%7s' % (title, 'instr.') + ''.join('%17s' % tool for tool in self.tools))
        print(' ' * 38 + ('%17s' % 'func.   line') * len(self.tools))
        for row in rows:
            print('%-31s%7d' % (row, self.of[row, 'ccprof'][0]) + ''.join(
                '%10.2f %6.2f' % (self.right(row, tool, 1), self.right(row, tool, 2)) for tool in self.tools))

    def faults(self, minimum, relative):
        readers = [tool for tool in self.tools if tool not in ('ccprof', 'markers alone')]
        for kind, *least in minimum:
            if not self.of[kind, 'ccprof'][0]:
                yield kind + ': none'
            for which, name in ((1, 'functions'), (2, 'lines')):
                want = float(least[which - 1])
                if relative:
                    want = min(want, max(self.right(kind, tool, which) for tool in readers))
                if self.right(kind, 'ccprof', which) < want:
                    yield '%s: %s below %s %%' % (kind, name, want)
        for tool in self.tools:
            if self.of['all', tool][1] > self.of['all', 'ccprof'][1]:
                yield 'functions below ' + tool
            if self.of['all', tool][2] > self.of['all', 'ccprof'][2] and tool != 'markers alone':
                yield 'lines below ' + tool


def main(minimum, relative, results):
    with open(results) as lines:
        sums = Sums(lines)
    with open(minimum) as lines:
        least = [line.rstrip('\n').split('\t') for line in lines if not line.startswith('#')]
    sums.print('percent right, by options:', sums.places)
    print()
    sums.print('percent right, by class:', sorted(sums.classes) + ['all'])
    faults = list(sums.faults(least, relative == '1'))
    for fault in faults:
        print('ccprof: ' + fault)
    sys.exit(bool(faults))


main(*sys.argv[1:])
