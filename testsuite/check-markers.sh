#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-markers.sh LEVEL... -- SET...: compiles the programs of each set at each level with the
# checker after every pass (ccprof(1), check). Prints the warnings, and then a line for each set and
# level. Fails if there is a warning, or if nothing was checked.
#
# A set is `small' (the programs of some of the testsuite's folders), `tests' (all C programs here),
# or a program of testsuite/kinds/programs.sh. Environment: CC CXX FC PLUGIN SRC O, and REALWORLD for
# some of these programs.

set -eu
export LC_ALL=C
: "${CC:?}" "${CXX:?}" "${FC:?}" "${PLUGIN:?}" "${SRC:?}" "${O:?}"
# Fortran and Ada leave files in the working folder.
work=$(mktemp -d)
cd "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# From programs.sh: sources and defines.
# shellcheck disable=SC2154
. "$SRC/testsuite/kinds/programs.sh"

levels=
while [ "$1" != -- ]; do
    levels="$levels $1"
    shift
done
shift

# compiler_of FILE: prints the compiler and its options.
compiler_of() {
    case $1 in
    *.c) echo "$CC -fopenmp -D_GNU_SOURCE" ;;
    *.cc) echo "$CXX -fopenmp -std=c++20" ;;
    *.f90) echo "$FC -fopenmp" ;;
    *.adb) echo "$CC -gnat2012" ;;
    esac
}

# files SET
files() {
    case $1 in
    small)
        for folder in kinds kinds/ada demo plugin; do
            find "$SRC/testsuite/$folder" -maxdepth 1 -name '*.c' -o -name '*.cc' -o -name '*.f90' \
                -o -name '*.adb'
        done | sort
        ;;
    tests)
        find "$SRC/testsuite" "$SRC/mlprof" "$SRC/rt" -name '*.c' -o -name '*.cc' \
            -o -name '*.f90' -o -name '*.adb' | sort
        ;;
    *) echo "$sources" | tr ' ' '\n' ;;
    esac
}

# check LEVEL FILE INCLUDES: compiles the file; the messages go to the file messages. Returns 1 if it
# does not compile without the plugin either.
check() {
    # shellcheck disable=SC2046,SC2086
    set -- $(compiler_of "$2") -w $1 $3 -S "$2"
    if "$@" -o "$work/it.s" -fplugin="$PLUGIN" -fplugin-arg-ccprof-check -Wno-error \
        2>"$work/messages"; then
        return 0
    fi
    if "$@" -o "$work/it.s" 2>/dev/null; then
        echo "does not compile with the plugin: $*"
        cat "$work/messages"
        failed=1
    fi
    return 1
}

# sums NAME: adds up the checker's notes.
sums() {
    awk -v name="$1" -v skipped=$skipped '/note: ccprof: checked/ {
            sub(/.*checked /, ""); gsub(/,/, "")
            files++; functions += $1; markers += $5; faults += $7; repaired += $9
        }
        END {
            printf "%s: %d files (%d left out: they do not compile without the plugin), ",
                name, files, skipped
            printf "functions checked %d times, %d markers, %d faults, %d states repaired\n",
                functions, markers, faults, repaired
            exit !(files && markers && !faults)
        }' "$work/all"
}

for set; do
    case $set in
    small | tests) includes="-I$SRC -I$SRC/testsuite/views -I$SRC/rt" ;;
    *)
        program_sources "$set"
        includes=$defines
        ;;
    esac
    for level in $levels; do
        skipped=0
        : >"$work/all"
        files "$set" >"$work/files"
        while read -r file; do
            if ! check "$level" "$file" "$includes"; then
                skipped=$((skipped + 1))
                continue
            fi
            cat "$work/messages" >>"$work/all"
        done <"$work/files"
        grep 'warning: ccprof' "$work/all" || :
        sums "$set $level" || failed=1
    done
done
exit $failed
