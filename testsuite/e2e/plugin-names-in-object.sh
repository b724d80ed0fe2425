#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All that ccprof adds to an object file has ccprof in its name.
. "$SRC/testsuite/plugin/plugin.sh"
need readelf

# symbols FILE: type, binding and name of those that it defines; a section's has none of
# its own.
symbols() {
    readelf -sW "$1" | awk '$1 ~ /:$/ && $4 != "SECTION" && $7 != "UND" && $8 != "" {
        print $4, $5, $8 }' | sort
}

# references FILE: what it wants of others.
references() {
    nm -u "$1" | sort
}

# named PLAIN PROFILED
named() {
    sections "$1" | sort >before
    sections "$2" | sort >after
    [ -z "$(comm -23 before after)" ] || fail "sections are gone: $(comm -23 before after)"
    comm -13 before after >new
    has new '^\.ccprof\.code$'
    # The pointer in .init_array, by which the stub is called, and the stub's group; and GCC's own for the
    # statement by which .ccprof.asked goes through a link with -flto.
    if grep -v 'ccprof' new | grep -vx '\.gnu\.lto_\.asm\.1\|\.group\|\(\.rela\)\{0,1\}\.init_array\.00100'; then
        fail "sections without ccprof in their names"
    fi
    symbols "$1" >before
    symbols "$2" >after
    [ -z "$(comm -23 before after)" ] || fail "symbols are gone: $(comm -23 before after)"
    comm -13 before after >new
    has new ' ccprof_attach$'
    if grep -v ' [^ ]*ccprof' new; then
        fail "symbols without ccprof in their names"
    fi
    if grep ' \.L' new; then
        fail "an assembler's label is left"
    fi
    # What the stub asks for, weakly, may be there or not.
    references "$1" >before
    references "$2" >after
    if comm -13 before after | grep -v '^ *w ' | grep -v ' _GLOBAL_OFFSET_TABLE_$'; then
        fail "something is needed that was not"
    fi
}

# both COMPILER OPTIONS...: an object without the plugin and one with it.
both() {
    echo "$*"
    "$@" -c -o plain.o
    "$@" -fplugin="$PLUGIN" -c -o profiled.o
    named plain.o profiled.o
}

COMDAT="$KERNEL $SRC/testsuite/forms/comdat-main.cc"
COLD="$KERNEL $SRC/testsuite/forms/cold.c"
for options in -O0 -O2 '-O2 -g' '-O2 -ffunction-sections' '-O3 -fPIC' '-Os -fno-asynchronous-unwind-tables' \
    '-O2 -mcmodel=large' '-O2 -flto -ffat-lto-objects -frandom-seed=1'; do
    # shellcheck disable=SC2086
    both "$CC" $options "$SOURCES/stack.c"
    # shellcheck disable=SC2086
    both "$CC" $options $COLD
    # shellcheck disable=SC2086
    both "$CXX" $options $COMDAT
done

# A slim object of link time optimisation holds no code, so it gets nothing; what the
# link makes of it does.
"$CC" -O2 -flto -c "$SOURCES/stack.c" -o plain.o
pcc -O2 -flto -c "$SOURCES/stack.c" -o profiled.o
sections plain.o | grep -v '^\.gnu\.lto_' >before
sections profiled.o | grep -v '^\.gnu\.lto_' >after
same after before
symbols plain.o >before
symbols profiled.o >after
same after before
"$CC" -O2 -flto -r -flinker-output=nolto-rel plain.o -o plain-linked.o
pcc -O2 -flto -r -flinker-output=nolto-rel profiled.o -o profiled-linked.o
named plain-linked.o profiled-linked.o
