# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a hostile profile in every way that mlprof has: hostile-views.py MLPROF PROGRAM DATA TRAINED DATA, where
TRAINED is a hostile program compiled with train. What is printed has nothing that a terminal obeys but ends of
lines, and what is written for other programs is of their format. (The page: page-hostile.)"""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
import xml.dom.minidom

mlprof, program, data = sys.argv[1:4]
trained = sys.argv[4:6]
# C0 except newline, DEL, C1 in UTF-8 and as bytes, and characters that change the direction of
# writing.
CONTROL = re.compile('[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udc9f]')
DIRECTION = re.compile('[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]')
failed = 0


def complain(what, *words):
    global failed
    failed += 1
    print(what, *words)


def quiet(what, output, patterns=(CONTROL, DIRECTION)):
    text = output.decode('utf-8', 'surrogateescape')
    for pattern in patterns:
        match = pattern.search(text)
        if match:
            complain(what, 'has', ascii(text[max(match.start() - 40, 0):match.end() + 20]))
            return


def run(*words, statuses=(0,)):
    done = subprocess.run([mlprof, *words], stdin=subprocess.DEVNULL, capture_output=True)
    name = ' '.join(words)
    if done.returncode not in statuses:
        complain(name, 'ends with', done.returncode, ascii(done.stderr[-2000:].decode('latin-1')))
    quiet('stdout of ' + name, done.stdout)
    quiet('stderr of ' + name, done.stderr)
    return done


def check_lines(*patterns):
    """Each line is one of these."""
    either = re.compile('|'.join('(?:%s)' % pattern for pattern in patterns))

    def check(content):
        for line in content.decode('utf-8', 'surrogateescape').split('\n')[:-1]:
            if not either.fullmatch(line):
                raise ValueError('not a line of this format: ' + ascii(line[:300]))
    return check


def check_csv(content):
    rows = list(csv.reader(io.StringIO(content.decode('utf-8'), newline=''), strict=True))
    if len({len(row) for row in rows}) != 1:
        raise ValueError('rows of several lengths')


def read_by(script, *words):
    """What reads this format, and checks it."""
    path = os.path.join(os.path.dirname(__file__), '..', script)
    return lambda _: subprocess.run([sys.executable, path, *words, 'out'], check=True, stdout=subprocess.DEVNULL)


XML = xml.dom.minidom.parseString


def check_dot(content):
    XML(subprocess.run(['dot', '-Tsvg'], input=content, capture_output=True, check=True).stdout)


FILES = {
    'afdo': read_by('formats/afdo.py'),
    'call-graph': check_dot,
    'callgrind': check_lines('', r'# .*', r'[a-z]+: .*', r'c?(fn|fl|fi|fe|ob|fob)=.*', r'(calls|jump|jcnd)=[-+*0-9x a-f/]+',
                             r'[-+*0-9x a-f]+', r'(events|positions|creator|version|cmd|desc|summary|totals).*',
                             r'(rcalls|frfn|cfi|cfl|cob|cfni|jfi|jfn)=.*'),
    'cobertura': XML,
    'csv': check_csv,
    'dhat': json.loads,
    'flame': XML,
    'folded': check_lines(r'[^ ].* [0-9]+'),
    'gate-junit': XML,
    'gate-update': check_lines('', 'ccprof budget 1', 'compiler .*', '#.*', r' +\+0%  [ 0-9,]{17}  [a-z]+  +.*'),
    'html': lambda content: content.decode('utf-8'),
    'json': json.loads,
    'lcov': check_lines(r'(TN|SF|FN|FNDA|FNF|FNH|DA|LF|LH|BRDA|BRF|BRH):.*', 'end_of_record'),
    'otlp': read_by('formats/otlp.py', 'check'),
    'perfetto': json.loads,
    'pprof': gzip.decompress,
}
BINARY = 'afdo', 'otlp', 'pprof'
VIEWS = ('', '-show-line true', '-names full', '-layout mlton -raw true', '-prof', '-regions', '-regions -paths',
         '-histogram .', '-list . -source-text any', '-list . -asm -source-text any', '-tree', '-callers .', '-callees .',
         '-arcs .', '-peek .',
         '-branch -show-line true', '-imbalance thread', '-show-extern', '-focus E', '-split .', '-top 3',
         '-by site', '-by type', '-by path')


def check_file(kind, check):
    gate, statuses = (), (0,)
    if kind == 'gate-junit':
        run('-gate-update', 'budget', '-top', '0', program, data)
        gate, statuses = ('-gate', 'budget'), (0, 3)
    elif kind == 'gate-update' and os.path.exists('out'):
        os.unlink('out')
    if run(*gate, '-' + kind, 'out', *(trained if kind == 'afdo' else (program, data)), statuses=statuses).returncode not in statuses:
        return
    with open('out', 'rb') as file:
        content = file.read()
    try:
        check(content)
    except Exception as error:
        complain('-' + kind, type(error).__name__, ascii(error))
    if kind not in BINARY:
        quiet('-' + kind, content.replace(b'\t', b' ').replace(b'\r\n', b'\n'), (CONTROL,))
    if kind == 'gate-update':
        os.unlink('out')
        # Files of others may have anything in the line of the compiler. A line has no control character.
        for name, statuses in (b'\xc2\x9b7m\xe2\x80\xae', (0, 3)), (b'\x1b[31m\x07', (1,)):
            with open('base', 'wb') as file:
                file.write(re.sub(rb'(?m)^compiler .*', b'compiler ' + name, content))
            run('-gate', 'base', '-gate-github', program, data, statuses=statuses)


helped = subprocess.run([mlprof, '-help'], capture_output=True, text=True).stdout
known = set(re.findall(r'^  -([a-z-]+) <file>', helped, re.M)) - {'mlmon', 'gate', 'record'}
if known != set(FILES):
    complain('formats without a check:', known ^ set(FILES))
for view in VIEWS:
    run(*view.split(), program, data)
for by in re.search(r'-by \{([^}]*)\}', helped)[1].replace('\n', '').replace(' ', '').split('|'):
    run('-by', by, program, data, statuses=(0, 1))
for by in 'function', 'type', 'line', 'file':
    run('-heap', 'allocated', '-by', by, *trained)
# Waits for hostile objects, by a thread without a name.
with open(data, 'rb') as file:
    content = re.sub(rb'\Accprof mlmon \d+', b'ccprof mlmon 15', file.read())
with open('waits', 'wb') as file:
    file.write(content[:-len(b'end\n')] + b'waits 1 0\nstates 1\n99 0 9 1 1\nobjects 2\n- 0x0 \x1b[31m\x9b\xe2\x80\xae\x07\n'
               b'- 0x1000 ?\nstacks 2\n0 thread 0x63\n1 0 0x1\nwaiting 2\n1 file 0 - thread 0 0 0x1 1 3 3\n'
               b'1 mutex 1 - thread 1 0 0x1 1 3 3\nlongest 3 1\n0 1 3 3\nend\n')
for words in ('-waits', '-locks', '-measure wait', '-by lock', '-by reason', '-waits -csv out', '-locks -csv out'):
    run(*words.split(), program, 'waits')
for kind, check in sorted(FILES.items()):
    check_file(kind, check)
run('-gcda', 'gcda', *trained)
run('-compare', program, data, statuses=(0, 1))
for words in (), ('-html', 'out'), ('-json', 'out'):
    run(program, data, '-compare', program, data, *words)
if b' counted ' not in run('-pgo', *trained).stdout:
    complain('-pgo', 'has no function with a profile')
run('-pgo', '-csv', 'out', *trained)
with open('out', 'rb') as file:
    quiet('-pgo -csv', file.read().replace(b'\r\n', b'\n'), (CONTROL,))
# Messages about the files themselves.
run('-where', program, '0', statuses=(0, 1))
for words in (['nothing\x1b[31m\x9b'], ['-x\x1b[31m'], ['-by', '\x1b[31m\n', program],
              ['-callers', '\x1b(', program, data]):
    run(*words, statuses=(1,))
run('-callers', '\x1b[3]', program, data, statuses=(0, 1))
sys.exit(failed > 0)
