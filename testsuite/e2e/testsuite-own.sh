#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests read a data file with (testsuite/rt/leave-own.awk, testsuite/mlmon.py): samples in ccprof's own code
# are left out, in files by hand, as mlprof does it.
. "$SRC/testsuite/mlprof.sh"
need readelf python3
example prog main sq
example lib other mid -shared

# left FILE SAMPLES OWN: so many are left, in each way to read them, and so many were of the own code.
left() {
    leave="awk -f $SRC/testsuite/rt/leave-own.awk"
    [ "$($leave -v only=samples "$1")" = "$2" ] || fail "$($leave -v only=samples "$1") are left, not $2"
    $leave "$1" >kept
    python3 -c 'import sys
import mlmon
for words in mlmon.of_program(sys.argv[1]):
    print(" ".join(words))' "$1" >got
    same got kept
    "$MLPROF" -json data.json prog "$1" >/dev/null
    python3 -c 'import json
run = json.load(open("data.json"))["run"]
print(run["samples"], run["samples_of_ccprof"])' | holds_line "$2 $3"
}

# holds_line TEXT: standard input is that line.
holds_line() {
    cat >line
    echo "$1" >want
    same line want
}

# Of 30 samples 2 are lost. Those in the first and in the last byte of the library's own code are left out, 3 and 4, and
# 2 in the stub, which the address alone does not tell; the 5 in a function called from there stay, those beside it too.
points() {
    STACK=yes
    data "$1" 30 2 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 8" '1 1 0x1000 3' "2 0 $(at prog 4) 5" '1 1 0x1fff 4' \
        '1 1 0x2000 4' '1 1 0xfff 2' '1 0 0x7fff00001000 2'
    sed -i "/^counts/i own 0 0x7fff00001000 0x7fff00001001\nown 1 0x1000 0x2000" "$1"
}
points file
left file 21 9
sed 's/^samples 30$/samples 21/; s/^\(1 1 0x1000\) 3$/\1 0/; s/^\(1 1 0x1fff\) 4$/\1 0/; s/^\(1 0 0x7fff00001000\) 2$/\1 0/' \
    file >want
same kept want

# In buckets of time: below the points that they are of.
sed 's/^ccprof mlmon 1$/ccprof mlmon 3/; s/^counts .*/times 1000000 3000000\ncounts 15/
    s/^\([01]\) \([^ ]*\) \(0x[^ ]*\) \([0-9]*\)$/\1 \2 \3 0\n+\1 time 0x1 \4/
    s/^2 \([^ ]*\) \(0x[^ ]*\) 5$/2 \1 \2 0\n3 time 0x0 4\n3 time 0x2 1/' file |
    sed 's/^+1/2/; s/^+0/1/' >timed
[ "$(awk '$2 == "time" { sum += $4 } END { print sum }' timed)" = 28 ] || fail "the file is not as meant: $(cat timed)"
left timed 21 9
awk '$2 == "time" && $1 == 2 && above ~ /^1 1 0x1(000|fff) |^1 0 0x7fff00001000 / { next }
    $1 == "samples" { $2 = 21 }
    { above = $0; print }' timed >want
same kept want
[ "$(awk '$2 == "time" { sum += $4 } END { print sum }' kept)" = 19 ] || fail 'other buckets are left'

# Where nothing is ccprof's, the file is what it was.
sed '/^own /d' timed >none
left none 30 0
same kept none
sed '/^own /d; /^samples/d; /^engine\|^clock\|^rate\|^stack\|^lost\|^elsewhere/d; s/^kind time/kind count/
    /^counts/,/^end/{/^end/!d}' file >count
awk -f "$SRC/testsuite/rt/leave-own.awk" count >kept
same kept count
