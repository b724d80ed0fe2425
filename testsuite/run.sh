#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh TEST...: runs each test, an executable, in a fresh folder $O/testsuite/NAME.
# Exit status 0 of a test is a pass, 77 a skip, all else a failure.
# run.sh --about TEST...: only prints how many tests there are and about how long they take.
#
# A passing test that cannot run a part of itself prints a line `skipped: PART AND REASON' for each
# part (leave_out of lib.sh). The line of the test shows these parts, and the last line counts them.
#
# Environment:
#     O         build folder
#     BIN       folder of the program limit
#     JOBS      number of tests at a time
#     TESTS     names of the tests to run; empty: all
#     TIMEOUT   seconds of CPU time for one test and all its processes, 300. On a busy machine the
#               same work takes twice the CPU time.
#     IDLE      seconds for which all processes of a test may be idle, 300
#     ROWS      `check': run only the rows of tables for `make check' (rows in lib.sh), and leave out
#               the tests marked check-all; otherwise all
#     COVERAGE  coverage.py, which collects the counters of --coverage after each test; empty: none
# No test is ended because the machine is busy (limit.c). Lines 2 to 5 of a test may contain:
#     # check-all       `make check' leaves the test out; `make check-all' and TESTS run it
#     # alone           the test measures time: no other test runs at the same time
#     # own processor   the test measures shares of the time of one thread: only tests with this mark
#                       run at the same time, one for each processor
#     # timeout: 600
#     # show: 5         the last 5 lines of its output are printed if it passes
# The last lines name the failed tests with the end of their output, and count `N passed, N failed`.
# The exit status is 1 if a test failed or none ran.

set -u
# Tests do not use the job slots of the make that runs them. Otherwise GCC would use them when it
# links, with a makefile in which the `$' of a regular expression is lost (GCC: lto-wrapper.cc).
MAKEFLAGS=$(printf '%s\n' "${MAKEFLAGS-}" | sed 's/ -j[0-9]*//; s/ --jobserver-[a-z]*=[^ ]*//')
export MAKEFLAGS
# Check ends a case after 4 seconds on the clock, which a busy machine does not stop.
export CK_DEFAULT_TIMEOUT=0
: "${O:?}" "${BIN:?}" "${JOBS:=1}" "${TESTS:=}" "${ROWS:=all}" "${TIMEOUT:=300}" "${IDLE:=300}"
[ -n "$JOBS" ] || JOBS=1
export ROWS
runs=$O/testsuite
processors=$(nproc)

name() {
    name_of=${1##*/}
    echo "${name_of%.*}"
}

# says FILE WORD: prints the text after the comment `# WORD` in lines 2 to 5 of the file.
says() {
    case $1 in
    *.test) sed -n "2,5{s/^# $2\\(: *\\)\\{0,1\\}/,/p;}" "$1" ;;
    esac
}

# phase TEST: prints when the test runs: `alone', `apart' from tests that use many processors, or
# `together'.
phase() {
    if [ -n "$(says "$1" alone)" ]; then
        echo alone
    elif [ -n "$(says "$1" 'own processor')" ]; then
        echo apart
    else
        echo together
    fi
}

# at_a_time PHASE: prints how many tests of the phase run at a time.
at_a_time() {
    case $1 in
    alone) echo 1 ;;
    apart) [ "$JOBS" -lt "$processors" ] && echo "$JOBS" || echo "$processors" ;;
    together) echo "$JOBS" ;;
    esac
}

# entries FOLDER: prints the number of entries in the folder.
entries() {
    # shellcheck disable=SC2012
    ls "$1" | wc -l
}

# number: prints how many tests have ended, including this one. Each test gets another number.
number() {
    number=$(entries "$runs/.ended")
    until number=$((number + 1)) && mkdir "$runs/.ended/$number" 2>/dev/null; do
        :
    done
    echo "$number"
}

report() {
    if [ -t 1 ]; then
        printf '\r\033[K'
    fi
    printf '[%s/%s] %s\n' "$(number)" "$TOTAL" "$1"
}

# parts LOG: prints the parts that a test has left out, one per line.
parts() {
    sed -n 's/^skipped: //p' "$1"
}

# about TEST...: prints the expected seconds: the time of the last run in this folder, or 6 for a
# script, the mean.
about() {
    for test; do
        seconds=$(cat "$runs/.seconds/$(name "$test")" 2>/dev/null)
        case $test in
        *.test) : "${seconds:=6}" ;;
        *) : "${seconds:=0}" ;;
        esac
        among=$(at_a_time "$(phase "$test")")
        echo "$seconds $among"
    done | awk '{ all += $1 / $2 } END { print all < 90 ? int(all + 0.5) " s" : int(all / 60 + 0.5) " minutes" }'
}

# shown LINES LOG: prints the last lines of the log, or nothing.
shown() {
    [ -z "$1" ] || printf '\n%s' "$(tail -n "$1" "$2" | sed 's/^/    /')"
}

progress() {
    if [ -t 1 ]; then
        printf '\r\033[K%s of %s: %s' "$(entries "$runs/.ended")" "$TOTAL" "$1"
    fi
}

# one TEST: runs the test and writes its result to a file.
one() {
    test=$1
    name=$(name "$test")
    folder=$runs/$name
    log=$runs/$name.log
    limit=$(says "$test" timeout)
    limit=${limit#,}
    rm -rf "$folder"
    mkdir -p "$folder"
    progress "$name"
    start=$(date +%s)
    if [ "${COVERAGE-}" ]; then
        rm -rf "$folder.gcda"
        export GCOV_PREFIX="$folder.gcda"
    fi
    (cd "$folder" && LIMIT_CPU=$runs/.cpu/$name exec "$BIN/limit" "${limit:-$TIMEOUT}" "$IDLE" "$test") >"$log" 2>&1 </dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    if [ "${COVERAGE-}" ]; then
        mkdir -p "$runs/.coverage"
        [ ! -d "$folder.gcda" ] || "$COVERAGE" take "$folder.gcda" "$runs/.coverage/$name"
        rm -rf "$folder.gcda"
    fi
    cpu=$(cat "$runs/.cpu/$name" 2>/dev/null)
    case $status in
    0) result=PASS ;;
    77) result=SKIP ;;
    *) result=FAIL ;;
    esac
    echo "$result" >"$runs/.results/$name"
    case $result in
    PASS)
        echo "$seconds" >"$runs/.seconds/$name"
        show=$(says "$test" show)
        report "PASS $name ($seconds s, $cpu s of CPU time$(parts "$log" | sed 's/^/; skipped: /' | tr -d '\n'))$(shown "${show#,}" "$log")"
        ;;
    SKIP) report "SKIP $name: $(tail -n 1 "$log")" ;;
    FAIL)
        case $status in
        124) why="no end after ${limit:-$TIMEOUT} s of CPU time" ;;
        125) why="nothing done for $IDLE s" ;;
        *) why="exit status $status" ;;
        esac
        report "FAIL $name ($seconds s, $why), the end of $log:
$(tail -n "${LOG_LINES:-30}" "$log" | sed 's/^/    /')"
        ;;
    esac
}

# some PHASE TEST...: runs the tests of a phase.
some() {
    jobs=$(at_a_time "$1")
    shift
    [ $# -gt 0 ] || return 0
    printf '%s\n' "$@" | TOTAL=$TOTAL xargs -P "$jobs" -I '{}' "$0" --one '{}'
}

count() {
    grep -lx "$1" "$runs/.results/"* 2>/dev/null | wc -l
}

if [ "${1-}" = --one ]; then
    one "$2"
    exit 0
fi

only=
if [ "${1-}" = --about ]; then
    only=about
    shift
fi
together=
apart=
alone=
known=" "
for test; do
    name=$(name "$test")
    known="$known$name "
    case " $TESTS " in
    "  ") [ "$ROWS" != check ] || [ -z "$(says "$test" check-all)" ] || continue ;;
    *" $name "*) ;;
    *) continue ;;
    esac
    case $test in
    /*) ;;
    *) test=$PWD/$test ;;
    esac
    case $(phase "$test") in
    alone)
        alone="$alone$test
"
        ;;
    apart)
        apart="$apart$test
"
        ;;
    together)
        together="$together$test
"
        ;;
    esac
done
for name in $TESTS; do
    case $known in
    *" $name "*) ;;
    *)
        echo "run.sh: no test is called $name" >&2
        exit 1
        ;;
    esac
done

IFS='
'
# The lists are split at the newlines.
# shellcheck disable=SC2086
set -- $together $apart $alone
TOTAL=$#
if [ "$only" = about ]; then
    echo "$TOTAL tests, $JOBS at a time: about $(about "$@"), and before that what is to be installed and built"
    exit 0
fi
rm -rf "$runs/.results" "$runs/.ended"
mkdir -p "$runs/.results" "$runs/.ended" "$runs/.seconds" "$runs/.cpu"
# If python3 is a script that chooses a Python, as pyenv's is, call it only once: each call costs half
# a second of CPU time.
if python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && [ "$python" ]; then
    mkdir -p "$runs/.bin"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$runs/.bin/python3"
    chmod +x "$runs/.bin/python3"
    PATH=$runs/.bin:$PATH
fi
# shellcheck disable=SC2086
some together $together
# shellcheck disable=SC2086
some apart $apart
# shellcheck disable=SC2086
some alone $alone

passed=$(count PASS)
failed=$(count FAIL)
skipped=$(count SKIP)
if [ $((passed + failed + skipped)) -ne "$TOTAL" ]; then
    failed=$((TOTAL - passed - skipped))
fi
left_out=$(cd "$runs" && grep -lx PASS .results/* 2>/dev/null | while read -r result; do
    parts "$(basename "$result").log"
done | wc -l)
if [ "$left_out" -gt 0 ]; then
    echo "skipped in tests that passed: $left_out parts, told in their lines"
fi
# Repeat the reasons at the end, where readers of a long output find them.
for result in $(cd "$runs/.results" && grep -lx FAIL ./* 2>/dev/null | head -n 10); do
    name=${result#./}
    echo "failed: $name"
    tail -n 6 "$runs/$name.log" | sed 's/^/    /'
done
line="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then
    line="$line, $skipped skipped"
fi
echo "$line"
[ "$failed" -eq 0 ] && [ "$TOTAL" -gt 0 ]
