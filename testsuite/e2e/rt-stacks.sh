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

# most EXPRESSION: at least 95 % of the samples, and 10, have stacks that match it whole.
most() {
    of=$(awk '{ sum += $NF } END { print sum + 0 }' folded)
    in=$(grep -E "^($1) [0-9]+\$" folded | awk '{ sum += $NF } END { print sum + 0 }')
    [ "$in" -ge 10 ] && [ $((in * 100)) -ge $((of * 95)) ] && return
    sort -k2nr folded | cut -c 1-500 | head -n 20 >&2
    fail "$form: $in of $of samples in $1"
}

# Where a program starts, before main; and clock_gettime, which burn calls.
start='_start;(\[libc.so.6\];)*(__libc_start_[a-z_]*;)*main'
end='burn(;[^;]*clock_gettime[^;]*|;\[[a-z.0-9-]*\])*'

for form in shared static-pie; do
    stacks recurse 7
    most "$start(;recurse){7};$end"
    stacks recurse 1000
    # A sample may be of the way down or up.
    awk '{ n = gsub(/recurse/, "&"); sum += $NF }
        n == 1000 { all += $NF }
        n > 1000 { more = 1 }
        END { exit !(!more && all >= 10 && all * 100 >= sum * 95) }' folded ||
        fail "not 1000 frames of recurse"
    most "$start(;recurse)*;$end"

    # More than is kept: the innermost 1,024, and a root for the others.
    stacks recurse 100000
    most "\\[...\\](;recurse)*;$end"
    awk -F ';' '/;burn [0-9]*$/ && NF == 1025 { ok = 1 } END { exit !ok }' folded ||
        fail 'not 1,024 frames'
    [ "$(wc -l <mlmon.out)" -lt 2000 ] || fail 'equal stacks are not kept as one'

    # As long as all fits there is no mark.
    stacks recurse 990
    grep -q '\[\.\.\.\]' folded && fail 'frames left out'

    # Callbacks through libc; signal frames; another stack, from which there is no way to
    # main; threads.
    if [ $form = shared ]; then
        stacks sort
        most "$start;sort(;\\[libc.so.6\\])+;compare;$end"
        stacks signal
        most "$start;signalled(;\\[libc.so.6\\])+;handle;$end"
        stacks contexts
        most "\\[libc.so.6\\];routine(;recurse){3};$end"
        stacks threads 8
        # The runtime's own start of a thread lies between.
        most "\\[libc.so.6\\](;\\[(libc.so.6|libccprof.so.1)\\])*;thread(;recurse)*;$end"
        awk '{ n[gsub(/recurse/, "&")] += $2 }
            END { for (i = 1; i <= 8; i++) if (n[i] < 200) exit 1 }' folded ||
            fail 'the threads are not alike'
    fi

    # All signals on a stack of 8 KiB, SIGSTKSZ of old.
    stacks alternate 8192
    most "$start;signalled;.*handle;$end"
    stacks jumps

    # The program counter alone.
    SET=rate=1000,stack=no
    stacks recurse 7
    [ "$(value mlmon.out stack)" = no ] || fail 'stack=no is not no'
    most "$end"
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
for threads in 1 4; do
    rm -f mlmon.out
    run 0 env CCPROF=rate=2000 ./throws $threads 1
    has out 'done'
    valid mlmon.out
    between 0 "$(value mlmon.out lost)" 0 'lost samples'
    between $((threads * 1600)) "$(value mlmon.out samples)" $((threads * 2400)) samples
done
nm -nC throws | sed 's/(.*//' >throws.nm
awk -f "$RT/folded.awk" throws.nm mlmon.out >folded
grep -q 'thrower;thrower;thrower;\[' folded || fail 'no stack through a throw'
