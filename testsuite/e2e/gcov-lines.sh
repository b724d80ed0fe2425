#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mlprof -gcov says what gcov says of the same source: functions, blocks, lines, branches; in C,
# C++ and Fortran, of several compilations, of code that was never executed.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"
need python3

same_as_gcov "$CC" "" "$SRC/testsuite/flow/ways.c"
same_as_gcov "$CC" "40 2" "$SRC"/testsuite/demo/*.c
same_as_gcov "$CC" "" "$SRC/testsuite/count/calls.c"
same_as_gcov "$CXX" "" "$SRC/testsuite/count/first.cc" "$SRC/testsuite/count/second.cc"
if command -v "$FC" >/dev/null 2>&1; then
    same_as_gcov "$FC" "" "$SRC/testsuite/count/fortran.f90"
fi
