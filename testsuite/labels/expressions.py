# SPDX-License-Identifier: GPL-3.0-or-later
"""Random expressions, with the constants of their function in them and calls of others. Random choices are made while
writing, so that the order of calls is part of the result."""

# What a function takes and gives.
NARROW, WIDE, RECORD, CELLS = range(4)
RESULTS = ['u32', 'u64', 'u32', 'void']
PARAMETERS = ['u32 x, u32 y', 'u64 w, u32 y', 'struct record *r, u32 y', 'u32 *cell, u32 y']


def regroups(x, y):
    """Whether a compiler may regroup what X joins with what Y joins, as in (a & c) ^ (b & c): then the constant would
    have no line of its own."""
    if x in '+-':
        return y in ('+', '-')
    if x in '&|':
        return y in ('&', '|', '^')
    return x == y


class Expressions:
    """Of one body, in TEXT, of the function F, which may call CALLEES. Each body has the variables x and y (32 bits),
    w (64 bits), r (a record), cell (an array of 16) and far (a room)."""

    def __init__(self, text, f, callees, accessors):
        self.text, self.f, self.callees, self.accessors = text, f, callees, accessors
        self.program = text.program
        self.below, self.chance = self.program.below, self.program.chance
        self.pick, self.either = self.program.pick, self.program.either
        self.owner = f.owner    # or that of a lambda in F
        self.calls = 0          # that may still be written

    def put(self, text):
        self.text.put(text, self.owner)

    def variable(self):
        return self.pick(['x', 'y', 'x', 'r->a', 'cell[x & 15]', '(u32)w'])

    def operator(self):
        """What may stand between two terms."""
        return self.pick('*++-^^|')

    def product(self, variable):
        if self.chance(50):
            self.put('((%s ^ y >> %d) * @N)' % (variable, 1 + self.below(20)))
        else:
            self.put('(%s * @N)' % variable)

    def memory(self):
        """What one member or one variable holds, or what an accessor gives."""
        member = self.below(4)
        if self.chance(45):
            self.accessors.read(self.text, 'far')
        elif not (self.chance(25) and self.text.symbol(self.owner, 'glob')):
            self.put('(u32)far->' if member == 2 else 'far->')
            self.text.member(self.owner, member, self.either('x & 15', 'y & 15'))

    def term(self, left='', right=''):
        """An expression of 32 bits with one constant, or from memory, which stands between the operators LEFT and
        RIGHT. Most multiply."""
        variable = self.variable()
        if self.chance(20):
            self.memory()
            return
        fit = [c for c in '***********^+-&|' if not regroups(c, left) and not regroups(c, right)]
        join = self.pick(fit) if fit else '*'
        if join == '*':
            self.product(variable)
        else:
            self.put('(@N - %s)' % variable if join == '-' else '(%s %s @N)' % (variable, join))

    def name(self, g):
        """What stands before the arguments of a call."""
        for part in g.call.partition('@'):
            self.text.raw(self.pick(g.owner.instances) if part == '@' else part)

    def call(self, g):
        """An expression of 32 bits, or for CELLS a statement."""
        g.called = True
        self.calls -= 1
        self.name(g)
        self.put('(w ^ ' if g.shape == WIDE else '(')
        if g.shape == NARROW and self.chance(60):
            self.put(self.variable())
        elif g.shape in (NARROW, WIDE):
            self.product(self.variable())
        else:
            mine, other = [('r', '&pool[x & 7]'), ('cell', 'pool[y & 7].cell')][g.shape == CELLS]
            self.put(mine if self.chance(70) else other)
        last = self.below(3)
        self.put(', %s)' % (self.below(8) if last == 0 else 'y >> 1' if last == 1 else 'x & 31'))

    def callee(self, value):
        """Something that may be called here, or None. VALUE: it must have one."""
        for _ in range(20 if self.calls > 0 and self.callees else 0):
            g = self.pick(self.callees)
            if not (value and g.shape == CELLS) and not (g.once and g.called):
                return g
        return None

    def operand(self, left='', right=''):
        """A call if there is something to call, or a term. A product of a call may be regrouped with the product that
        the function returns."""
        g = self.callee(True) if '*' not in (left, right) and self.chance(40) else None
        if g:
            self.call(g)
        else:
            self.term(left, right)
