#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unchanged.sh SET...: whether a change of the sources changes anything of what is made. BEFORE is
# a checkout of the state before it, built in BEFORE/build; O is the build of the state after it.
# The sets:
#     testsuite, lua, zstd  the assembly and the messages that the two plugins make of these programs,
#                           which are BEFORE's, in several forms and for every kind, the runtime's
#                           path in it set aside
#     tests                 what the two mlprofs print, in every call of mlprof in testsuite/, whose
#                           scripts and profiles are those of the state after (both.sh)
# Prints for each what differs, of mlprof's calls by kinds (differences.py), and how many were
# compared; exit status 1 if anything differs, or nothing was compared.
#
# Environment: as for all tests, and BEFORE, FOLDER to work in, REALWORLD (the folder of the sources of
# Lua and zstd).

set -u
export LC_ALL=C
: "${SRC:?}" "${O:?}" "${CC:?}" "${CXX:?}" "${FC:?}" "${MAKE:=make}" "${REALWORLD:?}" "${BEFORE:?}" "${FOLDER:?}"
[ -n "${JOBS:=1}" ] || JOBS=1
# From programs.sh: options, defines, arguments and more.
# shellcheck disable=SC2154
. "$SRC/testsuite/kinds/programs.sh"

die() {
    echo "unchanged.sh: $*" >&2
    exit 1
}

# jobs SET: lines `FILE-OR-FOLDER FORM KINDS'.
jobs() {
    case $1 in
    testsuite)
        (cd "$BEFORE/testsuite" && find . -mindepth 2 -name '*.c' -o -mindepth 2 -name '*.cc' \
            -o -name '*.f90' -o -name '*.adb') | sed 's,^\./,,' | sort >"$FOLDER/names"
        sed "s|\$| O2 $kinds trace mark line exclude|" "$FOLDER/names"
        sed "s|\$| O3-fPIC-g time call blocks count-stack alloc-stack field-all|" "$FOLDER/names"
        sed "s|\$| flto time targets count-stack field-all|" "$FOLDER/names"
        echo "demo O3-flto-fPIC $kinds"
        ;;
    lua) (cd "$(source_of lua5.4)" && find src -name 'l*.c') | sort | sed "s|\$| O2 $kinds trace|" ;;
    zstd)
        (cd "$(source_of libzstd)" && find lib/[cd]* programs -name '*.c' ! -path 'lib/deprecated/*') | sort |
            sed "s|\$| O2 $kinds|"
        echo "lib/compress flto time field-all"
        ;;
    esac
}

# also_arguments KIND: of arguments that are no kinds.
also_arguments() {
    case $1 in
    trace) arguments="profile=count stack trace" ;;
    mark) arguments="profile=count mark=block" ;;
    line) arguments="profile=time-field,count position=line" ;;
    exclude) arguments="profile=time exclude=ma.*" ;;
    *) kind_arguments "$1" ;;
    esac
}

# compiler_of FILE
compiler_of() {
    case $1 in
    *.cc) echo "$CXX -std=c++20 -fopenmp" ;;
    *.f90) echo "$FC -fopenmp" ;;
    *.adb) echo "$CC -gnat2012" ;;
    *) echo "$CC -fopenmp -D_GNU_SOURCE" ;;
    esac
}

# set_of SET NAME: into `top', the set's folder, and `given', the compiler's further options.
set_of() {
    case $1 in
    testsuite)
        top=$BEFORE/testsuite
        given="-I$BEFORE -I$BEFORE/rt -I$top/rt -I$top/shares -DSIZE=8"
        [ "${2%.f90}" = "$2" ] || "$FC" -fsyntax-only "$BEFORE/rt/ccprof.f90"
        ;;
    *)
        top=$(source_of "$([ "$1" = lua ] && echo lua5.4 || echo libzstd)")
        program_sources "$1"
        given=$defines
        ;;
    esac
}

# assemble BUILD OPTION...: with the plugin of that build, into the file it.s, the messages behind it. The plugin's
# name is in the tables, and must be the same for both.
assemble() {
    ln -sf "$1/ccprof.so" ccprof.so
    build=$1
    shift
    rm -f it.*
    case " $* " in
    *' -flto '*)
        # What a linker would get of it.
        "$@" -r -flinker-output=nolto-rel -save-temps -o it.o 2>messages
        status=$?
        cat it.o*.ltrans.s >it.s 2>/dev/null
        ;;
    *)
        "$@" -S -o it.s 2>messages
        status=$?
        ;;
    esac
    [ ! -f it.s ] || sed -i "s|\"$build/rt/libccprof|\"libccprof|" it.s
    sed "s|$build|BUILD|g" messages >>it.s
}

# one SET NAME FORM KIND...: a line for each kind: `same', `refused' (and so by both) or `differs', and what.
one() {
    set=$1 name=$2 form=$3
    shift 3
    work=$FOLDER/work/$set/$(echo "$name" | tr / -)-$form
    mkdir -p "$work" && cd "$work" || return
    set_of "$set" "$name"
    form_options "$form" || return
    files=$top/$name
    [ ! -d "$files" ] || files="$files/*.c"
    for kind; do
        also_arguments "$kind" || return
        # Lists and names with an asterisk, to be split.
        # shellcheck disable=SC2046,SC2086
        set -- $(compiler_of "$name") $options $given -fplugin=./ccprof.so \
            $(printf -- '-fplugin-arg-ccprof-%s ' $arguments) $files
        assemble "$BEFORE/build" "$@"
        mv it.s before.s
        before=$status
        assemble "$O" "$@"
        if [ "$status" != "$before" ] || ! cmp -s before.s it.s; then
            echo "differs: $set $name $form $kind: the last of them are in $work"
            return
        fi
        [ "$status" = 0 ] && echo same || echo refused
    done
    rm -rf "$work"
}

# compare SET: prints what differs, and the counts.
compare() {
    jobs "$1" | sed "s/^/$1 /" | tr '\n' '\0' | xargs -0 -P "$JOBS" -I '{}' "$0" --one '{}' | awk -v set="$1" '
        { n[$1]++ }
        $1 == "differs:"
        END {
            printf "%s: %d same, %d differ, %d refused alike\n", set, n["same"], n["differs:"], n["refused"]
            exit !n["same"] || n["differs:"]
        }'
}

# tests: the tests that run mlprof.
tests() {
    compared=$FOLDER/compared
    rm -f "$compared"
    names=$(cd "$SRC/testsuite" && grep -l 'MLPROF\|TABLE\|table\|mlprof' -- */*.test |
        sed 's,.*/,,; s/\.test$//' | tr '\n' ' ')
    status=0
    MLPROF_COMPARED=$compared "$MAKE" -C "$SRC" --no-print-directory O="$O" JOBS="$JOBS" \
        MLPROF_BEFORE="$BEFORE/build/mlprof" TESTS="$names" run-tests || status=1
    python3 "$SRC/testsuite/unchanged/differences.py" "$compared" "$BEFORE/build/mlprof" "$O/mlprof" || status=1
    awk '{ n[$1]++ }
        END {
            printf "tests: %d same, %d differ, %d not compared\n", n["same"], n["differs"], n["alone"]
            exit !n["same"] || n["differs"]
        }' "$compared" || status=1
    return $status
}

if [ "${1-}" = --one ]; then
    # Its words.
    # shellcheck disable=SC2086
    one $2
    exit 0
fi

[ -x "$BEFORE/build/mlprof" ] || die "$BEFORE is not a checkout that is built: there is no $BEFORE/build/mlprof"
[ "$(readlink -f "$BEFORE/build")" != "$(readlink -f "$O")" ] || die "BEFORE is this checkout"
mkdir -p "$FOLDER"
failed=0
for set; do
    case $set in
    tests) tests || failed=1 ;;
    testsuite | lua | zstd) compare "$set" || failed=1 ;;
    *) die "there is no set $set" ;;
    esac
done
exit $failed
