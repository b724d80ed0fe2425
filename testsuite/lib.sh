# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests, which source this file: . "$SRC/testsuite/lib.sh"
# Afterwards, a failing command ends the test.

set -eu
export LC_ALL=C
# Names in tables are not shortened. Tests of lines with 80 columns change this.
export COLUMNS=1000
# For the Python modules that several folders use.
export PYTHONPATH="$SRC/testsuite${PYTHONPATH:+:$PYTHONPATH}"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

skip() {
    echo "$*" >&2
    exit 77
}

# installed TOOL: returns whether it is installed. Fails the test if the list $MUST_HAVE has the
# missing tool.
installed() {
    command -v "$1" >/dev/null 2>&1 && return
    case " ${MUST_HAVE-} " in
    *" $1 "*) fail "$1 is not installed, and must be" ;;
    esac
    return 1
}

# need TOOL...: skips the test if one of the tools is not installed.
need() {
    for tool; do
        installed "$tool" || skip "$tool is not installed"
    done
}

# leave_out PART AND REASON: reports, through run.sh, that a part of this test cannot run here.
leave_out() {
    echo "skipped: $*"
}

# have TOOL PART: returns whether the tool is installed. If not, reports that PART is left out.
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

# understood OPTIONS: returns whether the compiler has them. Some options exist for one processor.
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

# run STATUS COMMAND...: runs the command; its output goes to the files out and err. Fails if the
# exit status is another one.
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

# has FILE PATTERN: checks that a line of the file matches the basic regular expression.
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

# same GOT WANT: checks that two files are equal.
same() {
    if ! cmp -s -- "$1" "$2"; then
        diff -u -- "$2" "$1" >&2 || :
        fail "$1 is not as expected"
    fi
}

# rows FILE: prints the rows of a table that must run now, without their first word. Rows that begin
# with `check' always run. Rows that begin with `all' execute code that other rows execute too, and
# run only if $ROWS is all (run.sh). Empty lines and lines that begin with # are not rows.
rows() {
    awk -v all="${ROWS:-all}" '/^ *(#|$)/ { next }
        $1 != "check" && $1 != "all" { print "rows: neither check nor all: " $0 >"/dev/stderr"; exit 1 }
        $1 == "check" || all == "all" { sub(/^ *[a-z]+ +/, ""); print }' "$1"
}

# each_row FILE: like rows. The part of a row after `: ' (or the whole row if it has no `: ') may be a
# list of values separated by ` | '. Each value becomes a row.
each_row() {
    rows "$1" >.rows || return
    awk '{ at = index($0, ": "); head = at ? substr($0, 1, at - 1) " " : ""
        count = split(at ? substr($0, at + 2) : $0, value, / *\| */)
        for (i = 1; i <= count; i++) { sub(/^ +/, "", value[i]); print head value[i] } }' .rows
}

# options_for NAME FILE: prints the compiler options for a test, one set per line. FILE has rows
# `check NAME OPTIONS; OPTIONS; ...' and `all NAME ...'. Fails if FILE has no row for NAME.
options_for() {
    rows "$2" >.rows || return
    awk -v name="$1" '$1 == name { sub(/^[^ ]+ +/, ""); gsub(/ *; */, "\n"); print; n++ }
        END { if (!n) print "options_for: no row of " name >"/dev/stderr"; exit !n }' .rows
}
