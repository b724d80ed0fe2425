# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold of a profile that is compared with itself: for views-agree.py."""

import csv
import io
import json

from agree_cells import data, ended, exported, fault, look, measures, program, refused


def check_changes(base):
    """Nothing changes; a budget is kept to; what is the same at two sizes does not grow."""
    allocs = tuple(('-by', word) for word in ('site', 'type', 'path'))
    for by in ((), ('-by', 'line'), ('-by', 'expression'), ('-by', 'file')) + allocs:
        view = ' '.join(by + ('-compare',))
        done = ended('-json', '-', *by, program, data, '-compare', data)
        if done.returncode:
            # By functions there is always something to compare.
            (refused.append((view, done.stderr.splitlines()[0])) if by and done.stderr.startswith('mlprof: ') else
             fault(view, done.stderr.splitlines()[:1]))
            continue
        look()
        found = json.loads(done.stdout)
        changes = found['changes']
        if not changes:
            fault(view, 'it has nothing')
        if by in allocs:
            bytes_of = sum(row['bytes'] or 0 for row in base['functions'])
            if all(row['bytes'] is None for row in base['functions']):
                # The heap beside time.
                table = csv.DictReader(ended('-heap', 'live', '-csv', '-', program, data).stdout.splitlines())
                bytes_of = sum(int(row['live_bytes']) for row in table)
            added = sum(change['before'] for change in changes)
            if not found['before']['total'] == found['after']['total'] == bytes_of == added:
                fault(view, 'a total of %r, rows of %r, and functions of %d' % (found['before']['total'], added, bytes_of))
        for change in changes:
            if change['certain'] or change['change']:
                fault(view, '%s has changed by %r' % (change['function'], change['change']))
    for formula, want in (('b - a', 0), ('a / b', 1)):
        look()
        done = ended('-csv', '-', '-formula', formula, program, data, '-compare', data)
        if done.returncode:
            fault('-formula ' + formula, done.stderr.splitlines()[:1])
        for row in csv.DictReader(io.StringIO(done.stdout)):
            if row['value'] and float(row['value']) != want:
                fault('-formula ' + formula, '%s has %s' % (row['function'], row['value']))
    for more in ((), ('-gate-exact',)) if measures(base) != ['samples'] else ():
        path = exported('-gate-update', 'exact' if more else 'update', *more)
        if not path:
            continue  # of train, which has counts for GCC alone
        look()
        done = ended('-gate', path, program, data)
        if done.returncode:
            fault('-gate', '%s: %d: %s' % (more, done.returncode, (done.stdout + done.stderr)[:200]))
    look()
    done = ended('-csv', '-', '-growth', '-size', '1', program, data, '-size', '2', data)
    if done.returncode:
        fault('-growth', done.stderr.splitlines()[:1])
    for row in csv.DictReader(io.StringIO(done.stdout)):
        if row['exponent'] and abs(float(row['exponent'])) > 1e-9:
            fault('-growth', '%s grows as n^%s' % (row['function'], row['exponent']))
