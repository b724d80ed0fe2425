#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count in mlprof: the table, sums of several files, kinds that do not fit each
# other, damage.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

cat >a.c <<'END'
static int twice(int x) { return 2 * x; }
int never(void) { return 0; }
int main(int argc, char **argv)
{
    int sum = 0;
    (void)argv;
    for (int i = 0; i < 1500; i++)
        sum += twice(argc + i);
    return sum == 0;
}
END
pcc -O2 "$KIND" a.c -o a
./a
mv mlmon.out one
./a
mv mlmon.out other
cat >want <<'END'
3,002 ticks
  cur  calls  function
99.9%  3,000  twice
 0.1%      2  main
 0.0%      0  never

added up from 2 data files
END
"$MLPROF" a one other >got
same got want

# One is one.
echo 'int main(void) { return 0; }' >single.c
pcc -O2 "$KIND" single.c -o single
./single
run 0 "$MLPROF" single mlmon.out
has out '^1 tick$'

# Time, or both, in another file.
sed -n 's/^module 0 /&/p' one >module
{
    printf 'ccprof mlmon 1\nkind time\nengine task-clock\nclock cpu\nrate 100\nstack no\n'
    printf 'cpu 1\nwall 1\nthreads 1\nwaits 0\nsamples 1\nlost 0\nelsewhere 0\n'
    cat module
    printf 'counts 1\n0 - 0x1 1\nend\n'
} >timed
run 1 "$MLPROF" a one timed
has err '^mlprof: timed: measured with another kind of profile than the data before it$'
run 1 "$MLPROF" a timed one
has err '^mlprof: one: measured with another kind of profile'
run 0 "$MLPROF" -tolerant true a one timed
has err '^mlprof: timed: measured with another kind'
has out '^1,501 ticks$'

# damage SED MESSAGE
damage() {
    sed "$1" one >damaged
    run 1 "$MLPROF" a damaged
    has err "^mlprof: damaged: line [0-9]*: $2\$"
}
damage 's/^counters$/counters 3/' "it should be .counters'"
damage 's/^counters$/counts 3/' "it should be .module', .label' or .counters'"
damage 's/^counters$/uncounted 0\n&/' "it should be .uncounted' and a number above 0"
damage 's/^counters$/uncounted two\n&/' "it should be .uncounted' and a number above 0"
damage 's/^counters$/uncounted 1\nuncounted 1\n&/' "it should be .module', .label' or .counters'"
damage 's/^0 0x\([0-9a-f]*\) 1$/0 0x\1 x/' 'it should be a module, a counter, a count'
damage 's/^0 0x\([0-9a-f]*\) 1$/99 0x\1 1/' 'no module has this number'
damage 's/^0 0x\([0-9a-f]*\) 1$/- 0x\1 1/' 'no module has this number'
damage 's/^0 0x\([0-9a-f]*\) 1$/0 0x\1 18446744073709551615/' \
    'the counts add up to more than 64 bits'
damage '/^end$/d' 'the file is cut off here'
damage 's/^kind count$/kind time,count/' "it should be .engine' and one word"

# Threads that were not counted in full are warned of, and add up.
sed 's/^counters$/uncounted 2\n&/' one >two
sed 's/^counters$/uncounted 1\n&/' one >lone
run 0 "$MLPROF" a lone
has out '^warning: 1 thread, which ccprof was not told of, was not counted in full$'
run 0 "$MLPROF" a two one two
has out '^warning: 4 threads, which ccprof was not told of, were not counted in full$'
run 0 "$MLPROF" -balance false a two
hasnot out '^warning'
