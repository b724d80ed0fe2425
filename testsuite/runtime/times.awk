# SPDX-License-Identifier: GPL-3.0-or-later
# What functions have by bucket: awk -f times.awk NAMES FILE, of which the first has `FROM TO NAME'
# of each, addresses in decimal. Prints `THREAD FUNCTION BUCKET COUNT'; the outermost of the
# functions on a stack has its samples.

function hexadecimal(digits, i, value) {
    value = 0
    for (i = 3; i <= length(digits); i++)
        value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
    return value
}

function function_at(address, i) {
    for (i = 1; i <= names; i++)
        if (from[i] <= address && address < to[i])
            return name[i]
    return ""
}

NR == FNR { names++; from[names] = $1; to[names] = $2; name[names] = $3; next }
$1 == "thread" { word[$2] = $3 }
$1 == "counts" { inside = 1; next }
!inside || NF != 4 { next }
$2 == "thread" { thread = hexadecimal($3); on[0] = ""; next }
$2 == "time" { count[thread " " on[$1 - 1] " " hexadecimal($3)] += $4; next }
{
    on[$1] = $1 ? on[$1 - 1] : ""
    if (on[$1] == "" && $2 == 0)
        on[$1] = function_at(hexadecimal($3))
}
END {
    for (key in count)
        print key, count[key]
}
