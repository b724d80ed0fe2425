# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the views of branches and of allocations: they have the rows of mlprof -branches and -allocs as a terminal
shows them, in their order, and a row opens its line."""

import csv
import io
import re
import subprocess

from looks import equal, heads_told, number_of, state


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def rows_of_page(browser):
    """The cells of all rows, as the page would copy them."""
    return browser.evaluate('Array.from(document.querySelectorAll("#changes-of tbody tr[data-at]"), row => Array.from(row.cells, c => c.textContent))')


def heads(browser):
    return browser.texts('#changes-of th')


def copied(browser, list_of, what):
    """All rows in their order with whole names, of which the page shows those in view, shortened."""
    text = browser.evaluate('''(function () {
        const model = page.profile(), list = model.data.lists%s;
        const columns = page.lists_columns(model, list, %r);
        return page.csv_text(columns, page.table_rows(columns, list.rows.name.length));
    })()''' % (list_of, what))
    return list(csv.reader(io.StringIO(text)))


def short(place):
    """A place of a table as the page shows it."""
    return re.sub(r'[^ ]*/', '', place).replace(': ', ':')


def try_branches(browser, page, mlprof, program, data):
    printed = output_of(mlprof, '-balance', 'false', '-branches', '.', program, data).splitlines()
    want = []
    for line in printed[2:]:
        rarer, share, executed, mostly, rest = re.match(r' *([\d,]+) +([\d.]+%|-) +([\d,]+) +(\S+(?: \S+)*)  +(.*)$', line).groups()
        name, place = rest.rsplit('  ', 1)
        want.append([rarer, share, executed, mostly, name, short(place)])
    browser.open(page)
    browser.key('j')
    equal('j leads to the branches', [state(browser, 'view'), heads(browser)],
          ['branches', ['rarer', 'share', 'executed', 'mostly', 'branch', 'place']])
    heads_told(browser)
    told = browser.texts('.bar-of span')[0]
    equal('above the table', told.replace(', the least predictable first', '').replace('; ', ' ').split()[:5], printed[0].replace(';', '').split()[:5])
    got = copied(browser, '.branches', 'branch')[1:]
    equal('branches, several', len(want) > 5, True)
    if got != want:
        equal('a branch', next(pair for pair in zip(got, want) if pair[0] != pair[1]), None)
    equal('number of rows', len(got), len(want))
    equal('the first row that is seen', rows_of_page(browser)[0][:4], want[0][:4])
    # Another order, and the filter.
    browser.evaluate('document.querySelector("#changes-of th[data-order=executed]").click()')
    numbers = [int(row[2].replace(',', '')) for row in rows_of_page(browser)]
    equal('by executions', [numbers == sorted(numbers, reverse=True), len(numbers) > 5], [True, True])
    browser.open(page, '#view=branches&search=' + want[0][4].split('<')[0])
    equal('what the filter leaves', [0 < len(rows_of_page(browser)) < len(want), want[0][:4] in [row[:4] for row in rows_of_page(browser)]], [True, True])
    # A click opens the line; so does Enter behind an arrow.
    browser.open(page, '#view=branches')
    browser.evaluate('document.querySelector("#changes-of tbody tr[data-at]").click()')
    line = want[0][5].split(':')[1]
    equal('a click opens the line', [state(browser, 'view'), browser.evaluate('document.querySelector("pre.source .here").dataset.line')], ['source', line])
    browser.open(page, '#view=branches&row=0')
    browser.key('ArrowDown')
    equal('an arrow goes on', state(browser, 'row'), '1')
    browser.key('Enter')
    equal('and Enter opens', [state(browser, 'view'), state(browser, 'line')], ['source', want[1][5].split(':')[1]])


def try_allocations(browser, page, mlprof, program, data):
    browser.open(page)
    browser.key('p')
    equal('p leads to the allocations', [state(browser, 'view'), browser.texts('[data-allocs]')], ['allocations', ['by site', 'by type', 'by path']])
    heads_told(browser)
    for by in 'site', 'type', 'path':
        printed = output_of(mlprof, '-balance', 'false', '-allocs', by, program, data).split('\n\n')[0].splitlines()
        printed = [line for line in printed if re.match(r' *[\d.]+% ', line)]
        browser.evaluate('document.querySelector("[data-allocs=%s]").click()' % by)
        equal(by, heads(browser), ['cur', 'bytes', 'blocks'] + {'site': ['allocator', 'type', 'site', 'place'], 'type': ['type'],
                                                                'path': ['called', 'type', 'path', 'place']}[by])
        got = copied(browser, '.allocations.' + by, by)[1:]
        equal('rows by ' + by, len(got), len(printed))
        for row, line in zip(got, printed):
            cells = re.split(r'  +', line.strip())
            if by != 'type':
                cells[-1] = short(cells[-1])
            if row != cells:
                equal('a row by ' + by, row, cells)
        first = rows_of_page(browser)[0]
        equal('the first by ' + by, first[:3], got[0][:3])
        browser.evaluate('document.querySelector("#changes-of tbody tr[data-at]").click()')
        if by == 'type':
            equal('a type is nowhere', [state(browser, 'view'), state(browser, 'row')], ['allocations', '0'])
            continue
        equal('a click opens the line', [state(browser, 'view'), browser.evaluate('document.querySelector("pre.source .here").dataset.line')],
              ['source', got[0][-1].split(':')[-1]])
        browser.open(page, '#view=allocations')


def try_lists(browser, mlprof):
    for name in 'queens', 'strings':
        try_branches(browser, name + '.html', mlprof, name, name + '.out')
    for name in 'dials', 'strings':
        try_allocations(browser, name + '.html', mlprof, name, name + '.out')
    browser.open('queens.html')
    equal('without allocations', [name for name in browser.evaluate('Object.keys(page.views)') if name in ('branches', 'allocations')], ['branches'])
    browser.open('bytes.html')
    equal('who has more than half', '% is allocated in large;' in browser.texts('#notes')[0].split('\n')[1], True)
    browser.open('bytes.html', '#view=callers&f=' + number_of(browser, 'large'))
    equal('callers of bytes', browser.texts('.split > div:first-child tbody td.name'), ['<not known>'])
    browser.open('marks-time.html')
    equal('without counts', [name for name in browser.evaluate('Object.keys(page.views)') if name in ('branches', 'allocations')], [])
