# SPDX-License-Identifier: GPL-3.0-or-later
"""The profile that is looked at, what mlprof prints of it, and the faults that are found: for views-agree.py."""

import csv
import io
import json
import subprocess
import sys

mlprof, program, data = sys.argv[1:4]
name = data.rsplit('/', 1)[-1].removesuffix('.out')
faults, refused = [], []
cells = 0

# The columns of each measure in a table: own, inclusive.
COLUMNS = {'samples': ('samples', 'stack_samples'), 'bytes': ('bytes', 'stack_bytes'), 'calls': ('calls', 'stack_calls'),
           'events': ('events', 'stack_events')}

# The measures of instructions, as -measure names them, and their columns of functions and groups.
EVENTS = {'instructions': 'executed', 'loads': 'loads', 'stores': 'stores', 'load-bytes': 'load_bytes', 'store-bytes': 'store_bytes',
          'branches': 'branches', 'mispredictable': 'mispredictable', 'divisions': 'divisions', 'vector64': 'vector64',
          'vector128': 'vector128', 'vector256': 'vector256', 'vector512': 'vector512'}


def look(count=1):
    """So many pairs of a view and a measure are looked at."""
    global cells
    cells += count


def fault(view, what):
    faults.append('%s, %s: %s' % (name, view or 'the table', what))


def ended(*arguments):
    return subprocess.run([mlprof, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors='replace', check=False)


def run(*options):
    """What mlprof prints with these options; None if it refuses, with a reason."""
    done = ended(*options, program, data)
    view = ' '.join(options)
    if done.returncode == 0:
        return done.stdout
    lines = done.stderr.splitlines()
    if done.returncode != 1 or done.stdout or not lines or not lines[0].startswith('mlprof: ') or len(lines[0].split()) < 6:
        fault(view, 'exit status %d, %r and %r' % (done.returncode, done.stdout[:80], done.stderr[:200]))
    refused.append((view, lines[0] if lines else ''))
    return None


def exported(option, suffix, *more):
    """The file that an export writes; None if it is refused."""
    path = name + suffix
    return path if run(option, path, *more) is not None else None


def tables(*options):
    text = run('-json', '-', *options)
    if text is None:
        return None
    table = json.loads(text)
    # Rows of functions and groups have a column for each measure of instructions, others have one for the shown measure.
    if table['run']['measure'] in EVENTS:
        for row in table['functions'] + table['groups']:
            row['events'], row['stack_events'] = row[EVENTS[table['run']['measure']]], None
    return table


def rows_of(*view):
    """The rows of a view's CSV; None if it refuses."""
    text = run('-csv', '-', *view)
    return None if text is None else list(csv.DictReader(io.StringIO(text)))


def measures(table):
    """The measures that the profile has, the main one first."""
    kinds = table['run']['kinds']
    if table['run']['measure'] in EVENTS:
        return ['events'] + ['calls'] * ('count' in kinds)
    main = 'samples' if any(kind.startswith('time') for kind in kinds) else 'bytes' if {'alloc', 'heap'} & set(kinds) else 'calls'
    return [main] + [m for m, kind in (('bytes', 'alloc'), ('calls', 'count')) if kind in kinds and m != main]
