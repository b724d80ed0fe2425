# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the tables of a page say what mlprof's do, for the tests of the views: each figure that mlprof -csv tells of
a row is rounded here, and must stand in that row of the page's table, which is read in a browser."""

import re

from check import equal, thousands
from run import rows_of

OF = {'functions': [], 'copies': ['copy'], 'lines': ['line'], 'expressions': ['expression'], 'loops': ['loop'],
      'files': ['file'], 'modules': ['module'], 'phases': ['phase'], 'threads': ['thread']}
PLAIN = '-balance', 'false', '-top', '0'


def share(amount, total):
    return '%.1f%%' % (100 * int(amount) / total) if amount and total else None


def amount(row, of):
    """What the shares are of: samples, bytes, calls, or instructions."""
    return (row[of + 'samples'] or row[of + 'bytes'] or row[of + 'calls'] or
            (not of and (row.get('executions') or row.get('executed', ''))))


def expected(row, total):
    """By the column's head what mlprof's row says; None: nothing is said of it."""
    own = share(amount(row, ''), total)
    told = {'self': own, 'share': own, 'total': share(amount(row, 'stack_'), total)}
    for head, column in (('calls', 'calls'), ('executed', 'executions'), ('instructions', 'executed'),
                         ('bytes', 'bytes'), ('blocks', 'allocations'), ('insns', 'instructions'),
                         ('code', 'code_bytes')):
        told[head] = thousands(row[column]) if row.get(column) else None
    if row['share_least'] and row['samples']:
        told['95% range'] = '%.1f-%.1f' % (100 * float(row['share_least']), 100 * float(row['share_most']))
        told['seconds'] = '%.2f' % (int(row['time_ns']) / 1e9)
    return told


def show_table(browser, of):
    browser.go(view='summary', of=of, search='', sort='cur')
    return 'data.functions' if of == 'functions' else 'data.groups.' + of


def rows_of_page(browser, of):
    """The rows of a table as the page shows them, all of them, in the order of mlprof."""
    table = show_table(browser, of)
    # Threads, whose stacks are merged, are no rows of functions.
    shown = '.filter(i => model.shown_as[i + 1] === i)' if of == 'functions' else ''
    return rows_of(browser.rows_of_csv('page.summary_columns(model, %r)' % of,
                                       table + '.name.map((_, i) => i)' + shown))


def marks_of_page(browser, of):
    """The shares, each with the mark that says that it is not certainly less than the one above."""
    show_table(browser, of)
    return browser.of_model('''
        const of = %r, columns = page.summary_columns(model, of);
        return page.summary_rows(model, of, columns).map((r, i, rows) =>
            (page.summary_tied(model, of, columns, r, rows[i - 1]) ? '~' : '') + columns[0].text(r));''' % of)


def added_up(browser, of):
    """Rows of which what the page adds up by itself, for ranges of time and other transforms, is not
    what mlprof says."""
    return browser.of_model('''
        const rows = data.groups[%r], own = page.rows_group_figures(model, %r, model.measure), wrong = [];
        if (model.measure.stacks) rows.name.forEach(function (name, r) {
            for (const what of ['cur', 'stack', 'within'])
                if ((what !== 'within' || rows.within[r]) && own[what][r] !== rows[what][r])
                    wrong.push([texts[name], what, rows[what][r], own[what][r]]);
        });
        return wrong.slice(0, 9);''' % (of, of))


def look_at_table(browser, run, of):
    by = ['-by', *OF[of]] if OF[of] else []
    text = run.tells('-csv', '-', *by)
    theirs = rows_of(text or '')
    if not theirs:
        if of in browser.texts('button[data-of]'):
            equal('rows of %s, of which mlprof tells none' % of, rows_of_page(browser, of), [])
        return
    ours = rows_of_page(browser, of)
    equal('names of ' + of, [row[of] for row in ours], [row.get('function') or row.get('name') for row in theirs])
    figures, total, wrong = 0, sum(int(amount(row, '') or 0) for row in theirs), []
    for their, our in zip(theirs, ours):
        told = [(head, figure) for head, figure in expected(their, total).items() if figure is not None and head in our]
        figures += len(told)
        wrong += [(our[of], head, our[head], figure) for head, figure in told if our[head] != figure]
    equal('those of %d figures of %s that are others' % (figures, of), wrong, [])
    if of != 'functions':
        equal('what samples of the nodes add up to otherwise', added_up(browser, of), [])
    ours, theirs = marks_of_page(browser, of), re.findall(r'^ *(~?[\d.]+%) ', run.told(*PLAIN, *by), re.M)
    equal('marked shares of ' + of, ours[:len(theirs)], theirs)


def look_at_colours(browser, run):
    """By file and line what the source is coloured by, bytes or blocks."""
    for metric, column in ('bytes', 'bytes'), ('blocks', 'allocations'):
        ours = dict(browser.of_model('''return data.files.path.flatMap(function (path, file) {
            const metric = page.metrics_of(model, file, %r);
            return metric ? Array.from(metric.lines, ([line, value]) => [model.last(path) + ':' + line, value]) : [];
        });''' % metric))
        if not ours:
            continue
        want = {}
        for row in run.rows('-by', 'line'):
            place = row['place'].rsplit('/', 1)[-1].replace(': ', ':')
            want[place] = want.get(place, 0) + int(row[column] or 0)
        equal('lines coloured by ' + metric, ours, {place: value for place, value in want.items() if value})


# Of each line and each expression of the source what it has and what the panel below it says: its copies, and the
# functions that it calls, each with itself and all that it called.
BELOW = '''return data.files.path.flatMap(function (path, file) {
    const {line, column} = data.positions;
    const told = (place, group, is) => ({
        place: model.last(path) + ':' + place, cur: group.cur, stack: group.stack, total: model.total,
        copies: page.expression_copies(model, group).map(copy => [copy.cur, copy.stack]),
        callees: page.expression_callees(model, (position, its) => its === file && is(position)).map(c => c.stack)});
    return [...Array.from(model.lines(file, -1), ([n, group]) => told(n, group, p => line[p] === n)),
        ...Array.from(page.source_expressions(model, file), ([p, group]) =>
            told(line[p] + ':' + column[p], group, its => its === p))];
})'''


def look_at_panel(browser):
    """No line has more than all; its copies together have its own samples, and one alone has all of it; neither a copy
    nor a function called there has more than the line. So have expressions."""
    lines = browser.of_model(BELOW)
    equal('below %d lines and expressions of the source' % len(lines), [line for line in lines if not (
        line['stack'] <= line['total'] and sum(cur for cur, _ in line['copies']) == line['cur'] and
        (len(line['copies']) != 1 or line['copies'][0][1] == line['stack']) and
        all(stack <= line['stack'] for stack in [*line['callees'], *(stack for _, stack in line['copies'])]))], [])


def look(browser, run, page=None):
    browser.open(page or run.page)
    equal('the first table', browser.texts('button[data-of]')[:1], ['functions'])
    for of in OF:
        look_at_table(browser, run, of)
    look_at_colours(browser, run)
    look_at_panel(browser)
    # Where calls are all that was counted, mlprof writes them as stacks of one function, and the page has none.
    if browser.views('flame'):
        ours = browser.evaluate('page.folded_text(page.profile())')
        equal('stacks', sorted(ours.splitlines()), sorted(run.told('-folded', '-').splitlines()))
