# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns the dials of two pages: dials.html of dials.c, and queens.html of testsuite/count/queens.c on a
board of 4. What is to be seen was worked out by hand."""

import json
import random

from check import equal
from run import lines_of


def arcs(browser):
    """By `callee, caller' what the arcs with a dial have: calls, least, most, sure."""
    browser.evaluate('page.state.of === "open" || page.go({of: "open"})')
    return {'%s, %s' % (row[5], row[6]) + (' ' + row[7].rsplit(':', 2)[1] if row[6] == 'try_column' else ''):
            (row[0], row[1], row[3], row[4]) for row in browser.cells('#arcs tr[data-at]')}


def aggregates(browser):
    """By function its aggregate, as a share and as an amount, and how far it moved."""
    return {row[4]: tuple(row[:3]) for row in browser.cells('#aggregates tbody tr[data-at]')}


def dial(browser, callee, caller, line=None):
    """The selector of the dial of an arc."""
    return 'input[data-arc="%d"]' % browser.of_model('''
        const {arcs, call_sites: sites} = data, line = %s;
        return arcs.site.findIndex((s, a) => s >= 0 && page.dial_callee(model, a) === %r &&
            page.dial_caller(model, a) === %r && model.arcs.has_dial(a) && (line === null || sites.line[s] === line));
        ''' % (line or 'null', callee, caller))


ESTIMATES = {'small, few': ('~9', '0', '10', '0%'), 'large, few': ('~1', '0', '10', '0%'),
             'small, most': ('~77', '76', '86', '88%'), 'large, most': ('~13', '4', '14', '29%')}
# 8.6 times 10 bytes and 1.4 times 100 are few's; all are 2,260, and main's for sure.
BEFORE = {'few': ('~10.0%', '~226', ''), 'most': ('~90.0%', '~2,034', ''), 'main': ('100.0%', '2,260', '')}


def look_at_dials(browser):
    def large_and_few():
        return arcs(browser)['large, few'][0], aggregates(browser)['few'][1]
    browser.open('dials.html', '#view=dials')
    equal('the estimates', arcs(browser), ESTIMATES)
    equal('what they are', 'guessed: types of pointers are not known' in browser.texts('.pane .bar-of .faint')[0], True)
    equal('aggregates by them', aggregates(browser), BEFORE)
    equal('heights of rows', set(browser.each('#arcs tr[data-at]', 'e.getBoundingClientRect().height')), {24})
    # In its middle: 5 of 10, so that 9 of 14 are left to most, and of small 5 of 10 and 81 of 86.
    browser.click(dial(browser, 'large', 'few'))
    equal('turned to the middle', arcs(browser),
          {'small, few': ('5', '5', '5', '100%'), 'large, few': ('5', '0', '10', 'set'),
           'small, most': ('81', '81', '81', '100%'), 'large, most': ('9', '9', '9', '100%')})
    # 5 times 10 and 5 times 100; 81 times 10 and 9 times 100.
    equal('aggregates', aggregates(browser),
          {'few': ('~24.3%', '~550', '+14.3'), 'most': ('~75.7%', '~1,710', '-14.3'), 'main': ('100.0%', '2,260', '')})
    browser.key('ArrowRight')
    equal('one more by a key', large_and_few(), ('6', '~640'))
    address = browser.evaluate('location.hash')
    browser.open('dials.html', address, anew=True)
    equal('the address again', large_and_few(), ('6', '~640'))
    browser.go(view='callers', f=browser.number('large'))
    equal('callers follow', sorted(row[-2:] for row in browser.cells('.split > div:first-child tbody tr[data-at]')),
          [['-', '<outside>'], ['6', 'few'], ['8', 'most']])
    browser.go(view='dials')
    browser.click('#reset')
    equal('reset', (arcs(browser), aggregates(browser)), (ESTIMATES, BEFORE))
    browser.evaluate('history.back()')
    browser.wait('page.state.dials')
    equal('back', arcs(browser)['large, few'][0], '6')
    # What cannot be is brought within the bounds.
    browser.open('dials.html', address.replace('6', '600') if '%3D6' in address else address.replace('=6', '=600'))
    equal('an absurd address', arcs(browser)['large, few'][0], '10')


def look_at_source(browser):
    """Call sites in the source lead to the functions that are called there, and back."""
    text = lines_of('dials.c')
    line = {name: next(str(i) for i, row in enumerate(text, 1) if sign in row)
            for name, sign in (('few', '/* few */'), ('most', '/* most */'), ('small', 'char *small('))}

    def rows(table):
        return [[row[0], row[5]] for row in browser.cells('#%s tr[data-at]' % table)]
    browser.open('dials.html', '#view=source')
    browser.click('div[data-line="%s"] a.sites' % line['few'])
    equal('the line of the call site', browser.state('line'), line['few'])
    equal('whom it calls', rows('reached'), [['10', 'keep'], ['~9', 'small'], ['~1', 'large']])
    browser.click('table#reached tr[data-at]:has(input) td.name')
    equal('gone to the callee', browser.state('line'), line['small'])
    equal('who calls it', rows('callers'), [['~77', 'most'], ['~9', 'few']])
    browser.click('#callers tr[data-at] td:first-child')
    equal('gone to the call site', browser.state('line'), line['most'])


def cells_of(rows, columns, allowed):
    """All tables with these sums, which have calls in allowed cells alone, as lists by row."""
    def fill(at, left, below):
        if at == len(rows) * len(columns):
            if not any(left) and not any(below):
                yield []
            return
        r, c = divmod(at, len(columns))
        if c == 0 and r and left[r - 1]:
            return
        for n in range(min(left[r], below[c]) + 1 if allowed[r][c] else 1):
            for rest in fill(at + 1, [left[r] - n if i == r else sum for i, sum in enumerate(left)],
                             [below[c] - n if i == c else sum for i, sum in enumerate(below)]):
                yield [n, *rest]
    return list(fill(0, rows, columns))


def look_at_bounds(browser):
    """The least and the most of each cell are those of all tables that have the same sums."""
    chance = random.Random(1)
    browser.open('dials.html', '#view=dials')
    for _ in range(30):
        cells = [[chance.randint(0, 3) if chance.random() < 0.7 else None for _ in range(3)] for _ in range(3)]
        allowed = [[n is not None for n in row] for row in cells]
        rows = [sum(n or 0 for n in row) for row in cells]
        columns = [sum(row[c] or 0 for row in cells) for c in range(3)]
        all_of = cells_of(rows, columns, allowed)
        equal('bounds of %s' % cells, browser.evaluate('''(function (table) {
            const cells = page.arcs_any(table);
            return table.allowed.flatMap((row, r) => row.map((is, c) => is && page.arcs_ends(cells, table.allowed, r, c)));
        })(%s)''' % json.dumps({'rows': rows, 'sums': columns, 'allowed': allowed})),
              [[min(each), max(each)] if allowed[at // 3][at % 3] else False for at, each in enumerate(zip(*all_of))])


def look_at_queens(browser):
    """Figure 4: with what is known of the program, c ends the search and h takes up an earlier one, its arcs
    are those of the equations."""
    browser.open('queens.html', '#view=dials')
    line = {row.rstrip()[-4]: str(i) for i, row in enumerate(lines_of('queens.c'), 1)
            if row.rstrip()[-6:-4] == '* ' and row.endswith(' */')}
    for callee, caller, site in ('solved', 'queens', 'c'), ('again', 'try_column', 'h'):
        browser.evaluate('document.querySelector(%r).focus()' % dial(browser, callee, caller, line[site]))
        browser.key('End')
    none, g, h = ('0', '0', '0', '100%'), ' ' + line['g'], ' ' + line['h']
    equal('the arcs of figure 4', arcs(browser), {
        'solved, queens': ('1', '0', '1', 'set'), 'next_queen, queens': none, 'again, queens': none,
        'again, try_column' + h: ('4', '0', '4', 'set'), 'next_queen, try_column' + h: none,
        'solved, try_column' + h: none,
        'next_queen, try_column' + g: ('8', '8', '8', '100%'), 'again, try_column' + g: none,
        'solved, try_column' + g: none})
    # Of the 30 columns tried x are below `again', so of the boards placed and of lambda 7, too, and of queens
    # and lambda 4 8/9 of that: 30 x = 8 (8/9) x + 4 + 18 x, x = 9/11. The calls below are 4, and 9/11 of
    # 30 + 8 + 15, and 8/11 of 8 + 9 + 1: 60.5 of 77.
    equal('the aggregate of a circle', aggregates(browser)['again'][:2], ('~78.5%', '~60'))
    tips = browser.evaluate("""(function () {
        page.profile().arcs.largest = 1;
        page.profile().arcs.turn('');
        page.render();
        const rows = Array.from(document.querySelectorAll('#aggregates tbody tr[data-at]'));
        const row = rows.find(r => r.cells[4].textContent === 'again');
        return [0, 1].map(i => row.cells[i].textContent + ' ' + row.cells[i].title);
    })()""")
    # The page was changed for that.
    browser.page = None
    equal('why a circle is not solved', tips,
          ['- not known: the function is in a circle of more than 1 that call each other, '
                                               'for which this page does not solve the equations'] * 2)
