#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No memory is allocated and no lock taken in the handler: its objects call nothing that
# does, and a library that says so when it happens says nothing, with each engine.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

# What the handler is made of needs no more of libc than this. (Of the handler's own file
# and of the engines' choice, sigaction and sigfillset are for the constructor; getauxval reads what the loader
# keeps.)
allowed='syscall __errno_location _dl_find_object memset memcpy memmove memcmp
_GLOBAL_OFFSET_TABLE_ __stack_chk_fail __libc_single_threaded getauxval'
for module in sample/sampler sample/threads sample/carryover sample/engine-task-clock \
    sample/engine-timer sample/lookout sample/interval \
    os/timer os/tasks unwind/stack unwind/fold unwind/outer unwind/outer-memory unwind/unwind unwind/unwind-rules \
    unwind/unwind-short unwind/unwind-tables unwind/unwind-expression os/safe-read table/table table/overflow \
    os/overflow-file os/blocked table/scope table/threadnames; do
    nm -u "$O/rt/shared/$module.o" >symbols || fail "there is no $module.o"
    awk -v allowed="$allowed" '
        BEGIN { n = split(allowed, word); for (i = 1; i <= n; i++) ok[word[i]] }
        !($2 in ok) && $2 !~ /^ccprof_/ { print $2 }' symbols >others
    [ ! -s others ] || fail "$module calls $(tr '\n' ' ' <others)"
done

stub stub.s
$CC -shared -fPIC -O2 -Wall -Wextra -Werror "$RT/guard.c" -o guard.so
$CC -O2 -Wall -Wextra -Werror -pthread "$RT/guarded.c" -o guarded
flags="-O2 -fomit-frame-pointer -Wall -Wextra -Werror -I$RT -pthread"
# shellcheck disable=SC2086
$CC $flags "$RT/stacks.c" stub.s -o prog
# shellcheck disable=SC2086
$CXX $flags "$RT/throws.cc" stub.s -o throws

# The library can tell.
./guarded >names
while read -r name; do
    run 0 ./guarded "$name"
    run 134 env LD_PRELOAD="$PWD/guard.so" ./guarded "$name"
    has err "^guard: $name\$"
done <names

# guarded SETTINGS COMMAND...: a run, or as many as decide whether samples are taken at all.
guarded() {
    decide guarded_once "$@"
}

guarded_once() {
    settings=$1
    shift
    rm -f mlmon.out
    run 0 env LD_PRELOAD="$PWD/guard.so" CCPROF="$settings" "$@"
    [ ! -s err ] || fail "$settings: $* says: $(cat err)"
    valid mlmon.out
    lies 100 "$(value mlmon.out samples)" 1000000 "samples of $settings: $*"
}

for engine in engine=task-clock engine=thread-timer clock=wall; do
    guarded "$engine,rate=2000" ./prog recurse 1000
    echo "$engine: $(value mlmon.out engine)"
    # More points than the table holds: the overflow log is full, and goes to its file, again
    # and again.
    guarded "$engine,rate=500" ./prog paths 400
    between 100000 "$(value mlmon.out counts)" 10000000 points
    guarded "times=1,$engine,rate=1000" ./prog threads 6
    guarded "$engine,rate=2000" ./throws 2 0.5
    has out 'done'
done
