#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The checker finds a seeded fault, and none in the programs of the testsuite.
# Without optimisation there are no markers.
. "$SRC/testsuite/plugin/plugin.sh"

# checked COMPILER OPTIONS...
checked() {
    checked_compiler=$1
    shift
    "$checked_compiler" -fplugin="$PLUGIN" -fplugin-arg-ccprof-check "$@" -c -o a.o
}

# The function's name, and the block without its Leave.
cat >fault.c <<'END'
int good(int x) { return x + 1; }
int other(int x) { return x ? good(x) : 3; }
END
for level in -O1 -O2 -O3; do
    run 0 checked "$CC" $level -fplugin-arg-ccprof-fault=other fault.c
    has err "^fault.c:2:5: warning: ccprof: after pass '[^']*': function 'other', block [0-9][0-9]*: \
return where the local stack is not empty\$"
    hasnot err "'good'"
    has err '^cc1: note: ccprof: checked [1-9][0-9]* functions between passes: [1-9][0-9]* markers, 1 faults'
    run 0 checked "$CC" $level fault.c
    hasnot err 'warning'
    has err ' markers, 0 faults, '
done
run 0 checked "$CXX" -O2 -x c++ -fplugin-arg-ccprof-fault=other fault.c
has err "function 'other', block "

# The fault is in nothing but the checker's report.
run 1 checked "$CC" -O2 -Werror -fplugin-arg-ccprof-fault=other fault.c

for file in "$SRC"/testsuite/forms/*.c "$SRC"/testsuite/forms/*.cc "$SRC"/testsuite/demo/*.c \
    "$SRC"/testsuite/forms/*.f90 "$SOURCES/stack.c"; do
    case $file in
    *.c) compiler=$CC options=-fopenmp ;;
    *.cc) compiler=$CXX options=-std=c++20 ;;
    *.f90) compiler=$FC options= ;;
    esac
    for level in -O1 -O2 -O3; do
        # shellcheck disable=SC2086
        run 0 checked "$compiler" $level $options $KERNEL "$file"
        has err 'ccprof: checked [1-9][0-9]* functions between passes: [1-9][0-9]* markers, 0 faults, '
    done
done
