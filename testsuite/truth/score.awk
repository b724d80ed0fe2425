# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v tool=TOOL -v misses=FILE -f score.awk CARRIERS ANSWERS: prints the numbers of
# instructions, functions right and lines right; appends the missed functions to FILE.
BEGIN { FS = "\t" }
FNR == NR { carrier[FNR] = $0; next }
{
    split(carrier[FNR], want, "\t")
    n++
    if ($1 == (tool == "ccprof" ? want[2] : want[3]))
        functions++
    else if (misses)
        printf "0x%s: expected %s %s:%s, got %s %s:%s\n", want[1], want[2], want[4], want[5],
            $1, $2, $3 >>misses
    if ($2 == want[4] && $3 == want[5])
        lines++
}
END { print n + 0, functions + 0, lines + 0 }
