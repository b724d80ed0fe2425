# SPDX-License-Identifier: GPL-3.0-or-later
"""speedscope.py PAGE FOLDED: compares the table of functions that speedscope shows in a browser with folded stacks: names
and shares."""

import html
import re
import sys

import folded


def page(path, file):
    with open(path, encoding="utf-8") as text:
        rows = re.findall(r"<tr[^>]*>(.*?)</tr>", text.read(), re.S)
    got = {}
    for row in rows:
        cells = [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]
        shares = [re.search(r"\((.*)%\)$", cell) for cell in cells]
        if len(cells) == 3 and shares[0] and shares[1]:
            got[cells[2]] = tuple(share.group(1) for share in shares[1::-1])
    stacks = folded.read(file)
    total = sum(count for _, count in stacks)

    def is_shown(text, count):
        """Three digits at most, as formatPercent of its lib/utils.ts writes them."""
        share = 100 * count / total
        unit = 1 if share >= 10 else 0.1 if share >= 1 else 0.01
        return abs(float(text.lstrip("<>")) - share) <= unit

    want = folded.tops(stacks)
    for name in got:
        if name not in want or not all(map(is_shown, got[name], want[name])):
            raise SystemExit(f"{name}: the page has {got[name]}, not {want.get(name)} of {total}")
    if len(got) < min(len(want), 5):
        raise SystemExit(f"the page has {sorted(got)}, not {sorted(want)}")


page(*sys.argv[1:])
