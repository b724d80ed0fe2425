#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All that the runtime ever maps is at most 4 MiB, whatever runs and however long.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
$CC -O2 "$SRC/testsuite/bench/memory.c" -o plain
$CC -O2 "$SRC/testsuite/bench/memory.c" stub.s -o prog
$CC -O1 -I"$RT" -pthread "$RT/stacks.c" stub.s -o stacks

# mapped COMMAND...: private and writable, in KiB, as it says itself at its end.
mapped() {
    "$@" >figures
    awk '{ print $2 }' figures
}

plain=$(mapped ./plain 0.05)
brief=$(mapped env CCPROF=rate=10000 ./prog 0.05)
long_run() {
    long=$(mapped env CCPROF=rate=10000 ./prog 1)
    lies 8000 "$(value mlmon.out samples)" 12000 samples
}
decide long_run
echo "$((brief - plain)) KiB, after 1 s $((long - plain)) KiB"
between 1 $((brief - plain)) 4096 'KiB mapped'
[ "$long" = "$brief" ] || fail "$((long - brief)) KiB more after 1 s"

# most FILE: the most that the process had mapped, in KiB, as the kernel says while it runs.
most() {
    most=0
    while now=$(awk '$2 ~ /^.w.p$/ { split($1, a, "-"); print a[1], a[2] }' \
        "/proc/$1/maps" 2>/dev/null | while read -r from to; do
        echo $(((0x$to - 0x$from) / 1024))
    done | awk '{ sum += $1 } END { print sum + 0 }') && [ "$now" -gt 0 ]; do
        [ "$now" -le "$most" ] || most=$now
        sleep 0.02
    done
    echo "$most"
}

# A million stacks, ever new ones: the log goes to a file.
for set in off rate=10000; do
    CCPROF=$set ./stacks paths 60 &
    most $! >"$set"
    wait
done
valid mlmon.out
echo "with ever new stacks: $(($(cat rate=10000) - $(cat off))) KiB"
between 1 $(($(cat rate=10000) - $(cat off))) 4096 'KiB mapped with ever new stacks'

# A program that is over at once has nothing in the table and the log, and their pages are
# left alone: each page costs as much as several calls of the kernel.
$CC -O1 -D_GNU_SOURCE "$RT/faults.c" -o faults
echo 'int main(void) { return 0; }' >empty.c
$CC -O2 empty.c -o plain
pcc -O2 empty.c -o time
pcc -O2 -fplugin-arg-ccprof-profile=count empty.c -o count
for kind in time count; do
    more=$(($(./faults ./$kind) - $(./faults ./plain)))
    echo "$kind: $more page faults more"
    between 1 $more 80 "page faults of $kind"
done
