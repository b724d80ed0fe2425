# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows a hostile profile in every way that mlprof has: hostile-views.py MLPROF PROGRAM DATA PLAIN DATA TRAINED DATA,
where PLAIN is the program as it was, and TRAINED a hostile one compiled with train.  What is printed has nothing that a terminal obeys but ends of
lines, what is written for other programs is of their format, and the page has the elements of PLAIN's."""

import csv
import gzip
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import xml.dom.minidom

mlprof, program, data = sys.argv[1:4]
plain, trained = sys.argv[4:6], sys.argv[6:8]
# C0 but newline, DEL, C1 in UTF-8 and as bytes; and what turns the direction of writing round.
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


class Page(html.parser.HTMLParser):
    """Which elements a page has, and which attributes these."""

    def __init__(self, content):
        super().__init__()
        self.elements = []
        self.feed(content.decode('utf-8'))
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, [name for name, _ in attributes]))


def check_page(content):
    run('-html', 'plain.html', *plain)
    with open('plain.html', 'rb') as file:
        if Page(content).elements != Page(file.read()).elements:
            raise ValueError('other elements than in a page with plain names')


def check_dot(content):
    if shutil.which('dot'):
        drawn = subprocess.run(['dot', '-Tsvg'], input=content, capture_output=True)
        if drawn.returncode or drawn.stderr:
            complain('-call-graph', drawn.stderr[:300])
        xml.dom.minidom.parseString(drawn.stdout)


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


def check_protobuf(content):
    gzip.decompress(content)


def check_profile(content):
    """gperftools: words, then the lines of /proc/self/maps."""
    maps = content.rpartition(b'\0')[2].decode('utf-8', 'surrogateescape')
    quiet('-google-pprof', maps.lstrip('\x00').encode('utf-8', 'surrogateescape'))


def check_afdo(content):
    """As its description says; symbols are as they are."""
    del content
    decoder = os.path.join(os.path.dirname(__file__), '..', 'formats', 'afdo.py')
    subprocess.run([sys.executable, decoder, 'out'], check=True, stdout=subprocess.DEVNULL)


def check_massif(content):
    """Whatever the heap is, trees that add up."""
    del content
    reader = os.path.join(os.path.dirname(__file__), '..', 'heap', 'massif.py')
    subprocess.run([sys.executable, reader, 'check', 'out'], check=True, stdout=subprocess.DEVNULL)


XML = xml.dom.minidom.parseString
number = r'[+-]?[0-9]+'
files = {
    'afdo': check_afdo,
    'call-graph': check_dot,
    'callgrind': check_lines('', r'# .*', r'[a-z]+: .*', r'c?(fn|fl|fi|fe|ob|fob)=.*', r'(calls|jump|jcnd)=[-+*0-9/ ]+',
                             r'[-+*0-9x a-f]+', r'(events|positions|creator|version|cmd|desc|summary|totals).*',
                             r'(rcalls|frfn|cfi|cfl|cob|cfni|jfi|jfn)=.*'),
    'cobertura': XML,
    'csv': check_csv,
    'dhat': json.loads,
    'firefox': json.loads,
    'flame': XML,
    'folded': check_lines(r'[^ ].* [0-9]+'),
    'gate-write': check_lines('ccprof baseline .*', 'measures .*', 'end', r'[-0-9 ]+\t.*', r'.*\t.*'),
    'gcov': json.loads,
    'google-pprof': check_profile,
    'html': check_page,
    'json': json.loads,
    'lcov': check_lines(r'(TN|SF|FN|FNDA|FNF|FNH|DA|LF|LH|BRDA|BRF|BRH):.*', 'end_of_record'),
    'massif': check_massif,
    'pprof': check_protobuf,
    'speedscope': json.loads,
}
binary = 'afdo', 'google-pprof', 'pprof'
helped = subprocess.run([mlprof, '-help'], capture_output=True, text=True).stdout
known = set(re.findall(r'^  -([a-z-]+) <file>', helped, re.M)) - {'mlmon', 'gate'}
if known != set(files):
    complain('formats without a check:', known ^ set(files))

for view in ([], ['-show-line', 'true'], ['-names', 'full'], ['-layout', 'mlton', '-raw', 'true'], ['-prof'], ['-regions'],
             ['-regions', '-paths', 'true'], ['-histogram', '.'], ['-list', '.', '-source-text', 'any'], ['-callers', '.'],
             ['-callees', '.'], ['-arcs', '.'], ['-peek', '.'], ['-branch', 'true', '-show-line', 'true'],
             ['-imbalance', 'thread'], ['-show-extern', 'true'], ['-focus', 'E'], ['-split', '.'],
             ['-top', '3']):
    run(*view, program, data)
for by in re.search(r'-by \{([^}]*)\}', helped)[1].replace('\n', '').replace(' ', '').split('|'):
    run('-by', by, program, data, statuses=(0, 1))
for by in 'function', 'type', 'line', 'file':
    run('-heap', 'total', '-by', by, *trained)
for kind in 'site', 'type', 'path':
    run('-allocs', kind, program, data)
for kind, check in sorted(files.items()):
    heap = ('-heap', 'peak') if kind == 'massif' else ()
    done = run(*heap, '-' + kind, 'out', *(trained if kind in ('afdo', 'massif') else (program, data)))
    if done.returncode:
        continue
    with open('out', 'rb') as file:
        content = file.read()
    try:
        check(content)
    except Exception as error:
        complain('-' + kind, type(error).__name__, ascii(error))
    if kind not in binary:
        quiet('-' + kind, content.replace(b'\t', b' ').replace(b'\r\n', b'\n'), (CONTROL,))
    if kind == 'gate-write':
        os.replace('out', 'base')
        run('-gate', 'base', program, data, statuses=(0, 3))
run('-gcda', 'gcda', *trained)
run('-compare', program, data, statuses=(0, 1))
run(program, data, '-compare', program, data)
run(program, data, '-compare', program, data, '-html', 'out')
run(program, data, '-compare', program, data, '-json', 'out')
if b' counted ' not in run('-pgo', *trained).stdout:
    complain('-pgo', 'has no function with a profile')
run('-pgo', '-csv', 'out', *trained)
with open('out', 'rb') as file:
    quiet('-pgo -csv', file.read().replace(b'\r\n', b'\n'), (CONTROL,))
run('-pgo', *trained, '-compare', *trained)
# What is said of the files themselves.
run('-where', program, '0', statuses=(0, 1))
run('nothing\x1b[31m\x9b', statuses=(1,))
run('-x\x1b[31m', statuses=(1,))
run('-by', '\x1b[31m\n', program, statuses=(1,))
run('-callers', '\x1b(', program, data, statuses=(1,))
run('-callers', '\x1b[3]', program, data, statuses=(0, 1))
sys.exit(failed > 0)
