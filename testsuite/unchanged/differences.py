# SPDX-License-Identifier: GPL-3.0-or-later
"""Sorts the calls of mlprof that differ, for `make unchanged': differences.py COMPARED BEFORE AFTER.

COMPARED is the list that both.sh wrote, BEFORE and AFTER are the two mlprofs. Makes each call again in
its folder, and prints one line for each kind of difference, with the number of calls and an example,
the most frequent kinds first. The kind of a difference in JSON, CSV and pages is the names that only one
side has, so that a thousand calls become some dozen lines to read. A file that is written is compared,
too; each side writes, and -gate-update changes, a file of its own. A call does not differ again if the
test has changed its files since: such calls are counted, and must be looked at where they were made.
"""

import base64
import collections
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Options with a file that is written.
WRITES = ('-json', '-csv', '-html', '-flame', '-folded', '-pprof', '-otlp', '-callgrind', '-dhat', '-lcov', '-cobertura',
          '-afdo', '-call-graph', '-gate-junit', '-gate-update')


def made(mlprof, words):
    """The exit status, the output with the files that are written, and the messages of a call."""
    with tempfile.TemporaryDirectory() as folder:
        own = []
        for i, word in enumerate(words):
            if i and words[i - 1] in WRITES and not word.startswith('-'):
                own.append(os.path.join(folder, os.path.basename(word)))
                if words[i - 1] == '-gate-update' and os.path.isfile(word):
                    shutil.copy(word, own[-1])
                word = own[-1]
            words = words[:i] + [word] + words[i + 1:]
        done = subprocess.run([mlprof] + words, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=60, check=False)
        output = done.stdout
        for name in own:
            if os.path.isfile(name):
                with open(name, 'rb') as file:
                    output += file.read()
        return (done.returncode, *(text.decode(errors='replace').replace(folder, 'FOLDER')
                                   for text in (output, done.stderr)))


def parsed(text):
    """The JSON in TEXT, or in the data of a page."""
    page = re.search(r'<script type="application/gzip" id="data">([^<]*)<', text)
    try:
        return json.loads(gzip.decompress(base64.b64decode(page.group(1))) if page else text)
    except ValueError:
        return None


def names_of_one(before, after, path=''):
    """The paths of what only one of two values has (-, +), of lists that are longer or shorter (#), and
    of values that differ (!)."""
    if isinstance(before, dict) and isinstance(after, dict):
        found = {path + '-' + key for key in before.keys() - after.keys()}
        found |= {path + '+' + key for key in after.keys() - before.keys()}
        for key in before.keys() & after.keys():
            found |= names_of_one(before[key], after[key], path + key + '.')
        return found
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return set().union(*(names_of_one(a, b, path) for a, b in zip(before, after)))
    if isinstance(before, list) and isinstance(after, list):
        return {path + '#'}
    return set() if before == after else {path + '!'}


def plain(line):
    """LINE without numbers and paths, which differ between calls of one kind."""
    return re.sub(r'[^\s:]*/[^\s:]*', 'FILE', re.sub(r'\d[\d.,]*', 'N', line))[:75]


def kind_of(before, after):
    """What differs between two calls, as text."""
    values = parsed(before[1]), parsed(after[1])
    if before[0] == after[0] == 0 and None not in values and before[1] != after[1]:
        names = names_of_one(*values)
        return 'JSON: ' + (' '.join(sorted(names)) if names else
                           'the scripts of the page' if '<script' in after[1] else 'the order of names')
    lines = [(side[1] + side[2]).splitlines() for side in (before, after)]
    heads = [set(side[0].split(',')) if side else set() for side in lines]
    if min(map(len, heads)) > 4 and before[0] == after[0] == 0:
        names = ['-' + name for name in heads[0] - heads[1]] + ['+' + name for name in heads[1] - heads[0]]
        return 'CSV: ' + (' '.join(sorted(names)) if names else
                          'rows' if len(lines[0]) != len(lines[1]) else 'the order of columns, or values')
    only = [[line for line in side if line not in other] for side, other in (lines, lines[::-1])]
    if not only[0] and not only[1]:
        return 'text: the order of lines'
    return 'text: %s => %s' % tuple(plain(side[0]) if side else '' for side in only)


def main(compared, before, after):
    kinds, examples, unmade, calls = collections.Counter(), {}, 0, set()
    with open(compared, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            if line.startswith('differs '):
                calls.add(tuple(line[len('differs '):].rstrip('\n').split(': ', 1)))
    for folder, words in sorted(calls):
        words = words.split()
        try:
            os.chdir(folder)
            sides = made(before, words), made(after, words)
        except (OSError, subprocess.TimeoutExpired) as error:
            sides = None
            print('%s: %s: %s' % (folder, ' '.join(words), error))
        if not sides or sides[0] == sides[1]:
            unmade += 1
            continue
        kind = kind_of(*sides)
        kinds[kind] += 1
        examples.setdefault(kind, os.path.basename(folder) + ': ' + ' '.join(words))
    for kind, count in kinds.most_common():
        print('%5d  %s\n       %s' % (count, kind, examples[kind][:110]))
    print('%d kinds of differences in %d calls; %d do not differ again' % (len(kinds), sum(kinds.values()), unmade))


main(*sys.argv[1:])
