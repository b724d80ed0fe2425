#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of the papers, for this implementation, on one program: what each part of
# profiling adds (Appel, Duba, MacQueen, Tolmach 1988), and what tools of each sort add
# (Huang 1998: prof, gprof and pixie).
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof
d=$work/papers

# build FOLDER OPTION...
build() {
    folder=$d/$1
    shift
    mkdir -p "$folder"
    "$CC" -O2 "$@" "$bench"/../demo/*.c -o "$folder/prog" -lm
}

# contender NAME FOLDER [COMMAND]: the program, run by COMMAND.
contender() {
    list="$list '$1' 'cd $d/$2 && exec ${3-} ./prog 500 4'"
}

# percent: of each of ratio.c's lines the name, and seconds more than the first one has, also
# in percent; from ratios, which are taken round by round.
percent() {
    awk -F '\t' 'NR == 1 { user = $2; printf "%-34s %8s %8s\n%-34s %8.2f\n", "", "seconds", "added", $1, $2; next }
        { printf "%-34s %+8.2f %+7.1f%%\n", $1, user * ($3 - 1), 100 * ($3 - 1) }'
}

# appel: each row is what a build or a run has more than the one it goes on from.
appel() {
    awk -F '\t' '
        { ratio[$1] = $3 }
        NR == 1 { user = $2 }
        function row(name, part) {
            printf "%-34s %+8.2f %+7.1f%%\n", name, user * part, 100 * part
        }
        END {
            printf "%-34s %8s %8s\n%-34s %8.2f\n", "", "seconds", "added", "user code", user
            row("call counts", ratio["count"] - 1)
            row("setting the current function", ratio["field"] - 1)
            row("interrupts", ratio["field, interrupts"] - ratio["field"])
            row("all of these", ratio["all"] - 1)
            row("with labels: call counts, time", ratio["labels"] - 1)
        }'
}

rm -rf "$d"
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
contender plain plain
contender count count "env CCPROF=off"
contender field field "env CCPROF=off"
contender "field, interrupts" field
contender all all
contender labels labels
eval "\"$work/ratio\" \"$ROUNDS\" $list" | appel

title "the table of Huang: ray tracer, $COMPILE_ROUNDS rounds"
list=
contender "user code" plain
contender "ccprof time (prof)" time
contender "ccprof time,count" labels
contender "ccprof stopwatch: average" watch
contender "ccprof stopwatch: all" watch-all
contender "-pg (gprof)" pg
contender "ccprof count, blocks (pixie)" blocks
if command -v valgrind >/dev/null 2>&1; then
    contender "callgrind (pixie)" plain \
        "valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out"
else
    echo "callgrind: not installed"
fi
eval "\"$work/ratio\" \"${FEW_ROUNDS:-3}\" $list" | percent
