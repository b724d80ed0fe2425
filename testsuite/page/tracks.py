# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at a page's view of the calls of regions in time order, as a person would. What it shows is what
the data file says, which is read here and not by mlprof."""

import json

import mlmon
from check import equal, thousands


class Data:
    """mlmon.out(5): calls as (thread, path, start, end), nanoseconds."""

    def __init__(self, path):
        lines = mlmon.of_program(path)
        hz = next(int(words[2]) for words in lines if words[0] == 'regions')
        names = [' '.join(words[4:]).replace('\\\\', '\\') for words in lines if words[0] == 'region']
        threads = {words[1]: 'thread ' + ' '.join(words[1:]) for words in lines if words[0] == 'thread'}
        paths, self.all = [], 0
        for words in lines:
            if words[0] == 'path':
                paths.append((paths[int(words[1])] if words[1] != '-' else []) + [names[int(words[2])]])
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
                self.calls.append((thread, ' > '.join(paths[int(words[2])]), time(start), time(start + length)))
        self.read_samples(lines)

    def read_samples(self, lines):
        self.samples, self.width, on = [], 0, []
        labels = {int(words[1]): ' '.join(words[2:]) for words in lines if words[0] == 'label'}
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


def end_of(browser):
    return browser.evaluate('page.tracks_end(page.profile())')


def span(browser, name='span'):
    value = browser.state(name)
    return [int(n) for n in value.split('-')] if value else [0, end_of(browser)]


def drawn(browser):
    """What is in the boxes of the canvases: how many calls, and boxes."""
    return browser.of_model('''const boxes = model.lanes.flatMap(lane => lane.boxes);
        return [boxes.reduce((sum, box) => sum + box.count, 0), boxes.length];''')


def calls(browser):
    return [tuple(call) for call in browser.of_model('''const {lanes, paths, events: e} = data.regions;
        return e.start.map((start, i) => [lanes[e.lane[i]], paths[e.path[i]].name, start, e.end[i]]);''')]


def chosen_call(browser):
    return calls(browser)[int(browser.state('call'))]


def box_at(browser, what, order='0'):
    """Where the box is that WHAT, of box, says, the one with most of ORDER; its call, and how many it stands for."""
    return browser.of_model('''
        const boxes = model.lanes.flatMap((lane, i) => lane.boxes.filter(box => %s).map(box => ({i, box})));
        const [{i, box}] = boxes.sort((a, b) => (box => %s)(b.box) - (box => %s)(a.box));
        const r = document.querySelector('.track[data-lane="' + i + '"] canvas').getBoundingClientRect();
        return [Math.floor(r.left + box.left + box.width / 2), r.top + 3 + box.row * 17 + 8, box.call, box.count];'''
                            % (what, order, order))


def tip_at(browser, x, y):
    browser.mouse('mouseMoved', x, y)
    return browser.texts('#tip')[0]


def drag_quarter(browser):
    """From a quarter to the middle of the track; where that is, in parts of the track."""
    left, top, width = browser.rectangle('.track canvas')
    begin, stop = int(left + width / 4), int(left + width / 2)
    browser.drag(begin, stop, top + 20)
    return (begin - left) / width, (stop - left) / width


def look(browser, page, path):
    data = Data(path)
    browser.open(page, '#view=regions')
    browser.key('k')
    equal('the view', browser.state('view'), 'tracks')
    names = sorted(data.numbers, key=data.numbers.get)
    equal('tracks', browser.each('.track-name', 'e.firstChild.textContent'), names)
    equal('calls that differ', sorted(set(calls(browser)) ^ set(data.calls))[:9], [])
    equal('how many calls', len(calls(browser)), len(data.calls))
    # Calls of a row do not overlap, and stand as deep as their paths at least.
    equal('calls above each other', browser.of_model('''
        const {paths, events: e} = data.regions, wrong = [], last = new Map();
        for (let i = 0; i < e.start.length; i++) {
            const key = e.lane[i] + ' ' + e.row[i];
            const depth = paths[e.path[i]].name.split(' > ').length - 1;
            if (last.has(key) && last.get(key) > e.start[i] || e.row[i] < depth) wrong.push(i);
            last.set(key, e.end[i]);
        }
        return wrong;'''), [])
    equal('what is not there is told', '{:,} of {:,} calls are here: those of less than {}ns'.format(
        len(data.calls), data.all, data.least) in browser.texts('#main > .empty')[0], True)
    equal('all are drawn', drawn(browser)[0], len(data.calls))
    equal('in fewer boxes', drawn(browser)[1] < len(data.calls) / 2, True)
    equal('boxes of calls of several regions, which are grey', browser.of_model('''
        const {start, end} = data.regions.events;
        return model.lanes.flatMap(lane => lane.boxes.filter(function (box) {
            const calls = lane.rows[box.row].filter(i => box.start <= start[i] && end[i] <= box.end);
            return box.mixed !== new Set(calls.map(i => page.tracks_region(model, i))).size > 1;
        }).map(box => box.count));'''), [])
    x, y, _, count = box_at(browser, 'box.count > 5')
    equal('the tip of several', tip_at(browser, x, y).startswith('%d calls, each narrower than a pixel' % count), True)
    beside = look_at_call(browser, data)
    browser.click('#histogram-of')
    equal('all its calls', [browser.state('view'), browser.texts('.plot h2')], ['regions', [beside]])
    browser.click('#tracked')
    equal('and in time order',
          [browser.state('view'), browser.of_model('data.regions.names[Number(page.state.region)].name')],
          ['tracks', beside])
    for _ in range(2):
        browser.press('Escape')
    equal('taken back', [browser.state('region'), browser.state('span')], ['-1', ''])
    # A range by mouse: here without samples, so that no other view has it.
    times = [part * end_of(browser) for part in drag_quarter(browser)]
    chosen = span(browser, 'pick')
    equal('the range', all(abs(a - b) <= 1 for a, b in zip(chosen, times)), True)
    equal('what is in it', browser.texts('#told')[0].split(': ')[1].split(' ')[0], thousands(len(data.within(*chosen))))
    browser.click('#longest')
    got = chosen_call(browser)
    equal('the longest there', abs(got[3] - got[2] - max(call[3] - call[2] for call in data.within(*chosen))) <= 1,
          True)
    browser.click('#to-range')
    equal('zoomed to the range', span(browser), chosen)
    for wrong in 'span=9-1', 'call=99999999', 'call=x', 'region=99', 'pick=5-5':
        browser.open(page, '#view=tracks&' + wrong)
        equal(wrong, browser.count('.track'), len(names))


def look_at_call(browser, data):
    """A call that is wide enough is chosen by mouse, and looked at closer; the name of the next one."""
    x, y, call, _ = box_at(browser, 'box.count === 1 && box.row === 1 && box.width > 30')
    thread, name, start, stop = calls(browser)[call]
    told = tip_at(browser, x, y).split('\n')
    equal('the tip', [told[0], told[1], told[3]], [name.split(' > ')[-1], name, thread])
    browser.click_at(x, y)
    equal('the chosen one', browser.state('call'), str(call))
    equal('what is told of it', browser.texts('#told')[0].startswith(name.split(' > ')[-1]), True)
    browser.press('Enter')
    size = stop - start
    equal('zoomed to it', all(abs(a - b) <= 1 for a, b in zip(span(browser), [start - size / 10, stop + size / 10])),
          True)
    equal('what is drawn then', drawn(browser)[0], len(data.within(*span(browser))))
    browser.press('ArrowDown')
    inside = chosen_call(browser)
    equal('a call inside', [inside[0], inside[1].startswith(name + ' > '), start <= inside[2] and inside[3] <= stop],
          [thread, True, True])
    browser.press('ArrowUp')
    equal('around it again', browser.state('call'), str(call))
    browser.press('ArrowRight')
    beside = chosen_call(browser)
    equal('the next one', [beside[0], beside[2:]],
          [thread, min(c[2:] for c in data.calls if c[0] == thread and c[1] == name and c[2] >= stop)])

    def moved(act, *arguments, **keys):
        """How far the span's ends moved, in parts of its size."""
        before = span(browser)
        act(*arguments, **keys)
        return [round((a - b) / (before[1] - before[0]), 2) for a, b in zip(span(browser), before)]

    def wheel(**keys):
        """A quarter from the left."""
        browser.evaluate("""(function (r) {
            document.getElementById('time').dispatchEvent(new WheelEvent('wheel', Object.assign({
                clientX: r.left + r.width / 4, deltaY: -100, bubbles: true, cancelable: true}, %s)));
        })(document.querySelector('.track canvas').getBoundingClientRect())""" % json.dumps(keys))
    farther = moved(browser.press, '-')
    equal('farther', round(farther[1] - farther[0], 2), 1)
    browser.press('+')
    equal('moved', moved(browser.press, '.')[0], 0.2)
    # The wheel, with Ctrl about the pointer, with Shift along; alone it scrolls.
    equal('closer about the pointer', moved(wheel, ctrlKey=True), [0.05, -0.15])
    equal('along', moved(wheel, shiftKey=True)[0], -0.1)
    equal('the wheel alone', moved(wheel), [0, 0])
    return beside[1].split(' > ')[-1]


def look_at_times(browser, page, path):
    """PAGE is of a run whose samples have times, too."""
    data, region = Data(path), 'decode'
    browser.open(page, '#view=tracks')
    end = end_of(browser)
    equal('the whole time', end, max([data.span] + [call[3] for call in data.calls]))
    times = [part * end for part in drag_quarter(browser)]
    first, last = browser.of_model('[model.range.start, model.range.end]')
    equal('whole buckets', [first, last], [int(times[0] // data.width), int(-(-times[1] // data.width))])
    equal('all views have the range', browser.of_model('model.kept'), data.sampled(first, last))
    browser.go(view='tracks')
    equal('what is in it', browser.texts('#told')[0].split(': ')[1].split(' ')[0],
          thousands(len(data.within(first * data.width, last * data.width))))
    browser.press('Escape')
    equal('taken back', browser.of_model('[model.range, model.kept]'), [None, data.sampled(0, 1 << 32)])
    # What ran in one call, the one with the widest box: a click is at a whole pixel, and nearest to that may be the
    # neighbour of a narrow one.
    name_of = 'data.regions.names[page.tracks_region(model, box.call)].name'
    x, y, call, _ = box_at(browser, 'box.count === 1 && %s === "%s"' % (name_of, region), 'box.width')
    browser.click_at(x, y)
    thread, name, start, stop = calls(browser)[call]
    browser.click('#inside-call')
    equal('what ran in a call', [browser.state('view'), browser.of_model('model.kept')],
          ['flame', data.sampled(start // data.width, -(-stop // data.width), thread, region)])
