# SPDX-License-Identifier: GPL-3.0-or-later
# For agree.sh: whether the rows of time-label and of time-field agree.  Reads `apart' (NAME,
# POINTS) and `rows' (RUN, ENGINE, SAMPLES, NAME, PERCENT); runs is the number of runs of each.
#
# Runs differ by more than the drawing of samples explains, most of all where others have the
# machine, too: samples come late, and in bursts.  By how much more, as a factor of the variance,
# is taken from the runs themselves, over all rows (the dispersion of a quasi-binomial model:
# McCullagh and Nelder, Generalized Linear Models, 4.5); a factor below 1 is chance.

BEGIN { FS = "\t" }

FILENAME == ARGV[1] { most[$1] = $2; next }

{
    size[$2, $1] = $3
    percent[$2, $4, $1] = $5
    names[$4] = 1
}

# Sets mean[engine, name], and adds to what the dispersion is made of.
function describe(engine, name, run, sum, weight, expected, variance, p) {
    for (run = 1; run <= runs; run++) {
        sum += percent[engine, name, run] * size[engine, run]
        weight += size[engine, run]
    }
    p = mean[engine, name] = sum / weight
    # Rows of few samples say little of dispersion, and much of rounding.
    if (p * weight / runs < 100 * 20)
        return
    for (run = 1; run <= runs; run++) {
        expected = p * (100 - p) / size[engine, run]
        variance += (percent[engine, name, run] - p) ^ 2 / expected
    }
    squares += variance
    freedom += runs - 1
}

function chance(label, field) {
    label = label * (100 - label) / total["label"]
    field = field * (100 - field) / total["field"]
    return 3 * sqrt(dispersion * (label + field))
}

function judge(name, label, field, may) {
    may += chance(label, field)
    if (field - label <= may && label - field <= may)
        return
    printf "%s: %.1f by label, %.1f by field, may be %.1f apart\n", name, label, field, may
    bad = 1
}

END {
    for (run = 1; run <= runs; run++) {
        total["label"] += size["label", run]
        total["field"] += size["field", run]
    }
    if (total["label"] == 0 || total["field"] == 0) {
        print "no samples"
        exit 1
    }
    for (name in names) {
        describe("label", name)
        describe("field", name)
    }
    dispersion = freedom > 0 && squares > freedom ? squares / freedom : 1
    for (name in names)
        if (name in most) {
            row = sprintf("    %s: %.1f by label", name, mean["label", name])
            printf "%s, %.1f by field\n", row, mean["field", name]
            judge(name, mean["label", name], mean["field", name], most[name])
            label += mean["label", name]
            field += mean["field", name]
        } else
            judge(name, mean["label", name], mean["field", name], 3)
    judge("together", label, field, 3)
    if (dispersion > 1.5)
        printf "    variance between runs: %.1f times that of the samples\n", dispersion
    exit bad
}
