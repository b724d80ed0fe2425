# SPDX-License-Identifier: GPL-3.0-or-later
# The columns cur, 95% range (Wilson's) and stack of lines `SAMPLES; FRAME; ...', innermost first,
# and -v lost=N samples: `CUR LEAST-MOST STACK NAME', of functions or with -v lines=1 of lines.
function wilson(share, side, z, middle, spread) {
    z = 1.959963985
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    share = middle + side * spread
    return share < 5e-10 ? 0 : share
}
{
    count = split($0, frame, "; ")
    split("", seen)
    total += frame[1]
    for (i = 2; i <= count; i++) {
        name = frame[i]
        if (lines && match(name, / [^ ]*:[0-9]+$/)) {
            name = substr(name, RSTART + 1)
            sub(/:/, ": ", name)
        }
        sub(/ [^ ]*:[0-9]+$/, "", name)
        if (i == 2)
            cur[name] += frame[1]
        if (!(name in seen))
            stack[name] += frame[1]
        seen[name] = 1
    }
}
END {
    total += lost
    if (lost)
        cur["<lost>"] = stack["<lost>"] = lost
    for (name in stack)
        printf "%.1f%% %.1f-%.1f %.1f%% %s\n", 100 * cur[name] / total,
            100 * wilson(cur[name] / total, -1), 100 * wilson(cur[name] / total, 1),
            100 * stack[name] / total, name
}
