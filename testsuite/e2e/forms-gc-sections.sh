#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -ffunction-sections with --gc-sections: the linker drops a function together with its tables,
# and what stays is charged rightly.
. "$SRC/testsuite/forms/forms.sh"

# size FILE: bytes of .ccprof.code.
size() {
    readelf -SW "$1" | sed -n 's/^.* \.ccprof\.code *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/0x\1/p'
}

parts objects -O2 -ffunction-sections
for linker in bfd lld; do
    have ld.$linker "linking by $linker" || continue
    "$CC" -fuse-ld=$linker objects/*.o -o whole
    "$CC" -fuse-ld=$linker -Wl,--gc-sections objects/*.o -o collected
    echo "$linker: tables of $(size whole) and $(size collected) bytes"
    charged whole "$GAMMA" unused unused
    nm whole | grep -q ' T unused$' || fail "unused is not even in whole"
    if nm collected | grep -q ' T unused$'; then
        fail "unused was not collected"
    fi
    [ $(($(size collected))) -lt $(($(size whole))) ] || fail "its tables are still there"
    right_parts collected
done
