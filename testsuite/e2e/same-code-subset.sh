#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 3000
# show: 2
# A sample of `make same-code`: the plugin changes no byte of the program.
. "$SRC/testsuite/lib.sh"

major=$("$CC" -dumpversion)
major=${major%%.*}
for archive in "/usr/src/gcc-$major/gcc-$major".*.tar.xz; do
    [ -f "$archive" ] || [ -d "${GCC_TESTSUITE:-$O/gcc-testsuite}" ] ||
        skip "the package gcc-$major-source is not installed"
done
SAMPLE=${SAMPLE:-59} OBJDIFF=$BIN/objdiff "$SRC/testsuite/same-code/same-code.sh"
