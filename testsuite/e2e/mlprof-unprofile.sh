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
    for style in '' '-raw true -show-line true' '-sort stack' '-show-extern true'; do
        # shellcheck disable=SC2086
        "$MLPROF" $style "$@" prog "$file"
    done
    "$MLPROF" "$@" -callers . prog "$file"
    "$MLPROF" "$@" -callees . prog "$file"
    "$MLPROF" "$@" -list . -call-graph graph -flame flame prog "$file"
    cat graph flame
    "$MLPROF" "$@" -call-graph graph prog 2>/dev/null
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
    hasnot got "^$1 "
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

# Samples of their own. Of n samples a row of p has p give or take sqrt(p * (1 - p) / n), and
# two such rows differ by chance by 4.5 times what that makes for both in one of 100,000
# cases; a tenth of a point is for rounding.
agree() {
    awk -v RATE=$RATE 'function row(name, number) { seen[name]; share[FILENAME, number, name] += $1 }
        FNR == 1 { n[FILENAME] = $1 * RATE }
        FNR > 3 && match($0, / +[0-9.]+% +\(/) {
            name = substr($0, 1, RSTART - 1)
            $0 = substr($0, RSTART)
            row(name, 1)
            $0 = $3
            row(name, 2)
        }
        END {
            for (name in seen)
                for (number = 1; number <= 2; number++) {
                    a = share[ARGV[1], number, name] / 100
                    b = share[ARGV[2], number, name] / 100
                    p = (a + b) / 2
                    far = 4.5 * sqrt(p * (1 - p) * (1 / n[ARGV[1]] + 1 / n[ARGV[2]])) + 0.001
                    if (a - b > far || b - a > far) {
                        print name ": " 100 * a " and " 100 * b ", more than " 100 * far " apart"
                        bad = 1
                    }
                }
            exit bad
        }' "$1" "$2"
}

# table FOLDER OPTIONS...
table() {
    folder=$1
    shift
    (cd "$folder" && "$MLPROF" -raw true "$@" prog mlmon.out)
}

RATE=5000
build whole -O2
(cd whole && CCPROF=rate=$RATE ./prog 2000) >/dev/null
table whole >all
for name in $FUNCTIONS; do
    build part -O2 "$RULE=^$name\$"
    (cd part && CCPROF=rate=$RATE ./prog 2000) >/dev/null
    table part >want
    table whole -unprofile "$name  " >got
    agree got want
    # That it can fail.
    if agree all want >/dev/null; then
        fail "whether $name is excluded makes no difference"
    fi
done

# Counts are equal; with time beside them too.
counts() {
    "$MLPROF" "$@" prog mlmon.out | awk 'NR == 1 && / ticks/ || NR > 3 && $4 ~ /%$/ { print $1, $5 }
        NR > 3 && NF == 2 && $2 ~ /%$/' | sort
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

# Nobody means no function.
cd whole || fail "no folder"
run 1 "$MLPROF" -unprofile nobody prog mlmon.out
has err '^mlprof: -unprofile nobody: no function of the program matches$'
run 1 "$MLPROF" -where -unprofile nobody prog 0
run 1 "$MLPROF" -unprofile '(' prog mlmon.out
has err "^mlprof: option -unprofile takes a regular expression, not: ("
CCPROF=rate=1000 ./prog 500 >/dev/null
run 0 "$MLPROF" -unprofile . prog mlmon.out
has out '^<unprofiled> 100.0%'
