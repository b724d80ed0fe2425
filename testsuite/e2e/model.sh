#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Columns cur and stack are those of the program's own account: when exceptions and jumps
# have left functions (of signal handlers, too), in callbacks from the C library and time
# in it, before main, in recursion, on other stacks; and for functions that are still
# active when the program ends.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/shares/rows.sh"
need "$CXX"

MODEL=$SRC/testsuite/model
flags="-O2 -Wall -Wextra -Werror -fomit-frame-pointer $KERNEL"
# shellcheck disable=SC2086
{
    "$CC" $flags -c "$MODEL/early.c" -o early.o
    "$CC" $flags -c "$MODEL/account.c" -o account.o
    pcxx $flags "$MODEL/model.cc" early.o account.o -o calls
    pcxx $flags -DKEEP= "$MODEL/model.cc" early.o account.o -o inlined
}

# The samples that are independent of each other: timers are looked at 250 times in a second.
independent() {
    awk '$1 == "engine" { tick = $2 != "task-clock" } $1 == "cpu" { cpu = $2 / 1e9 }
        $1 == "samples" { n = $2; print tick && cpu * 250 < n ? cpu * 250 : n }' mlmon.out
}

# agrees PROGRAM WAY STATUS: a run, within four standard deviations of the account; `wrong` says what is not.
agrees() {
    rm -f mlmon.out
    run "$3" env CCPROF=rate=2000 "./$1" "$2"
    [ ! -s err ] || grep -v -e 'terminate called' -e 'what():' err >said || [ ! -s said ] ||
        fail "$1 $2 says: $(cat said)"
    valid mlmon.out
    has out '^end$'
    table_of "$1" mlmon.out >table
    table_rows cur stack <table >rows
    awk -v n="$(independent)" '
        FNR == NR && $1 != "end" { alone[$1] = $2; active[$1] = $3; all += $2 }
        FNR != NR { cur[$1] = $(NF - 1); stack[$1] = $NF }
        function check(what, got, want) {
            if ((got - want) ^ 2 > (4 * sqrt(want * (100 - want) / n) + 1) ^ 2) {
                printf "%s: %.1f %%, not %.1f\n", what, got, want
                bad = 1
            }
        }
        END {
            for (name in alone) {
                check("cur of " name, cur[name], alone[name] * 100 / all)
                check("stack of " name, stack[name], active[name] * 100 / all)
            }
            exit bad || n < 15
        }' out rows >wrong
}

# model PROGRAM WAY STATUS: it agrees, or more runs decide.
model() {
    decided agrees "$@" || {
        cat out table >&2
        fail "$1 $2, in $decide_off of $decide_runs runs; in the last one $(cat wrong)"
    }
}

for program in calls inlined; do
    for way in throw longjmp signal sigaltstack qsort mutual libc callback swapcontext; do
        model $program $way 0
    done
    for way in 'exit 9' '_exit 9' 'abort 134' 'memory 134' 'term 143' 'segv 139'; do
        # shellcheck disable=SC2086
        model $program $way
    done
done
