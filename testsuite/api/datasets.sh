# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of data sets and labels, after testsuite/lib.sh and testsuite/runtime/rt.sh.

# shellcheck disable=SC2034
API=$SRC/testsuite/api

# data.h: a sample stands for 0.01 s of its figures.
export CCPROF=rate=200

# table FILE...: the rows of the files, added up, into the file table, and as CSV into table.csv.
table() {
    table_of -balance true -thresh 0 -csv table.csv prog "$@" >table
}

# seconds FUNCTION: where it was on the stack, in the last table, as data.h counts them.
seconds() {
    function=$1 awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "stack_samples") at = i }
        $1 == ENVIRON["function"] { sum += $at } END { print sum / 100 }' table.csv
}

# Where runs are decided, a function of the test makes one, and asks of it by about and add_up, with && between them;
# what it asks by the others fails the test at once.

# has_seconds FUNCTION LOW HIGH FILE...: whether it has.
has_seconds() {
    name=$1
    low=$2
    high=$3
    shift 3
    table "$@"
    lies "$low" "$(seconds "$name")" "$high" "seconds of $name in $*"
}

# about FUNCTION SECONDS FILE...: whether it has a tenth more or less, and two samples.
about() {
    name=$1
    want=$2
    shift 2
    has_seconds "$name" "$(awk "BEGIN { print $want * 0.9 - 0.02 }")" \
        "$(awk "BEGIN { print $want * 1.1 + 0.02 }")" "$@"
}

# none FUNCTION FILE...: it has no sample there.
none() {
    name=$1
    shift
    has_seconds "$name" 0 0 "$@" || fail "$name was sampled"
}

# add_up FILE...: all files of a run are valid, what is in mlmon.out and elsewhere is what
# was sampled, and all of them merged have nothing elsewhere. Whether they are as many as the CPU time asks for.
# A thread that ends may leave a sample that is due for time in the kernel, as one does that writes files; only a
# thread that begins later takes it (rt/sampler/engine.h).
add_up() {
    for file; do
        valid "$file"
    done
    awk '$1 == "samples" { sum += $2 } $1 == "lost" { sum += 0 } $1 == "elsewhere" { balance += $2 }
        $1 == "cpu" { cpu += $2 } $1 == "rate" { rate = $2 } $1 == "threads" { threads += $2 }
        END { print sum, balance, cpu / 1e9 * rate, threads - 1 }' "$@" >sums
    read -r sum balance due left <sums
    [ "$balance" = 0 ] || fail "what is elsewhere adds up to $balance: $*"
    table "$@"
    hasnot table 'in other files'
    has table '^sampled .* of .* CPU time'
    lies "$(awk "BEGIN { print $due * 0.95 - 4 - $left }")" "$sum" \
        "$(awk "BEGIN { print $due * 1.05 + 4 }")" "samples in $*"
}
