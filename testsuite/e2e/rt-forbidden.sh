#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that gives up a system call (seccomp) has its profile all the same, or a line says that it has not:
# for each call that the runtime makes.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

pcc -O1 "$RT/forbid.c" -o prog -pthread
$CC -O1 "$RT/forbid.c" -o launch -pthread
got=0
CCPROF=output=plain.out ./prog main >/dev/null || got=$?
[ "$got" != 77 ] || skip 'there is no seccomp here'
[ "$got" = 0 ] || fail "exit status $got"

# number NAME: of the system call; empty if this processor has none of this name.
number() {
    printf '#include <sys/syscall.h>\nSYS_%s\n' "$1" | $CC -E -P - | sed -n '$s/^\([0-9]*\)$/\1/p'
}

# mostly_sampled: at least half of the CPU time is in the file.
mostly_sampled() {
    [ -f mlmon.out ] && awk '$1 == "rate" { rate = $2 } $1 == "cpu" { cpu = $2 / 1e9 }
        $1 == "samples" { samples = $2 } $1 == "end" { ended = 1 }
        END { exit !(ended && cpu > 0 && samples >= cpu * rate / 2) }' mlmon.out
}

# forbid WHERE CALL...: what is missing is told.
forbid() {
    where=$1
    shift
    numbers=
    for name; do
        this=$(number "$name")
        [ "$this" ] || return 0
        numbers="$numbers $this"
    done
    rm -f mlmon.out
    # shellcheck disable=SC2086
    case $where in
    main) ./prog main $numbers >out 2>err || : ;;
    *) ./launch "$where" $numbers >out 2>err || : ;;
    esac
    grep -q '^ccprof: ' err || mostly_sampled ||
        fail "without $*, from $where on: $(sed -n '/^samples/p' mlmon.out) and no line: $(cat err)"
}

# Each that the sources name, but for those without which nothing can be said, or the program
# itself does not run.
calls=$(cd "$SRC" && grep -rho 'SYS_[a-z][a-z0-9_]*' rt --include='*.[ch]' | sed 's/^SYS_//' | sort -u |
    grep -vx 'write\|futex')
[ "$(echo "$calls" | wc -l)" -gt 35 ] || fail "the sources name too few system calls: $calls"
for call in $calls; do
    forbid main "$call"
done

refused='samples are missing: the process may not call'
forbid main getpid
has err '^ccprof: the process may not call getpid (seccomp?): nothing is written$'
[ ! -e mlmon.out ] || fail 'a file without getpid'
forbid main clock_gettime
has err "^ccprof: $refused clock_gettime (seccomp?)\$"
valid mlmon.out
has mlmon.out '^refused clock_gettime$'
[ "$(value mlmon.out cpu)" = 0 ] || fail "CPU time on no clock: $(value mlmon.out cpu)"
# Before the program starts, as a container does it, too.
for where in main ./prog; do
    forbid $where perf_event_open timer_settime
    has err "^ccprof: $refused perf_event_open, timer_settime (seccomp?)\$"
    valid mlmon.out
    has mlmon.out '^refused perf_event_open timer_settime$'
    "$MLPROF" prog mlmon.out >report 2>&1 || :
    has report '\(samples are missing\|no samples\): the program was not allowed to call perf_event_open, timer_settime'
done
forbid ./prog perf_event_open timer_create
has err ': no timer: the program runs unprofiled$'

# Nothing is told where nothing is missing.
forbid main perf_event_open
[ ! -s err ] || fail "without the event: $(cat err)"
valid mlmon.out
hasnot mlmon.out '^refused'

# Whoever makes a call that only new threads need is killed, and there is none of these.
rm -f mlmon.out
run 0 ./prog death "$(number perf_event_open)" "$(number timer_create)"
valid mlmon.out
mostly_sampled || fail 'fewer samples where a filter kills'
