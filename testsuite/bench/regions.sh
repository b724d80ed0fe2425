#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A part of bench.sh: what a call of a region costs, beside two bare readings of the counter.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

title 'a call of a region, in nanoseconds of CPU time'
"$CC" "$plugin" -fplugin-arg-ccprof-stopwatch='_watched$' -O2 -std=gnu11 -I"$bench/../../rt" "$bench/regions.c" \
    -o "$work/regions"
(cd "$work" && CCPROF="output=regions.out" ./regions)
echo "Aim: 1.5 times two bare readings."
