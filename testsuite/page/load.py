# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page's view of the load shows what mlprof -imbalance prints, and each strip what each rank
has, for the test by-rank: load.py PAGE MLPROF PROGRAM DATA..., of four ranks, of which the last has the most of `one',
600 of 1,800 samples, and the first 400."""

import re
import sys

from browser import window
from check import equal, heads_told
from run import output_of

page, mlprof, program, *data = sys.argv[1:]


def printed(*arguments):
    lines = output_of(mlprof, '-balance', 'false', *arguments, program, *data).split('\n')[2:]
    return [[word.removesuffix(' s') for word in re.split('  +', line.strip())] for line in lines
            if line and 'not shown here' not in line]


def shown(browser):
    return [row[:7] + row[8:] for row in browser.cells('#rows tbody tr[data-at]')]


def names(browser):
    return [row[-1] for row in shown(browser)]


with window() as browser:
    browser.open(page, '#view=load')
    equal('the rows', shown(browser), printed('-imbalance', 'rank'))
    heads_told(browser)
    # How dark the middle of each rank's place is, 0 to 255.
    dark = browser.evaluate('''(function (strip) {
        const {data} = strip.getContext('2d').getImageData(0, 7, strip.width, 1);
        return Array.from({length: 4}, (_, i) => data[4 * Math.floor((i + 0.5) * strip.width / 4) + 3]);
    })(document.querySelector('canvas.strip'))''')
    equal('the strip', [round(value / 25.5) for value in dark], [7, 7, 7, 10])
    equal('what it says', browser.each('canvas.strip', "e.getAttribute('aria-label')")[0],
          '4 ranks, from 4.00 to 6.00 s')
    browser.click('th[data-sort=name]')
    equal('by name', names(browser), ['one', 'two'])
    browser.click('th[data-sort=name]')
    equal('the other way', names(browser), ['two', 'one'])
    browser.key('/')
    browser.type('tw')
    equal('what matches', names(browser), ['two'])
    browser.open(page, '#view=summary&of=ranks')
    got = browser.each('#summary tbody tr[data-at]',
                       "[e.children[0].textContent, e.querySelector('.name').textContent]")
    equal('rows of ranks', [[share.replace('~', ''), name] for share, name in got],
          [[row[0].replace('~', ''), row[-1]] for row in printed('-by', 'rank')])
    equal('complaints of the browser', browser.complaints(), [])
