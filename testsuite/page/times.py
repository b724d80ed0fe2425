# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses a range of time in a page of testsuite/runtime/times.c as a person would. What all views
then show is what the data file says, which is read here and not by mlprof."""

import json
import re
import sys

import mlmon
from check import equal, percent
from run import lines_of, output_of


class Data:
    """mlmon.out(5): samples as (thread, functions on the stack, bucket, count)."""

    def __init__(self, program, path):
        places = []
        for line in output_of('nm', '-S', program).splitlines():
            words = line.split()
            if len(words) == 4 and words[2] in 'tT':
                places.append((int(words[0], 16), int(words[0], 16) + int(words[1], 16), words[3]))
        self.samples, on = [], []
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
                continue
            here = next((n for low, high, n in places if module == '0' and low <= address < high), None)
            on[depth:] = [address if module == 'thread' else here]

    def counted(self, first, last, keep=lambda thread, names: True):
        """Samples in the buckets FIRST up to but not LAST."""
        return sum(count for thread, names, bucket, count in self.samples
                   if first <= bucket < last and keep(thread, names))

    def share(self, first, last, *called):
        """Without samples, as a busy machine may have a range, nothing has one."""
        total = self.counted(first, last)
        return percent(self.counted(first, last, lambda _, names: names.issuperset(called)) / total) if total else '-'


def look_at_others(browser, data, first, last):
    """The rows of other things than functions have what is in these buckets."""
    total = data.counted(first, last)
    threads = {}
    for thread, _, bucket, count in data.samples:
        if first <= bucket < last:
            threads[str(thread)] = threads.get(str(thread), 0) + count
    for of in 'copies', 'files', 'lines', 'expressions', 'threads':
        browser.go(view='summary', of=of, sort='cur')
        rows = browser.of_model('''const rows = data.groups.%s, [column] = page.summary_columns(model, page.state.of);
            return rows.name.map((name, r) => [texts[name], column.value(r), column.text(r)]);''' % of)
        equal('%s together' % of, sum(count for _, count, _ in rows), total)
        shown = browser.each('#summary tbody tr[data-at]', '[e.dataset.at, e.cells[0].textContent.replace("~", "")]')
        equal('their shares', [text for _, text in shown], [rows[int(r)][2] for r, _ in shown])
        equal('the first one', shown[0][1], '%.1f%%' % (100 * max(row[1] for row in rows) / total) if total else '-')
    equal('threads in the range', {re.search('[0-9]+', name)[0]: count for name, count, _ in rows if count}, threads)


def look_at_range(browser, data, first, last):
    """All views are of these buckets."""
    total, seconds = data.counted(first, last), data.width / 1e9
    equal('the range', sources_range(browser), [first, last])
    # Both in one unit.
    start, end = ('%g s' % round(n, 6) for n in (first * seconds, min(last * seconds, round(data.span / 1e9, 3))))
    equal('how it is called', browser.texts('#changes button')[0].startswith('time %s to %s of ' % (start, end)), True)
    browser.go(view='summary', sort='stack')
    heads, *rows = (row for row in browser.cells('#summary tr') if len(row) > 1)
    shares = {row[heads.index('functions')]: row[heads.index('total')] for row in rows}
    for name in 'part_a', 'part_b':
        equal('%s in the summary' % name, shares.get(name), data.share(first, last, name))
    told = browser.of_model("""const words = page.metrics_list(model).find(([name]) => name === 'calls')[1];
        const metric = {lines: new Map([[1, 5]]), text: String, whole: true, words};
        return page.source_tip(model, 0, 1, undefined, undefined, metric);""")
    equal('the whole run is told once', told, 'calls of functions (whole run): 5')
    equal('calls are marked', 'calls (whole run)' in heads and 'per call' not in heads, True)
    look_at_others(browser, data, first, last)
    browser.go(of='functions')
    for view in 'flame', 'treemap':
        browser.go(view=view)
        if total:
            equal('the view ' + view, browser.evaluate('document.querySelector("canvas").boxes[0].weight'), total)
        else:
            told = browser.texts('#main .empty')[0]
            equal('why there is nothing', told.startswith('Nothing is left of the stacks'), True)
    for view in 'tree', 'bottom':
        browser.go(view=view)
        equal(view, browser.of_model('model.tree(%s).weight[0]' % json.dumps(view == 'tree')), total)
    number = browser.number('burn')
    browser.go(view='callers', f=number)
    by = {row[-1]: row[0] for row in browser.cells('.split > div:first-child tbody tr[data-at]')}
    for name in 'part_a', 'part_b':
        # What was sampled in the parts themselves is not burn's.
        equal('%s called burn' % name, by.get(name, '0.0%' if total else '-'), data.share(first, last, name, 'burn'))
    browser.go(view='graph', least='0')
    equal('the graph', browser.of_model('(model.functions().get(%s) || {stack: 0}).stack' % number),
          data.counted(first, last, lambda _, names: 'burn' in names))
    browser.evaluate('page.go({view: "source", file: page.profile().data.functions.file[%s]})' % number)
    lines = browser.of_model('Array.from(model.lines(Number(page.state.file)).values()).reduce((n, l) => n + l.cur, 0)')
    if not min(1, total) <= lines <= total:
        sys.exit('%d samples in lines of %d' % (lines, total))


def sources_range(browser):
    return browser.of_model('[model.range.start, model.range.end]')


def look(browser, run):
    """The run's page was made without the correction of skid, which leaves stacks as they are."""
    data = Data(run.program, *run.data)
    buckets = data.span // data.width + 1
    browser.open(run.page)
    browser.key('0')
    equal('the view', browser.state('view'), 'time')
    look_at_tracks(browser, run, data, buckets)
    # By mouse, from a quarter to the middle. A mouse is at whole pixels; what is nearest to one is chosen.
    left, top, width = browser.rectangle('.track canvas')
    begin, end = int(left + width / 4), int(left + width / 2)
    first, last = (int((x - left) / width * buckets + 0.5) for x in (begin, end))
    browser.mouse('mousePressed', begin, top + 20)
    browser.mouse('mouseMoved', end - 9, top + 25)
    browser.mouse('mouseMoved', end, top + 25)
    equal('what is being chosen is seen', browser.evaluate('document.getElementById("span").hidden'), False)
    browser.mouse('mouseReleased', end, top + 25)
    equal('by mouse', sources_range(browser), [first, last])
    address = browser.evaluate('location.hash')
    look_at_range(browser, data, first, last)
    look_at_name(browser, run.page, first, last)
    browser.open(run.page, address, anew=True)
    equal('the address again', [browser.state('view'), *sources_range(browser)], ['time', first, last])
    browser.key('u')
    equal('taken back', browser.of_model('[model.range, model.kept]'), [None, data.counted(0, buckets)])
    # By keys: what they choose is a multiple of their step. The run has 40 buckets at least, of its CPU time.
    step = max(1, int(buckets / 100 + 0.5))
    browser.press('Home')
    browser.evaluate('page.time_cursor = %d' % (20 * step))
    for shift, key in [(False, 'ArrowRight')] * 3 + [(True, 'ArrowRight')] * 10 + [(True, 'ArrowLeft'),
                                                                                   (False, 'ArrowRight')]:
        browser.press(key, shift)
    look_at_range(browser, data, 24 * step, 33 * step)
    browser.go(view='time')
    browser.key('Escape')
    equal('taken back by Escape', browser.of_model('model.range'), None)
    # One thread alone, in a range.
    second = sorted({thread for thread, *_ in data.samples})[1]
    browser.click('.track:nth-child(3) button')
    browser.evaluate('page.range_choose(%d, %d)' % (first, last))
    equal('the second thread alone', browser.of_model('model.kept'),
          data.counted(first, last, lambda thread, _: thread == second))
    for wrong in '@x-y', '@9-1', '@99999999999999999999-5':
        browser.open(run.page, '#view=time&change=' + wrong.replace('@', '%40'))
        equal(wrong, 0 <= browser.of_model('model.kept') <= data.counted(0, buckets), True)


def look_at_tracks(browser, run, data, buckets):
    # A thread that was sampled before it began has a number of its own.
    threads = sorted({thread for thread, *_ in data.samples})
    equal('tracks', [name.split(' ', 2)[1] for name in browser.texts('.track-name button')], [str(n) for n in threads])
    equal('all samples', browser.of_model('model.tracks.map(t => t.bins.all.reduce((a, b) => a + b, 0))'),
          [data.counted(0, buckets, lambda thread, _, n=n: thread == n) for n in threads])
    equal('phases', browser.of_model('model.tracks.map(t => t.bins.bands.map(l => l.map(b => b.name)))'),
          [[['first half', 'second half']], [[]]])
    # Opaque, a little above its floor, is a track where it has samples: how many bins differ.
    equal('where tracks are drawn', browser.of_model('''
        return model.tracks.map(function ({bins, high}, t) {
            const canvas = document.querySelectorAll('.track canvas')[t], width = canvas.getBoundingClientRect().width;
            const axis = page.time_axis(model, width), scale = canvas.width / width, most = Math.max(...bins.all);
            const y = Math.floor((bins.bands.length * 14 + high - 3) * scale);
            const pixels = canvas.getContext('2d').getImageData(0, y, canvas.width, 1).data;
            return Array.from(bins.all).filter(function (count, bin) {
                const x = (axis.x(bin * axis.size) + axis.x(Math.min(axis.count, (bin + 1) * axis.size))) / 2;
                const seen = pixels[4 * Math.floor(x * scale) + 3] > 0;
                return count ? count > most / 4 && !seen : seen;
            }).length;
        });'''), [0] * len(threads))
    # Functions are told apart by more than their colours.
    equal('kinds of hatching', browser.evaluate('''new Set(Array.from({length: 8}, function (_, number) {
        const pen = page.make('canvas', {width: 16, height: 16}).getContext('2d');
        pen.fillStyle = page.hatch(pen, number, '#fff', '#000');
        pen.fillRect(0, 0, 16, 16);
        return pen.getImageData(0, 0, 16, 16).data.join();
    })).size'''), 8)
    equal('swatches', browser.count('#legend button .swatch') > 0, True)
    # By the rate that the file names: how short a phase may be.
    rate = next(int(line.split()[1]) for line in lines_of(run.data[0]) if line.startswith('rate '))
    equal('what is said of phases', ('one in %g ms of CPU time: a shorter phase may not be seen.' % (1000 / rate)) in
          browser.texts('#main > .empty')[0], True)


def look_at_name(browser, page, first, last):
    """A range is called something: the address, and what is copied, say so."""
    name = '0 <b>load&'
    browser.click('#range')
    browser.type(name)
    browser.key('Enter')
    equal('while it is typed nothing else is done', browser.state('view'), 'source')
    browser.open(page, browser.evaluate('location.hash'), anew=True)
    equal('its name', browser.texts('#changes button')[0].startswith('time %s: ' % name), True)
    equal('its field', browser.evaluate('document.getElementById("range").value'), name)
    equal('the range that has it', sources_range(browser), [first, last])
    head = browser.rows_of_csv('page.summary_columns(model, "functions")', '[]')
    equal('the head of what is copied', 'functions (%s: ' % name in head, True)
    browser.go(view='flame')
    title = browser.evaluate('''new DOMParser().parseFromString(page.picture_text(
        page.draw('svg', {viewBox: '0 0 1 1'})), 'image/svg+xml').querySelector('title').textContent''')
    equal('the title of a picture', title.split(', ')[1].startswith(name + ': '), True)


def look_at_nothing(browser, run):
    """The run was sampled so seldom that there are times without samples."""
    data = Data(run.program, *run.data)
    empty = next(bucket for bucket in range(data.span // data.width + 1) if not data.counted(bucket, bucket + 1))
    browser.open(run.page)
    browser.evaluate('page.range_choose(%d, %d)' % (empty, empty + 1))
    look_at_range(browser, data, empty, empty + 1)
