# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the parts of `make bench`, which source it. They need CC and O (absolute) and
# run in any folder; $work is theirs. The figures differ from run to run and from
# machine to machine, so none of them passes or fails.

set -eu
export LC_ALL=C
: "${CC:?}" "${O:?}" "${ROUNDS:=9}" "${COMPILE_ROUNDS:=3}"
bench=$(cd "$(dirname "$0")" && pwd)
work=$O/bench
# The parts use it.
# shellcheck disable=SC2034
plugin=-fplugin=$O/ccprof.so
mkdir -p "$work"
# shellcheck disable=SC2034
REALWORLD=$work/src
# shellcheck source=testsuite/kinds/programs.sh
. "$bench/../kinds/programs.sh"

title() {
    printf '\n== %s ==\n' "$*"
}

# ratios: a table of what ratio.py prints.
ratios() {
    awk -F '\t' 'BEGIN { printf "%-24s %9s %7s  %s\n", "", "CPU s", "ratio", "middle half" }
        { printf "%-24s %9.3f %7.3f  %.3f to %.3f\n", $1, $2, $3, $4, $5 }'
}

# sqlite: builds sqlite3.c and shell.c, SQLite's amalgamation, in $work/sqlite;
# without tclsh, which makes them, it says so and fails.
sqlite() {
    [ ! -f "$work/sqlite/sqlite3.c" ] || return 0
    command -v tclsh >/dev/null 2>&1 || {
        echo "not measured: SQLite's amalgamation is made with tclsh (apt-get install tcl)"
        return 1
    }
    "$bench/../realworld/fetch.sh" "$work/src" sqlite3 || {
        echo "not measured: no source of SQLite"
        return 1
    }
    set -- "$work"/src/sqlite3/*/
    mkdir -p "$work/sqlite.part"
    (cd "$work/sqlite.part" && make -s -f "$1main.mk" TOP="${1%/}" BCC="$CC" TCC="$CC" \
        NAWK=awk sqlite3.c shell.c) >"$work/sqlite.log" 2>&1 || {
        echo "not measured: SQLite's amalgamation was not made, see $work/sqlite.log"
        return 1
    }
    rm -rf "$work/sqlite"
    mv "$work/sqlite.part" "$work/sqlite"
}

# realworld PROGRAM PACKAGE: sets $options and $sources to compile a program of that package by, as programs.sh
# has it; if its source cannot be had, says so and fails.
realworld() {
    "$bench/../realworld/fetch.sh" "$work/src" "$2" || {
        echo "not measured: no source of $2"
        return 1
    }
    cd "$work"
    program_sources "$1"
    # The parts use them.
    # shellcheck disable=SC2034,SC2154
    options="-O2 $(echo "$defines" | sed "s|-Iinclude|-I$work/include|")"
}

# header NAME: the compiler finds it.
header() {
    echo "#include <$1>" | "$CC" -x c++ -E - >/dev/null 2>&1
}

# ratio_means FILE: of each contender the geometric mean over the programs, and the worst; the lines
# are those of ratio.py with the program in front.
ratio_means() {
    awk -F '\t' '
        !($2 in sum) { names[++count] = $2 }
        { sum[$2] += log($4); n[$2]++ }
        $4 > most[$2] { most[$2] = $4; where[$2] = $1 }
        END {
            printf "%-24s %9s  %s\n", "", "mean", "worst"
            for (i = 1; i <= count; i++) {
                c = names[i]
                printf "%-24s %9.3f  %.3f %s\n", c, exp(sum[c] / n[c]), most[c], where[c]
            }
        }' "$1"
}

# build FOLDER OPTION...: the program with the options, as $d/FOLDER/prog; $options, $sources and
# $libraries are lists. If $shared is set, all of it, main too, is in a shared object.
# shellcheck disable=SC2154
build() {
    into=$d/$1
    shift
    mkdir -p "$into"
    if [ "${shared-}" ]; then
        # shellcheck disable=SC2086
        (cd "$into" && "$CC" $options -fPIC -shared "$@" $sources -o libprog.so $libraries &&
            "$CC" -Wl,--no-as-needed -L. -lprog -Wl,-rpath,"$into" -o prog $libraries)
    else
        # shellcheck disable=SC2086
        (cd "$into" && "$CC" $options "$@" $sources -o prog $libraries)
    fi
}

# contender NAME FOLDER OPTION...: builds one and adds it to $list, to be run with $arguments.
contender() {
    contender=$1 folder=$2
    shift 2
    build "$folder" "$@"
    # shellcheck disable=SC2154
    list="$list '$contender' 'cd $d/$folder && exec ./prog $arguments'"
}

# measure FOLDER ROUNDS: prints the table of the contenders in $list, and adds their lines to FOLDER/all.
measure() {
    # shellcheck disable=SC2154
    eval "\"$bench/ratio.py\" \"$2\" $list" >"$d/ratios"
    ratios <"$d/ratios"
    # shellcheck disable=SC2154
    sed "s/^/$title	/" "$d/ratios" >>"$1/all"
}

# usual PROGRAM: calls `one TITLE ARGUMENTS SOURCE...' of the part, with $options and $libraries to compile the
# program by; does nothing if its source cannot be had.
usual() {
    # The parts use them.
    # shellcheck disable=SC2034
    options=-O2 libraries="-ldl -lm -lpthread"
    case $1 in
    rays) one "ray tracer" "500 4" "$bench"/../demo/*.c ;;
    calls) one "recursive calls" "" "$bench/calls.c" ;;
    vectors)
        # shellcheck disable=SC2034
        options=-O3
        one "vector code" "" "$bench/vector.c"
        ;;
    json | threads)
        header nlohmann/json.hpp || {
            echo "not measured: nlohmann's JSON library is not installed (apt-get install nlohmann-json3-dev)"
            return 0
        }
        libraries="-lstdc++ -lpthread"
        if [ "$1" = json ]; then
            one "JSON parser" "" "$bench/json.cc"
        else
            one "JSON parser, 8 threads" "8" "$bench/json.cc"
        fi
        ;;
    lua)
        realworld lua lua5.4 || return 0
        # Names without blanks.
        # shellcheck disable=SC2086
        one "Lua" "$bench/lua.lua" $sources
        ;;
    sqlite)
        sqlite || return 0
        one "SQLite" ":memory: <$bench/queries.sql" "$work/sqlite/sqlite3.c" "$work/sqlite/shell.c"
        ;;
    zstd)
        realworld zstd libzstd || return 0
        cat "$bench"/*.c "$bench"/../*/*.c "$bench"/../../*/*/*.c >"$work/text"
        # shellcheck disable=SC2086
        one "Zstandard" "-q -12 --single-thread -c $work/text >/dev/null" $sources
        ;;
    *)
        echo "bench: no program $1" >&2
        exit 2
        ;;
    esac
}
