#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh TEST...: runs each test, an executable, in a fresh folder $O/testsuite/NAME.
# Exit status 0 of a test is a pass, 77 a skip, all else a failure.
#
# Environment: O (build folder), JOBS (tests at a time), TESTS (names to run, all if
# empty), TIMEOUT (seconds for one test, 300).  In its lines 2 to 5 a test may say
#     # alone           it measures time: nothing runs beside it
#     # timeout: 600
#     # show: 5         that many lines of its output at the end are printed if it passes
# The last line printed is `N passed, N failed`; exit status 1 if any failed or none ran.

set -u
: "${O:?}" "${JOBS:=1}" "${TESTS:=}" "${TIMEOUT:=300}"
[ -n "$JOBS" ] || JOBS=1
runs=$O/testsuite

name() {
    basename "$1" .sh
}

# says FILE WORD: its lines 2 to 5 hold the comment `# WORD`; prints what follows it.
says() {
    case $1 in
    *.sh) sed -n "2,5{s/^# $2\\(: *\\)\\{0,1\\}/,/p;}" "$1" ;;
    esac
}

report() {
    if [ -t 1 ]; then
        printf '\r\033[K'
    fi
    printf '%s\n' "$1"
}

# shown LINES LOG: the last lines, each on a line of its own, or nothing.
shown() {
    [ -z "$1" ] || printf '\n%s' "$(tail -n "$1" "$2" | sed 's/^/    /')"
}

progress() {
    if [ -t 1 ]; then
        printf '\r\033[K%s of %s: %s' "$(ls "$runs/.results" | wc -l)" "$TOTAL" "$1"
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
    (cd "$folder" && exec timeout -k 10 "${limit:-$TIMEOUT}" "$test") >"$log" 2>&1 </dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    case $status in
    0) result=PASS ;;
    77) result=SKIP ;;
    *) result=FAIL ;;
    esac
    echo "$result" >"$runs/.results/$name"
    case $result in
    PASS)
        show=$(says "$test" show)
        report "PASS $name ($seconds s)$(shown "${show#,}" "$log")"
        ;;
    SKIP) report "SKIP $name: $(tail -n 1 "$log")" ;;
    FAIL)
        case $status in
        124 | 137) why="no end after ${limit:-$TIMEOUT} s" ;;
        *) why="exit status $status" ;;
        esac
        report "FAIL $name ($seconds s, $why), the end of $log:
$(tail -n "${LOG_LINES:-30}" "$log" | sed 's/^/    /')"
        ;;
    esac
}

# some JOBS TEST...: that many at a time.
some() {
    jobs=$1
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

rm -rf "$runs/.results"
mkdir -p "$runs/.results"
together=
alone=
known=" "
for test; do
    name=$(name "$test")
    known="$known$name "
    case " $TESTS " in
    "  " | *" $name "*) ;;
    *) continue ;;
    esac
    case $test in
    /*) ;;
    *) test=$PWD/$test ;;
    esac
    if [ -n "$(says "$test" alone)" ]; then
        alone="$alone$test
"
    else
        together="$together$test
"
    fi
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
set -- $together $alone
TOTAL=$#
# shellcheck disable=SC2086
some "$JOBS" $together
# shellcheck disable=SC2086
some 1 $alone

passed=$(count PASS)
failed=$(count FAIL)
skipped=$(count SKIP)
if [ $((passed + failed + skipped)) -ne "$TOTAL" ]; then
    failed=$((TOTAL - passed - skipped))
fi
line="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then
    line="$line, $skipped skipped"
fi
echo "$line"
[ "$failed" -eq 0 ] && [ "$TOTAL" -gt 0 ]
