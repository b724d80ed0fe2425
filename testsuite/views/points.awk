# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the points of a data file, mlmon.out(5), of stacks that are written by hand. Its input is
# what `objdump -d --no-show-raw-insn' says of the executable, what `mlprof -where' says of each
# address in it, and lines `SAMPLES SAMPLES CALL ... POINT': the samples before and after a change,
# of which the variable AFTER (0, 1) says which are meant, then the stack, outermost call first,
# each as SYMBOL:LINE, a part of a compiled function's symbol and the line of the innermost
# function that is inlined there.  `deep' stands for frames that were left out, `outside' for code
# that is nobody's.
function fault(what) {
    print "points.awk: " what >"/dev/stderr"
    exit 1
}
# The line of the innermost source at ADDRESS; 0: not known.
function line_at(address, text) {
    text = where[address]
    sub(/ < .*/, "", text)
    return match(text, /:[0-9]+(:[0-9]+)?$/) ? substr(text, RSTART + 1) + 0 : 0
}
# The local stack there, without columns.
function stack_at(address, text) {
    text = where[address] " < "
    gsub(/:[0-9]+ < /, "; ", text)
    sub(/; $/, "", text)
    return text
}
# Returns the address of samples of LINE in the function SYMBOL. It is the address after an
# instruction, because samples are charged to the previous instruction. Neither instruction may be a
# jump or the target of a jump.
function sampled(symbol, line, i, best) {
    for (i = 1; i < count; i++) {
        if (index(within[i], symbol) == 0 || line_at(at[i]) != line || within[i + 1] != within[i])
            continue
        if (text[i] ~ /^(j|call|ret|nop|xchg|data16)/ || at[i] in target || at[i + 1] in target)
            continue
        if (!best || (within[i - 1] == within[i] && stack_at(at[i]) == stack_at(at[i - 1]))) {
            best = at[i + 1]
            if (stack_at(at[i]) == stack_at(at[i - 1]))
                break
        }
    }
    return best
}
# The return address of a call there, less one.
function called(symbol, line, i) {
    for (i = 1; i < count; i++)
        if (index(within[i], symbol) && line_at(at[i]) == line && text[i] ~ /^call/)
            break
    return i < count ? less_one(at[i + 1]) : ""
}
function less_one(address, last) {
    last = substr(address, length(address))
    if (last == "0")
        return less_one(substr(address, 1, length(address) - 1)) "f"
    return substr(address, 1, length(address) - 1) substr("0123456789abcde", index("123456789abcdef", last), 1)
}
/^[0-9a-f]+ <.*>:$/ {
    name = $2
}
/^ *[0-9a-f]+:\t/ {
    address = $1
    sub(/:/, "", address)
    at[++count] = address
    within[count] = name
    text[count] = $2
    if ($2 ~ /^j/)
        target[$3] = 1
}
/^0x[0-9a-f]+: / {
    address = $1
    gsub(/^0x|:/, "", address)
    sub(/^[^ ]+ /, "")
    where[address] = $0
}
/^[0-9]+ [0-9]+ / {
    for (i = 3; i <= NF; i++) {
        split($i, point, ":")
        if ($i == "deep" || $i == "outside") {
            place[i] = $i == "deep" ? "- 0x0" : "- 0x1"
            continue
        }
        address = i < NF ? called(point[1], point[2]) : sampled(point[1], point[2])
        if (address == "")
            fault("no such point: " $i)
        place[i] = "0 0x" address
    }
    if (!$(1 + after))
        next
    for (i = 3; i <= NF; i++)
        print i - 3, place[i], i < NF ? 0 : $(1 + after)
}
