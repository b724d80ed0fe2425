# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of csmith, with marks (program.py): at statements, at conditions of loops, and at the
beginning of each function, those of csmith's own headers for safe arithmetic included."""

import os
import re
import shutil
import subprocess

INCLUDE = '/usr/include/csmith'
SIZE = ['--max-funcs', '6', '--max-block-depth', '4', '--max-expr-complexity', '6', '--inline-function']

# What csmith writes, a statement a line.
FUNCTION = re.compile(r'^\w[^;=]*\b(func_\d+|main) ?\(.*\)$')
TYPE = r'(?:const|volatile|static|register|struct|union|u?int\d*_t|int|unsigned|long|short|char|float|void)\b'
DECLARATION = re.compile(r'^\s+' + TYPE)
STATEMENT = re.compile(r'^(\s+)([^\s{}/#].*;)\s*$')
# And a return out of an inner block, which leaves that by code that others share.
JUMP = re.compile(r'^\s+(?:goto|break|continue)\b|^ {5,}return\b|^\s*\w+:')
LOOP = re.compile(r'^(\s*for \(.*?; )(.*; .*\))$')
BRANCH = re.compile(r'^(\s*)(if \(.*\))$')
HEADER = re.compile(r'^FUNC_NAME\((\w+)\)')


def missing():
    """What is not installed, or None."""
    if not shutil.which('csmith'):
        return 'csmith'
    return None if os.path.exists(INCLUDE + '/csmith.h') else 'libcsmith-dev'


class Marker:
    """Gives marks their numbers, from 1 on."""

    def __init__(self):
        self.last = 0

    def next(self):
        self.last += 1
        return self.last

    def program(self, text):
        """Not at jumps and labels: GCC may tell one at the other's line."""
        lines, function, within, before = [], None, False, ''
        for line in text.split('\n'):
            marked = line
            if FUNCTION.match(line):
                function = FUNCTION.match(line).group(1)
            elif line.startswith('{'):
                within = True
                marked = '{ ENTER(%d, %s)' % (self.next(), function) + line[1:]
            elif line.startswith('}'):
                within = False
            elif within and not JUMP.match(line):
                marked = self.statement(line, before)
            lines.append(marked)
            before = line.strip()
        return '\n'.join(lines)

    def statement(self, line, before):
        if LOOP.match(line):
            return LOOP.sub(r'\1CHECK(%d) \2' % self.next(), line)
        if BRANCH.match(line) and before != 'else':
            return BRANCH.sub(r'\1HIT(%d) \2' % self.next(), line)
        if DECLARATION.match(line):
            # Not executed are those without a value, and static and constant arrays.  The address in a constant
            # pointer GCC takes to where the pointer is used, with its position.
            if ' = ' not in line or re.match(r'\s+static\b', line) or re.match(r'.*\bconst\b.* l_\d+\[', line):
                return line
            if re.match(r'.*\* const l_\d+ = &', line):
                return line
            return STATEMENT.sub(r'\1HIT(%d) \2' % self.next(), line)
        if STATEMENT.match(line):
            # The only statement of a loop, perhaps.
            return STATEMENT.sub(r'\1{ HIT(%d) \2 }' % self.next(), line)
        return line

    def header(self, text):
        lines, function = [], None
        for line in text.split('\n'):
            if HEADER.match(line):
                function = 'safe_' + HEADER.match(line).group(1)
            elif line.strip() == 'LOG_EXEC':
                line = 'ENTER(%d, %s)' % (self.next(), function)
            lines.append(line)
        return '\n'.join(lines)


def files(seed):
    """The texts of the program by file name."""
    text = subprocess.run(['csmith', '--seed', str(seed), '--no-argc'] + SIZE, stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout
    marker = Marker()
    texts = {'program.c': marker.program(text)}
    for name in os.listdir(INCLUDE):
        if name.endswith('.h'):
            with open(os.path.join(INCLUDE, name), encoding='utf-8') as file:
                texts[name] = marker.header(file.read()) if name == 'safe_math.h' else file.read()
    return texts
