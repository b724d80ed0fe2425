#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Generates programs whose functions have constants, members, variables and callees of
# their own (generate.py), and asks `mlprof -where` on the stripped executable for each
# instruction that carries one: is the innermost function the right one, and the line that
# of the constant?  Readers of DWARF are asked the same of the same program built with -g.
# What they answer is told by class of instruction (answers.py).
#
# Environment: CC CXX PLUGIN MLPROF JOBS as for the tests;
#   SEEDS, a program for each; LEVELS, LANGUAGES (below), or CHOSEN, a file with lines `SEED LANGUAGE LEVEL';
#   MINIMUM, a file of percentages.
#   TARGET, where CC compiles for another machine: nothing is run but the readers.
# Works in the current folder. Prints tables and each missed function; exit status 1
# if ccprof is below the minimum (of another GCC than 12 or another processor: and below the better
# reader of DWARF), or on the whole below the better reader of DWARF.

set -eu
export LC_ALL=C
: "${CC:?}" "${CXX:?}" "${PLUGIN:?}" "${MLPROF:?}" "${JOBS:=1}"
: "${SEEDS:=1 2 3}" "${LEVELS:=-O1 -O2 -O3 -Os -O3,-flto=1}" "${LANGUAGES:=c c++}"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=testsuite/labels/disassembly.sh
. "$here/disassembly.sh"
minimum=$here/minimum
[ "$cpu" = x86_64 ] || minimum=$minimum-$cpu
: "${MINIMUM:=$minimum}"

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

# one SEED LANGUAGE LEVEL: runs it in its own folder, below the folder with the sources.
one() {
    language=$2
    level=$3
    case $language in
    c) compiler=$CC sources='../*.c ../outside.s' ;;
    *) compiler=$CXX sources='../*.cc ../outside.s' ;;
    esac
    # Several options in one word.
    flags=$(echo "$level" | tr , ' ')
    mkdir "$1/$language/$level"
    cd "$1/$language/$level"

    build stripped -g0 -fplugin="$PLUGIN"
    build debug -g -fplugin="$PLUGIN"
    build markers -g0 -fplugin="$PLUGIN" -fplugin-arg-ccprof-scopes=no
    for program in stripped debug markers; do
        strip -o "$program.s" "$program"
        code_of "$program.s"
    done
    cmp stripped.s.text debug.s.text >&2 || die "$language $level: the code differs with -g"
    cmp stripped.s.text markers.s.text >&2 || die "$language $level: scopes=no changes the code"

    # Where the symbols still are.
    disassembly stripped | python3 "$here/answers.py" "$cpu" "$MLPROF" "$language" "$level"
}

if [ "${1-}" = --one ]; then
    one "$2" "$3" "$4"
    exit 0
fi

if [ -z "${CHOSEN-}" ]; then
    CHOSEN=chosen
    for seed in $SEEDS; do
        for language in $LANGUAGES; do
            for level in $LEVELS; do
                echo "$seed $language $level"
            done
        done
    done >$CHOSEN
fi

# each COMMAND...: with the arguments SEED LANGUAGE LEVEL.
each() {
    while read -r seed language level; do
        "$@" "$seed" "$language" "$level"
    done <"$CHOSEN"
}

show_misses() {
    if [ -s "$1/$2/$3/misses" ]; then
        echo "functions missed by ccprof, program $1, $2 $3:"
        sed 's/^/    /' "$1/$2/$3/misses"
    fi
}

show_results() {
    cat "$1/$2/$3/results"
}

cut -d ' ' -f 1,2 "$CHOSEN" | sort -u | while read -r seed language; do
    mkdir -p "$seed/$language"
    python3 "$here/generate.py" "$language" "$seed" "$seed/$language"
done
each echo | xargs -n 3 -P "$JOBS" "$0" --one
each show_results >all-results
each show_misses
cat <<'END'
Where a reader of DWARF says the same, GCC itself has made one operation of two that stood
in different functions, or of a loop and what it calls; else ccprof has lost something.

END

# The minimum is of GCC 12 on x86-64.
relative=1
case $cpu-$("$CC" -dumpversion) in
x86_64-12*) relative=0 ;;
esac
python3 "$here/table.py" "$MINIMUM" $relative all-results
