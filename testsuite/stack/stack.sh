# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the switch stack. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
STACK_PROGRAMS=$SRC/testsuite/stack
# shellcheck disable=SC2034
SWITCH=-fplugin-arg-ccprof-stack

# table PROGRAM FILE...: a line `NAME CUR STACK' for each function, sorted.
table() {
    "$MLPROF" -layout mlton -raw true "$@" | awk 'NR > 3 { gsub(/[(),]/, ""); print $1, $3, $5 }' | sort
}
