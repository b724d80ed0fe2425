# SPDX-License-Identifier: GPL-3.0-or-later
# samples.awk MLMON: how many samples it has that are in no code of ccprof's own.

# padded HEXADECIMAL: with 0x; as strings addresses of one length are in order.
function padded(text) {
    text = substr(text, 3)
    return substr("0000000000000000", 1 + length(text)) text
}

BEGIN { pieces = 0 }
$1 == "samples" { samples = $2 }
$1 == "own" {
    module[pieces] = $2
    first[pieces] = padded($3)
    end[pieces++] = padded($4)
}
# A bucket of time is below the point that it is of.
pieces && NF == 4 && $1 ~ /^[0-9]+$/ {
    if ($2 != "time") {
        in_own = 0
        at = padded($3)
        for (i = 0; i < pieces; i++)
            in_own = in_own || ($2 == module[i] && at >= first[i] && at < end[i])
    }
    if (in_own)
        own += $4
}
END { if (samples != "") print samples - own }
