# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at queens.html, a page of counts alone: each of its views goes by calls or executions, and those of stacks are
not there."""

from looks import equal, number_of


def shares(browser, side):
    return browser.evaluate('''Array.from(document.querySelectorAll('.split > div:nth-child(%d) tbody tr'),
        row => Array.from(row.cells, c => c.textContent))''' % side)


def try_counts(browser):
    browser.open('queens.html')
    calls = dict(browser.evaluate('''(function () {
        const {functions, texts} = page.profile().data;
        return functions.name.map((name, f) => [texts[name], functions.calls[f]]);
    })()'''))
    total = sum(calls.values())

    def share(count):
        return '%.1f%%' % (100 * count / total)
    equal('the views', [name for name in browser.evaluate('Object.keys(page.views)') if name in ('flame', 'inverted', 'tree', 'bottom', 'treemap')], [])
    equal('why there are no others', 'stacks of counts are not kept' in browser.texts('#notes')[0], True)
    browser.open('queens.html', '#view=flame')
    equal('an address of one of them', browser.evaluate('document.querySelectorAll("#summary tr[data-row]").length'), len(calls))
    f = number_of(browser, 'try_column')
    browser.open('queens.html', '#view=callers&f=' + f)
    equal('its calls', [text in browser.texts('.pane h2')[0] for text in ('%s calls' % format(calls['try_column'], ','), share(calls['try_column']))],
          [True, True])
    heads = browser.texts('.split > div:first-child th')
    equal('heads', heads, ['share', 'calls', 'function'])
    rows = shares(browser, 1) + shares(browser, 2)
    equal('several', len(rows) > 5, True)
    equal('shares are of calls', [row[0] for row in rows], [share(int(row[1].strip('~').replace(',', ''))) for row in rows])
    browser.open('queens.html', '#view=graph&least=1&f=' + f)
    boxes = browser.evaluate('Array.from(document.querySelectorAll("#graph g.box"), g => g.textContent)')
    equal('boxes of the graph', [len(boxes) > 4, any('%s calls, %s' % (format(calls['try_column'], ','), share(calls['try_column'])) in box for box in boxes)],
          [True, True])
    browser.open('queens.html', '#change=%2B%2F%5Etry_column%24')
    equal('what is chosen takes nothing from counts', [word in browser.texts('#changes')[0] for word in ('focus', 'left', 'counts have no stacks to go by')], [True, False, True])
    browser.open('queens.html', '#change=gfile')
    equal('groups need none', 'stacks' in browser.texts('#changes')[0], False)
    browser.open('queens.html', '#of=lines')
    equal('lines are executed', 'executed' in browser.texts('#summary th'), True)
    browser.open('queens.html', '#of=loops')
    equal('loops go round', 'iterations' in browser.texts('#summary th'), True)
    browser.open('queens.html', '#view=source')
    equal('the file', browser.texts('#file option'), ['100.0% queens.c'.replace(' ', '  ')])
    with open('queens.c', encoding='utf-8') as source:
        lines = source.read().split('\n')
    middle = browser.evaluate('''(function () {
        const top = document.querySelector('.top').getBoundingClientRect();
        const rows = Array.from(document.querySelectorAll('pre.source [data-line]'));
        return rows.filter(row => row.getBoundingClientRect().top > top.top && row.getBoundingClientRect().bottom < top.bottom).map(row => Number(row.dataset.line));
    })()''')
    most = next(n for n, line in enumerate(lines, 1) if 'other = other->rest' in line)
    equal('it opens at what was executed most', most in middle, True)
    equal('no columns without figures', browser.texts('pre.source .heads span'), ['executed', '', 'line', ''][:3])
    equal('metrics', browser.texts('#by option'), ['how often executed', 'calls of functions'])
    # Of calls without blocks it is not known who called whom.
    notes = browser.texts('#notes')[0]
    browser.open('gone.html', '#view=callers')
    equal('neither callers nor graph', [name for name in browser.evaluate('Object.keys(page.views)') if name in ('callers', 'graph')], [])
    equal('why', ['Who called whom is known where blocks are counted' in text for text in (notes, browser.texts('#notes')[0])], [False, True])
