# SPDX-License-Identifier: GPL-3.0-or-later
"""What generate.py writes: source files, and the table of what is true of them.

The table has a line for each form in which a constant, the distance of a member, a variable or a function can
stand in the disassembly; fields are separated by tabs:
  form          lower-case hexadecimal with 0x, or a symbol
  name          the source function as ccprof names it: C `f`; C++ with its scopes, without parameters:
                `ns::Class::f`, `ns::poly<3>`, and a lambda as its function with `.lambda` behind
  plain         the function's own name, all that can be asked of DWARF's readers: `f`, `poly<3>`, `operator()`
  file          without folder
  line, column  where the constant stands
  role          accessor, of a function that does nothing else; or -"""

import re

STEP = 0x10003    # between the constants of a template's instances
APART = 4096      # constants and their negations are further from each other than that
FIRST_SLOT, SLOT_SIZE, SLOTS = 0x400000, 2048, 6000
SYMBOLS = 2500
MEMBERS = [('n', 0), ('k', 4), ('w', 8), ('cell', 16)]    # of a slot: 32 bits, a byte, 64 bits, an array


class Owner:
    """The function that constants belong to. A template has INSTANCES: their arguments stand in its names for
    each @. Their constants differ: STEP is an expression that is 1 in the first one, and so on."""

    def __init__(self, name, plain, instances=(), step=None, accessor=False):
        self.name, self.plain, self.instances, self.step = name, plain, instances, step
        self.role = 'accessor' if accessor else '-'


class Program:
    """One sequence of random numbers for each SEED, the same on every machine, and all that is used up."""

    def __init__(self, seed, cxx):
        self.state, self.cxx = seed, cxx
        self.table = []
        self.taken = {}
        self.slots = 0
        self.symbols = {'glob': 0, 'call': 0}

    def bits(self):
        """Sebastiano Vigna's splitmix64."""
        mask = (1 << 64) - 1
        self.state = z = (self.state + 0x9e3779b97f4a7c15) & mask
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & mask
        z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
        return z ^ z >> 31

    def below(self, limit):
        return (self.bits() >> 32) * limit >> 32

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def either(self, one, other):
        return one if self.chance(50) else other

    def is_free(self, size, low):
        near = [t for bucket in (-1, 0, 1) for t in self.taken.get(size // APART + bucket, ())]
        return size >= 0x1000000 and 11 <= bin(low).count('1') <= 21 and all(
            not -APART <= size - t < APART for t in near)

    def constant(self, wide, copies):
        """A constant below 2^31, or (WIDE) below 2^63, that no other one can be taken for: it and its negation
        and complement, also cut to 32 bits, are far from theirs, and no compiler would multiply by it with shifts
        and additions. COPIES of them, each STEP above the one before, are returned by their first."""
        while True:
            value = self.bits() >> 1 | 1
            value = value | 1 << 61 if wide else value & 0x3fffffff | 0x10000000
            lows = [value + i * STEP & 0xffffffff for i in range(copies)]
            sizes = [min(low, (1 << 32) - low) for low in lows]
            if all(map(self.is_free, sizes, lows)):
                for size in sizes:
                    self.taken.setdefault(size // APART, []).append(size)
                return value

    def room(self):
        """Members lie in `struct room', far from its beginning, so that their distance stands in the instruction,
        between the addresses of the program and the constants. Its end is missing."""
        return ('struct slot {\n    u32 n;\n    unsigned char k;\n    u64 w;\n    u32 cell[16];\n'
                '    char rest[%d];\n};\nstruct room {\n    char before[0x%x];\n    struct slot slot[%d];\n' % (
                    SLOT_SIZE - 80, FIRST_SLOT, SLOTS))

    def declare_outside(self):
        """Variables (globN) and functions (callN) are defined in assembly, where no compiler looks."""
        lines = ''.join('extern u32 glob%d; u32 call%d(u32);\n' % (i, i) for i in range(SYMBOLS))
        return 'extern "C" {\n%s}\n' % lines if self.cxx else lines

    def outside(self):
        text = '    .text\n'
        for i in range(self.symbols['call']):
            text += '    .globl call%d\n    .type call%d, @function\ncall%d:\n    ret\n' % (i, i, i)
        text += '    .bss\n    .balign 4\n'
        for i in range(self.symbols['glob']):
            text += '    .globl glob%d\n    .type glob%d, @object\n    .size glob%d, 4\nglob%d:\n    .zero 4\n' % (
                i, i, i, i)
        return text + '    .section .note.GNU-stack,"",@progbits\n'


class Text:
    """A file that is being written. DEPTH is that of indentation."""

    def __init__(self, program, file):
        self.program, self.file = program, file
        self.parts = []
        self.line = self.column = 1
        self.depth = 0

    def raw(self, text):
        self.parts.append(text)
        self.line += text.count('\n')
        self.column = len(text) - text.rfind('\n') if '\n' in text else self.column + len(text)

    def put(self, text, owner=None):
        """Writes TEXT: lines are indented, by a level more for each tab at their beginning; @N stands for a new
        constant of OWNER's, @W for one of 64 bits."""
        for part in re.split('(@[NW]|\n\t*)', text):
            if part in ('@N', '@W'):
                self.constant(owner, part == '@W')
            elif part.startswith('\n'):
                self.raw('\n' + '    ' * (self.depth + len(part) - 1))
            else:
                self.raw(part)

    def row(self, owner, argument, form):
        """What stands here next stands in the disassembly as FORM."""
        self.program.table.append('\t'.join([
            form, owner.name.replace('@', argument), owner.plain.replace('@', argument), self.file, str(self.line),
            str(self.column), owner.role]))

    def numbers(self, owner, argument, value, wide):
        """All forms of one value."""
        for form in (value, -value & (1 << 64) - 1, ~value & (1 << 64) - 1):
            low = form & 0xffffffff
            self.row(owner, argument, hex(form))
            if low != form:
                self.row(owner, argument, hex(low))
            if wide and low >> 31:
                self.row(owner, argument, hex(low | 0xffffffff << 32))

    def constant(self, owner, wide):
        suffix = 'ul' if wide else 'u'
        value = self.program.constant(wide, len(owner.instances) + 1)
        if not owner.instances:
            self.numbers(owner, '', value, wide)
            self.raw('0x%x%s' % (value, suffix))
            return
        for i, argument in enumerate(owner.instances):
            self.numbers(owner, argument, value + (i + 1) * STEP, wide)
        self.raw('(0x%x%s + %s * 0x%xu)' % (value, suffix, owner.step, STEP))

    def member(self, owner, member, index):
        """A new member of OWNER's, behind `far->'; INDEX tells which of an array."""
        name, offset = MEMBERS[member]
        slot = self.program.slots
        self.program.slots += len(owner.instances) + 1
        if self.program.slots > SLOTS:
            raise SystemExit('generate: too many members')
        first = slot + 1 if owner.instances else slot
        for i, argument in enumerate(owner.instances or ['']):
            self.row(owner, argument, hex(FIRST_SLOT + (first + i) * SLOT_SIZE + offset))
        self.raw('slot[%s].%s' % ('%d + %s' % (slot, owner.step) if owner.instances else slot, name))
        if name == 'cell':
            self.raw('[%s]' % index)

    def symbol(self, owner, kind):
        """A new variable (glob) or function (call) of OWNER's. False, and nothing is written, if OWNER is a
        template: its instances would share it."""
        if owner.instances:
            return False
        form = '%s%d' % (kind, self.program.symbols[kind])
        self.program.symbols[kind] += 1
        if self.program.symbols[kind] > SYMBOLS:
            raise SystemExit('generate: too many variables or functions')
        self.row(owner, '', form)
        self.raw(form)
        return True
