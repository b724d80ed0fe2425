# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at a page's view of the calls of regions in time order, as a person would. What it shows is what
the data file says, which is read here and not by mlprof."""

import json

import mlmon
from looks import equal, state


class Data:
    """mlmon.out(5): calls as (thread, path, start, end), nanoseconds."""

    def __init__(self, path):
        lines = mlmon.of_program(path)
        hz = next(int(words[2]) for words in lines if words[0] == 'regions')
        self.names = [' '.join(words[4:]).replace('\\\\', '\\') for words in lines if words[0] == 'region']
        threads = {words[1]: 'thread ' + ' '.join(words[1:]) for words in lines if words[0] == 'thread'}
        self.paths, self.all = [], 0
        for words in lines:
            if words[0] == 'path':
                self.paths.append((self.paths[int(words[1])] if words[1] != '-' else []) + [self.names[int(words[2])]])
                self.all += int(words[3])

        def time(ticks):
            return (ticks * 10**9 + hz // 2) // hz
        self.least = next(time(int(words[1])) for words in lines if words[0] == 'events')
        self.calls, self.numbers = [], {}
        for words in lines:
            if words[0] == 'event':
                thread = 'other threads' if words[1] == '0' else threads.get(words[1], 'thread ' + words[1])
                start, length = int(words[3]), int(words[4])
                self.numbers[thread] = int(words[1]) or 1 << 64
                self.calls.append((thread, ' > '.join(self.paths[int(words[2])]), time(start), time(start + length)))

        self.samples, self.width = [], 0
        labels = {int(words[1]): ' '.join(words[2:]) for words in lines if words[0] == 'label'}
        on = []
        for words in lines:
            if words[0] == 'times':
                self.width, self.span = int(words[1]), int(words[2])
            elif words[0].isdigit() and len(words) == 4 and words[2].startswith('0x'):
                on[int(words[0]):] = [labels.get(int(words[2], 16)) if words[1] == 'label' else
                                      'thread %d' % int(words[2], 16) if words[1] == 'thread' else None]
                if words[1] == 'time':
                    self.samples.append((on[0], set(on[1:int(words[0])]) - {None}, int(words[2], 16), int(words[3])))

    def sampled(self, first, last, thread=None, label=None):
        """Samples in buckets from FIRST up to but not LAST, of one thread or in one region."""
        return sum(count for of, labels, bucket, count in self.samples if first <= bucket < last and
                   (not thread or thread.startswith(of + ' ')) and (not label or label in labels))

    def within(self, start, end):
        return [call for call in self.calls if call[3] > start and call[2] < end]


def press(browser, key, shift=False):
    browser.evaluate('document.dispatchEvent(new KeyboardEvent("keydown", {key: %s, shiftKey: %s, bubbles: true}))'
                     % (json.dumps(key), json.dumps(shift)))


def span(browser, end):
    return [int(n) for n in state(browser, 'span').split('-')] if state(browser, 'span') else [0, end]


def drawn(browser):
    """What is in the boxes of the canvases: how many calls, and boxes."""
    return browser.evaluate('''page.profile().lanes.map(lane => lane.boxes.reduce((sum, box) => [sum[0] + box.count, sum[1] + 1], [0, 0]))
        .reduce((a, b) => [a[0] + b[0], a[1] + b[1]])''')


def calls(browser):
    return [tuple(call) for call in browser.evaluate('''(function () {
        const of = page.profile().data.regions, e = of.events;
        return e.start.map((start, i) => [of.lanes[e.lane[i]], of.paths[e.path[i]].name, start, e.end[i]]);
    })()''')]


def rows(browser):
    """Calls of a row do not overlap, and stand as deep as their paths at least."""
    wrong = browser.evaluate('''(function () {
        const of = page.profile().data.regions, e = of.events, wrong = [], last = new Map();
        for (let i = 0; i < e.start.length; i++) {
            const key = e.lane[i] + ' ' + e.row[i];
            if (last.has(key) && last.get(key) > e.start[i] || e.row[i] < of.paths[e.path[i]].name.split(' > ').length - 1) wrong.push(i);
            last.set(key, e.end[i]);
        }
        return wrong;
    })()''')
    equal('calls above each other', wrong, [])


def box_at(browser, what, order='0'):
    """Where the box is that WHAT, of box, says, the one with most of ORDER; its call."""
    return browser.evaluate('''(function () {
        let found = null;
        for (const [i, lane] of page.profile().lanes.entries())
            for (const box of lane.boxes)
                if ((%s) && !(found && found.most >= (%s)))
                    found = {i: i, box: box, most: (%s)};
        const {i, box} = found;
        const r = document.querySelector('.track[data-lane="' + i + '"] canvas').getBoundingClientRect();
        return [Math.floor(r.left + box.left + box.width / 2), r.top + 3 + box.row * 17 + 8, box.call, box.count];
    })()''' % (what, order, order))


def look(browser, page, path, table):
    """TABLE: the rows of mlprof -regions, as CSV."""
    data = Data(path)
    browser.open(page, '#view=regions')
    browser.key('k')
    equal('the view', state(browser, 'view'), 'tracks')
    names = sorted(data.numbers, key=data.numbers.get)
    equal('tracks', browser.evaluate('Array.from(document.querySelectorAll(".track-name"), e => e.firstChild.textContent)'), names)
    if sorted(calls(browser)) != sorted(data.calls):
        raise SystemExit('not the calls: %s' % sorted(set(calls(browser)) ^ set(data.calls))[:9])
    rows(browser)
    longest = dict(browser.evaluate('''(function () {
        const of = page.profile().data.regions, e = of.events, most = new Map();
        e.length.forEach((length, i) => {
            const name = of.names[of.region_of[e.path[i]]].name;
            most.set(name, Math.max(length, most.get(name) || 0));
        });
        return Array.from(most);
    })()'''))
    for row in table:
        if row['region'] in longest and abs(longest[row['region']] - float(row['max_ns'])) > 0.51:
            raise SystemExit('%s: %r is not the longest, %s' % (row['region'], longest[row['region']], row['max_ns']))
    equal('regions that have a longest call', sorted(longest), sorted(row['region'] for row in table))
    note = browser.evaluate('document.querySelector("#main > .empty").textContent')
    equal('what is not there is told', '{:,} of {:,} calls are here: those of less than {}ns'.format(len(data.calls), data.all, data.least) in note, True)
    end = browser.evaluate('page.tracks_end(page.profile())')
    equal('all are drawn', drawn(browser)[0], len(data.calls))
    equal('in fewer boxes', drawn(browser)[1] < len(data.calls) / 2, True)
    x, y, call, count = box_at(browser, 'box.count > 5')
    browser.mouse('mouseMoved', x, y)
    equal('the tip of several', browser.evaluate('document.getElementById("tip").textContent').startswith('%d calls, each narrower than a pixel' % count), True)
    # A call that is wide enough is chosen by mouse, and looked at closer.
    x, y, call, _ = box_at(browser, 'box.count === 1 && box.row === 1 && box.width > 30')
    browser.mouse('mouseMoved', x, y)
    thread, name, start, stop = calls(browser)[call]
    told = browser.evaluate('document.getElementById("tip").textContent').split('\n')
    equal('the tip', [told[0], told[1], told[3]], [name.split(' > ')[-1], name, thread])
    browser.click_at(x, y)
    equal('the chosen one', state(browser, 'call'), str(call))
    equal('what is told of it', browser.evaluate('document.getElementById("told").textContent').startswith(name.split(' > ')[-1]), True)
    press(browser, 'Enter')
    size = stop - start
    equal('zoomed to it', all(abs(a - b) <= 1 for a, b in zip(span(browser, end), [start - size / 10, stop + size / 10])), True)
    equal('what is drawn then', drawn(browser)[0], len(data.within(*span(browser, end))))
    press(browser, 'ArrowDown')
    inside = calls(browser)[int(state(browser, 'call'))]
    equal('a call inside', [inside[0], inside[1].startswith(name + ' > '), start <= inside[2] and inside[3] <= stop], [thread, True, True])
    press(browser, 'ArrowUp')
    equal('around it again', state(browser, 'call'), str(call))
    press(browser, 'ArrowRight')
    beside = calls(browser)[int(state(browser, 'call'))]
    equal('the next one', [beside[0], beside[2:] == min(c[2:] for c in data.calls if c[0] == thread and c[1] == name and c[2] >= stop)], [thread, True])
    before = span(browser, end)
    press(browser, '-')
    equal('farther', abs((span(browser, end)[1] - span(browser, end)[0]) / (before[1] - before[0]) - 2) < 0.01, True)
    press(browser, '+')
    before = span(browser, end)
    press(browser, '.')
    equal('moved', abs(span(browser, end)[0] - before[0] - (before[1] - before[0]) / 5) <= 1, True)
    # The wheel, with Ctrl about the pointer, with Shift along.
    def wheel(x, **keys):
        browser.evaluate("""(function () {
            const r = document.querySelector('.track canvas').getBoundingClientRect();
            document.getElementById('time').dispatchEvent(new WheelEvent('wheel',
                Object.assign({clientX: r.left + r.width * %g, deltaY: -100, bubbles: true, cancelable: true}, %s)));
        })()""" % (x, json.dumps(keys)))
    before = span(browser, end)
    wheel(0.25, ctrlKey=True)
    now, size = span(browser, end), before[1] - before[0]
    equal('closer about the pointer', [round((now[0] - before[0]) / size, 2), round((now[1] - before[1]) / size, 2)], [0.05, -0.15])
    wheel(0.25, shiftKey=True)
    equal('along', round((span(browser, end)[0] - now[0]) / (now[1] - now[0]), 2), -0.1)
    now = span(browser, end)
    wheel(0.25)
    equal('the wheel alone scrolls', span(browser, end), now)
    browser.click('#histogram-of')
    equal('all its calls', [state(browser, 'view'), browser.texts('.plot h2')], ['regions', [beside[1].split(' > ')[-1]]])
    browser.click('#tracked')
    equal('and in time order', [state(browser, 'view'), browser.evaluate('page.profile().data.regions.names[Number(page.state.region)].name')], ['tracks', beside[1].split(' > ')[-1]])
    for _ in range(2):
        press(browser, 'Escape')
    equal('taken back', [state(browser, 'region'), state(browser, 'span')], ['-1', ''])
    # A range by mouse: here without samples, so that no other view has it.
    left, top, width = browser.evaluate('''(function () { const r = document.querySelector('.track canvas').getBoundingClientRect();
        return [r.left, r.top, r.width]; })()''')
    begin, stop = int(left + width / 4), int(left + width / 2)
    browser.drag(begin, stop, top + 20)
    chosen = [int(n) for n in state(browser, 'pick').split('-')]
    equal('the range', all(abs(n - (x - left) / width * end) <= 1 for n, x in zip(chosen, (begin, stop))), True)
    equal('what is in it', browser.texts('#told')[0].split(': ')[1].split(' ')[0], '{:,}'.format(len(data.within(*chosen))))
    browser.click('#longest')
    lengths = [call[3] - call[2] for call in data.within(*chosen)]
    got = calls(browser)[int(state(browser, 'call'))]
    equal('the longest there', abs(got[3] - got[2] - max(lengths)) <= 1, True)
    browser.click('#to-range')
    equal('zoomed to the range', span(browser, end), chosen)
    for wrong in 'span=9-1', 'span=x', 'call=99999999', 'call=x', 'region=99', 'pick=5-5', 'span=999999999999999-9999999999999999':
        browser.open(page, '#view=tracks&' + wrong)
        equal(wrong, len(browser.texts('.track')), len(names))


def look_at_times(browser, page, path):
    """PAGE is of a run whose samples have times, too."""
    data = Data(path)
    browser.open(page, '#view=tracks')
    end = browser.evaluate('page.tracks_end(page.profile())')
    equal('the whole time', end, max([data.span] + [call[3] for call in data.calls]))
    # One clock: where samples say that a region was open there is a call of it. A sample may be late.
    all_of = data.sampled(0, 1 << 32, label='work of a round')
    late = 0
    for thread, labels, bucket, count in data.samples:
        if 'work of a round' in labels and not any(
                call[0].startswith(thread + ' ') and call[1].endswith('work of a round') and
                call[2] < (bucket + 1) * data.width and call[3] > bucket * data.width for call in data.calls):
            late += count
    equal('samples in a region beside its calls are few', late <= 3 + all_of // 10, True)
    left, top, width = browser.evaluate('''(function () { const r = document.querySelector('.track canvas').getBoundingClientRect();
        return [r.left, r.top, r.width]; })()''')
    begin, stop = int(left + width / 4), int(left + width / 2)
    browser.drag(begin, stop, top + 20)
    first, last = browser.evaluate('[page.profile().range.from, page.profile().range.to]')
    times = [(x - left) / width * end for x in (begin, stop)]
    equal('whole buckets', [first, last], [int(times[0] // data.width), int(-(-times[1] // data.width))])
    equal('all views have the range', browser.evaluate('page.profile().kept'), data.sampled(first, last))
    browser.evaluate('page.go({view: "tracks"})')
    equal('what is in it', browser.texts('#told')[0].split(': ')[1].split(' ')[0],
          '{:,}'.format(len(data.within(first * data.width, last * data.width))))
    press(browser, 'Escape')
    equal('taken back', browser.evaluate('[page.profile().range, page.profile().kept]'), [None, data.sampled(0, 1 << 32)])
    # What ran in one call, the one with the widest box: a click is at a whole pixel, and nearest to that may be the neighbour
    # of a narrow one.
    x, y, call, _ = box_at(browser, 'box.count === 1 && page.profile().data.regions.names[page.tracks_region(page.profile(), box.call)].name === "work of a round"',
                           'box.width')
    browser.click_at(x, y)
    thread, name, start, stop = calls(browser)[call]
    browser.click('#inside-call')
    equal('what ran in a call', [state(browser, 'view'), browser.evaluate('page.profile().kept')],
          ['flame', data.sampled(start // data.width, -(-stop // data.width), thread, 'work of a round')])
