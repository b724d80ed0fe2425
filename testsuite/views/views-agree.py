# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold of each measure in each view, without knowing the program: views-agree.py MLPROF PROGRAM DATA [refused].
Prints each fault, with `refused' what mlprof has refused, and at last how many cells were looked at: pairs of a view and a
measure. Exit status 1 if there is a fault. Writes files into the present folder."""

import sys

import agree_cells as cells
from agree_changes import check_changes
from agree_exports import check_exports
from agree_lists import check_branches, check_lists, check_regions
from agree_rows import KEYS, check_changed, check_events, check_functions, check_groups

base = cells.tables()
if base is None:
    sys.exit('%s: %s' % (cells.name, cells.refused[0][1]))
check_functions(base)
for by in KEYS:
    check_groups(base, by)
check_changed(base)
check_events(base)
check_lists(base)
check_branches(base)
check_regions(base)
check_exports(base)
check_changes(base)
print(*cells.faults, sep='\n', end='\n' if cells.faults else '')
if 'refused' in sys.argv[4:]:
    print(*('%s: %s' % one for one in cells.refused), sep='\n')
print('%s: %d cells, %d faults, %d refused' % (cells.name, cells.cells, len(cells.faults), len(cells.refused)))
sys.exit(bool(cells.faults))
