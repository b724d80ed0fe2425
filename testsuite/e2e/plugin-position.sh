#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# position=: the same code, the same local stacks, and as much of the positions as was
# asked for.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump readelf

# size FILE: the bytes of its code's tables.
size() {
    readelf -SW "$1" | sed 's/\[ */[/' | awk '$2 == ".ccprof.code" { print $6 }' |
        { read -r bytes && echo $((0x$bytes)); }
}

for options in -O0 -O2 '-O3 -g' '-O2 -flto'; do
    echo "$options"
    for position in expression line none; do
        # shellcheck disable=SC2086
        (cd "$SOURCES" && pcc $options -fplugin-arg-ccprof-position=$position \
            -o "$OLDPWD/$position" stack.c)
        answers $position >$position.got
    done
    # shellcheck disable=SC2086
    (cd "$SOURCES" && pcc $options -o "$OLDPWD/default" stack.c)
    answers default >default.got
    same default.got expression.got
    grep -q ':[0-9]*:[0-9]' expression.got || fail "no columns"
    sed 's/\(:[0-9][0-9]*\):[0-9]*/\1/g' expression.got >want
    same line.got want
    sed 's/:[0-9][0-9]*/:?/g' want >none.want
    # What is known of no line is known of no file either.
    same none.got none.want
    [ "$(size line)" -lt "$(size expression)" ] || fail "lines are no shorter"
    [ "$(size none)" -lt "$(size line)" ] || fail "nothing is no shorter"
    for position in line none; do
        objcopy -O binary --only-section=.text $position $position.text
        objcopy -O binary --only-section=.text expression expression.text
        cmp $position.text expression.text
    done
done

# Worked out by hand from the source.
(cd "$SOURCES" && pcc -O2 -o "$OLDPWD/by-hand" stack.c)
charged by-hand 0x41c64e6d far
has where ': far deep/far.h:5:15 < near near.h:8:13 < work stack.c:11:16$'
has where ': far deep/far.h:5:15 < near near.h:8:13 < twice stack.c:23:22$'
has where ': far deep/far.h:5:15 < twice stack.c:25:39$'
charged by-hand 0x19660d near
has where ': near near.h:8:20 < work stack.c:11:16$'
charged by-hand 0x3ade68b work work
has where ': work stack.c:12:17$'
charged by-hand 0x2545f49 alone alone
has where ': alone stack.c:17:14$'

# What no statement lends a line has that of the function's opening.
for options in -O2 '-O3 -g'; do
    # shellcheck disable=SC2086
    pcc $options "$SRC"/testsuite/demo/*.c -o demo -lm
    answers demo >demo.got
    [ "$(wc -l <demo.got)" -gt 3000 ]
    if grep ':?' demo.got; then
        fail "$options: no line"
    fi
done
