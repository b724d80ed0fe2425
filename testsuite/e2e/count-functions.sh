#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: the calls of each function are those that the program itself counts, at each
# level; and those of functions that are deleted, or of which the optimiser saves calls.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

for level in -O0 -O1 -O2 -O3 -Os -Og "-O2 -g" "-O2 -flto" "-O3 -flto -fPIC" "-O2 -fPIC" \
    "-O2 -fno-pie -no-pie" "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections"; do
    # shellcheck disable=SC2086
    pcc $level "$KIND" -fplugin-arg-ccprof-exclude=calls.h "$COUNT/calls.c" -o calls
    ./calls >want 2>/dev/null
    counted want calls mlmon.out
    has mlmon.out '^kind count$'
    # shellcheck disable=SC2086
    pcc $level "$KIND" "$COUNT/deleted.c" -o deleted
    ./deleted >/dev/null
    cat >want <<'END'
declared_const 10
declared_pure 10
empty 10
external_uncalled 0
found_pure 10
in_dead_code 0
main 1
nothing 10
unused 10
END
    counted want deleted mlmon.out
    # shellcheck disable=SC2086
    pcc $level "$KIND" "$COUNT/beside.c" -o beside
    ./beside >steps
    counted steps beside mlmon.out
done

# The functions that a sanitizer adds at the end are none of the source.
for level in "-O2" "-O2 -fPIC" "-O2 -flto"; do
    for blocks in "" -fplugin-arg-ccprof-blocks; do
        # shellcheck disable=SC2086
        pcc $level -fsanitize=address "$KIND" $blocks "$COUNT/deleted.c" -o sanitized
        rm -f mlmon.out
        ./sanitized >/dev/null
        counted want sanitized mlmon.out
    done
done
