#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Between any two instructions of a region's begin and cut a signal's handler may measure regions:
# none is lost, none is counted twice, wherever the region around them is.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"
[ "$cpu" = x86_64 ] || skip 'the trap flag is x86-64'"'"'s'

export CCPROF=pause=3600000

pcc -O2 -I"$SRC/rt" "$REGIONS/steps.c" -o prog
for around in kept closed; do
    rm -f mlmon.out
    run 0 ./prog $around
    same err /dev/null
    regions mlmon.out
    handled=$(cat out)
    # A begin and a cut are 20 instructions at the least.
    [ "$handled" -gt $((2 * 20)) ] || fail "no steps: $handled"
    [ "$(ended step)" -eq 1001 ] || fail "step: $(ended step)"
    [ "$(ended handler)" -eq "$handled" ] || fail "handler: $(ended handler), not $handled"
    [ "$(ended both)" -eq "$handled" ] || fail "both: $(ended both), not $handled"
    [ "$(ended filler)" -eq "$([ $around = kept ] && echo 3001 || echo 0)" ] ||
        fail "filler: $(ended filler)"
done
