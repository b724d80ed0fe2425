#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C++20: the parts of a coroutine that GCC makes functions of are rows under its name.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

for level in -O0 -O2 -O3; do
    echo "$level"
    pcxx $level -std=c++20 "$KERNEL" "$FORMS/coroutine.cc" -o coroutine
    profile coroutine
    split numbers helper
    charged coroutine "$ALPHA" numbers
    charged coroutine "$BETA" helper
    hasnot table '\.actor'
    hasnot table '_Z'
done
