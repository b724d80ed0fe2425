# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page's view of the load shows what mlprof -imbalance prints, and each strip what each rank
has: load.py PAGE MLPROF PROGRAM DATA..., of four ranks, of which the last has the most of `one', 600 of
1,800 samples, and the first 400."""

import re
import subprocess
import sys

from browser import window
from looks import equal, heads_told

page, mlprof, program, *data = sys.argv[1:]


def printed(*arguments):
    run = subprocess.run([mlprof, '-balance', 'false', *arguments, program, *data], check=True, text=True, stdout=subprocess.PIPE)
    lines = [line for line in run.stdout.split('\n')[2:] if line and 'not told here' not in line]
    return [[word.removesuffix(' s') for word in re.split('  +', line.strip())] for line in lines]


def shown(browser):
    return browser.evaluate('''Array.from(document.querySelectorAll('#changes-of tbody tr[data-at]'), row =>
        Array.from(row.children, cell => cell.textContent).filter((_, i) => i !== 7))''')


with window() as browser:
    browser.open(page, '#view=load')
    equal('the rows', shown(browser), printed('-imbalance', 'rank'))
    heads_told(browser)
    # How dark the middle of each rank's place is, 0 to 255.
    dark = browser.evaluate('''(function () {
        const strip = document.querySelector('canvas.strip'), data = strip.getContext('2d').getImageData(0, 7, strip.width, 1).data;
        return Array.from({length: 4}, (_, i) => data[4 * Math.floor((i + 0.5) * strip.width / 4) + 3]);
    })()''')
    equal('the strip', [round(value / 25.5) for value in dark], [7, 7, 7, 10])
    equal('what it says', browser.evaluate("document.querySelector('canvas.strip').getAttribute('aria-label')"), '4 ranks, from 4.00 to 6.00 s')
    browser.click('th[data-order=name]')
    equal('by name', [row[-1] for row in shown(browser)], ['one', 'two'])
    browser.click('th[data-order=name]')
    equal('the other way', [row[-1] for row in shown(browser)], ['two', 'one'])
    browser.key('/')
    browser.type('tw')
    equal('what matches', [row[-1] for row in shown(browser)], ['two'])
    browser.key('Escape')
    browser.open(page, '#view=summary&of=ranks')
    by = [[row[0], row[-1]] for row in printed('-by', 'rank')]
    got = browser.evaluate('''Array.from(document.querySelectorAll('#summary tbody tr[data-row]'), row =>
        [row.children[0].textContent, row.querySelector('.name').textContent])''')
    equal('rows of ranks', [[share.replace('~', ''), name] for share, name in got], [[share.replace('~', ''), name] for share, name in by])
    equal('complaints of the browser', browser.complaints(), [])
