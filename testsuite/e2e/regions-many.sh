#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No call of a region is lost or counted twice: of 64 threads and 10 million pairs; of handlers of
# signals that come in the midst of it; of children of a process with threads; of a shared object
# that comes and goes. The memory is what ccprof(3) says. Where there is no room the calls are told.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"

export CCPROF=pause=3600000

pcc -O2 -pthread -I"$SRC/rt" "$REGIONS/many.c" -o prog

run 0 ./prog threads
paths <<'END'
outer 10000000 0 0 10000000 10000000 128
outer/inner 10000000 0 0 0 0 128
END
same err /dev/null
# In KiB: 128 threads, of which at most 64 live at a time, get what 64 need, and what libc keeps; the
# second 64 something, where fewer of the first lived at a time.
awk '{ sum += $1 } END { exit NR != 2 || sum > 64 * 40 }' out ||
    fail "memory: $(xargs <out)"

run 0 ./prog signals
regions mlmon.out
read -r calls handled <out
[ "$(ended loop)" -eq "$calls" ] || fail "loop: $(ended loop), not $calls"
[ "$(ended handler)" -eq "$handled" ] || fail "handler: $(ended handler), not $handled"
[ "$(ended both)" -eq $((calls + 2 * handled)) ] ||
    fail "both: $(ended both), not $calls and twice $handled"

rm mlmon.out
run 0 ./prog forks
same err /dev/null
paths <<'END'
outer 156250 0 0 156250 156250 2
outer/inner 156250 0 0 0 0 2
parent 8 0 0 0 0 1
END
set -- mlmon.out.*
[ $# -eq 8 ] || fail "$# files of children"
for file; do
    mv "$file" mlmon.out
    paths <<'END'
parent 0 0 1 0 0 0
parent/child 100 0 0 0 0 1
END
done

pcc -O2 -fPIC -shared -I"$SRC/rt" "$REGIONS/loaded.c" -o loaded.so
run 0 ./prog modules ./loaded.so
same err /dev/null
paths <<'END'
loaded 100 0 0 100 100 1
loaded/inside 100 0 0 0 0 1
END

# 4,096 names and 16,384 frames: the others are lost.
run 0 ./prog full
echo "ccprof: $((20001 - 16384 + 2 * (6001 - 4096))) calls of regions were lost: there was no room" >want
same err want
regions mlmon.out
has paths '^deep 16384 0 0 16383 '
has paths '^4094 2 0 0 0 0 1$'
has paths '^0 5 0 0 2 100 1$'
[ "$(wc -l <paths)" -eq $((4096 + 50)) ] || fail "$(wc -l <paths) paths"

# More paths than there is room for: each call counts for its region, those that stand without the
# regions around them are told, and none is as expensive as a search with the lock would be.
many_paths() {
    run 0 ./prog paths
    same err /dev/null
    factor=$(sed -n 's/^factor //p' out)
    echo "with no room for more paths a call takes $factor times what it took before"
    lies 0 "$factor" 3 'the factor'
}
decide many_paths
regions mlmon.out
while read -r name began; do
    [ "$name" = factor ] || [ "$(ended "$name")" = "$began" ] ||
        fail "$name: $(ended "$name") calls, not $began"
done <out
unplaced=$(sed -n 's/^unplaced //p' mlmon.out)
# 130,000 chains have begun with a region that none is around; the others that have none were moved.
moved=$(awk '$1 !~ "/" { sum += $2 } END { print sum - 130000 }' paths)
[ "$unplaced" = "$moved" ] || fail "$unplaced calls without their paths, not $moved"
"$MLPROF" -regions prog mlmon.out >table
has table "^$(echo "$moved" | sed 's/\(...\)$/,\1/') calls stand without the regions around them"
