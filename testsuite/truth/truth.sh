#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Generates programs whose functions have constants of their own (generate.c), and asks
# `mlprof -where` on the stripped executable for each instruction that carries one:
# is the innermost function the right one, and the line that of the constant?  Readers
# of DWARF are asked the same of the same program built with -g.
#
# Environment: CC CXX PLUGIN MLPROF JOBS as for the tests; GENERATE, the generator;
#   SEED, LEVELS, LANGUAGES (below), MIN_FUNCTIONS and MIN_LINES in percent.
# Works in the current folder.  Prints a table and each missed function; exit status 1
# if ccprof is below the minimum, or below the better reader of DWARF.

set -eu
export LC_ALL=C
: "${CC:?}" "${CXX:?}" "${PLUGIN:?}" "${MLPROF:?}" "${GENERATE:?}" "${JOBS:=1}"
: "${SEED:=1}" "${LEVELS:=-O1 -O2 -O3 -O3,-flto=1}" "${LANGUAGES:=c c++}"
: "${MIN_FUNCTIONS:=99.9}" "${MIN_LINES:=97}"
export SEED
here=$(cd "$(dirname "$0")" && pwd)

die() {
    echo "truth: $*" >&2
    exit 2
}

# build OUTPUT OPTIONS...: the program of this folder's sources.
build() {
    output=$1
    shift
    # Options and the pattern are to be expanded.
    # shellcheck disable=SC2086
    $compiler -w $flags "$@" $sources -o "$output" 2>messages || {
        head -n 20 messages >&2
        die "$language $level: does not compile: $*"
    }
}

code_of() {
    objcopy -O binary -j .text "$1" "$1.text"
}

# answers TOOL OUTPUT: scores it, into the file of results.
answers() {
    awk -v tool="$1" -f "$here/answers.awk" "$2" >"$2.answers"
    [ "$(wc -l <"$2.answers")" -eq "$(wc -l <carriers)" ] ||
        die "$language $level: $1 did not answer every address, see $PWD/$2"
    printf '%s\t%s\t%s\t%s\n' "$level" "$language" "${3:-$1}" "$(awk \
        -v tool="$1" -f "$here/score.awk" carriers "$2.answers")" >>results
}

# one LANGUAGE LEVEL: in a folder of its own, below that with the sources.
one() {
    language=$1
    level=$2
    case $language in
    c) compiler=$CC sources='../*.c' ;;
    *) compiler=$CXX sources='../*.cc' ;;
    esac
    # Several options in one word.
    flags=$(echo "$level" | tr , ' ')
    mkdir "$language/$level"
    cd "$language/$level"

    build stripped -g0 -fplugin="$PLUGIN"
    build debug -g -fplugin="$PLUGIN"
    build markers -g0 -fplugin="$PLUGIN" -fplugin-arg-ccprof-scopes=no
    for program in stripped debug markers; do
        strip -o "$program.s" "$program"
        code_of "$program.s"
    done
    cmp stripped.s.text debug.s.text >&2 || die "$language $level: the code differs with -g"
    cmp stripped.s.text markers.s.text >&2 || die "$language $level: scopes=no changes the code"

    objdump -d --no-show-raw-insn stripped.s | awk -f "$here/carriers.awk" ../truth - >carriers
    [ -s carriers ] || die "$language $level: no instruction carries a constant"
    cut -f 1 carriers | sed 's/^/0x/' >addresses

    "$MLPROF" -where stripped.s <addresses >ccprof
    answers ccprof ccprof
    "$MLPROF" -where markers.s <addresses >alone
    answers ccprof alone "markers alone"
    addr2line -e debug -a -f -C -i <addresses >out-addr2line
    answers addr2line out-addr2line
    dwarf=addr2line
    if command -v llvm-symbolizer >/dev/null; then
        dwarf=llvm-symbolizer
        llvm-symbolizer --functions=short -e debug <addresses >out-$dwarf
        answers $dwarf out-$dwarf
    elif command -v eu-addr2line >/dev/null; then
        dwarf=eu-addr2line
        eu-addr2line -e debug -a -f -C -i <addresses >out-$dwarf
        answers $dwarf out-$dwarf
    fi
    awk -v dwarf=$dwarf -f "$here/misses.awk" carriers ccprof.answers out-$dwarf.answers >misses
}

if [ "${1-}" = --one ]; then
    one "$2" "$3"
    exit 0
fi

for language in $LANGUAGES; do
    mkdir "$language"
    "$GENERATE" "$language" "$SEED" "$language"
    for level in $LEVELS; do
        echo "$language $level"
    done
done | xargs -n 2 -P "$JOBS" "$0" --one

for language in $LANGUAGES; do
    for level in $LEVELS; do
        cat "$language/$level/results"
    done
done >all-results

for language in $LANGUAGES; do
    for level in $LEVELS; do
        if [ -s "$language/$level/misses" ]; then
            echo "functions missed by ccprof, $language $level:"
            sed 's/^/    /' "$language/$level/misses"
        fi
    done
done
cat <<'END'
Where a reader of DWARF says the same, GCC itself has made one operation of two that stood
in different functions, or of a loop and what it calls; else ccprof has lost something.

END

awk -F '\t' -v min_functions="$MIN_FUNCTIONS" -v min_lines="$MIN_LINES" '
    function percent(n, of) { return of ? 100 * n / of : 0 }
    # The columns of a row of tools.
    function columns(key,    i) {
        printf "%7d", n[key, tool[1]]
        for (i = 1; i <= tools; i++)
            if (tool[i] == "markers alone")
                printf "%16.2f", percent(functions[key, tool[i]], n[key, tool[i]])
            else
                printf "%9.2f %6.2f", percent(functions[key, tool[i]], n[key, tool[i]]),
                    percent(lines[key, tool[i]], n[key, tool[i]])
        print ""
    }
    {
        split($4, score, " ")
        row = sprintf("%-4s %s", $2, $1)
        gsub(",", " ", row)
        if (!(row in known)) { known[row]; order[++rows] = row }
        if (!($3 in seen)) { seen[$3]; tool[++tools] = $3 }
        n[row, $3] += score[1]; functions[row, $3] += score[2]; lines[row, $3] += score[3]
        n["all", $3] += score[1]; functions["all", $3] += score[2]; lines["all", $3] += score[3]
    }
    END {
        printf "%-18s%7s", "percent right:", "instr."
        for (i = 1; i <= tools; i++) printf "%16s", tool[i]
        printf "\n%-18s%7s", "", ""
        for (i = 1; i <= tools; i++)
            printf tool[i] == "markers alone" ? "%16s" : "%16s", tool[i] == "markers alone" ? "func." : "func.   line"
        print ""
        for (r = 1; r <= rows; r++) { printf "%-18s", order[r]; columns(order[r]) }
        printf "%-18s", "all"; columns("all")

        f = percent(functions["all", "ccprof"], n["all", "ccprof"])
        l = percent(lines["all", "ccprof"], n["all", "ccprof"])
        bad = 0
        if (f < min_functions) { bad = 1; printf "ccprof: functions below %s %%\n", min_functions }
        if (l < min_lines) { bad = 1; printf "ccprof: lines below %s %%\n", min_lines }
        for (i = 1; i <= tools; i++) {
            t = tool[i]
            if (t == "ccprof" || t == "markers alone") continue
            if (functions["all", t] > functions["all", "ccprof"]) { bad = 1; print "ccprof: functions below " t }
            if (lines["all", t] > lines["all", "ccprof"]) { bad = 1; print "ccprof: lines below " t }
        }
        exit bad
    }' all-results
