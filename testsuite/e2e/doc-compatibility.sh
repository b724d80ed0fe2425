#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each row of doc/compatibility.md, and each cell of the matrix in doc/tested.md, names tests, and
# these exist.
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

# The matrix: names of tests with commas between, behind a word and a colon if there is one; a dash
# where there is none.  What was run with a compiler is told in numbers.
sed -n '/^## By language/,/^## Compilers/p' "$SRC/doc/tested.md" | grep '^| ' |
    grep -v '^| Kind\|^| Form\|^| GCC\|^| [0-9]\|^| [a-z0-9-]*, GCC\|^| | ' >rows
[ "$(wc -l <rows)" -gt 20 ] || fail "doc/tested.md has no matrix"
cut -d '|' -f 3- rows | tr '|' '\n' | sed 's/^ //; s/ $//; s/; never run$//; s/^[a-z]*: //' |
    grep -v '^-$\|^the tests above$\|^$' | tr , '\n' | tr -d ' ' | sort -u >named
[ "$(wc -l <named)" -gt 30 ] || fail "the matrix names few tests: $(cat named)"
while read -r test; do
    [ -x "$SRC/testsuite/e2e/$test.sh" ] || fail "there is no test $test, which the matrix names"
done <named
