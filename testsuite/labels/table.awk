# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f table.awk [-v relative=1] MINIMUM RESULTS: the tables, and what is below the minimum;
# then the exit status is 1.  The minimum is of one version of GCC; of another, with `relative', less
# will do where the better reader of DWARF has no more of that class.  RESULTS: LEVEL LANGUAGE TOOL CLASS NUMBER FUNCTIONS LINES, MINIMUM: CLASS
# FUNCTIONS LINES in percent, with tabs between.
BEGIN { FS = "\t" }

function percent(n, of) { return of ? 100 * n / of : 0 }

function add(row, tool) {
    n[row, tool] += $5
    functions[row, tool] += $6
    lines[row, tool] += $7
}

function title(text,    i) {
    printf "%-31s%7s", text, "instr."
    for (i = 1; i <= tools; i++) printf "%17s", tool[i]
    printf "\n%-31s%7s", "", ""
    for (i = 1; i <= tools; i++) printf "%17s", "func.   line"
    print ""
}

function print_row(row,    i) {
    printf "%-31s%7d", row, n[row, "ccprof"]
    for (i = 1; i <= tools; i++)
        printf "%10.2f %6.2f", percent(functions[row, tool[i]], n[row, tool[i]]),
            percent(lines[row, tool[i]], n[row, tool[i]])
    print ""
}

function complain(text) {
    bad = 1
    print "ccprof: " text
}

# least(SET, RIGHT, CLASS): what SET asks of the class, or what readers of DWARF have right of it.
function least(set, right, class,    i, best, had) {
    if (!relative) return set
    for (i = 1; i <= tools; i++) {
        if (tool[i] == "ccprof" || tool[i] == "markers alone") continue
        had = percent(right[class, tool[i]], n[class, tool[i]])
        if (had > best) best = had
    }
    return best < set ? best : set
}

FNR == NR {
    if ($0 !~ /^#/) { min_functions[$1] = $2; min_lines[$1] = $3 }
    next
}
{
    place = sprintf("%-4s %s", $2, $1)
    gsub(",", " ", place)
    if (!(place in known)) { known[place]; places[++n_places] = place }
    if (!($4 in known)) { known[$4]; classes[++n_classes] = $4 }
    if (!($3 in known)) { known[$3]; tool[++tools] = $3 }
    add(place, $3); add($4, $3); add("all", $3)
}
END {
    for (i = 2; i <= n_classes; i++) {
        class = classes[i]
        for (j = i; j > 1 && classes[j - 1] > class; j--) classes[j] = classes[j - 1]
        classes[j] = class
    }
    title("percent right, by options:")
    for (i = 1; i <= n_places; i++) print_row(places[i])
    print ""
    title("percent right, by class:")
    for (i = 1; i <= n_classes; i++) print_row(classes[i])
    print_row("all")

    for (class in min_functions) {
        if (!n[class, "ccprof"])
            complain(class ": none")
        want = least(min_functions[class], functions, class)
        if (percent(functions[class, "ccprof"], n[class, "ccprof"]) < want)
            complain(class ": functions below " want " %")
        want = least(min_lines[class], lines, class)
        if (percent(lines[class, "ccprof"], n[class, "ccprof"]) < want)
            complain(class ": lines below " want " %")
    }
    for (i = 1; i <= tools; i++) {
        if (functions["all", tool[i]] > functions["all", "ccprof"])
            complain("functions below " tool[i])
        if (lines["all", tool[i]] > lines["all", "ccprof"] && tool[i] != "markers alone")
            complain("lines below " tool[i])
    }
    exit bad
}
