#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads that the runtime was not told of: they are counted as far as they can be asked, and
# it is said of how many that is not so.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

# leaves FILE CALLS [UNCOUNTED]
leaves() {
    got=$(table ./prog "$1" | sed -n 's/^leaf //p')
    [ "$got" = "$2" ] || fail "$1: ${got:-0} calls of leaf, not $2"
    got=$(sed -n 's/^uncounted //p' "$1")
    [ "${got:-0}" = "${3:-0}" ] || fail "$1: uncounted ${got:-0}, not ${3:-0}"
}

way() {
    rm -f ./*.out
    run 0 ./prog "$@"
    same err /dev/null
}

for options in '-O0' '-O2' '-O2 -no-pie -fno-pie'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc "$KIND" $options -pthread "-I$SRC/rt" "$COUNT/unregistered.c" -o prog
    way stay
    leaves copy.out 2501
    leaves mlmon.out 5001
    has mlmon.out '^threads 6$'
    way blocked
    leaves copy.out 1501 2
    leaves mlmon.out 3001 2
    "$MLPROF" ./prog mlmon.out >out
    has out '^warning: 2 threads, which ccprof was not told of, were not counted in full$'
    way told
    leaves mlmon.out 343
    way told-later
    leaves copy.out 41
    leaves mlmon.out 343
    way ending
    leaves copy.out 61
    leaves mlmon.out 61
    way c11
    leaves mlmon.out 301
    # 300 that were asked and have ended have left nothing; 8 KiB each would be too much.
    way pass
    leaves mlmon.out 3501 350
    [ "$(cat out)" -lt 400 ] || fail "the memory has grown by $(cat out) KiB"
    # Those that it was told of, and that are about to end, are none of them.
    for run in 1 2 3 4 5; do
        echo "many $run"
        way many
        leaves mlmon.out 14001
    done
done

# With many groups, of which the kernel tells before the signals, and a name like a line of it.
cat >groups.c <<'END'
#define _GNU_SOURCE
#include <grp.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    gid_t groups[300];
    for (int i = 0; i < 300; i++)
        groups[i] = 4000000000u + (unsigned)i;
    (void)argc;
    if (setgroups(300, groups) != 0)
        return 77;
    execv(argv[1], argv + 1);
    return 1;
}
END
"$CC" groups.c -o groups
status=0
rm -f ./*.out
./groups ./prog stay >out 2>err || status=$?
case $status in
0)
    leaves copy.out 2501
    leaves mlmon.out 5001
    ;;
77) leave_out 'many groups: that takes root' ;;
*) fail "exit status $status: $(cat err)" ;;
esac
cp prog 'a) R 1 ) ('
rm -f ./*.out
run 0 './a) R 1 ) (' blocked
leaves mlmon.out 3001 2

echo 'The program has SIGPROF.'
cat >taken.c <<'END'
#define main unregistered_main
#include "unregistered.c"
#undef main
static void handler(int number) { (void)number; }
int main(int argc, char **argv) { signal(SIGPROF, handler); return unregistered_main(argc, argv); }
END
cp "$COUNT/unregistered.c" .
pcc "$KIND" -O2 -pthread "-I$SRC/rt" taken.c -o prog
way stay
leaves mlmon.out 1 5

echo 'In a shared object they share what they count in.'
sed 's/^int main(/int shared_main(int, char **);\nint shared_main(/' unregistered.c >shared.c
pcc "$KIND" -O2 -fPIC -shared -pthread "-I$SRC/rt" shared.c -o libshared.so
cat >main.c <<'END'
int shared_main(int, char **);
int main(int argc, char **argv) { return shared_main(argc, argv); }
END
"$CC" -O2 main.c -L. -lshared -Wl,-rpath,"$PWD" -o prog
way told
hasnot mlmon.out '^uncounted'

echo 'Beside time, each sample finds them.'
cat >samples.c <<'END'
#define main unregistered_main
#include "unregistered.c"
#undef main
static volatile int done;
static void *burns(void *unused)
{
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        work(1000);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9 < 0.3);
    return unused;
}
int main(void)
{
    pthread_t thread;
    make(&thread, burns, NULL);
    pthread_join(thread, NULL);
    return 0;
}
END
pcc -fplugin-arg-ccprof-profile=time,count -O2 -pthread "-I$SRC/rt" samples.c -o prog
rm -f ./*.out
run 0 ./prog
has mlmon.out '^uncounted 1$'
"$MLPROF" -raw true ./prog mlmon.out >out
has out '^warning: 1 thread, which ccprof was not told of, was not counted in full$'
awk '/^counters$/ { inside = 1; next } inside && $3 > most { most = $3 } END { exit most < 100000 }' \
    mlmon.out || fail "nothing of it was counted"
