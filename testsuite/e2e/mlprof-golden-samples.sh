#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The views of sampled programs in C, C++ and Fortran, to the last character: in a file, and on
# terminals of 80 and 120 columns.  The samples are not taken but written by hand
# (testsuite/golden/NAME.samples); what they are of is asked of the tables, and shares and
# intervals are computed from them by an awk program besides.

. "$SRC/testsuite/golden.sh"
need objdump

# samples NAME FILE SAMPLES AFTER STACKS: the data file of a run of ./NAME, with these samples in
# place of those that it has taken, of which 2 are lost.
samples() {
    objdump -d --no-show-raw-insn "$1" >"$1.code"
    sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' "$1.code" | "$MLPROF" -where "$1" | sed '/: ?$/d' >"$1.where"
    awk -v after="$4" -v stacks="$5" -f "$SRC/testsuite/golden/points.awk" "$1.code" "$1.where" \
        "$3" >points
    rm -f mlmon.out
    "./$1"
    awk -v lost=2 '
        FNR == 1 { file++ }
        file == 1 { points = points $0 "\n"; count++; total += $4; next }
        $1 == "engine" { $2 = "task-clock" }
        $1 == "rate" { $2 = 1000 }
        $1 == "cpu" { $2 = (total + lost) * 1000000 + 4000000 }
        $1 == "wall" { $2 = (total + lost) * 1000000 + 9000000 }
        $1 == "threads" { $2 = 1 }
        $1 == "waits" { $2 = 0 }
        $1 == "samples" { $2 = total + lost }
        $1 == "lost" { $2 = lost }
        ($1 == "module" && $2 > 0) || $1 == "own" { next }
        /^0 0x/ && !counters { next }
        $1 == "counters" { counters = 1 }
        $1 == "counts" { print $1, count; printf "%s", points; next }
        { print }' points mlmon.out >"$2"
}

# shares NAME FILE STACKS: what the tables have of each function, and of each line, is what the
# samples say.
shares() {
    awk -v lost=2 -f "$SRC/testsuite/golden/shares.awk" "$3" | sort >want
    "$MLPROF" -names plain -balance false "$1" "$2" | numbers | sort >got
    same got want
    awk -v lost=2 -v lines=1 -f "$SRC/testsuite/golden/shares.awk" "$3" | sort >want
    "$MLPROF" -by line -names plain -balance false "$1" "$2" | numbers |
        sed 's/^\([^ ]* [^ ]* [^ ]* \).*  \([^ ]*: [0-9]*\)$/\1\2/' | sort >got
    same got want
}

# numbers: those of a table, without marks, with one blank between them and before the name.
numbers() {
    sed -n 's/^ *~\{0,1\}\([0-9.]*%\) *\([^ ]*\) *\([^ ]*\) */\1 \2 \3 /p'
}

# views NAME COMPILER SOURCE FLAG CALLERS LIST: all of them of a program, those that go by patterns
# with these; then with calls, lines and loops counted besides.
views() {
    name=$1 written=$SRC/testsuite/golden/$1.samples
    cp "$SRC/testsuite/golden/$3" .
    "$2" "$4" "$3" -o "$name"
    samples "$name" before "$written" 0 stacks
    shares "$name" before stacks
    samples "$name" after "$written" 1 stacks
    shares "$name" after stacks
    golden "$name-samples" "$name" before '-show-line true' '-raw true -sort stack -balance false' \
        '-by copy -balance false' '-by line -top 6 -balance false' \
        '-by expression -top 4 -balance false' "-callers:$5" "-peek:$5" "-list:$6" "-sort name -callees:$5" '-compare after' \
        '-compare after -sort change' '-compare after -sort name'
    "$2" "$4" -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks "$3" -o "$name"
    samples "$name" before "$written" 0 stacks
    golden "$name-counts" "$name" before '-show-line true' '-raw true -sort calls -balance false' \
        '-sort percall -balance false' '-by line -top 6 -balance false' '-by loop -balance false' \
        "-list:$6" -prof
}

views c pcc c.c -O1 'sort_by_insertion' 'sort_by_insertion'
views cxx pcxx cxx.cc -Og 'containers::ordered_collection<.*insert_in_order' 'fill'
have "$FC" Fortran && views fortran pfc fortran.f90 -Og 'triangular_numbers.sum_of_triangle' \
    'triangular_numbers.sum_of_triangle'
exit 0
