#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# GCC's garbage collector, run wherever it may, takes nothing that the plugin needs.
. "$SRC/testsuite/plugin/plugin.sh"

# collected COMPILER OPTIONS...: the object is the same whether garbage is collected or not.
collected() {
    echo "$*"
    "$@" -fplugin="$PLUGIN" -c -o lazy.o
    "$@" -fplugin="$PLUGIN" --param ggc-min-expand=0 --param ggc-min-heapsize=0 -c -o eager.o
    cmp lazy.o eager.o
    is_profiled eager.o
}

collected "$CC" -O2 "$KERNEL" "$SRC/testsuite/forms/names.c"
collected "$CC" -O3 -g -gno-record-gcc-switches "$KERNEL" "$SRC/testsuite/forms/cold.c"
collected "$CC" -O0 "$SRC/testsuite/demo/tree.c"
collected "$CC" -O2 "$SRC/testsuite/demo/trace.c"
collected "$CC" -O2 -fopenmp "$KERNEL" "$SRC/testsuite/forms/omp.c"
collected "$CXX" -O2 "$KERNEL" "$SRC/testsuite/forms/names.cc"
collected "$CXX" -O1 "$KERNEL" "$SRC/testsuite/forms/catch.cc"
if have "$FC" 'Fortran'; then
    collected "$FC" -O2 "$SRC/testsuite/forms/names.f90"
fi
