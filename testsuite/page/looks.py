# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the page ask of it, and how they tell what is not as it is to be."""

import json
import sys


def equal(what, got, want):
    if got != want:
        sys.exit('%s: %r, not %r' % (what, got, want))
    print('%s: %s' % (what, got))


def percent(share):
    return '%.1f%%' % (100 * float(share))


def state(browser, name):
    return browser.evaluate('page.state[%s]' % json.dumps(name))


def number_of(browser, name):
    """The number of a function, as addresses have it."""
    return str(browser.evaluate('page.profile().data.functions.name.findIndex(n => page.profile().data.texts[n] === %s)'
                                % json.dumps(name)))


def summary(browser):
    """Name and share of the rows that are shown."""
    return [(row[-2], row[0].lstrip('~')) for row in browser.evaluate(
        'Array.from(document.querySelectorAll("#summary tr[data-row]"), row => Array.from(row.cells, c => c.textContent))')]


def heads_told(browser):
    """Each head by which a table is sorted has a tip."""
    heads = browser.evaluate('Array.from(document.querySelectorAll("#main th[data-sort], #main th[data-order]"), e => [e.textContent, e.title])')
    equal('a table with heads', len(heads) > 2, True)
    equal('heads without a tip', [head for head, tip in heads if tip.split(';')[0] in ('', 'undefined', 'null')], [])
