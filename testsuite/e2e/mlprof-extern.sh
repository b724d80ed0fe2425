#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program whose time is mostly outside: in a library that is not profiled, in callbacks
# that this and the C library call, and in the library below these.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"

cat >ext.c <<'END'
#include "ext.h"
unsigned ext_spin(unsigned n)
{
    volatile unsigned x = 1;
    while (n--)
        x = x * 1664525 + 1013904223;
    return x;
}
static unsigned apply(unsigned (*f)(unsigned), unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 8; i++)
        sum += f(n);
    return sum;
}
unsigned ext_apply(unsigned (*f)(unsigned), unsigned n) { return apply(f, n); }
END
cat >ext.h <<'END'
unsigned ext_spin(unsigned n), ext_apply(unsigned (*f)(unsigned), unsigned n);
END
cat >prog.c <<'END'
#include "ext.h"
#include <stdlib.h>
#define N 200000000
unsigned numbers[64];
static unsigned back(unsigned n) { return ext_spin(n / 2) + 1; }
static int compare(const void *a, const void *b)
{
    ext_spin(N / 1000);
    return *(const unsigned *)a < *(const unsigned *)b ? -1 : 1;
}
int main(void)
{
    unsigned sum = ext_spin(N);
    sum += ext_apply(back, N / 4);
    for (unsigned i = 0; i < 64; i++)
        numbers[i] = i * 2654435761u;
    qsort(numbers, 64, sizeof *numbers, compare);
    return !sum;
}
END
"$CC" -O2 -fno-inline -fPIC -shared ext.c -o libext.so
pcc -O2 prog.c -o prog -L. -lext -Wl,-rpath,"$PWD"

# ext_spin is called with N by main, with 8 N / 8 in all by back, and with N / 1000 for
# each of M comparisons, about 300: the shares are 1, 1 and M / 1000 of their sum.
inside() {
    run 0 env CCPROF=rate=1000 ./prog
    [ ! -s err ] || fail "the program says: $(cat err)"
    run 0 "$MLPROF" -balance false -raw true prog mlmon.out
    cp out table
    cat table
    # A sample or two may be of the time before main.
    sed '/  <unprofiled>$/d' table >rest
    hasnot rest '  <'
    lies 150 "$(awk -v c="$(share compare)" -v m="$(share main)" 'BEGIN { print m ? c / m * 1000 : 0 }')" 600 comparisons &&
        lies -20 "$(awk "BEGIN { print $(share main) - $(share back) }")" 20 'main, less back' &&
        lies 95 "$(together main back compare)" 100.5 'main, back and compare' &&
        lies 0 "$(share '<unprofiled>')" 2 '<unprofiled>'
}

# With names: it is all in ext_spin, main has nothing itself, and the tables' sums are one.
named() {
    run 0 "$MLPROF" -balance false -raw true -show-extern true prog mlmon.out
    cp table inside
    cp out table
    cat table
    lies 95 "$(share '<ext_spin>')" 100 '<ext_spin>' || return
    for function in main back compare '<ext_apply>' '<apply>'; do
        lies 0 "$(share "$function")" 3 "$function" || return
    done
}
both() {
    inside && named
}
decide both
for function in back compare; do
    want=$(table_cell "$function" stack <inside)
    [ "$(stack "$function")" = "$want" ] || fail "$function is not the same on the stack"
done
[ "$(stack '<apply>')" = "$(stack back)" ] || fail "back was called by somebody else"

# Who called whom, through the libraries.
run 0 "$MLPROF" -balance false -raw true -show-extern true -callers 'back  ' -callees '<apply>' prog mlmon.out
sed -n '/: callers of back$/,/^$/p' out | table_rows stack | sed 's/ .*//' >got
echo '<apply>' >want
same got want
sed -n '/: callees of <apply>$/,$p' out | table_rows stack | sed 's/ .*//' >got
echo back >want
same got want
run 0 "$MLPROF" -balance false -raw true -callers 'back  |compare  ' prog mlmon.out
grep -c '  main$' out >got
echo 2 >want
same got want
run 0 "$MLPROF" -balance false -raw true -show-extern true -callers 'compare  ' prog mlmon.out
hasnot out '  main$'
has out '  <'

# Where samples are local stacks, what is called outside is not known; without the option
# nobody asks.
case $("$CC" -dumpmachine) in
x86_64*)
    pcc -O2 -fplugin-arg-ccprof-profile=time-field prog.c -o stored -L. -lext -Wl,-rpath,"$PWD"
    run 0 env CCPROF=rate=1000 ./stored
    run 0 "$MLPROF" -show-extern true stored mlmon.out
    echo 'mlprof: -show-extern: stored has code of the kind time-field, whose samples do not say what it has called outside; compile with profile=time' >want
    same err want
    run 0 "$MLPROF" stored mlmon.out
    same err /dev/null
    ;;
esac

# Of several names of one function the short one, which is what programs call: sqrt, and not
# f32xsqrtf64.
cat >names.c <<'END_OF_FILE'
static void spin(void)
{
    for (volatile long i = 0; i < 50000000; i++) {}
}
void long_name_of_it(void) __attribute__((weak, alias("spin")));
void sq(void) __attribute__((weak, alias("spin")));
END_OF_FILE
"$CC" -O1 -fPIC -shared names.c -o libnames.so
echo 'void sq(void); int main(void) { sq(); return 0; }' >calls.c
pcc -O1 calls.c -L. -lnames -Wl,-rpath,"$PWD" -o calls
CCPROF=rate=1000,output=calls.out ./calls
"$MLPROF" -show-extern true calls calls.out >named
has named '  <sq>$'
hasnot named long_name_of_it
