#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A lambda that is made a pointer is one function with its entry, `mutable' or not, in counts as
# in the frames of time: it neither counts twice nor stands on itself.
. "$SRC/testsuite/lib.sh"
need python3
cp "$SRC/testsuite/names/pointers.cc" .

# symbols PROGRAM: the symbols of the lambdas, each with how often it is told.
symbols() {
    python3 "$SRC/testsuite/names/units.py" "$1" |
        sed -n 's/^source main.lambda[^ ]* | \([^ ]*\) .*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }'
}

"$CXX" -O0 -c pointers.cc
nm pointers.o | sed -n '/4_FUN/d; /_cvPF/d; s/.* \(_ZZ4mainEN.*cl.*\)/\1 2/p' | sort >operators
[ "$(wc -l <operators)" -eq 4 ]

for options in -O0 -O2 '-O2 -fPIC' '-O3 -g' '-O0 -flto' '-O2 -flto'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcxx $options -fplugin-arg-ccprof-profile=count pointers.cc -o prog
    ./prog | sort -n >want
    run 0 table_of prog mlmon.out
    table_rows calls <out | sed -n 's/^main\.lambda\(<int>\)\{0,1\} \(.* \)\{0,1\}\([0-9]*\)$/\3/p' | sort -n >got
    same got want
    # What the compiler makes beside the operators is an entry, and has their symbols.
    # shellcheck disable=SC2086
    pcxx $options -fno-inline pointers.cc -o prog
    symbols prog >got
    cp operators want
    case $options in
    # There the one with a template's parameters has a row of its own.
    *-flto*) sed -i '/DaS_/d; /4_FUN.*DT/d' got want ;;
    esac
    same got want
done

# Stacks: between qsort and the lambda there is no other frame.
cat >sorts.cc <<'END'
#include <cstdlib>
static unsigned keys[200000];
int main()
{
    for (int round = 0; round < 20; round++) {
        unsigned x = 1;
        for (unsigned &key : keys)
            key = x = x * 1664525 + 1013904223;
        std::qsort(keys, 200000, sizeof *keys, [](const void *a, const void *b) mutable {
            unsigned one = *(const unsigned *)a, two = *(const unsigned *)b;
            return (one > two) - (one < two);
        });
    }
}
END
pcxx -O1 -fno-inline sorts.cc -o sorts
CCPROF=stack=yes,rate=500 ./sorts
run 0 "$MLPROF" -balance false -callers main.lambda sorts mlmon.out
has out '%  main$'
hasnot out '%  main\.lambda'
