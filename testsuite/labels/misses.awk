# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v dwarf=TOOL -f misses.awk CARRIERS ANSWERS DWARF-ANSWERS: the instructions
# whose function ccprof got wrong, and what the reader of DWARF says of them.
BEGIN { FS = "\t" }
FNR == 1 { file++ }
file == 1 { carrier[FNR] = $0 }
file == 2 { function_of[FNR] = $1; place[FNR] = $2 ":" $3 }
file == 3 {
    split(carrier[FNR], want, "\t")
    if (function_of[FNR] == want[2] || (want[8] != "" && function_of[FNR] == want[8]))
        next
    says = $1 == want[3] ? "is right" : $2 ":" $3 == place[FNR] ? "says the same" : "says " $1 " " $2 ":" $3
    printf "0x%s (%s) %s: expected %s %s:%s, got %s %s; %s %s\n", want[1], want[6], want[7], want[2],
        want[4], want[5], function_of[FNR], place[FNR], dwarf, says
}
