# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests, which source it: . "$SRC/testsuite/lib.sh"
# After it a command that fails ends the test.

set -eu
export LC_ALL=C
# Names in tables are whole, unless a test is about lines of 80 columns.
export COLUMNS=1000
# What Python programs of several folders use.
export PYTHONPATH="$SRC/testsuite${PYTHONPATH:+:$PYTHONPATH}"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

skip() {
    echo "$*" >&2
    exit 77
}

# installed TOOL: fails the test where it is not there, but $MUST_HAVE, a list of names, has it.
installed() {
    command -v "$1" >/dev/null 2>&1 && return
    case " ${MUST_HAVE-} " in
    *" $1 "*) fail "$1 is not installed, and must be" ;;
    esac
    return 1
}

# need TOOL...: skips the test where one of them is not installed.
need() {
    for tool; do
        installed "$tool" || skip "$tool is not installed"
    done
}

# leave_out WHAT AND WHY: a part of this test cannot be tried here; run.sh tells of it.
leave_out() {
    echo "skipped: $*"
}

# have TOOL WHAT: the tool is installed; without it WHAT is left out.
have() {
    installed "$1" || {
        leave_out "$2: $1 is not installed"
        return 1
    }
}

# shellcheck source=testsuite/cpu.sh
. "$SRC/testsuite/cpu.sh"
# shellcheck source=testsuite/decide.sh
. "$SRC/testsuite/decide.sh"
# shellcheck source=testsuite/table.sh
. "$SRC/testsuite/table.sh"

# understood OPTIONS: the compiler has them: some are of one processor alone.
understood() {
    case " $*" in
    *' -masm='* | *' -fcf-protection'* | *' -mavx'* | *' -mtune='* | *' -mno-red-zone'* | *' -mcmodel=large'* | \
        *' -mindirect-branch='* | *' -mfunction-return='* | *' -fsplit-stack'*)
        [ "$cpu" = x86_64 ]
        ;;
    *' -mbranch-protection='* | *' -mno-outline-atomics'*) [ "$cpu" = aarch64 ] ;;
    esac
}

# The compilers with the plugin.
pcc() {
    "$CC" -fplugin="$PLUGIN" "$@"
}

pcxx() {
    "$CXX" -fplugin="$PLUGIN" "$@"
}

pfc() {
    "$FC" -fplugin="$PLUGIN" "$@"
}

# run STATUS COMMAND...: runs it into the files out and err; fails on another status.
run() {
    want=$1
    shift
    got=0
    "$@" >out 2>err || got=$?
    if [ "$got" -ne "$want" ]; then
        sed 's/^/    /' out err >&2
        fail "exit status $got, not $want: $*"
    fi
}

# has FILE PATTERN: a line of it matches the basic regular expression.
has() {
    if ! grep -q -e "$2" -- "$1"; then
        sed 's/^/    /' "$1" >&2
        fail "no line of $1 matches $2"
    fi
}

hasnot() {
    if grep -q -e "$2" -- "$1"; then
        sed 's/^/    /' "$1" >&2
        fail "a line of $1 matches $2"
    fi
}

# same GOT WANT: two files are equal.
same() {
    if ! cmp -s -- "$1" "$2"; then
        diff -u -- "$2" "$1" >&2 || :
        fail "$1 is not as expected"
    fi
}

# rows FILE: of a table's lines those that are to run now, without their first word: lines that begin with `check'
# always; those with `all', which take code paths that others take, too, only where $ROWS is all (run.sh). Empty
# lines and those that begin with # are none.
rows() {
    awk -v all="${ROWS:-all}" '/^ *(#|$)/ { next }
        $1 != "check" && $1 != "all" { print "rows: neither check nor all: " $0 >"/dev/stderr"; exit 1 }
        $1 == "check" || all == "all" { sub(/^ *[a-z]+ +/, ""); print }' "$1"
}

# each_row FILE: rows, where what is behind `: ' (or all of a row without it) may be several values with ` | ' between
# them: a row for each.
each_row() {
    rows "$1" >.rows || return
    awk '{ at = index($0, ": "); head = at ? substr($0, 1, at - 1) " " : ""
        count = split(at ? substr($0, at + 2) : $0, value, / *\| */)
        for (i = 1; i <= count; i++) { sub(/^ +/, "", value[i]); print head value[i] } }' .rows
}

# options_for NAME FILE: what a test is to compile with now, a line each. FILE has rows `check NAME OPTIONS; OPTIONS;
# ...' and `all NAME ...'; it is a mistake if there is nothing for NAME.
options_for() {
    rows "$2" >.rows || return
    awk -v name="$1" '$1 == name { sub(/^[^ ]+ +/, ""); gsub(/ *; */, "\n"); print; n++ }
        END { if (!n) print "options_for: no row of " name >"/dev/stderr"; exit !n }' .rows
}
