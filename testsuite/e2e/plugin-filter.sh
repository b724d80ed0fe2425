#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# include= and exclude=: an excluded function is folded into its caller, which then
# stands at the call; everything else is as it is without the filter.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump readelf

# build OUT ARGUMENT...: links stack.c with these arguments of the plugin.
build() {
    out=$1
    shift
    for argument; do
        set -- "$@" "-fplugin-arg-ccprof-$argument"
        shift
    done
    # shellcheck disable=SC2086
    (cd "$SOURCES" && pcc $LEVEL "$@" -o "$OLDPWD/$out" stack.c)
}

# filter FUNCTIONS ARGUMENT...: with these arguments the functions are missing.
filter() {
    gone=$1
    shift
    build filtered "$@"
    answers filtered >got
    # shellcheck disable=SC2086
    without $gone >want
    same got want
    if [ -n "$gone" ] && cmp -s want all; then
        fail "nothing to filter"
    fi
}

for LEVEL in -O2 -O0 '-O3 -g'; do
    echo "$LEVEL"
    build whole
    answers whole >all
    filter '' 'exclude=nothing'
    filter 'far' 'exclude=far'
    filter 'near' 'exclude=near'
    filter 'near far' 'exclude=^(near|deep/far)[.]h$'
    filter 'near far' 'exclude=[.]h' 'include=c$'
    # The last one that matches wins.
    filter '' 'exclude=far' 'include=deep'
    filter 'far' 'include=deep' 'exclude=far'
    filter 'near' 'exclude=h' 'include=deep' 'exclude=near'
    filter 'main work twice alone' 'exclude=.' 'include=[.]h$'
    filter 'main work twice alone near' 'exclude=.' 'include=far'
done

# By hand: far's product is at column 15, its call in near at column 13, near's in work at 16.
LEVEL=-O2
build whole
charged whole 0x41c64e6d far
has where ': far deep/far.h:5:15 < near near.h:8:13 < work stack.c:11:16$'
build filtered exclude=far
addresses filtered 0x41c64e6d | "$MLPROF" -where filtered >where
has where ': near near.h:8:13 < work stack.c:11:16$'
hasnot where far

# A function that is excluded and holds nothing has no tables.
pcc -O2 -ffunction-sections -c "$SOURCES/stack.c" -o all.o
pcc -O2 -ffunction-sections -fplugin-arg-ccprof-exclude=stack.c -c "$SOURCES/stack.c" -o some.o
[ "$(sections all.o | grep -c '^\.ccprof\.code')" -eq 4 ] || fail "not a table for each function"
[ "$(sections some.o | grep -c '^\.ccprof\.code')" -eq 2 ] || fail "tables of excluded functions"
pcc -O2 -fplugin-arg-ccprof-exclude=. -c "$SOURCES/stack.c" -o none.o
nothing_but_asked none.o
