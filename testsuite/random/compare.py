#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py [OPTION...] GENERATOR:SEED[-LAST]...: makes random programs, counts in their source how often
what is executed (program.py), builds them with profile=count in several forms (forms.py), and compares what mlprof
tells. GENERATOR is c or c++ (generate.py); a seed makes the same program each time.

    --form OPTIONS  only in this form: options of the compiler
    --kind KIND     only with calls, or with blocks
    --alternate     each form with one of the two, in turn; two seeds in a row have them all
    --odd           one form more, of options that the seed chooses
    --jobs N        programs at a time

A program of which a count is wrong is left in a folder GENERATOR-SEED here, and the command printed
which compares it again; exit status 1. Environment: CC, CXX, PLUGIN, MLPROF."""

import argparse
import concurrent.futures
import os
import random
import shlex
import shutil
import sys

import forms
import generate
from program import Program, Unusable

MOST_WRONG = 10
LEVELS = ['-O1', '-O2', '-O3', '-Os', '-Og', '-Ofast']
ODD = ['-g', '-flto', '-fPIC -shared', '-fno-early-inlining', '-fno-inline', '-finline-limit=1000',
       '-funroll-all-loops', '-fno-optimize-sibling-calls', '-fno-tree-ch', '-fno-guess-branch-probability',
       '-fno-ipa-icf', '-fno-ipa-cp', '-fno-partial-inlining', '-fno-reorder-blocks-and-partition',
       '-fno-jump-tables', '-fsplit-loops', '-ffunction-sections -Wl,--gc-sections', '-fno-tree-sra',
       '-fno-toplevel-reorder', '-fno-crossjumping', '-fno-thread-jumps', '-fwrapv', '-fipa-pta',
       '-fno-dce -fno-tree-dce', '-march=native']


def odd_form(seed):
    chosen = random.Random('form %s' % seed)
    return ' '.join([chosen.choice(LEVELS)] + chosen.sample(ODD, chosen.randint(1, 4)))


def make(generator, seed):
    origin = '%s:%d' % (generator, seed)
    return Program(os.path.abspath('%s-%d' % (generator, seed)), origin, generate.files(seed, generator))


class Result:
    """What came of one program: builds, counts compared, and lines to print."""

    def __init__(self):
        self.builds = self.compared = self.executed = self.wrong = 0
        self.usable = True
        self.text = []


def compare(generator, seed, options):
    result = Result()
    program = make(generator, seed)
    try:
        program.refer()
    except Unusable as why:
        result.usable = False
        result.text.append('%s: of no use: %s' % (program.origin, why))
        shutil.rmtree(program.folder)
        return result
    result.executed = sum(program.counts.values())
    for number, form in enumerate(options.form or forms.FORMS + ([odd_form(seed)] if options.odd else [])):
        kinds = [forms.KINDS[(number + seed) % 2]] if options.alternate else forms.KINDS
        for kind in [options.kind] if options.kind else kinds:
            try:
                build = forms.Build(program, form, kind)
            except Unusable as why:
                result.text.append('%s %s %s: of no use: %s' % (program.origin, form, kind, why))
                continue
            result.builds += 1
            result.compared += build.compared
            if build.wrong:
                result.wrong += 1
                result.text += ['%s %s %s: %s' % (program.origin, form, kind, what)
                                for what in build.wrong[:MOST_WRONG]]
                if len(build.wrong) > MOST_WRONG:
                    result.text.append('    and %d more' % (len(build.wrong) - MOST_WRONG))
                result.text.append('    again: testsuite/random/compare.py --form=%s --kind=%s %s; the program is in %s'
                                   % (shlex.quote(form), kind, program.origin, program.folder))
    if not result.wrong:
        shutil.rmtree(program.folder)
    return result


def programs(named):
    for word in named:
        generator, _, seeds = word.partition(':')
        first, _, last = seeds.partition('-')
        if generator not in generate.FILES or not first.isdigit() or not (last or first).isdigit():
            sys.exit('compare.py: %s is no GENERATOR:SEED[-LAST]' % word)
        yield from ((generator, seed) for seed in range(int(first), int(last or first) + 1))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--form', action='append')
    parser.add_argument('--kind', choices=forms.KINDS)
    parser.add_argument('--alternate', action='store_true')
    parser.add_argument('--odd', action='store_true')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('programs', nargs='+')
    options = parser.parse_args()
    named = list(programs(options.programs))
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda program: compare(*program, options), named):
            results.append(result)
            if result.text:
                print('\n'.join(result.text), flush=True)
    used = [result for result in results if result.usable]
    wrong = sum(result.wrong for result in used)
    print('%d programs of %d, %d builds, %d counts compared, of %d executions; %d builds with wrong counts' % (
        len(used), len(results), sum(r.builds for r in used), sum(r.compared for r in used),
        sum(r.executed for r in used), wrong))
    sys.exit(1 if wrong or not used else 0)


main()
