# SPDX-License-Identifier: GPL-3.0-or-later
"""google-pprof.py TEXT FOLDED: what `google-pprof --text --no_strip_temp' prints of each function is what
the folded stacks say."""

import re
import sys

import folded


def shown(name):
    """A name as google-pprof shows it: without arguments, and no type before it."""
    if re.fullmatch("<.*>", name):
        name = f"[{name[1:-1]}]"
    name = name.replace("--", "- -")
    while re.search(r"\([^()]*\)", name):
        name = re.sub(r"\([^()]*\)(\s*const)?", "", name)
    name = re.sub(r"<[0-9a-f]*>$", "", name)
    return re.sub(r"^.*\s+(\w+::)", r"\1", name)


got = {}
for line in open(sys.argv[1], encoding="utf-8"):
    match = re.match(r" *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% (.*)", line)
    if match:
        assert match[3] not in got, line
        got[match[3]] = int(match[1]), int(match[2])
stacks = [([shown(name) for name in stack], count) for stack, count in folded.read(sys.argv[2])]
folded.compare(got, folded.tops(stacks), "google-pprof")
