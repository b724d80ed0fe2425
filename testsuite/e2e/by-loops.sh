#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table by loops, of programs in C, C++ and Fortran: iterations are what gcov counts of the
# first line of the body, whatever the optimisers made of the loop, and an instruction is in the
# loop whose lines it is of.

. "$SRC/testsuite/mlprof.sh"
. "$SRC/testsuite/flow/flow.sh"
need objdump

cp "$SRC"/testsuite/by/loops.c "$SRC"/testsuite/by/loops.cc "$SRC"/testsuite/by/loops.f90 .

# rows PROGRAM DATA: of each loop its lines and how often it went round.
rows() {
    run 0 mlprof_short -by loop "$@"
    table_rows iterations <out | sed -n 's/^.* \([^ ]*: [0-9:-]*\(, inner\)\{0,1\}\) \([^ ]*\)$/\1|\3/p' >got
}

# wants ROW...
wants() {
    for want; do
        grep -qxF "$want" got || fail "not: $want; $(cat out)"
    done
}

# lines_of COMPILER FILE: of each line how often gcov says that it was executed, `LINE COUNT'.
lines_of() {
    "$1" -O0 --coverage "$2" -o covered
    ./covered >/dev/null
    "$(gcov_tool)" -t ./*.gcda 2>/dev/null |
        awk -F: -v file="$2" '$3 == "Source" { on = $4 == file; next } on && !seen[$2 + 0]++ {
            gsub(/[ *]/, "", $1); if ($1 ~ /^[0-9]+$/) print $2 + 0, $1 }' >covered.lines
    rm -f ./*.gcda ./*.gcno
}

# as_gcov FILE LOOP BODY...: the loop has as many iterations as the line BODY was executed.
as_gcov() {
    file=$1
    shift
    while [ $# -gt 0 ]; do
        count=$(sed -n "s/^$2 //p" covered.lines)
        [ "$count" ] || fail "gcov does not tell of line $2 of $file: $(cat covered.lines)"
        wants "$file: $1|$count"
        shift 2
    done
}

# The loops of the file, and where their bodies begin.
loops_of() {
    case $1 in
    loops.c) as_gcov "$1" 15-17 16 25-34 26 27-29 28 42-43 43 45-47 45 59-65 60 68-69 68 81-84 82 ;;
    loops.cc)
        as_gcov "$1" 12-13 13 37-38 38 47-48 48 53-54 54
        # gcov of GCC 14 says 20, and that of 16 also 2000: the end of what begins on the first line
        # of the body is counted there, too.
        wants 'loops.cc: 49-50|10' 'loops.cc: 20-29|1000' ;;
    loops.f90) as_gcov "$1" 23-25 24 ;;
    esac
}

# counted COMPILER FILE OPTION...: ./prog and its profile, `counted'.
counted() {
    compiler=$1 file=$2
    shift 2
    "$compiler" -fplugin="$PLUGIN" -fplugin-arg-ccprof-blocks -Wl,--build-id=sha1 "$@" "$file" -o prog
    CCPROF=output=counted ./prog >/dev/null
}

# check COMPILER FILE OPTION...: what is counted; and which instructions are in which loop.
check() {
    counted "$@" -fplugin-arg-ccprof-profile=time,count
    rows prog counted
    loops_of "$2"
    objdump -d --no-show-raw-insn -j .text prog |
        awk '/^ +[0-9a-f]+:/ { sub(/:.*/, ""); print "0x" $1 }' >all
    "$MLPROF" -where prog <all | grep -v ': ?$' >where
    set --
    while read -r address _; do
        set -- "$@" "0 0 ${address%:} 1"
    done <where
    data data "$#" 0 "$PWD/prog" -- "$@"
    run 0 mlprof_short -skid false -raw true -names plain -by loop prog data
    same err /dev/null
    table_rows seconds <out >rows
    awk -f "$SRC/testsuite/by/loops.awk" rows where >loops || fail "$(cat loops)"
}

lines_of "$CC" loops.c
check "$CC" loops.c -O2
# Loops on the same lines are told apart by their columns.
wants 'loops.c: 88:23-88:65|3' 'loops.c: 88:51-88:65|12'
check "$CC" loops.c -O3 -fPIC -g
# Without time.
counted "$CC" loops.c -O2 -fplugin-arg-ccprof-profile=count
rows prog counted
loops_of loops.c
sum=$(awk -F '|' '{ sum += $2 } END { print sum }' got)
[ "$(sed -n '1s/,//g; 1s/ .*//p' out)" = "$sum" ] || fail "the loops are not all: $(cat out)"
# With stores in place of labels, and beside allocations: those of the list are a loop's.
counted "$CC" loops.c -O2 -fplugin-arg-ccprof-profile=time-field,count
rows prog counted
loops_of loops.c
# The field tells no lines, so that nobody knows what a loop or a line costs; no sample is said to
# be in no loop that is of a function with loops.
CCPROF=rate=1000,output=longer ./prog 10000000 >/dev/null
for by in loop line expression; do
    run 0 mlprof_short -by $by prog longer
    has out ' per '
    hasnot out '[0-9][mun]?s '
done
run 0 mlprof_short -by loop prog longer
has out '  <unknown>$'
hasnot out '  <no loop>'
counted "$CC" loops.c -O2 -fplugin-arg-ccprof-profile=alloc,count
run 0 mlprof_short -by loop prog counted
has out '^ *cur  bytes  blocks  iterations  loop$'
has out '^ *100\.0%  1,600  *100  *100  main  loops\.c: 81-84$'
# Of stacks that are selected the rest is told, without iterations.
run 0 mlprof_short -by loop -focus main prog counted
has out '^ *cur  bytes  blocks  loop$'
has out '^ *100\.0%  1,600  *100  main  loops\.c: 81-84$'

lines_of "$CXX" loops.cc
check "$CXX" loops.cc -O2
wants 'loops.cc: 36-38|10'
counted "$CXX" loops.cc -O3 -flto -fPIC -fplugin-arg-ccprof-profile=time,count
rows prog counted
loops_of loops.cc
if have "$FC" 'Fortran'; then
    lines_of "$FC" loops.f90
    check "$FC" loops.f90 -O2
    # The compiler's own, of whole arrays, begin and end alike.
    wants 'loops.f90: 10-12|540' 'loops.f90: 11-12|9720' 'loops.f90: 36-38|30' 'loops.f90: 9|600' 'loops.f90: 9, inner|12000'
    check "$FC" loops.f90 -O3 -flto
fi

# Without blocks nobody knows of loops.
pcc -O2 -fplugin-arg-ccprof-profile=time,count loops.c -o calls
CCPROF=output=counted ./calls >/dev/null
run 1 mlprof_short -by loop calls counted
has err '^mlprof: -by loop: .* -fplugin-arg-ccprof-blocks$'
