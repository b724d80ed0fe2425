# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold of a profile that is compared with itself, and of its page: for views-agree.py."""

import base64
import csv
import gzip
import io
import json
import re

from agree_cells import COLUMNS, data, ended, exported, fault, look, measures, program, refused


def check_changes(base):
    """Nothing changes; a baseline is kept to; what is the same at two sizes does not grow."""
    allocs = tuple(('-allocs', word) for word in ('site', 'type', 'path'))
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
            added = sum(change['before'] for change in changes)
            if not found['before']['total'] == found['after']['total'] == bytes_of == added:
                fault(view, 'a total of %r, rows of %r, and functions of %d' % (found['before']['total'], added, bytes_of))
            if sum(change['beside_after'] for change in changes) != sum(row['allocations'] or 0 for row in base['functions']):
                fault(view, 'it has not the blocks of the functions')
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
    if measures(base) != ['samples']:
        path = exported('-gate-write', '.gate')
        look()
        done = ended('-gate', path or '', program, data)
        if done.returncode:
            fault('-gate', '%d: %s' % (done.returncode, (done.stdout + done.stderr)[:200]))
    look()
    done = ended('-csv', '-', '-growth', '-size', '1', program, data, '-size', '2', data)
    if done.returncode:
        fault('-growth', done.stderr.splitlines()[:1])
    for row in csv.DictReader(io.StringIO(done.stdout)):
        if row['exponent'] and abs(float(row['exponent'])) > 1e-9:
            fault('-growth', '%s grows as n^%s' % (row['function'], row['exponent']))


def check_page(base):
    """The data of the page have what the table has."""
    path = exported('-html', '.html')
    if not path:
        return
    look()
    with open(path, encoding='utf-8') as file:
        text = file.read()
    found = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', text, re.S)
    if not found:
        fault('-html', 'no data')
        return
    page = json.loads(gzip.decompress(base64.b64decode(found.group(1))))
    main = measures(base)[0]
    own = COLUMNS[main][0]
    functions = page['functions']
    # Of the heap the page has what has none of the measure, too.
    there = [i for i, stack in enumerate(functions['stack']) if 'heap' not in page or stack or functions['blocks'][i]]
    names = [page['texts'][functions['name'][i]] for i in there]
    if sorted(names) != sorted(row['function'] for row in base['functions']):
        fault('-html', 'it has %d functions, not %d' % (len(names), len(base['functions'])))
    mine = sorted(zip(names, [functions['cur'][i] for i in there]))
    want = sorted((row['function'], -1 if row[own] is None else row[own]) for row in base['functions'])
    if mine != want:
        fault('-html', 'functions have %s, not %s' % ([a for a, b in zip(mine, want) if a != b][:3], [b for a, b in zip(mine, want) if a != b][:3]))
    if page['total'] != base['run']['total']:
        fault('-html', 'a total of %r, not %d' % (page['total'], base['run']['total']))
    for by, table in page['groups'].items():
        added = sum(value for value in table['cur'] if value > 0)
        if by not in ('phases', 'mpi') and added != page['totals'][by]:
            fault('-html', 'the rows of %s have %d of %d' % (by, added, page['totals'][by]))
    for by, table in page['lists'].get('allocations', {}).items():
        for column, of in (('bytes', 'bytes'), ('allocations', 'allocations')):
            added = sum(next(c['values'] for c in table['columns'] if c['id'] == column))
            if added != sum(row[of] or 0 for row in base['functions']):
                fault('-html', 'its allocations by %s have %d %s' % (by, added, column))
    if bool(page['lists'].get('branches')) != any(row['executed'] for row in base['branches'] or []):
        fault('-html', 'branches are there or are not')
    if page['lists'].get('branches'):
        added = sum(row['executed'] for row in base['branches'])
        if page['lists']['branches']['decisions'] != added:
            fault('-html', '%d decisions, not %d' % (page['lists']['branches']['decisions'], added))
    nodes = page['nodes']['count']
    if main != 'calls' and sum(nodes) != page['total']:
        fault('-html', 'its tree has %d of %d' % (sum(nodes), page['total']))
