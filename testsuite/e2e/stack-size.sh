#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The switch stack on a file full of templates: how much code it adds; and that
# nothing of what is counted is lost in it.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/stack/stack.sh"

# code FILE: bytes of machine code.
code() {
    size -A -d "$1" | awk '$1 ~ /^[.]text/ { sum += $2 } END { print sum }'
}

# at_most TIMES WHAT FILE: of the code without the plugin.
at_most() {
    awk -v what="$2" -v bytes="$(code "$3")" -v plain="$(code plain.o)" -v times="$1" 'BEGIN {
        printf "%s: %d bytes, %.2f times those without the plugin\n", what, bytes, bytes / plain
        exit bytes > times * plain }' || fail "$2: more than $1 times the code"
}

# With enter, add and leave in line at each call and each counter these were 15 and 8, and
# with additions in line and a call for each enter and each leave 3.3 and 2.4.
program=$STACK_PROGRAMS/templates.cc
# The object of counts is run, below.
exact=-fno-optimize-sibling-calls
"$CXX" -O2 "$exact" -c "$program" -o plain.o
pcxx -O2 "$exact" "-fplugin-arg-ccprof-profile=count" "$SWITCH" -c "$program" -o count.o
pcxx -O2 "$exact" "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" -c "$program" -o alloc.o
# Where the plugin writes no such steps (inclusive_step-none.cc) it is 4.6 and 2.5 times.
most=2
[ "$cpu" = x86_64 ] || most=5
at_most $most "count, stack" count.o
at_most $most "alloc, stack" alloc.o

# All calls but those of the constructors before it were made while main was on the stack,
# and at these levels they are the same.
for level in "" -O3 -Os "-Os -fPIC"; do
    object=count.o
    if [ -n "$level" ]; then
        object=level.o
        # shellcheck disable=SC2086
        pcxx $level "$exact" "-fplugin-arg-ccprof-profile=count" "$SWITCH" -c "$program" -o "$object"
    fi
    pcxx "$object" -o templates
    ./templates >output
    has output '^abc 200$'
    table_of templates mlmon.out >counts.table
    table_rows stack 'stack calls' <counts.table | sed -n 's/^main 100\.0 //p' >inside
    sed -n '1s/ ticks//p' counts.table | tr -d , >all
    paste inside all | awk '{ print; exit !($1 > 100000 && $1 <= $2 && $1 > $2 - 5) }' ||
        fail "${level:--O2}: main has other calls than all"
done
