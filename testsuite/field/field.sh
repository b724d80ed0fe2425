# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the field-* tests: . "$SRC/testsuite/field/field.sh" instead of lib.sh.
#
# 1000 samples a second: of the 300 of a run of 0.3 s a row of 60 % has 2.8 points of
# standard deviation.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/views/rows.sh"
export CCPROF=rate=1000
FIELD=$SRC/testsuite/field
FORMS=$SRC/testsuite/kinds
KIND=-fplugin-arg-ccprof-profile=time-field
export FIELD FORMS KIND

# 60 to 40 within 4.5 standard deviations.
split() {
    within "$1" 47 73
    within "$2" 27 53
    sums 90 "$1" "$2"
}

# half NAME PERCENT: its row in `table` has half of that at least. What one function has not
# got another has, and a field that is not put back takes nearly all of a row; where others
# have the machine, too, the samples come in bursts, and standard deviations say little: then three
# of five more runs decide.
half() {
    sums "$(awk "BEGIN { print $2 / 2 }")" "$1"
}

# clocked PROGRAM: runs it; its functions have, by `half', the shares that it prints, NAME PERCENT,
# by the clock.
clocked() {
    profile "$1"
    names=
    # More runs write another one.
    cp output said
    while read -r name percent; do
        half "$name" "$percent"
        names="$names $name"
    done <said
    # shellcheck disable=SC2086
    sums 85 $names
}

# assembly FUNCTION FILE: of the function, into function.s, less directives and labels.
assembly() {
    sed -n "/^$1:/,/\.size[[:space:]]*$1,/p" "$2" | sed '/^[.#]/d; /^	[.]/d' >function.s
    [ -s function.s ] || fail "no function $1 in $2"
}

# stores NUMBER: function.s stores into the field so often.
stores() {
    got=$(grep -c 'mov.*%fs:' function.s || :)
    if [ "$got" -ne "$1" ]; then
        cat function.s >&2
        fail "$got stores, not $1"
    fi
}
