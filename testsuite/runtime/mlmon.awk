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

# The value of hexadecimal digits, in decimal.
function hexadecimal(digits, i, value) {
    value = 0
    for (i = 1; i <= length(digits); i++)
        value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
    return value
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
step == 0 {
    if ($0 !~ /^ccprof mlmon [1234]$/)
        bad("wrong head")
    # Version 4 is what the others are, and regions.
    version = $3
    step++
    next
}
# Without samples there are none of the lines that tell of them.
step == 1 {
    alone = version == 4 && $0 == "kind region"
    if ($0 != "kind time" && !alone)
        bad("wrong kind")
    step++
    next
}
# Printable, with backslashes in pairs.
step == 2 && $1 == "command" && !commands {
    text = substr($0, length("command ") + 1)
    gsub(/\\\\/, "", text)
    if (length(text) < 1 || length($0) > 2100 || text ~ /[\\\001-\037\177]/)
        bad("wrong command")
    commands++
    next
}
step == 2 && alone { step = 6 }
step == 2 {
    if ($0 !~ /^engine (task-clock|thread-timer|wall-timer)$/)
        bad("wrong engine")
    wall = $2 == "wall-timer"
    step++
    next
}
step == 3 { if ($0 != "clock " (wall ? "wall" : "cpu")) bad("wrong clock"); step++; next }
step == 4 { if (item("rate") < 1 || $2 > 1000000) bad("wrong rate"); next }
step == 5 { if ($0 !~ /^stack (yes|no)$/) bad("wrong stack"); stack = $2; step++; next }
step == 6 { item("cpu"); next }
step == 7 { item("wall"); next }
step == 8 { threads = item("threads"); next }
step == 9 { item("waits"); next }
step == 10 && alone { step = 13 }
step == 10 { samples = item("samples"); next }
step == 11 { lost = item("lost"); next }
step == 12 {
    if ($1 != "elsewhere" || NF != 2 || $2 !~ /^(0|-?[1-9][0-9]*)$/)
        bad("wrong elsewhere")
    part = $2 < 0
    if (part && (-$2 != samples || lost))
        bad("not the samples of the part")
    # The first part of a run may be empty.
    if (threads < 1 && !part && samples)
        bad("no thread")
    step++
    next
}
step == 13 && $1 == "interrupted" && !modules && !calls {
    calls = item("interrupted")
    if (calls < 1)
        bad("no call")
    step--
    next
}
step == 13 && $1 == "refused" && !modules && !refused && NF > 1 {
    refused = 1
    for (i = 2; i <= NF; i++)
        if ($i !~ /^(clock_gettime|gettid|perf_event_open|fcntl|ioctl|timer_create|timer_settime)$/)
            bad("no such system call")
    next
}
step == 13 && $1 == "module" && !labels {
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
step == 13 && $1 == "own" && !labels {
    if (NF != 4 || number($2) >= modules || $3 !~ /^0x[1-9a-f][0-9a-f]*$/ || $4 !~ /^0x[1-9a-f][0-9a-f]*$/)
        bad("wrong place of the runtime")
    if (hexadecimal(substr($3, 3)) >= hexadecimal(substr($4, 3)))
        bad("no room for the runtime")
    next
}
step == 13 && $1 == "label" {
    if ($2 != labels++ || NF < 3 || $3 == "" && NF == 3)
        bad("wrong label")
    next
}
step == 13 && version >= 2 && $1 == "thread" && !width {
    if (number($2) < least || NF < 3 || $3 == "" && NF == 3)
        bad("wrong thread")
    least = $2 + 1
    thread[$2] = 1
    next
}
step == 13 && version >= 3 && $1 == "times" && !width {
    width = number($2)
    if (NF != 3 || width < 1 || number($3) / width >= 2048)
        bad("wrong times")
    buckets = int($3 / width)
    next
}
step == 13 && version == 3 && !width { bad("no times") }
step == 13 && alone && $1 ~ /^(regions|end)$/ { step = $1 == "end" ? 15 : 14 }
step == 13 { points = item("counts"); next }
step == 14 && left < points {
    left++
    if (NF != 4 || number($1) > depth)
        bad("wrong point")
    # So many phases are around it, and the thread.
    if ($1 <= phases)
        phases = $1
    if ((version == 2 || length(thread)) && ($1 == 0) != ($2 == "thread"))
        bad("not in a thread, or a thread in something")
    if ($2 == "thread") {
        if ($1 != phases++ || $4 != 0)
            bad("a thread with samples")
        if (!(hexadecimal(substr($3, 3)) in thread))
            bad("no such thread")
    } else
    if ($2 == "time") {
        if (!width || $1 <= phases || timed == $1 - 1 || $4 == 0)
            bad("not in a point")
        if (hexadecimal(substr($3, 3)) > buckets)
            bad("not within the run")
    } else if (width && $4 != 0) {
        bad("samples without a time")
    } else if ($2 == "label") {
        if ($1 != phases++ || $4 != 0)
            bad("a phase in a frame, or with samples")
        if (hexadecimal(substr($3, 3)) >= labels)
            bad("no such label")
    } else if (stack == "no" && $1 != phases)
        bad("a caller, but no stacks")
    # One that nothing was sampled in must have points below it.
    if (waiting && $1 < depth)
        bad("no samples in the point before it")
    waiting = $4 == 0
    # Nothing is below a bucket.
    timed = $2 == "time" ? $1 : -1
    depth = $1 + 1
    if ($2 != "-" && $2 != "label" && $2 != "thread" && $2 != "time" && number($2) >= modules)
        bad("no such module")
    if ($3 !~ /^0x(0|[1-9a-f][0-9a-f]*)$/)
        bad("wrong address")
    if ($1 == phases && $2 == "-" && $3 ~ /^0x[01]$/ && $4 != 0)
        bad("samples in frames left out")
    if ($2 == "-" && $3 == "0x2" && $4 != 0)
        bad("samples in frames that are on the stack further out")
    # A whole stack, or the innermost 512 frames, 256 others, and points that stand for those left out.
    if ($1 - phases > 512 + 2 * 256 + ($2 == "time"))
        bad("too deep")
    number($4)
    sum += $4
    next
}
step == 14 && version == 4 && $1 == "regions" { step++ }
# These lines testsuite/regions/regions.awk judges.
step == 15 && $1 ~ /^(regions|unplaced|region|path|bucket|events|event)$/ { next }
$0 == "end" && step == (version == 4 ? 15 : 14) { ended = 1; next }
{ bad("not expected") }
END {
    if (failed)
        exit 1
    if (!ended)
        bad("no end")
    if (waiting)
        bad("no samples in the last point")
    if (modules < 1)
        bad("no module")
    if (sum != samples - lost)
        bad("counts add up to " sum ", not to " samples " - " lost)
}
