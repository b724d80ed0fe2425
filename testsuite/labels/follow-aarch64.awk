# SPDX-License-Identifier: GPL-3.0-or-later
# For follow.awk.  Registers are called by their numbers, whatever their width.

function begin() {
    hold("zr", 0, 0)
}

function name_of(register) { return substr(register, 2) }

function is_register(operand) { return operand ~ /^[xw]([0-9]+|zr)$/ }

function value(immediate) {
    sub(/^#/, "", immediate)
    if (immediate ~ /^-/)
        return -value(substr(immediate, 2))
    return immediate ~ /^0x/ ? number(immediate) : immediate + 0
}

function jump_target(op, operands) {
    if (op !~ /^(b|b\..*|cbn?z|tbn?z)$/ || !match(operands, /[0-9a-f]+ </))
        return ""
    return substr(operands, RSTART, RLENGTH - 2)
}

# Where calls go; other places are said by symbols of their own.
function shown(op, operands) {
    if (op !~ /^bl?$/)
        gsub(/ *<[^>]*>/, "", operands)
    return operands
}

# Of `lsl #3', `sxtw #3'.
function scale(shift) { return match(shift, /#[0-9]+$/) ? 2 ^ substr(shift, RSTART + 1) : 1 }

# [BASE, INDEX OR DISTANCE]
function memory(text,    n, operand, sum, any) {
    gsub(/[][!]/, "", text)
    n = split(text, operand, /, */)
    sum = part(name_of(operand[1]))
    any = is_based(name_of(operand[1]))
    if (is_register(operand[2])) {
        sum += scale(operand[3]) * part(name_of(operand[2]))
        any = any || is_based(name_of(operand[2]))
    } else if (n > 1)
        sum += value(operand[2])
    access(sum, any)
}

# The register that it writes to, with its other operands.
function add(to, n, operand, sign,    more) {
    if (is_register(operand[3])) {
        more = scale(operand[4]) * part(name_of(operand[3]))
        say_use(name_of(operand[3]))
        hold(to, part(name_of(operand[2])) + sign * more, is_based(name_of(operand[2])) || is_based(name_of(operand[3])))
    } else if (operand[3] ~ /^#/) {
        more = value(operand[3]) * (operand[4] ~ /#12/ ? 4096 : 1)
        hold(to, part(name_of(operand[2])) + sign * more, is_based(name_of(operand[2])))
    } else {
        forget(to)
        return
    }
    # Pages alone are a part of something.
    if (n < 4)
        say(known[to], based[to], 0)
}

function execute(op, text, address,    n, operand, to, i, first) {
    sub(/[ \t]*(\/\/.*)?$/, "", text)
    n = split(text, operand, /, */)
    to = is_register(operand[1]) ? name_of(operand[1]) : ""
    if (op == "b" || op == "ret" || op == "br") {
        leave()
    } else if (op ~ /^blr?$/) {
        for (i = 0; i <= 18; i++)
            forget(i)
    } else if (op ~ /^(ld|st)/) {
        if (op ~ /^st/)
            say_use(to)
        if (match(text, /\[.*\]/))
            memory(substr(text, RSTART, RLENGTH))
        if (op ~ /^ld/) {
            load(to)
            if (op ~ /^ldp/)
                forget(name_of(operand[2]))
        }
        if (text ~ /!$|\], /) {
            match(text, /\[x[0-9]+/)
            forget(substr(text, RSTART + 2, RLENGTH - 2))
        }
    } else if (op == "adrp") {
        sub(/ .*/, "", operand[2])
        hold(to, number(operand[2]), 0)
    } else if (op == "mov" && operand[2] ~ /^#/) {
        hold(to, value(operand[2]), 0)
        say(known[to], 0, 0)
    } else if (op == "movk" && operand[3] ~ /#16$/ && !is_based(to) && known[to] < 65536) {
        hold(to, known[to] + 65536 * value(operand[2]), 0)
        say(known[to], 0, 0)
    } else if (op == "mov" && is_register(operand[2])) {
        if (is_based(name_of(operand[2])) && part(name_of(operand[2])) == 0)
            forget(to)
        else
            hold(to, part(name_of(operand[2])), is_based(name_of(operand[2])))
    } else if (op == "lsl" && operand[3] ~ /^#/) {
        hold(to, scale(operand[3]) * part(name_of(operand[2])), is_based(name_of(operand[2])))
    } else if (op == "add" || op == "sub") {
        add(to, n, operand, op == "add" ? 1 : -1)
    } else {
        first = op ~ /^(cmp|cmn|ccmp|ccmn|tst|cbn?z|tbn?z)/ ? 1 : 2
        for (i = first; i <= n; i++)
            if (is_register(operand[i]))
                say_use(name_of(operand[i]))
        if (first == 2 && to != "")
            forget(to)
    }
}
