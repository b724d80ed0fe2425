# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether pages of comparisons say what mlprof's data do, and show figure 2 of Waddell and Ashley's
paper, in the folder of the test page-compare."""

import changes
import compare_regions
import compare_stacks
import contrast
import growth
from browser import window
from check import equal

with window() as browser:
    compare_regions.look(browser)
    changes.look_at_known(browser)
    changes.look_at_figure_2(browser)
    changes.look_at_builds(browser)
    growth.look(browser)
    compare_stacks.look(browser, 'single', [1])
    compare_stacks.look(browser, 'double', [1, 2])
    compare_stacks.look_at_merged(browser)
    contrast.look(browser, 'builds.html', '#view=compare', '#view=changetree', '#view=source')
    contrast.look(browser, 'growth.html', '')
    equal('complaints of the browser', browser.complaints(), [])
