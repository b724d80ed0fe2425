# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests that compare time-field with time-label: . "$SRC/testsuite/field/agree.sh" behind
# field.sh.  Over RUNS runs of each, in turn, they agree within 3 points for each function, and 3
# standard deviations of what is left to chance (agree.awk), but for the rows that `apart' names;
# these agree together, and are printed.  If not, more such series decide.

RUNS=3
arguments=

# What is profiled, into prog here, from the sources and options that agree is given: a test may
# have another.
build() {
    pcc -O2 "$@" -o prog -lm
}

# run ENGINE NUMBER: runs ENGINE/prog, and prints its rows: NUMBER, ENGINE, samples, NAME, PERCENT,
# with tabs between them, since they do not divide names.
run() (
    cd "$1" || exit
    export CCPROF=rate=4000
    # shellcheck disable=SC2086
    profile prog $arguments
    # Time-label's addresses are corrected for skid.  The field needs no correction: it was
    # stored in front of the instruction that the program waits for.
    table_rows cur <table |
        awk -v OFS='\t' -v number="$2" -v engine="$1" -v samples="$(sed -n 's/^samples //p' mlmon.out)" '{
            percent = $NF
            sub(/ [^ ]*$/, "")
            print number, engine, samples, $0, percent
        }'
)

# apart NAME POINTS: in the next program this row may differ by so many points.
apart() {
    printf '%s\t%s\n' "$1" "$2" >>apart
}

# series: RUNS runs of each, into rows, and whether they agree.
series() {
    for turn in $(seq $RUNS); do
        run label "$turn"
        run field "$turn"
    done >rows
    awk -v runs=$RUNS -f "$SRC/testsuite/field/agree.awk" apart rows
}

# agree NAME SOURCE OPTION...
agree() {
    echo "$1"
    shift
    rm -rf label field rows
    mkdir label field
    (cd label && build "$@")
    (cd field && build "$KIND" "$@")
    touch apart
    # decide.sh has set them.
    # shellcheck disable=SC2154
    decided series || fail "they do not agree in $decide_off of $decide_runs series"
    rm apart
}

# tracer NAME OPTION...: the ray tracer.  box_slab is inlined into box_hit, and both into the walk:
# a few instructions of each stand between those of the others, for which they wait.
tracer() {
    name=$1
    shift
    apart box_slab 7
    apart box_hit 7
    apart blocked_below 7
    arguments='400 3'
    agree "$name" "$@" "$SRC"/testsuite/demo/*.c
    arguments=
}
