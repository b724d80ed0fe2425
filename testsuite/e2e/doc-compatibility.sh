#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each row of doc/compatibility.md names tests, and these exist.
. "$SRC/testsuite/lib.sh"

grep '^| ' "$SRC/doc/compatibility.md" | grep -v '^| What the program does' >rows
[ "$(wc -l <rows)" -gt 20 ] || fail 'doc/compatibility.md has no rows'
while read -r row; do
    tests=$(echo "$row" | sed 's/ |$//; s/.*| //; s/([^)]*)//g; s/,/ /g')
    [ -n "$tests" ] || fail "no test: $row"
    for test in $tests; do
        [ -x "$SRC/testsuite/e2e/$test.sh" ] || fail "there is no test $test: $row"
    done
done <rows
