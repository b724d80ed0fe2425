#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of several processes: each has its own profile, none is harmed.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
$CC -O1 -I"$RT" -pthread "$RT/processes.c" stub.s -o dynamic
$CC -O1 -I"$RT" -pthread "$RT/processes.c" stub.s -static -L"$O/rt" -lccprof -o static
$CC -O1 -I"$RT" -pthread "$RT/processes.c" -o plain

count() {
    find . -maxdepth 1 -name 'mlmon.out*' | wc -l
}

# fork: 0.1 s; children 0.2 and 0.4; grandchildren 0.1 each. A child starts afresh.
forks() {
    rm -f mlmon.out*
    run 0 "./$form" fork
    [ ! -s err ] || fail "$form fork says: $(cat err)"
    [ "$(count)" = 5 ] || fail "$form: not 5 files: $(ls)"
    burnt mlmon.out 0.09 0.15 || return
    for line in '11 0.19 0.25' '12 0.39 0.45' '21 0.09 0.15' '22 0.09 0.15'; do
        # shellcheck disable=SC2086
        set -- $line
        burnt "mlmon.out.$(sed -n "s/ $1\$//p" out)" "$2" "$3" || return
    done
}

# A child that libc knows nothing of writes no profile, least of all its parent's.
bare_fork() {
    rm -f mlmon.out*
    run 0 "./$form" bare-fork
    [ "$(count)" = 1 ] || fail "$form: not 1 file: $(ls)"
    burnt mlmon.out 0.09 0.15
}

# Programs run by it have profiles only when they are profiled themselves: the last
# one's is put aside.
spawns() {
    rm -f mlmon.out*
    run 0 "./$form" spawn
    echo "ccprof: $PWD/mlmon.out was the profile of another process of $PWD/$form: it is now $PWD/mlmon.out.$form" >want
    same err want
    [ "$(count)" = 2 ] || fail "$form: not 2 files: $(ls)"
    burnt mlmon.out 0.09 0.15 && burnt "mlmon.out.$form" 0.09 0.15
}

# The timer ends with exec: no signal kills what follows, profiled or not. What was measured
# before is there.
execs() {
    rm -f mlmon.out*
    run 0 env CCPROF=rate=1000 "./$form" exec ./plain
    [ ! -s err ] || fail "exec of plain says: $(cat err)"
    [ "$(count)" = 1 ] || fail "$form: not 1 file: $(ls)"
    burnt mlmon.out 0.09 0.15 || return
    grep -q "^module 0 .* $PWD/$form\$" mlmon.out || fail "not the profile of $form"
    run 0 env CCPROF=rate=1000 "./$form" exec ./dynamic
    if [ "$form" = dynamic ]; then
        # As in the next run.
        [ ! -s err ] || fail "exec of dynamic says: $(cat err)"
        [ "$(count)" = 1 ] || fail "$form: not 1 file: $(ls)"
    else
        echo "ccprof: $PWD/mlmon.out was the profile of $PWD/$form: it is now $PWD/mlmon.out.$form" >want
        same err want
        burnt "mlmon.out.$form" 0.09 0.15 || return
    fi
    burnt mlmon.out 0.09 0.15
}

daemon() {
    rm -f mlmon.out*
    run 0 "./$form" daemon
    i=0
    while [ ! -s out ] && [ $i -lt 3000 ]; do
        sleep 0.1
        i=$((i + 1))
    done
    daemon=$(cat out)
    await_end "$daemon"
    burnt "mlmon.out.$daemon" 0.09 0.15
}

# The file is where the program was started.
folder() {
    rm -f mlmon.out*
    run 0 "./$form" folder
    burnt mlmon.out 0.09 0.15
}

for form in dynamic static; do
    decide forks

    rm -f mlmon.out*
    run 0 "./$form" fork-in-threads
    [ ! -s err ] || fail "$form fork-in-threads says: $(cat err)"
    [ "$(count)" = 31 ] || fail "$form: not 31 files: $(ls)"
    for file in mlmon.out*; do
        valid "$file"
    done

    decide bare_fork
    decide spawns
    # Each time.
    for _ in 1 2 3 4 5; do
        decide execs
    done
    decide daemon
    decide folder
done
