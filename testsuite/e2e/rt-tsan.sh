#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the runtime's handlers in several threads do to each other, under ThreadSanitizer.
# (make check SAN=thread runs all of the runtime's unit tests under it.)
. "$SRC/testsuite/lib.sh"

tests='check_rt_races check_rt_threads check_rt_run check_rt_gate check_rt_sampler
check_rt_threadnames'

cat >race.c <<'END'
#include <pthread.h>
#include <stddef.h>
static int number;
static void *add(void *unused)
{
    number++;
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
END
"$CC" -g -fsanitize=thread race.c -o race 2>err || skip "$CC has no ThreadSanitizer"
status=0
./race 2>err || status=$?
# An address space that it cannot live in is no race.
grep -q 'WARNING: ThreadSanitizer: data race' err ||
    skip "ThreadSanitizer does not work here: $(head -n 1 err)"
[ "$status" -ne 0 ] || fail 'a race goes unnoticed'

programs=
for test in $tests; do
    programs="$programs $PWD/build-thread/obj/testsuite/$test"
done
# shellcheck disable=SC2086
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -s -C "$SRC" O="$PWD/build" SAN=thread $programs
for test in $tests; do
    "$PWD/build-thread/obj/testsuite/$test"
done
