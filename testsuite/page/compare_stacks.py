# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons of runs with stacks: the differential flame graph and tree, against what mlprof -folded tells of each
run. Each run is evaluated for itself: what skid does with few samples is not what it does with their sum."""

from changes import data, look_at_changes, plain, sign, signed
from check import equal

RATE = 2000
SIDES = {'before': 'few', 'after': 'many'}


def folded_stacks(runs):
    """On either side, by stack from its outermost function on, the samples of all that it is the beginning of."""
    folded = [{}, {}]
    for side, name in enumerate(SIDES.values()):
        for run in runs:
            with open('%s.%d.folded' % (name, run), encoding='utf-8') as rows:
                for row in rows:
                    stack, count = row.rsplit(' ', 1)
                    names = tuple(stack.split(';'))
                    for depth in range(len(names) + 1):
                        folded[side][names[:depth]] = folded[side].get(names[:depth], 0) + int(count)
    return folded


def far(seconds, runs, samples):
    return abs((seconds or 0) * len(runs) * RATE - samples) > 0.001


def look(browser, page, runs):
    browser.open(page + '.html')
    look_at_changes(browser, page, 4)
    folded = folded_stacks(runs)
    browser.key('d')
    tree = browser.of_model('data.compare.stacks')
    names = browser.of_model('data.compare.matched.name.map(n => texts[n])')
    paths = []
    for at, parent in enumerate(tree['parent']):
        paths.append(paths[parent] + (names[tree['function'][at]],) if at else ())
    equal('stacks with others',
          [(';'.join(path), tree[of][at], folded[side].get(path, 0))
           for at, path in enumerate(paths) for side, of in enumerate(SIDES)
           if far(tree[of][at], runs, folded[side].get(path, 0))], [])
    want = {path for side in (0, 1) for path, n in folded[side].items() if n >= 0.00101 * folded[side][()]}
    equal('stacks of at least 0.1 % that are not there', want - set(paths), set())
    # All is tested as the stacks are: where one function has all, both are certain, or neither is.
    equal('the root', [tree['parent'][0], tree['function'][0]], [-1, -1])
    for at, parent in enumerate(tree['parent']):
        if at and not parent and all(tree[side][at] == tree[side][0] for side in SIDES):
            equal('all, and the function that has all',
                  *([tree[of][i] for of in ('certain', 'chance', 'least', 'most')] for i in (at, 0)))
    some = look_at_flame(browser, tree, paths)
    look_at_tree(browser, folded, tree, paths)
    # Of two runs a side next to nothing may be certain.
    if len(runs) == 1:
        equal('some are coloured', some > 0, True)


def look_at_flame(browser, tree, paths):
    """Widths and colours; how many boxes have a colour."""
    # At first what was removed is seen, too.
    equal('widths of both', [browser.texts('button[data-wide][aria-current]'), browser.evaluate(
        '''Array.from(page.difference_widths(
            {parent: [-1, 0, 0, 2], before: [5, 2, 3, 3], after: [4.5, 4, null, null]}, "both"))''')],
          [['as wide as the greater'], [7.5, 4, 3, 3]])
    some = 0
    for wide in SIDES:
        browser.click('button[data-wide=%s]' % wide)
        boxes = browser.evaluate('''document.querySelector('canvas').boxes.map(b => [b.node, b.width,
            page.difference_look.colour(page.difference_tree(page.profile(), %r), b.node, false)])''' % wide)
        equal('other widths', [(path_of(paths, at), width) for at, width, _ in boxes
                               if abs(width - tree[wide][at] / tree[wide][0] * boxes[0][1]) > 0.01], [])
        for at, _, colour in boxes:
            change = (tree['after'][at] or 0) - (tree['before'][at] or 0)
            want = '#d5d6da' if not tree['certain'][at] or not change else 'hsl(24' if change > 0 else 'hsl(208'
            some += want != '#d5d6da'
            equal('the colour of ' + path_of(paths, at), colour.startswith(want), True)
    return some


def path_of(paths, at):
    return ';'.join(paths[at])


def look_at_tree(browser, folded, tree, paths):
    """The differential tree, opened as it is at first: what each line has on both sides, by stack."""
    browser.key('e')
    rows = browser.each('#tree tr[data-at]',
                        '''[Number(e.dataset.at), e.ariaExpanded, e.lastChild.className, e.lastChild.title,
        e.cells[2].style.backgroundColor.startsWith('rgba(128, 128, 136'), Array.from(e.cells, c => c.textContent)]''')
    # Names that are cut are cut in the middle.
    equal('names of the tree', {kind for _, _, kind, *_ in rows}, {'tree function middle'})
    for at, _, _, tip, grey, cells in rows:
        # What they are of FOLDED was compared before.
        before, after = (tree[side][at] or 0 for side in SIDES)
        certain = tree['certain'][at] and before != after
        equal(path_of(paths, at), [*cells[:3], cells[4], tip, grey], [
            plain(before, 4), plain(after, 4), sign(certain, after - before) + ' ' + signed(after - before, 4),
            ' to '.join(signed(tree[end][at], 4) for end in ('least', 'most')), paths[at][-1], not certain])
    # Beside each other those that changed most come first; of these the first is open.
    above = {}
    for at, *_ in rows:
        above.setdefault(paths[at][:-1], []).append(at)
    for beside in above.values():
        sizes = [abs(folded[1].get(paths[at], 0) - folded[0].get(paths[at], 0)) for at in beside]
        equal('by their change', sizes, sorted(sizes, reverse=True))
    opened = [at for at, expanded, *_ in rows if expanded == 'true']
    equal('the way that is open', [at for at in opened if above[paths[at][:-1]][0] != at], [])
    equal('it leads somewhere', len(opened) > 2, True)
    browser.key('ArrowDown')
    browser.key('ArrowLeft')
    equal('closed by a key', browser.count('#tree tr[data-at]') < len(rows), True)
    browser.key('ArrowRight')
    equal('opened again', browser.count('#tree tr[data-at]'), len(rows))


def look_at_merged(browser):
    """Two files of one side are one run."""
    browser.open('merged.html')
    equal('the title of two files', browser.evaluate('document.title'), 'demo, 2 data files')
    equal('samples of both', browser.of_model('model.total'), sum(int(row['samples']) for row in data('merged.csv')))
    equal('no views of comparisons',
          [t for t in browser.texts('nav button') if t in ('Changes', 'Difference', 'Growth')], [])
