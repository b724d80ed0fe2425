# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of comparisons, behind mlprof.sh.

# count OPTION...: compiles C with calls counted.
count() {
    pcc -fplugin-arg-ccprof-profile=count "$@"
}

# runs PROGRAM OUT ARGUMENT...: runs the program with its data in the file OUT and its output in
# OUT.says.
runs() {
    runs_program=$1 runs_out=$2
    shift 2
    CCPROF=output=$runs_out "./$runs_program" "$@" >"$runs_out.says"
}

# sampled NAME SQ MAIN: a data file of ./prog with so many samples of each of its two functions.
sampled() {
    data "$1" "$(($2 + $3))" 0 "$PWD/prog" -- "0 0 $(at prog 4) $2" "0 0 $(at prog 0) $3"
}

# drifting_program: the program ./drift of the functions a to e.
drifting_program() {
    cat >drift.c <<'END'
volatile int sink;
#define F __attribute__((noipa)) void
F a(void) { sink++; }
F b(void) { sink++; }
F c(void) { sink++; }
F d(void) { sink++; }
F e(void) { sink++; }
int main(void)
{
    a(), b(), c(), d(), e();
    return 0;
}
END
    pcc -O1 drift.c -o drift
}
# drifted NAME EACH E: a data file of ./drift with EACH samples of the functions a to d, and E of e.
drifted() {
    drifted_name=$1 drifted_each=$2 drifted_e=$3
    set --
    for name in a b c d e; do
        [ $name = e ] && count=$drifted_e || count=$drifted_each
        set -- "$@" "0 0 0x$(nm drift | sed -n "s/ T $name\$//p") $count"
    done
    data "$drifted_name" $((4 * drifted_each + drifted_e)) 0 "$PWD/drift" -- "$@"
}

# on_terminal COLUMNS WORDS: writes the output of mlprof on a terminal with this many columns to the
# file shown. No line may have more than 80.
on_terminal() {
    run 0 script -qec "stty cols $1; '$MLPROF' $2" /dev/null
    tr -d '\r' <out | sed 's/\x1b\[[0-9;]*m//g' >shown
    ! awk 'length > 80' shown | grep . || fail 'longer than 80 columns'
}

# refusals [OPTION...]: each line of standard input has the arguments of mlprof after the options, a
# bar, and the expected message. The status must be 1.
refusals() {
    while IFS='|' read -r refusals_words refusals_message; do
        # shellcheck disable=SC2086
        refused "$refusals_message" "$MLPROF" "$@" $refusals_words
    done
}

# exact_lines FILE: prints the limits of a budget and the lines below them, with | between the
# fields.
exact_lines() {
    sed -n '/^ *\(+\|=\|[0-9]\|lines \|case \)/p' "$1" | sed 's/^ *//; s/   */|/g'
}
