# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold of the tables of lines, calls, allocations, regions and of the hot path: for views-agree.py."""

import collections
import re
import subprocess

from agree_cells import COLUMNS, fault, look, measures, program, rows_of, tables


def number(text):
    return float(text) if text else 0


def key(row, of=''):
    return (row[of], row[of + '_file'], row[of + '_line']) if of else (row['function'], row['file'], row['line'])


def sums(rows, by, *columns):
    """{by(row): [sum of each column]}"""
    result = collections.defaultdict(lambda: [0] * len(columns))
    for row in rows:
        for i, column in enumerate(columns):
            result[by(row)][i] += row[column] or 0
    return result


def check_lists(base):
    """-list, -callers, -callees, -arcs, -by site, -hot-path, -pgo: all of them are tables of JSON at once."""
    main = measures(base)[0]
    own, stack = COLUMNS[main]
    run = base['run']
    functions = {key(row): row for row in base['functions'] if not row['branch']}
    # Without blocks, targets alone are counted.
    whole = any(row['executions'] is not None for row in base['lines'])
    if main != 'calls':
        look()
        added = sum(row[own] or 0 for row in base['lines'])
        if added != run['total']:
            fault('lines', 'they have %d of %d %s' % (added, run['total'], own))
        for row in base['lines']:
            if not (row[own] or 0) <= (row[stack] if row[stack] is not None else run['total']) <= run['total']:
                fault('lines', '%s:%s has %r and %r of %d' % (row['file'], row['line'], row[own], row[stack], run['total']))
    # Calls.
    undefined = {line.split()[-1].split('@')[0] for line in
                 subprocess.run(['nm', '-D', '-u', program], text=True, stdout=subprocess.PIPE, check=False).stdout.splitlines()}
    # Some calls of these go to the body that a library has. Constructors are one function for GCC (C4), destructors (D4).
    undefined |= {re.sub('([CD])[12](?=E)', r'\g<1>4', symbol) for symbol in undefined}
    elsewhere = {key(row) for row in base['functions'] if row['symbol'] in undefined}
    if base['calls']:
        look()
        called = collections.defaultdict(int)
        uncertain = set()
        for row in base['calls']:
            if row['calls'] is not None:
                called[key(row, 'callee')] += row['calls']
                if row['calls_least'] != row['calls_most']:
                    uncertain.add(key(row, 'callee'))
                if not row['calls_least'] <= row['calls'] <= row['calls_most']:
                    fault('calls', '%s by %s: %r is not within %r and %r' % (row['callee'], row['caller'], row['calls'], row['calls_least'], row['calls_most']))
            have = row[own] if own in row else None
            for side in ('caller', 'callee'):
                of = functions.get(key(row, side))
                if have is not None and of and of[stack] is not None and have > of[stack]:
                    fault('calls', '%s by %s: %d, of which %s has %d on the stack' % (row['callee'], row['caller'], have, row[side], of[stack]))
        # Several functions may have the same name and place, for example the deleting and the
        # non-deleting version of a destructor.
        for of, (count,) in sums([row for row in base['functions'] if not row['branch']], key, 'calls').items():
            if count and (whole or of in called) and of not in uncertain | elsewhere and called[of] != count:
                fault('calls', '%s is called %d times, by its callers %d' % (of[0], count, called[of]))
    if base['call_sites'] and base['calls']:
        look()
        sites = sums([row for row in base['call_sites'] if row['calls'] is not None], lambda row: (row['caller'], row['callee']), 'calls')
        known = sums([row for row in base['calls'] if row['calls'] is not None and row['calls_least'] == row['calls_most']],
                     lambda row: (row['caller'], row['callee']), 'calls')
        for pair in known:
            if pair in sites and sites[pair] != known[pair]:
                fault('call sites', '%s by %s: %d, and %d of calls' % (pair[1], pair[0], sites[pair][0], known[pair][0]))
    if 'bytes' in measures(base):
        for by in ('site', 'type', 'path'):
            listed = rows_of('-by', by)
            if listed is None:
                continue
            look(2)
            for column in ('bytes', 'allocations'):
                one, other = (sum(number(row[column]) for row in t) for t in (listed, base['functions']))
                if one != other:
                    fault('-by ' + by, '%d %s, of functions %d' % (one, column, other))
    if base['pgo']:
        look()
        added = sum(row['samples'] for row in base['pgo'])
        if added != run['total']:
            fault('-pgo', 'its functions have %d of %d samples' % (added, run['total']))
        for row in base['pgo']:
            if not row['share_least'] <= row['share'] <= row['share_most']:
                fault('-pgo', '%s has %r, not within %r and %r' % (row['function'], row['share'], row['share_least'], row['share_most']))


def check_branches(base):
    """-branches, and the rows of -branch."""
    table = tables('-branch')
    if table is None or not base['branches']:
        return
    look()
    outcomes = sum(row['calls'] for row in table['functions'] if row['branch'])
    decisions = sum(row['executed'] for row in base['branches'])
    if outcomes != decisions:
        fault('-branches', '%d decisions, and rows with %d outcomes' % (decisions, outcomes))
    for row in base['branches']:
        sides = [row[side] for side in ('true', 'false') if row[side] is not None]
        if sides and (sum(sides) != row['executed'] or min(sides) != row['rarer']):
            fault('-branches', '%s:%s: %s of %d, %d rarer' % (row['file'], row['line'], sides, row['executed'], row['rarer']))
        if not 0 <= row['rarer'] <= row['executed'] * (1 - 1 / row['outcomes']):
            fault('-branches', '%s:%s: %d of %d' % (row['file'], row['line'], row['rarer'], row['executed']))


def check_regions(base):
    if not base['regions']:
        return
    look()
    for row in base['regions']:
        if row['self_ns'] is not None and row['total_ns'] is not None and row['self_ns'] > row['total_ns']:
            fault('-regions', '%s: self %d, total %d' % (row['region'], row['self_ns'], row['total_ns']))
        if row['min_ns'] is not None and not row['min_ns'] <= row['mean_ns'] <= row['max_ns']:
            fault('-regions', '%s: mean %r, least %r, most %r' % (row['region'], row['mean_ns'], row['min_ns'], row['max_ns']))


def without_recursion(stack):
    """Cut back, where a function comes again, to where the function was first."""
    kept = []
    for function in stack:
        kept = kept[:kept.index(function) + 1] if function in kept else kept + [function]
    return kept


def check_hot_path(base, main, stacks):
    """It begins with the root that most stacks have, and goes on with what most of these have next: of stacks without
    recursion, each of which goes on, where a function comes again, from where the function was first."""
    look(bool(base['hot_path']))
    before = []
    stacks = [(without_recursion(stack), collections.Counter(stack), count) for stack, count in stacks]
    for row in base['hot_path']:
        below, depths = collections.Counter(), collections.Counter()
        for stack, times, count in stacks:
            if stack[:len(before)] == before and len(stack) > len(before):
                below[stack[len(before)]] += count
                depths[stack[len(before)]] = max(depths[stack[len(before)]], times[stack[len(before)]])
        most = max(below.values(), default=0)
        if row[COLUMNS[main][1]] != below[row['function']] or below[row['function']] != most:
            fault('-hot-path', '%s has %r below %s, and folded stacks %s' % (row['function'], row[COLUMNS[main][1]], before[-1:], below.most_common(2)))
            return
        if row['depth'] != depths[row['function']]:
            fault('-hot-path', '%s is %d deep, and on folded stacks %d' % (row['function'], row['depth'], depths[row['function']]))
        before.append(row['function'])
