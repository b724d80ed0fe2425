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
    return [(row[-2], row[0].lstrip('~')) for row in browser.cells('#summary tr[data-at]')]


def heads_told(browser):
    """Each head by which a table is sorted has a tip."""
    heads = browser.each('#main th[data-sort]', '[e.textContent, e.title]')
    equal('a table with heads', len(heads) > 2, True)
    equal('heads without a tip', [head for head, tip in heads if tip.split(';')[0] in ('', 'undefined', 'null')], [])


# Figures whose beginning or end is not what is seen there.
CUT = '''(function () {
    const cut = [];
    for (const cell of document.querySelectorAll('#main td')) {
        let scrolls = cell.parentElement;
        while (scrolls.id !== 'main' && getComputedStyle(scrolls).overflowY === 'visible')
            scrolls = scrolls.parentElement;
        const room = scrolls.getBoundingClientRect();
        const text = document.createRange();
        text.selectNodeContents(cell);
        const box = text.getBoundingClientRect(), y = box.top + box.height / 2;
        if (getComputedStyle(cell).textAlign !== 'right' || !/[0-9]/.test(cell.textContent) ||
            y < room.top + 12 || y > room.bottom - 12)
            continue;
        const seen = x => cell.contains(document.elementFromPoint(x, y));
        const head = document.elementFromPoint(box.left + 1, y);
        if (!(seen(box.left + 1) && seen(box.right - 1)) && !(head && head.closest('th, .below, #tip')))
            cut.push(cell.textContent);
    }
    return cut;
})()'''


def figures_whole(browser, *views):
    """No table cuts or covers a figure, at any width from 800 pixels."""
    for view in views:
        browser.go(view=view)
        for width in 800, 900, 1024, 1280:
            browser.evaluate('(document.body.style.width = "%dpx", dispatchEvent(new Event("resize")))' % width)
            browser.wait_frame()
            equal('%s, %d pixels, figures that are cut' % (view, width), browser.evaluate(CUT), [])
    browser.evaluate('(document.body.style.width = "", dispatchEvent(new Event("resize")))')
