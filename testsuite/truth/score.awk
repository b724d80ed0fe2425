# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v tool=TOOL -f score.awk CARRIERS ANSWERS: prints the numbers of instructions,
# functions right and lines right.
BEGIN { FS = "\t" }
FNR == NR { carrier[FNR] = $0; next }
{
    split(carrier[FNR], want, "\t")
    n++
    functions += $1 == (tool == "ccprof" ? want[2] : want[3])
    lines += $2 == want[4] && $3 == want[5]
}
END { print n + 0, functions + 0, lines + 0 }
