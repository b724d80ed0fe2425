#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the plugin costs while compiling, in time and in the size of the tables.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# templates NAME OPTIONS: the command, for ratio.
templates() {
    echo "exec ${CXX:-g++} -O2 $2 -c $bench/../stack/templates.cc -o $work/templates-$1.o"
}

k=-fplugin-arg-ccprof
title "compile time: a file full of templates at -O2, $COMPILE_ROUNDS rounds"
"$work/ratio" "$COMPILE_ROUNDS" \
    "plain" "$(templates plain "")" \
    "count" "$(templates count "$plugin $k-profile=count")" \
    "count, stack" "$(templates count-stack "$plugin $k-profile=count $k-stack")" \
    "alloc" "$(templates alloc "$plugin $k-profile=alloc")" \
    "alloc, stack" "$(templates alloc-stack "$plugin $k-profile=alloc $k-stack")" | ratios
for name in plain count count-stack alloc alloc-stack; do
    echo "$name: $(bytes "$work/templates-$name.o" '^[.]text') bytes of code"
done
echo "Aim of stack: at most twice the plain one, in time and in code."

sqlite || exit 0
cd "$work/sqlite"

# compile NAME OPTIONS: the command, for ratio.
compile() {
    echo "exec $CC -O2 $2 -c sqlite3.c -o $1.o"
}

title "compile time: SQLite's amalgamation at -O2, $COMPILE_ROUNDS rounds"
"$work/ratio" "$COMPILE_ROUNDS" \
    "plain" "$(compile plain "")" \
    "ccprof" "$(compile expression "$plugin")" \
    "-g" "$(compile debug -g)" | ratios
echo "Aim of ccprof: at most 1.05."
for position in line none; do
    sh -c "$(compile $position "$plugin -fplugin-arg-ccprof-position=$position")"
done

# loaded FILE: bytes of text and data, as the program has them in memory.
loaded() {
    size "$1" | awk 'NR == 2 { print $4 }'
}

# linked NAME OPTIONS: SQLite's shell, the strings merged by the linker.
linked() {
    # Options, to be split.
    # shellcheck disable=SC2086
    "$CC" -O2 $2 -c shell.c -o "$1-shell.o"
    "$CC" "$1.o" "$1-shell.o" -o "sqlite-$1" -lm
}

linked plain ""
linked debug -g
linked expression "$plugin"
for position in line none; do
    linked $position "$plugin -fplugin-arg-ccprof-position=$position"
done

# row NAME FILE SECTIONS AIM
row() {
    awk -v name="$1" -v size="$(bytes "$2" "$3")" -v text="$text" -v aim="$4" 'BEGIN {
        printf "%-24s %9d %7.3f  %s\n", name, size, size / text, aim }'
}

title "size of the tables: SQLite and its shell at -O2"
text=$(bytes sqlite-plain '^[.]text')
printf '%-24s %9s %7s  %s\n' "" bytes "/ .text" aim
row ".text" sqlite-plain '^[.]text' ""
row "position=expression" sqlite-expression '^[.]ccprof' "at most 0.30"
row "position=line" sqlite-line '^[.]ccprof' ""
row "position=none" sqlite-none '^[.]ccprof' "at most 0.10"
row "  of these, names" sqlite-none '^[.]ccprof[.](str|unit)' ""
row "-g" sqlite-debug '^[.]debug' ""
echo "In memory with the plugin: $(($(loaded sqlite-expression) - $(loaded sqlite-plain))) bytes more."
