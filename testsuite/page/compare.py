# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether pages of comparisons say what mlprof's data do, and show the figures of Waddell and Ashley's
paper: compare.py SOURCES, in the folder of the test page-compare."""

import csv
import io
import json
import math
import os
import re
import sys

from browser import window
from contrast import try_contrast
from looks import equal, heads_told

sources = sys.argv[1]
failed = 0


def complain(*words):
    global failed
    failed = 1
    print(*words)


def data(name):
    with open(name, encoding='utf-8') as file:
        return list(csv.DictReader(io.StringIO(file.read())))


def number(text):
    return None if text in ('', None) else float(text)


def rows_of_page(browser, of, what):
    """The rows of a table as the page shows them, in mlprof's order."""
    text = browser.evaluate('''(function () {
        const data = page.profile().data, of = %r;
        const columns = of === 'growth' ? page.growth_columns(data, %r) : page.compare_columns(data, %r);
        return page.csv_text(columns, data[of][%r].row.map((_, i) => i));
    })()''' % (of, what, what, what))
    return list(csv.DictReader(io.StringIO(text)))


def plain(value, digits):
    """A value in seconds with so many digits, or a count."""
    if value is None:
        return '-'
    if digits is not None:
        return '%.*f s' % (digits, value)
    return '{:,}'.format(int(value)) if value == int(value) else '%.1f' % value


def signed(value, digits):
    text = plain(abs(value), digits)
    return ('-' if value < 0 else '+') + text if re.search('[1-9]', text) else text


def chance(row):
    if row['exact'] in ('1', 'true'):
        return 'exact'
    value = number(row['chance'])
    return '-' if value is None else '<0.001' if value < 0.001 else '%.3f' % value


def check_rows(what, ours, theirs, expected):
    equal('rows of ' + what, len(ours), len(theirs))
    figures = 0
    for row, their in zip(ours, theirs):
        for head, figure in expected(their).items():
            if head not in row:
                continue
            figures += 1
            if row[head] != figure:
                complain('%s, %s, %s: %s is %s for mlprof, %s on the page' %
                         (what, their['function'], head, head, figure, row[head]))
    print('%d figures of %s' % (figures, what))


def check_changes(browser, name, digits=None):
    def expected(row):
        change = number(row['change'])
        told = {'functions': row['function'], 'before': plain(number(row['before']), digits),
                'after': plain(number(row['after']), digits), 'change': signed(change, digits),
                "row's 95%": '%s to %s' % (signed(number(row['change_least']), digits),
                                           signed(number(row['change_most']), digits)), 'by chance': chance(row)}
        if row['value']:
            told['value'] = '{:,}'.format(int(float(row['value'])))
        return told
    theirs = data(name + '.csv')
    heads_told(browser)
    if any(row['exact'] not in ('1', 'true') for row in theirs):
        equal('what a row says of itself alone', [', of this row alone' in tip for tip in browser.evaluate(
            "Array.from(document.querySelectorAll('#changes-of th'), e => e.title)") if 'chance alone' in tip or '19 times' in tip], [True, True])
        equal('which it is', ["row's 95%" in browser.texts('#changes-of th'), 'the row alone' in browser.texts('.bar-of .faint')[0]], [True, True])
    # Names that are cut are cut in the middle, of functions and of lines alike.
    equal('names', {name for name in browser.evaluate("Array.from(document.querySelectorAll('#changes-of tr[data-at] td.name'), e => e.className)")},
          {'name function middle'})
    check_rows(name, rows_of_page(browser, 'compare', 'functions'), theirs, expected)
    # Which are certain, and which way they went, is seen without colours.
    signs = [text[0] for text in browser.texts('#changes-of tr[data-at] td:nth-child(3)')]
    certain = ['·' if row['certain'] not in ('1', 'true') or not float(row['change']) else '▲' if float(row['change']) > 0 else '▼'
               for row in theirs]
    equal('signs of ' + name, ''.join(signs), ''.join(certain[:len(signs)]))
    grey = browser.evaluate('''Array.from(document.querySelectorAll('#changes-of tr[data-at] td:nth-child(3)'),
        cell => cell.style.backgroundColor.startsWith('rgba(128, 128, 136'))''')
    equal('which are grey', grey == [sign == '·' for sign in certain[:len(grey)]], True)


def by_line(browser, of):
    """The rows of lines: what they are before and after, by file and line."""
    table = browser.evaluate('page.profile().data.%s.lines' % of)
    places = browser.evaluate('page.profile().data.%s.lines.place.map(i => page.profile().data.texts[i])' % of)
    return {place: tuple(row) for place, *row in zip(places, table['before'], table['after'])}


def background(browser):
    """By line of the source its colour and what the margin says."""
    return dict(browser.evaluate('''Array.from(document.querySelectorAll('pre.source div[data-line]'),
        e => [Number(e.dataset.line), [e.style.backgroundColor, e.querySelector('.count').textContent]])'''))


def try_known(browser):
    browser.open('known.html')
    check_changes(browser, 'known', 2)
    cells = browser.texts('#changes-of tr[data-at="0"] td')
    equal('the first row', cells[:7], ['2.00 s', '3.00 s', '▲ +1.00 s', '+50.0%', '+0.62 s to +1.38 s', '<0.001', 'sq'])
    equal('the heading', browser.texts('#sides')[0].split('\n'), [
        'before  prog, 1 run, 10.00 s', 'after   prog, 1 run, 11.00 s', 'change  ▲ +1.00 s (+10.0%)'])
    equal('a relative path', browser.evaluate("page.compare_named({texts: ['src/x/a.c: 3']}, 'functions', {name: [0], place: [0]})[1].text(0)"), 'a.c:3')
    equal('the title', browser.evaluate('document.title'), 'prog: 1 run compared with 1 run before')


def line_of(name, text):
    with open(os.path.join(sources, name), encoding='utf-8') as file:
        return next(i for i, line in enumerate(file.read().split('\n'), 1) if text in line)


def try_figure_2(browser):
    browser.open('fib.html')
    check_changes(browser, 'fib')
    # fib(n) makes 2 F(n+1) - 1 calls and is called twice; the body of the loop is executed n times.
    rows = {row['functions']: row for row in rows_of_page(browser, 'compare', 'functions')}
    equal('fib', [rows['fib'][head] for head in ('before', 'after', 'value')],
          ['354', '43,782', '{:,}'.format(2 * (2 * 10946 - 1) - 2 * 2 * (2 * 89 - 1))])
    equal('the loop', [rows['step'][head] for head in ('before', 'after', 'value')], ['10', '20', '0'])
    lines = {}
    for side, n in enumerate((10, 20)):
        for row in data('lines.%d' % n):
            if row['executions']:
                lines.setdefault(row['place'], [0, 0])[side] = int(row['executions'])
    want = {place: tuple(row) for place, row in lines.items() if any(row)}
    equal('lines', by_line(browser, 'compare') == want, True)
    browser.click('button[data-what=lines]')
    most = browser.texts('#changes-of tr[data-at] td.place')[:2]
    equal('lines by the value', sorted(most), sorted('fib.c:%d' % line_of('fib.c', text)
                                                     for text in ('long fib(unsigned n)', 'return n < 2')))
    browser.click('#changes-of tr[data-at]')
    equal('gone to the source by', browser.evaluate('page.state.by'), 'value')
    shown = background(browser)
    recursive, body = line_of('fib.c', 'return n < 2'), line_of('fib.c', 'now = step')
    equal('the recursive one', shown[recursive][1], '43,074')
    alpha = float(shown[recursive][0].rstrip(')').split(',')[-1])
    equal('is coloured', alpha > 0.5, True)
    # "Note that the iterative function is not colored in this view."
    equal('the body of the loop', shown[body], ['', '0'])
    for line in range(line_of('fib.c', 'long step'), line_of('fib.c', 'int main')):
        colour = shown[line][0]
        if colour and float(colour.rstrip(')').split(',')[-1]) > 0.02:
            sys.exit('line %d of the iterative functions is coloured: %s' % (line, colour))
    # By the change the loop has its colour, and a sign.
    browser.evaluate('page.go({by: "change"})')
    equal('the body of the loop by its change', background(browser)[body][1], '▲ +100.0%')


def try_builds(browser):
    browser.open('builds.html')
    check_changes(browser, 'builds')
    equal('no lines of two builds', browser.texts('button[data-what]'), ['functions'])
    browser.click('#changes-of tr[data-at]')
    shown = background(browser)
    equal('coloured by the function', shown[line_of('fib.c', 'return n < 2')][0] != '', True)
    equal('told at its beginning', shown[line_of('fib.c', 'long fib(unsigned n)')][1].startswith('▲ x12'), True)


def check_growth(browser, name):
    theirs, sizes = data(name + '.csv'), []
    for row in theirs:
        if row['size'] not in sizes:
            sizes.append(row['size'])
    rows = [theirs[i:i + len(sizes)] for i in range(0, len(theirs), len(sizes))]
    for row in rows:
        row[0]['values'] = [float(point['value']) for point in row]

    def two(text):
        value = number(text)
        return '-' if value is None else '%.2f' % (0 if abs(value) < 0.005 else value)

    def expected(row):
        told = {'functions': row['function'], 'exponent': two(row['exponent']), '+-': two(row['exponent_error']),
                'last': two(row['exponent_last'])}
        for size, value in zip(sizes, row['values']):
            told['n=%g' % float(size)] = plain(value, None)
        return told
    check_rows(name, rows_of_page(browser, 'growth', 'functions'), [row[0] for row in rows], expected)


def fitted(points):
    """The line of least squares through logarithms, each with its weight: its exponent, and its value at a size.  POINTS are
    (size, value, error of the logarithm)."""
    points = [(math.log(n), math.log(value), 1 / max(error ** 2, 1e-18)) for n, value, error in points if value > 0]
    weight = sum(w for _, _, w in points)
    x, y = (sum(point[k] * point[2] for point in points) / weight for k in (0, 1))
    exponent = sum(w * (a - x) * (b - y) for a, b, w in points) / sum(w * (a - x) ** 2 for a, _, w in points)
    return exponent, lambda n: math.exp(y + exponent * (math.log(n) - x))


def check_plot(browser, name, function, rate=None):
    """The picture of a function, and the table below it, against mlprof's data: counts, or seconds sampled at RATE in one
    run a size."""
    theirs = [row for row in data(name + '.csv') if row['function'] == function]
    totals = {}
    for row in data(name + '.csv'):
        totals[row['size']] = totals.get(row['size'], 0) + float(row['value'])
    points = []
    for row in theirs:
        value, error = float(row['value']), 0
        if rate and value:
            samples = value * rate
            error = math.sqrt(max(1 - value / totals[row['size']], 1 / (samples + 1)) / samples)
        points.append((float(row['size']), value, error))
    exponent, line = fitted(points)
    if abs(exponent - float(theirs[0]['exponent'])) > 1e-6:
        complain('%s grows as n^%f, not n^%s' % (function, exponent, theirs[0]['exponent']))
    at = browser.evaluate('page.profile().data.growth.functions.name.findIndex(n => page.profile().data.texts[n] === %s)' % json.dumps(function))
    browser.evaluate('page.go({what: "functions", row: %d})' % at)
    digits = 4 if rate else None
    say = lambda value: plain(value, 4) if rate else '{:,}'.format(float('%.4g' % value)).removesuffix('.0')
    want = [['{:,}'.format(int(n)), plain(value, digits), '-' if not value else
             '%s to %s' % (plain(value * math.exp(-1.96 * e), digits), plain(value * math.exp(1.96 * e), digits)) if e else 'exact', say(line(n))]
            for n, value, e in points]
    equal('points of ' + function, browser.evaluate("Array.from(document.querySelectorAll('#points tbody tr'), row => Array.from(row.cells, c => c.textContent))"), want)
    # In the picture: logarithms at distances in proportion.
    points = [point for point in points if point[1]]
    shown = browser.evaluate('Array.from(document.querySelectorAll("#plot circle"), c => [+c.getAttribute("cx"), +c.getAttribute("cy")])')
    equal('how many are drawn', len(shown), len(points))
    (x0, y0), (x1, y1) = shown[0], shown[-1]
    ends = browser.evaluate('''["x1", "y1", "x2", "y2"].map(n => Number(document.querySelector("#plot .fit").getAttribute(n)))''')
    drawn = browser.evaluate('''Array.from(document.querySelectorAll("#plot .error")).filter(e => e.getAttribute("x1") === e.getAttribute("x2"))
        .map(e => [+e.getAttribute("y1"), +e.getAttribute("y2")])''')
    log = math.log
    across = lambda n: x0 + (x1 - x0) * (log(n) - log(points[0][0])) / (log(points[-1][0]) - log(points[0][0]))
    up = lambda value: y0 + (y1 - y0) * (log(value) - log(points[0][1])) / (log(points[-1][1]) - log(points[0][1]))
    wanted = [(across(n), up(value)) for n, value, _ in points]
    near = lambda ours, theirs: len(ours) == len(theirs) and all(abs(a - b) < 0.1 for one, other in zip(ours, theirs) for a, b in zip(one, other))
    if not near(shown, wanted):
        complain('points are at %s, not %s' % (shown, wanted))
    if not near([ends[:2], ends[2:]], [(across(n), up(line(n))) for n in (points[0][0], points[-1][0])]):
        complain('the line goes along %s' % ends)
    if not near(drawn, [(up(value * math.exp(-1.96 * e)), up(value * math.exp(1.96 * e))) for _, value, e in points if e]):
        complain('intervals are at %s' % drawn)
    equal('its title', browser.texts('#plot .title')[0].split(' \u00b1')[0].split(' ~ ')[1], 'n^%.2f' % exponent)


def try_growth(browser):
    browser.open('queens.html')
    check_growth(browser, 'queens')
    heads_told(browser)
    check_plot(browser, 'queens', 'place')
    browser.open('sampled.html')
    check_plot(browser, 'sampled', 'box_slab', 2000)
    browser.open('growth.html')
    check_growth(browser, 'growth')
    rows = {row['functions']: row['exponent'] for row in rows_of_page(browser, 'growth', 'functions')}
    equal('exponents', [rows[name] for name in ('quadratic', 'linear', 'constant')], ['2.00', '1.00', '0.00'])
    at = browser.evaluate('page.profile().data.growth.functions.name.findIndex(n => page.profile().data.texts[n] === "quadratic")')
    browser.click('#changes-of tr[data-at="%d"]' % at)
    check_plot(browser, 'growth', 'quadratic')
    browser.click('button[data-what=lines]')
    lines = {row['place']: row for row in rows_of_page(browser, 'growth', 'lines')}
    inner = lines['grow.c:%d' % line_of('grow.c', '            quadratic();')]
    equal('the line of n^2', [inner[head] for head in ('exponent', 'n=4', 'n=8', 'n=16')], ['2.00', '16', '64', '256'])
    at = browser.evaluate('''page.profile().data.growth.lines.place.findIndex(p => page.profile().data.texts[p].endsWith("grow.c: %d"))'''
                          % line_of('grow.c', '            quadratic();'))
    browser.click('#changes-of tr[data-at="%d"]' % at)
    browser.click('#open')
    shown = background(browser)
    equal('in its source', shown[line_of('grow.c', '            quadratic();')][1], 'n^2.00')


def check_tree(browser, folded, paths):
    """The differential tree, opened as it is at first: what each line has on both sides, by stack."""
    browser.key('e')
    of = browser.evaluate('page.profile().data.compare.stacks')
    change = lambda path: folded[1].get(path, 0) - folded[0].get(path, 0)
    rows = browser.evaluate('''Array.from(document.querySelectorAll('#tree tr[data-at]'), row => [Number(row.dataset.at), row.ariaExpanded,
        row.cells[2].style.backgroundColor.startsWith('rgba(128, 128, 136'), ...Array.from(row.cells, c => c.textContent)])''')
    # Names that are cut are cut in the middle.
    equal('names of the tree', set(browser.evaluate("Array.from(document.querySelectorAll('#tree tr[data-at] td:last-child'), e => e.className)")), {'tree function middle'})
    tips = dict(browser.evaluate("Array.from(document.querySelectorAll('#tree tr[data-at]'), row => [Number(row.dataset.at), row.lastChild.title])"))
    for at, _, grey, *cells in rows:
        # What they are of FOLDED was compared before.
        before, after = (of[side][at] or 0 for side in ('before', 'after'))
        certain = of['certain'][at] and before != after
        sign = '\u00b7' if not certain else '\u25b2' if after > before else '\u25bc'
        want = [plain(before, 4), plain(after, 4), sign + ' ' + signed(after - before, 4), '%s to %s' % (signed(of['least'][at], 4), signed(of['most'][at], 4))]
        if cells[:3] + [cells[4]] != want or tips[at] != paths[at][-1] or grey == bool(certain):
            complain('%s: %s, not %s' % (';'.join(paths[at]), cells, want))
    # Beside each other those that changed most come first; of these the first is open.
    above = {}
    for at, *_ in rows:
        above.setdefault(paths[at][:-1], []).append(at)
    for beside in above.values():
        sizes = [abs(change(paths[at])) for at in beside]
        if sizes != sorted(sizes, reverse=True):
            complain('not by their change: %s' % sizes)
    opened = [at for at, expanded, *_ in rows if expanded == 'true']
    equal('the way that is open', [above[paths[at][:-1]][0] == at for at in opened], [True] * len(opened))
    equal('it leads somewhere', len(opened) > 2, True)
    browser.key('ArrowDown')
    browser.key('ArrowLeft')
    equal('closed by a key', len(browser.texts('#tree tr[data-at]')) < len(rows), True)
    browser.key('ArrowRight')
    equal('opened again', len(browser.texts('#tree tr[data-at]')), len(rows))


def try_stacks(browser, page, runs):
    browser.open(page + '.html')
    check_changes(browser, page, 4)
    samples = {}
    for side, name in enumerate(('few', 'many')):
        for row in sum((data('%s.%d.lines' % (name, run)) for run in runs), []):
            # What has no line has the name of what it is in.
            if int(row['samples']):
                samples.setdefault(row['place'] or row['name'], [0, 0])[side] += int(row['samples'])
    ours = by_line(browser, 'compare')
    equal('lines with samples', sorted(ours), sorted(samples))
    for place, row in ours.items():
        for value, count in zip(row, samples[place]):
            if abs((value or 0) * len(runs) * 2000 - count) > 0.001:
                complain('%s has %r s, not %d samples' % (place, value, count))
    folded = [{}, {}]
    for side, name in enumerate(('few', 'many')):
        for row in ''.join(open('%s.%d.folded' % (name, run), encoding='utf-8').read() for run in runs).splitlines():
            stack, count = row.rsplit(' ', 1)
            names = tuple(stack.split(';'))
            for depth in range(len(names) + 1):
                folded[side][names[:depth]] = folded[side].get(names[:depth], 0) + int(count)
    browser.key('d')
    tree = browser.evaluate('page.profile().data.compare.stacks')
    names = browser.evaluate('page.profile().data.compare.matched.name.map(n => page.profile().data.texts[n])')
    paths = []
    for at, parent in enumerate(tree['parent']):
        paths.append(paths[parent] + (names[tree['function'][at]],) if at else ())
        for side, values in enumerate(('before', 'after')):
            if abs((tree[values][at] or 0) * len(runs) * 2000 - folded[side].get(paths[at], 0)) > 0.001:
                complain('%s has %r s %s, and %d samples' % (';'.join(paths[at]), tree[values][at], values,
                                                            folded[side].get(paths[at], 0)))
    totals = [sum(n for path, n in folded[side].items() if len(path) == 1) for side in (0, 1)]
    want = {path for side in (0, 1) for path, n in folded[side].items() if n >= 0.00101 * totals[side]}
    equal('stacks of at least 0.1 %', want - set(paths), set())
    # All is tested as the stacks are: where one function has all, both are certain, or neither is.
    equal('the root', [tree['parent'][0], tree['function'][0]], [-1, -1])
    for at, parent in enumerate(tree['parent']):
        if at and not parent and [tree[side][at] for side in ('before', 'after')] == [tree[side][0] for side in ('before', 'after')]:
            equal('all, and the function that has all', [tree[of][at] for of in ('certain', 'chance', 'least', 'most')],
                  [tree[of][0] for of in ('certain', 'chance', 'least', 'most')])
    # At first what was removed is seen, too.
    equal('widths of both', [browser.texts('button[data-wide][aria-current]'), browser.evaluate(
        'Array.from(page.difference_widths({parent: [-1, 0, 0, 2], before: [5, 2, 3, 3], after: [4.5, 4, null, null]}, "both"))')],
          [['as wide as the greater'], [7.5, 4, 3, 3]])
    boxes = dict(browser.evaluate('document.querySelector("canvas").boxes.map(b => [b.at, b.width])'))
    room = boxes[0] / browser.evaluate('page.difference_tree(page.profile(), "both").weight[0]')
    equal('what is not seen of both sides', [';'.join(paths[at]) for at in range(len(paths))
                                            if max(tree[side][at] or 0 for side in ('before', 'after')) * room > 0.31 and at not in boxes], [])
    some = 0
    for wide in 'after', 'before':
        browser.click('button[data-wide=%s]' % wide)
        boxes = browser.evaluate('''document.querySelector('canvas').boxes.map(b => [b.at, b.width,
            page.difference_look.colour(page.difference_tree(page.profile(), %r), b.at, false)])''' % wide)
        for at, width, colour in boxes:
            if abs(width - tree[wide][at] / tree[wide][0] * boxes[0][1]) > 0.01:
                complain('%s is %f wide' % (';'.join(paths[at]), width))
            change = (tree['after'][at] or 0) - (tree['before'][at] or 0)
            kind = '#d5d6da' if not tree['certain'][at] or not change else 'hsl(24' if change > 0 else 'hsl(208'
            some += kind != '#d5d6da'
            if not colour.startswith(kind):
                complain('%s is %s' % (';'.join(paths[at]), colour))
    check_tree(browser, folded, paths)
    # Of two runs a side next to nothing may be certain.
    if len(runs) == 1:
        equal('some are coloured', some > 0, True)


def try_single(browser):
    try_stacks(browser, 'single', [1])


def try_double(browser):
    try_stacks(browser, 'double', [1, 2])


def try_merged(browser):
    browser.open('merged.html')
    equal('the title of two files', browser.evaluate('document.title'), 'demo, 2 data files')
    total = sum(int(row['samples']) for row in data('merged.csv'))
    equal('samples of both', browser.evaluate('page.profile().total'), total)
    equal('no views of comparisons', [t for t in browser.texts('nav button') if t in ('Changes', 'Difference', 'Growth')], [])


def try_figure_1(browser):
    browser.open('fft.html')
    functions = {row['function']: row for row in data('fft.csv')}
    turns = 5000
    for name, calls in (('fft', 2 * 1024 - 1), ('split', 1023), ('butterfly', 512 * 10)):
        equal('calls of ' + name, int(functions[name]['calls']), turns * calls)
    rows = browser.evaluate('''Array.from(document.querySelectorAll('#summary tr[data-row]'),
        row => Array.from(row.cells, c => c.textContent))''')
    heads = browser.texts('#summary th')
    most = max(functions.values(), key=lambda row: int(row['samples']))
    first = dict(zip(heads, rows[0]))
    equal('the first row', (first['functions'], first['self'], first['calls']),
          (most['function'], '%.1f%%' % (100 * float(most['share'])), '{:,}'.format(int(most['calls']))))
    # The row opens its source, coloured by its expressions' times.
    browser.click('#summary tr[data-row]')
    ends = min([int(row['line']) for row in functions.values() if int(row['line'] or 0) > int(most['line'])], default=1 << 31)
    sums = {}
    for row in data('fft.expressions'):
        line = int(row['place'].rsplit(': ', 1)[1].split(':')[0]) if ': ' in row['place'] else 0
        if int(most['line']) <= line < ends:
            sums[line] = sums.get(line, 0) + int(row['samples'])
    line, = browser.texts('.here .number')
    equal('its hottest line', sums[int(line)], max(sums.values()))
    times = {}
    for row in data('fft.expressions'):
        if row['place']:
            times[row['place'].rsplit(': ', 1)[1]] = int(row['samples'])
    shades = browser.evaluate('''(function () {
        const file = Number(page.state.file), at = page.profile().data.positions, shown = [];
        for (const [p, group] of page.profile().expressions(file)) {
            const span = document.querySelector('span.e[data-position="' + p + '"]');
            const start = at.start_line[p] + ':' + at.start_column[p], end = at.end_line[p] + ':' + at.end_column[p];
            if (span && at.column[p]) shown.push([start === end ? start : start + '-' + end, span.style.backgroundColor]);
        }
        return shown;
    })()''')
    strong = [(times.get(place, 0), float(shade.rstrip(')').split(',')[-1]) if shade else 0) for place, shade in shades]
    equal('expressions that are seen', len(strong) > 5, True)
    for samples, shade in strong:
        # What source.js does of the share of the greatest.
        want = 0.06 + 0.55 * samples / max(times.values()) if samples else 0
        if abs(shade - want) > 0.01:
            complain('an expression of %d samples has the shade %f, not %f' % (samples, shade, want))
    browser.evaluate('page.go({by: "count"})')
    for text, count in (('even[i] = x[2 * i];', 512 * 10), ('b->re = a->re', 512 * 10), ('split(x, room', 1023), ('if (n == 1)', 2047)):
        cells = browser.texts('pre.source div[data-line="%d"] .count' % line_of('fft.c', text))
        equal(text, cells, ['{:,}'.format(turns * count)])


def nanoseconds(value):
    """As mlprof prints them, a tick being one."""
    if value < 1:
        return '<1.00ns'
    size, name = next((of for of in ((1e9, 's'), (1e6, 'ms'), (1e3, 'us')) if value >= of[0]), (1, 'ns'))
    part = value / size
    return '%.*f%s' % (2 if part < 10 else 1 if part < 100 else 0, part, name)


def check_regions(browser, name):
    """The table against mlprof's data, and the histograms of each row against those of each side."""
    known = lambda text, shown=nanoseconds: '-' if number(text) is None else shown(number(text))
    way = lambda value: ('' if abs(value) < 1 else '-' if value < 0 else '+') + nanoseconds(abs(value))
    buckets = [data('buckets.' + side) for side in ('before', 'after')]
    theirs = data(name + '.csv')
    rows = browser.evaluate("Array.from(document.querySelectorAll('#changes-of tr[data-at]'), row => Array.from(row.cells, c => c.textContent))")
    equal('rows of ' + name, len(rows), len(theirs))
    for at, (row, their) in enumerate(zip(rows, theirs)):
        before, after, change = (number(their[head]) for head in ('before', 'after', 'change'))
        sign = '' if change is None else '\u00b7 ' if their['certain'] not in ('1', 'true') or not change else '\u25b2 ' if change > 0 else '\u25bc '
        equal('the row of ' + their['region'], row, [
            known(their['before']), known(their['after']), 'new' if before is None else 'gone' if after is None else sign + way(change),
            '-' if change is None else '%+.1f%%' % (100 * change / before),
            '-' if not their['change_least'] else way(float(their['change_least'])) + ' to ' + way(float(their['change_most'])),
            '-' if not their['chance'] else '<0.001' if float(their['chance']) < 0.001 else '%.3f' % float(their['chance']), their['region']])
        browser.evaluate('page.go({row: %d})' % at)
        for side, of in zip(('before', 'after'), buckets):
            want = [[float(b['least_ns']), float(b['below_ns']), float(b['calls'])] for b in of if b['region'] == their['region']]
            got = browser.evaluate('(page.profile().data.region_changes.regions_%s[%d] || {buckets: []}).buckets' % (side, at))
            equal('buckets %s' % side, got, want)
            # What is left of nothing is in the next bucket.
            equal('its lines', len(browser.texts('#buckets-%s tbody tr' % side)), sum(b[1] > 0 for b in want))
        # Over the same times, as large as shares: the edges and heights of all bars by hand.
        bars = browser.evaluate("""Array.from(document.querySelectorAll('#histogram .bar'), bar => ['x', 'width', 'height']
            .map(name => Number(bar.getAttribute(name))))""")
        all_of = [[b for b in of if b['region'] == their['region'] and float(b['below_ns']) > 0] for of in buckets]
        start = lambda b: max(float(b['least_ns']), float(b['below_ns']) / 2)
        ends = [start(b) for of in all_of for b in of], [float(b['below_ns']) for of in all_of for b in of]
        x0, x1 = min(ends[0]), max(ends[1])
        x = lambda value: 10 + 356 * math.log(value / x0) / math.log(x1 / x0)
        want = [(x(start(b)), x(float(b['below_ns'])) - x(start(b)), int(b['calls']) / sum(int(c['calls']) for c in of) / math.log(float(b['below_ns']) / start(b)))
                for of in all_of for b in of]
        most = max(height for *_, height in want)
        for bar, (left, width, height) in zip(bars, want):
            near = abs(bar[0] - left) < 0.01 and abs(bar[1] - max(1, width)) < 0.01 and abs(bar[2] - max(1, 162 * height / most)) < 0.01
            if not near:
                complain('a bar of %s is at %s, not at %s' % (their['region'], bar, [left, width, 162 * height / most]))
        equal('bars', len(bars), len(want))


def try_regions(browser):
    browser.open('regions-bare.html')
    equal('what is seen first', browser.evaluate('page.state.view'), 'regions')
    equal('no changes of functions', [t for t in browser.texts('nav button') if t in ('Changes', 'Difference')], [])
    check_regions(browser, 'regions-bare')
    rows = {row['region']: row for row in data('regions-bare.csv')}
    # 1000.5 and 1400.5 ticks, less 20 and, of two calls inside of 1000, 50 each.
    equal('by hand', [round(float(rows['load'][side]), 6) for side in ('before', 'after', 'change')], [980.4, 1380.4, 400.0])
    equal('what is told apart', browser.texts('button[data-regions]'), ['changes', 'regions', 'paths'])
    browser.click('button[data-regions=names]')
    equal('those after', sorted(browser.texts('#changes-of td.name')), ['load', 'new', 'parse'])
    # Beside functions.
    browser.open('regions-old.html')
    equal('changes of functions first', browser.evaluate('page.state.view'), 'compare')
    equal('its rows', sorted(browser.texts('#changes-of td.name')), ['main', 'sq'])
    browser.key('w')
    check_regions(browser, 'regions-old')
    browser.open('paths.html')
    equal('paths', sorted(browser.texts('#changes-of td.name')), ['gone', 'load', 'load > parse', 'new'])


with window() as browser:
    for act in try_regions, try_known, try_figure_2, try_builds, try_growth, try_single, try_double, try_merged, try_figure_1:
        act(browser)
    try_contrast(browser, 'builds.html', '#view=compare', '#view=changetree', '#view=source')
    try_contrast(browser, 'growth.html', '')
    equal('complaints of the browser', browser.complaints(), [])
sys.exit(failed)
