#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every way in which a program may end: its output and exit status are those of the same
# program without the profiler, and the profile is written.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
flags="-O1 -w -I$RT -pthread"
# shellcheck disable=SC2086
{
    $CC $flags "$RT/ways.c" -o plain
    $CC $flags "$RT/ways.c" stub.s -o dynamic
    $CC $flags "$RT/ways.c" stub.s -no-pie -Wl,-z,lazy -o lazy
    $CC $flags "$RT/ways.c" stub.s -Wl,-z,now -o now
    $CC $flags "$RT/ways.c" stub.s -static -L"$O/rt" -lccprof -o static
}

# status COMMAND...: its output and exit status into the file out.
status() {
    (
        trap '' HUP
        case $2 in
        ignored) ;;
        *) trap - HUP ;;
        esac
        exec "$@"
    ) >out 2>err && got=0 || got=$?
    echo "$got" >>out
}

# ended FORM WAY: another run ends as the plain program does, and its profile is written.
ended() {
    rm -f mlmon.out*
    status "./$1" "$2"
    same out want
    [ ! -s err ] || fail "$1 $2 says: $(cat err)"
    burnt mlmon.out 0.055 4
}

ways="return exit quick_exit _exit _Exit _exit-in-handler abort SEGV overflow small-stack FPE ILL
    thread-exit threads-run-on pthread_exit vfork handled PIPE XCPU kill-15
    raise-1 raise-2 raise-3 raise-5 raise-10 raise-12 raise-14 raise-24 raise-25
    raise-26 raise-27 raise-29 raise-30 raise-31"
all=0
for way in $ways ignored; do
    rm -f mlmon.out*
    status ./plain "$way"
    mv out want
    forms="dynamic static"
    case $way in
    _exit | _Exit) forms="$forms lazy now" ;;
    esac
    for form in $forms; do
        decide ended "$form" "$way"
        has mlmon.out "^command ./$form \.\.\.\$"
        all=$((all + $(value mlmon.out samples)))
        for file in mlmon.out.*; do
            [ ! -e "$file" ] || fail "$form $way wrote $file"
        done
    done
done
# Some 70 profiles of 0.06 s and more at 100 Hz; a tick may find any of them or none.
between 100 "$all" 5000 'samples in all'
