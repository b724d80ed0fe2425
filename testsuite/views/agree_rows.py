# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold of rows of functions, and of whatever else a table may be by: for views-agree.py."""

import re

from agree_cells import COLUMNS, EVENTS, fault, look, measures, tables


# Each -by.
KEYS = 'copy module line expression loop file phase thread rank mpi'.split()


def check_rows(view, rows, run, main, whole):
    """Rows of functions, or of others: whose own values are WHOLE, add up to the total."""
    own, stack = COLUMNS[main]
    total = run['total']
    if main == 'calls' and 'function' not in rows[0]:
        # Shares are of the rows: lines have executions, and modules no branches.
        own = 'executions' if any(row.get('executions') is not None for row in rows) else own
        total, whole = sum(row[own] or 0 for row in rows), True
        if not total:
            fault(view, 'it has nothing')
    for row in rows:
        called = row.get('function') or row.get('name')
        one, all_ = row[own], row[stack]
        if one is not None and not 0 <= one <= total:
            fault(view, '%s has %r of %d' % (called, one, total))
        if all_ is not None and not (one or 0) <= all_ <= total:
            fault(view, '%s has %r, and %r with what it calls, of %d' % (called, one, all_, total))
        if total and one is not None and (row['share'] is None or abs(row['share'] * total - one) > 1e-6 * total):
            fault(view, '%s has a share of %r, %d of %d' % (called, row['share'], one, total))
        if total and all_ is not None and (row['stack_share'] is None or abs(row['stack_share'] * total - all_) > 1e-6 * total):
            fault(view, '%s has a share of %r with what it calls, %d of %d' % (called, row['stack_share'], all_, total))
        for prefix in ('', 'stack_'):
            share = row[prefix + 'share']
            if share is not None and not row[prefix + 'share_least'] <= share <= row[prefix + 'share_most']:
                fault(view, '%s: %r is not within %r and %r' % (called, share, row[prefix + 'share_least'], row[prefix + 'share_most']))
        if main == 'samples' and one is not None and row['time_ns'] != one * 10 ** 9 // run['rate_hz']:
            fault(view, '%s: %d samples, %r ns' % (called, one, row['time_ns']))
    added = sum(row[own] or 0 for row in rows)
    if whole and added != total:
        fault(view, 'its rows have %d of %d %s' % (added, total, own))


def check_functions(base):
    main = measures(base)[0]
    check_rows('', base['functions'], base['run'], main, True)
    look()


def check_groups(base, by):
    table = tables('-by', by)
    if table is None:
        return
    view, main = '-by ' + by, measures(base)[0]
    look(len(measures(base)))
    if not table['groups']:
        if base['run']['total']:
            fault(view, 'it has no rows')
        return
    # Phases may overlap, and samples outside of all phases have no row. The same is true of MPI
    # calls.
    whole = by not in ('phase', 'mpi')
    check_rows(view, table['groups'], table['run'], main, whole)
    for measure in measures(base)[1:]:
        if measure == 'bytes':
            for column in ('bytes', 'allocations'):
                one, other = (sum(row[column] or 0 for row in t) for t in (table['groups'], base['functions']))
                if one != other and by not in ('phase', 'thread', 'rank', 'mpi'):
                    fault(view, 'its rows have %d %s, functions %d' % (one, column, other))
    if by == 'copy' and not any(row['branch'] for row in base['functions']):
        own = COLUMNS[main][0]
        for of in {row['function'] for row in base['functions']}:
            copies = sum(row[own] or 0 for row in table['groups'] if row['name'] == of)
            function = sum(row[own] or 0 for row in base['functions'] if row['function'] == of)
            if copies != function:
                fault(view, 'copies of %s have %d, the function %d' % (of, copies, function))


def check_events(base):
    """Each measure of instructions: its rows add up, and are the same beside another measure and by whatever else."""
    if base['run']['measure'] not in EVENTS:
        return
    for word, column in EVENTS.items():
        sums = {row['function']: row[column] for row in base['functions'] if not row['branch']}
        for by in ('function', 'copy', 'line', 'expression', 'file', 'module'):
            view = '-measure %s -by %s' % (word, by)
            table = tables('-measure', word, '-by', by)
            rows = table['functions' if by == 'function' else 'groups']
            look()
            if table['run']['total'] != sum(row[column] or 0 for row in base['functions']):
                fault(view, '%d in all, and not as of instructions' % table['run']['total'])
            if rows and table['run']['total']:
                check_rows(view, rows, table['run'], 'events', True)
            for other in EVENTS.values():
                if sum(row[other] or 0 for row in rows) != sum(row[other] or 0 for row in base['functions']):
                    fault(view, 'its %s are not those of functions' % other)
            for row in rows if by == 'function' else ():
                if not row['branch'] and row['function'] in sums and list(sums).count(row['function']) == 1:
                    if row[column] != sums[row['function']]:
                        fault(view, '%s has %r, and %r of instructions' % (row['function'], row[column], sums[row['function']]))
    left_out = base['run']['left_out']
    if any(left_out[word] < 0 for word in left_out):
        fault('left_out', left_out)


def check_changed(base):
    """What is left of the stacks by an option adds up as well, in tables of functions and lines; what -focus keeps and
    -ignore leaves out are all of it."""
    main = measures(base)[0]
    own = COLUMNS[main][0]
    kept = {}
    most = max((row for row in base['functions'] if not row['branch']), key=lambda row: row[own] or 0)['function']
    escaped = re.sub(r'([][.*^$+?(){}|\\])', r'\\\1', most)
    # Some options match the name, others the beginning of `name  file: line'.
    pattern, beginning = '^%s$' % escaped, escaped + '  '
    for option in (('-hide', pattern), ('-focus', pattern), ('-ignore', pattern), ('-unprofile', beginning), ('-split', beginning),
                   ('-artificial',), ('-show-extern',), ('-branch',), ('-no-skid',), ('-names', 'full')):
        for by in ('function', 'line'):
            table = tables(*option, '-by', by)
            if table is None:
                continue
            look()
            view = ' '.join(option) + ' -by ' + by
            rows = table['functions' if by == 'function' else 'groups']
            part = option[0] in ('-focus', '-ignore')
            # Inclusive counts, and so the total, still contain the calls of removed functions.
            check_rows(view, rows, table['run'], main, not part and (main != 'calls' or option[0] != '-unprofile'))
            if part and main != 'calls':
                kept.setdefault(by, []).append(sum(row[own] or 0 for row in rows))
    for by, parts in kept.items():
        if len(parts) == 2 and sum(parts) != base['run']['total']:
            fault('-focus and -ignore %s -by %s' % (most, by), 'they have %s of %d' % (parts, base['run']['total']))
