# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at queens.html, a page of counts alone: each of its views goes by calls or executions, and those of stacks are
not there. GONE is a page of calls without blocks."""

from check import equal, thousands
from run import lines_of, rows_of


def look(browser, gone):
    browser.open('queens.html')
    calls = dict(browser.of_model('data.functions.name.map((name, f) => [texts[name], data.functions.calls[f]])'))
    total, f = sum(calls.values()), browser.number('try_column')

    def share(count):
        return '%.1f%%' % (100 * count / total)
    of_column = [thousands(calls['try_column']) + ' calls', share(calls['try_column'])]
    equal('the views', browser.views('flame', 'inverted', 'tree', 'bottom', 'treemap'), [])
    notes = browser.texts('#notes')[0]
    equal('why there are no others', 'stacks of counts are not kept' in notes, True)
    browser.open('queens.html', '#view=flame', anew=True)
    equal('an address of one of them', browser.count('#summary tr[data-at]'), len(calls))
    browser.open('queens.html', '#view=callers&f=' + f)
    equal('its calls', [text in browser.texts('.pane h2')[0] for text in of_column], [True, True])
    equal('heads', browser.texts('.split > div:first-child th'), ['share', 'calls', 'function'])
    rows = browser.cells('.split > div tbody tr[data-at]')
    equal('several', len(rows) > 5, True)
    equal('shares are of calls', [row[0] for row in rows],
          [share(int(row[1].strip('~').replace(',', ''))) for row in rows])
    browser.open('queens.html', '#view=graph&least=1&f=' + f)
    boxes = browser.texts('#graph g.box')
    equal('boxes of the graph', [len(boxes) > 4, any(', '.join(of_column) in box for box in boxes)], [True, True])
    browser.open('queens.html', '#change=%2B%2F%5Etry_column%24')
    equal('what is chosen takes nothing from counts', [word in browser.texts('#changes')[0] for word in (
        'focus', 'left', 'counts have no stacks to go by')], [True, False, True])
    for of, head in ('lines', 'executed'), ('loops', 'iterations'):
        browser.open('queens.html', '#of=' + of)
        equal('heads of ' + of, head in browser.texts('#summary th'), True)
    browser.open('queens.html', '#view=source')
    equal('the file', browser.texts('#file option'), ['100.0%  queens.c'])
    middle = browser.evaluate('''(function (top) {
        const rows = Array.from(document.querySelectorAll('pre.source [data-line]'));
        const inside = row => row.top > top.top && row.bottom < top.bottom;
        return rows.filter(row => inside(row.getBoundingClientRect())).map(row => Number(row.dataset.line));
    })(document.querySelector('.top').getBoundingClientRect())''')
    most = next(n for n, line in enumerate(lines_of('queens.c'), 1) if 'other = other->rest' in line)
    equal('it opens at what was executed most', most in middle, True)
    equal('no columns without figures', browser.texts('pre.source .heads span'), ['executed', '', 'line'])
    equal('metrics', browser.texts('#by option'), ['how often executed', 'calls of functions'])
    # Of calls without blocks it is not known who called whom.
    browser.open(gone, '#view=callers')
    equal('neither callers nor graph', browser.views('callers', 'graph'), [])
    equal('why',
          ['Who called whom is known where blocks are counted' in text for text in (notes, browser.texts('#notes')[0])],
          [False, True])


def look_at_measure(browser, run, word, unit, column):
    """The table has what mlprof tells of each function, and nothing of those of which it tells nothing."""
    browser.go(view='summary', measure=word, of='functions', sort='', search='')
    want = {row['function']: int(row[column]) for row in run.rows() if row[column] not in ('', '0')}
    total = sum(want.values())
    rows = rows_of(browser.rows_of_csv('page.summary_columns(model, "functions")',
                                       'page.summary_rows(model, "functions", columns)'))
    equal('what functions have of ' + word, {row['functions']: (row['self'], row[unit]) for row in rows},
          {name: ('%.1f%%' % (100 * n / total), thousands(n)) for name, n in want.items()})
    amounts = [int(row[unit].replace(',', '')) for row in rows]
    equal('those with most first', amounts, sorted(amounts, reverse=True))


def look_at_beside(browser, ray, dials):
    """Counts beside something else: all views show what the menu chooses, or say why not."""
    browser.open(ray.page)
    equal('the menu', browser.texts('#measure option'), ['time', 'calls'])
    browser.key('z')
    equal('z goes on', browser.state('measure'), 'calls')
    look_at_measure(browser, ray, 'calls', 'calls', 'calls')
    browser.go(view='callers', f=browser.number('blocked_below'))
    equal('shares of calls', browser.texts('.split > div:first-child th')[:2], ['share', 'calls'])
    browser.go(view='source')
    equal('coloured by it', browser.evaluate('document.getElementById("by").value'), 'calls')
    for view, title in ('flame', 'Flame graph'), ('tree', 'Tree'), ('treemap', 'Tree map'):
        browser.go(view=view)
        equal('why not in ' + view, browser.texts('.empty'),
              ['%s has nothing of calls: its stacks are not kept. It can show time ' % title])
    browser.click('[data-measure=time]')
    equal('the button', [browser.state('measure'), browser.count('#main canvas'), browser.count('.empty')], ['', 1, 0])
    browser.open(dials.page)
    equal('another menu', browser.texts('#measure option'), ['allocated, bytes', 'allocated, blocks', 'calls'])
    look_at_measure(browser, dials, 'blocks', 'blocks', 'allocations')
    look_at_measure(browser, dials, 'calls', 'calls', 'calls')
