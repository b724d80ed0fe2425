# SPDX-License-Identifier: GPL-3.0-or-later
# Judges a file by mlmon.out(5), independently of the code that writes and reads it.
# Fails with the line's number and what is wrong with it.

function bad(what) {
    if (!failed)
        print FILENAME ":" FNR ": " what ": " $0 > "/dev/stderr"
    failed = 1
    exit 1
}

function number(text) {
    if (text !~ /^(0|[1-9][0-9]*)$/)
        bad("not a number")
    return text
}

# The line must be WORD and one number.
function item(word) {
    if ($1 != word || NF != 2)
        bad(word " wanted")
    step++
    return number($2)
}

BEGIN { FS = "[ ]" }
ended { bad("something after the end") }
step == 0 { if ($0 != "ccprof mlmon 1") bad("wrong head"); step++; next }
step == 1 { if ($0 != "kind time") bad("wrong kind"); step++; next }
step == 2 {
    if ($0 !~ /^engine (task-clock|thread-timer|process-timer|wall-timer)$/)
        bad("wrong engine")
    step++
    next
}
step == 3 { if ($0 !~ /^clock (cpu|wall)$/) bad("wrong clock"); step++; next }
step == 4 { if (item("rate") < 1 || $2 > 1000000) bad("wrong rate"); next }
step == 5 { item("cpu"); next }
step == 6 { item("wall"); next }
step == 7 { item("threads"); next }
step == 8 { item("waits"); next }
step == 9 { samples = item("samples"); next }
step == 10 { lost = item("lost"); next }
step == 11 && $1 == "module" {
    if ($2 != modules++)
        bad("wrong number of the module")
    if ($3 !~ /^(-|([0-9a-f][0-9a-f])+)$/)
        bad("wrong build-id")
    if ($4 !~ /^0x(0|[1-9a-f][0-9a-f]*)$/)
        bad("wrong bias")
    if (NF < 5)
        bad("no path")
    next
}
step == 11 { points = item("counts"); next }
step == 12 && left < points {
    left++
    if (NF != 4 || $1 != 0)
        bad("wrong point")
    if ($2 != "-" && number($2) >= modules)
        bad("no such module")
    if ($3 !~ /^0x(0|[1-9a-f][0-9a-f]*)$/)
        bad("wrong address")
    if (number($4) < 1)
        bad("a point without samples")
    sum += $4
    next
}
$0 == "end" && step == 12 { ended = 1; next }
{ bad("not expected") }
END {
    if (failed)
        exit 1
    if (!ended)
        bad("no end")
    if (modules < 1)
        bad("no module")
    if (sum != samples - lost)
        bad("counts add up to " sum ", not to " samples " - " lost)
}
