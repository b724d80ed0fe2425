# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks around in a page of the ray tracer as a person would: views.py PAGE MLPROF PROGRAM DATA MISSING
PAGE PROGRAM DATA: MISSING is a page of a program whose source is gone, the last three are for times.py.
What it finds must agree with the tables of mlprof, and with itself."""

import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as xml

import dials
import times
from browser import window

page, mlprof, program, data, missing, *timed = sys.argv[1:]


def rows_of(*options):
    """mlprof's rows by these options."""
    text = subprocess.run([mlprof, '-csv', '-', *options, program, data], capture_output=True, text=True,
                          check=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def table(*options):
    """The functions, by name."""
    return {row['function']: row for row in rows_of(*options)}


def percent(share):
    return '%.1f%%' % (100 * float(share))


def equal(what, got, want):
    if got != want:
        sys.exit('%s: %r, not %r' % (what, got, want))
    print('%s: %s' % (what, got))


def state(browser, name):
    return browser.evaluate('page.state[%s]' % json.dumps(name))


def number_of(browser, name):
    return str(browser.evaluate('page.data.data.functions.name.findIndex(n => page.data.data.texts[n] === %s)'
                                % json.dumps(name)))


def summary(browser):
    """Name and share of the rows that are shown."""
    return [(row[-2], row[0]) for row in browser.evaluate(
        'Array.from(document.querySelectorAll("#summary tr[data-row]"), row => Array.from(row.cells, c => c.textContent))')]


def try_summary(browser):
    functions = table()
    most = max(functions.values(), key=lambda row: int(row['samples']))
    equal('the first row', summary(browser)[0], (most['function'], percent(most['share'])))
    tip = browser.evaluate('''(function () {
        const heads = Array.from(document.querySelectorAll('#summary th'), e => e.dataset.sort), row = document.querySelector('#summary tr[data-row]');
        return ['stack', 'amount'].map(id => row.cells[heads.indexOf(id)].title);
    })()''')
    seconds = sum(int(row['time_ns']) for row in functions.values()) / 1e9
    equal('the ranges of stack and of seconds', tip, ['95%% range %.1f-%.1f%%' % tuple(100 * float(most['stack_share_' + end]) for end in ('least', 'most')),
          '95%% range %.2f-%.2f s' % tuple(seconds * float(most['share_' + end]) for end in ('least', 'most'))])
    equal('heights of rows', browser.evaluate('''Array.from(new Set(Array.from(
        document.querySelectorAll('#summary tr[data-row]'), e => e.getBoundingClientRect().height)))'''), [24])
    browser.click('th[data-sort=calls]')
    most = max(functions.values(), key=lambda row: int(row['calls'] or 0))
    equal('sorted by calls', summary(browser)[0][0], most['function'])
    browser.click('th[data-sort=name]')
    equal('sorted by name', [name for name, _ in summary(browser)][:5], sorted(functions)[:5])
    browser.evaluate('history.back()')
    browser.wait('page.state.sort === "calls"')
    equal('back', summary(browser)[0][0], most['function'])
    browser.key('/')
    browser.type('vec_')
    equal('filtered', sorted(name for name, _ in summary(browser)), sorted(n for n in functions if 'vec_' in n))
    browser.evaluate('document.getElementById("search").value = ""')
    browser.type('/^box_(hit|slab)$/')
    equal('by a regular expression', sorted(name for name, _ in summary(browser)), ['box_hit', 'box_slab'])
    equal('nothing is wrong with it', browser.evaluate('document.getElementById("wrong").hidden'), True)
    address = browser.evaluate('location.hash')
    browser.evaluate('page.go({search: "/box_("})')
    equal('what is wrong is told', browser.texts('#wrong:not([hidden])')[0].startswith('nothing matches: '), True)
    browser.open(page, address)
    equal('the address again', sorted(name for name, _ in summary(browser)), ['box_hit', 'box_slab'])
    browser.open(page)
    browser.click('button[data-of=modules]')
    equal('modules', [share for _, share in summary(browser)], ['100.0%'])
    browser.evaluate('page.go({of: "functions"})')


def try_source(browser):
    first = browser.texts('#summary tr[data-row] td.name')[0]
    browser.click('#summary tr[data-row]')
    equal('the view behind a row', state(browser, 'view'), 'source')
    line = int(table()[first]['line'])
    equal('the line that is marked', browser.texts('.here .number'), [str(line)])
    text = open(table()[first]['file'], encoding='utf-8').read().split('\n')
    equal('its text', browser.texts('.here .text'), [text[line - 1]])
    # Lines of the file, as -by line has them.
    lines = {}
    for row in rows_of('-by', 'line'):
        if row['file'] == table()[first]['file'] and row['place'].startswith(row['file'] + ': '):
            lines[row['place'].rsplit(': ', 1)[1]] = row
    # Only lines in view are there: all of them are seen on the way to the end.
    shown = {}
    browser.evaluate('document.querySelector(".top").scrollTop = 0')
    while True:
        browser.wait_frame()
        shown.update(browser.evaluate('''Array.from(document.querySelectorAll('pre.source div[data-line]'), e =>
            [e.dataset.line, e.querySelector('.cost').textContent])'''))
        if browser.evaluate('''(function () { const top = document.querySelector('.top'), was = top.scrollTop;
            top.scrollTop += top.clientHeight; return top.scrollTop === was; })()'''):
            break
    equal('height of a line', browser.evaluate('''(function () {
        const rows = Array.from(document.querySelectorAll('pre.source div[data-line]'), e => e.getBoundingClientRect().top);
        return new Set(rows.slice(1).map((top, i) => top - rows[i])).values().next().value;
    })()'''), 20)
    equal('lines seen', sorted(map(int, shown)), list(range(1, len(text) + 1)))
    shown = [[line, cost] for line, cost in shown.items() if cost]
    equal('lines with samples', sorted(shown), sorted([n, percent(r['share'])] for n, r in lines.items() if int(r['samples'])))
    # Found by the filter: the next one.
    browser.key('/')
    browser.type('return')
    browser.key('Enter')
    found = [i for i, line in enumerate(text, 1) if 'return' in line.lower()]
    browser.evaluate('page.go({line: "%d"}, true)' % found[0])
    browser.key('n')
    equal('the next line found', state(browser, 'line'), str(found[1]))
    browser.key('N')
    browser.key('N')
    equal('the one before the first', state(browser, 'line'), str(found[-1]))
    browser.key('/')
    browser.key('Escape')
    equal('no filter', state(browser, 'search'), '')
    # An expression: what its copies have is what it has.
    # One that is not all covered by what is in it, and has a column.
    for most in browser.evaluate('''Array.from(page.data.expressions(Number(page.state.file)))
        .sort((a, b) => b[1].cur - a[1].cur).map(e => e[0])'''):
        browser.evaluate('page.go({line: page.data.data.positions.line[%d]})' % most)
        if browser.texts('span.e[data-position="%d"]' % most):
            break
    browser.click('span.e[data-position="%d"]' % most)
    chosen = int(state(browser, 'position'))
    equal('the expression that was clicked', chosen, most)
    cur = browser.evaluate('page.data.expressions(Number(page.state.file)).get(%d).cur' % chosen)
    copies = browser.evaluate('''page.source_copies(page.data,
        page.data.expressions(Number(page.state.file)).get(%d)).map(c => c.cur)''' % chosen)
    equal('the sum of the copies', sum(copies), cur)
    equal('rows of copies', len(browser.texts('#copies tr')), len(copies))
    equal('the expression that is marked', browser.evaluate('document.querySelectorAll("span.chosen").length > 0'), True)


def try_metrics(browser):
    """The source by other metrics, and of one copy alone."""
    browser.open(page, '#view=source&by=each&f=' + number_of(browser, 'box_hit'))
    file = table()['box_hit']['file']
    lines = {row['place'].rsplit(': ', 1)[1]: row for row in rows_of('-by', 'line')
             if row['file'] == file and row['place'].startswith(file + ': ')}
    shown = {row[0]: row[1] for row in browser.evaluate('''Array.from(document.querySelectorAll('pre.source [data-line]'), e =>
        [e.dataset.line, e.querySelectorAll('.count')[1].textContent])''') if row[1]}
    equal('some lines have the time of one execution', len(shown) > 5, True)
    for number, told in shown.items():
        value, unit = told.split()
        seconds = float(value) * {'s': 1, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9, 'ps': 1e-12}[unit]
        want = int(lines[number]['time_ns']) / 1e9 / int(lines[number]['executions'])
        if abs(seconds / want - 1) > 0.01:
            sys.exit('line %s takes %s, not %g s' % (number, told, want))
    # The line of box_slab with most: one of its copies.
    line = max((n for n in lines if n in shown), key=lambda n: int(lines[n]['samples']))
    browser.click('pre.source [data-line="%s"] .number' % line)
    copies = browser.evaluate('''Array.from(document.querySelectorAll('#copies tr'), row => [row.dataset.copy, row.cells[1].textContent])''')
    browser.click('#copies tr:first-child')
    equal('the copy', state(browser, 'copy'), copies[0][0])
    equal('what it alone has on the line', browser.texts('.here .cost')[0], copies[0][1])
    browser.click('#only button')
    equal('all copies', browser.texts('.here .cost')[0], percent(lines[line]['share']))
    browser.open(missing, '#view=source')
    told = browser.texts('pre.source .empty')
    equal('where a missing file was looked for', [word in told[0] for word in ('/gone.c, ', 'elsewhere/gone.c;')], [True, True])
    browser.open(page)


def instructions_of(function):
    """The instructions of a function as objdump has them: address, operation, target of a jump."""
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', '--disassemble=' + function, program],
                          capture_output=True, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        address, tab, rest = line.partition(':\t')
        if tab and rest.strip():
            words = rest.split()
            found.append((address.strip(), words[0], words[1] if words[0][0] == 'j' else ''))
    return found


def try_assembly(browser):
    copies = sorted(int(row['samples']) for row in rows_of('-by', 'copy') if int(row['samples']))
    equal('samples of copies, from their instructions', browser.evaluate('''(function () {
        const of = page.assembly_code(page.data), code = page.data.data.code, own = new Float64Array(of.amount.length);
        of.counts.forEach((count, i) => { if (code.insns.part[i] >= 0) own[code.insns.part[i]] += count; });
        return Array.from(own).filter(count => count).sort((a, b) => a - b);
    })()'''), copies)
    browser.open(page, '#view=source&f=' + number_of(browser, 'box_hit'))
    browser.evaluate('page.go({file: page.data.data.functions.file[Number(page.state.f)]})')
    browser.key('a')
    equal('assembly', state(browser, 'asm'), '1')
    part = browser.evaluate('''page.data.data.code.parts.function.findIndex((f, part) =>
        f === Number(page.state.f) && page.data.data.code.parts.parent[part] < 0)''')
    browser.evaluate('page.go({part: -2})')
    equal('all are closed', browser.evaluate('document.querySelectorAll("#assembly .insns").length'), 0)
    browser.click('#assembly h3[data-part="%d"]' % part)
    shown = browser.evaluate('''Array.from(document.querySelectorAll('#assembly [data-insn]'), row =>
        [row.querySelector('.address').textContent, row.querySelector('.text').textContent.split(' ')])''')
    browser.evaluate('document.getElementById("assembly").scrollTop = 0')
    browser.wait('document.querySelector("#assembly [data-insn]").dataset.insn === String(page.assembly_rows(page.data, %d)[0].insn)' % part)
    known = {row[0] for row in shown}
    shown = [row for row in browser.evaluate('''Array.from(document.querySelectorAll('#assembly [data-insn]'), row =>
        [row.querySelector('.address').textContent, row.querySelector('.text').textContent.split(' ')])''')
             if row[0] not in known] + shown
    theirs = instructions_of('box_hit')
    equal('their addresses', [row[0] for row in shown], [row[0] for row in theirs])
    # objdump calls some by other names: jbe is jna.
    same = sum(ours[1][0][:2] == their[1][:2] for ours, their in zip(shown, theirs))
    equal('their operations, but for the odd one', same >= 0.9 * len(theirs), True)
    at = {row[0] for row in theirs}
    equal('jumps within', sorted(browser.evaluate('''Array.from(document.querySelectorAll('svg.jumps path'), path =>
        [path.dataset.from, path.dataset.to].map(i => page.assembly_code(page.data).address[i].toString(16)))''')),
          sorted([address, to] for address, _, to in theirs if to in at))
    # A line marks its instructions, whatever copies they are in; an instruction its line.
    line = browser.evaluate('page.data.data.functions.line[Number(page.state.f)]')
    browser.click('pre.source div[data-line="%d"] .number' % line)
    places = browser.evaluate('''Array.from(document.querySelectorAll('#assembly .here'), row =>
        page.data.data.code.places.line[page.data.data.code.insns.place[row.dataset.insn]])''')
    equal('lines of marked instructions', set(places), {line})
    browser.click('#assembly h3')
    browser.click('#assembly h3')
    insn = browser.evaluate('''document.querySelector('#assembly [data-insn]:not(.here)').dataset.insn''')
    browser.click('#assembly [data-insn="%s"]' % insn)
    equal('the line of the instruction', browser.texts('.here .number'), [str(browser.evaluate(
        'page.data.data.code.places.line[page.data.data.code.insns.place[%s]]' % insn))])
    equal('it is chosen', browser.evaluate('document.querySelector("#assembly .chosen").dataset.insn'), insn)


def try_cursor(browser, total):
    """The flame graph by keys; its order; its picture."""
    all_boxes = browser.evaluate('document.querySelector("canvas").boxes')
    tree = browser.evaluate('(function () { const t = page.data.tree(true); return {parent: t.parent, function: t.function}; })()')
    below = lambda at: sorted((b for b in all_boxes if b['at'] and tree['parent'][b['at']] == at), key=lambda b: (-b['weight'], b['left']))
    # That of the click before is taken back.
    browser.key('Escape')
    first = browser.texts('#told')[0]
    browser.key('ArrowDown')
    told = browser.texts('#told')[0]
    equal('the cursor is on all', [told != first, 'samples' in told, '%s samples' % format(total, ',') in told], [True, True, True])
    at = 0
    while len(below(at)) < 2:
        browser.key('ArrowDown')
        at = below(at)[0]['at']
    one, other = below(at)[:2]
    for key, box in ('ArrowDown', one), ('ArrowRight', other), ('ArrowLeft', one), ('ArrowLeft', one), ('ArrowRight', other):
        browser.key(key)
        equal(key, browser.texts('#told')[0].split(': ')[0], box['name'])
    told = browser.texts('#told')[0]
    equal('its share and its samples', [percent(other['weight'] / total) in told, '%s samples' % format(other['weight'], ',') in told], [True, True])
    equal('it is chosen', state(browser, 'f'), str(tree['function'][other['at']]))
    equal('it is seen', browser.evaluate('''(function () {
        const c = document.getElementById('cursor').getBoundingClientRect(), r = document.querySelector('canvas').getBoundingClientRect();
        return [Math.round(c.left - r.left), Math.round(c.top - r.top), Math.round(c.width)];
    })()'''), [round(other['left']), other['depth'] * 20, max(3, round(other['width']))])
    browser.key('Enter')
    equal('Enter zooms', state(browser, 'zoom'), str(other['at']))
    browser.key('Escape')
    equal('Escape shows all', state(browser, 'zoom'), '0')
    browser.key('ArrowUp')
    equal('up', browser.texts('#told')[0].split(': ')[0], next(b['name'] for b in all_boxes if b['at'] == at))
    browser.key('Escape')
    equal('no cursor', [browser.evaluate('document.getElementById("cursor").hidden'), browser.texts('#told')[0]], [True, first])
    browser.evaluate('void (page.copy = (text, name) => { page.got = text; })')
    browser.click('#svg')
    svg = xml.fromstring(browser.evaluate('page.got'))
    space = '{http://www.w3.org/2000/svg}'
    equal('elements of the picture', {e.tag for e in svg.iter()}, {space + tag for tag in ('svg', 'g', 'rect', 'text', 'title')})
    equal('names in the picture', [e.text.split('\n')[0] for e in svg.iter(space + 'title')], [b['name'] for b in all_boxes])
    equal('labels as text', [e.text for e in svg.iter(space + 'text')], [b['label'] for b in all_boxes if 'label' in b])
    name = 'a<script>&"\x01'
    picture = browser.evaluate('page.picture(page.flame_svg([{left: 0, depth: 0, width: 90, fill: "red", label: %s}], 90, 20, {}, box => box.label))'
                               % json.dumps(name))
    equal('a hostile name', [e.text for e in xml.fromstring(picture).iter(space + 'text')], [name.replace('\x01', '\ufffd')])
    browser.click('[data-order=name]')
    equal('the order in the address', 'boxes=name' in browser.evaluate('location.hash'), True)
    shown = browser.evaluate('document.querySelector("canvas").boxes.filter(b => page.data.tree(true).parent[b.at] === %d).sort((a, b) => a.left - b.left).map(b => b.name)' % at)
    equal('by name', [shown, len(shown)], [sorted(b['name'] for b in below(at)), len(below(at))])
    browser.click('[data-order=weight]')
    # What is searched for is told by a line, too, for those who do not see its colour.
    browser.open(page, '#view=flame&search=%2F%5Emain%24')
    lines = browser.evaluate('''(function () {
        const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d'), ratio = canvas.width / canvas.clientWidth;
        const column = pen.getImageData(300 * ratio, 0, 1, 60 * ratio).data, ink = y => column.slice(4 * y * ratio, 4 * y * ratio + 3).every(c => c === 17);
        return [17, 37, 57].map(ink);
    })()''')
    equal('boxes with a line', lines, [False, True, False])
    browser.open(page, '#view=graph&f=' + number_of(browser, 'shade'))
    browser.evaluate('void (page.copy = (text, name) => { page.got = text; })')
    browser.click('.bar-of button')
    svg = xml.fromstring(browser.evaluate('page.got'))
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
    equal('its function is chosen', state(browser, 'f'), str(browser.evaluate('page.data.tree(true).function[%d]' % before[3])))
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


def try_graphs(browser):
    browser.open(page)
    browser.key('3')
    equal('the flame graph', state(browser, 'view'), 'flame')
    boxes = browser.evaluate('document.querySelector("canvas").boxes.map(b => [b.name, b.depth, b.left, b.width, b.weight])')
    total = sum(int(row['samples']) for row in table().values())
    equal('its lowest box', boxes[0][4], total)
    width = boxes[0][3]
    for name, depth, left, wide, weight in boxes:
        if abs(wide - weight / total * width) > 0.01:
            sys.exit('%s is %f wide, not %f' % (name, wide, weight / total * width))
    folded = {}
    for row in subprocess.run([mlprof, '-folded', '-', program, data], capture_output=True, text=True,
                              check=True).stdout.splitlines():
        stack, count = row.rsplit(' ', 1)
        for depth in range(1, len(stack.split(';')) + 1):
            key = tuple(stack.split(';')[:depth])
            folded[key] = folded.get(key, 0) + int(count)
    equal('boxes by depth 3', sorted(b[4] for b in boxes if b[1] == 3),
          sorted(n for key, n in folded.items() if len(key) == 3 and n / total * width >= 0.3))
    deep = max((b for b in boxes if b[1] == 3), key=lambda b: b[3])
    where = browser.evaluate('(function () { const r = document.querySelector("canvas").getBoundingClientRect(); return [r.left, r.top]; })()')
    browser.click_at(where[0] + deep[2] + 5, where[1] + 3.5 * 20)
    zoomed = browser.evaluate('document.querySelector("canvas").boxes.map(b => [b.name, b.depth, b.width])')
    equal('zoomed', [(n, round(w)) for n, d, w in zoomed if d == 3], [(deep[0], round(width))])
    browser.key('Escape')
    equal('all of it', state(browser, 'zoom'), '0')
    try_cursor(browser, total)
    browser.key('5')
    equal('the tree', browser.texts('#tree tr:nth-child(2) td:first-child'), ['100.0%'])
    count = len(browser.texts('#tree tr[data-at]'))
    browser.click('#tree tr:nth-child(3)')
    equal('closed', len(browser.texts('#tree tr[data-at]')) < count, True)
    browser.click('#tree tr:nth-child(3)')
    equal('opened again', len(browser.texts('#tree tr[data-at]')), count)
    try_rows(browser)
    browser.key('6')
    most = max(table().values(), key=lambda row: int(row['samples']))
    equal('bottom up', browser.texts('#tree tr:nth-child(2) td:first-child'), [percent(most['share'])])


def try_callers(browser):
    browser.open(page, '#view=callers&f=' + number_of(browser, 'blocked_below'))
    callers = {}
    total = sum(int(row['samples']) for row in table().values())
    for row in rows_of('-callers', '^blocked_below'):
        callers[row['caller'] or '<outside>'] = (percent(int(row['samples']) / total), '{:,}'.format(int(row['calls'])) if row['calls'] else '-')
    rows = browser.evaluate('''Array.from(document.querySelectorAll('.split > div:first-child tbody tr'), row =>
        Array.from(row.cells, c => c.textContent))''')
    equal('callers', {row[2]: (row[0], row[1]) for row in rows}, callers)
    browser.click('.split > div:first-child tbody tr:last-child')
    equal('gone to the caller', browser.evaluate('page.data.name(Number(page.state.f))'), rows[-1][2])


def try_areas(browser):
    browser.open(page, '#view=treemap')
    boxes, parent = browser.evaluate('[document.querySelector("canvas").boxes, page.data.tree(true).parent]')
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
          (0, 0, sum(int(row['samples']) for row in table().values())))


def try_graph(browser):
    browser.open(page, '#view=graph&least=0&f=' + number_of(browser, 'blocked_below'))
    callers = {row['caller'] for row in rows_of('-callers', '^blocked_below') if row['caller']}
    shown = set(browser.evaluate('''Array.from(document.querySelectorAll('#graph g.box'),
        g => page.data.name(Number(g.dataset.f)))'''))
    equal('callers in the graph', sorted(callers & shown), sorted(callers))
    before = len(shown)
    browser.evaluate('page.go({least: "10"})')
    shown = browser.evaluate('''Array.from(document.querySelectorAll('#graph g.box'),
        g => page.data.name(Number(g.dataset.f)))''')
    equal('fewer from 10 % on', len(shown) < before, True)
    stack = table()
    small = [name for name in shown if float(stack[name]['stack_share']) < 0.1]
    equal('none of them less', small, [])
    name = next(n for n in shown if n != 'blocked_below')
    browser.click('#graph g.box[data-f="%s"]' % number_of(browser, name))
    equal('gone to', browser.evaluate('page.data.name(Number(page.state.f))'), name)


def try_transforms(browser):
    browser.open(page, '#f=' + number_of(browser, 'shade'))
    browser.key('f')
    want = table('-focus', '^shade$')
    total = sum(int(row['samples']) for row in want.values())
    equal('samples in focus', browser.evaluate('page.data.kept'), total)
    ours = {name: share for name, share in summary(browser)}
    for name, row in want.items():
        if int(row['samples']) and name in ours:
            if ours[name] != percent(row['share']):
                sys.exit('in focus %s has %s, not %s' % (name, ours[name], percent(row['share'])))
    browser.key('r')
    browser.key('3')
    again = browser.evaluate('''(function () {
        const tree = page.data.tree(true);
        return tree.function.some((f, at) => at > 0 && tree.parent[at] > 0 && tree.function[tree.parent[at]] === f);
    })()''')
    equal('a function that calls itself is left', again, False)
    equal('what is told of the transforms', [t.split(' ')[0] for t in browser.texts('#changes button')], ['focus', 'recursion'])
    browser.key('u')
    browser.key('u')
    equal('taken back', browser.evaluate('page.data.kept'), sum(int(row['samples']) for row in table().values()))


def try_groups(browser):
    functions, files = table(), {}
    for row in functions.values():
        files[row['file'].rsplit('/', 1)[-1]] = files.get(row['file'].rsplit('/', 1)[-1], 0) + int(row['samples'])
    total = sum(files.values())
    browser.open(page)
    browser.key('b')
    equal('put together by', browser.evaluate('document.getElementById("group").value'), 'gfile')
    shown = dict(summary(browser))
    equal('by file', shown, {name or only: percent(count / total) for name, count in files.items()
                            for only in [next(n for n, row in functions.items() if row['file'].endswith(name))]})
    browser.key('3')
    equal('a file that calls itself in the flame graph', browser.evaluate('''(function () {
        const tree = page.data.tree(true);
        return tree.function.filter((f, at) => at > 0 && tree.parent[at] > 0 && tree.function[tree.parent[at]] === f).length;
    })()'''), 0)
    browser.key('7')
    names = browser.texts('.split td.name')
    equal('neighbours are files', [name for name in names if name not in files and name != '<outside>'], [])
    browser.key('b')
    browser.key('b')
    equal('by module', browser.evaluate('page.state.change'), 'gmodule')
    browser.key('u')
    equal('by function again', browser.evaluate('page.state.change'), '')
    for name, want in (('shop::Index<std::map<int, a::b>, V>::add', 'shop::Index'), ('std::operator<<<char>', 'std'), ('main', ''),
                       ('a::b::operator->', 'a::b'), ('unsigned int std::__invoke<int (a::b)>(c::d)', 'std'),
                       ('(anonymous namespace)::f', '(anonymous namespace)'), ('operator new', ''), ('x<y>::z<w>::f(a::b)', 'x::z')):
        equal('class of ' + name, browser.evaluate('page.groups_class(%s)' % json.dumps(name)), want)


def try_hidden(browser):
    browser.open(page, '#change=.%2F%5Ebox_hit%24%2F')
    rows = browser.evaluate('Array.from(page.data.functions(), ([f, group]) => [page.data.name(f), group.cur])')
    equal('hidden', [name for name, _ in rows if name == 'box_hit'] + [n for n, _ in summary(browser) if n == 'box_hit'], [])
    equal('nothing is lost', sum(cur for _, cur in rows), sum(int(row['samples']) for row in table().values()))
    # Without it, whom it called is called by its callers.
    browser.open(page, '#change=.%2F%5Ebox_hit%24%2F&view=callers&f=' + number_of(browser, 'box_slab'))
    callers = browser.texts('.split > div:first-child td.name')
    equal('callers of what it called', 'box_hit' not in callers and {'blocked_below', 'nearest_below'} <= set(callers), True)


def try_names(browser):
    for name, room, want in (('std::map<int, std::pair<a, b>>::operator[]', 12, 'operator[]'),
                             ('std::map<int>::operator<', 15, 'operator<'), ('main.lambda (t.cc:22)', 12, 'main.lambda\u2026'),
                             ('a::b::operator->', 13, 'operator->'), ('f<int>', 3, 'f'), ('<outside>', 5, '<out\u2026'),
                             ('std::function<double (int)>::operator()', 40, 'std::function<double (int)>::operator()')):
        equal('%s in %d' % (name, room), browser.evaluate('page.shorten(%s, %d)' % (json.dumps(name), room)), want)


def try_ends(browser):
    # An expression of two lines, from `a' to the macro's name: its second line begins at its first word.
    parts = browser.evaluate('''(function () {
        const data = {positions: {line: [1], column: [5], start_line: [1], start_column: [5], end_line: [2], end_column: [5]}};
        return Array.from(page.source_ranges({data: data}, new Map([[0, {}]]), ['x = a +', '    NAME;'])).map(
            ([line, parts]) => [line, parts[0].from, parts[0].to]);
    })()''')
    equal('an expression in two lines', parts, [[1, 4, 7], [2, 4, 8]])
    for text, start, want in (('if (a > (b)) c', 3, '(a > (b))'), ('near = 0', 0, 'near'), ('a + b', 2, '+'), ('f((x', 1, '((x')):
        equal('what begins at %d of %s' % (start, text), browser.evaluate('%s.slice(%d, page.source_end(%s, %d))' % (
            json.dumps(text), start, json.dumps(text), start)), want)


def try_numbers(browser):
    for value in 6.25, 6.35, 31.25, 0.05, 18.75, 0.25, 100, 0.125, 2.5:
        for digits in 0, 1, 2:
            if browser.evaluate('page.fixed(%r, %d)' % (value, digits)) != '%.*f' % (digits, value):
                sys.exit('%r with %d decimals is %s' % (value, digits, browser.evaluate('page.fixed(%r, %d)' % (value, digits))))
    print('numbers are rounded as C does')


def try_habits(browser):
    browser.key('?')
    equal('the help', browser.evaluate('document.getElementById("sheet").open'), True)
    browser.key('Escape')
    browser.evaluate('document.getElementById("sheet").close()')
    dark = browser.evaluate('document.body.classList.contains("dark")')
    browser.key('t')
    equal('dark is light', browser.evaluate('document.body.classList.contains("dark")'), not dark)
    equal('without DecompressionStream', browser.evaluate('''(async function () {
        const native = JSON.stringify(await page.read());
        page.plain = true;
        return JSON.stringify(await page.read()) === native;
    })()'''), True)


with window() as browser:
    browser.open(page)
    try_summary(browser)
    try_source(browser)
    try_assembly(browser)
    try_metrics(browser)
    try_graphs(browser)
    try_callers(browser)
    try_areas(browser)
    try_graph(browser)
    try_transforms(browser)
    try_groups(browser)
    try_hidden(browser)
    try_names(browser)
    try_ends(browser)
    try_numbers(browser)
    try_habits(browser)
    dials.try_dials(browser)
    dials.try_source(browser)
    dials.try_queens(browser)
    times.look(browser, *timed)
    equal('complaints of the browser', browser.complaints(), [])
