#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions with options of their own, clones by target, ifuncs: the same code, and the
# same inlining, as without the plugin; right answers.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump

case $("$CC" -dumpmachine) in
x86_64*) ;;
*) skip "the clones are for x86-64" ;;
esac
cp "$SOURCES/optnode.c" .
"$CC" -O0 optnode.c -o plain
./plain >expected

for options in -O0 -O1 -O2 -O3 '-O2 -g' '-Os -fPIC'; do
    echo "$options"
    # shellcheck disable=SC2086
    same_code "$CC" -gno-record-gcc-switches $options optnode.c
    "$CC" ccprof.o -o program
    ./program >got
    same got expected
    charged program 0x3ade68b by_attribute by_attribute
    charged program 0x1b873593 not_at_all not_at_all
    charged program 0x85ebca6 chosen_one chosen_one
    charged program 0x2b2ae35 by_target by_target
    # All of its clones have one name.
    charged program 0x2545f49 cloned cloned
    [ "$(wc -l <where)" -ge 3 ] || fail "not three clones: $(cat where)"
    charged program 0x19660d fast
    case $options in
    # Functions of other levels are inlined into each other where GCC can do it.
    -O2* | -O3*) has where ': fast optnode.c:16:19 < by_pragma optnode.c:21:' ;;
    esac
done
pcc -O2 -flto optnode.c -o program
./program >got
same got expected
charged program 0x2545f49 cloned cloned
charged program 0x19660d fast by_pragma
