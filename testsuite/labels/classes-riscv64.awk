# SPDX-License-Identifier: GPL-3.0-or-later
# For carriers.awk.

# What the instruction does with what it carries.  MEMORY: a member or a variable.
function class_of(text, memory,    op) {
    op = text
    sub(/ .*/, "", op)
    if (op ~ /^(l[bhw]u?|ld|fl[wd])$/) return "load"
    if (op ~ /^(s[bhwd]|fs[wd])$/) return "store"
    if (memory) return "address"
    if (op ~ /^mul/) return "multiplication"
    if (op ~ /^(b|slt)/) return "comparison"
    return op ~ /^(li|lui|addiw?)$/ ? "constant" : "arithmetic"
}
