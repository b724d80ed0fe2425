#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Functions of a load, a division, multiplications and a call, one of which waits for the
# other: each has the share of the time that is saved when it is left out, within 5 points
# and 3 standard deviations of what is left to chance; where samples came, it has not.
. "$SRC/testsuite/lib.sh"
COSTS=$SRC/testsuite/skid/costs.c

pcc -O2 "$COSTS" -o prog
for without in 0 1 2 3 4; do
    "$CC" -O2 -DWITHOUT=$without "$COSTS" -o without$without
done
# The least of five, in turn: others can only add to it.
# shellcheck disable=SC2034
for turn in 1 2 3 4 5; do
    for without in 0 1 2 3 4; do
        echo "$without $(./without$without)" | cut -d ' ' -f 1,3
    done
done | sort -n -k 1,1 -k 2,2 | awk '!($1 in least) { least[$1] = $2 }
    END {
        split("entry quotient hash called", name, " ")
        for (i = 1; i <= 4; i++)
            print name[i], 100 * (least[0] - least[i]) / least[0]
    }' >saved
CCPROF=rate=4000 ./prog
samples=$(sed -n 's/^samples //p' mlmon.out)

# far SKID: the functions of which the row is not what is saved.
far() {
    "$MLPROF" -skid "$1" prog mlmon.out | sed 's/%//' >table
    awk -v n="$samples" 'NR == FNR { row[$1] = $2; next }
        {
            p = $2 / 100
            most = 5 + 100 * 3 * sqrt(p * (1 - p) / n)
            if (row[$1] - $2 > most || $2 - row[$1] > most)
                printf "%s: %.1f saved, %.1f shown\n", $1, $2, row[$1]
        }' table saved
}
far true >got
same got /dev/null
has table 'skid corrected$'
far false >raw
[ -s raw ] || fail "there is nothing to correct"
hasnot table 'skid corrected'
