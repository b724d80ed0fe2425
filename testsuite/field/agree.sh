# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests that compare time-field with time-label: . "$SRC/testsuite/field/agree.sh" behind
# field.sh.  They agree within 3 points for each function, and 3 standard deviations of what
# is left to chance in both runs, but for the rows that `apart' names; these agree together,
# and are printed.

arguments=

# What is profiled, from the sources and options that agree is given: a test may have another.
build() {
    pcc -O2 "$@" -o prog -lm
}

# rows OPTIONS...: builds, runs, and prints the rows: NAME, a tab, PERCENT.
rows() (
    export CCPROF=rate=4000
    build "$@"
    # shellcheck disable=SC2086
    profile prog $arguments
    # Time-label's addresses are corrected for skid.  The field needs no correction: it was
    # stored in front of the instruction that the program waits for.
    "$MLPROF" -raw true prog mlmon.out >table
    awk 'NR > 3 && match($0, / +[0-9.]+% +\(/) {
            print substr($0, 1, RSTART - 1) "\t" substr($0, RSTART) + 0
        }' table | sort
)

# apart NAME POINTS: in the next program this row may differ by so many points.
apart() {
    printf '%s\t%s\n' "$1" "$2" >>apart
}

# agree NAME SOURCE OPTION...
agree() {
    echo "$1"
    shift
    rows "$@" >label
    samples=$(sed -n 's/^samples //p' mlmon.out)
    rows "$KIND" "$@" >field
    touch apart
    # Tabs do not divide names.
    tab=$(printf '\t')
    join -t "$tab" -a 1 -a 2 -e 0 -o 0,1.2,2.2 label field |
        awk -F '\t' -v n="$samples" '
        function chance(percent, p) {
            p = percent / 200
            return 100 * 3 * sqrt(2 * p * (1 - p) / n)
        }
        function judge(name, label, field, most) {
            if (field - label <= most && label - field <= most)
                return
            printf "%s: %.1f by label, %.1f by field, may be %.1f apart\n", name, label, field, most
            bad = 1
        }
        FILENAME == "apart" { most[$1] = $2; next }
        $1 in most {
            printf "    %s: %.1f by label, %.1f by field\n", $1, $2, $3
            judge($1, $2, $3, most[$1] + chance($2 + $3))
            label += $2
            field += $3
            next
        }
        { judge($1, $2, $3, 3 + chance($2 + $3)) }
        END {
            judge("together", label, field, 3 + chance(label + field))
            exit bad
        }' apart - || fail "they do not agree"
    rm apart
}

# tracer NAME OPTION...: the ray tracer.  A few instructions of the walk stand between those of
# the boxes' arithmetic, for which they wait.
tracer() {
    name=$1
    shift
    apart box_hit 7
    apart blocked_below 7
    arguments='400 3'
    agree "$name" "$@" "$SRC"/testsuite/demo/*.c
    arguments=
}
