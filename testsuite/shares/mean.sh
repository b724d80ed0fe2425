# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether runs have what is due on the mean, for tests of what is sampled where one run has not: where
# others have the machine, too, samples come in bursts, and runs differ by more than samples explain.
# Sourced by shares/rows.sh and rt/rt.sh.

# mean_within MOST SLACK COMMAND...: each time the command makes a run of its own and prints a line whose
# first word is how far that is from what is due; the lines are left in `runs`. The mean of five is
# within SLACK and what is between the runs (Student's t: one mean in 1,000 is further off), but no further
# than MOST, which is what one run may have. A mean beyond that, which the runs are too
# different to rule out, is decided by five more, up to 20.
mean_within() {
    mean_most=$1 mean_slack=$2
    shift 2
    : >runs
    mean_verdict='more'
    while [ "$mean_verdict" = more ]; do
        for _ in 1 2 3 4 5; do
            "$@" >>runs
        done
        mean_verdict=$(awk -v most="$mean_most" -v slack="$mean_slack" '
            BEGIN { split("8.61 4.78 4.14 3.88", student, " ") }
            { n++; sum += $1; squares += $1 * $1 }
            END {
                mean = sum / n
                spread = squares / n - mean * mean
                far = student[n / 5] * sqrt((spread > 0 ? spread : 0) / (n - 1)) + slack
                if (mean < 0) mean = -mean
                print mean <= far && mean <= most ? "good" : mean <= far && n < 20 ? "more" : "bad"
            }' runs)
    done
    [ "$mean_verdict" = good ]
}
