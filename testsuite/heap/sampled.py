# SPDX-License-Identifier: GPL-3.0-or-later
"""What the estimates of many runs of sampled.c are worth: sampled.py TRUTH TABLE..., tables of mlprof -heap -csv.
Prints lines NAME LOW VALUE HIGH for testsuite/decide.sh: of each figure how often its interval holds the truth, and the
mean of the estimates by the truth."""

import csv
import sys

runs = [{row['function']: row for row in csv.DictReader(open(name))} for name in sys.argv[2:]]
held_of_all, figures = 0, 0
for line in open(sys.argv[1]):
    function, *truths = line.split()
    for column, truth in zip(('all_blocks', 'all_bytes', 'live_blocks', 'live_bytes'), map(int, truths)):
        held, total, spread = 0, 0, 0
        for rows in runs:
            row = rows.get(function, {})
            value = int(row.get(column, 0))
            least, most = int(row.get(column + '_least', 0)), row.get(column + '_most', '')
            # Values are rounded to whole numbers, so the allocations of one path are off by at most
            # one.
            held += least - 3 <= truth and (most == '' or truth <= int(most) + 3)
            total += value
            spread += (value - truth) ** 2
        mean = total / len(runs)
        # Five standard deviations of the mean, by how far the runs are apart.
        around = 5 * (spread / len(runs)) ** 0.5 / len(runs) ** 0.5 + 0.5
        print(f'{function}.{column}', (truth - around) / truth, mean / truth, (truth + around) / truth)
        # 95 of 100 are expected, and of some blocks of very different sizes 92.
        print(f'{function}.{column}.held', 0.83, held / len(runs), 1)
        held_of_all += held
        figures += len(runs)
print('all.held', 0.935, held_of_all / figures, 1)
