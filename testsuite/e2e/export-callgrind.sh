#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The callgrind format: a file that was written by hand, and what callgrind_annotate makes of a
# program's: samples, inclusive ones and calls are those of the folded stacks, counts exact.

. "$SRC/testsuite/mlprof.sh"
need readelf

echo 'Stacks made by hand.'
# main is below itself and below sq: a sample is of the call open in the innermost activation.
recursive
cat >want <<END
# callgrind format
version: 1
creator: VERSION
cmd: prog
desc: Inclusive: samples alone
desc: Calls: counted where blocks or targets are, else samples that show them
positions: line
event: Samples : Samples
event: ns = 10000000 Samples : Nanoseconds of CPU time
events: Samples

ob=(1) $PWD/prog
fl=(2) prog.c
fn=(3) sq
3 55
cob=(1)
cfi=(2)
cfn=(4) main
calls=28 7
3 28

ob=(1)
fl=(2)
fn=(4)
9 41
cob=(1)
cfi=(2)
cfn=(3)
calls=83 3
9 55
cob=(1)
cfi=(2)
cfn=(4)
calls=83 7
9 0

ob=(5) ???
fl=(6) ???
fn=(7) <lost>
0 2

ob=(8) $PWD/lib
fl=(6)
fn=(9) <unprofiled>
0 2

ob=(5)
fl=(6)
fn=(10) <deep>
0 0
cob=(1)
cfi=(2)
cfn=(4)
calls=3 7
0 3

ob=(5)
fl=(6)
fn=(11) <outside>
cob=(1)
cfi=(2)
cfn=(4)
calls=93 7
0 93
cob=(5)
cfi=(6)
cfn=(7)
calls=2 0
0 2
cob=(8)
cfi=(6)
cfn=(9)
calls=2 0
0 2
cob=(5)
cfi=(6)
cfn=(10)
calls=3 0
0 3

totals: 100
END
run 0 "$MLPROF" -callgrind got prog one
sed 's/^creator: ccprof .*/creator: VERSION/' got >out
same out want
STACK=no

echo 'Names.'
example odd '(1) a::operator\"' 'new\nline\377'
data odd.out 3 0 "$PWD/odd" -- "0 0 $(at odd 0) 1" "0 0 $(at odd 4) 2"
run 0 "$MLPROF" -callgrind - odd odd.out
has out '^fn=(.*) (1) a::operator"$'
has out '^fn=(.*) new\\x0aline'

echo 'Nothing was measured.'
run 0 "$MLPROF" -callgrind - prog
has out '^totals: 0$'
hasnot out '^fn='

have callgrind_annotate 'callgrind_annotate' || exit 0
have python3 'comparison' || exit 0
have "$CXX" 'C++' || exit 0

# annotate FILE OPTION...: of samples.
annotate() {
    callgrind_annotate --threshold=100 --auto=no --show=Samples --sort=Samples "$@" 2>&1
}

# equal PROGRAM DATA: callgrind_annotate says what the folded stacks say.
equal() {
    run 0 "$MLPROF" -callgrind calls -folded folded "$1" "$2"
    run 0 "$MLPROF" -callgrind - "$1" "$2"
    same out calls
    annotate calls >self
    annotate --inclusive=yes calls >inclusive
    annotate --inclusive=yes --tree=calling calls >tree
    hasnot self 'WARNING'
    python3 "$SRC/testsuite/export/callgrind-equal.py" folded self inclusive tree ||
        fail 'callgrind_annotate tells something else'
}

# line PATTERN: the number of the line of templates.cc.
line() {
    grep -n "$1" "$SRC/testsuite/export/templates.cc" | cut -d : -f 1
}

echo 'C++ with templates: stacks, calls, lines, allocations.'
pcxx -O2 -fplugin-arg-ccprof-profile=time,count,alloc -fplugin-arg-ccprof-blocks \
    "$SRC/testsuite/export/templates.cc" -o templates
CCPROF=rate=1000 ./templates >printed
equal templates mlmon.out
has calls '^events: Samples Calls Executions Bytes Allocations$'
# fib(30) is called 2 F(31) - 1 times, once by main.
callgrind_annotate --threshold=100 --auto=no --tree=both --show=Calls --sort=Calls calls >tree
has tree ' < .*templates.cc:main (1x)'
has tree ' < .*templates.cc:fib (2,692,536x)'
has tree '^ *2,692,537 (.*) *\* .*templates.cc:fib'
# A loop of 20 times 200,000: its line, and its jump.
body=$(line v.push_back)
grep -q "^$body 0 0 4000000 0 0$" calls || grep -q "^$body [1-9][0-9]* 0 4000000 0 0$" calls ||
    fail "line $body was not executed 4,000,000 times"
has calls "^jcnd=4000000/4000020 $body$"

echo 'Calls by pointers, whose numbers stand in c.c and pointers.c.'
count=-fplugin-arg-ccprof-profile=count blocks=-fplugin-arg-ccprof-blocks targets=-fplugin-arg-ccprof-targets
# arrows FILE OPTION...: of the program `CALLER CALLEE NUMBER' of each that callgrind_annotate prints.
arrows() {
    pcc -O2 $count "$@" -I"$SRC/rt" -o pointers
    ./pointers >printed
    run 0 "$MLPROF" -callgrind calls pointers mlmon.out
    callgrind_annotate --threshold=100 --auto=no --tree=calling --show=Calls --sort=Calls calls |
        sed -n 's/^.* \([*>]\)  *[^ ]*:\([a-z]*\)\( (\([0-9,]*\)x)\)\{0,1\} .*/\1 \2 \4/p' |
        awk '$1 == "*" { caller = $2; next } { gsub(/,/, ""); print caller, $2, $3 }' | sort >arrows
}
# Two functions are called as often by pointers as no other call explains, and there is one such call.
cat >want <<'END'
descend descend 240
descend polish 60
main descend 60
main other 60
other polish 60
polish square 4800000
END
arrows "$SRC/testsuite/export/c.c" $blocks
same arrows want
arrows "$SRC/testsuite/export/c.c" $blocks $targets
same arrows want
arrows "$SRC/testsuite/export/c.c" $targets
printf 'main %s 60\n' descend other >want
same arrows want
# Here there are two, and more ways than one to divide their calls.
cat >want <<'END'
h f 2
main few 1
main g 1
main h 2
main most 1
END
arrows "$SRC/testsuite/flow/pointers.c" $blocks
same arrows want
printf '%s\n' 'few f 5' 'few g 5' 'most f 81' 'most g 9' | sort - want -o want
arrows "$SRC/testsuite/flow/pointers.c" $blocks $targets
same arrows want

if have "$FC" 'Fortran'; then
    echo 'Fortran, of which bytes alone are known.'
    pfc -fplugin-arg-ccprof-profile=alloc "$SRC/testsuite/alloc/levels.f90" -o levels
    ./levels >printed
    run 0 "$MLPROF" -callgrind calls levels mlmon.out
    has calls '^events: Bytes Allocations$'
    # The program itself says what it allocates.
    want=$(awk '$2 ~ /^[0-9]+$/ { bytes += $2; blocks += $3 } END { print bytes, blocks }' printed)
    has calls "^totals: $want$"
fi
