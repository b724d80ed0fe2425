#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Times of samples: what two threads did one after the other is where the clock says; buckets become
# wider and nothing is lost; children have times of their own; what other settings make is as ever.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
THREADS=$SRC/testsuite/threads

# names PROGRAM: where its two parts are.
names() {
    nm -S "$1" | sed -n 's/^\([0-9a-f]*\) \([0-9a-f]*\) t \(part_[ab]\)$/\1 \2 \3/p' |
        while read -r at size name; do
            echo "$((0x$at)) $((0x$at + 0x$size)) $name"
        done
}

# in_order FILE TOLD: whether each part has samples from where it began to where it ended alone, but for two
# buckets, and what the machine has needed to come from the start of the run to main: a time that is one for all
# parts of the process.
in_order() {
    awk -f "$THREADS/times.awk" where "$1" | sort >buckets
    awk -v width="$(sed -n 's/^times \([0-9]*\) .*/\1/p' "$1")" '
        NR == FNR { from[$1, $2] = $3; to[$1, $2] = $4; next }
        $2 != "part_a" && $2 != "part_b" { next }
        {
            who = $1 == 1 ? "first" : "second"
            if (!((who, $2) in from)) who = "child"
            at = $3 * width / 1e9
            got[who, $2] += $4
            least = at - to[who, $2] - 2 * width / 1e9
            most = at - from[who, $2] + 2 * width / 1e9
            if (least > late) { late = least; latest = $0 }
            if (!n++ || most < early) { early = most; earliest = $0 }
        }
        END {
            if (late > early || late > 0.25) {
                print "main begins at " late " by " latest ", and at " early " by " earliest
                wrong = 1
            }
            for (key in from)
                if (!got[key]) { print "nothing in " key; wrong = 1 }
            exit wrong
        }' "$2" buckets
}

# shellcheck disable=SC2086
pcc -O2 -no-pie -pthread -I"$SRC/rt" -I"$RT" "$THREADS/times.c" -o prog
names prog >where
[ "$(wc -l <where)" = 2 ] || fail "the parts are not there"

echo 'Two threads'
two_threads() {
    run 0 env CCPROF=times=20,rate=1000 ./prog 0.2
    [ ! -s err ] || fail "it says: $(cat err)"
    valid mlmon.out
    has mlmon.out '^ccprof mlmon 3$'
    has mlmon.out '^times 20000000 '
    in_order mlmon.out out
}
decide two_threads
has mlmon.out '^thread [0-9]* second$'
[ "$(value mlmon.out lost)" = 0 ] || fail "$(value mlmon.out lost) samples are lost"

echo 'Not by thread, and the program counter alone'
run 0 env CCPROF=times=yes,threads=no,stack=no,rate=1000 ./prog 0.03
valid mlmon.out
has mlmon.out '^times 10000000 '
hasnot mlmon.out '^thread '

echo 'More than 2,048 buckets, and a child'
long_ones() {
    rm -f mlmon.out*
    run 0 env CCPROF=times=1,rate=1000 ./prog 0.03 2.1 child
    valid mlmon.out
    child=$(echo mlmon.out.*)
    valid "$child"
    head -n 4 out >parent
    tail -n 4 out >told
    grep -q '^times 4000000 ' mlmon.out && grep -q '^times 2000000 ' "$child" &&
        in_order mlmon.out parent && in_order "$child" told
}
decide long_ones
for file in mlmon.out "$child"; do
    [ "$(value "$file" lost)" = 0 ] || fail "$(value "$file" lost) samples are lost"
    awk -f "$RT/leave-own.awk" "$file" | awk '$2 == "time" { sum += $4 } END { print sum }' >sum
    [ "$(cat sum)" = "$(value "$file" samples)" ] || fail "$file: $(cat sum) in buckets"
done

echo 'Without the setting'
run 0 env CCPROF=times=yes,times=no,threads=no ./prog 0.03
has mlmon.out '^ccprof mlmon 1$'
hasnot mlmon.out '^times '
