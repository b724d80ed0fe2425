#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads: the CPU time of all of them is measured.
. "$SRC/testsuite/forms/forms.sh"

pcc -O2 -pthread "$KERNEL" "$FORMS/threads.c" -o threads
profile threads
split alpha beta
charged threads "$ALPHA" alpha first
charged threads "$BETA" beta second
time=$(sed -n 's/^time: //p' output)
true_of "$(seconds) >= 0.9 * $time && $(seconds) <= 1.1 * $time" || fail "$(seconds) s, not $time"
