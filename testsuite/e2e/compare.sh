#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -compare: what changed from run to run and from build to build, of samples and of counts,
# and what a formula makes of it; -growth: how functions grow with the input.
. "$SRC/testsuite/mlprof.sh"

count() {
    "$CC" -fplugin="$PLUGIN" -fplugin-arg-ccprof-profile=count "$@"
}

# runs PROGRAM OUT ARGUMENT: its data are in the file OUT.
runs() {
    "./$1" "$3" >"$2.says"
    mv mlmon.out "$2"
}

# Samples: sq has 2 of 10 s before, 3 of 11 s after; Newcombe's interval of 200 and 300 of 1,100, and
# twice Fisher's chance, 3.5e-7. main has 8 s in both: exactly no change.
example prog main sq
data old 1000 0 "$PWD/prog" -- "0 0 $(at prog 4) 200" "0 0 $(at prog 0) 800"
data new 1100 0 "$PWD/prog" -- "0 0 $(at prog 4) 300" "0 0 $(at prog 0) 800"
run 0 "$MLPROF" prog old -compare new
same err /dev/null
holds out <<'EOF'
before  prog, 1 run, 10.00 s of CPU time
after   prog, 1 run, 11.00 s of CPU time
change  +1.00 s (+10.0%)

before  after  change       95% range  chance   function
 2.00s  3.00s  +1.00s  +0.62 to +1.38  <0.001*  sq
 8.00s  8.00s   0.00s  -0.41 to +0.41   1.000   main

* certain: 1 of 2 functions; in 95 of 100 comparisons all such are right
95% range: of the change, in 95 of 100 cases
one run a side: how much runs differ by themselves is not known
EOF
run 0 "$MLPROF" prog old -compare new -change share -show-line true -thresh 30
holds out <<EOF
before  prog, 1 run, 10.00 s of CPU time
after   prog, 1 run, 11.00 s of CPU time
change  +1.00 s (+10.0%)

before  after  change      95% range  chance   function
 80.0%  72.7%   -7.3%  -10.9 to -3.6  <0.001*  main  prog.c: 7

* certain: 2 of 2 functions; in 95 of 100 comparisons all such are right
95% range: of the change, in 95 of 100 cases
one run a side: how much runs differ by themselves is not known
EOF
run 0 "$MLPROF" prog old -compare new -thresh 50
hasnot out ' sq$'
# Two runs a side that differ by a second each: nothing is certain.
data old2 1100 0 "$PWD/prog" -- "0 0 $(at prog 4) 300" "0 0 $(at prog 0) 800"
data new2 1200 0 "$PWD/prog" -- "0 0 $(at prog 4) 400" "0 0 $(at prog 0) 800"
run 0 "$MLPROF" prog old old2 -compare new new2
has out '^before  prog, 2 runs, 10\.50 s of CPU time each$'
# sqrt(2 * 0.5^2) is 0.707, and t with 2 degrees of freedom 4.303.
has out '^change  +1\.00 s (+9\.5%), -2\.04 s to +4\.04 s, not certain$'
# So it is for sq, of whose variance of 0.5 samples make 0.022 and the lengths of the runs 0.037, with 1.89
# degrees of freedom (variation.h): 2.55 in all, for which t is 3.52.
has out '^ *2\.50s  3\.50s  +1\.00s  -1\.49 to +3\.49 .*  sq$'
has out '^\* certain: 0 of 2 functions'

# Lists of files, in the place of files or beside them, on each side.
run 0 "$MLPROF" prog old old2 -compare new new2
mv out named
printf 'old\nold2\n' >olds
echo new new2 >news
: >none
for words in 'prog -mlmon olds -compare -mlmon news' 'prog -mlmon olds -compare new new2' \
    'prog old old2 -compare prog -mlmon news' '-mlmon olds -compare -mlmon news' \
    '-compare prog new new2 -mlmon none' 'prog old -mlmon none old2 -compare new -mlmon none new2'; do
    case $words in -compare*) words="prog -mlmon olds $words" ;; esac
    # shellcheck disable=SC2086
    run 0 "$MLPROF" $words
    sed "s:$PWD/::" out >listed
    same listed named
done
# What a list before -compare has is not behind it.
echo old2 >rest
run 0 "$MLPROF" prog old -mlmon rest -compare new
has out '^before  prog, 2 runs,'
has out '^after   prog, 1 run,'
refused '-compare: no data files behind it are named' "$MLPROF" prog old -compare -mlmon none
refused '-compare: no data files before it are named' "$MLPROF" prog -compare -mlmon news
refused 'lost: No such file or directory' "$MLPROF" prog old -compare -mlmon lost
run 0 "$MLPROF" prog -growth -size 10 -mlmon olds -size 20 new -size 40 -mlmon news
sed 1d out >listed
run 0 "$MLPROF" prog -growth -size 10 old old2 -size 20 new -size 40 new new2
sed 1d out >named
same listed named

# On a terminal of 80 columns no line is longer, with whatever path and name; without room the times before
# are left out.
if have script 'comparisons on a terminal'; then
    long=$PWD/a/folder/whose/name/is/as/long/as/those/of/a/tree/of/builds/in/the/wild/often/are
    mkdir -p "$long"
    cp prog "$long/prog"
    run 0 script -qec "stty cols 80; '$MLPROF' -show-line true '$long/prog' old old2 -compare '$long/prog' new new2" /dev/null
    tr -d '\r' <out | sed 's/\x1b\[[0-9;]*m//g' >shown
    has shown '^before  \.\.\..*/often/are/prog, 2 runs, 10\.50 s of CPU time each$'
    has shown '^ *2\.50s  3\.50s  +1\.00s  -1\.49 to +3\.49 .*  sq  prog\.c: '
    ! awk 'length > 80' shown | grep . || fail 'longer than 80 columns'
    run 0 script -qec "stty cols 50; '$MLPROF' prog old old2 -compare new new2" /dev/null
    tr -d '\r' <out | sed 's/\x1b\[[0-9;]*m//g' >shown
    has shown '^ *after  *change  *95% range  chance   function$'
fi

# Figure 2 of the paper: fib(n) makes 2 F(n+1) - 1 calls and is called twice, the loop's body n times;
# what is beyond the prediction is the exponential one.  Inlined or not.
for level in -O0 -O3; do
    count "$level" "$SRC/testsuite/compare/fib.c" -o "fib$level"
    runs "fib$level" "ten$level" 10
    runs "fib$level" "twenty$level" 20
    run 0 "$MLPROF" "fib$level" -size 10 "ten$level" -compare -size 20 "twenty$level" \
        -formula 'b - a * n(b) / n(a)'
    same err /dev/null
    sed -n '/function$/,$p' out >got
    holds got <<'EOF'
 value    a       b  function
43,074  354  43,782  fib
     0   10      20  step
    -1    1       1  iterate
    -1    1       1  main
EOF
done
# The two builds have made the same calls.
run 0 "$MLPROF" fib-O0 ten-O0 -compare fib-O3 ten-O3
same err /dev/null
has out '^change  0 (+0\.0%)$'
has out '^[4-6] functions as before$'

# The queens of figure 3, with the program's own counts.
count -O2 "$SRC/testsuite/compare/queens.c" -o queens
runs queens six 6
runs queens eight 8
has eight.says '^ways 92$'
run 0 "$MLPROF" queens six -compare eight
for name in place is_safe on_diagonal; do
    before=$(sed -n "s/^$name //p" six.says) after=$(sed -n "s/^$name //p" eight.says)
    tr -d , <out | has - "^ *$before *$after *+$((after - before)) .*  $name\$"
done
[ "$(grep -n -m 1 '  on_diagonal$' out | cut -d : -f 1)" -lt "$(grep -n '  place$' out | cut -d : -f 1)" ] ||
    fail "the greatest change is not the first: $(cat out)"

# Another build: a function is gone, one is new, one has moved to another file and line.
cat >one.c <<'EOF'
void moved(void) { }
void gone(void) { }
int main(void) { moved(); gone(); gone(); return 0; }
EOF
mkdir else
printf '\n\nvoid moved(void) { }\n' >else/moved.h
cat >two.c <<'EOF'
#include "else/moved.h"
void fresh(void) { }
int main(void) { fresh(); moved(); return 0; }
EOF
count -O1 one.c -o one
count -O1 two.c -o two
runs one first ''
runs two second ''
run 0 "$MLPROF" one first -compare two second
same err /dev/null
holds out <<'EOF'
before  one, 1 run, 4 calls
after   two, 1 run, 3 calls
change  -1 (-25.0%)

before  after  change  in %  function
     2      -      -2  gone  gone
     -      1      +1   new  fresh

2 functions as before
EOF

# C++ and Fortran: functions are matched by their symbols, whatever is done with them.  The optimising
# front end makes no calls of std::move and its like, unless it is told to, nor of constexpr functions
# that it can compute, as since GCC 14 the size that a vector may have. Since GCC 15 the library's assertions are
# compiled where nothing is optimised, and without them it still asks there what kind of evaluation this is.
cat >plus.cc <<'EOF'
#include <vector>
namespace { template <class T> T twice(T x) { return x + x; } }
int main(int argc, char **)
{
    std::vector<int> v;
    for (int i = 0; i < 10 * argc; i++)
        v.push_back(twice(i));
    double sum = 0;
    for (int i : v)
        sum += twice(double(i));
    return sum < 0;
}
EOF
for level in -O0 -O2; do
    "$CXX" -fplugin="$PLUGIN" -fplugin-arg-ccprof-profile=count -fno-fold-simple-inlines \
        -D_GLIBCXX_NO_ASSERTIONS -fplugin-arg-ccprof-exclude-function='_M_max_size|__is_constant_evaluated' \
        "$level" plus.cc -o "plus$level"
    "./plus$level"
    mv mlmon.out "plus$level.out"
done
run 0 "$MLPROF" -names full plus-O0 plus-O0.out -compare plus-O2 plus-O2.out
has out '^change  0 (+0\.0%)$'
run 0 "$MLPROF" -names full plus-O0 plus-O0.out -compare plus-O2 plus-O2.out -formula 'a'
has out '^ *10 *10 *10  .*twice<int>'
has out '^ *10 *10 *10  .*twice<double>'
if have "$FC" 'functions of Fortran'; then
    cat >for.f90 <<'EOF'
program main
    integer :: i, s
    s = 0
    do i = 1, 7
        s = s + twice(i)
    end do
    if (s /= 56) stop 1
contains
    integer function twice(x)
        integer, intent(in) :: x
        twice = x + x
    end function
end program
EOF
    for level in -O0 -O2; do
        "$FC" -fplugin="$PLUGIN" -fplugin-arg-ccprof-profile=count "$level" for.f90 -o "for$level"
        "./for$level"
        mv mlmon.out "for$level.out"
    done
    run 0 "$MLPROF" for-O0 for-O0.out -compare for-O2 for-O2.out -formula 'a + b'
    has out '^ *14 *7 *7  .*twice'
fi

# Growth: n log2 n of 8, 16 and 32 is 24, 64 and 160; 2^(n+1) - 1 at 8, 12, 16.
count -O2 "$SRC/testsuite/compare/grow.c" -o grow
for n in 8 12 16; do
    runs grow "g$n" "$n"
done
run 0 "$MLPROF" grow -growth -size 16 g16 -size 8 g8 -size 12 g12
same err /dev/null
has out '^    0\.00  0\.00  0\.00 *1 *1 *1  constant$'
has out '^    1\.00  0\.00  1\.00 *8 *12 *16  linear$'
has out '^    2\.00  0\.00  2\.00 *64 *144 *256  quadratic$'
# log2(131071 / 8191) / log2(16 / 12)
has out '^ *[0-9.]* *[0-9.]*  9\.64 *511 *8,191 *131,071  exponential$'
has out '^       -     -     - *1 *0 *0  odd$'
[ "$(sed -n '/function$/{n;s/.* //p;}' out)" = exponential ] || fail "not the fastest first: $(cat out)"
# What runs at 8, 16 and 32 made, without the exponential one.
sed 's/exponential(n);/exponential(1);/' "$SRC/testsuite/compare/grow.c" >sorts.c
count -O2 sorts.c -o sorts
for n in 8 16 32; do
    runs sorts "s$n" "$n"
done
run 0 "$MLPROF" sorts -growth -size 8 s8 -size 16 s16 -size 32 s32
# (log2 160 - log2 24) / 2 = 1.368; 12.706 * |log2 24 - 12 + log2 160| / sqrt(12) = 0.341
has out '^    1\.37  0\.34  1\.32 *24 *64 *160  merge$'
# Samples: 100, 200 and 400 of 1,000 at n, 2n, 4n, with errors of 1.96 / sqrt(sum of weights)
data t1 1000 0 "$PWD/prog" -- "0 0 $(at prog 4) 100" "0 0 $(at prog 0) 900"
data t2 1000 0 "$PWD/prog" -- "0 0 $(at prog 4) 200" "0 0 $(at prog 0) 800"
data t4 1000 0 "$PWD/prog" -- "0 0 $(at prog 4) 400" "0 0 $(at prog 0) 600"
run 0 "$MLPROF" prog -growth -size 100 t1 -size 200 t2 -size 400 t4
awk 'BEGIN {
    # (1 - p) / count is the variance of each logarithm.
    w[0] = 100 / .9; w[1] = 200 / .8; w[2] = 400 / .6
    for (i = 0; i < 3; i++) { W += w[i]; X += w[i] * i * log(2) }
    for (i = 0; i < 3; i++) S += w[i] * (i * log(2) - X / W) ^ 2
    printf "    1.00  %.2f   1.00  1.00s  2.00s  4.00s  sq\n", 1.96 / sqrt(S)
}' >want
grep '  sq$' out >got
same got want
# What shrinks by less than a hundredth does not grow by -0.00.
data s1 9000 0 "$PWD/prog" -- "0 0 $(at prog 0) 9000"
data s2 8999 0 "$PWD/prog" -- "0 0 $(at prog 0) 8999"
run 0 "$MLPROF" prog -growth -size 100 s1 -size 200 s2
has out '^    0\.00 .* 0\.00  90\.00s  89\.99s  main$'
hasnot out '-0\.00'

# What cannot be compared.
refused '-compare: no data files before it are named' "$MLPROF" prog -compare new
refused '-compare: no data files behind it are named' "$MLPROF" prog old -compare
refused '-compare: takes one group of data files before it and one behind' \
    "$MLPROF" prog old -compare new -compare new2
refused '-growth: needs two sizes or more' "$MLPROF" prog -growth -size 1 old
refused '-growth: a size is given twice: name all data files of a size behind one -size' \
    "$MLPROF" prog -growth -size 1 old -size 2 new -size 1 new
refused '-growth: the size of the input is told by -size before the data files of each size' \
    "$MLPROF" prog -growth old -size 1 new
refused '-growth: no data files behind a -size of it are named' \
    "$MLPROF" prog -growth -size 1 old -size 2
refused '-formula: n(a) and n(b) are not known: name them with -size before the data files of each side' \
    "$MLPROF" prog old -compare new -formula 'n(a)'
refused '-measure calls: not all the runs have measured it' "$MLPROF" prog old -compare new -measure calls
refused '-change share: is for time; what was counted is compared as it is' \
    "$MLPROF" queens six -compare eight -change share
refused '-compare: there is no measure that all the runs have' "$MLPROF" prog old -compare queens six
refused 'six: measured with queens, not with prog' "$MLPROF" prog old -compare six
sed 's/^clock cpu/clock wall/' new >wall
for runs in 'old wall -compare new' 'old -compare wall' 'old -compare new wall'; do
    # shellcheck disable=SC2086
    refused '-compare: some runs are measured by CPU time, others by time on the clock' "$MLPROF" prog $runs
done
refused '-growth: some runs are measured by CPU time, others by time on the clock' \
    "$MLPROF" prog -growth -size 1 old -size 2 wall
run 0 "$MLPROF" prog wall -compare wall
sed 's/^rate 100/rate 50/' new2 >slower
refused 'slower: was sampled at another rate than the runs before it' "$MLPROF" prog old -compare new slower
run 0 "$MLPROF" -tolerant true prog old -compare new slower
has err 'slower: was sampled at another rate'
has out '^after   prog, 1 run,'
run 1 "$MLPROF" prog old -compare new -formula 'a +'
has err "option -formula takes a formula, not: a + (a number, a, b, n(a), n(b), log, sqrt or .(' expected at its end)"
run 1 "$MLPROF" prog old -compare new -list main
has err 'options -compare and -list cannot be given together'
run 1 "$MLPROF" prog -size 0 old -compare new
has err 'option -size takes a number from 1e-06 to 1e+18, not: 0'
