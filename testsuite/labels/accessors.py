# SPDX-License-Identifier: GPL-3.0-or-later
"""Accessors: functions that read, write, change or compare one member of the room, or one variable, and do nothing
else. In C they are functions, in C++ methods of the room."""

from source import Owner

READERS, WRITERS = 60, 40

# What one does: before its member or variable, which member (None: a variable), and behind it.
READS = [('return ', 0, ''), ('return (u32)', 2, ''), ('return ', 1, ''), ('return ', 3, ''), ('return ', 0, ' > @N'),
         ('return ', None, ''), ('return ', None, ' > i')]
WRITES = [('', 0, ' = i'), ('', 3, ' = i >> 4'), ('', 0, ' += i'), ('', None, ' = i'), ('', None, ' += i')]


class Accessor:
    def __init__(self, program, number):
        self.reads = number < READERS
        self.act = program.pick(READS if self.reads else WRITES)
        self.attribute = '__attribute__((always_inline)) ' if program.chance(30) else ''
        if not self.attribute and program.chance(8):
            self.attribute = '__attribute__((noinline)) '
        self.template = program.cxx and self.act[1] is not None and program.chance(25)
        self.name = '%s%d' % ('get' if self.reads else 'set', number)
        plain = self.name + ('<@>' if self.template else '')
        instances = ('1', '2', '3', '4') if self.template else ()
        self.owner = Owner(('room::' if program.cxx else '') + plain, plain, instances, 'N', accessor=True)

    def define(self, text):
        cxx = text.program.cxx
        before, member, behind = self.act
        text.put('\n%s%s%s%s %s(%su32 i)\n{\n\t%s' % (
            'template <int N> ' if self.template else '', 'inline ' if cxx else 'static inline ', self.attribute,
            'u32' if self.reads else 'void', self.name, '' if cxx else 'struct room *far, ', before))
        if member is None:
            text.symbol(self.owner, 'glob')
        else:
            text.raw('' if cxx else 'far->')
            text.member(self.owner, member, 'i & 15')
        text.put(behind + ';\n}', self.owner)

    def call(self, text, far, value):
        program = text.program
        text.raw((far + '->' if program.cxx else '') + self.name)
        text.raw('<%d>' % (1 + program.below(4)) if self.template else '')
        text.raw('(%s)' % value if program.cxx else '(%s, %s)' % (far, value))


class Accessors:
    def __init__(self, program):
        self.all = [Accessor(program, i) for i in range(READERS + WRITERS)]

    def define(self, text):
        for accessor in self.all:
            accessor.define(text)
        text.raw('\n')

    def read(self, text, far):
        """A call that gives a value, of 32 bits."""
        value = text.program.either('y', 'y >> 2')
        text.program.pick(self.all[:READERS]).call(text, far, value)

    def write(self, text, far, value):
        """A call, as a statement without semicolon."""
        text.program.pick(self.all[READERS:]).call(text, far, value)
