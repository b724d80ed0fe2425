# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests of what mlprof prints: . "$SRC/testsuite/views/rows.sh" after lib.sh.

# start COMMAND...: how a program is run; a test may have a way of its own.
start() {
    "$@"
}

# profile PROGRAM [ARGUMENTS...]: runs it into `output`; its profile goes to `table`.
profile() {
    program=$1
    shift
    arguments_of_program=$*
    another_run
}

# another_run: one more like the last one, with its table.
another_run() {
    rm -f mlmon.out
    # shellcheck disable=SC2086
    start "./$program" $arguments_of_program >output || fail "$program: exit status $?"
    [ -f mlmon.out ] || fail "$program left no mlmon.out"
    tabulate "$program"
}

# tabulate FILE [DATA...]: writes mlprof's table into `table`. Time outside of the program, for
# example in the kernel, is charged to the callers.
tabulate() {
    file=$1
    shift
    [ $# -gt 0 ] || set -- mlmon.out
    table_of -no-show-extern "$file" "$@" >table || fail "mlprof $file: exit status $?"
}

# seconds: prints the CPU time in the header of `table`.
seconds() {
    sed -n '1s/^\([0-9,.]*\) seconds of CPU time.*/\1/p' table | tr -d ,
}

# share NAME: its percentage in `table`, 0 if it has no row.
share() {
    table_cell "$1" self <table
}

# stack NAME: the same of the samples that were taken while it was on the stack.
stack() {
    table_cell "$1" total <table
}

# true_of AWK-EXPRESSION
true_of() {
    awk "BEGIN { exit !($1) }"
}

# clock: prints the percentage of the function that reads the program's clock ($CLOCK) in `table`.
# If other processes use the machine, late samples accumulate in this function.
clock() {
    share "${CLOCK:-kernel_seconds}"
}

# together NAME...: prints the sum of the percentages of these rows in `table`.
together() {
    for name; do
        share "$name"
    done | awk '{ sum += $1 } END { print sum + 0 }'
}

# judged COMMAND...: checks that the command succeeds on `table'. If the first run fails, more runs
# decide (testsuite/decide.sh), and the last one remains.
judged() {
    "$@" || decided_after again "$@" || {
        cat table >&2
        fail "more runs are off: $*"
    }
}

again() {
    another_run
    "$@"
}

# within NAME LOW HIGH: the percentage of its row is, in `table' or in more runs.
within() {
    judged in_range "$@"
}

in_range() {
    lies "$2" "$(share "$1")" "$3" "$1"
}

# sums LOW NAME...: their rows have at least so many percent together, in `table' or in more runs.
sums() {
    judged have_together "$@"
}

have_together() {
    low=$1
    shift
    lies "$low" "$(together "$@")" 101 "$*"
}

# off_by NAME PERCENT: prints the difference in points between the row in `table`, of mlmon.out, and
# PERCENT of the samples outside of the clock; then the allowed difference: 4.5 standard deviations
# of chance, plus 0.6 points for the turn that the end cuts off and for rounding; then the number of
# samples.
off_by() {
    awk -v p="$2" -v got="$(share "$1")" -v clock="$(clock)" -v n="$(sed -n 's/^samples //p' mlmon.out)" 'BEGIN {
        print got - p * (100 - clock) / 100, 450 * sqrt(p / 100 * (1 - p / 100) / n) + 0.6, n
    }'
}

# are_near NAME: returns whether the mean difference of the runs, a line of off_by for each, is
# allowed.
are_near() {
    awk -v name="$1" '{ off += $1; far += $2; if (NR == 1 || $3 < least) least = $3 }
        END {
            off /= NR
            far /= NR
            if (least >= 800 && off <= far && -off <= far)
                exit
            printf "off: %s by %.1f points, of %.1f, in %d run(s) of at least %d samples\n", name, off, far, NR, least
            exit 1
        }' >&2
}

# A command that prints the expected percentage of the first of two functions in the last run.
REFERENCE=

# due PERCENT [first|second]: prints the expected percentage of a function in the last run. It comes
# from $REFERENCE if the function is the first or second of its two.
due() {
    reference=$1
    [ -z "$REFERENCE" ] || [ -z "${2-}" ] || reference=$($REFERENCE)
    [ "${2-}" != second ] || [ -z "$REFERENCE" ] || reference=$(awk "BEGIN { print 100 - $reference }")
    echo "$reference"
}

# near NAME PERCENT [first|second]: checks that the row in `table' has the expected percentage. If
# not, more runs decide.
near() {
    off_by "$1" "$(due "$2" "${3-}")" | are_near "$1" || decided_after near_again "$@" || {
        cat table >&2
        # decide.sh has set them.
        # shellcheck disable=SC2154
        fail "$1 has not $2 % in $decide_off of $decide_runs more runs"
    }
}

# near_again NAME PERCENT [first|second]: returns whether the mean of three more runs is as
# expected. At a load of 25 a single run of 0.3 s is easily ten points off, because the program's
# clock counts time taken by the host, but no sample sees this time.
near_again() {
    for _ in 1 2 3; do
        another_run
        off_by "$1" "$(due "$2" "${3-}")"
    done >runs
    are_near "$1" <runs
}

# shares A PERCENT B PERCENT [C PERCENT]: checks these percentages, and that their sum is within 2
# points and 4.5 standard deviations of chance. The function that reads the program's clock is none
# of these.
shares() {
    near "$1" "$2" first
    near "$3" "$4" second
    [ $# -le 4 ] || near "$5" "$6"
    samples=$(sed -n 's/^samples //p' mlmon.out)
    low=$(awk -v p="$2" -v q="$4" -v r="${6-0}" -v n="$samples" 'BEGIN {
        s = (p + q + r) / 100
        print 100 * s - 2 - 450 * (s < 1 ? sqrt(s * (1 - s) / n) : 0)
    }')
    sums "$low" "$1" "$3" "${5-}" "${CLOCK:-kernel_seconds}"
}

# said NAME: the percentage that the program has printed for it.
said() {
    sed -n "s/^$1 //p" output
}

# as_said PROGRAM LOW [BUT]: runs it; its functions, but for one, have the shares that it prints, NAME
# PERCENT, by its clock, and at least LOW % together.
as_said() {
    profile "$1"
    names=$(sed "s/ .*//; /^${3-}\$/d" output)
    # shellcheck disable=SC2086
    for name in $names; do
        REFERENCE="said $name"
        near "$name" "$(said "$name")" first
    done
    REFERENCE=
    # shellcheck disable=SC2086
    sums "$2" $names "${CLOCK:-kernel_seconds}"
}

# addresses FILE CONSTANT: of the instructions that carry it (as 0x...).
addresses() {
    "${OBJDUMP:-objdump}" -d --no-show-raw-insn "$1" |
        awk -v cpu="${cpu:?}" -v constant="$2" -f "$SRC/testsuite/views/constants.awk"
}

# charged FILE CONSTANT NAME [OUTERMOST]: checks with mlprof -where that every instruction of FILE
# with this constant, at least one, is in NAME, and that the last function of its local stack is
# OUTERMOST.
charged() {
    addresses "$1" "$2" >carriers
    [ -s carriers ] || fail "no instruction of $1 carries $2"
    "$MLPROF" -where "$1" <carriers >where || fail "mlprof -where $1: exit status $?"
    [ "$(wc -l <where)" -eq "$(wc -l <carriers)" ] || fail "mlprof -where: $(cat where)"
    # A name may hold blanks; a position holds none.
    awk -F ' < ' -v last="${4+ < }" '
        function name(frame) {
            sub(/ [^ ]*:[0-9:]*$/, "", frame)
            return frame
        }
        {
            sub(/^0x[0-9a-f]*: /, "")
            print name($1) (last ? last name($NF) : "")
        }' where | sort -u >frames
    [ "$(cat frames)" = "$3${4+ < $4}" ] || {
        cat where >&2
        fail "$1: $2 is charged to $(paste -s -d , frames), not to $3${4+ < $4}"
    }
}

# The constants of kernel.h.
ALPHA=0x5851f42d BETA=0x4c957f2d GAMMA=0x1b873593 DELTA=0x369dea0f
KERNEL=-I$SRC/testsuite/views
export ALPHA BETA GAMMA DELTA KERNEL
