# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests that compare samples with functions, without mlprof.

# inside FILE PROGRAM FUNCTION: the samples in it.
inside() {
    nm -n "$2" | awk -v name="$3" '
        from && $1 != from { print from, $1; exit }
        $3 == name { from = $1 }' |
        while read -r from to; do
            awk -v from="$((0x$from))" -v to="$((0x$to))" '
                function hex(text, n, i) {
                    n = 0
                    for (i = 3; i <= length(text); i++)
                        n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
                    return n
                }
                $1 == "counts" { on = 1; next }
                on && $2 == "0" && hex($3) >= from && hex($3) < to { sum += $4 }
                END { print sum + 0 }' "$1"
        done
}
