#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which test executes which function, from a build with --coverage (coverage.mk).

coverage.py take FOLDER FILE       what one test left below FOLDER (GCOV_PREFIX) becomes FILE
coverage.py map O TAKEN MAP        of each function of plugin, rt and mlprof the tests that execute it; TAKEN is the
                                   folder of the files taken, O the build folder
coverage.py table O TAKEN [TEST...]  lines and branches by room that all tests execute, or these
coverage.py choose TAKEN [NAME...] of tests, or rows of a table that were taken like tests, those without which
                                   an arc of the program would not be taken, the best first: what each adds"""
import collections
import json
import os
import pickle
import subprocess
import sys
import tempfile
import zlib

import gcdata

PROGRAMS = ('plugin/', 'rt/', 'mlprof/')


def files_below(folder, end):
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(end):
                yield os.path.join(where, name)


def take(folder, into):
    # The objects lie below FOLDER as they lie in the file system.
    taken = {}
    for path in files_below(folder, '.gcda'):
        try:
            head, counts = gcdata.counters(path)
        except (gcdata.Damaged, ValueError):
            continue  # of a process that was killed while it wrote
        if counts:
            taken[os.path.relpath(path, folder)[:-len('.gcda')]] = head, counts
    with open(into, 'wb') as file:
        file.write(zlib.compress(pickle.dumps(taken)))


def taken_by(folder, names=()):
    """(name, what it has taken) of each file, or of those named."""
    for name in sorted(names or os.listdir(folder)):
        with open(os.path.join(folder, name), 'rb') as file:
            yield name, pickle.loads(zlib.decompress(file.read()))


def source_of(path):
    """A source's name from the top, or None if it is not ours."""
    path = os.path.normpath(path)
    return path if path.startswith(PROGRAMS) else None


def map_functions(build, folder, into):
    root = os.path.relpath(os.path.abspath(build), '/')
    known = {}
    for path in files_below(build, '.gcno'):
        known[os.path.join(root, os.path.relpath(path, build))[:-len('.gcno')]] = gcdata.functions(path)
    tests, masks = [], collections.Counter()
    for number, (name, taken) in enumerate(taken_by(folder)):
        tests.append(name)
        executed = set()
        for unit, (_, counts) in taken.items():
            functions = known.get(unit, {})
            executed.update(functions[f] for f in counts if f in functions)
        for function in executed:
            masks[function] |= 1 << number
    every = {function for functions in known.values() for function in functions.values()}
    rows = sorted([source_of(f[0]), f[1], f[2], f[3], '%x' % masks[f]] for f in every if source_of(f[0]))
    commit = subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True, check=True).stdout.strip()
    with open(into, 'w', encoding='utf-8') as file:
        json.dump({'commit': commit, 'tests': tests, 'functions': rows}, file, indent=None, separators=(',', ':'))
    nobody = sum(row[4] == '0' for row in rows)
    print('%d tests, %d functions, %d of them executed by none' % (len(tests), len(rows), nobody))


def table(build, folder, names):
    units = {}
    for _, taken in taken_by(folder, names):
        for unit, (head, counts) in taken.items():
            sums = units.setdefault(unit, (head, {}))[1]
            for function, arcs in counts.items():
                if function in sums and len(sums[function]) == len(arcs):
                    for at, count in enumerate(arcs):
                        sums[function][at] += count
                else:
                    sums[function] = arcs
    lines, branches = {}, {}
    with tempfile.TemporaryDirectory() as work:
        for path in files_below(build, '.gcno'):
            unit = os.path.relpath(os.path.abspath(path), '/')[:-len('.gcno')]
            name = os.path.join(work, 'unit')
            os.symlink(os.path.abspath(path), name + '.gcno')
            if unit in units:
                gcdata.write(name + '.gcda', *units[unit])
            out = subprocess.run(['gcov', '--json-format', '--stdout', '--branch-probabilities', name + '.gcno'],
                                 capture_output=True, cwd=work, check=True).stdout
            for file in json.loads(out)['files'] if out.strip() else ():
                source = source_of(file['file'])
                for line in file['lines'] if source else ():
                    place = source, line['line_number']
                    lines[place] = lines.get(place, False) or line['count'] > 0
                    # Of an inlined function, say, an object may have fewer.
                    for at, branch in enumerate(line['branches']):
                        branches[place + (at,)] = branches.get(place + (at,), False) or branch['count'] > 0
            for end in ('.gcno', '.gcda'):
                if os.path.lexists(name + end):
                    os.unlink(name + end)
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    for at, what in enumerate((lines, branches)):
        for place, executed in what.items():
            for room in (os.path.dirname(place[0]), place[0].split('/')[0] + ' in all'):
                rooms[room][2 * at] += executed
                rooms[room][2 * at + 1] += 1
    print('%-20s %15s %6s %15s %6s' % ('room', 'lines', '%', 'branches', '%'))
    for room, (a, b, c, d) in sorted(rooms.items()):
        print('%-20s %7d/%-7d %6.1f %7d/%-7d %6.1f' % (room, a, b, 100 * a / b, c, d, 100 * c / (d or 1)))


def choose(folder, names):
    arcs = {name: {(unit, function, at) for unit, (_, counts) in taken.items() for function, each in counts.items()
                   for at, count in enumerate(each) if count} for name, taken in taken_by(folder, names)}
    executed = set()
    print('%d arcs by all %d' % (len(set().union(*arcs.values())), len(arcs)))
    while arcs:
        best = max(arcs, key=lambda name: len(arcs[name] - executed))
        more = arcs.pop(best) - executed
        if not more:
            break
        executed |= more
        print('%7d %s' % (len(more), best))


def main(words):
    what, rest = words[1] if words[1:] else '', words[2:]
    if what == 'take' and len(rest) == 2:
        take(*rest)
    elif what == 'map' and len(rest) == 3:
        map_functions(*rest)
    elif what == 'table' and len(rest) >= 2:
        table(rest[0], rest[1], rest[2:])
    elif what == 'choose' and rest:
        choose(rest[0], rest[1:])
    else:
        sys.exit(__doc__)


main(sys.argv)
