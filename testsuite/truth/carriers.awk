# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f carriers.awk truth DISASSEMBLY: the instructions that carry a constant, as
# lines ADDRESS NAME PLAIN FILE LINE INSTRUCTION with tabs between.
BEGIN { FS = "\t"; OFS = "\t" }
FNR == NR { truth[$1] = $2 OFS $3 OFS $4 OFS $5; next }
$1 ~ /^ *[0-9a-f]+:$/ {
    address = $1
    gsub(/[ :]/, "", address)
    rest = $2
    while (match(rest, /0x[0-9a-f]+/)) {
        form = substr(rest, RSTART, RLENGTH)
        if (form in truth) {
            instruction = $2
            gsub(/ +/, " ", instruction)
            print address, truth[form], instruction
            break
        }
        rest = substr(rest, RSTART + RLENGTH)
    }
}
