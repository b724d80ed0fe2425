#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kinds cost while compiling, next to gcov and -g: time, and the size of code, of counters and of
# what says whose they are. PROGRAMS: only some of templates, words, json and sqlite.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof
objects=$work/compile

# contender FOLDER OPTION...: the program's object, compiled with the options.
contender() {
    folder=$1
    shift
    mkdir -p "$objects/$program/$folder"
    list="$list $folder 'cd $objects/$program/$folder && exec $CC -O2 $* -c $source -o prog.o'"
}

# sizes FOLDER: of its object, a line. The stub, which a program has once, is left out; what gcov says of
# counters is in files of its own.
sizes() {
    {
        size -A -d "$1/prog.o"
        cat "$1"/*.gcno 2>/dev/null | wc -c | sed 's/^/.gcno /'
    } | awk '
        $1 ~ /ccprof_attach/ { next }
        $1 ~ /^[.]text/ { code += $2 }
        $1 ~ /^[.]t?bss/ || $1 ~ /^ccprof_/ { storage += $2 }
        $1 ~ /^[.]ccprof/ || $1 == ".gcno" || $1 ~ /^[.]debug/ { tables += $2 }
        $1 == ".rodata" { constants = $2 }
        END { printf "%d\t%d\t%d\t%d\n", code, storage, tables, constants }'
}

# one PROGRAM SOURCE
one() {
    program=$1 source=$2 list=
    contender plain
    contender again
    contender time "$plugin"
    contender line "$plugin" $k-position=line
    contender none "$plugin" $k-position=none
    contender count "$plugin" $k-profile=count
    contender count-blocks "$plugin" $k-profile=count $k-blocks
    contender count-stack "$plugin" $k-profile=count $k-stack
    contender alloc "$plugin" $k-profile=alloc
    contender alloc-stack "$plugin" $k-profile=alloc $k-stack
    contender gcov -fprofile-arcs -ftest-coverage
    contender debug -g
    title "compile time: $program at -O2, $COMPILE_ROUNDS rounds"
    eval "\"$bench/ratio.py\" \"$COMPILE_ROUNDS\" $list" | ratios
    printf '%-24s %9s %7s %9s %9s %7s %9s\n' "bytes" .text ratio storage tables /.text .rodata
    for folder in plain time line none count count-blocks count-stack alloc alloc-stack gcov debug; do
        printf '%s\t%s\n' "$folder" "$(sizes "$objects/$program/$folder")"
    done | awk -F '\t' '
        NR == 1 { plain = $2 }
        { printf "%-24s %9d %7.3f %9d %9d %7.3f %9d\n", $1, $2, $2 / plain, $3, $4, $4 / plain, $5 }'
}

rm -rf "$objects"
echo "Aims: time at most 1.05, count at most 1.10, both not more than gcov; stack at most twice the plain one, in"
echo "time and in code; tables at most 0.30 of the code, 0.10 with position=none. storage: .bss and .tbss, and"
echo "where they are told of in memory; tables: .ccprof.*, gcov's .gcno, or .debug_*."
for program in ${PROGRAMS:-templates words json sqlite}; do
    case $program in
    templates) one templates "$bench/../stack/templates.cc" ;;
    words) one words "$bench/../kinds/words.cc" ;;
    json) ! header nlohmann/json.hpp || one json "$bench/json.cc" ;;
    sqlite) ! sqlite || one sqlite "$work/sqlite/sqlite3.c" ;;
    esac
done
