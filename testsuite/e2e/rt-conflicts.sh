#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that use for themselves what the profiler needs: SIGPROF, its timer, the mask of
# signals, sigwait, all descriptors, another root. They do what they do without it.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
flags="-O1 -Wall -Wextra -Werror -I$RT -pthread"
# shellcheck disable=SC2086
{
    $CC $flags "$RT/own.c" -o plain
    $CC $flags "$RT/own.c" stub.s -o dynamic
    $CC $flags "$RT/own.c" stub.s -static -L"$O/rt" -lccprof -o static 2>/dev/null
}

# right FILE: whether it tells of a run that had as many ticks as are due (own.c, judge). On a busy machine the kernel's
# own ticks may hardly ever find a program at work, also without ccprof.
right() {
    ! grep '^ticks [0-9]* of ' "$1"
}

# plain WAY: what the program does without us, into the files want.WAY and status.WAY.
plain() {
    status=0
    timeout 300 ./plain "$1" >"want.$1" 2>/dev/null || status=$?
    echo "$status" >"status.$1"
    right "want.$1"
}

# own FORM WAY [LOW HIGH]: output and status are those of `plain', which runs once for all forms, and there are so many
# samples, or more runs decide; what it says is in err.
own() {
    form=$1
    [ -e "want.$2" ] || decide plain "$2"
    decide own_once "$2" "${3-0}" "${4-1e9}"
}

# own_once WAY LOW HIGH: in one run. LOW and HIGH may be of a clock that the file has: cpu or wall.
own_once() {
    rm -f mlmon.out*
    run "$(cat "status.$1")" timeout 300 "./$form" "$1"
    right out || return
    same out "want.$1"
    valid mlmon.out
    case $2 in
    cpu | wall)
        time=$(value mlmon.out "$2")
        lies $((time / 12500000)) "$(value mlmon.out samples)" $((time / 9000000)) "$form $1: samples"
        ;;
    *) lies "$2" "$(value mlmon.out samples)" "$3" "$form $1: samples" ;;
    esac
}

# (The shell says what ended it.)
quiet() {
    ! grep -v '^Profiling timer expired' err || fail "$form $way says a line"
}

# daemon FORM: a run, and what the daemon has burnt.
daemon() {
    rm -f mlmon.out* daemon
    run 0 timeout 300 "./$1" daemon
    quiet
    valid mlmon.out
    child=$(cat daemon)
    await_end "$child"
    burnt "mlmon.out.$child" 0.29 0.5
}

taken='ccprof: the program has taken SIGPROF: samples are missing'

for form in dynamic static; do
    # A handler of its own, a timer of its own, before which 0.1 s were sampled. The
    # program's handler gets its own signals only; one that calls ours does no harm, nor
    # does taking the handler away; children and threads are not sampled any more.
    for way in itimer chain back-to-default children; do
        own "$form" $way 6 14
        echo "$taken" >line
        same err line
        [ "$(ls mlmon.out*)" = mlmon.out ] || fail "$form $way: $(ls mlmon.out*)"
    done

    # Without a handler it ends the program, as it does without us; so does a signal that
    # is sent, but not while it is ignored. To set the default is not to take it.
    way=itimer-alone
    own "$form" $way 6 30
    quiet
    way=defaults
    own "$form" $way 30 60
    quiet

    # A child of vfork takes nothing away from its parent.
    way=vfork
    own "$form" $way 20 60
    quiet

    # What is blocked is not sampled, nor is it seen by who waits for all signals.
    way=blocked
    own "$form" $way 6 24
    quiet
    between 0.29 "$(value mlmon.out cpu | awk '{ print $1 / 1e9 }')" 1 'CPU time'
    way=waiter
    own "$form" $way 6 24
    quiet

    # Nor by who asks what is pending; its time is due when the signal is unblocked.
    way=pending
    own "$form" $way cpu
    quiet

    # On the clock, too; and afterwards it is sampled as before.
    way=waits-first
    export CCPROF=clock=wall
    own "$form" "$way" wall
    unset CCPROF
    quiet

    # A new image from a thread that is not the first one, profiled or not.
    way=exec-in-thread
    run 6 timeout 300 env CCPROF=rate=1000 "./$form" $way ./plain
    quiet
    run 6 timeout 300 env CCPROF=rate=1000 "./$form" $way "./$form"
    quiet
    valid mlmon.out

    # A daemon: two forks, a session of its own, all descriptors closed.
    way=daemon
    decide daemon "$form"
done

# Where the runtime is not told, the file and a line say so all the same.
form=dynamic way=behind-its-back
own "$form" $way
echo "$taken" >line
same err line

# It is in use before the runtime starts.
cat >first.c <<'C'
#include <signal.h>
static void handle(int number) { (void)number; }
__attribute__((constructor)) static void first(void) { signal(SIGPROF, handle); }
C
$CC -shared -fPIC first.c -o first.so
rm -f mlmon.out
run 6 env LD_PRELOAD="$PWD/first.so" ./dynamic blocked
echo 'ccprof: SIGPROF is in use: the program runs unprofiled' >line
same err line
[ ! -e mlmon.out ] || fail 'a profile without SIGPROF'

if [ "$(id -u)" != 0 ]; then
    leave_out 'chroot and folders of others: only root can'
    exit 0
fi

# It leaves its folder behind: the file cannot be written, or is in the new root.
# elsewhere FORM: it writes in its new root.
elsewhere() {
    rm -f root/profile
    run 6 env CCPROF=output=/profile "./$1" chroot root
    [ ! -s err ] || fail "$1 chroot says: $(cat err)"
    valid root/profile
    lies 18 "$(value root/profile samples)" 36 samples
}

mkdir -p root
if ./plain chroot root >out 2>&1 || [ $? = 6 ]; then
    for form in dynamic static; do
        rm -f mlmon.out*
        run 6 "./$form" chroot root
        echo "ccprof: $PWD/mlmon.out: No such file or directory" >line
        same err line
        decide elsewhere "$form"
    done

    # It was in another root from the start, without /proc.
    mkdir -p root/tmp "root$O/rt"
    cp static dynamic root
    cp "$O/rt/libccprof.so.1" "root$O/rt"
    ldd dynamic | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "root$(dirname "$library")"
        cp "$library" "root$library"
    done
    for form in dynamic static; do
        rm -f root/mlmon.out
        run 6 chroot root "/$form" blocked
        [ ! -s err ] || fail "$form in a chroot says: $(cat err)"
        valid root/mlmon.out
        has root/mlmon.out "^module 0 .* /$form\$"
    done
else
    leave_out 'chroot: it is refused here'
fi

# A folder that may not be written to.
if have setpriv 'folders of others'; then
    room=$(mktemp -d /tmp/ccprof-XXXXXX)
    trap 'rm -rf "$room"' EXIT
    chmod 755 "$room"
    cp "$O/rt/libccprof.so.1" static "$room"
    stub room.s "$room/libccprof.so.1"
    # shellcheck disable=SC2086
    $CC $flags "$RT/own.c" room.s -o "$room/dynamic"
    as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
    $as true 2>/dev/null || {
        leave_out 'folders of others: setpriv is of no use here'
        exit 0
    }
    for form in dynamic static; do
        status=0
        # shellcheck disable=SC2086
        (cd "$room" && exec $as "./$form" blocked) >out 2>err || status=$?
        [ $status = 6 ] || fail "$form in a folder of others: exit status $status"
        echo "ccprof: $room/mlmon.out: Permission denied" >line
        same err line
    done
fi
