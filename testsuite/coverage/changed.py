#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""changed.py MAP COMMIT: prints the names of the tests that exercise what has changed since the commit, those that
are not committed included, by the map that `make coverage' has written."""
import glob
import json
import os
import re
import subprocess
import sys

TESTS = {os.path.splitext(os.path.basename(path))[0]: path
         for path in glob.glob('testsuite/*/*.test') + glob.glob('testsuite/unit/check_*.c')}


def git(*words):
    run = subprocess.run(('git',) + words, capture_output=True, text=True, check=False)
    if run.returncode and not (words[0] == 'grep' and run.returncode == 1):
        sys.exit('changed.py: git %s: %s' % (' '.join(words), run.stderr.strip()))
    return run.stdout


def text(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def changed_since(commit):
    return sorted(set(git('diff', '--name-only', commit).splitlines())
                  | set(git('ls-files', '--others', '--exclude-standard').splitlines()))


def old_lines(commit, path):
    """The lines of a file as it was at the commit that another file has instead: (first, last) of each piece; where
    lines were put in behind line N, (N + 1, N), which lies in what has both."""
    for hunk in re.finditer(r'^@@ -(\d+)(?:,(\d+))? ', git('diff', '-U0', commit, '--', path), re.M):
        first, count = int(hunk[1]), int(hunk[2] or 1)
        yield (first, first + count - 1) if count else (first + 1, first)


class Map:
    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        self.commit, self.names = data['commit'], data['tests']
        self.functions = {}
        for source, first, last, _, mask in data['functions']:
            self.functions.setdefault(source, []).append((first, last, int(mask, 16)))

    def tests(self, mask):
        return {name for at, name in enumerate(self.names) if mask >> at & 1 and name in TESTS}

    def of_file(self, path):
        """Those that execute anything of it."""
        mask = 0
        for _, _, tests in self.functions.get(path, ()):
            mask |= tests
        return self.tests(mask)

    def of_changes(self, path):
        mask = 0
        for first, last in old_lines(self.commit, path):
            inside = [tests for a, b, tests in self.functions.get(path, ()) if a <= last and first <= b]
            if not inside:
                return self.of_file(path) | of_includers(self, path)
            for tests in inside:
                mask |= tests
        return self.tests(mask)


def of_includers(known, header):
    """Those that execute anything of the files that include it."""
    includers = git('grep', '-lF', '#include "%s"' % header, '--', 'plugin', 'rt', 'mlprof', 'testsuite/unit').split()
    return set().union(*(known.of_file(path) if not path.startswith('testsuite') else of_testsuite(path)
                         for path in includers), set())


def of_testsuite(path):
    """The tests that a file of the suite belongs to: those that name it, or a file that names it."""
    wanted, seen, found = [path], set(), set()
    while wanted:
        path = wanted.pop()
        if path in seen:
            continue
        seen.add(path)
        name = os.path.splitext(os.path.basename(path))[0]
        if path in (TESTS.get(name), ):
            found.add(name)
            continue
        if path in ('testsuite/lib.sh', 'testsuite/run.sh'):
            return set(TESTS)
        wanted += git('grep', '-lwF', os.path.basename(path), '--', 'testsuite').split()
        if path.endswith('.py'):
            wanted += git('grep', '-lE', r'(import|from) +%s\b' % name, '--', 'testsuite/*.py').split()
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not os.path.exists(sys.argv[1]):
        sys.exit('changed.py: no map of what tests execute: `make coverage\' writes it')
    known, found = Map(sys.argv[1]), set()
    for path in changed_since(sys.argv[2]):
        folder = path.split('/')[0]
        if folder in ('plugin', 'rt', 'mlprof'):
            if path.endswith(('.c', '.cc', '.h')):
                more = known.of_changes(path)
            elif path.startswith('mlprof/page/web/'):
                more = {name for name in TESTS if name.startswith('page-')}
            else:
                more = set(TESTS)
        elif folder == 'testsuite':
            more = of_testsuite(path)
        elif folder == 'doc' or '/' not in path:
            more = {name for name in TESTS if name.startswith('doc-') or os.path.basename(path) in text(TESTS[name])}
        else:
            more = {name for name in TESTS if re.search(r'\b%s\b' % re.escape(folder), text(TESTS[name]))}
        print('%s: %s' % (path, len(more)), file=sys.stderr)
        found |= more
    print(' '.join(sorted(found)))


main()
