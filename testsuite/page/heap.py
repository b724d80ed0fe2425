# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a page tells of the heap what mlprof -heap does: heap.py MLPROF PROGRAM DATA PAGE [BOTH]

PAGE is of the heap, BOTH of the time, too. For each measure, in bytes and in blocks: the functions of the summary, their
order of bytes, the table of all measures, stacks, and lines, which are told by pprof's format."""

import csv
import functools
import io
import json
import os
import subprocess
import sys

from browser import window
from looks import equal, heads_told, number_of, state

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'formats'))
import pprof

mlprof, program, data, page = sys.argv[1:5]
COLUMNS = {'live': 'live', 'peak': 'peak', 'total': 'all', 'temporary': 'temp', 'lifetimes': 'freed'}
LAST = 'lifetimes'
# As pprof's sample types begin.
TYPES = {'live': 'inuse', 'peak': 'peak', 'total': 'alloc', 'temporary': 'temporary', 'lifetimes': 'freed'}


@functools.cache
def output_of(*words):
    return subprocess.run([mlprof, *words, program, data], capture_output=True, text=True, check=True).stdout


def percent(part, total):
    return '%.1f%%' % (100 * part / total) if total else '-'


@functools.cache
def told(word):
    """By function what mlprof tells: own and stack, of bytes and of blocks."""
    column, rows = COLUMNS[word], {}
    for row in csv.DictReader(io.StringIO(output_of('-heap', 'live', '-csv', '-'))):
        own = {unit: int(row[column + '_' + unit]) for unit in ('bytes', 'blocks')}
        stack = {unit: int(row[column + '_stack_' + unit]) for unit in ('bytes', 'blocks')}
        if stack['bytes'] or stack['blocks']:
            assert row['function'] not in rows, row['function']
            rows[row['function']] = own, stack
    return rows


@functools.cache
def types_told(word):
    """By type the blocks and bytes that mlprof tells."""
    rows = csv.DictReader(io.StringIO(output_of('-heap', 'live', '-by', 'type', '-csv', '-')))
    own = {row['name']: {unit: int(row[COLUMNS[word] + '_' + unit]) for unit in ('bytes', 'blocks')} for row in rows}
    return {name: of for name, of in own.items() if of['bytes'] or of['blocks']}


def types_shown(browser):
    rows = {row['types']: {unit: int(row[unit].replace(',', '')) for unit in ('bytes', 'blocks')} for row in summary(browser, 'types')}
    return {name: of for name, of in rows.items() if of['bytes'] or of['blocks']}


def thousands(number):
    return '{:,}'.format(number)


def summary(browser, of):
    text = browser.evaluate('''(function () {
        const model = page.profile(), of = %r, columns = page.summary_columns(model, of);
        const table = of === 'functions' ? model.data.functions : model.data.groups[of];
        columns.count = table.name.length;
        columns.has = r => table.stack[r] > 0 || table.blocks[r] > 0;
        return page.csv_text(columns, page.summary_rows(columns, of === 'functions' ? model.stand : null));
    })()''' % of)
    return list(csv.DictReader(io.StringIO(text)))


def stacks(text):
    """Of each stack how deep it is and what it has: how long a name must be depends on what else is shown."""
    return sorted((line.count(';'), line.rsplit(' ', 1)[1]) for line in text.splitlines())


def try_measure(browser, word, unit, address):
    other = 'blocks' if unit == 'bytes' else 'bytes'
    want = told(word)
    total = sum(own[unit] for own, _ in want.values())
    got = {row['functions']: row for row in summary(browser, 'functions')}
    assert set(got) == set(want), (address, set(got) ^ set(want))
    for name, (own, stack) in want.items():
        row = got[name]
        assert (row['share'], row[unit], row['stack'], row[other]) == (
            percent(own[unit], total), thousands(own[unit]), percent(stack[unit], total), thousands(own[other])), (address, row, own, stack)
    shares = [int(row[unit].replace(',', '')) for row in summary(browser, 'functions')]
    equal('%s: %d functions, those with most first' % (address, len(got)), shares == sorted(shares, reverse=True), True)
    equal('types', types_shown(browser) == types_told(word) or (types_shown(browser), types_told(word)), True)
    # Stacks.
    if unit == 'bytes':
        ours = stacks(browser.evaluate('page.folded_text(page.profile())'))
        equal('stacks', ours == stacks(output_of('-heap', word, '-folded', '-')) or ours, True)
    # Lines.
    output_of('-heap', word, '-pprof', word + '.pb.gz')
    profile = pprof.Profile(word + '.pb.gz')
    kind = TYPES[word] + ('_space' if unit == 'bytes' else '_objects')
    lines = {}
    for (_, file, line), (own, _) in profile.line_values(kind).items():
        if own and line:
            lines['%s:%d' % (file, line)] = lines.get('%s:%d' % (file, line), 0) + own
    ours = {}
    for row in summary(browser, 'lines'):
        if row[unit] != '0' and row['place']:
            ours[row['place']] = ours.get(row['place'], 0) + int(row[unit].replace(',', ''))
    equal('lines with some of their own', ours == lines or (ours, lines), True)
    coloured = browser.evaluate('''Array.from(page.profile().data.files.path.keys()).flatMap(function (file) {
        const model = page.profile(), metric = page.metrics_of(model, file, %r);
        return Array.from(metric.lines, ([line, value]) => [model.last(model.path(file)) + ':' + line, value]);
    })''' % other)
    got = {}
    for place, value in coloured:
        got[place] = got.get(place, 0) + value
    equal('lines coloured by ' + other, sum(got.values()), sum(own[other] for own, _ in want.values()))


def try_table(browser):
    """The view of the heap has all measures side by side."""
    browser.key('v')
    equal('v leads to the heap', state(browser, 'view'), 'heap')
    heads_told(browser)
    text = browser.evaluate('''(function () {
        const model = page.profile(), columns = page.heap_columns(model);
        return JSON.stringify(page.heap_rows(model, columns).map(f => Object.fromEntries(columns.map(c => [c.id, c.value(f)]))));
    })()''')
    got = {row.pop('name'): row for row in json.loads(text)}
    want = {row['function']: row for row in csv.DictReader(io.StringIO(output_of('-heap', 'live', '-csv', '-')))}
    equal('rows of the heap', len(got) == len(want) and len(got) > 3, True)
    for name, row in got.items():
        for column, value in row.items():
            assert int(want[name][column]) == value, (name, column, value, want[name])
    equal('columns of the heap', len(row), 3 * len(COLUMNS))


def try_times(browser, page):
    """A range of time that is chosen has what -range tells; what all views show is of it."""
    rows = list(csv.DictReader(io.StringIO(output_of('-heap-times', '-csv', '-'))))
    count, width = len(rows), float(rows[1]['seconds']) - float(rows[0]['seconds'])
    browser.open(page, '#heap=total&view=heap')
    for column, ours in (('made_bytes', 'made'), ('left_bytes', 'left'), ('alive_bytes', 'alive'), ('most_bytes', 'most')):
        equal('by bucket ' + ours, browser.evaluate('Array.from(page.heaptimes_sums(page.profile().data.heap).%s)' % ours), [int(row[column]) for row in rows])
    equal('no range', [browser.evaluate('document.getElementById("when").hidden'), browser.evaluate('document.getElementById("until")')], [True, None])
    whole = told('total')
    middle = count // 2
    for word, until, ask in (('total', '', 'total'), ('live', '', 'leaks'), ('live', 'range', 'live')):
        for first, last in ((0, middle), (middle, count)):
            address = '#heap=%s&when=%d-%d&until=%s' % (word, first, last, until)
            browser.open(page, address)
            asked = '%.4f-%.4f' % ((first + 0.1) * width, (last - 0.1) * width)
            want = {}
            # Names in full: how they are shortened depends on which ones there are.
            for row in csv.DictReader(io.StringIO(output_of('-heap', ask, '-range', asked, '-names', 'full', '-csv', '-'))):
                own = [int(row[COLUMNS[word] + of]) for of in ('_bytes', '_blocks', '_stack_bytes')]
                if own[0] or own[1] or own[2]:
                    want[row['function']] = own
            got = json.loads(browser.evaluate('''(function () {
                const model = page.profile(), {functions} = model.data, told = {};
                model.functions().forEach(function (group, f) {
                    if (group.stack || functions.blocks[f])
                        told[model.full(f)] = [functions.bytes[f], functions.blocks[f], functions.stack[f]];
                });
                return JSON.stringify(told);
            })()'''))
            equal('%s of %d functions' % (address, len(want)), got == want or [got, want], True)
    assert len(whole) > 3
    equal('views that have no room beside the range are in the menu',
          browser.evaluate('(nav => nav.scrollWidth <= nav.clientWidth)(document.getElementById("views"))'), True)
    # By keys: Shift makes a range, arrows move it, Escape takes it back.
    browser.open(page, '#heap=live&view=heap')
    browser.evaluate('document.activeElement.blur()')
    press = '''document.body.dispatchEvent(new KeyboardEvent("keydown", {key: %r, shiftKey: %s, bubbles: true}))'''
    for key, shift, want in (('ArrowRight', 'true', '0-1'), ('ArrowRight', 'true', '0-2'), ('ArrowRight', 'false', '1-3'), ('ArrowLeft', 'true', '1-2'),
                             ('End', 'false', '%d-%d' % (count - 1, count)), ('Home', 'false', '0-1')):
        browser.evaluate(press % (key, shift))
        equal(key, state(browser, 'when'), want)
    equal('what is told of it', browser.evaluate('page.profile().data.heap.what').endswith(', of what was allocated at ' + browser.texts('#when')[0].split(' ')[0] + ' s'), True)
    browser.evaluate(press % ('Escape', 'false'))
    equal('Escape', state(browser, 'when'), '')
    # By mouse, from the second bucket to the middle one.
    browser.evaluate('''(function () {
        const canvas = document.querySelector("#time .track canvas"), box = canvas.getBoundingClientRect();
        const mouse = (type, of, at) => of.dispatchEvent(new MouseEvent(type, {bubbles: true, clientX: box.left + box.width * at / %d, clientY: box.top + 9}));
        mouse("mousedown", canvas, 1.5);
        mouse("mousemove", document, 3);
        mouse("mouseup", document, %d - 0.5);
    })()''' % (count, middle))
    equal('drag', state(browser, 'when'), '1-%d' % middle)
    browser.evaluate('document.getElementById("until").click()')
    equal('a button', [state(browser, 'until'), browser.texts('#until')], ['range', ['alive at the end of the range']])
    browser.evaluate('page.go({heap: "peak"})')
    equal('of the peak no range is known', browser.evaluate('document.getElementById("measure").value'), 'live')
    browser.evaluate('document.getElementById("when").click()')
    equal('all again', [state(browser, 'when'), browser.evaluate('document.getElementById("measure").value')], ['', 'peak'])


def try_words(browser, page):
    for word in COLUMNS:
        for unit in 'bytes', 'blocks':
            address = word if unit == 'bytes' else word + '-blocks'
            browser.open(page, '#heap=' + address)
            equal('the menu', browser.evaluate('document.getElementById("measure").value'), address)
            try_measure(browser, word, unit, address)


with window() as browser:
    browser.open(page)
    equal('the views of the heap', [name for name in browser.evaluate('Object.keys(page.views)') if name in ('heap', 'time', 'allocations', 'flame')],
          ['flame', 'heap'])
    try_words(browser, page)
    browser.open(page, '#heap=peak&view=flame')
    try_table(browser)
    try_times(browser, page)
    # What is chosen is told of what the transforms leave, too.
    browser.open(page, '#heap=' + LAST)
    name = max(told(LAST), key=lambda name: (told(LAST)[name][0]['bytes'], name))
    browser.evaluate('page.go({f: %s})' % number_of(browser, name))
    browser.key('h')
    equal('types of what is hidden', [browser.evaluate('page.profile().hides') and True, types_shown(browser) == types_told(LAST)], [True, True])
    browser.evaluate('page.go({change: ""})')
    browser.key('f')
    equal('what focus leaves', browser.evaluate('page.profile().kept'), told(LAST)[name][1]['bytes'])
    browser.key('z')
    equal('behind the last comes the first', state(browser, 'heap') or browser.evaluate('page.profile().data.heap.shown'), 'live')
    for complaint in browser.complaints():
        sys.exit('the browser complains: ' + complaint)
    if len(sys.argv) > 5:
        both = sys.argv[5]
        browser.open(both)
        equal('time is shown first', [browser.evaluate('document.getElementById("measure").value'), browser.evaluate('page.profile().data.measure')],
              ['', 'samples'])
        try_words(browser, both)
        # The function and its file stay what they are.
        browser.open(both, '#heap=peak')
        browser.evaluate('page.go({f: %s, view: "callers"})' % number_of(browser, 'main'))
        browser.evaluate('''(function () {
            const menu = document.getElementById("measure");
            menu.value = "";
            menu.dispatchEvent(new Event("change"));
        })()''')
        equal('main stays main', [browser.evaluate('page.profile().name(Number(page.state.f))'), state(browser, 'view'), state(browser, 'heap')],
              ['main', 'callers', ''])
        for step in *COLUMNS, '':
            browser.key('z')
            equal('z goes on', state(browser, 'heap'), step)
        # What a view has nothing of it says.
        browser.key('v')
        equal('what of the heap', browser.texts('.empty button'), ['live at the end, bytes', 'live at the end, blocks', 'peak, bytes', 'peak, blocks', 'total, bytes', 'total, blocks',
              'temporary, bytes', 'temporary, blocks', 'freed, bytes', 'freed, blocks'])
        browser.evaluate('document.querySelector(".empty [data-heap=peak]").click()')
        equal('a button chooses', [state(browser, 'heap'), browser.texts('#changes-of th')[:3]], ['peak', ['live', 'blocks', 'stack']])
        browser.key('0')
        equal('no time of the heap', browser.texts('.empty'), ['Time does not tell of the heap: time '])
        # Sources are there once.
        browser.open(both, '#heap=live&view=source&f=0')
        equal('source of the heap', browser.evaluate('page.profile().data.files.text.filter(text => text !== null).length > 2'), True)
        for complaint in browser.complaints():
            sys.exit('the browser complains: ' + complaint)
