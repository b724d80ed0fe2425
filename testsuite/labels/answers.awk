# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v tool=TOOL -f answers.awk OUTPUT: the innermost frame for each address that
# TOOL was asked for, in their order, as lines FUNCTION FILE LINE with tabs between.
# ccprof's names are taken as they are; of the others' only the function's own name is
# kept: some tell it with scopes, parameters and result, some without.

function print_frame(name, place,    n, part) {
    sub(/ .*/, "", place) # (discriminator 3)
    n = split(place, part, ":")
    sub(/.*\//, "", part[1])
    print name "\t" part[1] "\t" part[2]
}

# The function's own name: `u32 a::b(u32)::c<int>::f<2>(u32, d<3>) const` is f<2>.
function own_name(name,    i, c, depth, start, arguments) {
    gsub(/ \[clone [^]]*\]| \(\.[^)]*\)/, "", name)
    gsub(/operator\(\)/, "operator@", name)
    gsub(/long unsigned int/, "unsigned long", name)
    gsub(/\.(constprop|isra|part|cold|lto_priv)\.?[0-9]*/, "", name)
    start = 1
    for (i = 1; i <= length(name); i++) {
        c = substr(name, i, 1)
        if (index("<({[", c)) {
            if (c == "(" && depth == 0)
                arguments = i
            depth++
        } else if (index(">)}]", c)) {
            depth--
        } else if (depth == 0 && (c == ":" || (c == " " && !arguments))) {
            start = i + 1
            arguments = 0
        }
    }
    name = substr(name, start, (arguments ? arguments : length(name) + 1) - start)
    gsub(/@/, "()", name)
    return name
}

tool == "ccprof" {
    sub(/^0x[0-9a-f]+: /, "")
    sub(/ < .*/, "")
    if (match($0, / [^ ]*$/))
        print_frame(substr($0, 1, RSTART - 1), substr($0, RSTART + 1))
    else
        print_frame($0, "")
    next
}
# Two lines a frame, an empty one behind each address.
tool == "llvm-symbolizer" {
    if ($0 == "")
        seen = 0
    else if (++seen == 1)
        name = own_name($0)
    else if (seen == 2)
        print_frame(name, $0)
    next
}
# Two lines a frame, the address before the first one.
/^0x[0-9a-f]+$/ { seen = 0; next }
++seen == 1 { sub(/ inlined at .*/, ""); name = own_name($0) }
seen == 2 { print_frame(name, $0) }
