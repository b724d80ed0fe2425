# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms: what is kept, put together and hidden, for views.py."""

import json
import sys

from looks import equal, number_of, percent, summary


def try_transforms(browser, ray):
    browser.open(ray.page, '#f=' + number_of(browser, 'shade'))
    browser.key('f')
    want = ray.table('-focus', '^shade$')
    total = sum(int(row['samples']) for row in want.values())
    equal('samples in focus', browser.evaluate('page.profile().kept'), total)
    ours = {name: share for name, share in summary(browser)}
    for name, row in want.items():
        if int(row['samples']) and name in ours:
            if ours[name] != percent(row['share']):
                sys.exit('in focus %s has %s, not %s' % (name, ours[name], percent(row['share'])))
    # What a call costs has its interval as it has without transforms, if these leave all.
    apart = browser.evaluate('''(function () {
        const model = page.profile(), each = of => { const c = page.summary_columns(model, of).find(c => c.id === 'each');
            return (of === 'functions' ? model.data.functions : model.data.groups[of]).name.map((_, r) => c.text(r)); };
        const all = of => (page.model_transform(model, []), each(of)), kept = of => (page.model_transform(model, ["+/./"]), each(of));
        const told = ['functions', 'lines', 'loops'].map(of => [all(of), kept(of)]);
        page.model_transform(model, page.transforms_of(page.state));
        return told.map(([one, other]) => [one.filter(text => /^[0-9.]+[mun]?s \\+-[0-9]+%$/.test(text)).length,
            one.map((text, r) => [text, other[r]]).filter(([text, now]) => /\\+-/.test(text) && text !== now)]);
    })()''')
    equal('costs of calls, of executions and of iterations', [wrong for _, wrong in apart], [[], [], []])
    if min(count for count, _ in apart) < 3:
        sys.exit('few costs: %s' % apart)
    title = browser.evaluate('page.summary_columns(page.profile(), "functions").find(c => c.id === "each").title(0)')
    equal('what they are by', title.endswith('calls are of the whole run'), True)
    browser.key('r')
    browser.key('3')
    again = browser.evaluate('''(function () {
        const tree = page.profile().tree(true);
        return tree.function.some((f, at) => at > 0 && tree.parent[at] > 0 && tree.function[tree.parent[at]] === f);
    })()''')
    equal('a function that calls itself is left', again, False)
    equal('what is told of the transforms', [t.split(' ')[0] for t in browser.texts('#changes button')], ['focus', 'recursion'])
    browser.key('u')
    browser.key('u')
    equal('taken back', browser.evaluate('page.profile().kept'), sum(int(row['samples']) for row in ray.table().values()))


def try_groups(browser, ray):
    functions, files = ray.table(), {}
    # What has no file, <unprofiled> perhaps, is a row of its own.
    for function, row in functions.items():
        name = row['file'].rsplit('/', 1)[-1] or function
        files[name] = files.get(name, 0) + int(row['samples'])
    total = sum(files.values())
    browser.open(ray.page)
    browser.key('b')
    equal('put together by', browser.evaluate('document.getElementById("group").value'), 'gfile')
    shown = dict(summary(browser))
    equal('by file', shown, {name: percent(count / total) for name, count in files.items()})
    browser.key('3')
    equal('a file that calls itself in the flame graph', browser.evaluate('''(function () {
        const tree = page.profile().tree(true);
        return tree.function.filter((f, at) => at > 0 && tree.parent[at] > 0 && tree.function[tree.parent[at]] === f).length;
    })()'''), 0)
    browser.key('7')
    names = browser.texts('.split td.name')
    equal('neighbours are files', [name for name in names if name not in files and name != '<outside>'], [])
    told, calls = browser.evaluate("""(function () {
        const model = page.profile(), {functions, calls} = model.data;
        const file = f => f < 0 ? null : model.path(functions.file[f]);
        const all = calls.caller.map((caller, i) => [file(caller), file(calls.callee[i]), calls.calls[i]]);
        const told = Array.from(new Set(functions.file.map((f, i) => model.grouped.first[i])), f =>
            model.neighbours(f).callees.filter(row => row.told).map(row =>
                [file(f), file(row.function), row.told.calls])).flat();
        return [told, all];
    })()""")
    sums = {}
    for caller, callee, count in calls:
        if caller is not None and caller != callee:
            sums[caller, callee] = sums.get((caller, callee), 0) + count
    equal('files that call other files', len(sums) > 2, True)
    equal('calls between files', {(caller, callee): count for caller, callee, count in told}, sums)
    browser.key('b')
    browser.key('b')
    equal('by module', browser.evaluate('page.state.change'), 'gmodule')
    browser.key('u')
    equal('by function again', browser.evaluate('page.state.change'), '')
    for name, want in (('shop::Index<std::map<int, a::b>, V>::add', 'shop::Index'), ('std::operator<<<char>', 'std'), ('main', ''),
                       ('a::b::operator->', 'a::b'), ('unsigned int std::__invoke<int (a::b)>(c::d)', 'std'),
                       ('(anonymous namespace)::f', '(anonymous namespace)'), ('operator new', ''), ('x<y>::z<w>::f(a::b)', 'x::z')):
        equal('class of ' + name, browser.evaluate('page.groups_class(%s)' % json.dumps(name)), want)


def try_hidden(browser, ray):
    browser.open(ray.page, '#change=.%2F%5Ebox_hit%24%2F')
    rows = browser.evaluate('Array.from(page.profile().functions(), ([f, group]) => [page.profile().name(f), group.cur])')
    equal('hidden', [name for name, _ in rows if name == 'box_hit'] + [n for n, _ in summary(browser) if n == 'box_hit'], [])
    equal('nothing is lost', sum(cur for _, cur in rows), sum(int(row['samples']) for row in ray.table().values()))
    # Without it, whom it called is called by its callers.
    browser.open(ray.page, '#change=.%2F%5Ebox_hit%24%2F&view=callers&f=' + number_of(browser, 'box_slab'))
    callers = browser.texts('.split > div:first-child td.name')
    equal('callers of what it called', 'box_hit' not in callers and {'blocked_below', 'nearest_below'} <= set(callers), True)
