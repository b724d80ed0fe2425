# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of a page for its tests, for browser.py; the page itself has nothing for them.

A copy that can be looked into has one more statement at the end of its scripts: `page.NAME' is the
name NAME of any of the modules in mlprof/page/web, and what these can change can be changed by it,
too. Nothing else differs but the digest of the scripts in the page's policy."""

import base64
import hashlib
import re

MODULE = '<script type="module">'
NAME = re.compile(r'^(?:async )?(function|const|let) (\w+)', re.M)


def digest(script):
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def halves(text):
    """What is in front of the page's scripts, these, and what is behind them."""
    start = text.rindex(MODULE) + len(MODULE)
    end = text.index('</script>', start)
    return text[:start], text[start:end], text[end:]


def with_names(text):
    """The page TEXT as a copy that can be looked into."""
    front, script, behind = halves(text)
    parts = []
    for kind, name in NAME.findall(script):
        parts.append('get %s() { return %s; }' % (name, name))
        if kind == 'let':
            parts.append('set %s(value) { %s = value; }' % (name, name))
    longer = script + 'globalThis.page = {\n%s\n};\n' % ',\n'.join(parts)
    return front.replace(digest(script), digest(longer)) + longer + behind


def in_older_browser(text, modules):
    """The page TEXT as in a browser that cannot decompress data, and knows no MODULES."""
    first = 'delete globalThis.DecompressionStream;'
    text = text.replace("script-src '", "script-src 'sha256-%s' '" % digest(first), 1)
    text = text.replace('<body>', '<body><script>%s</script>' % first, 1)
    return text if modules else text.replace(MODULE, '<script type="no-module">')
