# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f carriers.awk -f classes-CPU.awk truth DISASSEMBLY: the instructions that carry a constant, the
# distance of a member, a variable or a function, as lines
#     ADDRESS NAME PLAIN FILE LINE CLASS INSTRUCTION OTHER-NAME OTHER-PLAIN OTHER-FILE
#     OTHER-LINE
# with tabs between.  The last four: what the instruction carries is of two places, and the
# one is as right as the other.

BEGIN { FS = "\t"; OFS = "\t" }

# What a form in the text stands for: number and symbol, in their order.
function next_form(text) {
    if (!match(text, /0x[0-9a-f]+|<(glob|call)[0-9]+>/))
        return ""
    after = substr(text, RSTART + RLENGTH)
    form = substr(text, RSTART, RLENGTH)
    gsub(/[<>]/, "", form)
    return form
}

FNR == NR {
    truth[$1] = $2 OFS $3 OFS $4 OFS $5
    accessor[$1] = $7 == "accessor"
    next
}
$1 ~ /^ *[0-9a-f]+:$/ {
    address = $1
    gsub(/[ :]/, "", address)
    text = $2
    gsub(/ +/, " ", text)
    main = constant = ""
    for (form = next_form(text); form != ""; form = next_form(after)) {
        if (!(form in truth))
            continue
        # Distances are below 0x1000000, constants above.
        if (form ~ /^[gc]/ || length(form) < 9)
            main = form
        else if (constant == "")
            constant = form
    }
    if (main == "" && constant == "")
        next
    if (main ~ /^call/)
        class = "call"
    else if (main != "" && constant != "" && truth[main] != truth[constant])
        class = "two places"
    else
        class = class_of(text, main != "")
    if (main ~ /^glob/ && class != "two places")
        class = class " of a variable"
    other = class == "two places" ? truth[constant] : OFS OFS OFS
    if (main == "")
        main = constant
    if (accessor[main] && class != "two places")
        class = class ", accessor"
    print address, truth[main], class, text, other
}
