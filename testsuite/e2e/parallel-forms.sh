#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenMP: the rows of mlprof -parallel of other forms: loops that GCC makes threads of, Fortran's do
# concurrent, a task run where it stands, teams that grow, functions that end with a jump; libgomp linked
# to the program; what it says where the data do not tell enough.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
FILES=$SRC/testsuite/parallel
echo '#include <omp.h>
int main(void) { return omp_get_max_threads() < 1; }' >works.c
"$CC" -fopenmp works.c -o works 2>/dev/null || skip "$CC has no OpenMP"
export OMP_WAIT_POLICY=passive

# shown SETTINGS: ./prog runs, and its table is in `out' and table.csv.
shown() {
    CCPROF=rate=1000,$1 ./prog >output
    run 0 "$MLPROF" -parallel -csv table.crlf ./prog mlmon.out
    tr -d '\r' <table.crlf >table.csv
    run 0 "$MLPROF" -parallel ./prog mlmon.out
}

# lost NAME: what part of the longest thread's work in percent; nothing if that is not told.
lost() {
    awk -F, -v name="$1" '$1 == name && $12 != "" { print 100 * $12 / $11; exit }' table.csv
}

# own NAME COLUMN: what the program itself says.
own() {
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' output
}

# loses NAME: whether what it loses in percent is within 5 points what the program says.
loses() {
    lies "$(own "$1" 3 | awk '{ print 100 * $1 - 5 }')" "$(lost "$1.omp")" "$(own "$1" 3 | awk '{ print 100 * $1 + 5 }')" \
        "what $1 loses"
}

# cell NAME COLUMN: of the row of a construct.
cell() {
    awk -F, -v name="$1" -v column="$2" '$1 == name { print $column; exit }' table.csv
}

# with_frames: what the run itself says of its constructs.
with_frames() {
    shown threads=yes
    # What is not known has no work: brief constructs, of which nothing was sampled.
    lies 0 "$(cell '<unknown construct>' 5 | grep . || echo 0)" 2e7 'what is not known' || return
    # Of two constructs that one function begins by turns one has all the work.
    awk -F, '$1 == "turns.omp" { all += $5; if ($2 !~ / 79$/) other += $5 }
        END { exit !(all > 0 && other < 0.05 * all) }' table.csv || return
    # 10 and 5 units, of two threads: a quarter is lost, less where both at once are slower; 6 of a task beside 15.
    loses only && loses last || return
    ratio=$(awk "BEGIN { print $(cell at_once.omp 5) / $(cell only.omp 5) / ($(own at_once 2) / $(own only 2)) }")
    lies 0.75 "$ratio" 1.25 'at_once, of only'
}

echo 'Constructs with all their frames'
pcc -O2 -fno-optimize-sibling-calls -fopenmp -ftree-parallelize-loops=2 "$FILES/forms.c" -o prog
decided with_frames || fail "$(cat table.csv)"
has out '  only\.omp  .*forms\.c: 48$'
has out '  last\.omp  .*forms\.c: 55$'
has out '  other\.omp  .*forms\.c: 61$'
has out '  at_once\.omp  .*forms\.c: 68$'
has out '  spread\.omp  .*forms\.c: 9[0-9]$'
has out '  turns\.omp  .*forms\.c: 79$'
[ "$(cell at_once.omp 3),$(cell other.omp 3),$(cell spread.omp 3)" = task,parallel,parallel ] ||
    fail "$(cat table.csv)"
# Teams of two, four and two: of four, two are new each time.
shown clock=wall,threads=yes
[ "$(cell other.omp 8)" -gt 4 ] || fail "other has $(cell other.omp 8) threads"
[ -z "$(cell other.omp 9)" ] || fail "the threads of other come and go, and have $(cell other.omp 9)"
has out '^least, mean and most are not told'

echo 'Functions that end with a jump'
pcc -O2 -fopenmp "$FILES/forms.c" -o prog
# 16 of the 58 units are in last and other, in threads that libgomp has made.
with_jumps() {
    shown threads=yes
    # One may have jumped to alone, several to burn.
    loses only &&
        lies 15 "$(awk -F, 'NR > 1 { sum += $4 } $3 == "unknown" { unknown = $4 }
            END { print 100 * unknown / sum }' table.csv)" 50 'what is unknown'
}
decide with_jumps
has out ' <unknown construct>$'
has out '^<unknown construct>: '
has out ' last\.omp '
[ -z "$(cell last.omp 9)" ] || fail "last has $(cell last.omp 9)"

echo 'libgomp linked to the program'
if "$CC" -fopenmp works.c -l:libgomp.a -o works 2>/dev/null; then
    pcc -O2 -fno-optimize-sibling-calls -fopenmp "$FILES/forms.c" -l:libgomp.a -ldl -o prog
    shown clock=wall,threads=yes
    has out '  only\.omp  .*forms\.c: 48$'
    has out ' <idle>$'
else
    leave_out 'libgomp.a: there is none'
fi

echo 'Data that do not tell'
run 0 env CCPROF=rate=1000 ./prog
run 1 "$MLPROF" -parallel ./prog mlmon.out
[ ! -s out ] || fail "it prints: $(cat out)"
has err '^mlprof: -parallel: samples are not told apart by thread: run the program with CCPROF=clock=wall,threads=yes$'
run 0 env CCPROF=rate=1000,threads=yes,stack=no ./prog
run 1 "$MLPROF" -parallel ./prog mlmon.out
has err '^mlprof: -parallel: the data have no stacks'
run 1 "$MLPROF" -parallel -by line ./prog mlmon.out
has err '^mlprof: option -by has no effect with -parallel$'
echo 'volatile int n; int main(void) { while (n < 200000000) n++; }' >serial.c
pcc -O1 serial.c -o serial
run 0 env CCPROF=threads=yes ./serial
run 1 "$MLPROF" -parallel ./serial mlmon.out
has err '^mlprof: -parallel: no sample was in a construct of OpenMP$'
pcc -O1 -fplugin-arg-ccprof-profile=count serial.c -o serial
run 0 ./serial
run 1 "$MLPROF" -parallel ./serial mlmon.out
has err '^mlprof: -parallel: no time was measured'

if command -v "$FC" >/dev/null; then
    echo 'do concurrent'
    pfc -O2 -fno-inline -fopenmp -ftree-parallelize-loops=2 "$FILES/measured.f90" -o prog
    CCPROF=rate=1000,threads=yes ./prog spread >output
    run 0 "$MLPROF" -parallel ./prog mlmon.out
    has out '  own\.spread\.omp  .*measured\.f90: 6[0-9]$'
fi
