# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page shows the waits of mlprof -waits and -locks, and of a data file over time, in the folder of the test
mlprof-waits: two.html is of the file two, which was written by hand, timed.html of a run with samples, too."""

import contrast
from browser import window
from check import equal, figures_whole, heads_told
from run import Run

MS = 10**6

# The waits of the file one by one: track, row, what the box says, start and end in milliseconds, and the track of the
# thread that held the lock or ended the wait.
WORKER, SERVER = 'thread 2 worker', 'thread 3 server'
WAITS = [
    [WORKER, 0, 'mutex queue_lock', 50, 150, 'thread 1 main'],
    [SERVER, 0, 'mutex queue_lock', 80, 200, 'thread 1 main'],
    [WORKER, 0, 'condition pool+48', 500, 650, 'thread 1 main'],
    ['thread 1 main', 0, 'sleep', 60, 85, None],
    ['thread 1 main', 0, 'join', 600, 900, WORKER],
    # The lock: the queue, and in row 0 its owner. The worker gets the lock that the server waits for, too.
    ['mutex queue_lock', 0, 'thread 1 main', 50, 150, None],
    ['mutex queue_lock', 0, WORKER, 150, 200, None],
    ['mutex queue_lock', 1, WORKER, 50, 150, None],
    ['mutex queue_lock', 2, SERVER, 80, 200, None],
]


def words(text):
    return ' '.join(text.split())


def look_at_tables(browser, run):
    """All rows together are the lines that mlprof prints."""
    told = {words(line) for line in (run.told('-waits', '-top', '0') + run.told('-locks', '-top', '0')).splitlines()}
    shown = set()
    for kind in 'wait_states', 'wait_threads', 'critical_path', 'waits', 'longest_waits', 'locks':
        browser.open(run.page, '#view=waits&regions=' + kind)
        heads_told(browser)
        rows = browser.cells('#rows tr[data-at]')
        for i, at in enumerate(browser.each('#rows tr[data-at]', 'e.dataset.at')):
            browser.go(row=at)
            shown |= {words(' '.join(cells)) for cells in [rows[i]] + browser.cells('.explained tbody tr')}
    equal('rows that mlprof does not print', sorted(shown - told), [])
    equal('rows that the page does not have', sorted(line for line in told - shown if line[:1].isdigit()),
          ['2.200 seconds of 3 threads, 51 waits'])


def look_at_tracks(browser, run):
    browser.open(run.page, '#view=waits')
    browser.key('k')
    equal('the view', browser.state('view'), 'tracks')
    equal('tracks', browser.each('.track-name', 'e.firstChild.textContent'),
          ['thread 1 main', WORKER, SERVER, 'mutex queue_lock'])
    events = browser.of_model('''
        const {lanes, events: e} = page.tracks_data(model);
        return e.start.map((start, i) => [lanes[e.lane[i]], e.row[i], page.waits_label(data, i), start, e.end[i],
                                          e.by[i] < 0 ? null : lanes[e.by[i]]]);''')
    equal('waits', sorted(events, key=str),
          sorted(([lane, row, name, start * MS, end * MS, by] for lane, row, name, start, end, by in WAITS), key=str))
    # Each arrow goes from the track of the wait to that of the other thread, at the end of the wait.
    arrows = browser.of_model('''
        const area = document.getElementById('time'), axis = page.tracks_axis(model, 1e6);
        const width = Number(document.getElementById('arrows').getAttribute('width'));
        const name = y => Array.from(area.querySelectorAll('.track')).find(
            t => t.offsetTop <= y && y < t.offsetTop + t.offsetHeight).firstChild.firstChild.textContent;
        return Array.from(document.querySelectorAll('#arrows path'), function (path) {
            const [x, from, to] = path.getAttribute('d').match(/[-\\d.]+/g).map(Number);
            return [name(from), name(to), Math.round(x / width * axis.size / 1e6)];
        });''')
    equal('arrows', sorted(arrows), sorted([lane, by, end] for lane, _, _, _, end, by in WAITS if by))
    # The states differ in their patterns, too: where the pixels of another colour than the most are.
    patterns = browser.of_model('''
        return Array.from(document.querySelectorAll('#legend button canvas'), function (canvas) {
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            const colours = Array.from({length: pixels.length / 4}, (_, i) => pixels.slice(4 * i, 4 * i + 3).join());
            const count = colour => colours.filter(other => other === colour).length;
            const most = Array.from(new Set(colours)).sort((a, b) => count(b) - count(a))[0];
            return colours.map(colour => Number(colour !== most)).join('');
        });''')
    equal('states in the legend', browser.texts('#legend button[data-region]'),
          ['holds the lock', 'waiting for a lock', 'sleeping', 'waiting for a thread', 'waiting for a condi\u2026'])
    equal('different patterns', len(set(patterns)), len(patterns))
    # A wait by keys: what is told of it, its neighbours, and what is not there.
    browser.go(call=0)
    for word in 'mutex queue_lock', 'at 0.050 s', '100ms', 'held by thread 1 main', 'taken in push, prog.c: 3', \
                'released in feed > push, prog.c: 3':
        equal('told of a wait: ' + word, word in browser.texts('#told')[0], True)
    equal('its arrow', browser.count('#arrows .chosen'), 1)
    browser.press('ArrowRight')
    equal('the next wait of the thread', 'condition pool+48' in browser.texts('#told')[0], True)
    browser.press('ArrowUp')
    equal('a wait of the thread above', 'join' in browser.texts('#told')[0], True)
    browser.press('Enter')
    equal('zoomed', browser.state('span'), '570000000-930000000')
    equal('what is not there', '5 of 51 waits are here, the longest: those of less than 25.0ms are not'
          in browser.texts('#main > .empty')[0], True)


def look_at_measure(browser, run, kept):
    """The figures of the measure are those that mlprof has; KEPT is the sum of all waits."""
    browser.open(run.page, '#view=flame&measure=wait')
    equal('all waits', browser.of_model('model.kept'), kept)
    for of, by in ('functions', ''), ('reasons', 'reason'), ('locks', 'lock'):
        browser.go(view='summary', of=of)
        told = run.rows('-measure', 'wait', *(('-by', by) if by else ()))
        shown = browser.cells('#summary tr[data-at]')
        equal('seconds of ' + of, sorted(row[1] for row in shown),
              sorted('%.3f' % (int(row['time_ns']) / 1e9) for row in told))


with window() as browser:
    two, timed = Run('two', 'prog', 'two'), Run('timed', 'locks')
    look_at_tables(browser, two)
    look_at_tracks(browser, two)
    look_at_measure(browser, two, sum(int(row['time_ns']) for row in two.rows('-by', 'reason')))
    look_at_measure(browser, timed, sum(int(row['time_ns']) for row in timed.rows('-by', 'reason')))
    # The view finds its measure, and other measures have no waits.
    browser.open(timed.page)
    equal('the first measure', browser.of_model('[model.measure.word, !data.waits]'), ['time', True])
    browser.key('y')
    equal('the measure of the waits', [browser.state('view'), browser.state('measure')], ['waits', 'wait'])
    browser.open('shared.html', '#view=tracks&call=0')
    equal('the process that held the lock', 'held by process 1234' in browser.texts('#told')[0], True)
    equal('then the thread that waited had it', browser.of_model('''
        const {lanes, events: e} = page.tracks_data(model);
        return e.owner.map((owner, i) => [lanes[owner], e.start[i], e.end[i]]).filter(([name]) => name);'''),
          [['thread 1 main', 80 * MS, 150 * MS], [WORKER, 150 * MS, 200 * MS]])
    browser.open('many.html', '#view=tracks')
    equal('the longest of many', browser.of_model('[data.waits.single, Math.min(...data.waits.events.length) >= 3000]'),
          [20000, True])
    equal('what is told of the others', browser.texts('#main > .empty')[0].split('. ')[0],
          '20,000 of 30,031 waits are here, the longest: those of less than 3.50us are not')
    browser.open(timed.page, '#measure=wait')
    figures_whole(browser, 'waits', 'summary')
    contrast.look(browser, timed.page, '#view=waits', '#view=tracks&measure=wait&call=0')
    equal('complaints of the browser', browser.complaints(), [])
