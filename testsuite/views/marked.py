# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that count their own expressions.

marked.py split SOURCE PLAIN COUNTING RANGES: in SOURCE expressions stand between @( and @). PLAIN is
without these; COUNTING counts how often each is begun and says so in the end, in the file counts;
RANGES has from which to which character each goes in PLAIN.

marked.py equal PLAIN RANGES COUNTS CSV [LEAST]: whether mlprof -by expression -csv has a row of each
that was begun, and as often; of samples, whether those that have a row, LEAST or more, do."""

import csv
import re
import sys

HEAD = '''#include <stdio.h>
static unsigned long own_counts[%d];
#define OWN(n) ((void)own_counts[n]++)
static __attribute__((destructor)) void own_told(void)
{
    FILE *file = fopen("counts", "w");
    for (int i = 0; i < %d; i++)
        fprintf(file, "%%lu\\n", own_counts[i]);
    fclose(file);
}
#line 1
'''


def split(source, plain, counting, ranges):
    text = open(source, encoding='utf-8').read()
    without, own, found, begun = [], [], [], []
    line, column, last = 1, 1, None
    for part in re.findall(r'@\(|@\)|[\s\S]', text):
        if part == '@(':
            begun.append(len(found))
            found.append((line, column))
            own.append('(OWN(%d), ' % begun[-1])
        elif part == '@)':
            found[begun[-1]] += last
            begun.pop()
            own.append(')')
        else:
            without.append(part)
            own.append(part)
            last = (line, column)
            line, column = (line + 1, 1) if part == '\n' else (line, column + 1)
    open(plain, 'w', encoding='utf-8').write(''.join(without))
    open(counting, 'w', encoding='utf-8').write(HEAD % (len(found), len(found)) + ''.join(own))
    with open(ranges, 'w', encoding='utf-8') as out:
        out.writelines('%d:%d-%d:%d\n' % of if of[:2] != of[2:] else '%d:%d\n' % of[:2] for of in found)


def equal(plain, ranges, counts, table, least=None):
    text = open(plain, encoding='utf-8').read().split('\n')
    want = dict(zip(open(ranges, encoding='utf-8').read().split(), map(int, open(counts, encoding='utf-8'))))
    got, failed = {}, False
    for row in csv.DictReader(open(table, encoding='utf-8')):
        place = re.fullmatch(r'(?:.*/)?([^/]*): (\d.*)', row['place'])
        if place and place[1] == plain and row['executions']:
            failed |= place[2] in got
            got[place[2]] = int(row['executions'])
    compared = 0
    for of, count in want.items():
        if not count or (least and of not in got):
            continue
        compared += 1
        if got.get(of) != count:
            failed = True
            print('%s, `%s\': %s times for mlprof, %d by its own count' %
                  (of, text[int(of.split(':')[0]) - 1].strip(), got.get(of, 'no'), count))
    print('%s: %d of %d expressions compared' % (plain, compared, len(want)))
    sys.exit(failed or compared < int(least or 1))


{'split': split, 'equal': equal}[sys.argv[1]](*sys.argv[2:])
