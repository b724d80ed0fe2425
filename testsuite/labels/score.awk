# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v tool=TOOL -f score.awk CARRIERS ANSWERS: for each class of instructions a line
# CLASS, number, functions right, lines right, with tabs between.
BEGIN { FS = OFS = "\t" }
FNR == NR { carrier[FNR] = $0; next }
{
    split(carrier[FNR], want, "\t")
    name = tool == "ccprof" ? 2 : 3
    n[want[6]]++
    functions[want[6]] += $1 == want[name] || (want[8] != "" && $1 == want[name + 6])
    lines[want[6]] += ($2 == want[4] && $3 == want[5]) || ($2 == want[10] && $3 == want[11])
}
END { for (class in n) print class, n[class], functions[class], lines[class] }
