#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Time in the runtime's own code, which the program calls, is nobody's of the program's, and told as ccprof's: in
# every kind that samples, and where the runtime is linked into the program.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
need python3

for way in 'time,count targets' 'time,count targets static-pie' 'time stopwatch=step' 'time stopwatch=step static' \
    'time-field stopwatch=step'; do
    echo "$way"
    # shellcheck disable=SC2086
    set -- $way
    form=
    [ $# -lt 3 ] || form="-$3 -L$O/rt -lccprof"
    # shellcheck disable=SC2086
    pcc -O1 -fplugin-arg-ccprof-profile="$1" -fplugin-arg-ccprof-"$2" "$RT/own-code.c" -o prog $form
    rm -f mlmon.out
    CCPROF=rate=1000 ./prog
    # The runtime, and the stub in the program, which has no tables for unwinding.
    [ "$(grep -c '^own ' mlmon.out)" = 2 ] || fail 'the file does not tell where the code of ccprof is'
    nm prog | awk '$3 == "ccprof_attach_target" { print $1 }' >stub
    awk '
        function hex(text, n, i) {
            for (i = 1; i <= length(text); i++)
                n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
            return n
        }
        FNR == NR { stub = hex($1); next }
        $1 == "own" && $2 == 0 && hex(substr($3, 3)) <= stub && stub < hex(substr($4, 3)) { found = 1 }
        END { exit !found }' stub mlmon.out || fail 'the stub is not in the own code'
    all=$(sed -n 's/^samples //p' mlmon.out)
    own=$((all - $(value mlmon.out samples)))
    # The runtime's part of the time is a tenth at least: that there is none in 300 samples is no chance.
    [ "$own" -gt 0 ] || fail 'no sample in the runtime'
    "$MLPROF" -json data.json prog mlmon.out >table
    has table "^[0-9.]* seconds of CPU time, and [0-9.]* more ([0-9.]*% of the run) in ccprof's own code\$"
    has table "^unsampled .*, in ccprof's own code [0-9.]* s, <lost>"
    hasnot table 'libccprof'
    hasnot table '<broken>'
    python3 - "$own" "$all" <<'END'
import json, sys
own, all = map(int, sys.argv[1:])
data = json.load(open("data.json"))
run, rows = data["run"], data["functions"]
assert run["samples_of_ccprof"] == own, run
assert run["samples"] == all - own, run
assert run["total"] == sum(row["samples"] for row in rows) == all - own, run
# main is around all of its own time, and of nothing else.
stacks = {row["function"]: row["stack_samples"] for row in rows}
assert not run["stacks"] or stacks["main"] <= all - own
END
done
