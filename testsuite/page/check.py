# SPDX-License-Identifier: GPL-3.0-or-later
"""How the tests of the page tell what is not as it is to be."""

import sys


def equal(what, got, want):
    if got != want:
        sys.exit('%s: %r, not %r' % (what, got, want))
    print('%s: %s' % (what, str(got)[:2000]))


def percent(share):
    return '%.1f%%' % (100 * float(share))


def thousands(number):
    return '{:,}'.format(int(number))


def summary(browser):
    """Name and share of the rows that are shown."""
    return [(row[-2], row[0].lstrip('~')) for row in browser.cells('#summary tr[data-row]')]


def heads_told(browser):
    """Each head by which a table is sorted has a tip."""
    heads = browser.each('#main th[data-sort], #main th[data-order]', '[e.textContent, e.title]')
    equal('a table with heads', len(heads) > 2, True)
    equal('heads without a tip', [head for head, tip in heads if tip.split(';')[0] in ('', 'undefined', 'null')], [])
