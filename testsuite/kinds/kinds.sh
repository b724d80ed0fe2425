#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kinds.sh FOLDER PROGRAM/FORMS/KINDS...: builds each of the programs, in FOLDER, in each of
# the forms and for each of the kinds, runs it, and compares what it prints and how it ends
# with the plain program's in the same form. FORMS and KINDS are names from programs.sh with
# commas between, or `all'; a combination that several words name is tried once. Prints what
# differs, and how many runs were compared; exit status 1 if any differs or there were none.
#
# Environment: SRC (top of the source), O (build folder), CC, CXX, FC, JOBS; for lua and
# zstd REALWORLD, the folder that holds their sources.

set -u
export LC_ALL=C
# The runs are short.
export CCPROF=rate=1000
: "${SRC:?}" "${O:?}" "${CC:?}" "${CXX:?}" "${FC:?}" "${JOBS:=1}" "${REALWORLD:=}"

. "$SRC/testsuite/kinds/programs.sh"

# run PROGRAM: into `out'.
run() {
    rm -f mlmon.out
    # shellcheck disable=SC3045
    (ulimit -c 0 && program_run "$1") >out 2>&1
    echo "status $?" >>out
}

# differs PROGRAM FORM KIND: prints how, in this folder, where ../plain is the plain one.
differs() {
    kind_arguments "$3"
    set -- "$@" "-fplugin=$O/ccprof.so"
    for argument in $arguments; do
        set -- "$@" "-fplugin-arg-ccprof-$argument"
    done
    program=$1 form=$2 kind=$3
    shift 3
    if ! build "$program" "$form" "$@"; then
        echo "is not compiled: $(grep -m 1 -i error log)"
        return
    fi
    run "$program"
    # Each function of the C++ library that GCC compiles for words has a stopwatch, too: its calls come along more
    # paths than the runtime has room for (REGIONS_PATHS in rt/regions/regions-inside.h), and it says so.
    [ "$program $kind" != 'words stopwatch' ] ||
        sed -i '/^ccprof: [0-9]* calls of regions were lost: there was no room$/d' out
    if ! cmp -s ../plain/out out; then
        echo "prints something else: $(diff ../plain/out out | sed -n 's/^> //p' | head -n 3)"
        return
    fi
    case $kind in
    drop | call) [ ! -e mlmon.out ] || echo "writes a data file" ;;
    *)
        if [ ! -s mlmon.out ]; then
            echo "writes no data file"
        elif ! "$O/mlprof" -raw true prog mlmon.out >table 2>log || [ ! -s table ]; then
            echo "cannot be reported: $(head -n 1 log)"
        fi
        ;;
    esac
}

# all_of PROGRAM FORM KINDS: in this folder. A line for each run, in `results'.
all_of() {
    mkdir plain
    if ! (cd plain && build "$1" "$2" && run "$1"); then
        echo "FAIL $1, $2: the plain program is not compiled: $(grep -m 1 -i error plain/log)"
        return
    fi
    case $(tail -n 1 plain/out) in
    "status 0") ;;
    *) echo "FAIL $1, $2: the plain program: $(cat plain/out)" ;;
    esac
    for kind in $3; do
        mkdir "$kind"
        how=$(cd "$kind" && differs "$1" "$2" "$kind")
        if [ -n "$how" ]; then
            echo "FAIL $1, $2, $kind: $how"
        else
            echo "same $1, $2, $kind"
            rm -r "$kind"
        fi
    done
}

if [ "$1" = --one ]; then
    rm -rf "${2:?}"
    mkdir -p "$2"
    cd "$2" || exit 1
    all_of "$3" "$4" "$5" >results
    grep '^FAIL' results
    exit 0
fi

# chosen WHAT NAMES ALL: NAMES, which have commas between, as words of the list ALL.
chosen() {
    if [ "$2" = all ]; then
        echo "$3"
        return
    fi
    echo "$2" | tr , '\n' | while read -r name; do
        case " $3 " in
        *" $name "*) printf '%s ' "$name" ;;
        *)
            echo "kinds.sh: there is no $1 $name" >&2
            exit 1
            ;;
        esac
    done
}

# jobs PROGRAM/FORMS/KINDS...: what --one is called with, with zeros between.
jobs() {
    number=0 tried=' '
    for job; do
        number=$((number + 1))
        IFS=/ read -r program some_forms some_kinds <<END
$job
END
        program=$(chosen program "$program" "$programs") &&
            some_forms=$(chosen form "$some_forms" "$forms") &&
            some_kinds=$(chosen kind "$some_kinds" "$kinds") || exit 1
        program=${program% }
        for form in $some_forms; do
            new=
            for kind in $some_kinds; do
                case $tried in
                *" $program-$form-$kind "*) ;;
                *) new="$new $kind" tried="$tried$program-$form-$kind " ;;
                esac
            done
            [ -z "$new" ] || printf '%s\0' "$folder/$number-$program-$form" "$program" "$form" "$new"
        done
    done
}

folder=$1
shift
rm -rf "${folder:?}"
mkdir -p "$folder"
jobs "$@" >"$folder/jobs" || exit 1
xargs -0 -n 4 -P "$JOBS" "$0" --one <"$folder/jobs"
same=$(cat "$folder"/*/results | grep -c '^same')
failed=$(cat "$folder"/*/results | grep -c '^FAIL')
echo "$((same + failed)) runs compared, $failed differ"
[ "$failed" -eq 0 ] && [ "$same" -gt 0 ]
