#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Views over ranks, of hand-made data: -by rank adds up to all, -imbalance tells what can be worked
# out by hand, ranks of several hosts and files without a rank are kept apart; and what is refused.
. "$SRC/testsuite/lib.sh"

cat >prog.c <<'END'
volatile int sink;
__attribute__((noipa)) void one(void) { sink = 1; }
__attribute__((noipa)) void two(void) { sink = 2; }
int main(void)
{
    one();
    two();
    return 0;
}
END
pcc -O1 prog.c -o prog
./prog
module=$(grep '^module 0 ' mlmon.out)

# at FUNCTION: the address of its first instruction but one.
at() {
    printf '0x%x' $((0x$(nm prog | awk -v name="$1" '$3 == name { print $1 }') + 1))
}
one=$(at one)
two=$(at two)

# data FILE ONE TWO LOST LINES: a file with so many samples in these functions, and the lines of its origin.
data() {
    {
        printf 'ccprof mlmon 5\nkind time\n'
        # shellcheck disable=SC2059
        printf "$5"
        printf 'engine task-clock\nclock cpu\nrate 100\nstack yes\ncpu %s0000000\nwall 0\nthreads 1\nwaits 0\n' \
            $(($2 + $3 + $4))
        printf 'samples %s\nlost %s\nelsewhere 0\n%s\ncounts 2\n0 0 %s %s\n0 0 %s %s\nend\n' \
            $(($2 + $3 + $4)) "$4" "$module" "$one" "$2" "$two" "$3"
    } >"$1"
}
# By hand: one has 400, 400, 400 and 600, two 200, 210, 195 and 195; 1.5 times is 1.33 of the mean.
data a.out 400 200 0 'host x\nrank 0 4\n'
data b.out 400 210 3 'host x\nrank 1 4\n'
data c.out 400 195 0 'host y\nrank 2 4\n'
data d.out 600 100 0 'host y\nrank 3 -\n'
data e.out 0 95 0 'host y\nrank 3 4\n'
sum='a.out b.out c.out d.out e.out'

echo 'The rows of ranks'
# shellcheck disable=SC2086
run 0 "$MLPROF" -by rank -csv - prog $sum
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "samples") column = i; next } { print $1, $column }' out >got
printf '%s\n' '[rank 3 y] 795' '[rank 1 x] 613' '[rank 0 x] 600' '[rank 2 y] 595' >want
same got want

# What was added up is told: four ranks, of which one has two files, on two hosts.
# shellcheck disable=SC2086
run 0 "$MLPROF" prog $sum
has out ', 5 data files of 4 ranks on 2 hosts$'
run 0 "$MLPROF" prog a.out b.out
has out ', 2 data files of 2 of 4 ranks$'
same err /dev/null
run 0 "$MLPROF" prog a.out
hasnot out ' rank'
# shellcheck disable=SC2086
run 0 "$MLPROF" -json - prog $sum
has out '"ranks": 4, "hosts": 2,'

echo 'The imbalance of functions'
# shellcheck disable=SC2086
run 0 "$MLPROF" -imbalance rank -balance false prog $sum
cat >want <<'END'
26.03 seconds of CPU time
  cur    mean   least    most  most/mean    lost  rank  function
69.2%  4.50 s  4.00 s  6.00 s       1.33  1.50 s     3  one
30.7%  2.00 s  1.95 s  2.10 s          -       -     -  two
END
same out want
# shellcheck disable=SC2086
run 0 "$MLPROF" -imbalance rank -sort name -top 1 -show-line true -balance false prog $sum
has out '^69.2%  4.50 s .* 3  one  prog.c: 2$'
[ "$(wc -l <out)" -eq 3 ] || fail "$(cat out)"

# What was lost of a rank, by hand 10 % of rank 2 and 5 % of rank 1, is in no row.
data g.out 300 270 30 'host x\nrank 1 4\n'
data h.out 300 240 60 'host y\nrank 2 4\n'
run 0 "$MLPROF" -imbalance rank -balance false prog a.out g.out
[ "$(tail -n 1 out)" = '0.30 s (5.0 %) of rank 1 was lost and in no row' ] || fail "$(cat out)"
run 0 "$MLPROF" -imbalance rank -balance false prog a.out h.out g.out
[ "$(tail -n 1 out)" = '0.60 s (10.0 %) of rank 2, and less of 1 other rank were lost and in no row' ] || fail "$(cat out)"

echo 'The page'
if command -v python3 >/dev/null && command -v chromium >/dev/null; then
    # shellcheck disable=SC2086
    run 0 "$MLPROF" -html page.html prog $sum
    # shellcheck disable=SC2086
    python3 "$SRC/testsuite/page/load.py" page.html "$MLPROF" prog $sum || fail 'the page shows another load'
else
    leave_out 'the page: there is no python3 or chromium'
fi

echo 'Two even runs, of which the second had two ranks elsewhere'
again=
for rank in 0 1 2 3; do
    data first.$rank 400 100 0 "host x\\nrank $rank 4\\n"
    data second.$rank 400 100 0 "host $([ $rank -lt 2 ] && echo x || echo z)\\nrank $rank 4\\n"
    again="$again first.$rank second.$rank"
done
# shellcheck disable=SC2086
run 0 "$MLPROF" -imbalance rank prog $again
has out '^80.0%  8.00 s  8.00 s  8.00 s  *-  *-  *-  one$'
has out ', 8 data files of 4 ranks on 2 hosts$'
same err /dev/null
# shellcheck disable=SC2086
run 0 "$MLPROF" -html page.html prog $again
sed -n 's/.*id="data">\([^<]*\).*/\1/p' page.html | base64 -d | gzip -dc >page.json
grep -q '"workers": \["rank 0, x", "rank 1, x", "rank 2", "rank 3"\]' page.json || fail "$(grep -o '"workers".*' page.json)"

echo 'Files of an older run with more ranks, and one that was not finished'
data old.4 400 100 0 'host x\nrank 4 8\n'
# shellcheck disable=SC2086
run 0 "$MLPROF" prog $sum old.4
echo 'mlprof: data files: of jobs of 4 and of 8 ranks, which are added up: are there any of an older run?' >want
same err want
has out ', 6 data files of 5 of 8 ranks on 2 hosts$'
# Also if the ranks are the same.
data old.0 400 100 0 'host x\nrank 0 8\n'
# shellcheck disable=SC2086
run 0 "$MLPROF" prog old.0 $sum
same err want
# shellcheck disable=SC2086
run 0 "$MLPROF" -balance false prog $sum
cp out table
cp d.out d.out.4711.tmp
sed '$d' d.out >e.out.4712.tmp
# shellcheck disable=SC2086
run 0 "$MLPROF" -balance false prog $sum d.out.4711.tmp e.out.4712.tmp
same out table
printf 'mlprof: %s: was not finished, and left out\n' d.out.4711.tmp e.out.4712.tmp >want
same err want
# It is read if nothing else is named.
run 0 "$MLPROF" -balance false prog d.out.4711.tmp
has out '^7.00 seconds'
same err /dev/null
run 1 "$MLPROF" -balance false prog d.out.4711.tmp e.out.4712.tmp
has err '^mlprof: data files: none was finished: name one alone to read it$'
[ ! -s out ] || fail "$(cat out)"
rm ./*.tmp

echo 'Files without a rank are no part'
data f.out 1000 5 0 'host z\n'
# shellcheck disable=SC2086
run 0 "$MLPROF" -imbalance rank -balance false prog $sum f.out
has out '^10.05 s in processes that no launcher has numbered are not told here$'
has out '^49.9%  4.50 s  4.00 s  6.00 s       1.33  1.50 s     3  one$'
# shellcheck disable=SC2086
run 0 "$MLPROF" -by rank -csv - prog $sum f.out
has out '^\[no rank z\],.*,1005,'

echo 'One function, and a stack that is left out'
# shellcheck disable=SC2086
run 0 "$MLPROF" -focus '^one$' -by rank -csv - prog $sum
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "samples") column = i; next } { print $1, $column }' out >got
printf '%s\n' '[rank 3 y] 600' '[rank 0 x] 400' '[rank 1 x] 400' '[rank 2 y] 400' >want
same got want

echo 'Threads'
sed -e 's/^ccprof mlmon 5/ccprof mlmon 2/' -e '/^host/d' -e '/^rank/d' \
    -e "s/^counts 2/thread 1 main\nthread 2 w\ncounts 4\n0 thread 0x1 0\n1 0 $one 400\n0 thread 0x2 0\n1 0 $one 200/" \
    -e "/^0 0 $one/d" -e '/^0 0/d' -e 's/^samples .*/samples 600/' a.out >threads.out
run 0 "$MLPROF" -imbalance thread -balance false prog threads.out
has out ' 3.00 s  2.00 s  4.00 s       1.33  1.00 s       1  one$'
# Threads are no functions, by rank neither.
run 0 "$MLPROF" -imbalance thread -sort stack -balance false prog threads.out
has out ' 3.00 s  2.00 s  4.00 s       1.33  1.00 s       1  one$'
hasnot out '\[thread'
sed 's/^ccprof mlmon 2/ccprof mlmon 5/; /^kind /a\
host x\
rank 0 2' threads.out >ranked.0
sed 's/^rank 0 2/rank 1 2/' ranked.0 >ranked.1
run 0 "$MLPROF" -imbalance rank -sort stack -balance false prog ranked.0 ranked.1
has out ' one$'
hasnot out '\[thread'
# The page of one rank tells its threads, in their order, whatever the data's is.
sed 's/^0 thread 0x1 0/0 thread 0x3 0/; s/^0 thread 0x2 0/0 thread 0x1 0/; s/^0 thread 0x3 0/0 thread 0x2 0/' ranked.0 >turned
for file in ranked.0 turned; do
    run 0 "$MLPROF" -html page.html prog $file
    sed -n 's/.*id="data">\([^<]*\).*/\1/p' page.html | base64 -d | gzip -dc >page.json
    grep -q '"workers": \["thread 1", "thread 2"\]' page.json || fail "$(grep -o '"workers".*' page.json)"
done
# What several threads have together is no thread's.
sed 's/^thread 1 main/thread 0 x\nthread 1 main/; s/^counts 4/counts 6/; /^0 thread 0x2 0/i\
0 thread 0x0 0\
1 0 '"$one"' 300' threads.out | sed 's/^samples 600/samples 900/' >others.out
run 0 "$MLPROF" -imbalance thread -balance false prog others.out
has out ' 3.00 s  2.00 s  4.00 s       1.33  1.00 s       1  one$'
has out '^3.00 s of which the thread is not known are not told here$'

echo 'What is refused'
run 1 "$MLPROF" -by mpi prog mlmon.out
run 1 "$MLPROF" -by mpi prog a.out
has err '^mlprof: -by mpi: no call of MPI was sampled$'
run 1 "$MLPROF" -by rank prog mlmon.out
[ -s out ] && fail "$(cat out)"
run 1 "$MLPROF" -imbalance thread prog a.out
has err '^mlprof: -imbalance: samples are not told apart by thread: run the program with CCPROF=threads=yes$'
run 1 "$MLPROF" -imbalance rank prog threads.out
has err '^mlprof: -imbalance: the data do not tell ranks, the processes of a job that a launcher of MPI starts$'
run 1 "$MLPROF" -by rank prog threads.out
has err '^mlprof: -by rank: the data do not tell ranks, the processes of a job that a launcher of MPI starts$'
pcc -O1 -fplugin-arg-ccprof-profile=count prog.c -o counted
PMI_RANK=1 ./counted
run 1 "$MLPROF" -by rank counted mlmon.out.1
has err '^mlprof: -by rank: counters are added up over all ranks; samples are not: -fplugin-arg-ccprof-profile=time$'
run 1 "$MLPROF" -imbalance rank counted mlmon.out.1
has err '^mlprof: -imbalance: what was counted is not told apart by rank or thread; samples of time are$'
run 1 "$MLPROF" -imbalance host prog a.out
