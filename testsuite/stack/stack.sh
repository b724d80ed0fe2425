# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the switch stack. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
STACK_PROGRAMS=$SRC/testsuite/stack
# shellcheck disable=SC2034
SWITCH=-fplugin-arg-ccprof-stack

# table PROGRAM FILE...: a line `NAME CUR STACK' for each function, of calls or bytes, sorted.
table() {
    table_of "$@" >counts.table
    measure=calls
    ! grep -q ' allocated$' counts.table || measure=bytes
    table_rows $measure "stack $measure" <counts.table | sort
}
