#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# seeds.sh FOLDER: makes the inputs that fuzzing begins with, in a folder for each target: the data files and the
# executables of small programs of the tests, compiled for each kind, and the tables in them. Words as users may write
# them are in the folder kept. Environment: SRC, CC, CXX, PLUGIN.

. "$SRC/testsuite/lib.sh"

mkdir -p "$1/mlmon" "$1/elf" "$1/tables" "$1/formula" "$1/map" "$1/keep" "$1/gate" "$1/route" "$1/work"
cd "$1/work"

# tables FILE: its tables, as targets.h wants them.
tables() {
    number=0
    for section in str unit code count flow edge alloc allocators inclusive paths types arcs values callees \
        machine remarks; do
        rm -f section
        objcopy -O binary --set-section-flags ".ccprof.$section=alloc" -j ".ccprof.$section" "$1" section 2>/dev/null
        if [ -s section ]; then
            # shellcheck disable=SC2059
            printf "SEC:\\$(printf %03o $number)"
            cat section
        fi
        number=$((number + 1))
    done
}

# seed NAME COMPILER OPTION...: without start files, an executable is small; its data file is that of
# a whole one.
seed() {
    name=$1
    shift
    "$@" -o "$name" 2>err || {
        cat err >&2
        fail "$*"
    }
    rm -f mlmon.out
    ./"$name" >/dev/null 2>&1 </dev/null || :
    [ ! -s mlmon.out ] || head -c 40000 mlmon.out >"../mlmon/$name"
    # Two answers, between which nothing happened.
    [ ! -s mlmon.out ] || [ "$(stat -c %s mlmon.out)" -gt 20000 ] || {
        sed '1s/.*/ccprof mlmon 14/; s/^process .*/&\
answer 1000 0 open/' mlmon.out >answer
        cat answer answer >"../mlmon/$name-answers"
    }
    objcopy -g "$name" "../elf/$name"
    tables "$name" >"../tables/$name"
    [ "$(stat -c %s "../tables/$name")" -lt 40000 ] || rm "../tables/$name"
    [ "$(stat -c %s "../elf/$name")" -lt 80000 ] || rm "../elf/$name"
}

arg=-fplugin-arg-ccprof
for level in 0 2; do
    seed "tree-$level" pcc -O$level -fno-inline "$SRC/testsuite/labels/rules.c"
    seed "ways-$level" pcc -O$level $arg-profile=time,count $arg-branch "$SRC/testsuite/count/ways.c"
    seed "pointers-$level" pcxx -O$level $arg-profile=count,alloc $arg-branch "$SRC/testsuite/count/absent.cc"
    seed "known-$level" pcc -O$level $arg-profile=alloc $arg-stack "$SRC/testsuite/alloc/known.c" "$SRC/testsuite/alloc/outside.c"
    seed "words-$level" pcxx -O$level $arg-profile=time,alloc -pthread "$SRC/testsuite/kinds/words.cc"
    seed "calls-$level" pcc -O$level $arg-profile=count $arg-stack "$SRC/testsuite/count/targets.c" -pthread
    seed "machine-$level" pcc -O$level $arg-profile=instructions,count "$SRC/testsuite/count/ways.c"
    seed "field-$level" pcc -O$level $arg-profile=time-field "$SRC/testsuite/stack/deep.c"
done
seed lines pcc -O2 $arg-position=line "$SRC/testsuite/count/tails.c"
seed plain pcc -O2 $arg-position=none "$SRC/testsuite/count/tails.c"
seed compressed pcc -O2 -Wl,--compress-debug-sections=zlib "$SRC/testsuite/count/tails.c"
seed shared pcc -O2 -fPIC -shared "$SRC/testsuite/count/pointers.c"
