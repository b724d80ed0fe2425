# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page's view of regions shows what mlprof -regions and -histogram print, and what is
sampled inside of a region: regions.py PAGE MLPROF PROGRAM DATA REGION PAGE DATA PAGE: a region that has samples;
for tracks.py a page of PROGRAM with calls in time order, and its data; and one of regions without."""

import csv
import io
import re
import subprocess
import sys

import tracks
from browser import window
from looks import heads_told

page, mlprof, program, data, sampled, tracks_page, tracks_data, without = sys.argv[1:]


def equal(what, got, want):
    if got != want:
        sys.exit('%s: %r is not %r' % (what, got, want))
    print(what)


def printed(*arguments, of=data):
    return subprocess.run([mlprof, *arguments, program, of], check=True, text=True, stdout=subprocess.PIPE).stdout


def table(*arguments):
    """Heads and rows of the first table; the page says what its rows are of in the plural."""
    lines = printed('-regions', *arguments).split('\n\n')[0].split('\n')[1:]
    return [re.split('  +', line.strip()) for line in lines if line]


def shown(browser):
    return browser.evaluate('''Array.from(document.querySelectorAll('#changes-of tr'), row =>
        Array.from(row.children, cell => cell.textContent)).filter(row => row.length)''')


with window() as browser:
    for kind, option in (('names', 'false'), ('paths', 'true')):
        browser.open(page, '#view=regions&regions=' + kind)
        rows, want = shown(browser), table('-paths', option)
        equal('figures of ' + kind, rows[1:], want[1:])
        heads_told(browser)
        equal('columns of ' + kind, rows[0][:-1], want[0][:-1])
    browser.open(page, '#view=regions')
    names = [row[-1] for row in shown(browser)[1:]]
    browser.evaluate('page.go({row: %d})' % names.index(sampled))
    buckets = list(csv.DictReader(io.StringIO(printed('-csv', '-', '-histogram', '^' + sampled + '$'))))
    times = browser.evaluate('page.regions_rows(page.profile().data)[%d].buckets.map(b => b.map(String))' % names.index(sampled))
    equal('the buckets', [[float(b) for b in bucket] for bucket in times],
          [[float(row['least_ns']), float(row['below_ns']), float(row['calls'])] for row in buckets])
    equal('bars', browser.evaluate('document.querySelectorAll("#histogram .bar").length'),
          sum(float(row['below_ns']) > 0 for row in buckets))
    equal('the last line of the table', browser.texts('#buckets tr:last-child td')[-1], '100.0%')
    browser.click('#inside')
    equal('the view of what ran inside', browser.evaluate('page.state.view'), 'flame')
    kept = browser.evaluate('page.profile().kept')
    rows = list(csv.DictReader(io.StringIO(printed('-csv', '-', '-by', 'phase'))))
    equal('samples inside', kept, sum(int(row['stack_samples']) for row in rows if row['name'] == '[%s]' % sampled))
    tracks.look_at_times(browser, page, data)
    browser.open(without, '#view=regions')
    equal('without calls in time order', [browser.evaluate('"tracks" in page.views'),
          'CCPROF=events=N keeps' in browser.texts('#region-cost')[0]], [False, True])
    tracks.look(browser, tracks_page, tracks_data,
                list(csv.DictReader(io.StringIO(printed('-regions', '-csv', '-', of=tracks_data)))))
    equal('complaints of the browser', browser.complaints(), [])
