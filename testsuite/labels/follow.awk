# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f follow.awk -f follow-CPU.awk SYMBOLS DISASSEMBLY: the disassembly for answers.py where no
# instruction holds a constant or a distance in one piece: behind each one that completes such a
# number in a register, or uses one, it says the number, or in angles the symbol that is there.
# SYMBOLS: as nm prints them, and lines `ADDRESS -> ADDRESS' of words that hold addresses.
#
# What a register holds is followed along all jumps: `known' is the number, or, where `based', how far
# it is beyond something unknown.  Where ways meet it is forgotten if it is not the same on each.

BEGIN { FS = "\t" }

# HEX, with 0x or without.
function number(hex,    i, n) {
    sub(/^0x/, "", hex)
    for (i = 1; i <= length(hex); i++)
        n = 16 * n + index("123456789abcdef", substr(hex, i, 1))
    return n
}

function hex_of(n,    text) {
    if (n < 0)
        n += 4294967296
    text = sprintf("%x%04x", int(n / 65536), n % 65536)
    sub(/^0+/, "", text)
    return "0x" text
}

function hold(register, n, has_base) {
    known[register] = n
    based[register] = has_base
}

# Something that is not known.
function forget(register) {
    delete known[register]
    delete based[register]
}

# Control does not go on to the next line.
function leave() {
    falls = 0
}

# What a register holds beyond what is not known.
function part(register) { return register in known ? known[register] : 0 }
function is_based(register) { return !(register in known) || based[register] }

# say(N, HAS_BASE, IS_PLACE): the instruction carries this.
function say(n, has_base, is_place,    text) {
    if (!has_base && n in symbol)
        text = "<" symbol[n] ">"
    else if (has_base ? n >= 65536 : !is_place && (n >= 16777216 || n < 0))
        text = hex_of(n)
    if (text != "" && index(said " ", " " text " ") == 0)
        said = said " " text
}

# access(N, HAS_BASE): the instruction reads or writes there.
function access(n, has_base) {
    say(n, has_base, 1)
    accessed = has_base ? "" : n
}

# What has been read comes into the register.
function load(register) {
    if (accessed in points_to)
        hold(register, points_to[accessed], 0)
    else
        forget(register)
}

# The instruction computes with the register.
function say_use(register) {
    if (register in known && !based[register])
        say(known[register], 0, 0)
}

# What is known on the line, for the one that it jumps to.
function keep(i,    register) {
    seen[i] = 1
    for (register in kept)
        delete known_at[i, register]
    for (register in known) {
        kept[register] = 1
        known_at[i, register] = known[register]
        based_at[i, register] = based[register]
    }
}

function take(i,    register) {
    for (register in kept)
        if ((i, register) in known_at)
            hold(register, known_at[i, register], based_at[i, register])
}

function meet(i,    register) {
    for (register in kept)
        if (register in known && !((i, register) in known_at && known_at[i, register] == known[register] &&
            based_at[i, register] == based[register]))
            forget(register)
}

# From the line before, if that goes on, and by jumps.  `falls' then: whether it is known how.
function arrive(address,    n, from, i) {
    if (!falls) {
        split("", known)
        split("", based)
    }
    n = split(sources[address], from, " ")
    for (i = 1; i <= n; i++) {
        if (!(from[i] in seen))
            continue
        if (falls)
            meet(from[i])
        else
            take(from[i])
        falls = 1
    }
    begin()
}

function follow(i, is_last) {
    said = accessed = ""
    arrive(at[i])
    if (!falls && !is_last)
        return
    falls = 1
    execute(op[i], operands[i], at[i])
    if (to_of[i] != "")
        keep(i)
}

# What is known at the end of a loop comes to its beginning the next time.
function flush_function(    i, turn) {
    split("", sources)
    split("", seen)
    split("", known_at)
    for (i = 1; i <= count; i++) {
        to_of[i] = jump_target(op[i], operands[i])
        if (to_of[i] != "")
            sources[to_of[i]] = sources[to_of[i]] " " i
    }
    for (turn = 1; turn <= 3; turn++) {
        split("", known)
        split("", based)
        falls = 1
        for (i = 1; i <= count; i++) {
            follow(i, turn == 3)
            if (turn == 3)
                print at[i] ":\t" op[i] " " shown(op[i], operands[i]) said
        }
    }
    count = 0
}

FNR == NR {
    if (split($0, word, " ") < 3)
        next
    if (word[2] == "->") {
        points_to[number(word[1])] = number(word[3])
    } else {
        symbol[number(word[1])] = word[3]
        place[word[3]] = number(word[1])
    }
    next
}
/^[0-9a-f]+ <.*>:$/ { flush_function() }
/^ *[0-9a-f]+:\t/ {
    count++
    at[count] = $1
    gsub(/[ :]/, "", at[count])
    op[count] = $2
    operands[count] = $3
}
END { flush_function() }
