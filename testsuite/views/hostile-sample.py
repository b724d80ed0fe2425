# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces the samples of a data file of hostile.cc by some in both threads, and in a library that
there is not, and names the host, the command, a phase and the library so that hostile-patch.py knows
them: hostile-sample.py PROGRAM FROM TO."""

import subprocess
import sys

program, source, target = sys.argv[1:]
with open(source) as file:
    lines = file.read().splitlines()
at = {}
for line in subprocess.run(['nm', '-C', program], capture_output=True, text=True, check=True).stdout.splitlines():
    for word in 'main', 'EVIL_outer', 'EVIL_template', 'EVIL_thread':
        if line[18:].startswith((' ' + word, ' unsigned int ' + word)):
            at.setdefault(word, hex(int(line[:16], 16) + 4))


def name(word, length=50):
    return ('EVIL_%s_' % word).ljust(length, 'x')


modules = [line for line in lines if line.startswith('module ')]
library = str(len(modules))
modules.append('module %s - 0x1000 /lib/%s.so' % (library, name('lib')))
points = []
for thread in '0x1', '0x2':
    points += ['0 thread %s 0' % thread, '1 label 0x0 0', '2 0 %s 0' % at['main'], '3 0 %s 0' % at['EVIL_thread'],
               '4 0 %s 0' % at['EVIL_template'], '5 0 %s 0' % at['EVIL_outer'], '6 time 0x0 7',
               '6 %s 0x10 0' % library, '7 time 0x1 3']
# What stands before the samples, and the first word behind them.
head = {'cpu': '200000000', 'samples': '20', 'lost': '0', 'elsewhere': '0', 'command': name('command'),
        'host': name('host')}
behind = next(i for i, line in enumerate(lines) if line == 'counters')
done = []
for line in lines[:behind]:
    word = line.split(' ')[0]
    if word == 'module':
        done += modules
        modules = []
    elif word == 'counts':
        break
    elif word not in ('label', 'thread', 'times'):
        done.append(word + ' ' + head[word] if word in head else line)
done += ['label 0 ' + name('label')]
done += ['thread %d %s' % (number, name('thread', 15)) for number in (1, 2)]
done += ['times 10000000 500000000', 'counts %d' % len(points), *points, *lines[behind:]]
with open(target, 'w') as file:
    file.write('\n'.join(done) + '\n')
