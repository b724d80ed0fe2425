#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of the papers, for this implementation, on the ray tracer: what each part of
# profiling adds (Appel, Duba, MacQueen, Tolmach 1988), and what tools of each sort add
# (Huang 1998: prof, gprof and pixie).
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof
d=$work/papers

# runs NAME FOLDER [COMMAND]: a program that has been built, run by COMMAND.
runs() {
    list="$list '$1' 'cd $d/$2 && exec ${3-} ./prog 500 4'"
}

# percent: of each of ratio.py's lines the name, and seconds more than the first one has, also
# in percent; from ratios, which are taken round by round.
percent() {
    awk -F '\t' 'NR == 1 { user = $2; printf "%-34s %8s %8s\n%-34s %8.2f\n", "", "seconds", "added", $1, $2; next }
        { printf "%-34s %+8.2f %+7.1f%%\n", $1, user * ($3 - 1), 100 * ($3 - 1) }'
}

# appel: each row is what a build or a run has more than the one it goes on from.
appel() {
    awk -F '\t' -v OFS='\t' '
        { ratio[$1] = $3 }
        NR == 1 { user = $2; print "user code", $2 }
        END {
            print "call counts", user, ratio["count"]
            print "setting the current function", user, ratio["field"]
            print "interrupts", user, 1 + ratio["field, interrupts"] - ratio["field"]
            print "all of these", user, ratio["all"]
            print "with labels: call counts, time", user, ratio["labels"]
        }' | percent
}

rm -rf "$d"
options=-O2 sources=$(echo "$bench"/../demo/*.c) libraries=-lm
build plain
build count "$plugin" $k-profile=count
build blocks "$plugin" $k-profile=count $k-blocks
build field "$plugin" $k-profile=time-field
build all "$plugin" $k-profile=time-field,count
build labels "$plugin" $k-profile=time,count
build time "$plugin"
build pg -pg
# Of each pixel, and of whatever is called.
build watch "$plugin" $k-stopwatch=average
build watch-all "$plugin" $k-stopwatch=.

title "the table of Appel and others: ray tracer, $ROUNDS rounds"
list=
runs plain plain
runs count count "env CCPROF=off"
runs field field "env CCPROF=off"
runs "field, interrupts" field
runs all all
runs labels labels
eval "\"$bench/ratio.py\" \"$ROUNDS\" $list" | appel

title "the table of Huang: ray tracer, $COMPILE_ROUNDS rounds"
list=
runs "user code" plain
runs "ccprof time (prof)" time
runs "ccprof time,count" labels
runs "ccprof stopwatch: average" watch
runs "ccprof stopwatch: all" watch-all
runs "-pg (gprof)" pg
runs "ccprof count, blocks (pixie)" blocks
if command -v valgrind >/dev/null 2>&1; then
    runs "callgrind (pixie)" plain "valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out"
else
    echo "callgrind: not installed"
fi
eval "\"$bench/ratio.py\" \"$COMPILE_ROUNDS\" $list" | percent
