# SPDX-License-Identifier: GPL-3.0-or-later
"""The source of the ray tracer: its lines, expressions and metrics."""

import json
import re
import sys

from changes import strength
from check import equal, percent
from run import lines_of

SHOWN = 'pre.source [data-line]'


def lines_told(ray, function):
    """mlprof's rows of lines of the file of a function, by number."""
    file = ray.table()[function]['file']
    return {row['place'].rsplit(': ', 1)[1]: row for row in ray.rows('-by', 'line')
            if row['file'] == file and row['place'].startswith(file + ': ')}


def look_at_lines(browser, ray):
    browser.open(ray.page)
    first = browser.texts('#summary tr[data-at] td.name')[0]
    browser.click('#summary tr[data-at]')
    equal('the view behind a row', browser.state('view'), 'source')
    lines = lines_told(ray, first)
    line = look_at_hottest(browser, {int(n): int(row['samples']) for n, row in lines.items()})
    equal('the line that is marked', browser.texts('.here .number'), [str(line)])
    text = lines_of(ray.table()[first]['file'])
    equal('its text', browser.texts('.here .text'), [text[line - 1]])
    # Only lines in view are there: all of them are seen on the way to the end.
    shown = {}
    browser.evaluate('document.querySelector(".top").scrollTop = 0')
    while True:
        browser.wait_frame()
        shown.update(browser.each(SHOWN, "[e.dataset.line, e.querySelector('.cost').textContent]"))
        if browser.evaluate('''(function (top, was) {
            top.scrollTop += top.clientHeight;
            return top.scrollTop === was;
        })(document.querySelector('.top'), document.querySelector('.top').scrollTop)'''):
            break
    tops = browser.each(SHOWN, 'e.getBoundingClientRect().top')
    equal('height of a line', tops[1] - tops[0], 20)
    equal('lines seen', sorted(map(int, shown)), list(range(1, len(text) + 1)))
    equal('lines with samples', {n: cost for n, cost in shown.items() if cost},
          {n: percent(row['share']) for n, row in lines.items() if int(row['samples'])})
    look_at_filter(browser, text)
    look_at_expressions(browser)


def look_at_hottest(browser, samples):
    """A function opens at its hottest line, which is returned; m goes to the next of the file. SAMPLES are by line."""
    own = dict(browser.of_model('''
        const {nodes, positions} = data, sums = new Map();
        for (let i = 0; i < model.size; i++) {
            const line = positions.line[nodes.position[i]];
            if (model.function_of(i) === Number(page.state.f)) sums.set(line, (sums.get(line) || 0) + model.counts[i]);
        }
        return Array.from(sums);'''))
    first = int(browser.state('line'))
    equal('its hottest line', [own[first], first in samples], [max(own.values()), True])
    hottest = sorted((n for n in samples if samples[n]), key=lambda n: (-samples[n], n))

    def go_to(line):
        browser.evaluate('page.go({line: %d}, true)' % line)
    go_to(0)
    for key, line in zip('mmmM', hottest[:3] + hottest[1:2]):
        browser.key(key)
        equal(key, browser.state('line'), str(line))
    go_to(hottest[-1])
    browser.key('m')
    equal('behind the last the first', browser.state('line'), str(hottest[0]))
    bars = dict(browser.each(SHOWN, '''[Number(e.dataset.line),
        parseFloat((/[\\d.]+%/.exec(e.querySelector('.gauge').style.backgroundSize) || ['0'])[0])]'''))
    equal('some lines have bars', sum(value > 0 for value in bars.values()) > 3, True)
    equal('bars that are not as long as shares', {n: value for n, value in bars.items() if abs(
        value - 100 * samples.get(n, 0) / samples[hottest[0]]) > 0.01}, {})
    go_to(first)
    return first


def look_at_filter(browser, text):
    """n and N go to the lines that the filter finds."""
    browser.key('/')
    browser.type('return')
    browser.key('Enter')
    found = [i for i, line in enumerate(text, 1) if 'return' in line.lower()]
    browser.evaluate('page.go({line: "%d"}, true)' % found[0])
    for key, line in ('n', found[1]), ('N', found[0]), ('N', found[-1]):
        browser.key(key)
        equal(key + ' in what is found', browser.state('line'), str(line))
    browser.key('/')
    browser.key('Escape')
    equal('no filter', browser.state('search'), '')


def look_at_expressions(browser):
    """A click on an expression shows its copies."""
    of_file = 'model.expressions(Number(page.state.file))'
    # One that is not all covered by what is in it, and has a column.
    for most in browser.of_model('Array.from(%s).sort((a, b) => b[1].cur - a[1].cur).map(e => e[0])' % of_file):
        browser.evaluate('page.go({line: page.profile().data.positions.line[%d]})' % most)
        if browser.texts('span.e[data-position="%d"]' % most):
            break
    browser.click('span.e[data-position="%d"]' % most)
    equal('the expression that was clicked', browser.state('position'), str(most))
    equal('rows of copies', browser.count('#copies tr'),
          browser.of_model('page.expression_copies(model, %s.get(%d)).length' % (of_file, most)))
    equal('the expression that is marked', browser.count('span.chosen') > 0, True)


def look_at_metrics(browser, ray, missing):
    """The source by other metrics, and of one copy alone; MISSING is a page whose source is gone."""
    browser.open(ray.page)
    browser.open(ray.page, '#view=source&by=each&f=' + browser.number('box_hit'))
    lines = lines_told(ray, 'box_hit')
    counts = browser.each(SHOWN, "[e.dataset.line, e.querySelectorAll('.count')[1].textContent]")
    shown = {line: told for line, told in counts if told}
    equal('some lines have the time of one execution', len(shown) > 5, True)
    for number, told in shown.items():
        value, unit = re.match(r'([\d.]+)([a-z]+)$', told).groups()
        seconds = float(value) * {'s': 1, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9}[unit]
        want = int(lines[number]['time_ns']) / 1e9 / int(lines[number]['executions'])
        if abs(seconds - want) > max(0.01 * want, 0.006e-9):
            sys.exit('line %s takes %s, not %g s' % (number, told, want))
    # The line of box_slab with most: one of its copies.
    line = max((n for n in lines if n in shown), key=lambda n: int(lines[n]['samples']))
    browser.click('pre.source [data-line="%s"] .number' % line)
    copy, amount = browser.each('#copies tr', '[e.dataset.copy, e.cells[1].textContent]')[0]
    shown = [text.split(' of ') for text in browser.texts('#copies td:first-child')]
    browser.key('a')
    equal('copies, as many as beside the source', {int(number) for _, number in shown}, {browser.count('#assembly h3')})
    browser.key('a')
    browser.click('#copies tr:first-child')
    equal('the copy', browser.state('copy'), copy)
    equal('what it alone has on the line', browser.texts('.here .cost')[0], amount)
    browser.click('#only button')
    equal('all copies', browser.texts('.here .cost')[0], percent(lines[line]['share']))
    browser.open(missing, '#view=source')
    told = browser.texts('pre.source .empty')[0]
    equal('where a missing file was looked for', [word in told for word in ('/gone.c, ', 'elsewhere/gone.c;')],
          [True, True])


def look_at_shades(browser, ray):
    """Expressions are as dark as their times."""
    browser.open(ray.page)
    file = ray.table()[browser.texts('#summary tr[data-at] td.name')[0]]['file']
    browser.click('#summary tr[data-at]')
    times = {row['place'].rsplit(': ', 1)[1]: int(row['samples']) for row in ray.rows('-by', 'expression')
             if row['place'].startswith(file + ': ')}
    seen = browser.of_model('''
        const at = data.positions, shown = [];
        for (const [p] of model.expressions(Number(page.state.file))) {
            const span = document.querySelector('span.e[data-position="' + p + '"]');
            const start = at.start_line[p] + ':' + at.start_column[p], end = at.end_line[p] + ':' + at.end_column[p];
            if (span && at.column[p])
                shown.push([start === end ? start : start + '-' + end, span.style.backgroundColor]);
        }
        return shown;''')
    # What source.js does of the share of the greatest.
    shades = {place: 0.06 + 0.55 * times[place] / max(times.values()) if times.get(place) else 0 for place, _ in seen}
    equal('some are coloured', sum(shade > 0 for shade in shades.values()) > 5, True)
    equal('expressions with another shade', [(place, colour, shades[place]) for place, colour in seen
                                             if abs(strength(colour) - shades[place]) > 0.01], [])


def look_at_executed(browser, ray):
    """What was executed is coloured by expressions, those without samples, too."""
    browser.open(ray.page)
    browser.open(ray.page, '#view=source&by=count&f=' + browser.number('box_hit'))
    rows = browser.each(SHOWN, '''[e.querySelectorAll('.count')[0].textContent, e.style.backgroundColor !== '',
        Array.from(e.querySelectorAll('span.e'), part => part.style.backgroundColor !== '')]''')
    executed = [row for row in rows if row[0] not in ('', '0')]
    equal('lines that were executed', len(executed) > 10, True)
    equal('whole lines that are coloured', [row for row in rows if row[1]], [])
    equal('expressions that were', {coloured for row in executed for coloured in row[2]}, {True})
    # By its line and column, what the table of expressions has.
    told = browser.of_model('''
        const file = Number(page.state.file) < 0 ? data.functions.file[Number(page.state.f)] : Number(page.state.file);
        const at = data.groups.expressions, p = data.positions;
        const ours = new Map(Array.from(model.executed(file), ([i, count]) => [p.line[i] + ':' + p.column[i], count]));
        return at.calls.map((calls, r) => [at.file[r], at.line[r] + ':' + at.column[r], calls])
            .filter(row => row[0] === file && row[2] >= 0).map(row => [ours.get(row[1]), row[2]]);''')
    equal('some expressions are in the table', len(told) > 5, True)
    equal('counts that differ from the table', [row for row in told if row[0] != row[1]], [])


def look_at_words(browser, ray):
    """What stands in the source of lines and expressions, in their tables."""
    for of, by in ('lines', 'line'), ('expressions', 'expression'):
        browser.open(ray.page, '#of=' + of)
        ours = browser.of_model('''const column = page.summary_columns(model, %r).find(c => c.words);
            return data.groups[%r].name.map((_, r) => column.text(r));''' % (of, of))
        seen = 0
        for our, row in zip(ours, ray.rows('-by', by)):
            # A line, or an expression with a word in it that ends in its line.
            place = re.fullmatch(r'(.*): (\d+)(?::(\d+)-\2:(\d+))?', row['place'])
            if not place:
                continue
            line = lines_of(place[1])[int(place[2]) - 1]
            part = line[int(place[3]) - 1:int(place[4])] if place[3] else line
            if place[3] and not re.search(r'\w\w', part):
                continue
            seen += 1
            equal('the source of ' + row['place'], our, part.strip())
        equal('%s whose source is shown' % of, seen > 10, True)
        equal('a column of its own', any(browser.texts('#summary td.words')), True)


def look_at_ends(browser, ray):
    """An expression of two lines, from `a' to the macro's name: its second line begins at its first word. Without a
    column, or on more lines than an expression has, nothing is marked."""
    browser.open(ray.page)
    equal('an expression in two lines', browser.evaluate('''(function () {
        const data = {positions: %s};
        const found = page.places_ranges({data: data}, new Map([[0], [1], [2]]), ['x = a +', '    NAME;']);
        return Array.from(found).flatMap(([line, parts]) => parts.map(p => [p.position, line, p.start, p.end]));
    })()''' % json.dumps({'line': [1, 1, 1], 'column': [5, 0, 5], 'start_line': [1, 0, 1], 'start_column': [5, 0, 5],
                          'end_line': [2, 0, 1002], 'end_column': [5, 0, 5]})),
          [[0, 1, 4, 7], [0, 2, 4, 8]])
