# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a random program (program.py) with the plugin, in one of several forms, runs it, and says
where mlprof tells other counts than the marks."""

import csv
import os

from program import Unusable

# A form is options of the compiler; with -shared the program is a shared object.
FORMS = ['-O0', '-O1', '-O2', '-O3', '-Os', '-O2 -flto', '-O2 -fPIC -shared']
KINDS = ['calls', 'blocks']
ARGUMENT = '-fplugin-arg-ccprof-'


class Build:
    """The program as it was built in FORM for KIND; what differs stands in `wrong'. Unusable if GCC alone
    does not build it so."""

    def __init__(self, program, form, kind):
        self.program, self.form, self.kind = program, form, kind
        self.wrong = []
        self.lines, self.calls = {}, {}
        # How many counts that are not 0 were compared.
        self.compared = 0
        if self.build() and self.execute():
            self.read()
            self.compare_calls()
            if kind == 'blocks':
                self.compare_lines()
            if not self.compared:
                self.fail('there was nothing to compare')

    def fail(self, what):
        self.wrong.append(what)

    def build(self):
        program = self.program
        options = self.form.split() + ['-fplugin=' + os.environ['PLUGIN'], ARGUMENT + 'profile=count']
        if self.kind == 'blocks':
            options.append(ARGUMENT + 'blocks')
        shared = '-shared' in options
        why = program.compile(options + program.sources, 'libprogram.so' if shared else 'profiled')
        if not why and shared:
            # All of it, main too, is in there.
            why = program.command([program.compiler(), '-Wl,--no-as-needed', '-L.', '-lprogram', '-Wl,-rpath,$ORIGIN',
                                   '-o', 'profiled'], 60).stderr
        if why and not shared and program.compile(self.form.split() + program.sources, 'plain'):
            raise Unusable('without the plugin it does not compile either')
        if why:
            self.fail('does not compile: ' + why[:1000])
        return not why

    def execute(self):
        data = os.path.join(self.program.folder, 'mlmon.out')
        if os.path.exists(data):
            os.remove(data)
        try:
            output = self.program.run('./profiled', 60)
        except Unusable as why:
            self.fail(str(why))
            return False
        if output != self.program.output:
            self.fail('printed and returned %r, without the plugin %r' % (output, self.program.output))
        return True

    def read(self):
        done = self.program.command([os.environ['MLPROF'], '-csv', 'table.csv', 'profiled', 'mlmon.out'], 60)
        if done.returncode:
            self.fail(done.stderr)
            return
        with open(os.path.join(self.program.folder, 'table.csv'), encoding='utf-8', newline='') as file:
            for row in csv.DictReader(file):
                name = row['function'].split('(')[0]
                self.calls[name] = self.calls.get(name, 0) + int(row['calls'] or 0)
        if self.kind != 'blocks':
            return
        done = self.program.command([os.environ['MLPROF'], '-lcov', 'lines.info', 'profiled', 'mlmon.out'], 60)
        if done.returncode:
            self.fail(done.stderr)
            return
        with open(os.path.join(self.program.folder, 'lines.info'), encoding='utf-8') as file:
            for line in file:
                key, _, value = line.rstrip('\n').partition(':')
                if key == 'SF':
                    name = os.path.basename(value)
                elif key == 'DA':
                    number, count = value.split(',')
                    self.lines[name, int(number)] = int(count)

    def compare_calls(self):
        want = {}
        for mark, function in self.program.functions.items():
            want[function] = want.get(function, 0) + self.program.counts.get(mark, 0)
        for function, calls in want.items():
            self.compared += calls > 0
            if self.calls.get(function, 0) != calls:
                self.fail('%s: calls %s, not %d' % (function, self.calls.get(function), calls))

    def compare_lines(self):
        """A few lines have no code, since the front end has folded a condition, or made a constant of what
        is not written to."""
        executed = missing = 0
        for mark, where in self.program.lines.items():
            if mark in self.program.functions:
                continue
            want = self.program.counts.get(mark, 0)
            executed += want > 0
            if where not in self.lines:
                missing += want > 0
            elif self.lines[where] != want:
                self.fail('%s:%d: executed %d times, not %d' % (*where, self.lines[where], want))
            else:
                self.compared += want > 0
        if missing > 2 and missing * 20 > executed:
            self.fail('of %d lines executed %d are not told of' % (executed, missing))
