#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Link time optimisation where not every compiler has the plugin.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump

# compile WHO OPTIONS...: WHO of main, other, both or none with the plugin.
compile() {
    who=$1
    shift
    for unit in main other; do
        plugin=
        case $who in
        "$unit" | both) plugin=-fplugin=$PLUGIN ;;
        esac
        # shellcheck disable=SC2086
        "$CC" "$@" $plugin -c "$SOURCES/mixed-$unit.c" -o "$unit.o"
    done
}

# runs PROGRAM
runs() {
    "./$1" 2>err || fail "$1: exit status $?"
    hasnot err .
}

# text FILE: its machine code.
text() {
    objdump -d --no-show-raw-insn --section=.text --section=.text.startup "$1" | sed 1,3d
}

for options in '-O2 -flto' '-O3 -flto -g -gno-record-gcc-switches -ffat-lto-objects' '-O0 -flto'; do
    echo "$options"
    # shellcheck disable=SC2086
    {
        compile none $options
        "$CC" $options main.o other.o -o plain
        for who in main other both; do
            compile $who $options
            "$CC" $options main.o other.o -o program 2>messages
            same messages /dev/null
            runs program
            nothing_but_asked program
            text program >got
            text plain >want
            same got want
        done
        for who in none main other both; do
            compile $who $options
            pcc $options main.o other.o -o program 2>messages
            same messages /dev/null
            runs program
            is_profiled program
            charged program 0x41c64e6d mine
            charged program 0x19660d inner
            charged program 0x2545f49 helper
        done
    }
done

# Not even the link is by intermediate code everywhere.
pcc -O2 -flto -c "$SOURCES/mixed-main.c" -o main.o
pcc -O2 -fno-lto -c "$SOURCES/mixed-other.c" -o other.o
pcc -O2 -flto main.o other.o -o program
runs program
charged program 0x41c64e6d mine
charged program 0x19660d inner other
"$CC" -O2 -flto main.o other.o -o program
charged program 0x19660d inner other

# Without the plugin at the link, debug information made there knows nothing of markers,
# but for what was compiled with optimisation and without -g: see limits.md.
for options in '-O0 -flto' '-O2 -flto -g -gno-record-gcc-switches'; do
    # shellcheck disable=SC2086
    compile both $options
    for link in "$options -g" "$options -g -flto-partition=none"; do
        # shellcheck disable=SC2086
        "$CC" $link main.o other.o -o program
        runs program
        nothing_but_asked program
    done
done
