# SPDX-License-Identifier: GPL-3.0-or-later
"""A random program in a folder of its own: sources with marks (marks.h), and how often it comes by
each. Made by generate.py; forms.py builds it with the plugin."""

import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = re.compile(r'\b(HIT|CHECK|ENTER)\((\d+)(?:, ([\w:~]+))?\)')
# A variable that nothing writes to: where it is used GCC's front ends may put what it begins with, which
# is then executed there, too, in this line.
CONSTANT = re.compile(r'\bconst \w+ = ')


class Unusable(Exception):
    """Nothing can be learnt from this program: the compiler refuses it, or it does not end."""


class Program:
    """FOLDER is made; ORIGIN says how the program is made again; FILES are its texts by name."""

    def __init__(self, folder, origin, files):
        self.folder, self.origin = folder, origin
        self.sources = sorted(name for name in files if not name.endswith('.h'))
        self.cxx = any(name.endswith('.cc') for name in self.sources)
        # Of each mark: (file, line), and the function, if it is at the beginning of one.
        self.lines, self.functions = {}, {}
        # How often each was come by, and what the program printed and returned.
        self.counts, self.output = {}, None
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, text in files.items():
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(text)
            for number, line in enumerate(text.split('\n'), 1):
                for what, mark, function in MARK.findall(line):
                    if not CONSTANT.search(line):
                        self.lines[int(mark)] = (name, number)
                    if what == 'ENTER':
                        self.functions[int(mark)] = function

    def compiler(self):
        return os.environ.get('CXX' if self.cxx else 'CC') or ('g++' if self.cxx else 'gcc')

    def command(self, command, seconds):
        """Runs it in the program's folder; its output is text."""
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=seconds, universal_newlines=True, check=False)

    def compile(self, arguments, output):
        """With marks.h; returns the compiler's messages if it fails."""
        done = self.command([self.compiler(), '-w', '-I.', '-I' + HERE, '-include', 'marks.h'] + arguments
                            + ['-o', output], 120)
        return done.stderr if done.returncode else None

    def refer(self):
        """Counts the marks, in a build without optimisation and without the plugin."""
        marks = os.path.join(self.folder, 'marks.o')
        subprocess.run([os.environ.get('CC') or 'gcc', '-c', os.path.join(HERE, 'marks.c'), '-o', marks], check=True)
        why = self.compile(['-O0', '-DCOUNT_MARKS'] + self.sources + ['marks.o'], 'marked')
        if why:
            raise Unusable('it does not compile: ' + why)
        self.output = self.run('./marked', 2)
        with open(os.path.join(self.folder, 'marks.counts'), encoding='ascii') as file:
            self.counts = {int(mark): int(count) for mark, count in (line.split() for line in file)}

    def run(self, program, seconds):
        """What it prints and its exit status."""
        try:
            done = self.command([program], seconds)
        except subprocess.TimeoutExpired:
            raise Unusable('%s does not end' % program) from None
        if done.returncode < 0:
            raise Unusable('%s ends by signal %d: %s' % (program, -done.returncode, done.stderr))
        return done.stdout, done.returncode
