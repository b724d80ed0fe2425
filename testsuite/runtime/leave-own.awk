# SPDX-License-Identifier: GPL-3.0-or-later
# leave-own.awk MLMON: the lines of a data file as if no sample had been taken in ccprof's own code, as mlprof takes
# them: the one place at which the tests know of `own' (mlmon.out(5)). The line of samples says how many are left;
# a point of the own code stays, with 0, since others may be below it, and its buckets of time go.
# With -v only=samples just that number is printed.

# padded HEXADECIMAL: with 0x; as strings addresses of one length are in order.
function padded(text) {
    text = substr(text, 3)
    return substr("0000000000000000", 1 + length(text)) text
}

BEGIN { pieces = 0 }
$1 == "samples" {
    at_samples = NR
    samples = $2
}
$1 == "own" {
    module[pieces] = $2
    first[pieces] = padded($3)
    end[pieces++] = padded($4)
}
$1 == "counts" { points = $2 }
pieces && points > 0 && $1 ~ /^[0-9]+$/ {
    points--
    # A bucket of time is below its point.
    if ($2 != "time") {
        in_own = 0
        at = padded($3)
        for (i = 0; i < pieces; i++)
            in_own = in_own || ($2 == module[i] && at >= first[i] && at < end[i])
    }
    if (in_own) {
        own += $4
        if ($2 == "time")
            next
        $4 = 0
    }
}
only == "" { line[NR] = $0 }
END {
    if (only != "") {
        if (at_samples)
            print samples - own
        exit
    }
    if (at_samples)
        line[at_samples] = "samples " samples - own
    for (i = 1; i <= NR; i++)
        if (i in line)
            print line[i]
}
