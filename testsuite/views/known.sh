# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# known ALPHA BETA GAMMA: a run of shares.c of 5 s with these percentages must show
# the times that the program took itself within 3 points, which are within one point of the percentages, and the
# header must be within 2 % of getrusage.  In some 40 turns the ends of a turn
# move a row by at most one of about 500 samples each, evenly spread: three
# points are four standard deviations (sqrt(80 / 6) samples are 0.7).
# If a run has not, more runs decide.

# truth NAME: its percentage by the program's own clock.
truth() {
    awk -v want="$1" '$1 == want { part = $2 }
        $1 ~ /^(alpha|beta|gamma_)$/ { all += $2 }
        END { print 100 * part / all }' output
}

# around FAR NAME GOT PERCENT WHAT
around() {
    lies "$(awk "BEGIN { print $4 - $1 }")" "$3" "$(awk "BEGIN { print $4 + $1 }")" "$5 of $2"
}

# as_built NAME PERCENT: whether the program's own clock gives it that, and its row what the clock does.
as_built() {
    own=$(truth "$1")
    echo "$1: mlprof $(share "$1"), clock $own, built $2"
    around 1 "$1" "$own" "$2" "the program's clock" && around 3 "$1" "$(share "$1")" "$own" 'the row'
}

# known_once ALPHA BETA GAMMA: in one run.
known_once() {
    profile shares 5 "$1" "$2" "$3"
    total=$(awk '$1 == "total" { print $2 }' output)
    echo "header $(seconds) s, getrusage $total s"
    as_built alpha "$1" && as_built beta "$2" && as_built gamma_ "$3" && lies 0 "$(share main)" 1 'the row of main' &&
        lies "$(awk "BEGIN { print 0.98 * $total }")" "$(seconds)" "$(awk "BEGIN { print 1.02 * $total }")" 'the header'
}

known() {
    pcc -O2 -s "$KERNEL" "$SRC/testsuite/views/shares.c" -o shares
    decide known_once "$@"
    charged shares "$ALPHA" alpha main
    charged shares "$BETA" beta main
    charged shares "$GAMMA" gamma_ main
}
