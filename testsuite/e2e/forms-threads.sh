#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads: the CPU time of all of them is measured.
. "$SRC/testsuite/forms/forms.sh"

pcc -O2 -pthread "$KERNEL" "$FORMS/threads.c" -o threads
profile threads
split alpha beta
charged threads "$ALPHA" alpha first
charged threads "$BETA" beta second
all_of_it() {
    time=$(sed -n 's/^time: //p' output)
    lies "$(awk "BEGIN { print 0.9 * $time }")" "$(seconds)" "$(awk "BEGIN { print 1.1 * $time }")" seconds
}
all_of_it || decided_after again all_of_it || fail "$(seconds) s, not $time"
