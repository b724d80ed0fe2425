# SPDX-License-Identifier: GPL-3.0-or-later
# For carriers.awk.

# What the instruction does with what it carries.  MEMORY: a member or a variable.
function class_of(text, memory,    op) {
    op = text
    sub(/ .*/, "", op)
    if (op ~ /^ld/) return "load"
    if (op ~ /^st/) return "store"
    if (memory) return "address"
    if (op ~ /^(mul|mneg|[us]mull)$/) return "multiplication"
    if (op ~ /^([us]?madd|[us]?msub)l?$/) return "multiplication, added"
    if (op ~ /^(cmp|cmn|ccmp|ccmn|tst)$/) return "comparison"
    return op ~ /^mov/ ? "constant" : "arithmetic"
}
