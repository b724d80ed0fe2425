# SPDX-License-Identifier: GPL-3.0-or-later
# objdump -d --no-show-raw-insn FILE | awk -v cpu=CPU -v constant=0x... -f constants.awk: the addresses of the
# instructions that carry the constant, of 32 bits. x86-64 has it as an operand. The others load it into a register in
# two instructions; the second of these carries it, and those that multiply by the register. Registers are followed from
# line to line, which is right as long as each load is followed by its uses.

# HEX: the digits after 0x.
function number(hex,    i, n) {
    for (i = 1; i <= length(hex); i++)
        n = 16 * n + index("123456789abcdef", substr(hex, i, 1))
    return n
}

# An operand, #0x1f, 0x1f or -31.
function value(operand) {
    sub(/^#/, "", operand)
    return operand ~ /^0x/ ? number(substr(operand, 3)) : operand + 0
}

function carries() {
    sub(/:/, "", $1)
    print "0x" $1
}

cpu == "x86_64" {
    at = match($0, "[$#]" constant)
    if (at && substr($0, at + RLENGTH, 1) !~ /[0-9a-f]/)
        carries()
    next
}

# A function. Labels inside of a function also match.
/^[0-9a-f]+ <[^.].*>:$/ { split("", held) }

!/^ *[0-9a-f]+:\t/ { next }

{
    gsub(/,/, " ")
    loaded = ""
}

$2 == "mov" && $4 ~ /^#0x/ { loaded = value($4) }
$2 == "movk" && $6 == "#16" && $3 in held { loaded = held[$3] % 65536 + 65536 * value($4) }
$2 == "lui" { loaded = 4096 * value($4) }
$2 ~ /^addiw?$/ && $4 in held { loaded = held[$4] + value($5) }

loaded != "" {
    held[$3] = loaded
    if ($2 ~ /^(movk|addiw?)$/ && loaded == number(substr(constant, 3)))
        carries()
    next
}

$2 ~ /^([us]?mull?w?|[us]?madd[l]?|msub|mneg)$/ {
    for (i = 4; i <= NF; i++)
        if ($i in held && held[$i] == number(substr(constant, 3))) {
            carries()
            break
        }
}

# The register written by the instruction has a new value. Stores, comparisons and branches write no
# register.
$2 !~ /^(st|s[bhwd]$|fs[wd]$|cmp|cmn|tst|b$|b\.|b(eq|ne|l|g)|cbz|cbnz|tbz|tbnz|j$|jr$|ret|prfm)/ { delete held[$3] }
