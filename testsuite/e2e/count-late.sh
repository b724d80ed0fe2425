#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mark=function and mark=block for what is counted: a row for each compiled function, or for
# each basic block, with the numbers of the source; and for the other kinds.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

cat >late.c <<'END_OF_FILE'
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf back;
void *volatile place;
static inline __attribute__((always_inline)) unsigned first(unsigned x)
{
    return x * 0x12345671u;
}
__attribute__((noinline)) static unsigned cloned(unsigned x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x = (x ^ x >> 5) * 0x2c1b3c6d ^ first(x);
    return x;
}
__attribute__((noipa)) unsigned kept(unsigned x, unsigned n)
{
    place = malloc(n);
    for (unsigned i = 0; i < n; i++)
        x ^= cloned(x, 100) + i;
    free(place);
    return x * 0x76543211u;
}
__attribute__((noipa)) unsigned jumped(unsigned n)
{
    volatile unsigned left = n;
    if (setjmp(back) < 7 && left--)
        longjmp(back, 1);
    return left;
}
#ifdef SHARED
unsigned run(unsigned n)
#else
int main(int argc, char **argv)
#endif
{
#ifndef SHARED
    unsigned n = (unsigned)argc + 999;
    (void)argv;
#endif
    return kept(n, n) + jumped(5) == 3;
}
END_OF_FILE
echo 'unsigned run(unsigned n); int main(void) { return (int)run(1000); }' >main.c
ARG=-fplugin-arg-ccprof-

# late MARK OPTIONS...: late.c as a program, profiled with count.
late() {
    mark=$1
    shift
    pcc "$KIND" ${ARG}mark="$mark" "$@" late.c -o late
    ./late || fail "exit status $?"
}

for options in -O1 -O3 '-O2 -flto' '-O2 -g'; do
    echo "$options"
    # shellcheck disable=SC2086
    late function $options
    table late mlmon.out >rows
    case $options in
    # Here the optimiser makes a clone of it.
    -O[23]*) cloned=cloned.constprop.0 ;;
    *) cloned=$(sed -n 's/^\(cloned[^ ]*\) .*/\1/p' rows) ;;
    esac
    printf '%s\n' "$cloned 1000" 'jumped 1' 'kept 1' 'main 1' | sort >want
    same rows want

    # shellcheck disable=SC2086
    late block $options
    table late mlmon.out >rows
    # Each function is entered by one block; its loop is another: 1,000 times, 100 times that.
    has rows "^$cloned\.bb2 1000\$"
    has rows "^$cloned\.bb[0-9]* 100000\$"
    has rows '^kept\.bb2 1$'
    has rows '^kept\.bb[0-9]* 1000$'
    has rows '^main\.bb2 1$'
    has rows '^jumped\.bb[0-9]* 5$'
    hasnot rows 'first'
    # Nothing but blocks has a row.
    [ "$(grep -c '\.bb[0-9]* [0-9]*$' rows)" -eq "$(wc -l <rows)" ] || fail "not only blocks: $(cat rows)"
done

# In a shared object, without a tail call or a code change that is not asked for.
pcc -O2 "$KIND" ${ARG}mark=function -DSHARED -fPIC -shared late.c -o liblate.so
pcc -O2 "$KIND" ${ARG}mark=function main.c -o late -L. -llate "-Wl,-rpath,$PWD"
./late || fail "exit status $?"
table late mlmon.out >rows
printf '%s\n' 'cloned.constprop.0 1000' 'jumped 1' 'kept 1' 'main 1' 'run 1' | sort >want
same rows want

# Beside time the rows are the same ones.
pcc -O2 ${ARG}profile=time,count ${ARG}mark=function late.c -o late
./late
"$MLPROF" late mlmon.out >table
table_rows calls <table >rows
has rows '^cloned\.constprop\.0 1000$'
[ "$(grep -c '^cloned' rows)" -eq 1 ] || fail "two rows for one function: $(cat table)"

# Excluded functions have none.
late function -O2 ${ARG}exclude-function='^(kept|cloned)$'
table late mlmon.out >rows
printf '%s\n' 'jumped 1' 'main 1' >want
same rows want

# The other kinds.
for mark in function block; do
    suffix=
    [ $mark = function ] || suffix='\.bb2'
    pcc -O2 ${ARG}profile=alloc ${ARG}mark=$mark late.c -o late
    ./late
    "$MLPROF" -raw true late mlmon.out >table
    has table " 1,000 .*  kept$suffix\$"
    for profile in time time-field; do
        pcc -O2 ${ARG}profile=$profile ${ARG}mark=$mark -Dmain=once late.c -c -o late.o
        echo 'int once(int n, char **); int main(int n, char **v) { for (int i = 0; i < 300; i++) once(n, v); return 0; }' >loop.c
        pcc -O2 ${ARG}profile=$profile ${ARG}mark=$mark loop.c late.o -o late
        CCPROF=rate=1000 ./late
        "$MLPROF" late mlmon.out >table
        row=$(table_rows cur <table | head -n 1)
        case $mark$row in
        function"cloned.constprop.0 "*) ;;
        block"cloned.constprop.0.bb"*) ;;
        *) fail "$profile, $mark: $(cat table)" ;;
        esac
    done
done

# refused ERROR ARGUMENT...
refused() {
    error=$1
    shift
    for argument; do
        set -- "$@" "$ARG$argument"
        shift
    done
    run 1 pcc -O2 "$@" -c late.c -o bad.o
    has err "error: ccprof: $error\$"
}
refused "'mark=block' goes with one kind only" profile=time,count mark=block
for counted in blocks branch targets; do
    refused "'$counted' needs 'mark=source'" profile=count $counted mark=function
done
for mark in function block; do
    refused "'stack' needs 'mark=source', or 'mark=function' without 'profile=count'" \
        profile=count stack mark=$mark
done
refused "'stack' needs 'mark=source', or 'mark=function' without 'profile=count'" \
    profile=alloc stack mark=block
pcc -O2 ${ARG}profile=alloc ${ARG}stack ${ARG}mark=function late.c -o late
./late
"$MLPROF" -raw true late mlmon.out >table
table_rows stack <table >rows
has rows '^main 100\.0$'
