#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tested.sh TARGET WITH COMMAND...: runs the command of a long verification by make, and writes the
# result into the table of doc/tested.md. The new row replaces the row with the same TARGET and WITH.
# The result is the last line of the output that begins with a number, or else the last line. Returns
# the command's exit status. TESTED=FILE: another file than doc/tested.md.

set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
page=${TESTED:-$root/doc/tested.md}
target=$1 with=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
{
    "$@"
    echo $? >"$work/status"
} | tee "$work/output"
status=$(cat "$work/status")

result=$(awk 'NF { last = $0 } /^[0-9]/ { number = $0 } END { print number ? number : last }' "$work/output" | tr '|' '/')
[ "$status" -eq 0 ] || result="failed: $result"
state=$(git -C "$root" describe --always --dirty=+ 2>/dev/null || echo unknown)
row="| $target | $with | $state | $result |" start="| $target | $with |" awk '
    function put() { if (!done) print ENVIRON["row"]; done = 1 }
    index($0, ENVIRON["start"]) == 1 { next }
    inside && (!/^\|/ || $0 > ENVIRON["row"]) { put(); if (!/^\|/) inside = 0 }
    { print }
    /^\| Target / { headed = 1 }
    headed && /^\|---/ { inside = 1; headed = 0 }
    END { if (inside) put() }' "$page" >"$work/page" && cat "$work/page" >"$page"
exit "$status"
