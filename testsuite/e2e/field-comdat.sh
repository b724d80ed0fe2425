#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# own processor
# time-field: of inline functions that several units have, one copy and its sites are left,
# whichever unit it comes from, also if that was compiled without the plugin.
. "$SRC/testsuite/field/field.sh"
need "$CXX"

pcxx $KIND -O2 "$KERNEL" -c "$FORMS/comdat-main.cc" -o main.o
pcxx $KIND -O2 -ffunction-sections "$KERNEL" -c "$FORMS/comdat-second.cc" -o second.o
"$CXX" -O2 "$KERNEL" -c "$FORMS/comdat-second.cc" -o plain.o

# rows: how many helper has.
rows() {
    [ "$(grep -c '  forms::Work.*::helper$' table)" -eq "$1" ] || {
        cat table >&2
        fail "not $1 rows of helper"
    }
}

for linker in bfd lld; do
    command -v ld.$linker >/dev/null 2>&1 || continue
    for objects in "main.o second.o" "second.o main.o"; do
        echo "$linker $objects"
        # shellcheck disable=SC2086
        "$CXX" -fuse-ld=$linker -Wl,--gc-sections $objects -o comdat
        profile comdat
        rows 2
    done
    # The time of code without the plugin is its callers': of what only that unit has, and
    # of the copies that both have where it comes first.
    echo "$linker main.o plain.o"
    "$CXX" -fuse-ld=$linker -Wl,--gc-sections main.o plain.o -o comdat
    profile comdat
    rows 1
    echo "$linker plain.o main.o"
    "$CXX" -fuse-ld=$linker -Wl,--gc-sections plain.o main.o -o comdat
    profile comdat
    rows 0
    within main 90 100
done

echo "linked twice"
ld -r main.o second.o -o both.o
"$CXX" both.o -o comdat
profile comdat
rows 2
