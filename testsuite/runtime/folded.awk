# SPDX-License-Identifier: GPL-3.0-or-later
# folded.awk NM MLMON: the stacks with samples, one a line, outermost call first: names
# joined by semicolons, a blank, the count. NM is what `nm -n` says of the executable. An
# address in another module is shown as the module's base name in brackets, frames left
# out as [...], those that were not found as [broken], and those that are on the stack further out,
# too, as [again].

function hex(text, n, i) {
    n = 0
    for (i = 1; i <= length(text); i++)
        n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return n
}

# Returns the last symbol that is not after the address.
function name(address, low, high, middle) {
    low = 1
    high = symbols
    while (low < high) {
        middle = int((low + high + 1) / 2)
        if (from[middle] <= address)
            low = middle
        else
            high = middle - 1
    }
    return symbol[low]
}

FNR == NR {
    if ($2 ~ /^[TtWw]$/) {
        from[++symbols] = hex($1)
        symbol[symbols] = $3
    }
    next
}
$1 == "module" {
    module[$2] = $5
    sub(/.*\//, "", module[$2])
}
$1 == "counts" { on = 1; next }
$1 == "end" { exit }
on {
    if ($2 == "-")
        path[$1] = $3 == "0x0" ? "[...]" : $3 == "0x1" ? "[broken]" : $3 == "0x2" ? "[again]" : "[?]"
    else if ($2 == 0)
        path[$1] = name(hex(substr($3, 3)))
    else
        path[$1] = "[" module[$2] "]"
    if ($4 != 0) {
        line = path[0]
        for (i = 1; i <= $1; i++)
            line = line ";" path[i]
        sum[line] += $4
    }
}
END {
    for (line in sum)
        print line, sum[line]
}
