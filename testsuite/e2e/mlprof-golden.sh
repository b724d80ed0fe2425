#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The views of counted programs in C, C++ and Fortran, to the last character: in a file, and on
# terminals of 80 and 120 columns.  The numbers follow from the programs' loops; gcov has the same of
# each line without -O.

. "$SRC/testsuite/lib.sh"
need script
MLPROF=$MLPROF_ITSELF
unset NO_COLOR COLUMNS

if ! pcc -x c /dev/null -c -o empty.o 2>err; then
    skip "the plugin does not work: $(head -n 1 err)"
fi
# Where GCC's parsers see a loop's test, and how they write a template's arguments.
case $("$CC" -dumpversion) in
    12|12.*) ;;
    *) skip "the expected lines are GCC 12's" ;;
esac

# on COLUMNS OPTION...: the view as a terminal of so many columns shows it; 0: a file.
on() {
    on_columns=$1
    shift
    echo
    echo "$on_columns: $*"
    if [ "$on_columns" = 0 ]; then
        "$MLPROF" "$@" "$name" mlmon.out
    else
        words="'$MLPROF'"
        for word; do
            words="$words '$word'"
        done
        TERM=dumb script -qec "stty cols $on_columns; exec $words '$name' mlmon.out" /dev/null </dev/null | tr -d '\r'
    fi
}

# views NAME COMPILER SOURCE PATTERN: all of them of a program.
views() {
    name=$1 pattern=$4
    cp "$SRC/testsuite/golden/$3" .
    "$2" -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks "$3" -o "$name"
    "./$name"
    for columns in 0 80 120; do
        on $columns -show-line true
        on $columns -by line -top 5
        on $columns -callers "$pattern"
        on $columns -peek "$pattern"
        on $columns -arcs "$pattern"
        on $columns -list "$pattern"
    done >"$name.out" 2>err
    same err /dev/null
    awk -F: '/^[0-9]+: / { most = $1 } most && length > most { print FILENAME ": " $0 }' "$name.out" >long
    same long /dev/null
    ! grep ' $' "$name.out" || fail 'blanks at the end of a line'
    same "$name.out" "$SRC/testsuite/golden/$name.expected"
}

views c pcc c.c 'sort_by_insertion'
views cxx pcxx cxx.cc 'containers::ordered_collection<.*insert_in_order|fill'
have "$FC" Fortran && views fortran pfc fortran.f90 'triangular_numbers.sum_of_triangle'
exit 0
