# SPDX-License-Identifier: GPL-3.0-or-later
"""generate.py c|c++ SEED FOLDER: writes a program of several files into FOLDER in which each source function has
constants, members, variables and callees of its own, and what is true of it into FOLDER/truth (source.py). The program
is made to be compiled, not to be run.

Functions lie in layers; one calls those of the layers below it: functions of the header, static ones of its file,
extern ones of any file."""

import sys

from accessors import Accessors
from expressions import NARROW, PARAMETERS, RESULTS
from source import Owner, Program, Text
from statements import Body

FILES, PER_FILE, IN_HEADER, CLASSES = 5, 64, 70, 8
HEADER = FILES
NAMESPACES = ['alpha', 'beta', 'gamma::inner', 'delta', 'epsilon', 'common']
NUMBERS = ('1', '2', '3', '4')
TYPES = ('unsigned int', 'unsigned long')

RECORD = '''struct record {
    u32 a, b;
    u64 w;
    u32 cell[16];
    struct room *far;
};
extern struct record pool[8];
#define MIX(a, b, c) (((a) ^ (b) >> 5) * (c))
#define STEP(a, c) do { (a) += (a) >> 9; (a) *= (c); } while (0)
'''
EACH_CELL = '''u32 may_throw(u32 x);
template <class F> u32 each_cell(u32 *cell, u32 n, F f)
{
    u32 sum = 0;
    for (u32 i = 0; i < n; i++)
        sum += f(cell[i]);
    return sum;
}
'''
MAY_THROW = '''u32 may_throw(u32 x)
{
    if (x == 77)
        throw x;
    return x >> 1;
}
'''


def share(n, *limits):
    """Which of several choices the number below 100 means: the first one whose limit is above it."""
    return next((i for i, limit in enumerate(limits) if n < limit), len(limits))


class Function:
    """Its FORM is static or extern in its FILE; inline, number (template <int N>), type (template <class T>), ring
    (method of a template <int N> struct) or inclass (method defined in its class) in the header; or method, in a class
    of the header, defined in its file. LAYER 0 calls nothing; ONCE: it is to be called only once."""

    def __init__(self, program, file, number):
        below = program.below
        self.file, self.header, self.number = file, file == HEADER, 'f%d' % number
        self.form = self.choose_form(below(100), program.cxx)
        self.layer = share(below(100), 70) if self.header else share(below(100), 35, 60, 78, 90, 97)
        self.shape = below(4)
        self.qualifiers = self.kind = ''
        self.attribute = self.choose_attribute(below(100))
        self.once = self.form == 'static' and program.chance(35)
        self.called = False
        scope = call = NAMESPACES[file] + '::' if program.cxx else ''
        if self.form in ('method', 'inclass'):
            scope, call = self.plan_method(below(10), below(CLASSES))
        elif self.form == 'ring':
            scope = 'common::Ring%s<@>::' % self.number
            call = 'common::Ring%s<@>().' % self.number
        plain = self.number + ('<@>' if self.form in ('number', 'type') else '')
        self.call = call + plain
        instances, step = {'number': (NUMBERS, 'N'), 'ring': (NUMBERS, 'N'),
                           'type': (TYPES, '(u32)(sizeof(T) / 4)')}.get(self.form, ((), None))
        self.owner = Owner(scope + plain, plain, instances, step)

    def choose_form(self, n, cxx):
        if not self.header:
            return 'method' if cxx and n < 20 else 'static' if n < 70 else 'extern'
        return ['inline', 'number', 'type', 'ring', 'inclass'][share(n, 20, 45, 65, 80) if cxx else 0]

    def choose_attribute(self, n):
        inline = self.layer == 0 and self.form == 'static'
        return ['__attribute__((noinline)) ', '__attribute__((cold)) ',
                'inline __attribute__((always_inline)) ' if inline else '', ''][share(n, 8, 11, 18)]

    def plan_method(self, n, mixer):
        """The scopes that its name and a call of it have."""
        self.kind = 'static ' if n < 3 else 'virtual ' if n < 5 and self.form == 'method' else ''
        self.qualifiers = ' const' if n > 7 else ''
        self.mixer = mixer
        scope = 'common::Mixer%d::' % mixer
        return scope, scope if n < 3 else 'common::mixer%d.' % mixer

    def head(self, scope=''):
        return '%s %s%s(%s)' % (RESULTS[self.shape], scope, self.number, PARAMETERS[self.shape])


class Main:
    owner, shape, layer = Owner('main', 'main'), NARROW, 0


class Generator:
    def __init__(self, cxx, seed):
        self.cxx, self.program = cxx, Program(seed, cxx)
        self.functions = []
        for file in range(FILES + 1):
            for _ in range(IN_HEADER if file == HEADER else PER_FILE):
                self.functions.append(Function(self.program, file, len(self.functions)))
        self.accessors = Accessors(self.program)

    def callees(self, file, layer):
        """What a function of FILE and LAYER may call: rather the next layer than the ones below it."""
        may = []
        for g in self.functions:
            if g.layer < layer and (g.form != 'static' or g.file == file) and (
                    file != HEADER or (g.header and g.form != 'inclass')):
                may += [g, g] if g.layer + 1 == layer else [g]
        return may

    def define(self, text, f):
        before = {'number': 'template <int N> ', 'type': 'template <class T> ', 'static': 'static ',
                  'ring': 'template <int N> struct Ring%s { ' % f.number,
                  'inline': 'inline ' if self.cxx else 'static inline '}.get(f.form, '')
        text.put('\n%s%s%s%s\n' % (before, f.attribute, f.head(
            'common::Mixer%d::' % f.mixer if f.form == 'method' else ''), f.qualifiers))
        Body(text, f, self.callees(f.file, f.layer), self.accessors).write()
        text.raw('};\n' if f.form == 'ring' else '')

    def define_class(self, text, mixer):
        text.put('\nstruct Mixer%d {' % mixer)
        text.depth += 1
        for f in self.functions:
            if f.form in ('method', 'inclass') and f.mixer == mixer:
                text.put('\n' + f.kind)
                if f.form == 'inclass':
                    self.define(text, f)
                else:
                    text.put(f.head() + f.qualifiers + ';')
        text.depth -= 1
        text.put('\n};\nextern Mixer%d mixer%d;\n' % (mixer, mixer))

    def namespace(self, text, file, write, *arguments):
        text.raw('\nnamespace %s {\n' % NAMESPACES[file] if self.cxx else '')
        write(*arguments)
        text.raw('\n}\n' if self.cxx else '')

    def common(self, text):
        """What stands in the namespace of the header."""
        for layer in range(2):
            for f in self.functions:
                if f.header and f.layer == layer and f.form != 'inclass':
                    self.define(text, f)
        for mixer in range(CLASSES if self.cxx else 0):
            self.define_class(text, mixer)

    def header(self):
        text = Text(self.program, 'program.h')
        text.raw('typedef unsigned int u32;\ntypedef unsigned long u64;\n')
        text.raw(self.program.declare_outside() + self.program.room())
        if self.cxx:
            text.depth += 1
            self.accessors.define(text)
            text.depth -= 1
        text.raw('};\n')
        if not self.cxx:
            self.accessors.define(text)
        text.raw(RECORD + (EACH_CELL if self.cxx else ''))
        for f in self.functions:
            if f.form == 'extern':
                self.namespace(text, f.file, text.put, f.head() + ';')
        self.namespace(text, HEADER, self.common, text)
        return text

    def part(self, file):
        text = Text(self.program, 'part%d.%s' % (file, 'cc' if self.cxx else 'c'))
        text.raw('#include "program.h"\n')
        for layer in range(6):
            for f in self.functions:
                if f.file != file or f.layer != layer:
                    continue
                if f.form == 'method':
                    self.define(text, f)
                else:
                    self.namespace(text, file, self.define, text, f)
        if file == 0:
            text.raw('struct record pool[8];\n')
            if self.cxx:
                text.raw(MAY_THROW)
                objects = ''.join('Mixer%d mixer%d;\n' % (i, i) for i in range(CLASSES))
                self.namespace(text, HEADER, text.raw, objects)
            Body(text, Main, self.callees(0, 6), self.accessors).main()
        return text

    def write(self, folder):
        texts = [self.header()] + [self.part(file) for file in range(FILES)]
        for text in texts:
            with open('%s/%s' % (folder, text.file), 'w') as out:
                out.write(''.join(text.parts))
        with open(folder + '/outside.s', 'w') as out:
            out.write(self.program.outside())
        with open(folder + '/truth', 'w') as out:
            out.write('\n'.join(self.program.table) + '\n')


if __name__ == '__main__':
    if len(sys.argv) != 4 or sys.argv[1] not in ('c', 'c++'):
        sys.exit('usage: generate.py c|c++ SEED FOLDER')
    Generator(sys.argv[1] == 'c++', int(sys.argv[2])).write(sys.argv[3])
