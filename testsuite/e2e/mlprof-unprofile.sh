#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mlprof -unprofile RE on the full profile is what excluding the functions when the program
# is compiled gives: on the same samples to the byte, on samples of their own as far as
# chance lets them, and counts are equal.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump

cp "$SOURCES/unprofile.c" .
FUNCTIONS='inlined spin apart recursive compare sorted main'
RULE=-fplugin-arg-ccprof-exclude-function

# build FOLDER OPTIONS...: of one name everywhere, and without a build-id: but for the tables
# they are one program.
build() {
    folder=$1
    shift
    mkdir -p "$folder"
    pcc -Wl,--build-id=none "$@" unprofile.c -o "$folder/prog"
}

# views FILE OPTIONS...: all that mlprof shows of the data in FILE and ./prog.
views() {
    file=$1
    shift
    for style in '' '-skid false' '-raw true -show-line true' '-sort stack' '-show-extern true'; do
        # shellcheck disable=SC2086
        "$MLPROF" $style "$@" prog "$file"
    done
    "$MLPROF" "$@" -callers . prog "$file"
    "$MLPROF" "$@" -callees . prog "$file"
    "$MLPROF" "$@" -list . -call-graph graph -flame flame prog "$file"
    cat graph flame
    "$MLPROF" "$@" -mlmon /dev/null -call-graph graph prog 2>/dev/null
    cat graph
}

# exact FUNCTION: the same samples, read with the tables of a program that excludes it.
exact() {
    # shellcheck disable=SC2086
    build part $OPTIONS "$RULE=^$1\$"
    objcopy -O binary --only-section=.text part/prog part.text
    cmp part.text whole.text
    (cd part && views ../whole/mlmon.out) >want
    (cd whole && views mlmon.out -unprofile "$1  ") >got
    same got want
    if cmp -s got all; then
        fail "-unprofile $1 changes nothing"
    fi
    hasnot got "^$1 \|  $1\$\|  $1  "
    answers whole/prog >all.where
    answers part/prog >want
    sed 's/:.*//' all.where | "$MLPROF" -where -unprofile "$1  " whole/prog >got
    same got want
}

for OPTIONS in -O2 '-O0 -g' '-O3 -flto'; do
    echo "$OPTIONS"
    # shellcheck disable=SC2086
    build whole $OPTIONS
    objcopy -O binary --only-section=.text whole/prog whole.text
    (cd whole && CCPROF=rate=1000 ./prog 1500) >/dev/null
    (cd whole && views mlmon.out) >all
    for name in $FUNCTIONS; do
        exact "$name"
    done
done

# Samples of their own, RUNS runs of each. The share of a row differs from run to run by what is
# seen there, and at least as chance makes it: sqrt(p * (1 - p) / n) with n samples. Two means
# differ by 4.5 times what follows from that at most; a tenth of a point is for
# rounding. If they differ by more, more runs of both decide.
RUNS=4
RATE=2000

# agree ONE OTHER: whether the tables ONE.1 ... and OTHER.1 ... do
agree() {
    awk -v RATE=$RATE -v RUNS=$RUNS 'function row(name, number, percent) {
            seen[name]; sum[side, name, number] += percent / 100; square[side, name, number] += (percent / 100) ^ 2
        }
        FNR == 1 { side = FILENAME ~ /^'"$1"'[.]/ ? 1 : 2; n[side] += $1 * RATE }
        FNR > 1 {
            stack = $NF
            cur = $(NF - 1)
            sub(/ [^ ]* [^ ]*$/, "")
            row($0, 1, cur)
            row($0, 2, stack)
        }
        function mean(side) { return sum[side, name, number] / RUNS }
        function variance(side, p) {
            seen_there = (square[side, name, number] - RUNS * mean(side) ^ 2) / (RUNS - 1)
            chance = p * (1 - p) / (n[side] / RUNS)
            return seen_there > chance ? seen_there : chance
        }
        END {
            for (name in seen)
                for (number = 1; number <= 2; number++) {
                    p = (mean(1) + mean(2)) / 2
                    far = 4.5 * sqrt((variance(1, p) + variance(2, p)) / RUNS) + 0.001
                    off = mean(1) - mean(2)
                    if (off > far || off < -far) {
                        print name ": " 100 * mean(1) " and " 100 * mean(2) ", more than " 100 * far " apart"
                        bad = 1
                    }
                }
            exit bad
        }' "$1".[1-9] "$2".[1-9]
}

# runs FOLDER: its data files.
runs() {
    for i in $(seq $RUNS); do
        (cd "$1" && CCPROF=rate=$RATE,output=mlmon.$i ./prog 1000) >/dev/null
    done
}

# tables FOLDER NAME OPTIONS...: of each run the line of its total, and its rows.
tables() {
    folder=$1
    name_of_tables=$2
    shift 2
    for i in $(seq $RUNS); do
        "$MLPROF" "$@" "$folder/prog" "$folder/mlmon.$i" >table
        { sed 1q table && table_rows cur stack <table; } >"$name_of_tables.$i"
    done
}

build whole -O2
runs whole
tables whole all
for name in $FUNCTIONS; do
    build part -O2 "$RULE=^$name\$"
    both() {
        runs part
        tables part want
        tables whole got -unprofile "$name  "
        agree got want
    }
    both_again() {
        runs whole
        both
    }
    both || decided_after both_again || fail "$name is not as if it had been excluded"
    # That it can fail.
    if [ "$name" = apart ] && agree all want >/dev/null; then
        fail "whether $name is excluded makes no difference"
    fi
done

# Counts are equal; with time beside them too, of which there is so little that none is sampled.
export CCPROF=rate=1
counts() {
    "$MLPROF" "$@" prog mlmon.out >table
    { sed -n '1s/ ticks$//p' table && table_rows calls <table; } | sort
}
for profile in count time,count; do
    build whole -O2 -fplugin-arg-ccprof-profile=$profile
    (cd whole && ./prog 10 >/dev/null && counts) >all
    for name in apart 'inlined|compare' main; do
        build part -O2 -fplugin-arg-ccprof-profile=$profile "$RULE=^($name)\$"
        (cd part && ./prog 10 >/dev/null && counts) >want
        (cd whole && counts -unprofile "($name)  ") >got
        same got want
        [ "$(wc -l <got)" -gt 4 ] || fail "not all functions have counts: $(cat got)"
        if cmp -s all got; then
            fail "-unprofile $name changes nothing"
        fi
    done
done

# Allocations: of an inlined function they are its caller's; of others no caller is known, and
# while excluded functions do not count them, here they are <unprofiled>.
cat >alloc.c <<'END'
#include <stdlib.h>
void *volatile place;
static inline __attribute__((always_inline)) void in(unsigned n) { place = malloc(n); free(place); }
__attribute__((noipa)) void apart(unsigned n) { place = malloc(2 * n); free(place); in(3); }
__attribute__((noipa)) void caller(unsigned n)
{
    in(n);
    apart(n);
    place = calloc(1, 7);
    free(place);
}
int main(void)
{
    for (int i = 0; i < 10; i++)
        caller(100);
}
END
allocated() {
    "$MLPROF" "$@" | table_rows bytes blocks | sed '/^<unprofiled> /d'
}
pcc -O2 -fplugin-arg-ccprof-profile=alloc alloc.c -o alloc
./alloc
allocated alloc mlmon.out >all
for name in in apart caller 'in|apart'; do
    pcc -O2 -fplugin-arg-ccprof-profile=alloc "$RULE=^($name)\$" alloc.c -o alloc-part
    CCPROF=output=part.out ./alloc-part
    allocated alloc-part part.out >want
    allocated -unprofile "($name)  " alloc mlmon.out >got
    same got want
    if cmp -s all got; then
        fail "-unprofile $name changes nothing"
    fi
done
printf '%s\n' 'apart 2030 20' 'caller 1070 20' >want
allocated -unprofile 'in  ' alloc mlmon.out >got
same got want

unset CCPROF

# A header: its inlined functions vanish, what they cost is their caller's, the rest stays.
mkdir -p headers/whole headers/part
cat >headers/heavy.h <<'END'
static inline unsigned heavy(unsigned x)
{
    for (unsigned i = 0; i < 300; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}
END
cat >headers/use.c <<'END'
#include "heavy.h"
__attribute__((noipa)) unsigned use(unsigned x)
{
    for (unsigned i = 0; i < 200; i++)
        x = (x ^ x >> 13) * 0x3ade68b;
    return heavy(x);
}
int main(void)
{
    unsigned x = 1;
    for (unsigned i = 0; i < 300000; i++)
        x = use(x);
    return x == 3;
}
END
cd headers || fail "no folder"
pcc -O2 -Wl,--build-id=none use.c -o whole/prog
pcc -O2 -Wl,--build-id=none -fplugin-arg-ccprof-exclude='heavy[.]h$' use.c -o part/prog
(cd whole && CCPROF=rate=1000 ./prog)
(cd whole && "$MLPROF" -raw true prog mlmon.out) >all
(cd whole && "$MLPROF" -raw true -unprofile '.*heavy[.]h' prog mlmon.out) >got
(cd part && "$MLPROF" -raw true prog ../whole/mlmon.out) >want
same got want
hasnot got '  heavy$'
[ "$(sed 1q got)" = "$(sed 1q all)" ] || fail "not so many samples: $(cat all got)"
awk -v heavy="$(table_cell heavy cur <all)" -v use="$(table_cell use cur <all)" \
    -v got="$(table_cell use cur <got)" 'BEGIN {
        off = got - heavy - use
        exit !(heavy > 20 && use > 5 && off < 0.11 && off > -0.11)
    }' || fail "the caller has not what the header cost: $(cat all got)"
cd ..

# Nobody means no function.
cd whole || fail "no folder"
run 1 "$MLPROF" -unprofile nobody prog mlmon.out
has err '^mlprof: -unprofile nobody: no function of the program matches$'
run 1 "$MLPROF" -where -unprofile nobody prog 0
run 1 "$MLPROF" -unprofile '(' prog mlmon.out
has err "^mlprof: option -unprofile takes a regular expression, not: ("
CCPROF=rate=1000 ./prog 500 >/dev/null
run 0 "$MLPROF" -unprofile . prog mlmon.out
has out '^100.0%  .*  <unprofiled>$'
