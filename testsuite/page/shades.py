# SPDX-License-Identifier: GPL-3.0-or-later
"""Figure 1 of Waddell and Ashley's paper, a page of fft.c: of 1,024 points 512 * 10 butterflies, calls and times beside
each other, and expressions as dark as their times."""

from changes import data, place_of, strength
from check import equal, thousands

TURNS = 5000


def look(browser):
    browser.open('fft.html')
    functions = {row['function']: row for row in data('fft.csv')}
    for name, calls in (('fft', 2 * 1024 - 1), ('split', 1023), ('butterfly', 512 * 10)):
        equal('calls of ' + name, int(functions[name]['calls']), TURNS * calls)
    # The row opens its source, coloured by its expressions' times.
    browser.click('#summary tr[data-row]')
    # Samples by place, LINE:COLUMN or LINE:COLUMN-LINE:COLUMN.
    times = {row['place'].rsplit(': ', 1)[1]: int(row['samples']) for row in data('fft.expressions')
             if ': ' in row['place']}
    seen = browser.of_model('''
        const at = data.positions, shown = [];
        for (const [p] of model.expressions(Number(page.state.file))) {
            const span = document.querySelector('span.e[data-position="' + p + '"]');
            const start = at.start_line[p] + ':' + at.start_column[p], end = at.end_line[p] + ':' + at.end_column[p];
            const place = start === end ? start : start + '-' + end;
            if (span && at.column[p]) shown.push([place, span.style.backgroundColor]);
        }
        return shown;''')
    equal('expressions that are seen', len(seen) > 5, True)
    for place, colour in seen:
        # What source.js does of the share of the greatest.
        samples = times.get(place, 0)
        want = 0.06 + 0.55 * samples / max(times.values()) if samples else 0
        equal('the shade of %s, %f and %f' % (place, strength(colour), want), abs(strength(colour) - want) <= 0.01,
              True)
    browser.go(by='count')
    for text, count in (('even[i] = x[2 * i];', 512 * 10), ('b->re = a->re', 512 * 10), ('split(x, room', 1023),
                        ('if (n == 1)', 2047)):
        cells = browser.texts('pre.source div[data-line="%d"] .count' % place_of('fft.c', text))
        equal(text, cells, [thousands(TURNS * count)])
