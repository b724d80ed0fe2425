# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page's scripts are modules as mlprof.mk joins them: modules.py FOLDER NAME..., the
names in the order of the list. A line for each fault."""

import os
import re
import sys

MOST_COLUMNS = 100

IMPORT = re.compile(r"^import \{([^}]*)\} from '\./(\w+)\.js';\n", re.M)
# A statement at the left edge that gives something a name.
TOP = re.compile(r'^(export )?(?:async )?(?:function|const|let) (\w+)', re.M)
# What is no code: strings, comments, regular expressions behind what no value ends with.
NO_CODE = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|"""
                     r"""(?<=[(,=:?&|!])(?: ?)/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*""", re.S)
# Neither a property nor a key.
WORD = re.compile(r'(?<![\w.$])(?:(?<=\.\.\.))?([A-Za-z_]\w*)(?!\w|:(?!:))')


class Module:
    def __init__(self, name, text):
        self.name = name
        self.lines = text.split('\n')
        self.imports = [(source, {word.strip() for word in words.split(',') if word.strip()})
                        for words, source in IMPORT.findall(text)]
        rest = IMPORT.sub('', text)
        self.strange = re.findall(r'^(?:import|export)\b(?! (?:async )?(?:function|const|let)\b).*', rest, re.M)
        tops = TOP.findall(rest)
        self.exports = {word for export, word in tops if export}
        self.tops = [word for _, word in tops]
        code = NO_CODE.sub(' ', rest).replace('...', ' ')
        self.words = set(WORD.findall(code))


def faults(modules):
    """What is wrong with modules, each behind those that it may import from."""
    owner, used = {}, set()
    for module in modules:
        for top in module.tops:
            if top in owner:
                yield '%s: %s is a name of %s, too' % (module.name, top, owner[top].name)
            owner[top] = module
    before = {}
    for module in modules:
        for number, line in enumerate(module.lines, 1):
            if len(line) > MOST_COLUMNS:
                yield '%s: line %d has %d columns' % (module.name, number, len(line))
        for line in module.strange:
            yield '%s: neither an import nor an export as mlprof.mk knows them: %s' % (module.name, line)
        imported = set()
        for source, words in module.imports:
            imported |= words
            used |= words
            if source not in before:
                yield '%s: imports from %s, which does not stand before it' % (module.name, source)
                continue
            for word in sorted(words - before[source].exports):
                yield '%s: imports %s, which %s does not export' % (module.name, word, source)
        for word in sorted(imported - module.words):
            yield '%s: imports %s, which it does not use' % (module.name, word)
        for word in sorted(module.words - imported - set(module.tops)):
            if word in owner:
                yield '%s: %s of %s is not imported' % (module.name, word, owner[word].name)
        before[module.name] = module
    for module in modules:
        for word in sorted(module.exports - used):
            yield '%s: exports %s, which none imports' % (module.name, word)


def read(folder, names):
    for name in names:
        with open('%s/%s.js' % (folder, name), encoding='utf-8') as file:
            yield Module(name, file.read())


folder, *names = sys.argv[1:]
there = {name[:-3] for name in os.listdir(folder) if name.endswith('.js')}
found = ['%s: is not in the list' % name for name in sorted(there - set(names) - {'older'})]
found += faults(list(read(folder, names)))
print('\n'.join(found), end='\n' if found else '')
