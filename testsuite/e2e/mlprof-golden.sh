#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The views of counted programs in C, C++ and Fortran, to the last character: in a file, and on
# terminals of 80 and 120 columns.  The numbers follow from the programs' loops; gcov has the same of
# each line without -O.

. "$SRC/testsuite/golden.sh"

# views NAME COMPILER SOURCE PATTERN: all of them of a program.
views() {
    cp "$SRC/testsuite/golden/$3" .
    "$2" -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks "$3" -o "$1"
    "./$1"
    golden "$1" "$1" mlmon.out '-show-line true' '-by line -top 5' "-callers:$4" "-peek:$4" "-arcs:$4" \
        "-list:$4" "-sort name -peek:$4" "-sort calls -arcs:$4" "-sort name -arcs:$4"
}

views c pcc c.c 'sort_by_insertion'
views cxx pcxx cxx.cc 'containers::ordered_collection<.*insert_in_order|fill'
have "$FC" Fortran && views fortran pfc fortran.f90 'triangular_numbers.sum_of_triangle'

cp "$SRC/testsuite/golden/alloc.cc" "$SRC/testsuite/golden/growing.h" .
pcxx -O2 -fplugin-arg-ccprof-profile=alloc,count alloc.cc -o alloc
./alloc
golden alloc alloc mlmon.out '-show-line true' '-raw true -sort blocks' '-allocs site' '-allocs type' \
    '-allocs path' '-allocs path -library growing.h -top 4' \
    '-allocs site -sort blocks' '-allocs type -sort name' '-allocs path -sort bytes'
exit 0
