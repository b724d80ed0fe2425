#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs GCC's own tests without the heap, with heap=exact and with heap=1K, and compares exit status and output.

A program that does not compile without the plugin, or does not end, is not counted. Addresses in what is
printed are no difference. Of a program that prints something else each time the status alone is compared.

Environment: O CC CXX PLUGIN JOBS as for the tests;
  SAMPLE=N  every Nth program only
  SETS      folders of GCC's source, below
  GCC_SOURCE  an unpacked source of GCC, instead of the one from gcc-N-source
The last line is `N programs run, N differences'.
"""

import glob
import itertools
import os
import re
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

LIBRARY = 'libstdc++-v3/testsuite'
SETS = ['gcc/testsuite/gcc.c-torture/execute', 'gcc/testsuite/gcc.dg', 'gcc/testsuite/g++.dg'] + [
    f'{LIBRARY}/{folder}' for folder in ('18_support', '20_util', '21_strings', '22_locale', '23_containers',
                                         '24_iterators', '25_algorithms', '26_numerics', '27_io', '28_regex',
                                         '30_threads', 'experimental', 'ext', 'std', 'tr1')]
HEAPS = ['exact', '1K']
# Limits in CPU time and in real time, in which a program may wait.
SECONDS, PATIENCE = 30, 600
# How often a program runs without the heap before its runs with it are called different.
RUNS = 10
# Options that would make the compiler do something other than build a program that runs.
LEFT_OUT = re.compile(r'-(O|f?dump|flto|fplugin|fcompare-debug|save|ftest-cov|fprofile|fauto-profile|'
                      r'fsanitize|static|[SEMc]$)')

# Programs that do what is not defined, to be found by a compiler or a library that looks for it; and what those say
# that require the library's debug mode, or call functions with a stack that is not aligned.
UNDEFINED = re.compile(r'/(asan|tsan|ubsan|analyzer)/')
LEFT_OUT_WORDS = 'dg-require-debug-mode', 'sp not aligned'

out = os.path.join(os.environ['O'], 'heap-same-runs')
source = os.environ.get('GCC_SOURCE') or os.path.join(os.environ['O'], 'gcc-source')
data = glob.glob(f'{source}/{LIBRARY}/data/*')
library = os.path.join(out, 'libtestc++.a')


def unpack():
    major = subprocess.check_output([*os.environ['CC'].split(), '-dumpversion'], text=True).strip().split('.')[0]
    archives = glob.glob(f'/usr/src/gcc-{major}/gcc-{major}.*.tar.xz')
    if not archives:
        sys.exit(f'heap-same-runs: the package gcc-{major}-source is not installed')
    part = f'{source}.{os.getpid()}'
    os.makedirs(part)
    subprocess.run(['tar', '-xJf', archives[0], '-C', part, '--strip-components=1', '--wildcards',
                    '*/gcc/testsuite/gcc.c-torture', '*/gcc/testsuite/gcc.dg', '*/gcc/testsuite/g++.dg',
                    f'*/{LIBRARY}'], check=True)
    os.rename(part, source)


def does(command, folder, **environment):
    """Returns what came of the command: its status and all that it has printed; None if it does not end."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE, preexec_fn=limits,
                              env={**os.environ, 'LC_ALL': 'C', **environment})
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, re.sub(rb'0x[0-9a-f]+', b'ADDRESS', done.stdout)


def is_among(run, others):
    """Whether a run is like one of the others, as far as these are like each other."""
    return run in others or (len(set(others)) > 1 and run and run[0] in [other[0] for other in others if other])


def compiler(name):
    return os.environ['CC' if name.endswith('.c') else 'CXX'].split()


def make_library():
    """What the tests of the library are linked with."""
    objects = []
    for name in 'hooks', 'character', 'allocator', 'abi':
        path = f'{source}/{LIBRARY}/util/testsuite_{name}.cc'
        objects.append(os.path.join(out, name + '.o'))
        if subprocess.run([*compiler(path), '-O2', '-w', '-std=gnu++17', '-c', path, '-o', objects[-1]],
                          stderr=subprocess.DEVNULL).returncode:
            objects.pop()
    subprocess.run(['ar', 'rc', library, *objects], check=True)


def options(path, text):
    words = []
    if LIBRARY in path:
        words += ['-std=gnu++17', f'-I{source}/{LIBRARY}/util', f'-I{source}/{LIBRARY}']
    for year in re.findall(r'dg-do.*target.*c\+\+(20|2a|23|14|17)', text):
        words.append(f'-std=gnu++{year}')
    for said in re.findall(r'dg-(?:additional-)?options *"([^"]*)" *}', text):
        words += [word for word in said.split()
                  if not LEFT_OUT.match(word) and re.fullmatch(r'[-+=.,:_/A-Za-z0-9]*', word)]
    return words


def programs(folder):
    """The programs of a folder that are to run."""
    for path in sorted(glob.glob(f'{source}/{folder}/**/*', recursive=True)):
        if not path.endswith(('.c', '.C', '.cc')) or UNDEFINED.search(path):
            continue
        with open(path, encoding='latin-1') as file:
            text = file.read()
        if any(word in text for word in LEFT_OUT_WORDS):
            continue
        action = re.search(r'dg-do +(\w+)', text)
        if (action.group(1) == 'run' if action else '.dg/' not in path) and re.search(r'\bmain\b', text):
            yield path, text


def run_in(folder, heap):
    place = os.path.join(folder, 'run')
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for path in data:
        if os.path.isfile(path):
            shutil.copy(path, place)
    setting = f'heap={heap},samples=no,output={folder}/{heap}.out' if heap else 'off'
    return does([os.path.join(folder, 'program')], place, CCPROF=setting)


def told(path, word):
    """The number behind the word in a data file, which a program that ends otherwise does not write."""
    if not os.path.exists(path):
        return 0
    with open(path, encoding='latin-1') as file:
        return int((re.search(rf'^{word} (\d+)', file.read(), re.M) or [0, 0])[1])


def compare(number, path, text):
    """Returns `same', `silent' if it allocates nothing, nothing if it does not count, or what is different."""
    place = os.path.join(out, str(number))
    os.makedirs(place)
    command = [*compiler(path), '-O2', '-w', *options(path, text), path, '-o', place + '/program']
    libraries = [library] if LIBRARY in path else []
    libraries += ['-lm', '-pthread', '-ldl']
    if does([*command, *libraries], place) != (0, b''):
        return ''
    built = does([*command, f"-fplugin={os.environ['PLUGIN']}", *libraries], place)
    if built != (0, b''):
        return f'it does not compile with the plugin: {built}'
    plain = [run_in(place, None)]
    if plain[0] is None:
        return ''
    result = 'silent'
    for heap in HEAPS:
        with_heap = run_in(place, heap)
        while not is_among(with_heap, plain) and len(plain) < RUNS:
            plain.append(run_in(place, None))
        if not is_among(with_heap, plain):
            return f'heap={heap}: {with_heap}, without: {plain[0]}'
        if heap == 'exact' and told(f'{place}/{heap}.out', 'allocated'):
            result = 'same'
        if told(f'{place}/{heap}.out', 'unkept'):
            print(f'{path}: heap={heap}: calls are not counted', flush=True)
    return result


def judge(job):
    number, (path, text) = job
    result = compare(number, path, text)
    shutil.rmtree(os.path.join(out, str(number)), ignore_errors=True)
    if result in ('same', 'silent', ''):
        return result
    print(f'{os.path.relpath(path, source)}: {result[:600]}', flush=True)
    return 'different'


def main():
    sets = os.environ.get('SETS', '').split() or SETS
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    if not os.path.isdir(source):
        unpack()
    make_library()
    chosen = itertools.chain.from_iterable(map(programs, sets))
    chosen = list(itertools.islice(chosen, 0, None, int(os.environ.get('SAMPLE') or 1)))
    with ThreadPoolExecutor(int(os.environ.get('JOBS') or 1)) as pool:
        results = list(pool.map(judge, enumerate(chosen)))
    different, allocate = results.count('different'), results.count('same')
    print(f'{len(results) - results.count("")} programs run, {different} differences; {allocate} allocate')
    sys.exit(different != 0 or allocate == 0)


if __name__ == '__main__':
    main()
