# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs in C and C++ all marked (program.py): two source files and a
header whose inline functions are in both, recursion, switches that fall through, goto and computed goto,
setjmp and longjmp, ends of the program in the middle of it, exceptions, destructors, templates, virtual calls.
What a function is made of stands in statements.py.

A program ends because it has fuel: each call and each turn of a loop takes of it. Its chances
are those of a generator of random numbers that is in the program, so that no optimiser knows them."""

import random

from statements import Body

FILES = {'c': ('one.c', 'two.c', 'common.h'), 'c++': ('one.cc', 'two.cc', 'common.h')}


class Function:
    """FILE is where it stands; WORDS are its attributes; LOCAL says that only its file may call it."""

    def __init__(self, name, file, words, local):
        self.name, self.file, self.words, self.local = name, file, words, local

    def head(self):
        return '%sunsigned %s(unsigned x)' % (self.words, self.name)


class Generator:
    """One program. Its LANGUAGE is c or c++."""

    def __init__(self, seed, language):
        self.random = random.Random('%s %s' % (language, seed))
        self.cxx = language == 'c++'
        self.names = FILES[language]
        self.last = self.labels = 0
        self.functions = []

    def next(self):
        """The next mark."""
        self.last += 1
        return self.last

    def label(self):
        self.labels += 1
        return self.labels

    def chance(self, one_of):
        return self.random.randrange(one_of) == 0

    def callee(self, file, caller):
        """A function that code in FILE may call; those of the header call no others of the header."""
        may = [f for f in self.functions if f is not caller and (not f.local or f.file == file)
               and not (caller.file == self.names[2] and f.file == self.names[2])]
        return self.random.choice(may).name

    def plan(self):
        """Which functions there are."""
        inline = ['static inline ', '__attribute__((always_inline)) static inline ', 'inline ']
        own = ['', '', '__attribute__((noinline)) ', '__attribute__((cold)) ', '__attribute__((flatten)) ']
        local = ['static ', 'static ', 'static inline ', '__attribute__((noinline)) static ',
                 '__attribute__((hot)) static ']
        for number in range(self.random.randint(1, 3)):
            words = self.random.choice(inline)
            self.functions.append(Function('h%d' % number, self.names[2], words, False))
        for number in range(self.random.randint(4, 8)):
            is_local = self.chance(2)
            words = self.random.choice(local if is_local else own)
            self.functions.append(Function('f%d' % number, self.names[number % 2], words, is_local))
        # Someone is there to be called from everywhere.
        self.functions.append(Function('f8', self.names[1], '', False))
        self.functions.append(Function('f9', self.names[0], '', False))

    def common(self):
        lines = ['#include <setjmp.h>', '#include <stdio.h>', '#include <stdlib.h>', '#include <unistd.h>',
                 'extern unsigned state, g[8];', 'extern int fuel, top;', 'extern jmp_buf places[16];',
                 '__attribute__((noreturn)) void quit(int status);', '__attribute__((noreturn)) void leave(void);',
                 'static inline unsigned chance(unsigned n)', '{',
                 '    ENTER(%d, chance)' % self.next(),
                 '    HIT(%d) state = state * 1103515245u + 12345u;' % self.next(),
                 '    HIT(%d) return (state >> 16) %% n;' % self.next(), '}']
        if self.cxx:
            lines += ['struct fault {', '    unsigned code;', '};',
                      'struct guard {', '    unsigned number;', '    ~guard()', '    {',
                      '        HIT(%d) g[number & 7]++;' % self.next(),
                      '        HIT(%d) if (number & 8) {' % self.next(),
                      '            HIT(%d) g[0] ^= 5;' % self.next(), '        }', '    }', '};',
                      'template <class T> T grow(T value)', '{',
                      '    HIT(%d) if (chance(3) == 0) {' % self.next(),
                      '        HIT(%d) throw (unsigned)value;' % self.next(), '    }',
                      '    HIT(%d) return value + 1;' % self.next(), '}',
                      'struct base {', '    virtual ~base() {}', '    virtual unsigned way(unsigned x) = 0;', '};',
                      'extern base *objects[2];']
        lines += [f.head() + ';' for f in self.functions if not f.local]
        for function in self.functions:
            if function.file == self.names[2]:
                lines += self.body(function)
        return lines

    def body(self, function):
        words = function.head()
        lines = [words, '{', '    ENTER(%d, %s)' % (self.next(), function.name)]
        return lines + Body(self, function).lines() + ['}']

    def unit(self, index):
        lines = ['#include "common.h"']
        if index == 0:
            lines += ['unsigned state = %d;' % self.random.randrange(1 << 30), 'int fuel, top;', 'unsigned g[8];',
                      'jmp_buf places[16];']
            lines += self.ends()
            if self.cxx:
                lines += self.objects()
            else:
                lines += ['extern ' + f.head() + ';' for f in self.functions if f.words == 'inline ']
        mine = [f for f in self.functions if f.file == self.names[index]]
        lines += [f.head() + ';' for f in mine if f.local]
        for function in mine:
            lines += self.body(function)
        if index == 0:
            lines += self.main()
        return lines

    def ends(self):
        """How the program is ended in its middle, and how the innermost setjmp is returned to."""
        way = self.random.choice(['exit(status);', '_exit(status);'])
        return ['void quit(int status)', '{', '    ENTER(%d, quit)' % self.next(),
                '    HIT(%d) printf("%%u %%u\\n", g[0], g[1]);' % self.next(),
                '    HIT(%d) fflush(stdout);' % self.next(),
                '    MARKS_END', '    HIT(%d) %s' % (self.next(), way) if way[0] == 'e' else '    ' + way, '}',
                'void leave(void)', '{', '    ENTER(%d, leave)' % self.next(),
                '    HIT(%d) if (top > 0) {' % self.next(),
                '        HIT(%d) longjmp(places[top - 1], 1);' % self.next(), '    }',
                '    HIT(%d) quit(3);' % self.next(), '}']

    def objects(self):
        lines = []
        for number in range(2):
            lines += ['struct way%d : base {' % number, '    unsigned way(unsigned x) override', '    {',
                      '        HIT(%d) return x * 2 + %s;' % (self.next(), self.call()), '    }',
                      '} object%d;' % number]
        return lines + ['base *objects[2] = {&object0, &object1};']

    def call(self):
        may = [f for f in self.functions if not f.local and f.file != self.names[2]]
        return '%s(x)' % self.random.choice(may).name

    def main(self):
        lines = ['int main(void)', '{', '    ENTER(%d, main)' % self.next()]
        call = 'HIT(%d) g[0] += f%d(i);' % (self.next(), self.random.choice([8, 9]))
        lines.append('    for (int i = 0; CHECK(%d) i < 40; i++) {' % self.next())
        lines.append('        HIT(%d) fuel = 300;' % self.next())
        if self.cxx:
            lines += ['        try {', '            ' + call, '        } catch (...) {',
                      '            HIT(%d) g[1]++;' % self.next(), '        }']
        else:
            lines.append('        ' + call)
        lines += ['    }', '    HIT(%d) printf("%%u %%u\\n", g[0], g[1]);' % self.next(),
                  '    HIT(%d) return 0;' % self.next(), '}']
        return lines


def files(seed, language):
    """The texts of the program by file name."""
    generator = Generator(seed, language)
    generator.plan()
    one, two, common = generator.names
    texts = {common: generator.common(), one: generator.unit(0), two: generator.unit(1)}
    return {name: '\n'.join(lines) + '\n' for name, lines in texts.items()}
