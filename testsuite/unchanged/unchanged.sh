#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unchanged.sh SET...: whether a change of the sources changes anything of what is made.  BEFORE is
# a checkout of the state before it, built in BEFORE/build; O is the build of the state after it.
# The sets:
#     testsuite, lua, zstd  the assembly that the two plugins make of these programs, which are
#                           BEFORE's, for every kind, the runtime's path in it set aside
#     tests                 what the two mlprofs print, in every call of mlprof in testsuite/, whose
#                           scripts and profiles are those of the state after
# Prints for each what differs, and how many were compared; exit status 1 if anything differs, or
# nothing was compared.
#
# FOLDER holds hashes of what was made, by the plugin that made it: they need not be made
# again, and what was broken off goes on.  With SIDES=before only those of BEFORE are made.
#
# Environment: as for all tests, and BEFORE, FOLDER, REALWORLD (the folder of the sources of Lua and
# zstd), SIDES (before after).

set -u
export LC_ALL=C
: "${SRC:?}" "${O:?}" "${CC:?}" "${CXX:?}" "${FC:?}" "${MAKE:=make}" "${REALWORLD:?}"
: "${BEFORE:?}" "${FOLDER:?}" "${SIDES:=before after}"
[ -n "${JOBS:=1}" ] || JOBS=1
here=$SRC/testsuite/unchanged
. "$SRC/testsuite/kinds/programs.sh"

die() {
    echo "unchanged.sh: $*" >&2
    exit 1
}

# side_build SIDE
side_build() {
    case $1 in
    before) echo "$BEFORE/build" ;;
    after) echo "$O" ;;
    *) die "there is no side $1" ;;
    esac
}

# hash FILE...: of what is in them.
hash() {
    cat "$@" | sha256sum | cut -c 1-16
}

# inputs: a hash of the compilers and of the programs.
inputs() {
    {
        $CC -v 2>&1
        $CXX -v 2>&1
        $FC -v 2>&1
        find "$BEFORE/testsuite" "$BEFORE/rt" -name '*.[ch]' -o -name '*.cc' -o -name '*.f90' -o -name '*.ad[bs]' |
            sort | xargs cat
        echo "$BEFORE $FOLDER"
        # How they are compiled.
        grep -hv '^ *#' "$SRC/testsuite/kinds/programs.sh" "$here/assembly.sh"
    } | hash
}

# results SIDE SET: the folder of the lines of what that side made.
results() {
    echo "$FOLDER/results/$(hash "$(side_build "$1")/ccprof.so")-$inputs/$2"
}

# assembly_jobs SET: lines `NAME FORM KINDS'.
assembly_jobs() {
    case $1 in
    testsuite)
        (cd "$BEFORE/testsuite" && find . -mindepth 2 -name '*.c' -o -mindepth 2 -name '*.cc' \
            -o -name '*.f90' -o -name '*.adb') | sed 's,^\./,,' | sort >"$FOLDER/names"
        sed "s|\$| O2 $kinds trace mark line exclude|" "$FOLDER/names"
        sed "s|\$| O3-fPIC-g time call blocks count-stack alloc-stack field-all|" "$FOLDER/names"
        sed "s|\$| flto time targets count-stack field-all|" "$FOLDER/names"
        echo "demo O3-flto-fPIC $kinds"
        ;;
    lua)
        (cd "$(source_of lua5.4)" && find src -name 'l*.c') | sort >"$FOLDER/names"
        sed "s|\$| O2 $kinds trace|" "$FOLDER/names"
        sed "s|\$| O3-fPIC-g time count-stack field-all|" "$FOLDER/names"
        ;;
    zstd)
        (cd "$(source_of libzstd)" && find lib/common lib/compress lib/decompress lib/dictBuilder programs -name '*.c') |
            sort >"$FOLDER/names"
        sed "s|\$| O2 $kinds|" "$FOLDER/names"
        sed "s|\$| O3-fPIC-g time count-stack field-all|" "$FOLDER/names"
        echo "lib/compress flto time field-all"
        ;;
    esac
}

# one_assembly SIDE SET NAME FORM KINDS
one_assembly() {
    name=$(echo "$3" | tr / -)-$4
    result=$(results "$1" "$2")/$name
    [ ! -s "$result" ] || return 0
    mkdir -p "$FOLDER/work/$2/$name" "${result%/*}"
    (cd "$FOLDER/work/$2/$name" && "$here/assembly.sh" "$(side_build "$1")" "$2" "$3" "$4" "$5") \
        >"$result.part" && mv "$result.part" "$result"
}

# make_set SET: what each side makes.
make_set() {
    for side in $SIDES; do
        assembly_jobs "$1" | sed "s/^/$side $1 /" | shuf | tr '\n' '\0' |
            xargs -0 -P "$JOBS" -I '{}' "$here/unchanged.sh" --one '{}'
    done
}

# lines RESULTS NAME: one for each kind, with the name before it.
lines() {
    if [ -s "$1/$2" ]; then
        sed "s|^|$2 |" "$1/$2"
    else
        echo "$2 none"
    fi
}

# compare SET: prints what differs, and the counts.
compare() {
    before=$(results before "$1") after=$(results after "$1")
    assembly_jobs "$1" | awk '{ gsub("/", "-", $1); print $1 "-" $2 }' | sort -u >"$FOLDER/wanted"
    while read -r name; do
        lines "$before" "$name" >"$FOLDER/before"
        lines "$after" "$name" >"$FOLDER/after"
        paste -d ' ' "$FOLDER/before" "$FOLDER/after"
    done <"$FOLDER/wanted" | awk -v set="$1" '
        NF != 8 { print "not made: " $1; differ++; next }
        $2 != $6 || $3 != $7 || $4 != $8 { print "differs: " $1 ", " $2; differ++; next }
        $3 { refused++; next }
        { same++ }
        END {
            printf "%s: %d same, %d differ, %d refused alike\n", set, same, differ, refused
            exit !same || differ
        }'
}

# tests: the tests that run mlprof.
tests() {
    compared=$FOLDER/compared
    rm -f "$compared"
    names=$(cd "$SRC/testsuite" && grep -l 'MLPROF\|TABLE\|table\|mlprof' -- */*.test | sed 's,.*/,,; s/\.test$//' | tr '\n' ' ')
    status=0
    MLPROF_COMPARED=$compared "$MAKE" -C "$SRC" --no-print-directory O="$O" JOBS="$JOBS" \
        MLPROF_BEFORE="$BEFORE/build/mlprof" TESTS="$names" run-tests || status=1
    awk '$1 == "differs" { print }
        { n[$1]++ }
        END {
            printf "tests: %d same, %d differ, %d not compared\n", n["same"], n["differs"], n["alone"]
            exit !n["same"] || n["differs"]
        }' "$compared" || status=1
    return $status
}

if [ "${1-}" = --one ]; then
    # Its words.
    # shellcheck disable=SC2086
    set -- $2
    side=$1 set=$2 name=$3 form=$4
    shift 4
    one_assembly "$side" "$set" "$name" "$form" "$*"
    # What was not made is told in the end.
    exit 0
fi

[ -x "$BEFORE/build/mlprof" ] || die "$BEFORE is not a checkout that is built: there is no $BEFORE/build/mlprof"
[ "$(readlink -f "$BEFORE/build")" != "$(readlink -f "$O")" ] || die "BEFORE is this checkout"
mkdir -p "$FOLDER"
inputs=$(inputs)
export inputs
failed=0
for set; do
    case $set in
    tests)
        case $SIDES in
        *after*) tests || failed=1 ;;
        esac
        continue
        ;;
    testsuite | lua | zstd) ;;
    *) die "there is no set $set" ;;
    esac
    make_set "$set"
    case $SIDES in
    *before*after*) compare "$set" || failed=1 ;;
    esac
done
exit $failed
