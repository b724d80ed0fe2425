#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Beside other options that add to the code or change its form: the same code as without
# the plugin, a program that runs, and right answers.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump readelf

cp "$SOURCES/others.c" .
"$CC" -O0 others.c -o plain
./plain >expected
RANDOM_SEED='-frandom-seed=1 -gno-record-gcc-switches'

# right OPTIONS...: ccprof.o is linked, runs, and is charged rightly.
right() {
    rm -f ./*.gcda
    "$CC" "$@" ccprof.o -o program
    ./program >got
    same got expected
    charged program 0x41c64e6d mix
    grep -q ': mix others.c:9:15 < fill others.c:16:17' where || fail "$(cat where)"
    charged program 0x2545f49 choose choose
}

# with OPTIONS...: of compiling and linking.
with() {
    echo "$*"
    # shellcheck disable=SC2086
    same_code "$CC" $RANDOM_SEED "$@" others.c
    right "$@"
}

# Other profilers, which add calls.
with -O2 -pg
with -O2 -pg -mfentry
with -O2 -finstrument-functions
with -O2 -fpatchable-function-entry=8,3
with -O2 --coverage
with -O2 -fprofile-arcs -ftest-coverage -fprofile-update=atomic
with -O2 -fsplit-stack
with -O2 -fstack-protector-all
with -O2 -fstack-clash-protection -fcf-protection=full
with -O2 -fcf-protection=none
with -O2 -fsanitize=address
with -O2 -fsanitize=undefined
with -O2 -fsanitize=thread
with -O2 -fsanitize=leak
with -O2 -ftrivial-auto-var-init=pattern -fzero-call-used-regs=all

# The form of the code and of the assembly.
with -O2 -masm=intel
with -O2 -masm=intel -g -fPIC
with -O2 -fverbose-asm
with -O2 -pipe
with -O2 -fno-pic -no-pie
with -O2 -fno-pic -no-pie -mcmodel=large
with -O2 -fPIC -mcmodel=large
with -O2 -fPIC -mcmodel=medium -fno-plt
with -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections
with -O2 -falign-functions=64 -fno-asynchronous-unwind-tables
with -O3 -funroll-all-loops -mtune=native
with -O2 -fno-toplevel-reorder -fno-section-anchors
with -O2 -fwhole-program
with -Os -mindirect-branch=thunk -mfunction-return=thunk
with -Ofast -fsplit-loops -fira-region=all

# Debug information.
with -O2 -g
with -O2 -gdwarf-4
with -O2 -g3
with -O2 -ggdb -gz
with -O2 -gsplit-dwarf
with -O2 -g1 -gno-column-info
with -O2 -g -fvar-tracking-assignments -gstatement-frontiers -gvariable-location-views=incompat5
with -O2 -g -fdebug-types-section
with -O2 -g -Wa,--noexecstack,-mrelax-relocations=no
with -Og -g

# Where the assembler makes the debug information, it is that of the assembly.
pcc -O2 -Wa,--gdwarf-5 -c others.c -o ccprof.o
right -O2 -Wa,--gdwarf-5

# Feedback: what the program wrote is read back.
with -O2 -fprofile-generate -fprofile-update=single
rm -f ./*.gcda
"$CC" -O2 -fprofile-generate -frandom-seed=1 -fplugin="$PLUGIN" others.c -o trained
./trained >got
same got expected
[ -f trained-others.gcda ] || fail "no feedback: $(ls)"
mv trained-others.gcda it.gcda
same_code "$CC" -O2 -fprofile-use -Werror=missing-profile -frandom-seed=1 others.c
right -O2

# Everything is kept, and the assembly is what an assembler takes.
mkdir kept
(cd kept && pcc -O2 -save-temps -fverbose-asm ../others.c -o program && ./program >got)
same kept/got expected
"$CC" -c kept/program-others.s -o again.o
is_profiled again.o
cmp kept/program-others.o again.o
pcc -O2 -S others.c -o - >stdout.s
"$CC" stdout.s -o program
./program >got
same got expected
is_profiled program
