# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at the source in pages of heat.f90, with counts, and old.f, of time alone: what is coloured there and has
signs are statements, though gfortran's positions are the ends of lines."""

import re

from looks import equal

HOT = ('next(i) = now(i) + 0.25d0 * (now(i - 1) - 2.0d0 * now(i) + now(i + 1)) / (1.0d0 + 1.0d-3 * now(i))', 'now(1:cells - 1) = next(1:cells - 1)')


def coloured(browser):
    """By line what is coloured there."""
    return {int(line): parts for line, parts in browser.evaluate(
        '''Array.from(document.querySelectorAll('pre.source [data-line]'), row => [row.dataset.line,
            Array.from(row.querySelectorAll('span.e'), e => e.style.backgroundColor ? e.textContent : '').filter(Boolean)])''') if parts}


def signs(browser):
    return {int(line) for line, sign in browser.evaluate(
        "Array.from(document.querySelectorAll('pre.source [data-line]'), row => [row.dataset.line, row.querySelector('.sign').textContent])") if sign}


def try_fortran(browser):
    with open('heat.f90', encoding='utf-8') as source:
        heat = source.read().split('\n')
    at = {text: next(n for n, line in enumerate(heat, 1) if line.strip().startswith(text))
          for text in HOT + ('allocate(', 'if (spare', 'if (alloc', 'spare)', 'do i = 1', 'sum = sum', 'sqrt', '& 0.5d0', '! what', '! in', 'print', 'end program')}
    browser.open('heat.html', '#view=source')
    got = coloured(browser)
    equal('the hot statement', got[at[HOT[0]]], [HOT[0]])
    equal('no more of its line', {n: parts for n, parts in got.items() if any('! ' in part or len(part) < 3 for part in parts)}, {})
    browser.evaluate('page.go({by: "count"})')
    got = coloured(browser)
    equal('what was executed', {text: ''.join(got.get(at[text], [])) for text in at if text not in HOT},
          {'allocate(': 'allocate(spare(cells))', 'if (spare': '(spare(1) < 0)', 'if (alloc': 'if (allocated(spare)) deallocate(', 'spare)': 'spare)',
           'do i = 1': 'do i = 1, cells - 1', 'sum = sum': 'sum = sum +', 'sqrt': 'sqrt(abs(now(i))) *', '& 0.5d0': '0.5d0',
           '! what': '', '! in': '', 'print': "print *, 'sum!', sum", 'end program': 'end program'})
    equal('what never was', dict(browser.evaluate("Array.from(document.querySelectorAll('pre.source .e.never'), e => [e.closest('[data-line]').dataset.line, 0])")),
          {str(at['if (spare']): 0})
    comments = {n for n, line in enumerate(heat, 1) if re.match(r'\s*(!|$)', line)}
    equal('comments with a sign', sorted(comments & signs(browser)), [])
    with open('old.f', encoding='utf-8') as source:
        old = source.read().split('\n')
    browser.open('old.html', '#view=source')
    got = coloured(browser)
    equal('the old form', [got.get(n) for n, line in enumerate(old, 1) if 'HOT' in line], [['X(I) = SQRT(DBLE(I)) * J'], ['+ 1.0D0']])
    none = {n for n, line in enumerate(old, 1) if re.match(r'[C*]|$', line) or 'SQRT' in line}
    equal('comments there with a sign, and beginnings of statements', sorted(none & signs(browser)), [])
    equal('statements with a sign', {n for n, line in enumerate(old, 1) if line and n not in none and n > 1} - signs(browser), set())
