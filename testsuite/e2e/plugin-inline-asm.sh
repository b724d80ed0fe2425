#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Assembly in functions and between them, which may go into other sections and come back.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump

case $("$CC" -dumpmachine) in
x86_64*) ;;
*) skip "the assembly is x86-64's" ;;
esac
cp "$SOURCES/asm.c" .
"$CC" -O0 asm.c -o plain
./plain >expected

for options in -O0 -O2 '-O3 -g' '-O2 -ffunction-sections' '-O2 -fno-toplevel-reorder' -Os; do
    echo "$options"
    # shellcheck disable=SC2086
    same_code "$CC" -gno-record-gcc-switches $options asm.c
    "$CC" ccprof.o -o program
    ./program >got
    same got expected
    charged program 0x41c64e6d count
    charged program 0x19660d noted
    charged program 0x3ade68b jump jump
    charged program 0x2545f49 jump jump
    charged program 0x1b87359 bare bare
    charged program 0x2b2ae35 behind behind
    # No function of C: nothing is known of it.
    [ "$(where program of_the_top)" = '?' ] || fail "of_the_top: $(where program of_the_top)"
    [ "$(where program elsewhere)" = '?' ] || fail "elsewhere: $(where program elsewhere)"
done
