# SPDX-License-Identifier: GPL-3.0-or-later
"""What mlprof and objdump tell of a run: what its page shows is compared with that."""

import csv
import functools
import io
import os
import subprocess


def output_of(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=True, **options).stdout


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@functools.cache
def lines_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read().split('\n')


class Run:
    """The run of PROGRAM that its files of DATA tell of; PAGE was made of it, with OPTIONS."""

    def __init__(self, name, program=None, *data, options=()):
        self.page, self.program, self.options = name + '.html', program or name, options
        self.data = data or (name + '.out',)

    @functools.cache
    def told(self, *options):
        """What mlprof prints with these options."""
        return output_of(os.environ['MLPROF'], *self.options, *options, self.program, *self.data)

    @functools.cache
    def tells(self, *options):
        """The same, None where mlprof refuses."""
        try:
            return self.told(*options)
        except subprocess.CalledProcessError:
            return None

    def rows(self, *options):
        """mlprof's rows by these options."""
        return rows_of(self.told('-csv', '-', *options))

    def table(self, *options):
        """The functions, by name."""
        return {row['function']: row for row in self.rows(*options)}

    def samples(self, *options):
        return sum(int(row['samples']) for row in self.rows(*options))

    def folded(self):
        """By stack, from its outermost function on, its samples and those of all that it is the beginning of."""
        weights = {}
        for row in self.told('-folded', '-').splitlines():
            stack, count = row.rsplit(' ', 1)
            names = tuple(stack.split(';'))
            for depth in range(1, len(names) + 1):
                weights[names[:depth]] = weights.get(names[:depth], 0) + int(count)
        return weights

    def instructions_of(self, function):
        """The instructions of a function as objdump has them: address, operation, target of a jump."""
        found = []
        for line in output_of('objdump', '-d', '--no-show-raw-insn', '--disassemble=' + function,
                              self.program).splitlines():
            address, tab, rest = line.partition(':\t')
            if tab and rest.strip():
                words = rest.split()
                found.append((address.strip(), words[0], words[1] if words[0][0] == 'j' else ''))
        return found
