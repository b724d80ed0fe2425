# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the kind alloc. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
ALLOC=$SRC/testsuite/alloc
# shellcheck disable=SC2034
KIND=-fplugin-arg-ccprof-profile=alloc

# table PROGRAM FILE...: a line `NAME BYTES BLOCKS' for each function, sorted.
table() {
    table_of "$@" | table_rows bytes blocks | sort
}

# allocated WANT PROGRAM FILE...: the table is that in the file WANT.
allocated() {
    want=$1
    shift
    table "$@" >table.got
    sort "$want" >table.want
    same table.got table.want
}
