# SPDX-License-Identifier: GPL-3.0-or-later
"""The views of trees: flame graph, tree and tree map of the ray tracer."""

import json
import sys
import xml.etree.ElementTree as xml

from check import equal, percent, thousands

# How far the cursor may be from its box, in pixels: the page knows the canvas's place in whole pixels,
# browsers place by 1/60 (Firefox) or 1/64 (Chromium), and a width is the difference of two places.
LAYOUT = 1 / 2 + 2 / 60
SVG = '{http://www.w3.org/2000/svg}'
BOXES = 'document.querySelector("canvas").boxes'


def told(browser):
    return browser.texts('#told')[0]


def look_at_flame(browser, ray):
    browser.open(ray.page)
    browser.key('3')
    equal('the flame graph', browser.state('view'), 'flame')
    boxes = browser.evaluate(BOXES)
    total = ray.samples()
    equal('its lowest box', boxes[0]['weight'], total)
    width = boxes[0]['width']
    for box in boxes:
        if abs(box['width'] - box['weight'] / total * width) > 0.01:
            sys.exit('%s is not %f wide' % (box, box['weight'] / total * width))
    third = [box for box in boxes if box['depth'] == 3]
    equal('boxes by depth 3', sorted(box['weight'] for box in third),
          sorted(n for key, n in ray.folded().items() if len(key) == 3 and n / total * width >= 0.3))
    deep = max(third, key=lambda box: box['width'])
    left, top, _ = browser.rectangle('canvas')
    browser.click_at(left + deep['left'] + 5, top + 3.5 * 20)
    equal('zoomed', [(box['name'], round(box['width'])) for box in browser.evaluate(BOXES) if box['depth'] == 3],
          [(deep['name'], round(width))])
    browser.key('Escape')
    equal('all of it', browser.state('zoom'), '0')
    look_at_cursor(browser, total)
    look_at_pictures(browser, ray)


def look_at_cursor(browser, total):
    """The flame graph by keys, and its order."""
    all_boxes = browser.evaluate(BOXES)
    tree = browser.of_model('const {parent, function: functions} = model.tree(true); return {parent, functions};')

    def inside(at):
        """The boxes on the one of AT, the greatest first."""
        return sorted((b for b in all_boxes if b['node'] and tree['parent'][b['node']] == at),
                      key=lambda b: (-b['weight'], b['left']))
    # That of the click before is taken back.
    browser.key('Escape')
    first = told(browser)
    browser.key('ArrowDown')
    equal('the cursor is on all', [told(browser) != first, thousands(total) + ' samples' in told(browser)],
          [True, True])
    at = 0
    # The cursor is wider than a box of a few samples, <broken> perhaps.
    while len(inside(at)) < 2 or inside(at)[1]['weight'] < total / 50:
        browser.key('ArrowDown')
        at = inside(at)[0]['node']
    below = next(b for b in all_boxes if b['node'] == at)
    one, other = inside(at)[:2]
    for key, box in (('ArrowDown', one), ('ArrowRight', other), ('ArrowLeft', one), ('ArrowLeft', one),
                     ('ArrowUp', below), ('ArrowDown', one), ('ArrowRight', other)):
        browser.key(key)
        equal(key, told(browser).split(': ')[0], box['name'])
    equal('its share and its samples', [text in told(browser) for text in (
        percent(other['weight'] / total), thousands(other['weight']) + ' samples')], [True, True])
    equal('it is chosen', browser.state('f'), str(tree['functions'][other['node']]))
    left, top, _ = browser.rectangle('canvas')
    seen = [a - b for a, b in zip(browser.rectangle('#cursor'), (left, top, 0))]
    equal('the cursor is as far from its box as a browser places', [abs(a - b) <= LAYOUT for a, b in zip(
        seen, [other['left'], other['depth'] * 20, max(3, other['width'])])], [True] * 3)
    for key, zoom in ('Enter', str(other['node'])), ('Escape', '0'):
        browser.key(key)
        equal('zoomed by ' + key, browser.state('zoom'), zoom)
    browser.key('Escape')
    equal('no cursor', [browser.evaluate('document.getElementById("cursor").hidden'), told(browser)], [True, first])
    browser.click('[data-boxes=name]')
    equal('the order in the address', 'boxes=name' in browser.evaluate('location.hash'), True)
    shown = [b['name'] for b in sorted(browser.evaluate(BOXES), key=lambda b: b['left']) if b['node']
             and tree['parent'][b['node']] == at]
    equal('by name', shown, sorted(b['name'] for b in inside(at)))
    browser.click('[data-boxes=weight]')


def copied_picture(browser, button):
    browser.click(button)
    return xml.fromstring(browser.copied())


def look_at_pictures(browser, ray):
    """What is copied of the flame graph and of the call graph."""
    boxes = browser.evaluate(BOXES)
    browser.catch_copies()

    def titles(svg):
        return [e.text.split('\n')[0] for e in svg.iter(SVG + 'title')]

    def marks(svg):
        return [e for e in svg.iter(SVG + 'rect') if e.get('height') == '3']
    svg = copied_picture(browser, '#svg')
    equal('elements of the picture', {e.tag for e in svg.iter()},
          {SVG + tag for tag in ('svg', 'g', 'rect', 'text', 'title')})
    equal('names in the picture', titles(svg), [b['name'] for b in boxes])
    equal('labels as text', [e.text for e in svg.iter(SVG + 'text')], [b['label'] for b in boxes if 'label' in b])
    equal('nothing is marked in it', marks(svg), [])
    browser.go(search='/^main$/')
    svg = copied_picture(browser, '#svg')
    equal('what was searched for is marked in it',
          [titles(box)[0] for box in svg.iter(SVG + 'g') if len(marks(box)) == 1], ['main'])
    browser.go(search='')
    browser.click('#folded')
    equal('stacks that are copied', browser.copied(), browser.evaluate('page.folded_text(page.profile())'))
    name = 'a<script>&"\x01'
    picture = browser.evaluate('''page.picture_text(page.flame_svg(
        [{left: 0, depth: 0, width: 90, fill: "red", label: %s}], 90, 20, {}, box => box.label))''' % json.dumps(name))
    equal('a hostile name', [e.text for e in xml.fromstring(picture).iter(SVG + 'text')],
          [name.replace('\x01', '\ufffd')])
    # What is searched for is told by a line, too, for those who do not see its colour.
    browser.open(ray.page, '#view=flame&search=%2F%5Emain%24')
    lines = browser.evaluate('''(function (canvas) {
        const ratio = canvas.width / canvas.clientWidth;
        const column = canvas.getContext('2d').getImageData(300 * ratio, 0, 1, 60 * ratio).data;
        return [17, 37, 57].map(y => column.slice(4 * y * ratio, 4 * y * ratio + 3).every(c => c === 17));
    })(document.querySelector('canvas'))''')
    equal('boxes with a line', lines, [False, True, False])
    browser.open(ray.page, '#view=graph&f=' + browser.number('shade'))
    svg = copied_picture(browser, '.bar-of button')
    equal('the picture of the graph has its colours', [e.get('fill') for e in svg.iter(SVG + 'path')][:1], ['none'])


def look_at_tree(browser, ray):
    browser.open(ray.page)
    browser.key('5')
    # A sample may have no known caller, so that main has not all.
    outermost = [n for stack, n in ray.folded().items() if len(stack) == 1]
    share = '#tree tr:nth-child(2) td:first-child'
    equal('the tree', browser.texts(share), [percent(max(outermost) / sum(outermost))])
    before = rows(browser)
    browser.click('#tree tr:nth-child(3)')
    equal('closed', len(rows(browser)) < len(before), True)
    browser.click('#tree tr:nth-child(3)')
    equal('opened again', rows(browser), before)
    look_at_rows(browser)
    browser.key('6')
    equal('from the bottom there is one share', browser.texts('#tree th'), ['share', 'function, called by'])
    most = max(ray.table().values(), key=lambda row: int(row['samples']))
    equal('bottom up', browser.texts(share), [percent(most['share'])])
    # What is searched for is seen, however deep it is.
    for name in 'box_slab', 'main':
        browser.open(ray.page, '#view=tree&search=%2F%5E' + name + '%24')
        equal('found', browser.evaluate('''(function (mark, main) {
            const box = mark.getBoundingClientRect();
            return [mark.textContent, box.top > main.top, box.bottom < main.bottom];
        })(document.querySelector('#tree mark'), document.getElementById('main').getBoundingClientRect())'''),
              [name, True, True])


def rows(browser):
    return browser.each('#tree tr[data-at]', 'Number(e.dataset.at)')


def look_at_rows(browser):
    """The tree by keys: each key, the row the cursor is on then, and whether all rows are there."""
    before = rows(browser)
    for key, at, is_open in (('ArrowDown', 2, True), ('ArrowDown', 3, True), ('ArrowUp', 2, True),
                             ('ArrowLeft', 2, False), ('ArrowRight', 2, True), ('ArrowRight', 3, True),
                             ('Enter', 3, False), ('Enter', 3, True), ('ArrowLeft', 3, False), ('ArrowLeft', 2, False),
                             ('ArrowRight', 3, False), ('ArrowRight', 3, True)):
        browser.key(key)
        got, cursor = rows(browser), browser.each('#tree tr.cursor', 'Number(e.dataset.at)')
        equal(key, [cursor, got == before if is_open else got[:3] == before[:3] and len(got) < len(before)],
              [[before[at]], True])
    equal('its function is chosen', browser.state('f'),
          str(browser.of_model('model.tree(true).function[%d]' % before[3])))
    for _ in before:
        browser.key('ArrowDown')
    equal('the last row is seen', browser.evaluate('''(function () {
        const [row, main] = ['tr.cursor', '#main'].map(of => document.querySelector(of).getBoundingClientRect());
        return [row.top >= main.top, row.bottom <= main.bottom + 1];
    })()'''), [True, True])


def look_at_matches(browser, ray):
    """The filter says how much it finds in a view of stacks: what is inside of another once."""
    names = [name for name in ray.table() if name.startswith('box_') or name == 'trace']
    stacks, own = ray.folded(), {}
    for stack, weight in stacks.items():
        own[stack] = own.get(stack, 0) + weight
        if len(stack) > 1:
            own[stack[:-1]] = own.get(stack[:-1], 0) - weight
    found = sum(weight for stack, weight in own.items() if any(name in names for name in stack))
    seen = {name for stack in stacks for name in stack if name in names}
    for view in 'flame', 'inverted', 'tree', 'bottom', 'treemap':
        browser.open(ray.page, '#view=%s&search=%%2F%%5E(box_%%7Ctrace%%24)' % view)
        equal('what the filter of %s finds' % view, browser.texts('#matched')[0].rsplit(', ', 1)[0],
              'filter: %d functions, %s' % (len(seen), percent(found / ray.samples())))
    browser.open(ray.page, '#view=flame')
    equal('without a filter', browser.texts('#matched'), [])


def look_at_areas(browser, ray):
    """The tree map."""
    browser.open(ray.page, '#view=treemap')
    boxes, parent = browser.evaluate('[%s, page.profile().tree(true).parent]' % BOXES)

    def covers(box, b):
        return b is not box and b['left'] >= box['left'] and b['top'] >= box['top'] and \
            b['left'] + b['width'] <= box['left'] + box['width'] + 0.01 and \
            b['top'] + b['height'] <= box['top'] + box['height'] + 0.01
    for box in boxes:
        # Those of one function are as large as their weights, but for what is drawn around.
        parts = [b for b in boxes if parent[b['node']] == box['node'] and covers(box, b)]
        if len(parts) > 1 and sum(b['weight'] for b in parts):
            share = [b['width'] * b['height'] / b['weight'] for b in parts]
            if max(share) > 1.02 * min(share):
                sys.exit('in %s areas are not as weights: %s' % (box['name'], share))
    equal('the largest area', (boxes[0]['left'], boxes[0]['top'], boxes[0]['weight']), (0, 0, ray.samples()))
    # What is searched for has a line around it.
    browser.open(ray.page, '#view=treemap&search=%2F%5Emain%24')
    inks = browser.evaluate('''(function (canvas) {
        const {width, height} = canvas, ratio = width / canvas.clientWidth;
        const all = canvas.getContext('2d').getImageData(0, 0, width, height).data;
        const start = (x, y) => 4 * (Math.floor(y * ratio) * width + Math.floor(x * ratio));
        const ink = (x, y) => all.slice(start(x, y), start(x, y) + 3).every(c => c === 17);
        return canvas.boxes.filter(b => b.width > 16 && b.height > 48)
            .map(b => [b.name, ink(b.left + 1, b.top + b.height / 2)]);
    })(document.querySelector('canvas'))''')
    equal('boxes with a line around', [name for name, ink in inks if ink], ['main'])
