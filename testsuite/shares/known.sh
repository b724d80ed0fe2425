# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# known ALPHA BETA GAMMA: a run of shares.c of 10 s with these percentages must show
# them within 3 points, as must the times that the program took itself, and the
# header must be within 2 % of getrusage.  In some 75 turns the ends of a turn
# move a row by at most one of about 1,000 samples each, evenly spread: three
# points are more than five standard deviations (sqrt(150 / 6) samples are 0.5).

# truth NAME: its percentage by the program's own clock.
truth() {
    awk -v want="$1" '$1 == want { part = $2 }
        $1 ~ /^(alpha|beta|gamma_)$/ { all += $2 }
        END { print 100 * part / all }' output
}

# near NAME PERCENT: its row, and its own clock, are within 3 points of it.
near() {
    own=$(truth "$1")
    true_of "$own - $2 < 1 && $2 - $own < 1" ||
        fail "the program's own clock gives $1 $own%, not $2: the machine is too uneven"
    within "$1" "$(awk "BEGIN { print $own - 3 }")" "$(awk "BEGIN { print $own + 3 }")"
    echo "$1: mlprof $(share "$1"), clock $own, built $2"
}

known() {
    pcc -O2 -s "$KERNEL" "$SRC/testsuite/shares/shares.c" -o shares
    profile shares 10 "$1" "$2" "$3"
    near alpha "$1"
    near beta "$2"
    near gamma_ "$3"
    within main 0 1
    total=$(awk '$1 == "total" { print $2 }' output)
    header=$(seconds)
    true_of "$header > 0.98 * $total && $header < 1.02 * $total" ||
        fail "mlprof says $header s, getrusage $total s"
    echo "header $header s, getrusage $total s"
    charged shares "$ALPHA" alpha main
    charged shares "$BETA" beta main
    charged shares "$GAMMA" gamma_ main
}
