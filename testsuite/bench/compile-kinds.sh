#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kinds that people leave on cost while compiling, next to gcov, on C and on
# programs in templates: time, and the size of code, of counters and of what says whose
# they are.  PROGRAMS: only some of rays, sat, json, words and sqlite.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof
objects=$work/compile-kinds

# contender NAME FOLDER OPTION...: the program's objects, compiled with the options.
contender() {
    name=$1 folder=$objects/$program/$2
    shift 2
    mkdir -p "$folder"
    list="$list '$name' 'cd $folder && exec $CC -O2 $* -c $sources'"
}

contenders() {
    contender "plain" plain
    contender "plain, once more" again
    contender "time" time "$plugin"
    contender "count" count "$plugin" $k-profile=count
    contender "count, blocks" blocks "$plugin" $k-profile=count $k-blocks
    contender "gcov" gcov -fprofile-arcs -ftest-coverage
}

# sizes FOLDER: of all its objects, a line.  The stub, which a program has once, is left out;
# what gcov says of counters is in files of its own.
sizes() {
    {
        size -A -d "$1"/*.o
        cat "$1"/*.gcno 2>/dev/null | wc -c | sed 's/^/.gcno /'
        cat "$1"/*.o | wc -c | sed 's/^/file /'
    } | awk '
        $1 ~ /ccprof_attach/ { next }
        $1 ~ /^[.]text/ { code += $2 }
        $1 ~ /^[.]t?bss/ || $1 ~ /^ccprof_/ { storage += $2 }
        $1 ~ /^[.]ccprof/ || $1 == ".gcno" { tables += $2 }
        $1 == "file" { file = $2 }
        END { printf "%d\t%d\t%d\t%d\n", code, storage, tables, file }'
}

# one PROGRAM SOURCE...
one() {
    program=$1
    shift
    sources=$* list=
    contenders
    title "compile time: $program at -O2, $COMPILE_ROUNDS rounds"
    eval "\"$work/ratio\" \"$COMPILE_ROUNDS\" $list" | ratios
    printf '%-24s %9s %7s %9s %9s %9s\n' "bytes" .text ratio storage tables objects
    for folder in plain time count blocks gcov; do
        printf '%s\t%s\n' "$folder" "$(sizes "$objects/$program/$folder")"
    done | awk -F '\t' '
        NR == 1 { plain = $2 }
        { printf "%-24s %9d %7.3f %9d %9d %9d\n", $1, $2, $2 / plain, $3, $4, $5 }'
}

rm -rf "$objects"
echo "Aims: count at most 1.10; both not more than gcov.  storage: .bss and .tbss, and where"
echo "they are told of in memory; tables: .ccprof.*, or gcov's .gcno; objects: the files."
for program in ${PROGRAMS:-rays sat json words sqlite}; do
    case $program in
    rays) one rays "$bench"/../demo/*.c ;;
    sat) one sat "$bench"/sat*.cc ;;
    json) one json "$bench"/json*.cc ;;
    words) one words "$bench/../kinds/words.cc" ;;
    sqlite) ! sqlite || one sqlite "$work/sqlite/sqlite3.c" ;;
    *)
        echo "compile-kinds: PROGRAMS: rays, sat, json, words or sqlite, not $program" >&2
        exit 2
        ;;
    esac
done
