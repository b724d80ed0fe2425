#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal writes the profile of a daemon of several threads, which goes on: each file is
# whole and says more than the one before, and none of it is missing at the end.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

A=-fplugin-arg-ccprof
pcc -O1 -I"$SRC/rt" $A-profile=time,count "$RT/daemon.c" -pthread -o counted
pcc -O1 -I"$SRC/rt" $A-profile=time,count "$RT/daemon.c" -pthread -static -L"$O/rt" -lccprof \
    -o static 2>/dev/null
pcc -O1 -I"$SRC/rt" "$RT/daemon.c" -pthread -o timed

# started COMMAND...: in the background, as $daemon, until it is ready.
started() {
    : >out
    rm -f mlmon.out*
    "$@" >out 2>err &
    daemon=$!
    # shellcheck disable=SC2064
    trap "kill -9 $daemon 2>/dev/null || :" EXIT
    i=0
    until [ -s out ]; do
        sleep 0.1
        i=$((i + 1))
        [ $i -lt 15000 ] || fail "it does not start: $(cat err)"
    done
}

# written FILE: it is asked, and a new file is there.
written() {
    before=$(stat -c %i "$1" 2>/dev/null || :)
    kill -USR2 $daemon
    i=0
    while [ "$(stat -c %i "$1" 2>/dev/null || :)" = "$before" ]; do
        sleep 0.02
        i=$((i + 1))
        [ $i -lt 15000 ] || fail "nothing was written: $(cat err)"
    done
}

ended() {
    kill -TERM $daemon
    wait $daemon || fail "exit status $?"
    trap - EXIT
    same err /dev/null
    for file in ./*.tmp; do
        [ ! -e "$file" ] || fail "$file was left behind"
    done
}

# calls FILE PROGRAM: of work.
calls() {
    "$MLPROF" "$2" "$1" | table_rows calls | sed -n 's/^work //p'
}

echo 'the profile grows'
started env CCPROF=write=USR2 ./timed
last=0
# more: the next file has more samples than the one before, as soon as the program has had the processor.
more() {
    sleep 0.3
    written mlmon.out
    valid mlmon.out
    samples=$(value mlmon.out samples)
    [ "$samples" -ge "$last" ] || fail "$samples samples after $last"
    lies $((last + 1)) "$samples" 1e9 "samples after $last"
}
for _ in 1 2 3; do
    decide more
    last=$samples
done
ended
valid mlmon.out
[ "$(value mlmon.out samples)" -ge "$last" ] || fail 'the last file has less'
# What comes while one is written is lost, and told: a few milliseconds for each.
[ "$(value mlmon.out lost)" -le $((last / 5)) ] || fail "$(value mlmon.out lost) are lost"

echo 'counts are exact'
for form in counted static; do
    started env CCPROF=write=USR2 ./$form
    for i in 1 2 3; do
        written mlmon.out
    done
    cp mlmon.out early
    ended
    [ "$(calls mlmon.out $form)" = "$(sed -n 2p out)" ] ||
        fail "$form: $(calls mlmon.out $form) calls, not $(sed -n 2p out)"
    early=$(calls early $form)
    between 1 "$early" "$(($(sed -n 2p out) - 1))" 'what was called before'
done

echo 'in the middle of anything'
echo 'int nothing;' >library.c
"$CC" -shared -fPIC library.c -o library.so
for program in timed counted; do
    started env CCPROF=write=USR2,rate=1000 ./$program ./library.so
    i=0
    while [ $i -lt 600 ]; do
        kill -USR2 $daemon
        i=$((i + 1))
        [ $((i % 20)) != 0 ] || sleep 0.05
    done
    written mlmon.out
    ended
    [ $program = counted ] || valid mlmon.out
    "$MLPROF" $program mlmon.out >table
    has table '  work$'
done

echo 'sampling that is stopped; another signal; one that is in use'
started env CCPROF=write=SIGUSR2,start=no ./timed
written mlmon.out
[ "$(value mlmon.out samples)" = 0 ] || fail 'it was sampled'
ended
started env CCPROF=write=KILL ./timed
kill -TERM $daemon
wait $daemon || :
trap - EXIT
has err '^ccprof: CCPROF: write=KILL is not understood; right is: write=SIGNAL with a signal as USR1, '
