#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each way in doc/ways.md names tests, and these exist.
. "$SRC/testsuite/lib.sh"

grep '^| ' "$SRC/doc/ways.md" | grep -v '^| Way' >rows
[ "$(wc -l <rows)" -gt 20 ] || fail 'doc/ways.md has no rows'
while read -r row; do
    tests=$(echo "$row" | sed 's/ |$//; s/.*| //; s/([^)]*)//g; s/,/ /g')
    [ -n "$tests" ] || fail "no test: $row"
    for test in $tests; do
        [ -x "$SRC/testsuite/e2e/$test.sh" ] || fail "there is no test $test: $row"
    done
done <rows
