# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the parts of `make bench`, which source it.  They need CC and O (absolute) and
# run in any folder; $work is theirs.  The figures differ from run to run and from
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

title() {
    printf '\n== %s ==\n' "$*"
}

# ratios: a table of what ratio.c prints.
ratios() {
    awk -F '\t' 'BEGIN { printf "%-24s %9s %7s  %s\n", "", "CPU s", "ratio", "middle half" }
        { printf "%-24s %9.3f %7.3f  %.3f to %.3f\n", $1, $2, $3, $4, $5 }'
}

# bytes FILE REGEXP: of the sections whose names match.
bytes() {
    size -A -d "$1" | awk -v want="$2" '$1 ~ want { sum += $2 } END { print sum + 0 }'
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
