# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at what pages of marks.c say became of its lines: marks.html, with counts, what the comments there say;
marks-time.html, of time alone, whose lines with code are those that the debug information of the same compilation
has, in the file marks.lines, and those at which functions were inlined. Of marks-field.html, of the kind time-field,
and dials.html, of counts, nothing is said, since that is not known."""

import re

from check import equal
from run import lines_of

SIGNS = {'code': '\u2022', 'moved': '\u2191', 'gone': '\u00d7', 'none': '\u25cb', '': ''}


def rows(browser):
    """By line its sign, whether it is struck out, and whether it is grey."""
    return {int(line): tuple(row) for line, *row in browser.each('pre.source [data-line]', '''[e.dataset.line,
        e.querySelector('.sign').textContent, Boolean(e.querySelector('s')), e.classList.contains('never')]''')}


def look(browser):
    text = dict(enumerate(lines_of('marks.c'), 1))
    want = {}
    for number, line in text.items():
        sign = re.search(r'/[*] (code|moved|gone)(, never)? [*]/$', line)
        if sign:
            want[number] = (SIGNS[sign[1]], sign[1] == 'gone', bool(sign[2]))
    browser.open('marks.html', '#view=source')
    got = rows(browser)
    equal('what became of lines', {number: got[number] for number in want}, want)
    equal('lines without code', {got[number][0] for number, line in text.items() if not line or line[:2] == '/*'}, {''})
    equal('the legend', [re.sub(' .*', '', told) for told in browser.texts('#signs > span')],
          [SIGNS['code'], SIGNS['moved'], SIGNS['gone'], 'grey'])
    moved, gone = (next(n for n in want if want[n][0] == SIGNS[sign]) for sign in ('moved', 'gone'))
    told = browser.evaluate('[%d, %d].map(line => page.source_tip(page.profile(), 0, line))' % (moved, gone))
    equal('where it was moved', told[0],
          'some of its machine code was moved in front of the loop in lines %d to %d' % (moved - 1, moved + 2))
    equal('why there is none', 'no machine code of its own is left' in told[1], True)
    browser.open('marks-time.html', '#view=source')
    got = rows(browser)
    inlined = {n for n, line in text.items() if re.search(r'(weigh|seldom)[(].*;', line)}
    equal('lines with code', {n for n in got if got[n][0] in (SIGNS['code'], SIGNS['moved'])},
          {int(line) for line in lines_of('marks.lines') if line} | inlined)
    equal('without counts', {got[n][0] for n in want if want[n][1]}, {SIGNS['none']})
    equal('moved without counts', got[moved][0], SIGNS['moved'])
    equal('none is struck out or grey', any(struck or grey for _, struck, grey in got.values()), False)
    for page in 'dials.html', 'marks-field.html':
        browser.open(page, '#view=source')
        got = rows(browser)
        equal('no signs where only calls have positions: ' + page, [len(got) > 20, {row[:2] for row in got.values()}],
              [True, {('', False)}])
