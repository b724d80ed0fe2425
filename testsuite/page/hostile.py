# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens pages of hostile profiles, in all views: hostile.py PAGE...  No script of theirs may run,
nothing may be fetched, and each of the names in PAGE.names, a line for each, must be there to be read."""

import os
import sys

from browser import window
from check import equal
from run import lines_of

# What is in the address is the reader's, or of whoever sent it.
ADDRESSES = ('#view=constructor', '#view=__proto__', '#of=__proto__&sort=x', '#f=9e99&view=callers',
             '#view=source&file=-7&position=99999999&line=%3Cimg%20src=x%20onerror=alert(1)%3E',
             '#change=%2B%2F(((%0A.%2F%5B%0Ax%0A-', '#search=%2F((', '#view=flame&zoom=1e9', '#%%%', '#__proto__=1')


def look(browser, page, addresses):
    browser.open_itself(page)
    there = browser.texts('#summary td.name')
    equal('names that are not there',
          [name[:80] for name in lines_of(page + '.names') if not any(name in text for text in there)], [])
    for view in browser.each('nav [data-view]', 'e.dataset.view'):
        for f in 0, 1:
            browser.follow('#view=%s&f=%d&file=0&line=7' % (view, f))
            # The tip of what is there.
            browser.mouse('mouseMoved', 300, 100 + 20 * f)
    harmless(browser)
    for address in addresses:
        browser.open_itself(page, address)
        equal('something is shown at ' + address,
              browser.evaluate('document.getElementById("main").children.length') > 0, True)
        harmless(browser)


def harmless(browser):
    equal('a script of the profile has run', browser.evaluate(
        'Boolean(document.body.dataset.ran || document.documentElement.dataset.ran || window.ran)'), False)
    equal('markup of the profile has become elements', browser.count('img, iframe, object, embed, link'), 0)
    equal('complaints of the browser', browser.complaints(), [])


with window() as browser:
    for page in sys.argv[1:]:
        print(page)
        # What becomes of an address has nothing to do with what the page is of.
        look(browser, page, ADDRESSES if page == sys.argv[1] or os.environ.get('ROWS', 'all') == 'all' else ())
