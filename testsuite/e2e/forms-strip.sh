#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A stripped program keeps its tables; those that strip takes away are found by
# build-id in the separate debug file.
. "$SRC/testsuite/forms/forms.sh"
need objcopy strip readelf

pcc -O2 -g -Wl,--build-id "$KERNEL" "$FORMS/two.c" -o whole
for options in "" --strip-debug --strip-unneeded --strip-all; do
    echo "strip $options"
    cp whole stripped
    # shellcheck disable=SC2086
    strip $options stripped
    right stripped
done

echo "separate debug file by binutils, which leaves the tables in both"
cp whole split
objcopy --only-keep-debug whole split.debug
strip split
objcopy --add-gnu-debuglink=split.debug split
right split

tabulate split.debug
split alpha beta

echo "by elfutils, which leaves the tables in the debug file only"
if have eu-strip 'what eu-strip splits off'; then
    cp whole split
    eu-strip -f split.debug split
    if readelf -SW split | grep -q ' \.ccprof'; then
        fail "this eu-strip leaves the tables"
    fi
    right split
    pcc -O1 -g -Wl,--build-id "$KERNEL" "$FORMS/two.c" -o other
    mkdir wrong
    cp split wrong
    objcopy --only-keep-debug other wrong/split.debug
    run 1 "$MLPROF" wrong/split mlmon.out
    has err 'its build-id differs$'
fi

echo "what was measured with the stripped program, read from the whole one"
tabulate whole
split alpha beta
