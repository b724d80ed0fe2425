# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the source in pages of heat.f90, with counts, and old.f, of time alone: what is coloured there and has
signs are statements, though gfortran's positions are the ends of lines."""

import re

from check import equal
from run import lines_of

HOT = ('next(i) = now(i) + 0.25d0 * (now(i - 1) - 2.0d0 * now(i) + now(i + 1)) / (1.0d0 + 1.0d-3 * now(i))',
       'now(1:cells - 1) = next(1:cells - 1)')
# How lines begin, and what is coloured there by what was executed.
EXECUTED = {'allocate(': 'allocate(spare(cells))', 'if (spare': '(spare(1) < 0)',
            'if (alloc': 'if (allocated(spare)) deallocate(',
            'spare)': 'spare)', 'do i = 1': 'do i = 1, cells - 1', 'sum = sum': 'sum = sum +',
            'sqrt': 'sqrt(abs(now(i))) *',
            '& 0.5d0': '0.5d0', '! what': '', '! in': '', 'print': "print *, 'sum!', sum", 'end program': 'end program'}


def coloured(browser):
    """By line what is coloured there."""
    lines = browser.each('pre.source [data-line]', '''[e.dataset.line, Array.from(e.querySelectorAll('span.e'))
        .filter(part => part.style.backgroundColor && part.textContent).map(part => part.textContent)]''')
    return {int(line): parts for line, parts in lines if parts}


def signs(browser):
    return {int(line) for line, sign in browser.each(
        'pre.source [data-line]', "[e.dataset.line, e.querySelector('.sign').textContent]") if sign}


def look(browser):
    heat = dict(enumerate(lines_of('heat.f90'), 1))
    at = {text: next(n for n, line in heat.items() if line.strip().startswith(text)) for text in (HOT[0], *EXECUTED)}
    browser.open('heat.html', '#view=source')
    got = coloured(browser)
    equal('the hot statement', got[at[HOT[0]]], [HOT[0]])
    equal('no more of its line',
          {n: parts for n, parts in got.items() if any('! ' in part or len(part) < 3 for part in parts)}, {})
    browser.go(by='count')
    got = coloured(browser)
    equal('what was executed', {text: ''.join(got.get(at[text], [])) for text in EXECUTED}, EXECUTED)
    equal('what never was', set(browser.each('pre.source .e.never', "e.closest('[data-line]').dataset.line")),
          {str(at['if (spare'])})
    comments = {n for n, line in heat.items() if re.match(r'\s*(!|$)', line)}
    equal('comments with a sign', comments & signs(browser), set())
    old = dict(enumerate(lines_of('old.f'), 1))
    browser.open('old.html', '#view=source')
    got = coloured(browser)
    equal('the old form', [got.get(n) for n, line in old.items() if 'HOT' in line],
          [['X(I) = SQRT(DBLE(I)) * J'], ['+ 1.0D0']])
    none = {n for n, line in old.items() if re.match(r'[C*]|$', line) or 'SQRT' in line}
    equal('comments there with a sign, and beginnings of statements', none & signs(browser), set())
    equal('statements with a sign',
          {n for n, line in old.items() if line and n not in none and n > 1} - signs(browser), set())
