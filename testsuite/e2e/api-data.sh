#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Data sets: each sample is in the file of its data set, and in no other; the files of a run add
# up; misuse is reported and does no harm.  In C and C++, and without the plugin.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/api/datasets.sh"

# goes WHAT: the program does that.
goes() {
    rm -f ./*.out* part.*
    run 0 ./prog "$1"
}

phases() {
    goes phases
    same err /dev/null
    none green one.out
    none red two.out
    none red mlmon.out
    none green mlmon.out
    about red 0.4 one.out && about green 0.3 two.out && about blue 0.2 mlmon.out || return
    has table '^unsampled .*, in other files 0\.[67]. s'
    table one.out
    has table '^sampled 0\.[34][0-9] s, a part of what the program used, '
    add_up one.out two.out mlmon.out
}

again() {
    goes again
    has err '^ccprof: nowhere/four.out: No such file or directory$'
    [ "$(wc -l <err)" -eq 1 ] || fail "it says: $(cat err)"
    none red two.out
    [ "$(value three.out samples)" = 0 ] || fail 'an empty unit has samples'
    about red 0.2 one.out && about green 0.3 two.out && about red 0.1 mlmon.out &&
        about green 0.1 mlmon.out && about blue 0.2 mlmon.out && add_up ./*.out
}

nested() {
    goes nested
    has err '^ccprof: ccprof_data_free: the data set is in use, or was freed already$'
    none red one.out
    none green two.out
    about green 0.3 one.out && about red 0.3 two.out && about blue 0.3 mlmon.out && add_up ./*.out
}

jumps() {
    goes jumps
    lies 0 "$(value two.out samples)" 1 'samples of the outer unit' && about red 0.4 one.out &&
        about blue 0.2 mlmon.out && add_up ./*.out
}

threads() {
    goes threads
    none blue one.out
    none green one.out
    about red 0.4 one.out && about blue 0.2 mlmon.out && about green 0.2 mlmon.out && add_up ./*.out
}

forks() {
    goes forks
    child=$(sed -n 's/^child //p' out)
    none red two.out
    about red 0.2 one.out && about red 0.2 mlmon.out && add_up one.out mlmon.out && about green 0.2 two.out &&
        about blue 0.1 "mlmon.out.$child" && add_up two.out "mlmon.out.$child"
}

copies() {
    goes copies
    none red copy.out
    none blue copy.out
    about green 0.2 copy.out && add_up one.out copy.out && about green 0.2 mlmon.out &&
        about blue 0.2 mlmon.out && add_up one.out mlmon.out
}

crowd() {
    goes crowd
    same err /dev/null
    valid copy.out
    add_up part.* mlmon.out
}

cp "$API/data.c" data.cc
for language in c cc; do
    case $language in
    c) compiler=pcc plain=$CC source=$API/data.c ;;
    cc) compiler=pcxx plain=$CXX source=data.cc ;;
    esac
    echo "$compiler"
    $compiler -O1 -Wall -Wextra -Werror -pthread -I"$SRC/rt" -I"$RT" -I"$API" "$source" -o prog
    "$plain" -O1 -Wall -Wextra -Werror -pthread -I"$SRC/rt" -I"$RT" -I"$API" "$source" -o plain

    for what in phases again nested jumps; do
        decide $what
    done

    rm -f ./*.out*
    run 0 ./prog misuse
    valid mlmon.out
    cat >want <<'END'
ccprof: ccprof_data_free: the data set is in use, or was freed already
ccprof: ccprof_data_write: there is no such data set
ccprof: ccprof_with_data: there is no such data set
ccprof: ccprof_write: no file is named
ccprof: ccprof_label_end: no phase has begun
ccprof: ccprof_label_begin: there is no name
ccprof: too many data sets: their samples go to the first one
END
    same err want

    for what in threads forks copies; do
        decide $what
    done

    echo 'many writers'
    decide crowd

    echo 'threads that are cancelled'
    rm -f ./*.out*
    run 0 timeout 300 env CCPROF=rate=10000 ./prog cancels
    same err /dev/null
    valid copy.out
    valid mlmon.out

    echo 'a standard stream that is closed, and yet written to'
    run 0 ./prog streams
    for file in copy.?; do
        valid "$file"
    done

    echo 'the same without the plugin'
    rm -f ./*.out* part.*
    for what in phases nested threads copies; do
        run 0 ./plain $what
        same err /dev/null
    done
    for file in ./*.out*; do
        [ ! -e "$file" ] || fail "a program that is not profiled has written $file"
    done
done

echo 'stopped, off, and other settings'
run 0 env CCPROF=start=no ./prog phases
add_up one.out two.out mlmon.out || fail 'samples, though stopped'
[ "$(value one.out samples)" = 0 ] || fail 'samples, though stopped'
rm -f ./*.out
run 0 env CCPROF=off ./prog phases
same err /dev/null
[ ! -e one.out ] || fail 'off, and yet a file'
run 0 env CCPROF=off ./prog misuse
same err /dev/null
without_stacks() {
    run 0 env CCPROF=stack=no,rate=1000 ./prog phases
    lies 350 "$(value one.out samples)" 450 'samples in one.out' &&
        lies 250 "$(value two.out samples)" 350 'samples in two.out' &&
        lies 160 "$(value mlmon.out samples)" 260 'samples in mlmon.out' &&
        add_up one.out two.out mlmon.out
}
decide without_stacks
