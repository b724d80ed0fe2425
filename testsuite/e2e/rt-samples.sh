#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# As many samples as the CPU time asks for, by getrusage's account: at 100 Hz, and at
# rates that the kernel's tick cannot follow, on one thread and on several.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/rt/inside.sh"

stub stub.s
$CC -O1 -I"$RT" -pthread "$RT/threads.c" stub.s -o prog
$CC -O1 -I"$RT" -pthread "$RT/threads.c" stub.s -static -L"$O/rt" -lccprof -o static

# Within 2 % of what is due; on a busy machine the last 0.05 s may be missing, see burnt.
measure() {
    decide measure_once "$@"
}

measure_once() {
    form=$1
    rate=$2
    shift 2
    rm -f mlmon.out
    run 0 env CCPROF="rate=$rate" "./$form" "$@"
    [ ! -s err ] || fail "$form says: $(cat err)"
    valid mlmon.out
    used=$(cat out)
    samples=$(value mlmon.out samples)
    echo "$form rate $rate, arguments $*: $samples samples in $used s"
    [ "$(value mlmon.out rate)" = "$rate" ] || fail 'wrong rate'
    between 0 "$(value mlmon.out lost)" 0 'lost samples'
    # The clock that the profile names agrees.
    lies "$(echo "$used" | awk '{ print ($1 * 0.98 - 0.05) * '"$rate"' - 2 }')" "$samples" \
        "$(echo "$used" | awk '{ print $1 * 1.02 * '"$rate"' + 2 }')" 'samples' &&
        lies "$(echo "$used" | awk '{ print $1 * 0.98 - 0.02 }')" \
            "$(value mlmon.out cpu | awk '{ print $1 / 1e9 }')" \
            "$(echo "$used" | awk '{ print $1 * 1.02 + 0.02 }')" 'the CPU time in the file'
}

measure prog 100 4
measure static 100 2
measure prog 100 1 4
measure prog 1 3
measure prog 1000 2
measure prog 1000 0.5 4
measure prog 10000 1
measure prog 10000 0.3 8

# The file grows with the program's points, not with the time that it runs: there are a few
# dozen instructions in burn and in what it calls, and 30,000 samples.
measure prog 10000 3
between 1 "$(value mlmon.out counts)" 200 'points in 30,000 samples'

# Most samples are where the time is spent: in burn.
in_burn() {
    rm -f mlmon.out
    run 0 ./prog 1
    lies 90 "$(inside mlmon.out prog burn)" 110 'samples in burn'
}
decide in_burn

# A first tick at random: not always in the same place. Half a period has a sample or none: 12 are alike once in
# 2,000 times.
phases() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        run 0 env CCPROF=rate=20 ./prog 0.025
        value mlmon.out samples
    done | sort | uniq -c >phases
    lies 2 "$(wc -l <phases)" 3 'the number of different samples'
}
decide phases
