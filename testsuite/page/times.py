# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses a range of time in a page of testsuite/runtime/times.c as a person would. What all views
then show is what the data file says, which is read here and not by mlprof."""

import json
import os
import re
import subprocess
import sys

import mlmon
from looks import equal, number_of, percent


class Data:
    """mlmon.out(5): samples as (thread, functions on the stack, bucket, count), and in the same order
    as the innermost places in the program that mlprof -where knows, (function, file, line, column),
    and whether the sample was there or in a library that was called there."""

    def __init__(self, program, path):
        places = []
        for line in subprocess.run(['nm', '-S', program], capture_output=True, text=True, check=True).stdout.splitlines():
            words = line.split()
            if len(words) == 4 and words[2] in 'tT':
                places.append((int(words[0], 16), int(words[0], 16) + int(words[1], 16), words[3]))
        self.samples, self.places, on, points = [], [], [], []
        lines = mlmon.of_program(path)
        self.width, self.span = (int(n) for n in next(words for words in lines if words[0] == 'times')[1:])
        start = next(i for i, words in enumerate(lines) if words[0] == 'counts')
        for words in lines[start + 1:]:
            if not words[0].isdigit() or len(words) != 4:
                break
            depth, module, address, count = words
            depth, address = int(depth), int(address, 16)
            if module == 'time':
                self.samples.append((on[0], {n for n in on[1:depth] if n}, address, int(count)))
                self.places.append(tuple(point for point in points[1:depth]))
                continue
            here = next((n for low, high, n in places if module == '0' and low <= address < high), None)
            on[depth:] = [address if module == 'thread' else here]
            points[depth:] = [address if module == '0' else None]
        known = self.where(program, sorted({point for stack in self.places for point in stack if point}))
        self.places = [next(((known[point], point is stack[-1]) for point in reversed(stack) if point in known), (None, False))
                       for stack in self.places]

    @staticmethod
    def where(program, addresses):
        run = subprocess.run([os.environ['MLPROF'], '-where', program], input=''.join('%x\n' % a for a in addresses),
                             capture_output=True, text=True, check=True)
        found = (re.match(r'0x([0-9a-f]+): (\S+) (?:\S*/)?(\S+):(\d+):(\d+)', line) for line in run.stdout.splitlines())
        return {int(at[1], 16): (at[2], at[3], int(at[4]), int(at[5])) for at in found if at}

    def counted(self, first, last, keep=lambda thread, names: True):
        """Samples in the buckets FIRST up to but not LAST."""
        return sum(count for thread, names, bucket, count in self.samples
                   if first <= bucket < last and keep(thread, names))

    def share(self, first, last, *called):
        """Without samples, as a busy machine may have a range, nothing has one."""
        total = self.counted(first, last)
        return percent(self.counted(first, last, lambda _, names: names.issuperset(called)) / total) if total else '-'


# By what the table has rows of, what is told of a sample's thread and place, and of a row.
OTHERS = {'copies': (lambda thread, place: place and place[0], 'model.data.texts[rows.name[r]]'),
          'files': (lambda thread, place: place and place[1], 'model.last(model.data.texts[rows.name[r]])'),
          'lines': (lambda thread, place: place and '%s:%d' % place[1:3], 'model.last(model.path(rows.file[r])) + ":" + rows.line[r]'),
          'expressions': (lambda thread, place: place and '%s:%d:%d' % place[1:4],
                          'model.last(model.path(rows.file[r])) + ":" + rows.line[r] + ":" + rows.column[r]'),
          'threads': (lambda thread, place: str(thread), 'model.data.texts[rows.name[r]].match(/[0-9]+|$/)[0]')}


def others(browser, data, first, last):
    """The rows of other things than functions have what is in these buckets."""
    total = data.counted(first, last)
    for of, (told, row) in OTHERS.items():
        # What was sampled in libraries may be theirs or that of the place that called them.
        least, most = {}, {}
        for (thread, _, bucket, count), (place, there) in zip(data.samples, data.places):
            key = told(thread, place)
            if key and first <= bucket < last:
                least[key] = least.get(key, 0) + (count if there or of == 'threads' else 0)
                most[key] = most.get(key, 0) + count
        browser.evaluate('page.go({view: "summary", of: %s, sort: "cur"})' % json.dumps(of))
        rows = browser.evaluate('''(function () {
            const model = page.profile(), rows = model.data.groups[page.state.of], columns = page.summary_columns(model, page.state.of);
            return rows.name.map((_, r) => [%s, columns[0].value(r), columns[0].text(r)]);
        })()''' % row)
        got = {}
        for key, count, _ in rows:
            if count:
                got[key] = got.get(key, 0) + count
        equal('%s in the range' % of, [(key, least[key], got.get(key, 0), most[key]) for key in most
                                       if not least[key] <= got.get(key, 0) <= most[key]], [])
        equal('%s together' % of, sum(got.values()), total)
        shown = browser.evaluate('Array.from(document.querySelectorAll("#summary tbody tr[data-row]"), row => [row.dataset.row, row.cells[0].textContent.replace("~", "")])')
        equal('their shares', [text for _, text in shown], [rows[int(r)][2] for r, _ in shown])
        equal('the first one', shown[0][1], percent(max(row[1] for row in rows) / total) if total else '-')


def press(browser, key, shift=False):
    browser.evaluate('document.dispatchEvent(new KeyboardEvent("keydown", {key: %s, shiftKey: %s, bubbles: true}))'
                     % (json.dumps(key), json.dumps(shift)))


def summary(browser):
    """By function the share in the column stack; and the heads."""
    rows = browser.evaluate('''Array.from(document.querySelectorAll('#summary tr'), row => Array.from(row.cells, c => c.textContent))
        .filter(row => row.length > 1)''')
    heads = rows[0]
    return heads, {row[heads.index('functions')]: row[heads.index('stack')] for row in rows[1:]}


def chosen(browser, data, first, last):
    """All views are of these buckets."""
    total, seconds = data.counted(first, last), data.width / 1e9
    equal('the range', browser.evaluate('[page.profile().range.from, page.profile().range.to]'), [first, last])
    label = browser.texts('#changes button')[0]
    # Both in one unit.
    start, end = ('%g s' % round(n, 6) for n in (first * seconds, min(last * seconds, round(data.span / 1e9, 3))))
    if not label.startswith('time %s to %s of ' % (start, end)):
        sys.exit('it says %r, not %s to %s' % (label, start, end))
    browser.evaluate('page.go({view: "summary", sort: "stack"})')
    heads, shares = summary(browser)
    for name in 'part_a', 'part_b':
        equal('%s in the summary' % name, shares.get(name), data.share(first, last, name))
    told = browser.evaluate("""page.source_told(page.profile(), 0, 1, undefined, undefined, {lines: new Map([[1, 5]]), text: String,
        whole: true, words: page.metrics_list(page.profile()).find(([name]) => name === 'calls')[1]})""")
    equal('the whole run is told once', told, 'calls of functions (whole run): 5')
    equal('calls are marked', 'calls (whole run)' in heads and 'per call' not in heads, True)
    others(browser, data, first, last)
    browser.evaluate('page.go({of: "functions"})')
    for view in 'flame', 'treemap':
        browser.evaluate('page.go({view: "%s"})' % view)
        equal('the view %s, or why it has nothing' % view, browser.evaluate('''document.querySelector("canvas") ?
            document.querySelector("canvas").boxes[0].weight :
            document.querySelector("#main .empty").textContent.startsWith("Nothing is left of the stacks") ? 0 : -1'''), total)
    for view in 'tree', 'bottom':
        browser.evaluate('page.go({view: "%s"})' % view)
        equal(view, browser.evaluate('page.profile().tree(%s).weight[0]' % json.dumps(view == 'tree')), total)
    number = number_of(browser, 'burn')
    browser.evaluate('page.go({view: "callers", f: %s})' % number)
    rows = browser.evaluate('''Array.from(document.querySelectorAll('.split > div:first-child tbody tr'), row =>
        [row.lastElementChild.textContent, row.cells[0].textContent])''')
    by = dict(rows)
    for name in 'part_a', 'part_b':
        # What was sampled in the parts themselves is not burn's.
        equal('%s called burn' % name, by.get(name, '0.0%' if total else '-'), data.share(first, last, name, 'burn'))
    browser.evaluate('page.go({view: "graph", least: "0"})')
    equal('the graph', browser.evaluate('(page.profile().functions().get(%s) || {stack: 0}).stack' % number),
          data.counted(first, last, lambda _, names: 'burn' in names))
    browser.evaluate('page.go({view: "source", file: page.profile().data.functions.file[%s]})' % number)
    lines = browser.evaluate('Array.from(page.profile().lines(Number(page.state.file)).values()).reduce((n, l) => n + l.cur, 0)')
    if not min(1, total) <= lines <= total:
        sys.exit('%d samples in lines of %d' % (lines, total))


def look(browser, page, program, path):
    """PAGE was made without the correction of skid, which leaves stacks as they are."""
    data = Data(program, path)
    buckets = data.span // data.width + 1
    browser.open(page)
    browser.key('0')
    equal('the view', browser.evaluate('page.state.view'), 'time')
    # A thread that was sampled before it began has a number of its own.
    threads = sorted({thread for thread, *_ in data.samples})
    equal('tracks', [name.split(' ', 2)[1] for name in browser.texts('.track-name button')], [str(n) for n in threads])
    equal('all samples', browser.evaluate('page.profile().tracks.map(t => t.bins.all.reduce((a, b) => a + b, 0))'),
          [data.counted(0, buckets, lambda thread, _, n=n: thread == n) for n in threads])
    equal('phases', browser.evaluate('page.profile().tracks.map(t => t.bins.bands.map(l => l.map(b => b.name)))'),
          [[['first half', 'second half']], [[]]])
    # Functions are told apart by more than their colours.
    equal('kinds of hatching', browser.evaluate('''new Set(Array.from({length: 8}, function (_, number) {
        const pen = page.make('canvas', {width: 16, height: 16}).getContext('2d');
        pen.fillStyle = page.hatch(pen, number, '#fff', '#000');
        pen.fillRect(0, 0, 16, 16);
        return pen.getImageData(0, 0, 16, 16).data.join();
    })).size'''), 8)
    equal('swatches', len(browser.texts('#legend button .swatch')) > 0, True)
    # By the rate that the file names: how short a phase may be.
    rate = next(int(line.split()[1]) for line in open(path, encoding='utf-8') if line.startswith('rate '))
    equal('what is said of phases', ('one in %g ms of CPU time: a shorter phase may not be seen.' % (1000 / rate)) in
          browser.evaluate('document.querySelector("#main > .empty").textContent'), True)
    # By mouse, from a quarter to the middle.
    left, top, width = browser.evaluate('''(function () { const r = document.querySelector('.track canvas').getBoundingClientRect();
        return [r.left, r.top, r.width]; })()''')
    # A mouse is at whole pixels; what is nearest to one is chosen.
    begin, end = int(left + width / 4), int(left + width / 2)
    first, last = (int((x - left) / width * buckets + 0.5) for x in (begin, end))
    browser.mouse('mousePressed', begin, top + 20)
    browser.mouse('mouseMoved', end - 9, top + 25)
    browser.mouse('mouseMoved', end, top + 25)
    equal('what is being chosen is seen', browser.evaluate('document.getElementById("span").hidden'), False)
    browser.mouse('mouseReleased', end, top + 25)
    equal('by mouse', browser.evaluate('[page.profile().range.from, page.profile().range.to]'), [first, last])
    address = browser.evaluate('location.hash')
    chosen(browser, data, first, last)
    # It is called something: the address, and what is copied, say so.
    browser.click('#range')
    browser.type('0 <b>load&')
    browser.key('Enter')
    equal('while it is typed nothing else is done', browser.evaluate('page.state.view'), 'source')
    named = browser.evaluate('location.hash')
    browser.open(page, named)
    equal('its name', browser.texts('#changes button')[0].startswith('time 0 <b>load&: '), True)
    equal('its field', browser.evaluate('document.getElementById("range").value'), '0 <b>load&')
    equal('the range that has it', browser.evaluate('[page.profile().range.from, page.profile().range.to]'), [first, last])
    equal('the head of what is copied', browser.evaluate(
        'page.csv_text(page.summary_columns(page.profile(), "functions"), []).includes("functions (0 <b>load&: ")'), True)
    browser.evaluate('page.go({view: "flame"})')
    equal('the title of a picture', browser.evaluate('''(function () {
        const svg = page.draw('svg', {viewBox: '0 0 1 1'});
        return new DOMParser().parseFromString(page.picture_text(svg), 'image/svg+xml').querySelector('title').textContent;
    })()''').split(', ')[1].startswith('0 <b>load&: '), True)
    browser.open(page, address)
    equal('the address again', browser.evaluate('[page.state.view, page.profile().range.from, page.profile().range.to]'), ['time', first, last])
    browser.key('u')
    equal('taken back', browser.evaluate('[page.profile().range, page.profile().kept]'), [None, data.counted(0, buckets)])
    # By keys: what they choose is a multiple of their step.
    step = max(1, int(buckets / 100 + 0.5))
    press(browser, 'Home')
    browser.evaluate('page.time_cursor = %d' % (40 * step))
    for _ in range(3):
        press(browser, 'ArrowRight')
    for _ in range(10):
        press(browser, 'ArrowRight', True)
    press(browser, 'ArrowLeft', True)
    press(browser, 'ArrowRight')
    chosen(browser, data, 44 * step, 53 * step)
    browser.evaluate('page.go({view: "time"})')
    browser.key('Escape')
    equal('taken back by Escape', browser.evaluate('page.profile().range'), None)
    # One thread alone, in a range.
    browser.click('.track:nth-child(3) button')
    browser.evaluate('page.range_choose(%d, %d)' % (first, last))
    equal('the second thread alone', browser.evaluate('page.profile().kept'), data.counted(first, last, lambda thread, _: thread == threads[1]))
    for wrong in '@', '@x-y', '@9-1', '@1e9-2', '@0.000001-0.000001', '@99999999999999999999-5':
        browser.open(page, '#view=time&change=' + wrong.replace('@', '%40'))
        kept = browser.evaluate('page.profile().kept')
        if not 0 <= kept <= data.counted(0, buckets):
            sys.exit('%s: %r' % (wrong, kept))


def look_at_nothing(browser, page, program, path):
    """PAGE is of a run that was sampled so seldom that there are times without samples."""
    data = Data(program, path)
    empty = next(bucket for bucket in range(data.span // data.width + 1) if not data.counted(bucket, bucket + 1))
    browser.open(page)
    browser.evaluate('page.range_choose(%d, %d)' % (empty, empty + 1))
    chosen(browser, data, empty, empty + 1)
