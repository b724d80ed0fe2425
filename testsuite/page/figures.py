# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the tables of the page say what mlprof's do: figures.py PAGE MLPROF ARGUMENTS...

Each figure that mlprof -csv tells of a row is rounded here, and must stand in that row of the
page's table, which is read in a browser."""

import csv
import io
import re
import subprocess
import sys

from browser import window

page, mlprof, *arguments = sys.argv[1:]
OF = {'functions': [], 'copies': ['copy'], 'lines': ['line'], 'expressions': ['expression'], 'loops': ['loop'],
      'files': ['file'], 'modules': ['module'], 'phases': ['phase'], 'threads': ['thread']}
failed = 0


def share(amount, total):
    return '%.1f%%' % (100 * int(amount) / total) if amount and total else None


def thousands(text):
    return '{:,}'.format(int(text)) if text else None


def amount(row, of):
    """What the shares are of: samples, bytes, or calls."""
    return row[of + 'samples'] or row[of + 'bytes'] or row[of + 'calls'] or (not of and row.get('executions', ''))


def expected(row, total):
    """By the column's head what mlprof's row says; None: nothing is said of it."""
    own = share(amount(row, ''), total)
    told = {'self': own, 'share': own, 'stack': share(amount(row, 'stack_'), total), 'calls': thousands(row['calls']),
            'executed': thousands(row.get('executions', '')), 'bytes': thousands(row['bytes']),
            'blocks': thousands(row['allocations']), 'insns': thousands(row.get('instructions', '')),
            'code': thousands(row.get('code_bytes', ''))}
    if row['share_least'] and row['samples']:
        told['95% range'] = '%.1f-%.1f' % (100 * float(row['share_least']), 100 * float(row['share_most']))
        told['seconds'] = '%.2f' % (int(row['time_ns']) / 1e9)
    return told


def rows_of_page(browser, of):
    """The rows of a table as the page shows them, all of them, in the order of mlprof."""
    browser.evaluate('page.go({view: "summary", of: %r, search: "", sort: "cur"})' % of)
    text = browser.evaluate('''(function () {
        const columns = page.summary_columns(page.profile(), page.state.of);
        const table = page.state.of === 'functions' ? page.profile().data.functions : page.profile().data.groups[page.state.of];
        return page.csv_text(columns, table.name.map((_, i) => i));
    })()''')
    return list(csv.DictReader(io.StringIO(text)))


def added_up(browser, of):
    """Rows of which what the page adds up by itself, for ranges of time and other transforms, is not
    what mlprof says."""
    return browser.evaluate('''(function () {
        const model = page.profile(), rows = model.data.groups[%r], own = page.others_figures(model, %r), wrong = [];
        if (model.data.measure !== 'calls') rows.name.forEach(function (name, r) {
            for (const what of ['cur', 'stack', 'within'])
                if ((what !== 'within' || rows.within[r]) && own[what][r] !== rows[what][r])
                    wrong.push([model.data.texts[name], what, rows[what][r], own[what][r]]);
        });
        return wrong.slice(0, 9);
    })()''' % (of, of))


def lines_of(browser, metric):
    """By file and line what the source is coloured by."""
    return dict(browser.evaluate('''page.profile().data.files.path.flatMap(function (path, file) {
        const metric = page.metrics_of(page.profile(), file, %r);
        return metric ? Array.from(metric.lines, ([line, value]) => [page.profile().last(path) + ':' + line, value]) : [];
    })''' % metric))


def arcs_of_mlprof():
    """Caller, line, calls, bounds, confidence and callee of each arc that mlprof -arcs tells."""
    run = subprocess.run([mlprof, '-balance', 'false', '-arcs', ''] + arguments, capture_output=True, text=True)
    caller, found = None, []
    for line in run.stdout.split('\n'):
        row = re.match(r' *(~?[\d,]+) +([\d,]+) +([\d,]+) +(\d+%) +(\d+|\?)  (.*)$', line)
        if line.startswith('calls in '):
            caller = line[len('calls in '):]
        elif caller and row:
            found.append((caller, row[5], *row.groups()[:4], row[6]))
    return sorted(found)


def arcs_of_page(browser):
    """The same of the page's table, as its rows show it."""
    return sorted(map(tuple, browser.evaluate('''(function () {
        const model = page.profile(), {arcs, call_sites: sites} = model.data;
        return arcs.site.map((s, a) => a).filter(a => arcs.site[a] >= 0).map(a => [page.dial_row(model, a), a]).map(([row, a]) =>
            [page.dial_caller(model, a), String(sites.line[arcs.site[a]] || '?'), row.cells[0].textContent, row.cells[1].textContent,
             row.cells[3].textContent, row.cells[4].textContent, row.cells[5].title]);
    })()''')))


def marks_of_mlprof(by):
    """The shares of mlprof's table, with the mark of those not certainly less than the one above."""
    run = subprocess.run([mlprof, '-balance', 'false'] + by + arguments, capture_output=True, text=True)
    return re.findall(r'^ *(~?[\d.]+%) ', run.stdout, re.M)


def marks_of_page(browser, of):
    browser.evaluate('page.go({view: "summary", of: %r, search: "", sort: "cur"})' % of)
    return browser.evaluate('''(function () {
        const model = page.profile(), of = page.state.of, columns = page.summary_columns(model, of);
        const table = of === 'functions' ? model.data.functions : model.data.groups[of];
        columns.count = table.name.length;
        return page.summary_rows(columns, of === 'functions' ? model.stand : null).map((r, i, rows) =>
            (page.summary_tied(model, table, columns, r, rows[i - 1]) ? '~' : '') + columns[0].text(r));
    })()''')


def below_source(browser):
    """Of each line and each expression of the source what the panel below it says: its copies, and the functions that it
    calls, each with itself and all that it called; and of the line or expression itself."""
    return browser.evaluate('''page.profile().data.files.path.flatMap(function (path, file) {
        const model = page.profile(), line_of = model.data.positions.line, column_of = model.data.positions.column;
        const told = (place, group, is) => ({
            place: model.last(path) + ':' + place, cur: group.cur, stack: group.stack, total: model.total,
            copies: page.expression_copies(model, group).map(copy => [copy.cur, copy.stack]),
            callees: page.expression_callees(model, (position, its) => its === file && is(position))
                .map(({f, stack}) => [model.name(f), stack])});
        return [...Array.from(model.lines(file, -1), ([line, group]) => told(line, group, p => line_of[p] === line)),
            ...Array.from(page.source_expressions(model, file), ([p, group]) =>
                told(line_of[p] + ':' + column_of[p], group, its => its === p))];
    })''')


def wrong_below(lines, stacks):
    """What cannot be: a line has more than all; a line's copies together have its own samples, and one alone has all
    of it; none has more than the line, nor a function called there more than the function. So have expressions."""
    for line in lines:
        if line['stack'] > line['total']:
            yield 'more than all', line
        if sum(cur for cur, _ in line['copies']) != line['cur']:
            yield 'copies', line
        if len(line['copies']) == 1 and line['copies'][0][1] != line['stack']:
            yield 'the only copy', line
        if any(stack > line['stack'] for _, stack in line['copies']):
            yield 'a copy', line
        if any(stack > min(line['stack'], stacks.get(name, line['stack'])) for name, stack in line['callees']):
            yield 'a function called', line


def folded():
    run = subprocess.run([mlprof, '-folded', '-'] + arguments, capture_output=True, text=True, check=True)
    return sorted(run.stdout.splitlines())


with window() as browser:
    browser.open(page)
    kinds = browser.texts('button[data-of]')
    if not kinds or kinds[0] != 'functions':
        sys.exit('the page has no table of functions, but of %s' % kinds)
    for of, by in OF.items():
        command = [mlprof, '-csv', '-'] + (['-by'] + by if by else []) + arguments
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode or not run.stdout.count('\n') > 1:
            if of in kinds and rows_of_page(browser, of):
                sys.exit('mlprof tells no %s, the page does: %s' % (of, run.stderr))
            continue
        theirs, ours = list(csv.DictReader(io.StringIO(run.stdout))), rows_of_page(browser, of)
        figures, total = 0, sum(int(amount(row, '') or 0) for row in theirs)
        if len(theirs) != len(ours):
            failed = 1
            print('%s: %d rows of mlprof, %d of the page' % (of, len(theirs), len(ours)))
        for number, (their, our) in enumerate(zip(theirs, ours)):
            name = their.get('function') or their.get('name')
            wrong = [] if our[of] == name else [(of, name, our[of])]
            for head, figure in expected(their, total).items():
                if figure is None or head not in our:
                    continue
                figures += 1
                if our[head] != figure:
                    wrong.append((head, figure, our[head]))
            for head, figure, there in wrong:
                failed = 1
                print('%s, row %d, %s: %s is %s for mlprof, %s on the page' % (of, number, name, head, figure, there))
        wrong = added_up(browser, of) if of != 'functions' else []
        if wrong:
            failed = 1
            print('%s: samples of the nodes add up to others than mlprof has: %s' % (of, wrong))
        ours, theirs = marks_of_page(browser, of), marks_of_mlprof(['-by'] + by if by else [])
        if theirs != ours[:len(theirs)]:
            failed = 1
            print('%s: shares and marks are %s, for mlprof %s' % (of, ours, theirs))
        print('%s: %d rows, %d figures, %d marks' % (of, len(ours), figures, sum(mark[0] == '~' for mark in ours)))
    for metric, column in ('bytes', 'bytes'), ('blocks', 'allocations'):
        ours = lines_of(browser, metric)
        if not ours:
            continue
        run = subprocess.run([mlprof, '-csv', '-', '-by', 'line'] + arguments, capture_output=True, text=True, check=True)
        want = {}
        for row in csv.DictReader(io.StringIO(run.stdout)):
            place = row['place'].rsplit('/', 1)[-1].replace(': ', ':')
            want[place] = want.get(place, 0) + int(row[column] or 0)
        want = {place: value for place, value in want.items() if value}
        if ours != want:
            failed = 1
            print('the source coloured by %s: %s, not %s' % (metric, ours, want))
        print('the source coloured by %s: %d lines' % (metric, len(ours)))
    lines = below_source(browser)
    run = subprocess.run([mlprof, '-csv', '-'] + arguments, capture_output=True, text=True, check=True)
    stacks = {}
    for row in csv.DictReader(io.StringIO(run.stdout)):
        if amount(row, 'stack_'):
            stacks[row['function']] = stacks.get(row['function'], 0) + int(amount(row, 'stack_'))
    for what, line in wrong_below(lines, stacks):
        failed = 1
        print('below the source: %s of %s' % (what, line))
    print('below the source: %d lines and expressions, %d copies, %d functions called' %
          (len(lines), sum(len(line['copies']) for line in lines), sum(len(line['callees']) for line in lines)))
    # Where calls are all that was counted, mlprof writes them as stacks of one function, and the page has none.
    if browser.evaluate('"flame" in page.views'):
        ours, theirs = sorted(browser.evaluate('page.folded_text(page.profile())').splitlines()), folded()
        if ours != theirs:
            failed = 1
            print('stacks of the page alone: %s\nof mlprof alone: %s' %
                  (sorted(set(ours) - set(theirs))[:5], sorted(set(theirs) - set(ours))[:5]))
        print('stacks: %d' % len(ours))
    ours, theirs = arcs_of_page(browser), arcs_of_mlprof()
    if ours != theirs:
        failed = 1
        print('arcs of the page alone: %s\nof mlprof alone: %s' %
              (sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))))
    print('arcs: %d' % len(ours))
    for complaint in browser.complaints():
        failed = 1
        print('the browser complains: ' + complaint)
sys.exit(failed)
