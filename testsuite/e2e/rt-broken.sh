#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Frames without .eh_frame: that the callers of a function were not found is in the file and in the report.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

need readelf python3

without='-fno-asynchronous-unwind-tables -fno-unwind-tables'

# build OPTIONS: those of mid.
build() {
    pcc -O1 -fomit-frame-pointer -I"$RT" -c "$RT/broken.c" -o main.o
    # shellcheck disable=SC2086
    pcc -O1 -fomit-frame-pointer -DMID $1 -I"$RT" -c "$RT/broken.c" -o mid.o
    pcc main.o mid.o -o prog
}

# report: the samples, those without callers, and those below main, of JSON; the table in `table'.
report() {
    rm -f mlmon.out
    CCPROF=rate=1000 ./prog
    valid mlmon.out
    "$MLPROF" prog mlmon.out >table
    "$MLPROF" -json data.json prog mlmon.out >/dev/null
    python3 - <<'END'
import json
data = json.load(open("data.json"))
below = {row["function"]: row["stack_samples"] for row in data["functions"]}
print(data["run"]["samples"] - data["run"]["samples_lost"], data["run"]["samples_without_callers"],
      below.get("main", 0), below.get("mid", 0), below.get("work", 0), below.get("<broken>", 0))
END
}

build ''
# shellcheck disable=SC2046
set -- $(report)
[ "$1" -ge 10 ] || fail "too few samples: $*"
[ "$2 $6" = '0 0' ] || fail "callers are missing in a program with tables: $*"
hasnot table broken
hasnot mlmon.out '^[0-9]* - 0x1 '

build "$without"
readelf -wF mid.o | grep -q 'pc=' && fail 'mid.o has an .eh_frame'
# shellcheck disable=SC2046
set -- $(report)
[ "$5" -ge 10 ] || fail "too few samples: $*"
{ [ "$2" -ge "$5" ] && [ "$2" = "$6" ]; } || fail "samples without callers are $2, not the $5 of work: $*"
has mlmon.out '^0 - 0x1 0$'
has table '^warning: of .* not all callers are known, <broken>: there is no way (.eh_frame) to those of mid$'
