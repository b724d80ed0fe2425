# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser for the tests of the page: `with browser.window() as w:` is a window of chromium's,
or of the one that $PAGE_BROWSER names (chromium, firefox).  What can be done there stands in
browserwindow.py; how each browser does it in the file of its name."""

import os

from chromium import Chromium
from firefox import Firefox

BROWSERS = {'chromium': Chromium, 'firefox': Firefox}


def window(*arguments):
    """A window of the browser that is asked for: WIDTH and HEIGHT in pixels."""
    name = os.environ.get('PAGE_BROWSER') or 'chromium'
    if name not in BROWSERS:
        raise ValueError('PAGE_BROWSER: no %r is known' % name)
    return BROWSERS[name](*arguments)
