# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what mlprof -speedscope has written.

speedscope.py FILE PROFILE SCALE FOLDED         the weights are those of these folded stacks times SCALE
speedscope.py page FILE FOLDED                  speedscope's table of functions, as a browser has made it
                                                of the page, has these shares and names
"""

import html
import json
import re
import sys

import folded


def read(path, *profile_names):
    """The stacks of the one profile with one of these names: [(stack of names, weight)], and its unit."""
    with open(path, encoding="utf-8") as text:
        data = json.load(text)
    frames = data["shared"]["frames"]
    assert len({json.dumps(frame) for frame in frames}) == len(frames)
    (profile,) = [profile for profile in data["profiles"] if profile["name"] in profile_names]
    assert len(profile["samples"]) == len(profile["weights"])
    assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
    stacks = [[frames[number]["name"] for number in stack] for stack in profile["samples"]]
    return list(zip(stacks, profile["weights"])), profile["unit"]


def weights(path, name, scale, file):
    got, _ = read(path, name)
    want = [(stack, count * int(scale)) for stack, count in folded.read(file)]
    assert want and sorted(got) == sorted(want), f"{got}, not {want}"


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


if __name__ == "__main__":
    if sys.argv[1] == "page":
        page(*sys.argv[2:])
    else:
        weights(*sys.argv[1:])
