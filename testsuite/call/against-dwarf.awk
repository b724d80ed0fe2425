# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f against-dwarf.awk PROGRAM.nm PLAIN.nm LIST: from the offsets of the list in PROGRAM
# to the addresses of the same instructions in PLAIN, one a line.

function number(text, value, i) {
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}

FNR == 1 { file++ }

# nm -S: address, size, type, name.
file < 3 && NF == 4 && $3 ~ /^[tTwW]$/ {
    if (file == 1) {
        start[$4] = number($1)
        size[$4] = number($2)
    } else {
        other[$4] = number($1)
    }
}

file == 3 {
    at = number(substr($1, 3))
    if (at == last)
        next
    last = at
    found = 0
    for (name in start) {
        if (at >= start[name] && at < start[name] + size[name] && name in other) {
            printf "0x%x\n", other[name] + at - start[name]
            found++
            break
        }
    }
    if (!found)
        print "no function at " $1 > "/dev/stderr"
}
