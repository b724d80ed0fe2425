#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 1800
# show: 1
# Every kind, on programs of some size in C, C++ and Fortran, in each form that code is
# compiled in: they print what the plain programs do.  (All forms of all: make kinds.)
. "$SRC/testsuite/lib.sh"
need "$CXX" "$FC"

added=count,blocks,branch,targets,count-stack,alloc,alloc-stack
added=$added,time-branch,field,field-stack,time-count,field-count,field-alloc,field-all

JOBS=1 "$SRC/testsuite/kinds/kinds.sh" "$PWD/runs" \
    grid/static-pie,shared,O3-fPIC-g,O3-flto-fPIC/all \
    demo/fPIC/$added \
    demo/flto/field,field-all,blocks,alloc-stack \
    demo/fPIE,shared,O3,g,O3-static-pie-g/field,field-all,count-stack,alloc \
    words/fPIC/field-count \
    words/flto/field \
    early/all/count-stack,alloc-stack,field-all,stopwatch \
    early/O2/all \
    atomic/all/blocks,field-all,stopwatch \
    atomic/O2,flto/all
