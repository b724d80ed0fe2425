#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh TEST...: runs each test, an executable, in a fresh folder $O/testsuite/NAME.
# Exit status 0 of a test is a pass, 77 a skip, all else a failure.
# run.sh --about TEST...: only says how many tests there are and about how long they take.
#
# A passing test that could not try all of it prints a line `skipped: WHAT AND WHY' for each
# part (leave_out of lib.sh): its line tells them, and they are counted at the end.
#
# Environment: O (build folder), BIN (folder of the program limit), JOBS (tests at a time), TESTS (names to run,
# all if empty), TIMEOUT (seconds of CPU time for one test and all that it starts, 300: on a busy machine the
# same work takes twice the CPU time that it takes on a quiet one), IDLE (seconds in which
# these may do nothing at all, 300), ROWS (`check': of the tables of tests only what `make check' takes (rows in
# lib.sh), and not the tests that say so below; otherwise all), COVERAGE (coverage.py, to take what the counters of
# --coverage say of each test; empty: nothing is taken).  No test is ended since the machine is busy
# (limit.c).  In its lines 2 to 5 a test may say
#     # check-all       it is run by `make check-all' and where it is named, but not by `make check'
#     # alone           it measures time: nothing runs beside it
#     # own processor   it measures shares of the time of one thread: only others like it run
#                       beside it, one for each processor
#     # timeout: 600
#     # show: 5         that many lines of its output at the end are printed if it passes
# The last lines name what failed, with the end of its output, and count: `N passed, N failed`; exit status 1
# if any failed or none ran.

set -u
# No test has a part in the jobs of the make that runs it: at a link GCC would take one, by a makefile in
# which the `$' of a regular expression is lost (GCC: lto-wrapper.cc).
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

# says FILE WORD: its lines 2 to 5 hold the comment `# WORD`; prints what follows it.
says() {
    case $1 in
    *.test) sed -n "2,5{s/^# $2\\(: *\\)\\{0,1\\}/,/p;}" "$1" ;;
    esac
}

# phase TEST: when it runs: `alone', `apart' from those that may use many processors, or `together'.
phase() {
    if [ -n "$(says "$1" alone)" ]; then
        echo alone
    elif [ -n "$(says "$1" 'own processor')" ]; then
        echo apart
    else
        echo together
    fi
}

# at_a_time PHASE: how many tests.
at_a_time() {
    case $1 in
    alone) echo 1 ;;
    apart) [ "$JOBS" -lt "$processors" ] && echo "$JOBS" || echo "$processors" ;;
    together) echo "$JOBS" ;;
    esac
}

# entries FOLDER: how many it has.
entries() {
    # shellcheck disable=SC2012
    ls "$1" | wc -l
}

# number: how many tests have ended, this one included; no two tests get the same.
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

# parts LOG: what a test says that it has left out, each on a line.
parts() {
    sed -n 's/^skipped: //p' "$1"
}

# about TEST...: the seconds that they may take: as long as the last time in this folder,
# or 6 for a script, which is the mean.
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

# shown LINES LOG: the last lines, each on a line of its own, or nothing.
shown() {
    [ -z "$1" ] || printf '\n%s' "$(tail -n "$1" "$2" | sed 's/^/    /')"
}

progress() {
    if [ -t 1 ]; then
        printf '\r\033[K%s of %s: %s' "$(entries "$runs/.ended")" "$TOTAL" "$1"
    fi
}

# one TEST: runs it and leaves its result as a file.
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

# some PHASE TEST...: its tests.
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
# The lists are to be split at the newlines.
# shellcheck disable=SC2086
set -- $together $apart $alone
TOTAL=$#
if [ "$only" = about ]; then
    echo "$TOTAL tests, $JOBS at a time: about $(about "$@"), and before that what is to be installed and built"
    exit 0
fi
rm -rf "$runs/.results" "$runs/.ended"
mkdir -p "$runs/.results" "$runs/.ended" "$runs/.seconds" "$runs/.cpu"
# Where python3 is a script that looks for the Python that is meant, pyenv's say, it is asked once: each of its
# calls costs half a second of CPU time.
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
# Who has only the end of a long output finds the reasons there.
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
