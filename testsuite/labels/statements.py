# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of functions: random statements of the expressions of expressions.py."""

import copy

from expressions import CELLS, NARROW, RECORD, WIDE, Expressions

# The variables that a shape does not bring as parameters.
VARIABLES = ['\n\tstruct record *r = &pool[y & 7];\n\tu32 *cell = r->cell;\n\tu64 w = r->w;',
             '\n\tstruct record *r = &pool[y & 7];\n\tu32 *cell = r->cell;\n\tu32 x = (u32)(w >> 9);',
             '\n\tu32 *cell = r->cell;\n\tu32 x = r->b;\n\tu64 w = r->w;',
             '\n\tstruct record *r = &pool[y & 7];\n\tu32 x = cell[y & 15];\n\tu64 w = r->w;']
FAR = '\n\tstruct room *far = r->far;'


class Body(Expressions):
    def __init__(self, text, f, callees, accessors):
        super().__init__(text, f, callees, accessors)
        self.temporaries = 0
        self.recursed = False

    def write(self):
        """From the opening brace to the closing one."""
        shape, layer = self.f.shape, self.f.layer
        self.put('{')
        if layer == 0 and self.chance(50):
            self.put('\n\t')
            self.small(shape)
        else:
            count = 1 + self.below(2) if layer == 0 else 2 + self.below(3 + layer)
            self.calls = 2 + self.below(4) if layer else 0
            self.put(VARIABLES[shape] + FAR)
            self.statements(count, 0)
            self.put('\n\tr->w = w;' if shape == WIDE or self.chance(30) else '')
            result = ['return x ^ y;', 'return w + x;', 'return x;', 'return;'][shape]
            self.put('\n\tr->b = r->b >> 3 ^ x;\n\t' + result)
        self.put('\n}')
        self.text.raw('\n')

    def main(self):
        self.calls = 6
        self.recursed = True
        self.put('\nint main(int argc, char **argv)\n{\n\tu32 x = (u32)argc, y = (u32)argv[0][0];')
        self.put(VARIABLES[NARROW] + FAR)
        self.statements(12, 0)
        for g in self.callees:
            if not (g.once and g.called):
                g.called = True
                self.put('\n\t' + ['x ^= ', 'w += ', 'y += ', ''][g.shape])
                self.name(g)
                first = ['x', 'w', '&pool[x & 7]', 'pool[y & 7].cell'][g.shape]
                self.put('(%s, %s);' % (first, self.either('y', 'x & 63')))
        self.put('\n\treturn (int)(x ^ y ^ (u32)w);\n}')
        self.text.raw('\n')

    def small(self, shape):
        """A body of a single statement."""
        if shape == RECORD:
            self.put('return ')
            if self.chance(50):
                self.accessors.read(self.text, 'r->far')
            else:
                self.put('r->cell[y & 15]')
        self.put({NARROW: 'return (x * @N) ^ (y + @N);', WIDE: 'return (w ^ y) * @W;', RECORD: ' * @N + r->a;',
                  CELLS: 'cell[y & 15] += y * @N;'}[shape])

    def temporary(self):
        self.temporaries += 1
        return self.temporaries - 1

    def inside(self, write, *arguments, levels=1):
        """Writes something that lies deeper."""
        self.text.depth += levels
        write(*arguments)
        self.text.depth -= levels

    def statements(self, count, depth):
        for _ in range(count):
            self.inside(self.statement, depth)

    def statement(self, depth):
        """Any statement, on a line of its own. DEPTH: how many it lies in."""
        self.put('\n')
        if self.program.cxx and self.owner is self.f.owner and self.chance(12):
            if self.chance(75):
                self.closure()
            else:
                self.caught()
            return
        # Each kind has the numbers from its first to that of the kind before; those from 20 on hold others.
        n = self.below(38 if depth < 3 else 20)
        for first, write, *arguments in [
                (36, self.call_statement), (34, self.scope), (33, self.recursion), (32, self.threaded),
                (30, self.early_return), (28, self.selection), (27, self.while_loop), (26, self.vector_loop),
                (24, self.counted_loop, depth), (20, self.condition_statement, depth), (18, self.outside),
                (14, self.store), (9, self.call_statement), (8, self.macro), (7, self.stores), (6, self.choice),
                (5, self.wide), (3, self.long), (0, self.assignment)]:
            if n >= first:
                write(*arguments)
                return

    # Statements that hold no others.

    def assignment(self):
        start = self.pick(['x =', 'x +=', 'x ^=', 'y +=', 'r->b =', 'r->a +=', 'cell[y & 15] ='])
        own = start[-2] if start[-2] in '+^' else ''
        join = self.operator()
        self.put(start + ' ')
        self.operand(own, join)
        self.put(' %s ' % join)
        if self.chance(50):
            self.term(join, own)
        else:
            self.put('(w >> %d)' % (1 + self.below(40)))
        self.put(';')

    def wide(self):
        self.put('w = %s * @W' % self.either('w', '(w ^ x)'))
        last = self.either('x', '(w >> 7)')
        self.put(' %s %s;' % (self.operator(), last))

    def long(self):
        """Of several lines."""
        count = 2 + self.below(3)
        left = self.operator()
        self.put('x = ')
        self.operand('', left)
        for i in range(count):
            right = self.operator() if i + 1 < count else ''
            self.put('\n\t%s ' % left)
            self.operand(left, right)
            left = right
        self.put(';')

    def choice(self):
        condition = self.either('y & 4', 'x > y')
        self.put('%s %s ? ' % (self.either('x =', 'y +='), condition))
        self.term()
        self.put('\n\t\t: ' if self.chance(60) else ' : ')
        if self.chance(70):
            self.term()
        else:
            self.put('@N')
        self.put(';')

    def stores(self):
        self.put('r->a = @N;\n')
        self.put('cell[x & 15] %s= @N;' % self.operator())

    def macro(self):
        self.put(self.either('x = MIX(x, y, @N);', 'STEP(x, @N);'))

    def call_statement(self):
        g = self.callee(False)
        if not g:
            self.assignment()
            return
        if g.shape != CELLS:
            self.put(self.either('x += ', 'x ^= '))
        self.call(g)
        self.put(';')

    def store(self):
        """To a member or a variable, or by an accessor."""
        values = ['x', 'y', 'x >> 3', '(u32)w', '7']
        member = self.below(4)
        if self.chance(45):
            self.accessors.write(self.text, 'far', self.pick(values))
            self.put(';')
            return
        if not (self.chance(25) and self.text.symbol(self.owner, 'glob')):
            self.put('far->')
            self.text.member(self.owner, member, self.either('x & 15', 'y & 15'))
        if self.chance(40):
            value = self.either('x', 'y')
            self.put(' %s= %s;' % (self.operator(), value))
        else:
            self.put(' = %s;' % self.pick(values))

    def outside(self):
        """A call of assembly."""
        self.put(self.either('x += ', 'y ^= '))
        if not self.text.symbol(self.owner, 'call'):
            self.memory()
        else:
            self.put('(')
            if self.chance(50):
                self.put('x >> 1')
            else:
                self.term()
            self.put(')')
        self.put(';')

    # Loops.

    def counted_loop(self, depth):
        i = self.temporary()
        limit = self.pick(['(y & 31)', '4', '16', '(x & 7)', '100'])
        self.put('for (u32 i%d = 0; i%d < %s; i%d++) {\n\t' % (i, i, limit, i))
        self.put(self.pick(['cell[i%d & 15] = cell[i%d & 15] * @N + y;' % (i, i),
                            'x += cell[i%d & 15] ^ (y * @N);' % i,    # does not change in the loop
                            'x = x * @N + i%d;' % i,
                            'if (cell[i%d & 15] > @N)\n\t\tx ^= i%d * @N;' % (i, i)]))
        if self.chance(40):
            self.inside(self.statement, depth + 1)
        self.put('\n}')

    def vector_loop(self):
        i = self.temporary()
        self.put('for (u32 i%d = 0; i%d < 16; i%d++)\n\tcell[i%d] = (cell[i%d] ^ (x * @N)) + @N;' % (i, i, i, i, i))

    def while_loop(self):
        self.put(self.either('while (x > @N)\n\tx = (x >> 1) ^ (y & @N);',
                             'do {\n\tx = (x >> 2) + (x & 3) * @N;\n} while (y-- && x > @N);'))

    # Statements that hold others.

    def block(self, depth):
        self.put('{')
        self.statements(1 + self.below(1 if depth > 1 else 3), depth + 1)
        self.put('\n}')

    def condition(self):
        compare = ['>', '<', '>=']
        if self.chance(40):
            self.put(self.pick(['x & 1', 'y > 3', 'x > y', 'r->a', 'w & 4']))
            return
        # What is equal to a constant would be replaced by it elsewhere.
        if self.chance(35):
            self.memory()
            self.put(' %s @N' % self.pick(compare))
        elif self.chance(30):
            equal, shift = self.either('==', '!='), 1 + self.below(20)
            self.put('(%s ^ y >> %d) %s @N' % (self.variable(), shift, equal))
        else:
            operator = self.pick(compare)
            self.put('%s %s @N' % (self.variable(), operator))

    def condition_statement(self, depth):
        unlikely = self.chance(15)
        self.put('if (__builtin_expect(' if unlikely else 'if (')
        self.condition()
        self.put(', 0)) ' if unlikely else ') ')
        self.block(depth)
        if self.chance(60):
            self.put(' else ')
            self.block(depth)

    def selection(self):
        count = 3 + self.below(4)
        self.put('switch (%s) {' % self.either('x & 7', 'y'))
        for i in range(count):
            self.put('\ncase %d:\n\t' % (i + self.below(2) * 10))
            self.inside(self.long if self.chance(40) else self.assignment)
            self.put('\n\t%s;' % ('break' if self.chance(85) else 'x++'))
        self.put('\n}')

    def early_return(self):
        self.put('if ((y ^ x >> %d) == @N)\n\treturn' % (1 + self.below(20)))
        if self.f.shape != CELLS or self.owner is not self.f.owner:
            self.put(' ')
            self.term()
        self.put(';')

    def threaded(self):
        """One condition twice, with a statement between: jump threading."""
        i = self.temporary()
        self.put('{\n\tu32 flag%d = 0;\n\tif (x > @N) {\n\t\tflag%d = 1;\n\t\tx = ' % (i, i))
        self.term()
        self.put(';\n\t}\n\t')
        self.inside(self.assignment)
        self.put('\n\tif (flag%d)\n\t\t' % i)
        self.inside(self.assignment, levels=2)
        self.put('\n}')

    def recursion(self):
        if self.recursed or self.owner is not self.f.owner or self.owner.instances:
            self.assignment()
            return
        self.recursed = True
        first = ['x + @N', 'w + @N', 'r', 'cell'][self.f.shape]
        result = 'x += ' if self.f.shape != CELLS else ''
        self.put('if (y > 1)\n\t%s%s(%s, y >> 1);' % (result, self.owner.plain, first))

    def scope(self):
        i = self.temporary()
        self.put('{\n\tu32 t%d = ' % i)
        self.operand()
        self.put(';\n\tx ^= t%d * @N + (t%d >> 3);\n}' % (i, i))

    def closure(self):
        """A lambda, kept in a variable or given to each_cell."""
        i = self.temporary()
        given = self.chance(50)
        join = self.operator()
        self.put('x += each_cell(cell, y & 15, [&](u32 x) {' if given else 'auto lambda%d = [=](u32 x) {' % i)
        self.owner = copy.copy(self.f.owner)
        self.owner.name += '.lambda'
        self.owner.plain = 'operator()'
        self.put('\n\treturn ')
        self.inside(self.term, '', join)
        self.put(' %s ' % join)
        self.inside(self.operand, join)
        self.put(';')
        self.owner = self.f.owner
        if given:
            self.put('\n});')
        else:
            self.put('\n};\nx = lambda%d(x) ^ lambda%d(' % (i, i))
            self.term()
            self.put(');')

    def caught(self):
        self.put('try {\n\tx += may_throw(x ^ @N);')
        self.inside(self.statement, 2)
        self.put('\n} catch (u32 thrown) {\n\tx = thrown * @N;\n}')
