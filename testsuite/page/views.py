# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks around in the pages of the test page-views as a person would. What is found must agree with what mlprof tells
of the same data, and with itself. views.py -glance: only whether each view of some pages is shown."""

import os
import sys

import assembly
import contrast
import counts
import dials
import figures
import fortran
import graph
import lists
import marks
import names
import navigation
import source
import summary
import times
import transforms
import trees
from browser import window
from check import equal, figures_whole
from run import Run

ray, queens = Run('ray'), Run('queens')
timed = Run('timed', options=('-no-skid',))
seldom = Run('seldom', 'timed', 'seldom.out', options=timed.options)


def look(browser):
    for look_at in (navigation.look_at_bar, summary.look, navigation.look_at_keys,
                    source.look_at_lines, source.look_at_shades, source.look_at_executed, source.look_at_words,
                    source.look_at_ends,
                    assembly.look,
                    trees.look_at_flame, trees.look_at_tree, trees.look_at_matches, trees.look_at_areas,
                    graph.look_at_callers, graph.look_at_graph,
                    transforms.look_at_focus, transforms.look_at_groups, transforms.look_at_hidden,
                    names.look_at_functions, names.look_at_cells, names.look_at_legend,
                    navigation.look_in_older_browsers):
        look_at(browser, ray)
    source.look_at_metrics(browser, ray, 'gone.html')
    for name in 'blocked_below', 'trace', 'scene_hit':
        graph.look_at_arrows(browser, ray.page, name, 0)
    graph.look_at_arrows(browser, queens.page, 'try_column', 1)
    for run in ray, queens, timed, Run('bytes'):
        figures.look(browser, run)
    counts.look(browser, 'gone.html')
    counts.look_at_beside(browser, ray, Run('dials'))
    lists.look_at_branches(browser, queens)
    lists.look_at_allocations(browser, Run('dials'))
    lists.look_at_others(browser)
    dials.look_at_dials(browser)
    dials.look_at_source(browser)
    dials.look_at_bounds(browser)
    dials.look_at_queens(browser)
    contrast.look(browser, ray.page, '', '#of=lines', '#view=source', '#view=callers', '#view=tree')
    # The last one: lines that are coloured as a whole.
    contrast.look(browser, queens.page, '#view=source', '#view=dials', '#view=branches', '#view=source&by=calls')
    contrast.look(browser, 'marks.html', '#view=source')
    marks.look(browser)
    if os.path.exists('lists.html'):
        figures.look(browser, Run('lists'))
        lists.look_at_branches(browser, Run('lists'))
        lists.look_at_allocations(browser, Run('lists'))
    if os.path.exists('heat.html'):
        figures.look(browser, Run('heat'))
        fortran.look(browser)
    for page in ray.page, queens.page:
        browser.open(page)
        figures_whole(browser, *browser.views())
    times.look(browser, timed)
    times.look_at_nothing(browser, seldom)


def glance(browser):
    for page in ray.page, timed.page:
        browser.open(page)
        for view in browser.views():
            browser.go(view=view)
            equal('%s shows something of %s' % (view, page), browser.evaluate(
                'document.getElementById("main").children.length') > 0, True)


with window() as browser:
    (glance if sys.argv[1:] == ['-glance'] else look)(browser)
    equal('complaints of the browser', browser.complaints(), [])
