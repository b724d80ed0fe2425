# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the kind count. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
COUNT=$SRC/testsuite/count
# shellcheck disable=SC2034
KIND=-fplugin-arg-ccprof-profile=count

# table PROGRAM FILE...: a line `NAME CALLS' for each function, sorted; system headers'
# are left out if the program was compiled so.
table() {
    table_of -balance false -never true "$@" | table_rows calls | sort
}

# counted WANT PROGRAM FILE...: the table is that in the file WANT.
counted() {
    want=$1
    shift
    table "$@" >table.got
    sort "$want" | cmp -s - table.got || {
        sort "$want" | diff -u - table.got >&2
        fail "the table of $* is not as expected"
    }
}
