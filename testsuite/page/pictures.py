# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the manual, doc/pictures: pictures.py FOLDER < LIST, a line for each: its name,
the page, and the address within the page; {NAME} in an address is the number of that function."""

import re
import sys

from browser import window

folder = sys.argv[1]
with window(1280, 800) as browser:
    for line in sys.stdin:
        if not line.strip() or line.startswith('#'):
            continue
        name, page, address = (line.rstrip('\n').split('|') + [''])[:3]
        browser.open(page)
        numbers = browser.of_model('Object.fromEntries(data.functions.name.map((n, f) => [texts[n], f]))')
        browser.open(page, re.sub(r'\{(.*?)\}', lambda match: str(numbers[match.group(1)]), address))
        browser.wait_frame()
        browser.picture('%s/%s.webp' % (folder, name))
        if browser.complaints():
            sys.exit('%s: %s' % (name, browser.complaints()))
        print(name)
