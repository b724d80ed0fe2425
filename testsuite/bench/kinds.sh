#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What each kind costs while the program runs, next to what else counts or traces allocations: several programs, in each
# all contenders in turn, and of all the geometric mean and the worst case. Then what counts, on the JSON parser with
# eight threads, as a shared object, and both.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof

counting() {
    contender "plain" plain
    contender "plain, once more" plain
    contender "time" time "$plugin"
    contender "time-field" field "$plugin" $k-profile=time-field
    contender "count" count "$plugin" $k-profile=count
    contender "count, blocks" blocks "$plugin" $k-profile=count $k-blocks
    contender "instructions" instructions "$plugin" $k-profile=instructions
    contender "instructions, stack" instructions-stack "$plugin" $k-profile=instructions $k-stack
    contender "gcov" gcov -fprofile-arcs
    contender "gcov atomic" atomic -fprofile-arcs -fprofile-update=atomic
}

kinds() {
    counting
    contender "drop" drop "$plugin" $k-profile=drop
    contender "count, mispredictions" mispredictions "$plugin" $k-profile=count $k-mispredictions
    contender "count, targets" targets "$plugin" $k-profile=count $k-targets
    contender "count, stack" count-stack "$plugin" $k-profile=count $k-stack
    contender "time,count" both "$plugin" $k-profile=time,count
    contender "alloc" alloc "$plugin" $k-profile=alloc
    contender "alloc, stack" alloc-stack "$plugin" $k-profile=alloc $k-stack
    contender "call" call "$plugin" $k-profile=call
    contender "-pg" pg -pg
    if command -v heaptrack >/dev/null 2>&1; then
        list="$list heaptrack 'cd $d/plain && exec heaptrack -o data ./prog $arguments 2>&1'"
    fi
}

# one TITLE ARGUMENTS SOURCE...; `options`, `libraries` and `shared` are set.
one() {
    title=$1${shared:+, shared object} arguments=$2
    shift 2
    sources=$*
    d=$all/$(echo "$title" | tr -c 'A-Za-z0-9\n' -)
    list=
    title "kinds: $title, $ROUNDS rounds"
    $contenders
    measure "$all" "$ROUNDS"
    for folder in time field count blocks instructions instructions-stack count-stack both alloc alloc-stack; do
        [ ! -d "$d/$folder" ] || [ -s "$d/$folder/mlmon.out" ] ||
            echo "ccprof: $folder: the program left no mlmon.out"
    done
}

rm -rf "$work/kinds"
mkdir -p "$work/kinds/forms"
echo "Aims: count and blocks not more than gcov, time-field 1.05, alloc 1.4, stack 2.5 or with instructions 1.3, drop 1."
all=$work/kinds contenders=kinds shared=
for program in ${PROGRAMS:-rays calls vectors json lua}; do
    usual "$program"
done
title "kinds: geometric mean of all, ratio to plain"
ratio_means "$work/kinds/all"
all=$work/kinds/forms contenders=counting
usual threads
shared=yes
usual json
usual threads
