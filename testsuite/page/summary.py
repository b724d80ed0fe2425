# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of the page: its rows, order, filter and tips, against what mlprof tells of the ray tracer."""

import json
import os

from check import equal, heads_told, percent, summary


def names(browser):
    return [name for name, _ in summary(browser)]


def look(browser, ray):
    browser.open(ray.page)
    equal('how the program was started', browser.texts('#notes')[0].split('\n')[0].split('; ')[1],
          'started as: ./ray 300 3')
    equal('the foot is seen from its first line', browser.evaluate('''(function (range) {
        range.selectNodeContents(notes);
        return notes.firstChild && range.getBoundingClientRect().top >= notes.getBoundingClientRect().top;
    })(document.createRange())'''), True)
    functions = ray.table()
    most = max(functions.values(), key=lambda row: int(row['samples']))
    equal('the first row', summary(browser)[0], (most['function'], percent(most['share'])))
    look_at_tips(browser, functions, most)
    equal('heights of rows', set(browser.each('#summary tr[data-at]', 'e.getBoundingClientRect().height')), {24})
    browser.click('th[data-sort=calls]')
    most_called = max(functions.values(), key=lambda row: int(row['calls'] or 0))['function']
    equal('sorted by calls', names(browser)[0], most_called)
    browser.click('th[data-sort=name]')
    equal('sorted by name', names(browser)[:5], sorted(functions)[:5])
    browser.evaluate('history.back()')
    browser.wait('page.state.sort === "calls"')
    equal('back', names(browser)[0], most_called)
    look_at_filter(browser, ray, functions)
    browser.open(ray.page)
    browser.click('button[data-of=modules]')
    # A sample may be in libc.
    equal('modules', [share for _, share in summary(browser)],
          [percent(row['share']) for row in ray.rows('-by', 'module')])


def look_at_tips(browser, functions, most):
    tip = browser.evaluate('''(function () {
        const heads = Array.from(document.querySelectorAll('#summary th'), e => e.dataset.sort);
        const row = document.querySelector('#summary tr[data-at]');
        return ['stack', 'amount'].map(id => row.cells[heads.indexOf(id)].title);
    })()''')
    seconds = sum(int(row['time_ns']) for row in functions.values()) / 1e9
    equal('the ranges of stack and of seconds', tip, [
        '95%% range %.1f-%.1f%%' % tuple(100 * float(most['stack_share_' + end]) for end in ('least', 'most')),
        '95%% range %.2f-%.2f s' % tuple(seconds * float(most['share_' + end]) for end in ('least', 'most'))])
    with open(os.path.join(os.environ['SRC'], 'doc/mlprof.schema.json'), encoding='utf-8') as schema:
        columns = json.load(schema)['properties']['groups']['items']['properties']
    tips = dict(browser.each('#summary th', "[e.dataset.sort, e.title.split('; a click')[0]]"))
    equal('tips of heads that mlprof has, too', {name: tips[name] for name in ('cur', 'stack', 'calls')},
          {'cur': columns['share']['description'], 'stack': columns['stack_share']['description'],
           'calls': 'how often it was called, or what it is was executed'})
    heads_told(browser)


def look_at_filter(browser, ray, functions):
    browser.key('/')
    browser.type('vec_')
    equal('filtered', sorted(names(browser)), sorted(name for name in functions if 'vec_' in name))
    browser.evaluate('document.getElementById("search").value = ""')
    browser.type('/^box_(hit|slab)$/')
    equal('by a regular expression', sorted(names(browser)), ['box_hit', 'box_slab'])
    equal('nothing is wrong with it', browser.evaluate('document.getElementById("wrong").hidden'), True)
    address = browser.evaluate('location.hash')
    browser.go(search='/box_(')
    equal('what is wrong is told', browser.texts('#wrong:not([hidden])')[0].startswith('nothing matches: '), True)
    browser.open(ray.page, address, anew=True)
    equal('the address again', sorted(names(browser)), ['box_hit', 'box_slab'])
