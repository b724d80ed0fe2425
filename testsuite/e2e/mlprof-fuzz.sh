#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Bytes of an executable's tables and of a data file changed at random: exit status 0
# or 1, never a signal.  (unit/check_mlprof_fuzz.c does far more of it in one process.)

. "$SRC/testsuite/mlprof.sh"
need readelf

example prog
data good 2 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 1"
readelf -SW prog | sed 's/^ *\[ *[0-9]*\]//' |
    awk '$1 ~ /^\.ccprof/ { print $1, $4, $5 }' >sections
[ "$(wc -l <sections)" -eq 3 ]

# change FILE OFFSET VALUE: one byte.
change() {
    # shellcheck disable=SC2059
    printf "\\$(printf %03o "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

bad=0
tried() {
    status=0
    timeout 300 "$@" >out 2>err || status=$?
    case $status in
    0) ;;
    1)
        bad=$((bad + 1))
        # Warnings may stand before the one line.
        [ -s err ] || fail "no word of what is wrong: $*"
        hasnot err '^\($\|[^m]\|m[^l]\)'
        ;;
    *)
        cat err >&2
        fail "exit status $status: $*"
        ;;
    esac
}

while read -r name offset size; do
    # Every other byte, the last one among them.
    i=$(((0x$size + 1) % 2))
    while [ $i -lt $((0x$size)) ]; do
        for value in 0 127 255; do
            cp prog changed
            change changed $((0x$offset + i)) $value
            tried "$MLPROF" -raw true -show-line true -callers "" -list "" -flame svg changed good
        done
        i=$((i + 2))
    done
    echo "$name: $bad refused"
    [ $bad -gt 0 ]
    bad=0
done <sections

# The tables of what counts blocks, as a compiler has written them: some 50 bytes of each.
cp "$SRC/testsuite/flow/ways.c" .
pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-branch ways.c -o counted
./counted >/dev/null
mv mlmon.out counts
readelf -SW counted | sed 's/^ *\[ *[0-9]*\]//' |
    awk '$1 ~ /^\.ccprof\.(count|flow|edge)/ { print $1, $4, $5 }' >sections
[ "$(wc -l <sections)" -eq 3 ]
while read -r name offset size; do
    i=0
    while [ $i -lt $((0x$size)) ]; do
        cp counted changed
        change changed $((0x$offset + i)) $(((i * 41 + 127) % 256))
        tried "$MLPROF" -arcs "" -callers "" -list "" -gcov json changed counts
        i=$((i + 0x$size / 50 + 1))
    done
    echo "$name: $bad refused"
    [ $bad -gt 0 ]
    bad=0
done <sections

# The symbols of a module outside, its section headers and all else of it.
cat >ext.s <<'END'
        .text
        .globl outer
        .type outer, %function
outer:  .fill 16, 1, 0
        .size outer, 16
inner:  .fill 16, 1, 0
        .section .note.GNU-stack, "", %progbits
END
"$CC" -nostdlib -shared -Wl,--build-id=none -Wl,-z,noseparate-code ext.s -o whole.so
cp whole.so ext.so
at=$(readelf -sW ext.so | awk '$8 == "outer" { print $2; exit }')
data named 2 0 "$PWD/prog" "$PWD/ext.so" -- "0 1 0x$at 1" "0 1 $(printf '0x%x' $((0x$at + 20))) 1"
run 0 "$MLPROF" -show-extern true prog named
has out '  <outer>$'
has out '  <inner>$'
size=$(wc -c <whole.so)
i=0
while [ $i -lt "$size" ]; do
    cp whole.so ext.so
    change ext.so $i $(((i * 37 + 255) % 256))
    tried "$MLPROF" -show-extern true prog named
    i=$((i + 7))
done
[ $bad -gt 0 ]
bad=0

size=$(wc -c <good)
i=0
while [ $i -lt "$size" ]; do
    cp good changed
    change changed $i $((i * 37 % 256))
    tried "$MLPROF" prog changed
    i=$((i + 2))
done
[ $bad -gt 0 ]
