# SPDX-License-Identifier: GPL-3.0-or-later
"""Callers and callees of a function, and the call graph."""

from check import equal, percent, thousands


def look_at_callers(browser, ray):
    browser.open(ray.page)
    browser.open(ray.page, '#view=callers&f=' + browser.number('blocked_below'))
    total = ray.samples()
    callers = {row['caller'] or '<outside>':
               [percent(int(row['samples']) / total), thousands(row['calls']) if row['calls'] else '-']
               for row in ray.rows('-callers', '^blocked_below')}
    rows = browser.cells('.split > div:first-child tbody tr[data-at]')
    equal('callers', {row[2]: row[:2] for row in rows}, callers)
    browser.click('.split > div:first-child tbody tr[data-at]:nth-last-child(2)')
    equal('gone to the caller', browser.evaluate('page.profile().name(Number(page.state.f))'), rows[-1][2])


def boxes(browser):
    return browser.each('#graph g.box', 'page.profile().name(Number(e.dataset.f))')


def look_at_pairs(browser, ray):
    """An arrow stands for each pair of boxes that call each other; of a box without one it is told who calls it."""
    shown = set(boxes(browser))
    calls = {(row['caller'], row['callee']) for row in ray.rows('-callers', '.') if int(row['samples'] or 0)}
    arrows = {tuple(pair) for pair in browser.each('#graph .arrow', """['from', 'to'].map(
        end => page.profile().name(Number(e.dataset[end])))""")}
    pairs = {pair for pair in calls if shown.issuperset(pair)}
    equal('pairs without an arrow', sorted(pairs - arrows), [])
    origins = dict(browser.each('#graph g.box', """[page.profile().name(Number(e.dataset.f)),
        e.querySelector('.origin') ? e.querySelector('.origin').firstChild.textContent : '']"""))
    roots = {name for name in shown if not any(to == name != caller for caller, to in arrows)}
    equal('boxes whose callers are told', {name for name in origins if origins[name]}, roots)
    for name in roots:
        callers = {caller for caller, to in calls if to == name and caller not in ('', name)}
        told = origins[name].split(' and ')[0].replace('from ', '')
        equal('who calls ' + name, '\u2026' in told or told in (callers or ['outermost']), True)


def look_at_graph(browser, ray):
    browser.open(ray.page)
    browser.open(ray.page, '#view=graph&least=0&f=' + browser.number('blocked_below'))
    callers = {row['caller'] for row in ray.rows('-callers', '^blocked_below') if row['caller']}
    before = set(boxes(browser))
    equal('callers in the graph', sorted(callers & before), sorted(callers))
    look_at_pairs(browser, ray)
    browser.go(least='10')
    shown = boxes(browser)
    equal('fewer from 10 % on', len(shown) < len(before), True)
    look_at_pairs(browser, ray)
    functions = ray.table()
    equal('none of them less', [name for name in shown if float(functions[name]['stack_share']) < 0.1], [])
    name = next(n for n in shown if n != 'blocked_below')
    browser.click('#graph g.box[data-f="%s"]' % browser.number(name))
    equal('gone to', browser.evaluate('page.profile().name(Number(page.state.f))'), name)


# Of each arrow its functions, the figures that its tip and its text have, and the boxes that it goes through.
ARROWS = '''
    const boxes = Array.from(document.querySelectorAll('#graph g.box'), g =>
        [page.profile().label(Number(g.dataset.f)), g.transform.baseVal[0].matrix, g.firstChild.getBBox()]);
    return Array.from(document.querySelectorAll('#graph .arrow'), function (path) {
        const {from, to} = path.dataset, length = path.getTotalLength();
        const points = Array.from({length: 101}, (_, i) => path.getPointAtLength(i * length / 100));
        const inside = (at, box) => points.some(p => p.x > at.e + 1 && p.x < at.e + box.width - 1 &&
            p.y > at.f + 1 && p.y < at.f + box.height - 1);
        const texts = Array.from(document.querySelectorAll('#graph text.figure'))
            .filter(other => other.dataset.from === from && other.dataset.to === to);
        return [model.label(Number(from)) + ' ' + model.label(Number(to)),
            path.textContent.split(': ').pop().split(', ').map(text => text.replace(/ calls.*/, '')),
            texts.map(text => text.textContent.replace('~', '')),
            boxes.filter(([, at, box]) => inside(at, box)).map(([name]) => name)];
    });'''


# The arrows whose figures lie on those of others, or on boxes.
COVERED = '''
    const places = new Map(), covered = [];
    const box = function (e, {e: dx, f: dy} = {e: 0, f: 0}) {
        const {x, y, width, height} = e.getBBox();
        return {left: x + dx, right: x + dx + width, top: y + dy, bottom: y + dy + height};
    };
    for (const text of document.querySelectorAll('#graph text.figure')) {
        const key = text.dataset.from + ' ' + text.dataset.to, a = box(text), b = places.get(key) || a;
        places.set(key, {left: Math.min(a.left, b.left), right: Math.max(a.right, b.right),
            top: Math.min(a.top, b.top), bottom: Math.max(a.bottom, b.bottom)});
    }
    for (const g of document.querySelectorAll('#graph g.box'))
        places.set(g.textContent, box(g.firstChild, g.transform.baseVal[0].matrix));
    const all = Array.from(places);
    all.forEach(([name, a], i) => all.slice(0, i).forEach(function ([other, b]) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        if (across > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
            covered.push([name, other]);
    }));
    return covered;'''


def look_at_arrows(browser, page, function, least):
    """Each arrow has its figures, and no box lies on one."""
    browser.open(page)
    browser.open(page, '#view=graph&least=%d&f=%s' % (least, browser.number(function)))
    arrows = browser.of_model(ARROWS)
    equal('several arrows of ' + function, len(arrows) > 4, True)
    # Of counts alone the calls are all.
    equal('their figures',
          {name: shown for name, told, shown, _ in arrows if not shown or shown not in (told, told[1:])}, {})
    calls = dict(browser.of_model("""data.calls.caller.map((caller, i) => [
        caller < 0 ? '' : model.label(caller) + ' ' + model.label(data.calls.callee[i]), data.calls.calls[i]])"""))
    equal('calls that are others', {name: told for name, told, *_ in arrows
                                    if calls.get(name, -1) >= 0 and told[-1].strip('~') != thousands(calls[name])}, {})
    equal('boxes on arrows', {name: boxes for name, _, _, boxes in arrows if boxes}, {})
    equal('figures on others', browser.of_model(COVERED), [])
