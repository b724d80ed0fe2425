# SPDX-License-Identifier: GPL-3.0-or-later
# ROWS WHERE: the samples of each loop in the rows `NAME PLACE SECONDS' of `mlprof -by loop', one at each
# instruction, are the instructions of which a frame that -where tells of, the innermost first, is in
# its lines; but for what begins a loop and stands on its first line, no more than 5 of 100.

# The name of a function without template arguments.
function plain(name) {
    while (gsub(/<[^<>]*>/, "", name))
        continue
    sub(/ and [0-9]+ more$/, "", name)
    gsub(/ /, "", name)
    return name
}

function samples(text) {
    sub(/^.* /, "", text)
    return int(text * 100 + .5)
}

# Returns the loop whose lines contain the frame. Loops on the same lines are one loop.
function loop_of(name, file, line,    i, best) {
    for (i = 1; i <= loops; i++)
        if (loop_name[i] == name && loop_file[i] == file && first[i] <= line && line <= last[i] &&
            (!best || last[i] - first[i] < last[best] - first[best]))
            best = i
    return best + 0
}

function add_loop(name, file, from, to, count,    i) {
    for (i = 1; i <= loops; i++)
        if (loop_name[i] == name && loop_file[i] == file && first[i] == from && last[i] == to)
            break
    if (i > loops)
        loops = i
    loop_name[i] = name; loop_file[i] = file; first[i] = from; last[i] = to
    got[i] += count
}

# The line of <unknown> is not known, and -where does not know it either.
FNR == NR && /^<(no loop|unknown)> / { got[0] += samples($0) }

FNR == NR && match($0, /  [^ ]*: [0-9]+(:[0-9]+)?(-[0-9]+(:[0-9]+)?)?(, inner)? [0-9.]+$/) {
    split(substr($0, RSTART), words, " ")
    sub(/:$/, "", words[1])
    count = split(words[2], ends, "-")
    add_loop(plain(substr($0, 1, RSTART - 1)), words[1], ends[1] + 0, ends[count] + 0, samples($0))
}

FNR != NR {
    sub(/^0x[0-9a-f]*: /, "")
    count = split($0, frames, " < ")
    found = 0
    for (i = 1; i <= count && !found; i++) {
        at = name = frames[i]
        sub(/^.* /, "", at)
        sub(/ [^ ]*$/, "", name)
        split(at, point, ":")
        found = loop_of(plain(name), point[1], point[2] + 0)
    }
    want[found]++
    all++
}

END {
    for (i = 0; i <= loops; i++) {
        printf "%s %s:%d-%d: %d samples, %d instructions\n", loop_name[i], loop_file[i], first[i], last[i],
            got[i], want[i]
        apart += got[i] > want[i] ? got[i] - want[i] : want[i] - got[i]
        sum += got[i]
    }
    printf "%d of %d are elsewhere\n", apart / 2, all
    exit !(loops > 5 && all > 200 && sum == all && apart / 2 <= .05 * all)
}
