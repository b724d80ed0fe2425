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
# There are functions in libstdc++ that are always inlined, which gcov sees only where they are:
# since GCC 15 in what these use, std::move.
inlined=
[ "$("$CXX" -dumpversion | sed 's/\..*//')" -lt 15 ] || inlined=first.cc,second.cc
ONLY=$inlined same_as_gcov "$CXX" "" "$SRC/testsuite/count/first.cc" "$SRC/testsuite/count/second.cc"
# Arrays that are constructed and destroyed, in threads.
ONLY=threads.cc same_as_gcov "$CXX" "" "$SRC/testsuite/count/threads.cc"
# Lambdas that are made pointers; a child.
same_as_gcov "$CXX" "" "$SRC/testsuite/names/pointers.cc"
same_as_gcov "$CC" "" "$SRC/testsuite/stack/deep.c"
if have "$FC" 'Fortran'; then
    same_as_gcov "$FC" "" "$SRC/testsuite/count/fortran.f90"
fi

# Compressed, it is the same.
cd gcov
run 0 "$MLPROF" -gcov ours.json.gz program mlmon.out
gzip -dc ours.json.gz >unpacked
same unpacked ours.json

# What was never run, and what has no blocks.
run 0 "$MLPROF" -mlmon /dev/null -gcov none.json program
grep -o '"count": [0-9]*' none.json | sort -u >got
echo '"count": 0' >want
same got want
echo 'int main(void) { return 0; }' >plain.c
pcc -fplugin-arg-ccprof-profile=count plain.c -o plain
./plain
run 1 "$MLPROF" -gcov plain.json plain mlmon.out
has err '^mlprof: plain: its blocks are not counted; compile with'
[ ! -e plain.json ]
run 1 "$MLPROF" -gcov none/none.json program
has err '^mlprof: none/none.json: No such file or directory$'
