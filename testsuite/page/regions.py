# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page's view of regions shows what mlprof -regions and -histogram print, and what is sampled inside of a
region, in the folder of the test page-regions: regions.html is of a run with samples, lanes.html of one with many calls
in time order, several.html of two of these together, which has none."""

import re

import tracks
from browser import window
from check import equal, heads_told
from run import Run

SAMPLED = 'decode'


def shown(browser):
    rows = browser.each('#rows tr', 'Array.from(e.children, cell => cell.textContent)')
    return [row for row in rows if row]


def look_at_table(browser, run):
    for kind, option in (('names', '-no-paths'), ('paths', '-paths')):
        browser.open(run.page, '#view=regions&regions=' + kind)
        # The page says what its rows are of in the plural.
        lines = run.told('-top', '0', '-regions', option).split('\n\n')[0].split('\n')[1:]
        heads, *want = [re.split('  +', line.strip()) for line in lines if line]
        our_heads, *rows = shown(browser)
        equal('figures of ' + kind, rows, want)
        heads_told(browser)
        equal('columns of ' + kind, our_heads[:-1], heads[:-1])


def look_at_histogram(browser, run):
    browser.open(run.page, '#view=regions')
    at = [row[-1] for row in shown(browser)[1:]].index(SAMPLED)
    browser.go(row=at)
    buckets = run.rows('-histogram', '^' + SAMPLED + '$')
    equal('the buckets', browser.of_model('page.regions_rows(data)[%d].buckets.map(b => b.map(Number))' % at),
          [[float(row[of]) for of in ('least_ns', 'below_ns', 'calls')] for row in buckets])
    equal('bars', browser.count('#histogram .bar'), sum(float(row['below_ns']) > 0 for row in buckets))
    equal('the last line of the table', browser.texts('#buckets tr:last-child td')[-1], '100.0%')
    browser.click('#inside')
    equal('the view of what ran inside', browser.state('view'), 'flame')
    equal('samples inside', browser.of_model('model.kept'), sum(
        int(row['stack_samples']) for row in run.rows('-by', 'phase') if row['name'] == '[%s]' % SAMPLED))


with window() as browser:
    run, lanes = Run('regions'), Run('lanes', 'regions', 'lanes.out')
    look_at_table(browser, run)
    look_at_histogram(browser, run)
    tracks.look_at_times(browser, run.page, *run.data)
    # Without samples and calls in time order, the page has only the regions, whatever the address says.
    for view in ('regions', 'graph', 'callers', 'summary'):
        browser.open('several.html', '#view=' + view)
        equal('views of regions alone', [browser.views(), 'CCPROF=events=N keeps' in browser.texts('#region-cost')[0]],
              [['regions'], True])
    # Beside regions, only instructions or only the heap: the functions are there.
    for page, measure in (('counted.html', 'instructions'), ('blocks.html', 'peak')):
        browser.open(page, '#view=flame&measure=' + measure)
        equal('views of %s beside regions' % measure, [browser.views('summary', 'flame'), browser.state('view')],
              [['summary', 'flame'], 'flame'])
        equal('functions of ' + page,
              browser.of_model("data.functions.name.some((_, f) => model.label(f) === 'main')"), True)
    tracks.look(browser, lanes.page, *lanes.data)
    equal('complaints of the browser', browser.complaints(), [])
