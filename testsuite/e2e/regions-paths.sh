#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Regions that are nested, recurse, are in threads, or are open at the end are in mlmon.out as it
# happened, shared and static; and nothing is there where they are switched off, and without the
# plugin.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"

cat >all <<'END'
open 0 0 1 0 0 0
open/leaf 2 0 0 0 0 1
open/never 0 0 1 0 0 0
open/pair \\ of\ncalls 1 0 0 1 1 1
open/pair \\ of\ncalls/never 1 1 0 0 0 1
outer 1000 0 0 2000 2000 1
outer/leaf 2000 0 0 0 0 1
pair \\ of\ncalls 1 0 0 1 9 1
pair \\ of\ncalls/recurse 5 0 0 4 20 1
pair \\ of\ncalls/recurse/within 4 0 0 4 16 1
work 4000 0 0 4000 4000 4
work/leaf 4000 0 0 0 0 4
END
echo 'ccprof: ccprof_region_end: never was not begun' >once

for how in '-O0' '-O2' '-O3 -static -Wl,--whole-archive,-lpthread,--no-whole-archive'; do
    case $how in *-static*) set -- -L"$O/rt" -lccprof ;; *) set -- ;; esac
    # shellcheck disable=SC2086 # several flags
    pcc -pthread -I"$SRC/rt" "$REGIONS/paths.c" $how "$@" -o prog
    rm -f mlmon.out
    run 0 env CCPROF=pause=3600000 ./prog
    same err once
    paths <all
    # Of what recurses the outermost call was the first and the longest: all others are in it.
    for of in recurse recurse/within; do
        awk -v of="pair \\\\\\\\ of\\\\ncalls/$of" -f "$REGIONS/regions.awk" mlmon.out >path
        awk '{ exit !($8 - $9 == $16 && $14 == $16) }' path || fail "nested: $(cat path)"
        [ -s path ] || fail "there is no $of"
    done
done

echo 'CPU time'
run 0 env CCPROF=regions=cpu,pause=3600000 ./prog
same err once
paths <all
awk -v of=outer -f "$REGIONS/regions.awk" mlmon.out >outer
# In nanoseconds, of which a region on the clock has more.
awk '{ exit !($17 > 1000 && $17 < 2 * $8 / $1 * 1000000000) }' outer || fail "CPU time: $(cat outer)"

# Without a timer, and SIGPROF is the program's: nothing else is in the file, and theirs is the table.
echo 'Alone'
run 0 env CCPROF=samples=no,pause=3600000 ./prog
same err once
paths <all
has mlmon.out '^kind region$'
hasnot mlmon.out '^rate '
"$MLPROF" prog mlmon.out >table || fail 'no table'
has table '^11,014 calls of 8 regions, '
has table '^ *1,000 .*  outer$'

echo 'Switched off'
run 0 env CCPROF=regions=no ./prog
same err /dev/null
regions mlmon.out
same paths /dev/null
has mlmon.out '^ccprof mlmon 1$'
rm mlmon.out
run 0 env CCPROF=off ./prog
same err /dev/null
[ ! -e mlmon.out ] || fail 'off, and yet there is a file'

echo 'Without the plugin'
"$CC" -O2 -Wall -Wextra -Werror -pedantic -pthread -I"$SRC/rt" "$REGIONS/paths.c" -o plain
run 0 ./plain
same err /dev/null
[ ! -e mlmon.out ] || fail 'not profiled, and yet there is a file'
