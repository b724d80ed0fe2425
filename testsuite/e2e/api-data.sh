#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Data sets: each sample is in the file of its data set, and in no other; the files of a run add
# up; misuse is reported and does no harm.  In C and C++, and without the plugin.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/api/datasets.sh"

cp "$API/data.c" data.cc
for language in c cc; do
    case $language in
    c) compiler=pcc plain=$CC source=$API/data.c ;;
    cc) compiler=pcxx plain=$CXX source=data.cc ;;
    esac
    echo "$compiler"
    $compiler -O1 -Wall -Wextra -Werror -pthread -I"$SRC/rt" -I"$RT" -I"$API" "$source" -o prog
    "$plain" -O1 -Wall -Wextra -Werror -pthread -I"$SRC/rt" -I"$RT" -I"$API" "$source" -o plain

    rm -f ./*.out*
    run 0 ./prog phases
    same err /dev/null
    about red 0.4 one.out
    none green one.out
    about green 0.3 two.out
    none red two.out
    about blue 0.2 mlmon.out
    none red mlmon.out
    none green mlmon.out
    has table '^unsampled .*, in other files 0\.[67]. s'
    table one.out
    has table '^sampled 0\.[34][0-9] s, a part of what the program used, '
    add_up one.out two.out mlmon.out

    rm -f ./*.out*
    run 0 ./prog again
    has err '^ccprof: nowhere/four.out: No such file or directory$'
    [ "$(wc -l <err)" -eq 1 ] || fail "it says: $(cat err)"
    about red 0.2 one.out
    about green 0.3 two.out
    none red two.out
    [ "$(value three.out samples)" = 0 ] || fail 'an empty unit has samples'
    about red 0.1 mlmon.out
    about green 0.1 mlmon.out
    about blue 0.2 mlmon.out
    add_up ./*.out

    rm -f ./*.out*
    run 0 ./prog nested
    has err '^ccprof: ccprof_data_free: the data set is in use, or was freed already$'
    about green 0.3 one.out
    none red one.out
    about red 0.3 two.out
    none green two.out
    about blue 0.3 mlmon.out
    add_up ./*.out

    rm -f ./*.out*
    run 0 ./prog jumps
    about red 0.4 one.out
    [ "$(value two.out samples)" -le 1 ] || fail 'the outer unit has samples'
    about blue 0.2 mlmon.out
    add_up ./*.out

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

    rm -f ./*.out*
    run 0 ./prog threads
    about red 0.4 one.out
    none blue one.out
    none green one.out
    about blue 0.2 mlmon.out
    about green 0.2 mlmon.out
    add_up ./*.out

    rm -f ./*.out*
    run 0 ./prog forks
    child=$(sed -n 's/^child //p' out)
    about red 0.2 one.out
    about red 0.2 mlmon.out
    add_up one.out mlmon.out
    about green 0.2 two.out
    none red two.out
    about blue 0.1 "mlmon.out.$child"
    add_up two.out "mlmon.out.$child"

    rm -f ./*.out*
    run 0 ./prog copies
    about green 0.2 copy.out
    none red copy.out
    none blue copy.out
    add_up one.out copy.out
    about green 0.2 mlmon.out
    about blue 0.2 mlmon.out
    add_up one.out mlmon.out

    echo 'many writers'
    rm -f ./*.out* part.*
    run 0 ./prog crowd
    same err /dev/null
    add_up part.* mlmon.out
    valid copy.out

    echo 'threads that are cancelled'
    rm -f ./*.out*
    run 0 timeout 60 env CCPROF=rate=10000 ./prog cancels
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
add_up one.out two.out mlmon.out
[ "$(value one.out samples)" = 0 ] || fail 'samples, though stopped'
rm -f ./*.out
run 0 env CCPROF=off ./prog phases
same err /dev/null
[ ! -e one.out ] || fail 'off, and yet a file'
run 0 env CCPROF=off ./prog misuse
same err /dev/null
run 0 env CCPROF=stack=no,rate=1000 ./prog phases
between 350 "$(value one.out samples)" 450 'samples in one.out'
between 250 "$(value two.out samples)" 350 'samples in two.out'
between 160 "$(value mlmon.out samples)" 260 'samples in mlmon.out'
add_up one.out two.out mlmon.out
