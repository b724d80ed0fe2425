#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Samples told apart by thread: each thread has what its own clock says, under its last name, with
# each kind of time and in each language; brief threads, children and threads that the runtime was
# not told of.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
THREADS=$SRC/testsuite/threads
FLAGS="-Wall -Wextra -Werror -pthread -I$RT"

# by_thread FILE: lines `NUMBER NAME;SAMPLES' as mlprof has them into the file rows; they add up
# to all samples.
by_thread() {
    "$MLPROF" -csv - -by thread ./prog "$1" >table.csv
    sed -n 's/^\[thread \([^]]*\)\],[^0-9]*\([0-9]*\),.*/\1;\2/p' table.csv >rows
    awk -F, 'NR > 1 { sub(/^\[[^]]*\],/, ""); sum += $5 } END { print sum + 0 }' table.csv >sum
    between "$(value "$1" samples)" "$(cat sum)" "$(value "$1" samples)" "the threads' sum"
}

# own_shares SETTINGS: ./prog runs, and each thread has the samples that its clock says, or more runs decide.
own_shares() {
    decide own_shares_once "$1"
}

# One sample is taken in each interval, so that their number has less than Poisson's variance;
# 4 standard deviations of that, and 3 samples for the thread's own start and end.
own_shares_once() {
    run 0 env OMP_WAIT_POLICY=passive CCPROF="threads=yes,rate=2000$1" ./prog
    [ ! -s err ] || fail "it says: $(cat err)"
    # Counters are not what valid knows.
    grep -q '^kind time,' mlmon.out || valid mlmon.out
    has mlmon.out '^ccprof mlmon 2$'
    by_thread mlmon.out
    awk 'NR == FNR { split($0, row, ";"); sub(/^[0-9]* /, "", row[1]); got[row[1]] = row[2]; next }
        {
            name = $0
            sub(/ [0-9.]*$/, "", name)
            want = 2000 * $NF
            least = want - 4 * sqrt(want) - 3
            most = want + 4 * sqrt(want) + 3
            printf "    %s: %d of %.0f\n", name, got[name], want
            if (!(name in got) || got[name] < least || got[name] > most)
                wrong = 1
        }
        END { exit wrong }' rows out
}

# shellcheck disable=SC2086
pcc -O2 $FLAGS "$THREADS/pool.c" -o prog
run 0 ./prog
has mlmon.out '^ccprof mlmon 1$'
run 1 "$MLPROF" -by thread ./prog mlmon.out
[ ! -s out ] || fail "it prints: $(cat out)"
has err '^mlprof: -by thread: samples are not told apart by thread: run the program with CCPROF=threads=yes$'

own_shares ,stack=no
echo 'With stacks'
own_shares ''
sort -n rows | sed 's/;.*//' >names
printf '%s\n' '1 prog' '2 one' '3 two' '4 three \ 3' >want
same names want
has mlmon.out '^thread 4 three \\\\ 3$'
echo 'A thread has the number in the order in which it was made, be it sampled before it knows that'
# shellcheck disable=SC2086
pcc -O2 $FLAGS "$THREADS/many.c" -o many
CCPROF=threads=yes,rate=10000,output=many.out ./many
sed -n 's/^thread \([0-9]*\) made /\1 /p' many.out >numbers
[ "$(wc -l <numbers)" -gt 250 ] || fail "of 299 threads $(wc -l <numbers) were sampled"
awk '$1 != $2' numbers >wrong
same wrong /dev/null

# Any view of one thread; what stands around the others is not there.
"$MLPROF" -folded - ./prog mlmon.out >folded
has folded '^\[thread 1 prog\];main;shares;burn [0-9]*$'
has folded '^\[thread 2 one\];one;burn [0-9]*$'
"$MLPROF" -folded - -focus '\[thread 2 ' ./prog mlmon.out >folded
hasnot folded '^\[thread [^2]'
[ "$(awk '{ sum += $NF } END { print sum }' folded)" = "$(sed -n 's/^2 one;//p' rows)" ] ||
    fail "the thread alone: $(cat folded rows)"
"$MLPROF" -callers one ./prog mlmon.out >out
has out '\[thread 2 one\]$'
run 0 "$MLPROF" -by phase -csv - ./prog mlmon.out
has out '^<no phase>,'

# A thread of the Firefox Profiler has the thread's stacks and not its frame; what another run has is
# of no known thread.
cat >firefox.py <<'END'
import json
import sys

data = json.load(open(sys.argv[1], encoding="utf-8"))
strings, funcs = data["shared"]["stringArray"], data["shared"]["funcTable"]["name"]
assert not any(strings[name].startswith("[") for name in funcs)
for thread in data["threads"]:
    samples = round(sum(thread["samples"]["weight"]) * 2)
    print(thread["tid"], thread["name"], thread["isMainThread"], samples, sep=";")
END
if have python3 'the threads of the Firefox Profiler'; then
    CCPROF=rate=2000,output=alone.out ./prog >/dev/null 2>&1
    "$MLPROF" -firefox both.json ./prog mlmon.out alone.out >/dev/null
    python3 firefox.py both.json | sort -n >got
    {
        echo "0;unknown thread;False;$(value alone.out samples)"
        sort -n rows | sed 's/^\([0-9]*\) \(.*\);/\1;\2;False;/; s/^1;prog;False/1;prog;True/'
    } >want
    same got want
fi

echo 'Several runs: the threads of one number and name are one.'
cp rows first
mv mlmon.out first.out
own_shares ''
"$MLPROF" -csv - -by thread ./prog first.out mlmon.out >both
for thread in '1 prog' '2 one' '3 two'; do
    sum=$(sed -n "s/^$thread;//p" first rows | awk '{ sum += $1 } END { print sum }')
    has both "^\[thread $thread\],,,,,$sum,"
done

echo 'C, as the program stores it'
# shellcheck disable=SC2086
pcc -fplugin-arg-ccprof-profile=time-field -O2 $FLAGS "$THREADS/pool.c" -o prog
own_shares ''

echo 'C, and calls; static, where the runtime is not told of threads'
# shellcheck disable=SC2086
pcc -fplugin-arg-ccprof-profile=time,count -O2 -static $FLAGS "$THREADS/pool.c" \
    -L"$O/rt" -lccprof -o prog
own_shares ''

if command -v "$CXX" >/dev/null; then
    for options in '-O3 -g -fPIC -pie' '-O2 -flto'; do
        echo "C++ $options"
        # shellcheck disable=SC2086
        pcxx $options $FLAGS "$THREADS/pool.cc" -o prog
        own_shares ''
    done
fi
if command -v "$FC" >/dev/null; then
    echo Fortran
    # shellcheck disable=SC2086
    pcc -O2 $FLAGS -c "$THREADS/work.c" -o work.o
    pfc -O2 -fopenmp "$THREADS/omp.f90" work.o -o prog
    own_shares ''
fi

echo 'The child of a thread has its own threads.'
# shellcheck disable=SC2086
pcc -O2 $FLAGS "$THREADS/pool.c" -o prog
rm -f mlmon.out*
run 0 env CCPROF=threads=yes,rate=2000 ./prog fork
valid mlmon.out
child=$(echo mlmon.out.*)
valid "$child"
by_thread "$child"
sed 's/;.*//' rows | sort >names
printf '%s\n' '1 forker' '2 one' >want
same names want

echo 'Brief threads: as many as there is room for are told apart, and nothing is lost.'
rm -f mlmon.out*
run 0 env CCPROF=threads=yes,rate=5000 ./prog many 2500 0.0005
valid mlmon.out
by_thread mlmon.out
[ "$(grep -c '^thread ' mlmon.out)" = 1025 ] || fail "$(grep -c '^thread ' mlmon.out) threads"
has mlmon.out '^thread 0 others$'
has table.csv '^\[other threads\],'
[ "$(value mlmon.out lost)" = 0 ] || fail "$(value mlmon.out lost) samples are lost"
