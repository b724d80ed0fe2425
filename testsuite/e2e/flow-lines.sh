#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Blocks in mlprof: -list with how often lines were executed, -branch with a row for each outcome,
# zeros, at every level of optimisation. The numbers were counted by hand.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"

cp "$SRC/testsuite/flow/ways.c" .

# LINE COUNT of the source's lines whose count does not depend on what a line is.
cat >lines <<'END'
7 1
9 1
11 41
12 40
13 14
15 26
16 40
18 5
22 10
25 5
26 2
29 20
32 1
40 7
45 3
48 7
53 0
54 0
55 0
62 10
63 4
64 6
69 1
71 5
73 4
75 4
77 1
86 8
87 7
90 0
94 0
END
# Ways by name and line.
cat >ways <<'END'
jumps.<case false>  ways.c: 64 6
jumps.<case true>  ways.c: 63 4
lands.<case false>  ways.c: 75 4
lands.<case true>  ways.c: 72 4
lands.<case true>  ways.c: 73 4
macro.<case true>  ways.c: 48 3
main.<case false>  ways.c: 89 1
main.<case false>  ways.c: 94 0
main.<case true>  ways.c: 87 7
main.<case true>  ways.c: 90 0
many.<case 1>  ways.c: 17 5
many.<case 2..3>  ways.c: 20 10
many.<case 7>  ways.c: 24 5
many.<case default>  ways.c: 28 20
many.<case false>  ways.c: 15 26
many.<case true>  ways.c: 12 40
many.<case true>  ways.c: 13 14
never.<case false>  ways.c: 55 0
never.<case true>  ways.c: 54 0
END
sort ways -o ways

for level in -O0 -O1 -O2 -O3 -Os "-O2 -flto"; do
    # shellcheck disable=SC2086
    pcc $level $BLOCKS ways.c -o a
    ./a >/dev/null
    "$MLPROF" -list . a mlmon.out | awk '$2 ~ /^[0-9]+$/ && $1 != "." { print $2, $1 }' >listed
    while read -r line; do
        has listed "^$line\$"
    done <lines
    table_of -show-line true -branch true a mlmon.out | table_rows calls | sort >rows
    comm -23 ways rows >missing
    [ ! -s missing ] || {
        cat missing rows >&2
        fail "$level: other ways than expected"
    }
done

# Two runs, and a table that asks for less.
mv mlmon.out one
./a >/dev/null
"$MLPROF" -list many a one mlmon.out >both
has both '^           82    11 '
"$MLPROF" a one mlmon.out >table
has table '^44 ticks$'
hasnot table 'case'

# Of a function that is taken out there are no ways.
"$MLPROF" -branch true -unprofile '^many' a one >out
hasnot out '  many'
has out '  jumps.<case true>$'

# Without a data file nothing was counted, so nothing is told of them.
mkdir no-data
cd no-data
run 1 "$MLPROF" -branch true ../a
same out /dev/null
cd ..

# Those that are asked for when the program is compiled are always there.
pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-branch ways.c -o a
./a >/dev/null
"$MLPROF" a mlmon.out >out
has out '  jumps.<case true>$'
