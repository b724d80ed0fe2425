# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a page makes a person wait, in a browser: speed.py PAGE...; a line for each: MB, ms until
the first table, ms for a key in the filter (median, most), ms for each view.

speed.py -speedscope INDEX FILE: how long speedscope's page takes to show folded stacks."""

import base64
import os
import statistics
import sys
import tempfile
import time

from browser import window

# A view is there when the browser has painted it: in the frame behind the one that asks for it.
PAINTED = '''new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))'''

# A key in the filter: from when the browser has it until what it changes is painted.
STROKES = '''(window.strokes = [], document.getElementById('search').addEventListener('keydown', event =>
    requestAnimationFrame(() => setTimeout(() => window.strokes.push(performance.now() - event.timeStamp)))), 0)'''


def opened(browser, path):
    """From the start of the navigation until the first view is painted."""
    browser.open(path, anew=True)
    return browser.evaluate(PAINTED)


def strokes(browser, text):
    browser.go(view='summary', search='')
    browser.evaluate(STROKES)
    browser.key('/')
    browser.type(text)
    browser.wait('window.strokes.length === %d' % len(text))
    return browser.evaluate('window.strokes')


def switched(browser, view):
    """From asking for a view until it is painted, the slowest of three."""
    start = 'const start = performance.now(); page.go({view: %r, search: "", zoom: 0});' % view
    times = []
    for _ in range(3):
        browser.go(view='summary')
        times.append(browser.evaluate('(async function () { %s return await %s - start; })()' % (start, PAINTED)))
    return max(times)


def page(path):
    with window() as browser:
        first = [opened(browser, path) for _ in range(5)]
        times = strokes(browser, 'sqlite3BtreeMo')
        # The function that has most, so that there is something to see around it.
        first_place = browser.of_model('({file: data.functions.file[0], line: data.functions.line[0]})')
        browser.go(f=0, **first_place)
        views = {name: switched(browser, name) for name in browser.views() if name != 'summary'}
        print('%-24s %8.2f %8.0f %6.0f %6.0f  %s' % (
            os.path.basename(path), os.path.getsize(path) / 1e6, statistics.median(first), statistics.median(times),
            max(times),
            ', '.join('%s %.0f' % view for view in views.items())))


def speedscope(index, path):
    """Until its page has drawn something of the file: its own list of keys is gone, a canvas there."""
    with window() as browser, tempfile.TemporaryDirectory() as folder:
        with open(folder + '/load.js', 'w', encoding='utf-8') as out, open(path, 'rb') as profile:
            out.write('speedscope.loadFileFromBase64("profile.folded", "%s")\n' % base64.b64encode(profile.read()).decode())
        times = []
        for _ in range(3):
            browser.load('about:blank')
            browser.load('file://%s#view=sandwich&localProfilePath=%s/load.js' % (os.path.abspath(index), folder))
            end = time.monotonic() + 60
            while not browser.evaluate('document.querySelectorAll("td").length'):
                if time.monotonic() > end:
                    sys.exit('speedscope shows no table')
                time.sleep(0.005)
            times.append(browser.evaluate(PAINTED))
        print('%-24s %8.2f %8.0f' % ('in speedscope', os.path.getsize(path) / 1e6, statistics.median(times)))


if sys.argv[1] == '-speedscope':
    speedscope(*sys.argv[2:])
else:
    for name in sys.argv[1:]:
        page(name)
