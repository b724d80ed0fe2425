#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -fcompare-debug: GCC compiles twice, with and without debug information, and compares
# its dump of the last instructions.  The plugin is in both.
. "$SRC/testsuite/plugin/plugin.sh"

compared() {
    for options in -O0 -O1 -O2 -O3 '-O2 -g' '-Os -g3'; do
        # shellcheck disable=SC2086
        run 0 "$@" $options -fcompare-debug -fplugin="$PLUGIN" -c -o a.o
        cat out err >messages
        same messages /dev/null
        is_profiled a.o
    done
}

compared "$CC" "$KERNEL" "$SRC/testsuite/forms/two.c"
compared "$CC" "$SRC/testsuite/demo/scene.c"
compared "$CXX" "$KERNEL" "$SRC/testsuite/forms/catch.cc"
if have "$FC" 'Fortran'; then
    compared "$FC" "$KERNEL" "$SRC/testsuite/forms/names.f90"
fi
