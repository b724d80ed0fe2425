#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh: each test has a line with its number; a check that a test left out is reported and
# counted; tests that fail, are skipped or hang are reported, and the last line counts them. What
# may not run beside others does not.  A test ends at a limit of the CPU time of all that it has started, or
# when all of that only waits, and nothing that it has started outlives it.
. "$SRC/testsuite/lib.sh"

# script NAME: a test of standard input.
mkdir tests
script() {
    { echo '#!/bin/sh' && cat; } >"tests/$1.sh"
    chmod +x "tests/$1.sh"
}
echo 'exit 0' | script good
echo 'echo no reason >&2; exit 77' | script skips
echo 'echo broken; exit 3' | script bad
# Those that are ended: the time of processes that have ended counts, and of orphans; a wait that looks now and
# then for what never comes is one, too.
{ echo '# timeout: 1' && echo 'while :; do sh -c "seq 20000 >numbers"; done'; } | script hangs
{ echo '# timeout: 1' && echo 'sh -c "while :; do :; done &"; sleep 1000'; } | script strays
echo 'while sleep 0.2; do :; done' | script waits
# Those that are not: time that others have counts for nothing, and who says something does something.
{ echo '# timeout: 1' && echo 'sleep 2'; } | script sleeps
echo 'for i in 1 2 3 4 5 6; do echo; sleep 1; done' | script talks
echo 'sleep 1000 & jobs -p >process' | script leaves
# shellcheck disable=SC2016
{
    echo '# alone'
    echo '. "$SRC/testsuite/lib.sh"'
    echo 'leave_out no tool; leave_out no other tool'
} | script parts

# As a unit test that has been kept waiting for longer than Check's own limit, which is made shorter for this.
if pkg-config --exists check; then
    cat >tests/late.c <<'END'
#include <check.h>
#include <unistd.h>
START_TEST(late)
{
    usleep(1500000);
}
END_TEST
int main(void)
{
    Suite *suite = suite_create("late");
    TCase *cases = tcase_create("late");
    SRunner *runner = srunner_create(suite);
    tcase_add_test(cases, late);
    suite_add_tcase(suite, cases);
    srunner_run_all(runner, CK_NORMAL);
    return srunner_ntests_failed(runner) != 0;
}
END
    # shellcheck disable=SC2046
    "$CC" tests/late.c $(pkg-config --cflags --libs check) -o late
    echo "exec '$PWD/late'" | script late
else
    echo 'exit 0' | script late
fi

# What is run, with another O and all of these tests.
tests() {
    CK_DEFAULT_TIMEOUT=1 O=$PWD/o JOBS=5 TESTS="$1" TIMEOUT=300 IDLE=4 "$SRC/testsuite/run.sh" tests/*.sh
}
# numbers: the numbers of the lines, all of TOTAL.  Tests that end together may print in any order.
numbers() {
    sed -n "s,^\[\([0-9]*\)/$1\] [A-Z].*,\1,p" out | sort -n
}

run 1 tests ''
numbers 11 >got
seq 11 >want
same got want
has out '\] PASS good ([0-9]* s, [0-9.]* s of CPU time)$'
has out '^\[11/11\] PASS parts ([0-9]* s, [0-9.]* s of CPU time; skipped: no tool; skipped: no other tool)$'
has out '\] SKIP skips: no reason$'
has out '\] FAIL bad ([0-9]* s, exit status 3), the end of .*/bad.log:$'
has out '^    broken$'
has out '\] FAIL hangs ([0-9]* s, no end after 1 s of CPU time), '
has out '\] FAIL strays ([0-9]* s, no end after 1 s of CPU time), '
has out '\] FAIL waits ([0-9]* s, nothing done for 4 s), '
kill -0 "$(cat o/testsuite/leaves/process)" 2>/dev/null && fail 'a process has outlived its test'
tail -n 2 out >got
printf '%s\n' 'skipped in tests that passed: 2 parts, told in their lines' \
    '6 passed, 4 failed, 1 skipped' >want
same got want

run 0 tests 'good skips'
tail -n 1 out >got
echo '1 passed, 0 failed, 1 skipped' >want
same got want
run 1 tests 'good other'
has err '^run.sh: no test is called other$'

# Beforehand: one of 12 s and two of 6 s, of which three are run at a time, and one that took no time.
echo 0 >o/testsuite/.seconds/good
echo 12 >o/testsuite/.seconds/bad
O=$PWD/o JOBS=3 TESTS='good bad hangs skips' "$SRC/testsuite/run.sh" --about tests/*.sh >out
has out '^4 tests, 3 at a time: about 8 s, '

# Two that want a processor each, of the two that nproc tells, run at the same time, and only when
# the others have ended; on one processor they run in turn; and last the one that runs alone.
rm -rf tests o bin
mkdir tests bin
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$PROCESSORS"\n' >bin/nproc
chmod +x bin/nproc
for test in 'first:alone' 'second:own processor' 'third:own processor' 'fourth:' 'fifth:'; do
    {
        echo "# ${test#*:}"
        echo "echo begin ${test#*:} >>\"$PWD/order\"; sleep 0.3; echo end ${test#*:} >>\"$PWD/order\""
    } | script "${test%:*}"
done
for processors in 2 1; do
    rm -f order
    PROCESSORS=$processors PATH=$PWD/bin:$PATH run 0 tests ''
    sed -n '5,$p' order >got
    case $processors in
    2) printf '%s own processor\n' begin begin end end ;;
    1) printf '%s own processor\n' begin end begin end ;;
    esac >want
    printf '%s alone\n' begin end >>want
    same got want
done
