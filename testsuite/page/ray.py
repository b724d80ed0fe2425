# SPDX-License-Identifier: GPL-3.0-or-later
"""The run of the ray tracer whose page is looked around in, as mlprof and objdump tell of it."""

import csv
import io
import subprocess


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Ray:
    """PAGE was made of PROGRAM and DATA, MISSING of a program whose source is gone."""

    def __init__(self, page, mlprof, program, data, missing):
        self.page, self.mlprof, self.program, self.data, self.missing = page, mlprof, program, data, missing
        self.known = {}

    def rows_of(self, *options):
        """mlprof's rows by these options."""
        if options not in self.known:
            self.known[options] = output_of(self.mlprof, '-csv', '-', *options, self.program, self.data)
        return list(csv.DictReader(io.StringIO(self.known[options])))

    def table(self, *options):
        """The functions, by name."""
        return {row['function']: row for row in self.rows_of(*options)}

    def folded(self):
        """By stack, from its outermost function on, its samples and those of all that it is the beginning of."""
        weights = {}
        for row in output_of(self.mlprof, '-folded', '-', self.program, self.data).splitlines():
            stack, count = row.rsplit(' ', 1)
            for depth in range(1, len(stack.split(';')) + 1):
                key = tuple(stack.split(';')[:depth])
                weights[key] = weights.get(key, 0) + int(count)
        return weights

    def instructions_of(self, function):
        """The instructions of a function as objdump has them: address, operation, target of a jump."""
        found = []
        for line in output_of('objdump', '-d', '--no-show-raw-insn', '--disassemble=' + function, self.program).splitlines():
            address, tab, rest = line.partition(':\t')
            if tab and rest.strip():
                words = rest.split()
                found.append((address.strip(), words[0], words[1] if words[0][0] == 'j' else ''))
        return found
