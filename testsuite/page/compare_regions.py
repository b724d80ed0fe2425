# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons of regions: load has become longer, gone and new are on one side (page-compare.test)."""

import math

from changes import CHANGES, data, number, sign, yes
from check import equal

SIDES = 'before', 'after'


def nanoseconds(value):
    """As mlprof prints them, a tick being one."""
    if value < 1:
        return '<1.00ns'
    size, name = next((of for of in ((1e9, 's'), (1e6, 'ms'), (1e3, 'us')) if value >= of[0]), (1, 'ns'))
    part = value / size
    return '%.*f%s' % (2 if part < 10 else 1 if part < 100 else 0, part, name)


def known(text):
    return '-' if number(text) is None else nanoseconds(number(text))


def way(value):
    return ('' if abs(value) < 1 else '-' if value < 0 else '+') + nanoseconds(abs(value))


def row_of(their):
    before, after, change, chance = (number(their[head]) for head in ('before', 'after', 'change', 'chance'))
    mark = '' if change is None else sign(yes(their['certain']), change) + ' '
    return [known(their['before']), known(their['after']),
            'new' if before is None else 'gone' if after is None else mark + way(change),
            '-' if change is None else '%+.1f%%' % (100 * change / before),
            ' to '.join(way(float(their['change_' + end])) for end in ('least', 'most')) if their['change_least']
            else '-',
            '-' if chance is None else '<0.001' if chance < 0.001 else '%.3f' % chance, their['region']]


def bars_of(buckets):
    """Over the same times, as large as shares: left, width and height of all bars. BUCKETS are of each side."""
    buckets = [[(max(least, below / 2), below, calls) for least, below, calls in of if below > 0] for of in buckets]
    first, last = min(b[0] for of in buckets for b in of), max(b[1] for of in buckets for b in of)

    def x(value):
        return 10 + 356 * math.log(value / first) / math.log(last / first)
    bars = [(x(start), x(below) - x(start), calls / sum(b[2] for b in of) / math.log(below / start))
            for of in buckets for start, below, calls in of]
    most = max(height for *_, height in bars)
    return [(left, max(1, width), max(1, 162 * height / most)) for left, width, height in bars]


def look_at_table(browser, name):
    """The table against mlprof's data, and the histograms of each row against those of each side."""
    sides, theirs = [data('buckets.' + side) for side in SIDES], data(name + '.csv')
    equal('rows of ' + name, browser.cells(CHANGES), [row_of(their) for their in theirs])
    for at, their in enumerate(theirs):
        browser.go(row=at)
        buckets = [[[float(b[of]) for of in ('least_ns', 'below_ns', 'calls')] for b in of
                    if b['region'] == their['region']]
                   for of in sides]
        for side, want in zip(SIDES, buckets):
            equal('buckets %s' % side,
                  browser.of_model('(data.region_changes.regions_%s[%d] || {buckets: []}).buckets' % (side, at)), want)
            # What is left of nothing is in the next bucket.
            equal('its lines', browser.count('#buckets-%s tbody tr' % side), sum(b[1] > 0 for b in want))
        bars = browser.each('#histogram .bar', "['x', 'width', 'height'].map(name => Number(e.getAttribute(name)))")
        want = bars_of(buckets)
        equal('bars', len(bars), len(want))
        far = [pair for pair in zip(bars, want) if any(abs(a - b) >= 0.01 for a, b in zip(*pair))]
        equal('bars elsewhere of ' + their['region'], far, [])


def names(browser):
    return sorted(browser.texts('#rows td.name'))


def look(browser):
    browser.open('regions-bare.html')
    equal('what is seen first', browser.state('view'), 'regions')
    equal('no changes of functions', [t for t in browser.texts('nav button') if t in ('Changes', 'Difference')], [])
    look_at_table(browser, 'regions-bare')
    row, = (row for row in data('regions-bare.csv') if row['region'] == 'load')
    # 1000.5 and 1400.5 ticks, less 20 and, of two calls inside of 1000, 50 each.
    equal('by hand', [round(float(row[side]), 6) for side in ('before', 'after', 'change')], [980.4, 1380.4, 400.0])
    equal('what is told apart', browser.texts('button[data-regions]'), ['changes', 'regions', 'paths'])
    browser.click('button[data-regions=names]')
    equal('those after', names(browser), ['load', 'new', 'parse'])
    # Beside functions.
    browser.open('regions-old.html')
    equal('changes of functions first', browser.state('view'), 'compare')
    equal('its rows', names(browser), ['main', 'sq'])
    browser.key('w')
    look_at_table(browser, 'regions-old')
    browser.open('paths.html')
    equal('paths', names(browser), ['gone', 'load', 'load > parse', 'new'])
