# SPDX-License-Identifier: GPL-3.0-or-later
# For follow.awk.

function begin() {
    hold("zero", 0, 0)
    hold("gp", place["__global_pointer$"], 0)
}

function is_register(operand) { return operand ~ /^(zero|[ast][0-9]+|gp|ra|sp|tp)$/ }

# Of 20 bits, for lui and auipc.
function high(hex,    n) {
    n = number(hex)
    return 4096 * (n >= 524288 ? n - 1048576 : n)
}

function jump_target(op, operands) {
    if (op !~ /^(b|j$)/ || !match(operands, /[0-9a-f]+ </))
        return ""
    return substr(operands, RSTART, RLENGTH - 2)
}

# Where calls go; other places are said by symbols of their own.
function shown(op, operands) {
    if (op !~ /^(jal|jalr|j|jr)$/)
        gsub(/ *(# .*|<[^>]*>)/, "", operands)
    return operands
}

# The text behind the first comma: DISTANCE(BASE).
function memory(text,    base) {
    base = text
    sub(/.*\(/, "", base)
    sub(/\).*/, "", base)
    access(part(base) + text, is_based(base))
}

function execute(op, text, address,    n, operand, to, i, first) {
    sub(/ *# .*/, "", text)
    n = split(text, operand, /,/)
    to = operand[1]
    if (op ~ /^(j|ret|jr)$/) {
        leave()
    } else if (op ~ /^jalr?$/) {
        for (i = 0; i <= 7; i++) {
            forget("a" i)
            if (i < 7)
                forget("t" i)
        }
    } else if (op ~ /^(l[bhw]u?|ld|fl[wd])$/) {
        memory(operand[2])
        load(to)
    } else if (op ~ /^(s[bhwd]|fs[wd])$/) {
        say_use(to)
        memory(operand[2])
    } else if (op == "lui") {
        hold(to, high(operand[2]), 0)
        say(known[to], 0, 0)
    } else if (op == "auipc") {
        hold(to, number(address) + high(operand[2]), 0)
    } else if (op == "li") {
        hold(to, operand[2] ~ /^0x/ ? number(operand[2]) : operand[2] + 0, 0)
        say(known[to], 0, 0)
    } else if (op ~ /^addiw?$/) {
        hold(to, part(operand[2]) + operand[3], is_based(operand[2]))
        say(known[to], based[to], 0)
    } else if (op ~ /^addw?$/) {
        say_use(operand[2])
        say_use(operand[3])
        hold(to, part(operand[2]) + part(operand[3]), is_based(operand[2]) || is_based(operand[3]))
        if (based[to] && known[to] % 4096 != 0)
            say(known[to], 1, 0)
    } else if (op == "slli") {
        hold(to, 2 ^ number(operand[3]) * part(operand[2]), is_based(operand[2]))
    } else if (op == "mv") {
        hold(to, part(operand[2]), is_based(operand[2]))
    } else {
        first = op ~ /^b/ ? 1 : 2
        for (i = first; i <= n; i++)
            if (is_register(operand[i]))
                say_use(operand[i])
        if (first == 2 && is_register(to))
            forget(to)
    }
}
