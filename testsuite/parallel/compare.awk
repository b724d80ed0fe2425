# SPDX-License-Identifier: GPL-3.0-or-later
# awk -F, -v FAR=POINTS [-v lost=1] -f compare.awk OWN CSV: whether what a program measured of its constructs
# (measured.c) and the table that mlprof -parallel -csv has are at most so many points apart: waiting at the
# end, and waiting altogether, of a construct's time; or, if `lost', what a thread has more to do than the
# others. Idle threads and tasks are points of all that the table has.
function check(what, mine, table)
{
    printf "    %s: %.1f, its own %.1f\n", what, table, mine
    if (table - mine > FAR || mine - table > FAR)
        wrong = 1
    checked++
}
FILENAME == ARGV[1] {
    split($0, word, " ")
    own[++count] = $0
    next
}
FNR > 1 {
    sub(/\r$/, "")
    all += $4
    if ($3 == "task") {
        tasks += $5
        next
    }
    time[$1] += $4
    work[$1] += $5
    end[$1] += $7
    most[$1] = $12 / ($11 > 0 ? $11 : 1)
}
END {
    for (i = 1; i <= count; i++) {
        words = split(own[i], word, " ")
        name = word[1] ".omp"
        # By chance there is always one that has most.
        if (words == 5 && lost && word[5] > 0.1 && most[name] > 0)
            check(word[1] ", lost", 100 * word[5], 100 * most[name])
        if (words == 5 && !lost) {
            sum = word[2] + word[3] + word[4]
            if (!(name in time) || sum == 0) {
                print "there is no " name
                exit 1
            }
            # Where nothing but tasks is work its own figure has what it took to begin.
            if (word[2] > 0)
                check(word[1] ", at its end", 100 * word[4] / sum, 100 * end[name] / time[name])
            check(word[1] ", waiting", 100 * (word[3] + word[4]) / sum, 100 * (1 - work[name] / time[name]))
            check(word[1] ", of all", 100 * sum / all * 1e9, 100 * time[name] / all)
        }
        if (word[1] == "tasks" && !lost)
            check("tasks, of all", 100 * word[2] * 1e9 / all, 100 * tasks / all)
        if (word[1] == "idle" && !lost)
            check("idle, of all", 100 * word[2] * 1e9 / all, 100 * time["<idle>"] / all)
    }
    exit wrong || !checked
}
