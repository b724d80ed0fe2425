# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of the ray tracer's stacks: what is kept, put together and hidden."""

import sys

from check import equal, percent, summary

RECURSIVE = '''const tree = model.tree(true);
    return tree.function.filter((f, at) => tree.parent[at] > 0 && tree.function[tree.parent[at]] === f).length;'''

# Of functions, lines and loops: how many have the cost of a call with its interval, and whose is another one if
# transforms are there which leave all.
COSTS = '''
    const each = function (of) {
        const column = page.summary_columns(model, of).find(c => c.id === 'each');
        return (of === 'functions' ? data.functions : data.groups[of]).name.map((_, r) => column.text(r));
    };
    const with_transforms = (of, transforms) => (page.model_choose(model, model.measure, transforms, null), each(of));
    const told = ['functions', 'lines', 'loops'].map(of => [with_transforms(of, []), with_transforms(of, ['+/./'])]);
    page.measures_apply();
    return told.map(([all, kept]) => [all.filter(text => /^[0-9.]+[mun]?s \\+-[0-9]+%$/.test(text)).length,
        all.map((text, r) => [text, kept[r]]).filter(([text, now]) => /\\+-/.test(text) && text !== now)]);'''


def look_at_focus(browser, ray):
    browser.open(ray.page)
    browser.open(ray.page, '#f=' + browser.number('shade'))
    browser.key('f')
    want = ray.table('-focus', '^shade$')
    equal('samples in focus', browser.of_model('model.kept'), ray.samples('-focus', '^shade$'))
    ours = dict(summary(browser))
    for name, row in want.items():
        if int(row['samples']) and ours.get(name, percent(row['share'])) != percent(row['share']):
            sys.exit('in focus %s has %s, not %s' % (name, ours[name], percent(row['share'])))
    costs = browser.of_model(COSTS)
    equal('costs of calls, of executions and of iterations', [wrong for _, wrong in costs], [[], [], []])
    if min(count for count, _ in costs) < 3:
        sys.exit('few costs: %s' % costs)
    title = browser.of_model('page.summary_columns(model, "functions").find(c => c.id === "each").title(0)')
    equal('what they are by', title.endswith('calls are of the whole run'), True)
    browser.key('r')
    browser.key('3')
    equal('functions that call themselves', browser.of_model(RECURSIVE), 0)
    equal('what is told of the transforms', [t.split(' ')[0] for t in browser.texts('#changes button')],
          ['focus', 'recursion'])
    browser.key('u')
    browser.key('u')
    equal('taken back', browser.of_model('model.kept'), ray.samples())


def look_at_groups(browser, ray):
    files = {}
    # What has no file, <unprofiled> perhaps, is a row of its own.
    for function, row in ray.table().items():
        name = row['file'].rsplit('/', 1)[-1] or function
        files[name] = files.get(name, 0) + int(row['samples'])
    browser.open(ray.page)
    browser.key('b')
    equal('put together by', browser.evaluate('document.getElementById("group").value'), 'gfile')
    equal('by file', dict(summary(browser)), {name: percent(count / ray.samples()) for name, count in files.items()})
    browser.key('3')
    equal('files that call themselves in the flame graph', browser.of_model(RECURSIVE), 0)
    browser.key('7')
    equal('neighbours are files',
          [name for name in browser.texts('.split td.name') if name not in files and name != '<outside>'], [])
    told, calls = browser.of_model("""
        const {functions, calls} = data, file = f => f < 0 ? null : model.path(functions.file[f]);
        const all = calls.caller.map((caller, i) => [file(caller), file(calls.callee[i]), calls.calls[i]]);
        const told = Array.from(new Set(functions.file.map((f, i) => model.grouped.first[i])), f =>
            model.neighbours(f).callees.filter(row => row.counted)
                .map(row => [file(f), file(row.function), row.counted.calls])).flat();
        return [told, all];""")
    sums = {}
    for caller, callee, count in calls:
        if caller is not None and caller != callee:
            sums[caller, callee] = sums.get((caller, callee), 0) + count
    equal('files that call other files', len(sums) > 2, True)
    equal('calls between files', {(caller, callee): count for caller, callee, count in told}, sums)
    browser.key('b')
    browser.key('b')
    equal('by module', browser.state('change'), 'gmodule')
    browser.key('u')
    equal('by function again', browser.state('change'), '')


def look_at_hidden(browser, ray):
    browser.open(ray.page, '#change=.%2F%5Ebox_hit%24%2F')
    rows = browser.of_model('Array.from(model.functions(), ([f, group]) => [model.name(f), group.cur])')
    equal('hidden', [name for name, _ in rows + summary(browser) if name == 'box_hit'], [])
    equal('nothing is lost', sum(cur for _, cur in rows), ray.samples())
    # Without it, whom it called is called by its callers.
    browser.open(ray.page, '#change=.%2F%5Ebox_hit%24%2F&view=callers&f=' + browser.number('box_slab'))
    callers = browser.texts('.split > div:first-child td.name')
    equal('callers of what it called', 'box_hit' not in callers and {'blocked_below', 'nearest_below'} <= set(callers),
          True)
