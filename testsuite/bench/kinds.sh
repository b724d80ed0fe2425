#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What each kind costs while the program runs, next to what else counts or traces
# allocations: several programs, in each all contenders in turn, and of all the geometric
# mean and the worst case.  Then what kinds-forms.sh prints.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof

kinds() {
    contender "plain" plain
    contender "plain, once more" plain
    contender "drop" drop "$plugin" $k-profile=drop
    contender "time" time "$plugin"
    contender "time-field" field "$plugin" $k-profile=time-field
    contender "count" count "$plugin" $k-profile=count
    contender "count, blocks" blocks "$plugin" $k-profile=count $k-blocks
    contender "count, targets" targets "$plugin" $k-profile=count $k-targets
    contender "count, stack" count-stack "$plugin" $k-profile=count $k-stack
    contender "time,count" both "$plugin" $k-profile=time,count
    contender "alloc" alloc "$plugin" $k-profile=alloc
    contender "alloc, stack" alloc-stack "$plugin" $k-profile=alloc $k-stack
    contender "call" call "$plugin" $k-profile=call
    contender "-pg" pg -pg
    contender "gcov" gcov -fprofile-arcs
    contender "gcov atomic" atomic -fprofile-arcs -fprofile-update=atomic
    if command -v heaptrack >/dev/null 2>&1; then
        list="$list heaptrack 'cd $d/plain && exec heaptrack -o data ./prog $arguments 2>&1'"
    fi
}

# one TITLE ARGUMENTS SOURCE...; `options` and `libraries` are set.
one() {
    title=$1 arguments=$2
    shift 2
    sources=$*
    d=$work/kinds/$(echo "$title" | tr -c 'a-z0-9\n' -)
    list=
    kinds
    title "kinds: $title, $ROUNDS rounds"
    eval "\"$work/ratio\" \"$ROUNDS\" $list" >"$d/ratios"
    ratios <"$d/ratios"
    for folder in time field count blocks count-stack both alloc alloc-stack; do
        [ -s "$d/$folder/mlmon.out" ] || echo "ccprof: $folder: the program left no mlmon.out"
    done
    sed "s/^/$title	/" "$d/ratios" >>"$work/kinds/all"
}

# lua: Lua's interpreter, if its source can be had.
lua() {
    lua_sources || return 0
    options="-O2 $lua_options" libraries="-ldl -lm"
    # Names without blanks.
    # shellcheck disable=SC2086
    one "Lua" "$bench/lua.lua" $lua_sources
}

rm -rf "$work/kinds"
mkdir -p "$work/kinds"
echo "Aims: count and blocks not more than gcov, time-field 1.05, alloc 1.4, stack 2.5, drop 1."
options=-O2 libraries=-lm
one "ray tracer" "500 4" "$bench"/../demo/*.c
one "recursive calls" "" "$bench/calls.c"
one "inlined helpers" "" "$bench/helpers.c"
one "allocation" "" "$bench/allocate.c"
options=-O3
one "vector code" "" "$bench/vector.c"
options=-O2 libraries="-lstdc++ -lpthread"
one "SAT solver" "" "$bench"/sat*.cc "$bench/units.c"
one "JSON parser" "" "$bench"/json*.cc "$bench/units.c"
one "compiler" "" "$bench"/compiler*.c "$bench/units.c"
lua
title "kinds: geometric mean of all, ratio to plain"
ratio_means "$work/kinds/all"
"$bench/kinds-forms.sh"
