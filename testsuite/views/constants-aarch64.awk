# SPDX-License-Identifier: GPL-3.0-or-later
# As constants-x86_64.awk.  Two instructions load the halves into a register, which is multiplied by;
# those that multiply and the second of the two carry the constant.  Registers are followed from line
# to line, which is right as long as each load is followed by its uses.

function padded(hex) {
    sub(/^#0x/, "", hex)
    sub(/^#/, "", hex)
    return substr("0000" hex, length(hex) + 1)
}

function carries() {
    sub(/:/, "", $1)
    print "0x" $1
}

BEGIN {
    constant = substr(constant, 3)
    while (length(constant) < 8)
        constant = "0" constant
}

# A function.
/^[0-9a-f]+ <.*>:$/ {
    split("", low)
    split("", held)
    next
}

!/^ *[0-9a-f]+:\t/ { next }

{
    gsub(/,/, " ")
    to = substr($3, 2)
}

$2 == "mov" && $4 ~ /^#0x/ && length($4) <= 7 {
    low[to] = padded($4)
    delete held[to]
    next
}

$2 == "movk" && $5 == "lsl" && $6 == "#16" && to in low && padded($4) low[to] == constant {
    held[to] = 1
    carries()
    next
}

$2 ~ /^(mul|madd|msub|mneg|umull|umaddl|smull|smaddl)$/ {
    for (i = 4; i <= NF; i++)
        if (substr($i, 2) in held) {
            carries()
            break
        }
}

# What it writes to is another value; stores, comparisons and branches write to none.
$2 !~ /^(st|cmp|cmn|tst|b$|b\.|cbz|cbnz|tbz|tbnz|ret|prfm)/ {
    delete low[to]
    delete held[to]
}
