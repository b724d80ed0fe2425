#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A part of bench.sh: what wait=yes costs where threads take mutexes, and to start a process, beside
# strace -c -f. A program that contends differs much from run to run.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

title 'waits: CPU time and time on the clock with wait=yes, to those without'
"$CC" "$plugin" -O2 -std=gnu11 -pthread "$bench/waits.c" -o "$work/waits"
echo 'int main(void) { return 0; }' | "$CC" "$plugin" -O2 -x c - -o "$work/nothing"
seq 100 >"$work/numbers"

# compare NAME COMMAND
compare() {
    run="cd $work && CCPROF=output=waits.out"
    set -- "$1, off" "CCPROF=off $2" "$1, sampled" "$run $2" "$1, wait=yes" "$run,wait=yes $2"
    if command -v strace >/dev/null 2>&1; then
        set -- "$@" "${1%, off}, strace" "CCPROF=off strace -o $work/strace.out -c -f ${2#CCPROF=off }"
    fi
    "$bench/ratio.py" "$ROUNDS" "$@" | awk -F '\t' '
        { if (NR == 1) first = $6; printf "%-32s %8.3f %6.2f  %.2f to %.2f %8.3f %6.2f\n", $1, $2, $3, $4, $5, $6, $6 / first }'
}

printf '%-32s %8s %6s  %s %8s %6s\n' '' 'CPU s' ratio 'middle half' 'clock s' ratio
compare '20 million free mutexes' "$work/waits 1 20000000 0"
compare '2 threads, 0.1 us held' "$work/waits 2 2000000 100"
compare '2 threads, 1 us held' "$work/waits 2 500000 1000"
compare '64 threads, 1 us held' "$work/waits 64 500000 1000"
compare '100 empty processes' "xargs -a $work/numbers -n 1 $work/nothing"
echo 'A spinning thread gets a mutex after it is released, ns (tenth part, median):'
export GLIBC_TUNABLES=glibc.pthread.mutex_spin_count=30000
for _ in $(seq "$ROUNDS"); do
    for wait in no yes; do
        echo "wait=$wait $(cd "$work" && CCPROF=output=waits.out,wait=$wait ./waits 3000)"
    done
done | sort -k 1,1 -k 3,3n | awk -v rounds="$ROUNDS" '++n[$1] == int((rounds + 1) / 2)'
echo 'Aim: 5 ns a free mutex; a mutex is held at most 50 ns longer.'
