# SPDX-License-Identifier: GPL-3.0-or-later
"""together.py SCRIPT ARGUMENT... -- ARGUMENT... -- : runs the script with each of these lists of arguments,
in one process: to start one for each takes longer than what it does."""

import itertools
import os
import runpy
import sys

script = os.path.join(os.path.dirname(sys.argv[0]), sys.argv[1])
lists = [list(group) for split, group in itertools.groupby(sys.argv[2:], lambda text: text == "--") if not split]
if not lists:
    sys.exit("there is nothing to check")
for arguments in lists:
    sys.argv = [script] + arguments
    try:
        runpy.run_path(script, run_name="__main__")
    except BaseException:
        print(*sys.argv, file=sys.stderr)
        raise
