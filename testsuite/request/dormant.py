# SPDX-License-Identifier: GPL-3.0-or-later
"""dormant.py STATUS ASKED PROGRAM [HOW]: starts the program (dormant.c), asks it while it computes, and lets it end.
ASKED: never, report, sample, or refused: a request to sample that is refused."""

import subprocess
import sys
import time

import asker

status, asked, *command = sys.argv[1:]
name = next(word[2:] for word in command if word.startswith('./'))
process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding='utf-8')
if process.stdout.readline() != 'ready\n':
    sys.exit('FAIL: it did not start')
pid = process.pid
if asked != 'never':
    text = asker.ask(pid, *((asker.SAMPLE, 600) if asked != 'report' else ()), seconds=60)
    if asked == 'refused':
        if text != 'refused samples\n':
            sys.exit(f'FAIL: not refused: {text}')
    elif text is None or not text.endswith('\nend\n') or not asker.field(text, 'module 0').endswith('/' + name):
        sys.exit(f'FAIL: {text}')
    while asked == 'sample' and int(asker.field(asker.ask(pid, seconds=60), 'samples').split(' ')[0]) < 20:
        time.sleep(0.01)
if command[1:] == ['takes']:
    process.stdin.write('go\n')
    process.stdin.flush()
    if process.stdout.readline() != 'taken\n' or asker.ask(pid, seconds=60) is None:
        sys.exit('FAIL: the call of signal was not seen')
# Long enough for samples, if it takes any. A parent in vfork uses no time.
clock = (~pid << 3) | 2
used = time.clock_gettime(clock)
while time.clock_gettime(clock) < used + 0.2 and command[1:] != ['vfork']:
    time.sleep(0.01)
process.communicate('go\ngo\n')
if process.returncode != int(status):
    sys.exit(f'FAIL: exit status {process.returncode}')
