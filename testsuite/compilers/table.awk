# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f table.awk RESULTS: compilers by kinds of tests, each cell PASSED, or PASSED/FAILED/SKIPPED
# where not all passed; below it the tests that failed and those that were skipped.
# RESULTS: RELEASE VERSION - TEST PASS|FAIL|SKIP. A test's name tells its kind.

function kind_of(test) {
    if (test ~ /^check_/) return "unit"
    if (test ~ /^(alloc|blocks|call|count|field|flow|stack|targets|watch|regions|heap|rt|plugin|forms|kinds)-?/)
        { sub(/-.*/, "", test); return test }
    if (test ~ /^gcov/) return "flow"
    if (test ~ /^(truth|same-code)/) return "truth"
    if (test ~ /^(mlprof|export|page|names|by|compare|gate|api)/) return "report"
    return "others"
}

function add(list, test) { return list (list == "" ? "" : " ") test }

BEGIN {
    kinds = split("unit plugin forms kinds rt call count blocks flow targets stack alloc field regions " \
                  "watch heap truth report others", kind)
}
{
    row = $1 " " $2
    if (!(row in known)) { known[row]; rows[++n_rows] = row }
    k = kind_of($4)
    if ($5 == "PASS") passed[row, k]++
    else if ($5 == "SKIP") { skipped[row, k]++; skips[row] = add(skips[row], $4) }
    else { failed[row, k]++; fails[row] = add(fails[row], $4) }
    used[k]
}
END {
    printf "| GCC of Debian |"
    for (i = 1; i <= kinds; i++) if (kind[i] in used) printf " %s |", kind[i]
    printf "\n|---|"
    for (i = 1; i <= kinds; i++) if (kind[i] in used) printf "---|"
    print ""
    for (r = 1; r <= n_rows; r++) {
        row = rows[r]
        split(row, word, " ")
        printf "| %s, %s |", word[2], word[1]
        for (i = 1; i <= kinds; i++) {
            if (!(kind[i] in used)) continue
            printf " %d", passed[row, kind[i]]
            if (failed[row, kind[i]] || skipped[row, kind[i]])
                printf "/%d/%d", failed[row, kind[i]], skipped[row, kind[i]]
            printf " |"
        }
        print ""
    }
    for (r = 1; r <= n_rows; r++) {
        if (fails[rows[r]] != "") print "\n" rows[r] ": failed: " fails[rows[r]]
        if (skips[rows[r]] != "") print "\n" rows[r] ": skipped: " skips[rows[r]]
    }
}
