# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces each name of hostile.cc, in an executable or a data file, by one of the same length that
does what it can to a terminal, a page, or a format: hostile-patch.py FROM TO TEXT, with TEXT as in a
string of Python. The first letter stays; what TEXT leaves of a name is as it was."""

import re
import sys

source, target, text = sys.argv[1:]
evil = text.encode('latin-1').decode('unicode_escape').encode('latin-1')
with open(source, 'rb') as file:
    data = file.read()
# In a data file, a newline ends the line, and a backslash starts an escape.
is_data = data.startswith(b'ccprof mlmon')


def replaced(match):
    name = (b'E' + evil)[:len(match[0])]
    name += match[0][len(name):]
    return name.replace(b'\\', b'\\\\').replace(b'\n', b'\\n') if is_data else name


patched, count = re.subn(rb'EVIL_[a-z]*_x*', replaced, data)
if not count:
    sys.exit('%s has no such name' % source)
with open(target, 'wb') as file:
    file.write(patched)
