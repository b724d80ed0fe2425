# SPDX-License-Identifier: GPL-3.0-or-later
# For carriers.awk.

# What the instruction does with what it carries.  MEMORY: a member or a variable.
function class_of(text, memory,    op, operands, one, into) {
    sub(/ *#.*/, "", text)
    op = text
    sub(/ .*/, "", op)
    operands = substr(text, length(op) + 2)
    into = operands ~ /\)$/
    one = operands !~ /,/ || operands ~ /^[^,(]*\([^)]*\)$/
    if (!memory) {
        if (op ~ /^imul/) return "multiplication"
        if (op ~ /^(cmp|test)/) return "comparison"
        if (op ~ /^mov/) return into ? "store" : "constant"
        return op ~ /^push/ ? "constant" : "arithmetic"
    }
    if (op == "lea") return "address"
    if (op ~ /^imul/) return "multiplied load"
    if (op ~ /^(cmp|test|bt)/) return "folded load"
    if (one && op ~ /^(i?mul|i?div|push|call|jmp)/) return "folded load"
    if (into) return op ~ /^(mov|set)/ ? "store" : "update"
    return op ~ /^p?mov/ ? "load" : "folded load"
}
