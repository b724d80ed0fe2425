#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# timeout: 900
# Functions of a load, a division, multiplications and a call, one of which waits for the
# other: each has the share of the time that is saved when it is left out (main, what it takes when
# all are: as a rest it would have the errors of five times added up), within 5 points on
# AMD Zen 3 and 4, where the correction was measured, 16 on Intel's, where a division is charged for more
# than leaving it out saves, and 8 elsewhere (doc/tested.md, "Skid"), and 3
# standard deviations of what is left to chance. All together are less than half as far off as where
# samples came, and one at least is there that far off. As many series of runs as decide.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"
COSTS=$SRC/testsuite/skid/costs.c

pcc -O2 "$COSTS" -o prog
for without in 0 1 2 3 4 ALL; do
    "$CC" -O2 -DWITHOUT=$without "$COSTS" -o without$without
done
most=8
if grep -q '^vendor_id.*AuthenticAMD' /proc/cpuinfo && grep -q '^cpu family[^0-9]*25$' /proc/cpuinfo; then
    most=5
elif grep -q '^vendor_id.*GenuineIntel' /proc/cpuinfo; then
    most=16
fi

# off SKID: how many points all rows are off together; in `far' those that are too far off.
off() {
    "$MLPROF" -skid "$1" prog mlmon.[1-5] >table
    table_rows cur <table >rows
    awk -v n="$samples" -v most="$most" '
        BEGIN { printf "" >"far" }
        NR == FNR { row[$1] = $2; next }
        {
            p = $2 / 100
            off = row[$1] > $2 ? row[$1] - $2 : $2 - row[$1]
            all += off
            if (off > most + 100 * 3 * sqrt(p * (1 - p) / n))
                printf "%s: %.1f saved, %.1f shown\n", $1, $2, row[$1] >"far"
        }
        END { print all }' rows saved
}

# Whether a series of runs has it so, each by itself; what has not goes to `wrong'. The least of five times, in turn:
# others can only add to it. What is sampled is the sum of five.
corrected() {
    for turn in 1 2 3 4 5; do
        for without in 0 1 2 3 4 ALL; do
            echo "$without $(./without$without)" | cut -d ' ' -f 1,3
        done
        CCPROF=rate=4000,output=mlmon.$turn ./prog >/dev/null
    done | sort -n -k 1,1 -k 2,2 | awk '!($1 in least) { least[$1] = $2 }
        END {
            split("entry quotient hash called", name, " ")
            for (i = 1; i <= 4; i++) print name[i], 100 * (least[0] - least[i]) / least[0]
            print "main", 100 * least["ALL"] / least[0]
        }' >saved
    samples=$(cat mlmon.[1-5] | awk '$1 == "samples" { n += $2 } END { print n }')

    corrected=$(off true)
    has table 'skid corrected$'
    mv far wrong
    came=$(off false)
    hasnot table 'skid corrected'
    [ -s far ] || echo "there is nothing to correct" >>wrong
    true_of "$corrected < $came / 2" ||
        echo "all rows together are $corrected points off, and $came as they came" >>wrong
    [ ! -s wrong ] || sed 's/^/a series: /' wrong | tee -a series >&2
    [ ! -s wrong ]
}
decided corrected || fail "$(cat series)"
