#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# If a profile cannot be taken or written, the program does what it does without the profiler,
# and one line says what is wrong.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
stub alone.s ""
$CC -O1 -I"$RT" "$RT/state.c" -o plain
$CC -O1 -I"$RT" "$RT/state.c" stub.s -o prog
$CC -O1 -I"$RT" "$RT/state.c" alone.s -o lonely
$CC -O1 -I"$RT" "$RT/state.c" stub.s -static -L"$O/rt" -lccprof -o static 2>/dev/null
run 5 ./plain
cp out want

# says LINE COMMAND...: the program's own output and status, and this one line.
says() {
    line=$1
    shift
    run 5 "$@"
    same out want
    if [ -n "$line" ]; then
        echo "$line" >line
    else
        : >line
    fi
    same err line
}

says '' ./prog
valid mlmon.out
rm mlmon.out
says '' ./static
valid mlmon.out
rm mlmon.out

# No runtime; one line for the process, however many shared objects are profiled.
unprofiled='ccprof: libccprof.so.1 not found: ./lonely runs unprofiled'
says "$unprofiled" ./lonely
echo 'int one(void) { return 1; }' >one.c
echo 'int two(void) { return 2; }' >two.c
$CC -shared -fPIC one.c alone.s -o libone.so
$CC -shared -fPIC two.c alone.s -o libtwo.so
$CC -O1 -I"$RT" "$RT/state.c" alone.s -Wl,--no-as-needed -L. -lone -ltwo -Wl,-rpath,"$PWD" \
    -o lonely
says "$unprofiled" ./lonely
$CC -O1 -I"$RT" "$RT/state.c" -Wl,--no-as-needed -L. -lone -ltwo -Wl,-rpath,"$PWD" -o lonely
says "$unprofiled" ./lonely
# The line cannot be said: a closed stream, one that nobody reads.
run 5 sh -c 'exec ./lonely 2>&-'
# shellcheck disable=SC2016
run 5 sh -c '{ sleep 0.3; ./lonely; echo $? >status; } 2>&1 >/dev/null | true; sleep 1; exit $(cat status)'
[ ! -e mlmon.out ] || fail 'a profile without a runtime'

# ... but the loader finds it.
says '' env LD_LIBRARY_PATH="$O/rt" ./lonely
valid mlmon.out
rm mlmon.out
stub wrong.s "/no such folder/libccprof.so.1"
$CC -O1 -I"$RT" "$RT/state.c" wrong.s -o wrong
says 'ccprof: libccprof.so.1 not found: ./wrong runs unprofiled' ./wrong
says '' env LD_LIBRARY_PATH="$O/rt" ./wrong
valid mlmon.out
rm mlmon.out
# The name may be anything.
mkdir 'a "b" \c'
cp "$O/rt/libccprof.so.1" 'a "b" \c/rt.so'
stub odd.s "$PWD/a \\\\\"b\\\\\" \\\\\\\\c/rt.so"
$CC -O1 -I"$RT" "$RT/state.c" odd.s -o odd
says '' ./odd
valid mlmon.out
rm mlmon.out

odd=$(printf 'a\033[2J\nb')
for form in prog static; do
    # Settings.
    says '' env CCPROF=off ./$form
    [ ! -e mlmon.out ] || fail 'off is not off'
    says '' env CCPROF=output=other,rate=200 ./$form
    [ ! -e mlmon.out ] || fail 'mlmon.out beside the other'
    valid other
    [ "$(value other rate)" = 200 ] || fail "rate is $(value other rate)"
    rm other
    mkdir -p folder
    says '' env CCPROF="output=$PWD/folder/a b" ./$form
    valid 'folder/a b'
    rm 'folder/a b'
    says 'ccprof: CCPROF: rte=5 is not understood; right is: off, output=FILE, output=FOLDER/, rate=HZ, stack=no, threads=yes, times=yes, clock=wall, regions=no, pause=MS, events=N, engine=NAME, samples=no, start=no, toggle=SIGNAL, write=SIGNAL, every=SECONDS, slice=SECONDS, keep=SIZE, chain=yes, trace=LINES, command=yes, host=yes, signals=no, help' \
        env CCPROF=rte=5 ./$form
    valid mlmon.out
    says 'ccprof: CCPROF: rate=99999 is not understood; right is: rate=HZ with HZ from 1 to 10000' \
        env CCPROF=rate=99999 ./$form
    [ "$(value mlmon.out rate)" = 100 ] || fail "rate is $(value mlmon.out rate)"
    rm mlmon.out
    run 5 env CCPROF=help,off ./$form
    has err '^ccprof: CCPROF: output=FILE  '
    [ "$(wc -l <err)" = 25 ] || fail 'help'

    # Nowhere to write.
    says "ccprof: /nowhere/at/all: No such file or directory" \
        env CCPROF=output=/nowhere/at/all ./$form
    says "ccprof: $PWD/folder: Is a directory; with a slash behind the name processes write files into it" \
        env CCPROF=output=folder ./$form
    says "ccprof: $PWD/a\\x1b[2J\\x0ab/c: No such file or directory" \
        env CCPROF=output="$odd"/c ./$form
    run 5 env CCPROF="$odd" ./$form
    has err '^ccprof: CCPROF: a\\x1b\[2J\\x0ab is not understood; right is: off'
    rm mlmon.out
    # The name of another program, as somebody may have written it.
    printf 'ccprof mlmon 1\nmodule 0 - 0x0 /a\033[2Jb\n' >mlmon.out
    says "ccprof: $PWD/mlmon.out was the profile of /a\\x1b[2Jb: it is now $PWD/mlmon.out.a\\x1b[2Jb" \
        ./$form
    rm mlmon.out*
    # No device is written to.
    says "ccprof: /dev/full: neither a file nor a pipe of this user: nothing is written" \
        env CCPROF=output=/dev/full ./$form
    ln -s /dev/full mlmon.out
    says "ccprof: $PWD/mlmon.out: neither a file nor a pipe of this user: nothing is written" ./$form
    rm mlmon.out
    # ... nor can that be said: a closed stream, one that nobody reads.
    run 5 sh -c "CCPROF=output=/dev/full exec ./$form 2>&-"
    run 5 sh -c "{ CCPROF=output=/dev/full ./$form; echo \$? >status; } 2>&1 >/dev/null | true
        sleep 1; exit \$(cat status)"
    # A limit on files; an old profile stays as it was.
    echo old >mlmon.out
    (
        ulimit -f 0
        ./$form 2>&1 || echo "$?"
    ) | cat >out3
    sed '/^ccprof/d; $d' out3 >got
    same got want
    has out3 "^ccprof: $PWD/mlmon.out: File too large"
    has out3 '^5$'
    [ "$(cat mlmon.out)" = old ] || fail 'the old file is gone'
    rm mlmon.out
    # No descriptor left: the profile cannot be opened, and the program can.
    says "ccprof: $PWD/mlmon.out: Too many open files" \
        sh -c "ulimit -n 4; exec ./$form"
    for file in ./*.tmp; do
        [ ! -e "$file" ] || fail "$file was left behind"
    done
done

# The disk is full.
if [ "$(id -u)" = 0 ] && mkdir -p disk && mount -t tmpfs -o size=4k tmpfs disk 2>/dev/null; then
    trap 'umount "$PWD/disk"' EXIT
    echo old >disk/mlmon.out
    says "ccprof: $PWD/disk/mlmon.out: No space left on device" \
        env CCPROF=output=disk/mlmon.out ./prog
    [ "$(cat disk/mlmon.out)" = old ] || fail 'the old file is gone'
    [ "$(ls disk)" = mlmon.out ] || fail "left behind: $(ls disk)"
    umount disk
    trap - EXIT
else
    leave_out 'a full disk: nothing can be mounted here'
fi

# Set-uid: silent and off, with a runtime and without. (The same files without the bit are
# profiled, or say a line.)
if [ "$(id -u)" != 0 ]; then
    leave_out 'set-uid programs: only root can make them'
elif have setpriv 'set-uid programs'; then
    room=$(mktemp -d /tmp/ccprof-XXXXXX)
    trap 'rm -rf "$room"' EXIT
    chmod 777 "$room"
    cp "$O/rt/libccprof.so.1" static plain "$room"
    stub room.s "$room/libccprof.so.1"
    $CC -O1 -I"$RT" "$RT/state.c" room.s -o "$room/prog"
    $CC -O1 -I"$RT" "$RT/state.c" alone.s -o "$room/alone"
    sed 1d want >"$room/want"
    cd "$room"

    # nobody COMMAND...: as another user.
    nobody() {
        setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
    }

    nobody true 2>/dev/null || {
        leave_out 'set-uid programs: setpriv is of no use here'
        exit 0
    }
    chown daemon prog alone static plain
    chmod 4755 prog alone static plain
    for form in prog static alone; do
        run 5 nobody env CCPROF=rate=x,help LD_LIBRARY_PATH="$room" "./$form"
        # The first line is about errno, which libc itself sets in such programs.
        sed 1d out >got
        same got want
        [ ! -s err ] || fail "set-uid $form says: $(cat err)"
        for file in mlmon.out*; do
            [ ! -e "$file" ] || fail "set-uid $form wrote $file"
        done
    done
    chmod 755 prog static alone
    for form in prog static; do
        run 5 nobody "./$form"
        valid mlmon.out
        rm -f mlmon.out
    done
    run 5 nobody ./alone
    has err 'runs unprofiled'
fi
