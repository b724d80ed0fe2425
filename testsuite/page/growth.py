# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of runs of several sizes: exponents, their picture and the source, against mlprof's data."""

import json
import math

from changes import CHANGES, colours, data, number, place_of, plain, rows_of_page, same_figures
from check import equal, heads_told, thousands


def look_at_table(browser, name):
    theirs = data(name + '.csv')
    sizes = list(dict.fromkeys(row['size'] for row in theirs))
    rows = [theirs[i:i + len(sizes)] for i in range(0, len(theirs), len(sizes))]
    for row in rows:
        row[0]['values'] = [float(point['value']) for point in row]

    def two(text):
        value = number(text)
        return '-' if value is None else '%.2f' % (0 if abs(value) < 0.005 else value)

    def expected(row):
        return {'functions': row['function'], 'exponent': two(row['exponent']), '+-': two(row['exponent_error']),
                'last': two(row['exponent_last']),
                **{'n=%g' % float(size): plain(value) for size, value in zip(sizes, row['values'])}}
    same_figures(name, rows_of_page(browser, 'growth', 'functions'), [row[0] for row in rows], expected)


def fitted(points):
    """The line of least squares through logarithms, each with its weight: its exponent, and its value at a size.
    POINTS are (size, value, error of the logarithm)."""
    points = [(math.log(n), math.log(value), 1 / max(error ** 2, 1e-18)) for n, value, error in points if value > 0]
    weight = sum(w for _, _, w in points)
    x, y = (sum(point[k] * point[2] for point in points) / weight for k in (0, 1))
    exponent = sum(w * (a - x) * (b - y) for a, b, w in points) / sum(w * (a - x) ** 2 for a, _, w in points)
    return exponent, lambda n: math.exp(y + exponent * (math.log(n) - x))


def points_of(name, function, rate):
    """Size, value and error of the logarithm at each size; the exponent that mlprof tells."""
    rows, totals, points = data(name + '.csv'), {}, []
    for row in rows:
        totals[row['size']] = totals.get(row['size'], 0) + float(row['value'])
    rows = [row for row in rows if row['function'] == function]
    for row in rows:
        value, error = float(row['value']), 0
        if rate and value:
            samples = value * rate
            error = math.sqrt(max(1 - value / totals[row['size']], 1 / (samples + 1)) / samples)
        points.append((float(row['size']), value, error))
    return points, float(rows[0]['exponent'])


def look_at_plot(browser, name, function, rate=None):
    """The picture of a function, and the table below it, against mlprof's data: counts, or seconds sampled at RATE in
    one run a size."""
    points, told = points_of(name, function, rate)
    exponent, line = fitted(points)
    equal('%s grows as n^%f' % (function, exponent), abs(exponent - told) <= 1e-6, True)
    browser.go(what='functions', row=browser.of_model(
        'data.growth.functions.name.findIndex(n => texts[n] === %s)' % json.dumps(function)))
    digits = 4 if rate else None

    def fit_text(value):
        return plain(value, 4) if rate else '{:,}'.format(float('%.4g' % value)).removesuffix('.0')

    def interval(value, error):
        ends = [plain(value * math.exp(sign * 1.96 * error), digits) for sign in (-1, 1)]
        return '-' if not value else ' to '.join(ends) if error else 'exact'
    equal('points of ' + function, browser.cells('#points tbody tr'), [
        [thousands(n), plain(value, digits), interval(value, error), fit_text(line(n))] for n, value, error in points])
    look_at_picture(browser, [point for point in points if point[1]], line)
    equal('its title', browser.texts('#plot .title')[0].split(' \u00b1')[0].split(' ~ ')[1], 'n^%.2f' % exponent)


def look_at_picture(browser, points, line):
    """Logarithms at distances in proportion: points, the line and intervals."""
    def numbers(selector, *names):
        return browser.each('#plot ' + selector,
                            '[%s].map(name => Number(e.getAttribute(name)))' % ', '.join(map(repr, names)))
    shown = numbers('circle', 'cx', 'cy')
    equal('how many are drawn', len(shown), len(points))
    first, last = points[0], points[-1]

    def place(k, value):
        """Where it is between the first point and the last, in pixels."""
        part = math.log(value / first[k]) / math.log(last[k] / first[k])
        return shown[0][k] + (shown[-1][k] - shown[0][k]) * part
    errors = [ends[2:] for ends in numbers('.error', 'x1', 'x2', 'y1', 'y2') if ends[0] == ends[1]]
    for what, ours, theirs in (
            ('points', shown, [[place(0, n), place(1, value)] for n, value, _ in points]),
            ('line', numbers('.fit', 'x1', 'y1', 'x2', 'y2')[:1],
             [[at for n in (first[0], last[0]) for at in (place(0, n), place(1, line(n)))]]),
            ('intervals', errors,
             [[place(1, value * math.exp(sign * 1.96 * e)) for sign in (-1, 1)] for _, value, e in points if e])):
        equal('how many ' + what, len(ours), len(theirs))
        far = [pair for pair in zip(ours, theirs) if any(abs(a - b) >= 0.1 for a, b in zip(*pair))]
        equal('%s that are elsewhere' % what, far, [])


def look(browser):
    browser.open('queens-growth.html')
    look_at_table(browser, 'queens-growth')
    heads_told(browser)
    look_at_plot(browser, 'queens-growth', 'place')
    browser.open('sampled.html')
    look_at_plot(browser, 'sampled', 'box_slab', 2000)
    browser.open('growth.html')
    look_at_table(browser, 'growth')
    rows = {row['functions']: row['exponent'] for row in rows_of_page(browser, 'growth', 'functions')}
    equal('exponents', [rows[name] for name in ('quadratic', 'linear', 'constant')], ['2.00', '1.00', '0.00'])

    def click_row(expression):
        browser.click(CHANGES[:-1] + '="%d"]' % browser.of_model(expression))
    click_row('data.growth.functions.name.findIndex(n => texts[n] === "quadratic")')
    look_at_plot(browser, 'growth', 'quadratic')
    browser.click('button[data-what=lines]')
    line = place_of('grow.c', '            quadratic();')
    row, = (row for row in rows_of_page(browser, 'growth', 'lines') if row['place'] == 'grow.c:%d' % line)
    equal('the line of n^2', [row[head] for head in ('exponent', 'n=4', 'n=8', 'n=16')], ['2.00', '16', '64', '256'])
    click_row('data.growth.lines.place.findIndex(place => texts[place].endsWith("grow.c: %d"))' % line)
    browser.click('#open')
    equal('in its source', colours(browser)[line][1], 'n^2.00')
