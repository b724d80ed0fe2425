#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints what profiling costs, part by part. Environment: CC, O (absolute), ROUNDS
# and COMPILE_ROUNDS (how often each thing is measured; 9 and 3).
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

echo "$("$CC" --version | head -n 1); $(uname -s -m), $(nproc) CPUs"
for part in ${PARTS:-papers kinds short compile heap regions waits pgo report page}; do
    "$bench/$part.sh"
done
