#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A load or a store that is folded into an instruction of another function is still its own
# function's.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump readelf
here=$SRC/testsuite/truth
. "$SRC/testsuite/truth/disassembly.sh"

cat >want <<'END'
0x123450 get_next
0x123458 get_value
0x123460 get_size
0x123464 get_kind
0x133468 get_entry
0x133668 set_last
level get_level
limit get_limit
seen set_seen
END

# accesses: the instructions that may read or write memory: the base of several variables is nobody's.
accesses() {
    case $cpu in
    x86_64) cat ;;
    *) grep ':.\(l\|s[bhwdt]\)' ;;
    esac
}

for options in -O1 -O2 -O3 -Os '-O2 -g' '-O2 -fPIC' '-O2 -flto' '-O2 -mtune=atom'; do
    understood "$options" || continue
    echo "$options"
    # shellcheck disable=SC2086
    pcc $options "$SOURCES/loads.c" -o loads
    disassembly loads --disassemble=walk | accesses |
        sed -n 's/^ *\([0-9a-f]*\):.*\(0x12345[08]\|0x12346[04]\|0x133[46]68\)\((.*\)*$/\1 \2/p
            s/^ *\([0-9a-f]*\):.*<\([a-z]*\)>$/\1 \2/p' >found
    strip loads
    cut -d ' ' -f 1 found | "$MLPROF" -where loads | sed 's/.*: \([^ ]*\) .*/\1/' |
        paste -d ' ' found - | cut -d ' ' -f 2,3 | sort -u >got
    same got want
done
