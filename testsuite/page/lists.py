# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the view of branches and at rows of memory: they have the rows of mlprof -branches and -by as a terminal
shows them, in their order, and a row opens its line."""

import csv
import io
import re

from check import equal, heads_told

ROWS = '#rows tbody tr[data-at]'


def copied(browser, list_of):
    """All rows in their order with whole names, of which the page shows those in view, shortened."""
    text = browser.rows_of_csv('page.lists_columns(model, data.lists%s)' % list_of,
                               'page.table_rows(columns, data.lists%s.rows.name.length)' % list_of)
    return list(csv.reader(io.StringIO(text)))[1:]


def short(place):
    """A place of a table as the page shows it."""
    return re.sub(r'[^ ]*/', '', place).replace(': ', ':')


def click_first(browser):
    browser.evaluate('document.querySelector("%s").click()' % ROWS)


def opened(browser):
    return [browser.state('view'), browser.each('pre.source .here', 'e.dataset.line')[0]]


def same_rows(what, got, want):
    for ours, theirs in zip(got, want):
        if ours != theirs:
            equal('a row of ' + what, ours, theirs)
    equal('rows of ' + what, len(got), len(want))


def look_at_branches(browser, run):
    printed = run.told('-balance', 'false', '-top', '0', '-branches', '.').splitlines()
    want = []
    for line in printed[2:]:
        *cells, rest = re.match(r' *([\d,]+) +([\d.]+%|-) +([\d,]+) +(\S+(?: \S+)*)  +(.*)$', line).groups()
        name, place = rest.rsplit('  ', 1)
        want.append(cells + [name, short(place)])
    browser.open(run.page)
    browser.key('j')
    equal('j leads to the branches', [browser.state('view'), browser.texts('#rows th')],
          ['branches', ['rarer', 'share', 'executed', 'mostly', 'branch', 'place']])
    heads_told(browser)
    told = browser.texts('.bar-of span')[0]
    equal('above the table', told.replace(', those that go both ways first', '').replace('; ', ' ').split()[:5],
          printed[0].replace(';', '').split()[:5])
    equal('branches, several', len(want) > 5, True)
    same_rows('branches', copied(browser, '.branches'), want)
    equal('the first row that is seen', browser.cells(ROWS)[0][:4], want[0][:4])
    # Another order, and the filter.
    browser.evaluate('document.querySelector("#rows th[data-sort=executed]").click()')
    numbers = [int(row[2].replace(',', '')) for row in browser.cells(ROWS)]
    equal('by executions', [numbers == sorted(numbers, reverse=True), len(numbers) > 5], [True, True])
    browser.open(run.page, '#view=branches&search=' + want[0][4].split('<')[0])
    rows = browser.cells(ROWS)
    equal('what the filter leaves', [0 < len(rows) < len(want), want[0][:4] in [row[:4] for row in rows]], [True, True])
    # A click opens the line; so does Enter behind an arrow.
    browser.open(run.page, '#view=branches')
    click_first(browser)
    equal('a click opens the line', opened(browser), ['source', want[0][5].split(':')[1]])
    browser.open(run.page, '#view=branches&row=0')
    browser.key('ArrowDown')
    equal('an arrow goes on', browser.state('row'), '1')
    browser.key('Enter')
    equal('and Enter opens', [browser.state('view'), browser.state('line')], ['source', want[1][5].split(':')[1]])


def look_at_allocations(browser, run):
    for by in 'site', 'type', 'path':
        want = [re.split(r'  +', line.strip())
                for line in run.told('-balance', 'false', '-top', '0', '-by', by).split('\n\n')[0].splitlines()
                if re.match(r' *[\d.]+% ', line)]
        browser.open(run.page, '#of=%ss' % by)
        heads_told(browser)
        heads = ['self', 'bytes', 'blocks', by + 's'] + ([] if by == 'type' else ['place'])
        equal(by, browser.texts('#summary th'), heads)
        # Of a long table the page has the rows in view.
        rows = browser.cells('#summary tr[data-at]')[:len(want)]
        want = want[:len(rows)]
        equal('there are rows', len(rows) > 0, True)
        equal('the numbers by ' + by, [row[:3] for row in rows], [row[:3] for row in want])
        if by != 'type':
            # The table has the columns `called' and `type', which follow the place on the page.
            equal('the places by ' + by, [row[4].split()[0] for row in rows], [short(row[-1]) for row in want])
            browser.evaluate('document.querySelector("#summary tr[data-at]").click()')
            equal('a click opens the line', opened(browser), ['source', want[0][-1].split(':')[-1].strip()])


def look_at_others(browser):
    """Pages that have not both, and bytes alone."""
    for page, views in ('queens.html', ['branches']), ('marks-time.html', []):
        browser.open(page)
        equal('views of ' + page, browser.views('branches'), views)
    browser.open('bytes.html')
    equal('who has more than half', '% is allocated in large;' in browser.texts('#notes')[0].split('\n')[1], True)
    browser.open('bytes.html', '#view=callers&f=' + browser.number('large'))
    equal('callers of bytes', browser.texts('.split > div:first-child tbody td.name'), ['<not known>'])
