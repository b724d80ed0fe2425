#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# DHAT's format: what valgrind's own viewer builds of it, of C, C++ and Fortran.

. "$SRC/testsuite/lib.sh"
need node
VIEWER=$(find /usr/libexec/valgrind /usr/lib/valgrind /usr/lib/*/valgrind -name dh_view.js 2>/dev/null | head -n 1)
[ "$VIEWER" ] || skip "valgrind's dh_view.js is not installed"
KIND=-fplugin-arg-ccprof-profile=alloc

# tree FILE: frames without addresses, as a tree.
tree() {
    node "$SRC/testsuite/export/dhat.js" "$VIEWER" "$1" | sed 's/0x[0-9A-F]*: //'
}

# totals PROGRAM: the viewer's total is that of -allocs.
totals() {
    run 0 "$MLPROF" -dhat tree.dhat "$1" mlmon.out
    run 0 "$MLPROF" -balance false -allocs site "$1" mlmon.out
    table_rows bytes blocks <out |
        awk '{ bytes += $(NF - 1); blocks += $NF } END { print 0, bytes, blocks, "[root]" }' >want
    tree tree.dhat >got
    head -n 1 got >first
    same first want
}

echo 'C.'
cat >a.c <<'END'
#include <stdlib.h>
struct node { struct node *next; };
static struct node *get(size_t n)
{
    return malloc(n);
}
int main(int argc, char **argv)
{
    (void)argv;
    struct node *volatile list = NULL;
    for (int i = 0; i < 1500; i++)
        list = get(sizeof *list);
    double *volatile numbers = calloc(argc, 2000);
    return !list || !numbers;
}
END
pcc -O2 "$KIND" a.c -o a
./a
run 0 "$MLPROF" -dhat tree.dhat a mlmon.out
cat >want <<'END'
0 14000 1501 [root]
1 12000 1500 malloc: struct node
2 12000 1500 get (a.c:5:12)
3 12000 1500 main (a.c:12:16)
1 2000 1 calloc: double
2 2000 1 main (a.c:13:32)
END
tree tree.dhat >got
same got want
totals a
run 0 "$MLPROF" -dhat - a mlmon.out
same out tree.dhat

echo 'Beside time: sites alone.'
pcc -O2 "$KIND,time" a.c -o b
./b
totals b
has got '^2 12000 1500 get (a.c:5:12)$'
hasnot got '^3'

if have "$CXX" 'C++'; then
    echo 'C++.'
    pcxx -O2 "$KIND" "$SRC/testsuite/export/templates.cc" -o templates
    ./templates >printed
    totals templates
    has got '_M_realloc_\(insert\|append\)' # since GCC 14 the latter
fi
if have "$FC" 'Fortran'; then
    echo 'Fortran.'
    pfc "$KIND" "$SRC/testsuite/alloc/levels.f90" -o levels
    ./levels >printed
    totals levels
fi

echo 'What was not measured.'
pcc -fplugin-arg-ccprof-profile=count a.c -o c
./c
run 1 "$MLPROF" -dhat refused c mlmon.out
has err '^mlprof: -dhat: no allocations were measured: compile with'
[ ! -e refused ]
# Nor is what could be written.
run 1 "$MLPROF" -csv - -dhat refused c mlmon.out
same out /dev/null
run 1 "$MLPROF" -flame written.html -csv written.csv -dhat refused c mlmon.out
[ ! -e written.html ] && [ ! -e written.csv ]
