#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the ray tracer with the plugin, runs it and prints its profile; from the
# top of the source. Environment: CC, O.

set -eu

say() {
    printf '\n$ %s\n' "$*"
    "$@"
}

mkdir -p "$O/demo"
say "$CC" -O2 -fplugin="$O/ccprof.so" testsuite/demo/*.c -o "$O/demo/demo" -lm
profiled=$O/demo/demo
data=$O/demo/mlmon.out
rm -f "$data"
printf '\n$ (cd %s && ./demo 800 6 picture.ppm)\n' "$O/demo"
(cd "$O/demo" && ./demo 800 6 picture.ppm)
[ -f "$data" ] || {
    echo "demo: the program left no $data" >&2
    exit 1
}
say "$O/mlprof" -raw true -show-line true "$profiled" "$data"
cat <<'END'

What to look at: box_slab and box_hit take the most, but no machine code of their
own is left of them, they are inlined into nearest_below and blocked_below, which is
all that a profiler without their names can show. testsuite/demo/main.c tells
beforehand where the time must go, and testsuite/demo/box.h is the place to improve.
END
