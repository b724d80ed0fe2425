#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Samples are whole stacks: through recursion, libc, signal frames, exceptions and other
# stacks; the program is none the worse for it.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
flags="-O2 -fomit-frame-pointer -Wall -Wextra -Werror -I$RT -pthread"
# shellcheck disable=SC2086
{
    $CC $flags "$RT/stacks.c" stub.s -o shared
    $CC $flags "$RT/stacks.c" stub.s -static-pie -L"$O/rt" -lccprof -o static-pie
    $CC $flags "$RT/stacks.c" stub.s -static -L"$O/rt" -lccprof -o static
    $CXX $flags "$RT/throws.cc" stub.s -o throws
}
for form in shared static-pie; do
    nm -n $form >$form.nm
done

# stacks WAY [NUMBER]: runs it; the stacks with samples in `folded'.
stacks() {
    rm -f mlmon.out
    run 0 env CCPROF="${SET:-rate=1000}" ./$form "$@"
    [ ! -s err ] || fail "$form $* says: $(cat err)"
    valid mlmon.out
    between 0 "$(value mlmon.out lost)" 0 'lost samples'
    awk -f "$RT/folded.awk" "$form.nm" mlmon.out >folded
}

# of_all EXPRESSION: whether at least 95 % of the samples, and 10, have stacks that match it whole.
of_all() {
    of=$(awk '{ sum += $NF } END { print sum + 0 }' folded)
    in=$(grep -E "^($1) [0-9]+\$" folded | awk '{ sum += $NF } END { print sum + 0 }')
    lies 10 "$in" 1e9 "$form, of $of samples in $1" && lies 95 $((in * 100 / (of ? of : 1))) 100 "per cent in $1"
}

# most EXPRESSION WAY [NUMBER]: a run has that, or more decide.
most() {
    decided most_once "$@" || {
        sort -k2nr folded | cut -c 1-500 | head -n 20 >&2
        fail "$form: $decide_off of $decide_runs runs are off: $*"
    }
}

most_once() {
    expression=$1
    shift
    stacks "$@"
    of_all "$expression"
}

# A sample may be of the way down or up.
deep_recursion() {
    stacks recurse 1000
    awk '{ n = gsub(/recurse/, "&") } n > 1000 { exit 1 }' folded || fail 'more than 1000 frames of recurse'
    awk '{ n = gsub(/recurse/, "&"); sum += $NF }
        n == 1000 { all += $NF }
        END { exit !(all >= 10 && all * 100 >= sum * 95) }' folded && of_all "$start(;recurse)*;$end"
}

# The runtime's own start of a thread lies between.
threads_alike() {
    stacks threads 8
    of_all "\\[libc.so.6\\](;\\[(libc.so.6|libccprof.so.1)\\])*;thread(;recurse)*;$end" &&
        awk '{ n[gsub(/recurse/, "&")] += $2 }
            END { for (i = 1; i <= 8; i++) if (n[i] < 200) exit 1 }' folded
}

# Where a program starts, before main; and clock_gettime, which burn calls.
start='_start;(\[libc.so.6\];)*(__libc_start_[a-z_]*;)*main'
end='burn(;[^;]*clock_gettime[^;]*|;\[[a-z.0-9-]*\])*'

for form in shared static-pie; do
    most "$start(;recurse){7};$end" recurse 7
    decide deep_recursion

    # More than is kept: the innermost 384, and the outermost.
    most "$start(;recurse){383,}(;$end)?" recurse 100000
    awk -F ';' 'NF > 1024 { bad = 1 } END { exit bad }' folded || fail 'more than 1,024 frames'
    [ "$(wc -l <mlmon.out)" -lt 2000 ] || fail 'equal stacks are not kept as one'

    # As long as all fits there is no mark.
    stacks recurse 990
    grep -qE '\[(\.\.\.|again)\]' folded && fail 'frames left out'

    # Callbacks through libc; signal frames; another stack, from which there is no way to
    # main; threads.
    if [ $form = shared ]; then
        most "$start;sort(;\\[libc.so.6\\])+;compare;$end" sort
        most "$start;signalled(;\\[libc.so.6\\])+;handle;$end" signal
        most "\\[libc.so.6\\];routine(;recurse){3};$end" contexts
        decide threads_alike
    fi

    # All signals on a stack of 8 KiB, SIGSTKSZ of old.
    most "$start;signalled;.*handle;$end" alternate 8192
    stacks jumps

    # The program counter alone.
    SET=rate=1000,stack=no
    most "$end" recurse 7
    [ "$(value mlmon.out stack)" = no ] || fail 'stack=no is not no'
    SET=
done

# There are no stacks in a program that is linked with -static, and the file says so.
form=static
cp static-pie.nm static.nm
stacks recurse 7
[ "$(value mlmon.out stack)" = no ] || fail 'stacks with -static?'

# More paths than the table holds: nothing is lost.
form=shared
SET=rate=10000
stacks paths 60
stacks threads 30
SET=

# While exceptions are thrown, by one thread and by several.
throws() {
    rm -f mlmon.out
    run 0 env CCPROF=rate=2000 ./throws "$1" 1
    has out 'done'
    valid mlmon.out
    between 0 "$(value mlmon.out lost)" 0 'lost samples'
    lies $(($1 * 1600)) "$(value mlmon.out samples)" $(($1 * 2400)) samples
}
decide throws 1
decide throws 4
nm -nC throws | sed 's/(.*//' >throws.nm
awk -f "$RT/folded.awk" throws.nm mlmon.out >folded
grep -q 'thrower;thrower;thrower;\[' folded || fail 'no stack through a throw'
