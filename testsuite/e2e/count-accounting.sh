#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counters hold to what a program says of its phases: nothing is counted while it is stopped,
# and what was counted in a data set goes where the set is written, exactly, on threads too.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

# leaves FILE CALLS: so many calls of leaf are in the file.
leaves() {
    got=$(table ./prog "$1" | sed -n 's/^leaf //p')
    [ "${got:-0}" = "$2" ] || fail "$1: ${got:-0} calls of leaf, not $2"
}

way() {
    rm -f ./*.out ./*.out.*
    run 0 ./prog "$@"
}

for options in '-O0' '-O2' '-O2 -fPIC' "-O2 -static -L$O/rt" SHARED; do
    echo "$options"
    last=
    case $options in
    *static*) last=-lccprof ;;
    SHARED)
        # All of it in a shared object.
        sed 's/^int main(/int shared_main(int, char **);\nint shared_main(/' \
            "$COUNT/accounting.c" >shared.c
        pcc "$KIND" -O2 -fPIC -shared -pthread -I"$SRC/rt" shared.c -o libshared.so
        cat >main.c <<'END'
int shared_main(int, char **);
int main(int argc, char **argv) { return shared_main(argc, argv); }
END
        pcc "$KIND" -O2 main.c -L. -lshared -Wl,-rpath,"$PWD" -o prog
        ;;
    esac
    # shellcheck disable=SC2086
    [ "$options" = SHARED ] ||
        pcc "$KIND" $options -pthread -I"$SRC/rt" "$COUNT/accounting.c" -o prog $last

    way start
    leaves mlmon.out 1100
    export CCPROF=start=no
    way start
    leaves mlmon.out 100
    unset CCPROF
    way start-threads
    leaves mlmon.out 13

    way datasets
    has err 'nowhere/e.out'
    leaves a.out 11
    leaves b.out 20
    leaves c.out 2
    leaves d.out 0
    leaves e.out 40
    leaves f.out 500
    # The data set that was freed, and what came last.
    leaves mlmon.out 36
    table ./prog ./*.out >got
    has got '^leaf 609$'
    has got '^main 1$\|^shared_main 1$'
    has got '^in 7$'

    way both
    leaves a.out 50
    leaves mlmon.out 3

    way threads
    leaves a.out 300000
    leaves b.out 2003
    leaves mlmon.out 300003

    way forks
    leaves child.out 5
    leaves parent.out 40
    leaves mlmon.out 101
    set -- mlmon.out.*
    leaves "$1" 3

    way copies
    leaves a.out 11
    leaves b.out 10
    leaves c.out 2
    leaves mlmon.out 2

    export CCPROF=start=no,toggle=USR2
    way toggled
    leaves mlmon.out 12
    CCPROF=toggle=USR2
    way toggled
    leaves mlmon.out 10
    unset CCPROF
done

echo 'Beside time.'
pcc -fplugin-arg-ccprof-profile=time,count -O2 -pthread -I"$SRC/rt" "$COUNT/accounting.c" -o prog
rm -f ./*.out*
run 0 ./prog datasets
for file in a:11 b:20 c:2 e:40 f:500 mlmon:36; do
    table prog "${file%:*}.out" | sed -n 's/^leaf //p' >calls
    echo "${file#*:}" >want
    same calls want
done
