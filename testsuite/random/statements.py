# SPDX-License-Identifier: GPL-3.0-or-later
"""The statements of one function of a generated program (generate.py). Each stands on a line of its own
behind a mark. No mark is at what GCC may tell at another's line: labels, jumps, closing braces;
nor at what begins on one line and goes on there after another, as the sum of a ?: does.

In a function with setjmp no local variable is changed between it and the longjmp: all that is changed
is global. What setjmp protects is not left by a jump."""


class Place:
    """What may stand here: DEPTH levels more; a jump out of a LOOP; LEAVE: return and goto."""

    def __init__(self, depth, loop=False, leave=True):
        self.depth, self.loop, self.leave = depth, loop, leave

    def inner(self, **changed):
        return Place(self.depth - 1, changed.get('loop', self.loop), changed.get('leave', self.leave))


class Body:
    def __init__(self, generator, function):
        self.made, self.function, self.random = generator, function, generator.random
        self.text = []
        self.goes = None
        self.always = 'always_inline' in function.words

    # Pieces.

    def put(self, indent, line):
        self.text.append('    ' * indent + line)

    def hit(self, indent, line):
        self.put(indent, 'HIT(%d) %s' % (self.made.next(), line))

    def when(self, indent, condition, line):
        self.hit(indent, 'if (%s) {' % condition)
        self.hit(indent + 1, line)
        self.put(indent, '}')

    def check(self, expression):
        return 'CHECK(%d) %s' % (self.made.next(), expression)

    def odds(self):
        return 'chance(%d) == 0' % self.random.choice([2, 2, 3, 5])

    def condition(self):
        return self.random.choice([self.odds(), self.odds(), 'x & %d' % self.random.choice([1, 2, 4]), 'g[%d] > %d' % (
            self.random.randrange(8), self.random.randrange(100)), self.variable() + ' < 7'])

    def variable(self):
        return 'g[%d]' % self.random.randrange(8)

    def value(self):
        return self.random.choice(['x', 'x + 1', self.variable(), str(self.random.randrange(50))])

    def call(self):
        return '%s(%s)' % (self.made.callee(self.function.file, self.function), self.value())

    # The whole.

    def lines(self):
        self.when(1, 'fuel-- <= 0', 'return x;')
        place = Place(2 if self.always else 3)
        kinds = [self.flow, self.flow]
        if not self.always:
            kinds += [self.computed, self.labelled]
        self.random.choice(kinds)(place)
        if self.made.chance(3) and not self.always:
            # A call in tail position.
            self.hit(1, 'return %s;' % self.call())
        else:
            self.hit(1, 'return %s;' % self.value())
        return self.text

    def flow(self, place):
        self.block(1, place, self.random.randint(2, 5))

    def labelled(self, place):
        """Labels between the statements of the function, to which those within jump back and forth."""
        labels = ['L%d' % self.made.label() for _ in range(2)]
        self.goes = labels
        for label in labels:
            self.block(1, place, 2)
            self.put(0, label + ':;')
        self.block(1, place, 2)
        self.goes = None

    def computed(self, place):
        """A small interpreter: from each label to the next by a table."""
        ways = ['W%d' % self.made.label() for _ in range(self.random.randint(2, 4))]
        go = 'goto *ways[chance(%d)];' % len(ways)
        self.put(1, 'static void *const ways[] = {%s};' % ', '.join('&&' + way for way in ways))
        self.put(1, go)
        for way in ways:
            self.put(0, way + ':')
            self.hit(1, '%s += 3;' % self.variable())
            self.block(1, place.inner(), self.random.randint(1, 2))
            if self.made.chance(2):
                self.hit(1, 'if (fuel-- > 0)')
                self.put(2, go)

    def block(self, indent, place, most):
        for _ in range(self.random.randint(1, most)):
            self.statement(indent, place)

    def statement(self, indent, place):
        kinds = [self.assign, self.assign, self.call_statement, self.end, self.jump]
        if place.depth > 0:
            kinds += [self.branch, self.branch, self.counted, self.turns, self.do, self.switch, self.both, self.either]
            kinds += [self.trial, self.guarded, self.closure] if self.made.cxx else [self.protected]
        if self.made.cxx:
            kinds += [self.throw, self.template, self.virtual]
        self.random.choice(kinds)(indent, place)

    # Statements. Each gets INDENT and PLACE.

    def assign(self, indent, _):
        self.hit(indent, '%s %s %s;' % (self.variable(), self.random.choice(['+=', '^=', '=']), self.value()))

    def call_statement(self, indent, _):
        if self.random.randrange(4):
            self.hit(indent, '%s += %s;' % (self.variable(), self.call()))
        else:
            self.hit(indent, '%s;' % self.call())

    def end(self, indent, _):
        """Calls that do not come back."""
        self.when(indent, 'chance(2000) == 0', 'quit(%d);' % self.random.randrange(9))
        if not self.made.cxx:
            self.when(indent, 'top > 0 && ' + self.odds(),
                      self.random.choice(['longjmp(places[top - 1], 1);', 'leave();']))

    def jump(self, indent, place):
        """break, continue, goto, return."""
        ways = ['break;', 'continue;'] if place.loop else []
        if place.leave:
            ways += ['return %s;' % self.value(), 'return %s;' % self.call()]
            if self.goes:
                ways += ['goto %s;' % label for label in self.goes] * 2
        if not ways:
            self.assign(indent, place)
            return
        way = self.random.choice(ways)
        self.hit(indent, 'if (fuel-- > 0 && %s) {' % self.odds())
        if self.made.chance(2):
            self.assign(indent + 1, place)
        (self.hit if way.startswith('return') else self.put)(indent + 1, way)
        self.put(indent, '}')

    def branch(self, indent, place):
        self.hit(indent, 'if (%s) {' % self.condition())
        self.block(indent + 1, place.inner(), 2)
        while self.made.chance(3):
            self.put(indent, '} else if (%s) {' % self.check(self.condition()))
            self.block(indent + 1, place.inner(), 2)
        if self.made.chance(2):
            self.put(indent, '} else {')
            self.block(indent + 1, place.inner(), 2)
        self.put(indent, '}')

    def counted(self, indent, place):
        """A loop whose number of turns is known, to the compiler or at its beginning."""
        name = 'i%d' % self.made.label()
        most = self.random.choice(['2', '3', '5', '16', '(x & 7)'])
        self.put(indent, 'for (int %s = 0; %s < %s; %s++) {' % (name, self.check(name), most, name))
        self.hit(indent + 1, '%s += %s;' % (self.variable(), name))
        if self.made.chance(2):
            self.block(indent + 1, place.inner(loop=True), 2)
        self.put(indent, '}')

    def turns(self, indent, place):
        self.put(indent, 'while (%s) {' % self.check('fuel-- > 0 && chance(5) != 0'))
        self.block(indent + 1, place.inner(loop=True), 3)
        self.put(indent, '}')

    def do(self, indent, place):
        self.put(indent, 'do {')
        self.block(indent + 1, place.inner(loop=True), 2)
        self.put(indent, '} while (%s);' % self.check('fuel-- > 0 && %s' % self.odds()))

    def switch(self, indent, place):
        """With gaps between its values, or without; each case falls through to the next, or not."""
        step = self.random.choice([1, 1, 1, 37])
        cases = ['case %d:' % (number * step) for number in range(self.random.randint(2, 6))]
        if self.made.chance(2):
            cases.insert(self.random.randrange(len(cases) + 1), 'default:')
        self.hit(indent, 'switch (chance(%d)%s) {' % (len(cases) + 1, '' if step == 1 else ' * %d' % step))
        for case in cases:
            self.put(indent, case)
            if self.random.randrange(4):
                self.assign(indent + 1, place)
                if self.made.chance(2):
                    self.statement(indent + 1, Place(place.depth - 1, False, place.leave))
            if self.made.chance(2):
                self.put(indent + 1, 'break;')
        self.put(indent, '    ;')
        self.put(indent, '}')

    def both(self, indent, place):
        """Operands on lines of their own."""
        self.put(indent, 'if (%s %s' % (self.condition(), self.random.choice(['&&', '||'])))
        self.put(indent + 1, '(%s)) {' % self.check(self.random.choice([self.odds(), self.call()])))
        self.block(indent + 1, place.inner(), 2)
        self.put(indent, '}')

    def either(self, indent, _):
        self.put(indent, '%s += %s ?' % (self.variable(), self.condition()))
        self.put(indent + 1, '(%s) :' % self.call())
        self.put(indent + 1, '(%s);' % self.check(self.call()))

    def protected(self, indent, place):
        """setjmp: the function is left at any call below, and goes on in the second part."""
        if self.always or self.function.file.endswith('.h'):
            self.assign(indent, place)
            return
        at = 'at%d' % self.made.label()
        self.hit(indent, 'if (top < 15) {')
        self.hit(indent + 1, 'int %s = top++;' % at)
        self.put(indent + 1, 'if (setjmp(places[%s]) == 0) {' % at)
        self.block(indent + 2, place.inner(loop=False, leave=False), 3)
        self.put(indent + 1, '} else {')
        self.hit(indent + 2, 'top = %s;' % at)
        self.block(indent + 2, place.inner(loop=False, leave=False), 1)
        self.put(indent + 1, '}')
        self.hit(indent + 1, 'top = %s;' % at)
        self.put(indent, '}')

    # Those of C++.

    def throw(self, indent, _):
        self.when(indent, self.odds(), self.random.choice(['throw 0u + %s;', 'throw fault{%s};']) % self.value())

    def trial(self, indent, place):
        self.put(indent, 'try {')
        self.block(indent + 1, place.inner(), 3)
        for what in self.random.sample(['unsigned', 'const fault &'], self.random.randint(1, 2)):
            self.put(indent, '} catch (%s) {' % what)
            self.assign(indent + 1, place)
            self.block(indent + 1, place.inner(), 1)
            if self.made.chance(4):
                self.hit(indent + 1, 'throw;')
        self.put(indent, '}')

    def guarded(self, indent, place):
        """What has a destructor, which is called whatever leaves the block."""
        self.put(indent, '{')
        self.put(indent + 1, 'guard guard%d = {%d};' % (self.made.label(), self.random.randrange(16)))
        self.block(indent + 1, place.inner(), 3)
        self.put(indent, '}')

    def closure(self, indent, place):
        name = 'closure%d' % self.made.label()
        self.put(indent, '{')
        self.put(indent + 1, 'auto %s = [=](unsigned x) -> unsigned {' % name)
        goes, self.goes = self.goes, None
        self.block(indent + 2, place.inner(loop=False, leave=True), 2)
        self.goes = goes
        self.hit(indent + 2, 'return x + 1;')
        self.put(indent + 1, '};')
        self.hit(indent + 1, '%s += %s(%s);' % (self.variable(), name, self.value()))
        self.when(indent + 1, self.odds(), '%s ^= %s(%s);' % (self.variable(), name, self.value()))
        self.put(indent, '}')

    def template(self, indent, _):
        of = self.random.choice(['int', 'long', 'unsigned char'])
        self.hit(indent, '%s += grow<%s>(%s);' % (self.variable(), of, self.value()))

    def virtual(self, indent, _):
        self.hit(indent, '%s += objects[chance(2)]->way(%s);' % (self.variable(), self.value()))
