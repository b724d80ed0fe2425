# SPDX-License-Identifier: GPL-3.0-or-later
"""The views of trees, flame graph, tree and tree map, for views.py."""

import json
import sys
import xml.etree.ElementTree as xml

from looks import equal, number_of, percent, state


# How far the cursor may be from its box, in pixels: the page knows the canvas's place in whole pixels,
# browsers place by 1/60 (Firefox) or 1/64 (Chromium), and a width is the difference of two places.
LAYOUT = 1 / 2 + 2 / 60


def try_cursor(browser, ray, total):
    """The flame graph by keys; its order; its picture."""
    all_boxes = browser.evaluate('document.querySelector("canvas").boxes')
    tree = browser.evaluate('(function () { const t = page.profile().tree(true); return {parent: t.parent, function: t.function}; })()')
    below = lambda at: sorted((b for b in all_boxes if b['at'] and tree['parent'][b['at']] == at), key=lambda b: (-b['weight'], b['left']))
    # That of the click before is taken back.
    browser.key('Escape')
    first = browser.texts('#told')[0]
    browser.key('ArrowDown')
    told = browser.texts('#told')[0]
    equal('the cursor is on all', [told != first, 'samples' in told, '%s samples' % format(total, ',') in told], [True, True, True])
    at = 0
    # The cursor is wider than a box of a few samples, <broken> perhaps.
    while len(below(at)) < 2 or below(at)[1]['weight'] < total / 50:
        browser.key('ArrowDown')
        at = below(at)[0]['at']
    one, other = below(at)[:2]
    for key, box in ('ArrowDown', one), ('ArrowRight', other), ('ArrowLeft', one), ('ArrowLeft', one), ('ArrowRight', other):
        browser.key(key)
        equal(key, browser.texts('#told')[0].split(': ')[0], box['name'])
    told = browser.texts('#told')[0]
    equal('its share and its samples', [percent(other['weight'] / total) in told, '%s samples' % format(other['weight'], ',') in told], [True, True])
    equal('it is chosen', state(browser, 'f'), str(tree['function'][other['at']]))
    seen = browser.evaluate('''(function () {
        const c = document.getElementById('cursor').getBoundingClientRect(), r = document.querySelector('canvas').getBoundingClientRect();
        return [c.left - r.left, c.top - r.top, c.width];
    })()''')
    equal('the cursor is as far from its box as a browser places', [abs(a - b) <= LAYOUT for a, b in
                                                                    zip(seen, [other['left'], other['depth'] * 20, max(3, other['width'])])], [True] * 3)
    browser.key('Enter')
    equal('Enter zooms', state(browser, 'zoom'), str(other['at']))
    browser.key('Escape')
    equal('Escape shows all', state(browser, 'zoom'), '0')
    browser.key('ArrowUp')
    equal('up', browser.texts('#told')[0].split(': ')[0], next(b['name'] for b in all_boxes if b['at'] == at))
    browser.key('Escape')
    equal('no cursor', [browser.evaluate('document.getElementById("cursor").hidden'), browser.texts('#told')[0]], [True, first])
    browser.catch_copies()
    browser.click('#svg')
    svg = xml.fromstring(browser.copied())
    space = '{http://www.w3.org/2000/svg}'
    equal('elements of the picture', {e.tag for e in svg.iter()}, {space + tag for tag in ('svg', 'g', 'rect', 'text', 'title')})
    equal('names in the picture', [e.text.split('\n')[0] for e in svg.iter(space + 'title')], [b['name'] for b in all_boxes])
    equal('labels as text', [e.text for e in svg.iter(space + 'text')], [b['label'] for b in all_boxes if 'label' in b])
    equal('nothing is marked in it', [e for e in svg.iter(space + 'rect') if e.get('height') == '3'], [])
    browser.evaluate('page.go({search: "/^main$/"})')
    browser.click('#svg')
    svg = xml.fromstring(browser.copied())
    equal('what was searched for is marked in it', [box.find(space + 'title').text.split('\n')[0] for box in svg.iter(space + 'g')
                                                    if len([e for e in box.iter(space + 'rect') if e.get('height') == '3']) == 1], ['main'])
    browser.evaluate('page.go({search: ""})')
    browser.click('#folded')
    equal('stacks that are copied', browser.copied(), browser.evaluate('page.folded_text(page.profile())'))
    name = 'a<script>&"\x01'
    picture = browser.evaluate('page.picture_text(page.flame_svg([{left: 0, depth: 0, width: 90, fill: "red", label: %s}], 90, 20, {}, box => box.label))'
                               % json.dumps(name))
    equal('a hostile name', [e.text for e in xml.fromstring(picture).iter(space + 'text')], [name.replace('\x01', '\ufffd')])
    browser.click('[data-order=name]')
    equal('the order in the address', 'boxes=name' in browser.evaluate('location.hash'), True)
    shown = browser.evaluate('document.querySelector("canvas").boxes.filter(b => page.profile().tree(true).parent[b.at] === %d).sort((a, b) => a.left - b.left).map(b => b.name)' % at)
    equal('by name', [shown, len(shown)], [sorted(b['name'] for b in below(at)), len(below(at))])
    browser.click('[data-order=weight]')
    # What is searched for is told by a line, too, for those who do not see its colour.
    browser.open(ray.page, '#view=flame&search=%2F%5Emain%24')
    lines = browser.evaluate('''(function () {
        const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d'), ratio = canvas.width / canvas.clientWidth;
        const column = pen.getImageData(300 * ratio, 0, 1, 60 * ratio).data, ink = y => column.slice(4 * y * ratio, 4 * y * ratio + 3).every(c => c === 17);
        return [17, 37, 57].map(ink);
    })()''')
    equal('boxes with a line', lines, [False, True, False])
    browser.open(ray.page, '#view=graph&f=' + number_of(browser, 'shade'))
    browser.catch_copies()
    browser.click('.bar-of button')
    svg = xml.fromstring(browser.copied())
    equal('the picture of the graph has its colours', [e.get('fill') for e in svg.iter(space + 'path')][:1], ['none'])


def try_rows(browser):
    """The tree by keys."""
    rows = lambda: [int(at) for at in browser.evaluate('Array.from(document.querySelectorAll("#tree tr[data-at]"), r => r.dataset.at)')]
    cursor = lambda: browser.evaluate('Array.from(document.querySelectorAll("#tree tr.cursor"), r => Number(r.dataset.at))')
    before = rows()
    # The cursor is where the last click was.
    equal('the cursor', cursor(), [before[1]])
    browser.key('ArrowDown')
    browser.key('ArrowDown')
    equal('two down', cursor(), [before[3]])
    equal('its function is chosen', state(browser, 'f'), str(browser.evaluate('page.profile().tree(true).function[%d]' % before[3])))
    browser.key('ArrowUp')
    equal('one up', cursor(), [before[2]])
    browser.key('ArrowLeft')
    equal('Left closes', rows()[:3], before[:3])
    equal('it is closed', [len(rows()) < len(before), browser.evaluate('document.querySelector("tr.cursor").getAttribute("aria-expanded")')], [True, 'false'])
    browser.key('ArrowRight')
    equal('Right opens', rows(), before)
    browser.key('ArrowRight')
    equal('then goes to the first within', cursor(), [before[3]])
    browser.key('Enter')
    equal('Enter closes', len(rows()) < len(before), True)
    browser.key('Enter')
    equal('Enter opens', rows(), before)
    browser.key('ArrowLeft')
    browser.key('ArrowLeft')
    equal('Left of what is closed goes to where it is in', cursor(), [before[2]])
    browser.key('ArrowRight')
    browser.key('ArrowRight')
    for _ in before:
        browser.key('ArrowDown')
    equal('the last row is seen', browser.evaluate('''(function () {
        const row = document.querySelector('tr.cursor').getBoundingClientRect(), main = document.getElementById('main').getBoundingClientRect();
        return [row.top >= main.top, row.bottom <= main.bottom + 1];
    })()'''), [True, True])
    equal('it is the last', cursor(), rows()[-1:])
    browser.evaluate('page.go({view: "bottom"})')
    equal('from the bottom there is one share', browser.texts('#tree th'), ['share', 'function, called by'])


def try_flame(browser, ray):
    browser.open(ray.page)
    browser.key('3')
    equal('the flame graph', state(browser, 'view'), 'flame')
    boxes = browser.evaluate('document.querySelector("canvas").boxes.map(b => [b.name, b.depth, b.left, b.width, b.weight])')
    total = sum(int(row['samples']) for row in ray.table().values())
    equal('its lowest box', boxes[0][4], total)
    width = boxes[0][3]
    for name, depth, left, wide, weight in boxes:
        if abs(wide - weight / total * width) > 0.01:
            sys.exit('%s is %f wide, not %f' % (name, wide, weight / total * width))
    folded = ray.folded()
    equal('boxes by depth 3', sorted(b[4] for b in boxes if b[1] == 3),
          sorted(n for key, n in folded.items() if len(key) == 3 and n / total * width >= 0.3))
    deep = max((b for b in boxes if b[1] == 3), key=lambda b: b[3])
    where = browser.evaluate('(function () { const r = document.querySelector("canvas").getBoundingClientRect(); return [r.left, r.top]; })()')
    browser.click_at(where[0] + deep[2] + 5, where[1] + 3.5 * 20)
    zoomed = browser.evaluate('document.querySelector("canvas").boxes.map(b => [b.name, b.depth, b.width])')
    equal('zoomed', [(n, round(w)) for n, d, w in zoomed if d == 3], [(deep[0], round(width))])
    browser.key('Escape')
    equal('all of it', state(browser, 'zoom'), '0')
    try_cursor(browser, ray, total)
    browser.key('5')
    # A sample may have no known caller, so that main has not all.
    stacks = ray.folded()
    outermost = [n for stack, n in stacks.items() if len(stack) == 1]
    equal('the tree', browser.texts('#tree tr:nth-child(2) td:first-child'), [percent(max(outermost) / sum(outermost))])
    count = len(browser.texts('#tree tr[data-at]'))
    browser.click('#tree tr:nth-child(3)')
    equal('closed', len(browser.texts('#tree tr[data-at]')) < count, True)
    browser.click('#tree tr:nth-child(3)')
    equal('opened again', len(browser.texts('#tree tr[data-at]')), count)
    try_rows(browser)
    browser.key('6')
    most = max(ray.table().values(), key=lambda row: int(row['samples']))
    equal('bottom up', browser.texts('#tree tr:nth-child(2) td:first-child'), [percent(most['share'])])


def try_matched(browser, ray):
    """The filter says how much it finds in a view of stacks: what is inside of another once."""
    names = [name for name in ray.table() if name.startswith('box_') or name == 'trace']
    stacks = ray.folded()
    found = 0
    for stack, weight in stacks.items():
        own = weight - sum(n for other, n in stacks.items() if len(other) == len(stack) + 1 and other[:-1] == stack)
        found += own if any(name in names for name in stack) else 0
    seen = {name for stack in stacks for name in stack if name in names}
    total = sum(int(row['samples']) for row in ray.table().values())
    for view in 'flame', 'inverted', 'tree', 'bottom', 'treemap':
        browser.open(ray.page, '#view=%s&search=%%2F%%5E(box_%%7Ctrace%%24)' % view)
        equal('what the filter of %s finds' % view, browser.texts('#matched')[0].rsplit(', ', 1)[0],
              'filter: %d functions, %s' % (len(seen), percent(found / total)))
    browser.open(ray.page, '#view=flame')
    equal('without a filter', browser.texts('#matched'), [])


def try_found(browser, ray):
    """What is searched for in the tree is seen, however deep it is."""
    for name in 'box_slab', 'main':
        browser.open(ray.page, '#view=tree&search=%2F%5E' + name + '%24')
        equal('found', browser.evaluate('''(function () {
            const mark = document.querySelector('#tree mark'), main = document.getElementById('main').getBoundingClientRect();
            const box = mark.getBoundingClientRect();
            return [mark.textContent, box.top > main.top, box.bottom < main.bottom];
        })()'''), [name, True, True])


def try_areas(browser, ray):
    browser.open(ray.page, '#view=treemap')
    boxes, parent = browser.evaluate('[document.querySelector("canvas").boxes, page.profile().tree(true).parent]')
    for box in boxes:
        inside = [b for b in boxes if b is not box and b['left'] >= box['left'] and b['top'] >= box['top'] and
                  b['left'] + b['width'] <= box['left'] + box['width'] + 0.01 and
                  b['top'] + b['height'] <= box['top'] + box['height'] + 0.01]
        # Those of one function are as large as their weights, but for what is drawn around.
        parts = [b for b in inside if parent[b['at']] == box['at']]
        if len(parts) > 1 and sum(b['weight'] for b in parts):
            share = [b['width'] * b['height'] / b['weight'] for b in parts]
            if max(share) > 1.02 * min(share):
                sys.exit('in %s areas are not as weights: %s' % (box['name'], share))
    equal('the largest area', (boxes[0]['left'], boxes[0]['top'], boxes[0]['weight']),
          (0, 0, sum(int(row['samples']) for row in ray.table().values())))
    # What is searched for has a line around it.
    browser.open(ray.page, '#view=treemap&search=%2F%5Emain%24')
    inks = browser.evaluate('''(function () {
        const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d'), ratio = canvas.width / canvas.clientWidth;
        const all = pen.getImageData(0, 0, canvas.width, canvas.height).data;
        const ink = (x, y) => all.slice(4 * (Math.floor(y * ratio) * canvas.width + Math.floor(x * ratio))).slice(0, 3).every(c => c === 17);
        return canvas.boxes.slice(0, 3).map(b => [b.name, ink(b.left + 1, b.top + b.height / 2)]);
    })()''')
    equal('boxes with a line around', [name for name, ink in inks if ink], ['main'])
