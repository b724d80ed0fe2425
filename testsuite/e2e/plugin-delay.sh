#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# delay=FUNCTION:NANOSECONDS: the function's row grows by its calls times the delay, whether
# it is inlined, recursive, or called from code that is not profiled; the others stay.
. "$SRC/testsuite/plugin/plugin.sh"

cp "$SOURCES/unprofile.c" .
DELAY=-fplugin-arg-ccprof-delay
RATE=2000
RUNS=3

# run_it PROGRAM TABLE: RUNS runs, into TABLE.1 ...; and as many with few samples, of which TABLE.cpu
# says the least CPU time: what others do on the machine only ever adds to it.
run_it() {
    run_program=$1
    shift
    for i in $(seq $RUNS); do
        rm -f mlmon.out
        CCPROF=rate=$RATE "./$run_program" "$ROUNDS" >output
        grep '^samples' mlmon.out >"$1.$i"
        "$MLPROF" -balance false "$run_program" mlmon.out | table_rows cur >>"$1.$i"
    done
    for i in $(seq $RUNS); do
        rm -f mlmon.out
        CCPROF=rate=100 "./$run_program" "$ROUNDS" >output
        sed -n 's/^cpu //p' mlmon.out | awk '{ print $1 / 1e9 }'
    done | sort -g | head -n 1 >"$1.cpu"
}

# seconds NAME TABLE: its row in seconds, the mean of the runs; all samples likewise; and the
# variance of the row: each sample of a run falls into it or not (one more and one less are
# for rows of 0 and 100 %).
seconds() {
    awk -v name="$1" -v rate=$RATE -v runs=$RUNS '
        function run_ends(part) {
            if (samples == "") return
            sum += row / 100 * samples / rate
            all += samples / rate
            part = (row / 100 * samples + 1) / (samples + 2)
            variance += samples * part * (1 - part) / rate ^ 2
        }
        $1 == "samples" { run_ends(); samples = $2; row = 0 }
        $1 == name { row = $2 }
        END { run_ends(); print sum / runs, all / runs, variance / runs ^ 2 }' "$2".[1-9]
}

# plain ROUNDS OPTIONS...: the program without a delay, its calls and its profile.
plain() {
    ROUNDS=$1
    shift
    pcc "$@" -fplugin-arg-ccprof-profile=count unprofile.c -o prog
    ./prog "$ROUNDS" >want.output
    table_of prog mlmon.out | table_rows calls >counts
    pcc "$@" unprofile.c -o without
    run_it without plain
}

# takes: the delay itself, in CPU time: it may be 2 us and a third longer (a sixth at a load of 24, next to nothing
# alone); 4 ms are for the rest of the program, which does not take the same time always.
takes() {
    awk -v before="$(cat plain.cpu)" -v after="$(cat table.cpu)" -v calls="$calls" -v ns="$nanoseconds" 'BEGIN {
            least = calls * ns / 1e9
            most = calls * (ns * 4 / 3 + 2000) / 1e9
            printf "%s s of CPU time, then %s; %g to %g more\n", before, after, least, most
            exit !(after - before >= least - 0.004 && after - before <= most + 0.004)
        }'
}

# grows NAME: its row by the delay if it pays, by nothing otherwise.  What is sampled while the delay
# goes on prolongs it: by the samples of all functions it is known how long it was. Within 4.5 standard
# deviations; 0.001 s is for rounding.
grows() {
    { seconds "$1" plain && seconds "$1" table; } |
        awk -v name="$1" -v hit="$payer" -v calls="$calls" -v ns="$nanoseconds" '
            { mean[NR] = $1; all[NR] = $2; variance += $3 }
            END {
                least = name == hit ? calls * ns / 1e9 : 0
                most = name == hit ? all[2] - all[1] : 0
                if (most < least) most = least
                far = 4.5 * sqrt(variance) + 0.001
                grown = mean[2] - mean[1]
                printf "%s %s: %g s, then %g s, grown by %g; %g to %g, give or take %g\n",
                    hit, name, mean[1], mean[2], grown, least, most, far
                exit !(NR == 2 && grown >= least - far && grown <= most + far)
            }'
}

# judged: all that is asked of the runs of both programs.
judged() {
    takes || return
    for name in $FUNCTIONS; do
        grows "$name" || return
    done
}

# moves_again: in more runs of both programs.
moves_again() {
    run_it without plain
    run_it prog table
    judged
}

# moves FUNCTION NANOSECONDS OPTIONS...; PAYER has the time if it is not the function.
# Where others had the machine for a while, what they took is some function's: more runs of both programs decide.
PAYER=
moves() {
    delayed=$1
    nanoseconds=$2
    payer=${PAYER:-$delayed}
    shift 2
    pcc "$@" $DELAY="$delayed:$nanoseconds" unprofile.c -o prog
    run_it prog table
    same output want.output
    calls=$(sed -n "s/^$delayed //p" counts)
    [ "$calls" -gt 0 ] || fail "no calls of $delayed: $(cat counts)"
    judged || decided_after moves_again || {
        cat plain.1 table.1 >&2
        fail "a delay of $calls times $nanoseconds ns in $delayed"
    }
}

FUNCTIONS='apart inlined spin recursive compare sorted main'
plain 150 -O2
moves apart 100000 -O2
moves inlined 100000 -O2
moves recursive 50000 -O2
moves main 150000000 -O2
moves apart 100000 -O3 -flto
plain 2 -O2
moves compare 40000 -O2
plain 50 -O0
moves spin 100000 -O0

# The caller pays for an excluded function, its delay too.
FUNCTIONS='apart sorted main'
plain 2 -O2
PAYER=sorted
moves compare 40000 -O2 -fplugin-arg-ccprof-exclude-function='^compare$'

# What does not call it stays the same, but for labels. (GCC lays out a caller's blocks by what
# they call.)
body() {
    sed -n "/^$1:/,/\.size[[:space:]]*$1,/p" | sed 's/\.L[A-Z]*[0-9]*/.L/g' | grep -v 'ccprof\|uleb128'
}
pcc -O2 -S unprofile.c -o plain.s -fplugin-arg-ccprof-profile=drop
pcc -O2 -S unprofile.c -o delayed.s -fplugin-arg-ccprof-profile=drop $DELAY=apart:1000
body compare <plain.s >want
body compare <delayed.s >got
[ "$(wc -l <want)" -gt 10 ] || fail "no compare"
same got want
body apart <delayed.s >got
has got 'call.*clock_gettime'
pcc -O2 -S unprofile.c -o none.s -fplugin-arg-ccprof-profile=drop $DELAY=nobody:1000
same none.s plain.s

# Names as in the tables, of C++ too.
cat >name.cc <<'END_OF_FILE'
namespace n { struct S { template <class T> T f(T x) const { return x + 1; } }; }
int g(int x) { return n::S().f(x); }
END_OF_FILE
for name in 'n::S::f<int>' g; do
    pcxx -O1 -S "$DELAY=$name:1000" name.cc -o name.s
    has name.s 'call.*clock_gettime'
done
pcxx -O1 -S "$DELAY=f:1000" name.cc -o name.s
hasnot name.s clock_gettime

# Malformed.
for bad in apart apart: apart:x apart:0 apart:-1 apart:1x :1 apart:99999999999999999999; do
    run 1 pcc -O2 -S "$DELAY=$bad" unprofile.c -o bad.s
    has err "error: ccprof: 'delay=$bad': the value must be one of FUNCTION:NANOSECONDS"
done
