#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C++20: the function that GCC makes of a coroutine's body is a row named after it.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

for level in -O0 -O2 -O3; do
    echo "$level"
    pcxx $level -std=c++20 "$KERNEL" "$FORMS/coroutine.cc" -o coroutine
    profile coroutine
    own=$(cat output)
    shares numbers.coroutine "$own" helper "$(awk "BEGIN { print 100 - $own }")"
    charged coroutine "$ALPHA" numbers.coroutine
    charged coroutine "$BETA" helper
    hasnot table '\.actor'
    hasnot table '_Z'

    # What ends it is another function, which is seldom sampled.
    pcxx $level -std=c++20 -fplugin-arg-ccprof-profile=count "$KERNEL" "$FORMS/coroutine.cc" -o counted
    ./counted >/dev/null
    "$MLPROF" counted mlmon.out >calls
    has calls '^numbers\.coroutine '
    has calls '^numbers\.coroutine\.destroy '
    hasnot calls '\.actor'
done
