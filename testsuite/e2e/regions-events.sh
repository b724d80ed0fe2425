#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# With events=N the calls of regions are told one by one: all of them where there is room, and
# otherwise the longest ones of the whole run; of threads, of handlers of signals, of children of a
# fork, and where the program dies. They are those that are counted.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"

# events MOST FILE [signals]: judges them; what it says must be the standard input, if there is any.
events() {
    valid "$2"
    python3 "$REGIONS/events.py" "$2" "$1" ${3:+"$3"} >events || fail "the events of $2 are wrong"
    cat >want
    [ ! -s want ] || same events want
}

pcc -O2 -pthread -I"$SRC/rt" "$REGIONS/paths.c" -o paths.prog
run 0 env CCPROF=times=yes,events=100000,regions=cpu ./paths.prog
has mlmon.out '^ccprof mlmon 4$'
has mlmon.out '^thread 1 paths.prog$'
events 100000 mlmon.out <<'END'
0
open 0 0
open/leaf 2 1
open/never 0 0
open/pair \\ of\ncalls 1 1
open/pair \\ of\ncalls/never 1 1
outer 1000 1
outer/leaf 2000 1
pair \\ of\ncalls 1 1
pair \\ of\ncalls/recurse 5 1
pair \\ of\ncalls/recurse/within 4 1
work 4000 4
work/leaf 4000 4
END
regions mlmon.out
"$MLPROF" -regions >table || fail 'no table'

pcc -O2 -pthread -I"$SRC/rt" "$REGIONS/many.c" -o prog

echo 'More than there is room for'
for most in 1 300 100000; do
    CCPROF=times=yes,events=$most run 0 ./prog threads
    events $most mlmon.out </dev/null
    has events "^long$"
    echo "$most: $(grep -c '^event ' mlmon.out), $(grep '^events' mlmon.out)"
done

echo 'Signals'
CCPROF=times=yes,events=3000000 run 0 ./prog signals
events 3000000 mlmon.out signals </dev/null
CCPROF=times=yes,events=5000 run 0 ./prog signals
events 5000 mlmon.out signals </dev/null

echo 'Forks'
rm mlmon.out*
CCPROF=times=yes,events=1000 run 0 ./prog forks
events 1000 mlmon.out </dev/null
for child in mlmon.out.*; do
    events 1000 "$child" <<'END'
0
parent 0 0
parent/child 100 1
END
    has "$child" '^event 1 '
done

echo 'Where the program dies'
pcc -O2 -pthread -I"$SRC/rt" "$REGIONS/ways.c" -o ways
CCPROF=times=yes,events=10 run 139 ./ways crash
events 10 mlmon.out <<'END'
0
way 0 0
END
CCPROF=times=yes,events=10 run 0 ./ways longjmp
events 10 mlmon.out </dev/null
CCPROF=times=yes,events=100 run 0 ./ways longjmp
events 100 mlmon.out <<'END'
0
before 1 1
before/next 3 1
before/way 3 1
before/way/deep 9 1
before/way/deep/pair 9 1
next 1 1
END

echo 'Settings'
for wrong in events events= events=0 events=-1 events=1x events=10000001; do
    CCPROF=$wrong run 0 ./ways return
    echo "ccprof: CCPROF: $wrong is not understood; right is: events=no, or events=N with N from 1 to 10000000" >want
    same err want
    hasnot mlmon.out '^event'
done
for none in events=5,events=no events=5,regions=no; do
    CCPROF=$none run 0 ./ways return
    same err /dev/null
    hasnot mlmon.out '^event'
done
CCPROF=events=10000000 run 0 prlimit --as=200000000 ./ways return
echo 'ccprof: no memory: calls of regions are not kept one by one' >want
same err want
hasnot mlmon.out '^event'
regions mlmon.out
