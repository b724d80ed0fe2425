# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of changes in pages of comparisons, of functions and of lines, and these in the source; and what the other
views of comparisons are compared with."""

import os
import re

from check import equal, heads_told, thousands
from run import lines_of, rows_of

CHANGES = '#rows tr[data-at]'


def data(name):
    with open(name, encoding='utf-8') as file:
        return rows_of(file.read())


def number(text):
    return None if text in ('', None) else float(text)


def yes(text):
    return text in ('1', 'true')


def plain(value, digits=None):
    """A value in seconds with so many digits, or a count."""
    if value is None:
        return '-'
    if digits is not None:
        return '%.*f s' % (digits, value)
    return thousands(value) if value == int(value) else '%.1f' % value


def signed(value, digits=None):
    text = plain(abs(value), digits)
    return ('-' if value < 0 else '+') + text if re.search('[1-9]', text) else text


def chance(row):
    value = number(row['chance'])
    return 'exact' if yes(row['exact']) else '-' if value is None else '<0.001' if value < 0.001 else '%.3f' % value


def sign(certain, change):
    """Which are certain, and which way they went, is seen without colours."""
    return '\u00b7' if not certain or not change else '\u25b2' if change > 0 else '\u25bc'


def rows_of_page(browser, of, what):
    """The rows of a table as the page shows them, in mlprof's order."""
    return rows_of(browser.rows_of_csv('page.%s_columns(data, %r)' % (of, what),
                                       'data.%s.%s.row.map((_, i) => i)' % (of, what)))


def same_figures(what, ours, theirs, expected):
    """Each row has what EXPECTED says of mlprof's."""
    equal('rows of ' + what, len(ours), len(theirs))
    for row, their in zip(ours, theirs):
        want = {head: figure for head, figure in expected(their).items() if head in row}
        equal('%s, %s' % (what, their['function']), {head: row[head] for head in want}, want)


def place_of(name, text):
    """The first line of a source of testsuite/compare that has this text."""
    return next(i for i, line in enumerate(lines_of(os.path.join(os.environ['SRC'], 'testsuite/compare', name)), 1)
                if text in line)


def colours(browser):
    """By line of the source how strong its colour is, 0 for none, and what the margin says."""
    rows = browser.each('pre.source div[data-line]',
                        "[Number(e.dataset.line), e.style.backgroundColor, e.querySelector('.count').textContent]")
    return {line: (strength(colour), text) for line, colour, text in rows}


def strength(colour):
    return float(colour.rstrip(')').split(',')[-1]) if colour else 0


def look_at_changes(browser, name, digits=None):
    def expected(row):
        told = {'functions': row['function'], 'before': plain(number(row['before']), digits),
                'after': plain(number(row['after']), digits), 'change': signed(number(row['change']), digits),
                "row's 95%": ' to '.join(signed(number(row['change_' + end]), digits) for end in ('least', 'most')),
                'by chance': chance(row)}
        if row['value']:
            told['value'] = thousands(float(row['value']))
        return told
    theirs = data(name + '.csv')
    heads_told(browser)
    if not all(yes(row['exact']) for row in theirs):
        tips = [tip for tip in browser.each('#rows th', 'e.title') if 'chance alone' in tip or '19 times' in tip]
        equal('what a row says of itself alone', [', of this row alone' in tip for tip in tips], [True, True])
        equal('which it is',
              ["row's 95%" in browser.texts('#rows th'), 'the row alone' in browser.texts('.bar-of .faint')[0]],
              [True, True])
    same_figures(name, rows_of_page(browser, 'compare', 'functions'), theirs, expected)
    cells = browser.each(CHANGES + ' td:nth-child(3)',
                         "[e.textContent[0], e.style.backgroundColor.startsWith('rgba(128, 128, 136')]")
    signs = [sign(yes(row['certain']), float(row['change'])) for row in theirs][:len(cells)]
    equal('signs of %s, and which are grey' % name, cells, [[sign, sign == '\u00b7'] for sign in signs])


def lines_changed(browser):
    """By file and line what it is before and after."""
    return {place: tuple(row) for place, *row in browser.of_model('''const {lines} = data.compare;
        return lines.place.map((place, i) => [texts[place], lines.before[i], lines.after[i]]);''')}


def look_at_known(browser):
    """Samples whose changes are known: sq has 1 s more, main as much as before."""
    browser.open('known.html')
    look_at_changes(browser, 'known', 2)
    equal('the first row', browser.cells('#rows tr[data-at="0"]')[0][:7],
          ['2.00 s', '3.00 s', '\u25b2 +1.00 s', '+50.0%', '+0.56 s to +1.44 s', '<0.001', 'sq'])
    equal('the heading', browser.texts('#sides')[0].split('\n'), [
        'before  prog, 1 run, 10.00 s', 'after   prog, 1 run, 11.00 s', 'change  \u25b2 +1.00 s (+10.0%)'])
    equal('a relative path', browser.evaluate(
        "page.compare_name_columns({texts: ['src/x/a.c: 3']}, 'functions', {name: [0], place: [0]})[1].text(0)"), 'a.c:3')
    equal('the title', browser.evaluate('document.title'), 'prog: 1 run compared with 1 run before')
    browser.open('drift.html')
    equal('the drift', browser.texts('#sides')[0].split('\n')[-1], 'drift   most take 1.20 times as long: '
          'perhaps the machine has changed. Relative to all: -change share')


def look_at_figure_2(browser):
    browser.open('fib.html')
    look_at_changes(browser, 'fib')
    # fib(n) makes 2 F(n+1) - 1 calls and is called twice; the body of the loop is executed n times.
    rows = {row['functions']: [row[head] for head in ('before', 'after', 'value')]
            for row in rows_of_page(browser, 'compare', 'functions')}
    equal('fib', rows['fib'], ['354', '43,782', thousands(2 * (2 * 10946 - 1) - 2 * 2 * (2 * 89 - 1))])
    equal('the loop', rows['step'], ['10', '20', '0'])
    lines = {}
    for side, n in enumerate((10, 20)):
        for row in data('lines.%d' % n):
            if row['executions']:
                lines.setdefault(row['place'], [0, 0])[side] = int(row['executions'])
    equal('lines', lines_changed(browser), {place: tuple(row) for place, row in lines.items() if any(row)})
    browser.click('button[data-what=lines]')
    recursive, body = place_of('fib.c', 'return n < 2'), place_of('fib.c', 'now = step')
    equal('lines by the value', sorted(browser.texts(CHANGES + ' td.place')[:2]),
          sorted('fib.c:%d' % line for line in (place_of('fib.c', 'long fib(unsigned n)'), recursive)))
    browser.click(CHANGES)
    equal('gone to the source by', browser.state('by'), 'value')
    shown = colours(browser)
    equal('the recursive one', [shown[recursive][0] > 0.5, shown[recursive][1]], [True, '43,074'])
    # "Note that the iterative function is not colored in this view."
    equal('the body of the loop', shown[body], (0, '0'))
    iterative = range(place_of('fib.c', 'long step'), place_of('fib.c', 'int main'))
    equal('lines of the iterative functions that are coloured', [line for line in iterative if shown[line][0] > 0.02],
          [])
    # By the change the loop has its colour, and a sign.
    browser.go(by='change')
    equal('the body of the loop by its change', colours(browser)[body][1], '\u25b2 +100.0%')


def look_at_builds(browser):
    browser.open('builds.html')
    look_at_changes(browser, 'builds')
    equal('no lines of two builds', browser.texts('button[data-what]'), ['functions'])
    browser.click(CHANGES)
    shown = colours(browser)
    equal('coloured by the function', shown[place_of('fib.c', 'return n < 2')][0] > 0, True)
    equal('told at its beginning', shown[place_of('fib.c', 'long fib(unsigned n)')][1].startswith('\u25b2 x12'), True)
