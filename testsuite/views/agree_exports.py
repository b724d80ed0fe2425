# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether each export has the values of the tables, read by what the tests of the formats read them with: for views-agree.py."""

import json
import os
import re
import sys

from agree_lists import check_hot_path
from agree_cells import COLUMNS, exported, fault, look, measures

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../formats'))
import folded
import otlp
import pprof


def code(stack):
    """A stack without phases and threads, which are no code."""
    return [frame for frame in stack if not (frame.startswith('[') and frame.endswith(']'))]


def read_pprof(path, main):
    profile = pprof.Profile(path)
    return [(stack, value) for stack, value in profile.stacks(type_of(profile.types, main)) if value]


def read_otlp(path, main):
    request = otlp.Request(path)
    request.check()
    return request.stacks(type_of([request.type(profile) for profile in request.profiles], main))


def type_of(types, main):
    """The type of a measure in pprof and OTLP."""
    kind = {'samples': 'samples', 'bytes': 'alloc_space', 'calls': 'calls', 'events': 'instructions'}[main]
    return 'inuse_space' if ('inuse_space', 'bytes') in types else kind


def tops_of(base, measure):
    """{name: (own, inclusive)} of the functions, as stacks have them."""
    own, stack = COLUMNS[measure]
    result = {}
    for row in base['functions']:
        if not row['branch']:
            result[row['function']] = tuple(x + (row[c] or 0) for x, c in zip(result.get(row['function'], (0, 0)), (own, stack)))
    return result


def same_tops(view, got, want, inclusive=True):
    got, want = ({name: value if inclusive else value[:1] for name, value in tops.items()} for tops in (got, want))
    if not any(any(value) for value in [*got.values(), *want.values()]):
        return
    try:
        folded.compare(got, want, view)
    except SystemExit as why:
        fault(view, why)


def check_exports(base):
    """Stacks have the values of functions; but where branches have values of their own, these are their functions'."""
    main = measures(base)[0]
    total = base['run']['total']
    branches = any(row['branch'] for row in base['functions'])
    path = exported('-folded', '.folded')
    if path:
        stacks = [(code(stack), count) for stack, count in folded.read(path)]
        look()
        added = sum(count for _, count in stacks)
        if not branches and added != total:
            fault('-folded', 'stacks have %d of %d' % (added, total))
        tops = folded.tops(stacks)
        check_hot_path(base, main, folded.read(path))
        if main != 'calls' and base['run']['stacks'] and not branches:
            same_tops('-folded', tops, {of: value for of, value in tops_of(base, main).items() if code([of])})
        for option, suffix, reader in (('-pprof', '.pb.gz', read_pprof), ('-otlp', '.otlp', read_otlp)):
            path = exported(option, suffix)
            if not path:
                continue
            look()
            try:
                for measure in measures(base):
                    values = folded.tops([(code(stack), count) for stack, count in reader(path, measure)])
                    if measure == main:
                        same_tops(option, values, tops, main != 'calls')
                    elif not branches:
                        same_tops(option, values, tops_of(base, measure), False)
            except (AssertionError, KeyError, ValueError, SystemExit) as why:
                fault(option, repr(why))
    path = exported('-callgrind', '.callgrind')
    if path and main != 'calls':
        look()
        check_callgrind(path, base, main)
    if 'bytes' in measures(base):
        path = exported('-dhat', '.dhat')
        if path:
            look(2)
            with open(path, encoding='utf-8') as file:
                points = json.load(file)['pps']
            for column, of in (('bytes', 'tb'), ('allocations', 'tbk')):
                one, other = sum(point[of] for point in points), sum(row[column] or 0 for row in base['functions'])
                if one != other:
                    fault('-dhat', '%d %s, of functions %d' % (one, column, other))


def check_callgrind(path, base, main):
    """The lines of costs of their own add up to the total."""
    added, calls, at = 0, False, 1
    with open(path, encoding='utf-8') as file:
        events = []
        for line in file:
            if line.startswith('events:'):
                events = line.split()[1:]
            elif line.startswith('positions:'):
                at = len(line.split()) - 1
            elif line.startswith(('calls=', 'jump=', 'jcnd=')):
                calls = True
            elif re.match(r'[+*-]?(0x)?[0-9a-f]* ?[0-9+*-]', line) and line[0] in '0123456789+-*':
                if not calls:
                    added += int(line.split()[at])
                calls = False
    if added != base['run']['total']:
        fault('-callgrind', 'its lines have %d of %d (%s)' % (added, base['run']['total'], ' '.join(events)))
