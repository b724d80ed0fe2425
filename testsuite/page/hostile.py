# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens pages of hostile profiles, in all views: hostile.py PAGE NAME...  No script of theirs may
run, nothing may be fetched, and each of the NAMEs must be there to be read."""

import sys

from browser import window

page, *names = sys.argv[1:]
with window() as browser:
    browser.open_itself(page)
    there = browser.texts('#summary td.name')
    for name in names:
        if not any(name in text for text in there):
            sys.exit('no %r in %r' % (name, [text[:80] for text in there]))
    for view in browser.evaluate('Array.from(document.querySelectorAll("nav [data-view]"), b => b.dataset.view)'):
        for f in 0, 1:
            browser.go('#view=%s&f=%d&file=0&line=7' % (view, f))
            # The tip of what is there.
            browser.mouse('mouseMoved', 300, 100 + 20 * f)
    # What is in the address is the reader's, or of whoever sent it.
    for address in ('#view=constructor', '#view=__proto__', '#of=__proto__&sort=x', '#f=9e99&view=callers',
                    '#view=source&file=-7&position=99999999&line=%3Cimg%20src=x%20onerror=alert(1)%3E',
                    '#change=%2B%2F(((%0A.%2F%5B%0Ax%0A-', '#search=%2F((', '#view=flame&zoom=1e9', '#%%%', '#__proto__=1'):
        print(address)
        browser.open_itself(page, address)
        if not browser.evaluate('document.getElementById("main").children.length'):
            sys.exit('nothing is shown at ' + address)
    if browser.evaluate('document.body.dataset.ran || document.documentElement.dataset.ran || window.ran'):
        sys.exit('a script of the profile has run')
    if browser.evaluate('document.querySelectorAll("img, iframe, object, embed, link").length'):
        sys.exit('markup of the profile has become elements')
    if browser.complaints():
        sys.exit('the browser complains: %s' % browser.complaints())
