# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests of the argument train: GCC's own profile is the measure.
# shellcheck source=testsuite/lib.sh
. "$SRC/testsuite/lib.sh"

gcov_dump=$(echo "$CC" | sed 's/gcc/gcov-dump/')
need "$gcov_dump"

# told FILE.gcda: its functions, sorted, each with its checksums and counters in one line, and the
# summary; without what says when the file was made.
told() {
    "$gcov_dump" -l "$1" | sed 's/^[^ ]*gcda: *//; /^data:\|^stamp\|^checksum/d' | awk '
        /FUNCTION|SUMMARY/ && line { print line; line = "" }
        { sub(/^ *[0-9]+: /, ""); line = line " " $0 }
        END { print line }' | sed 's/  */ /g' | sort
}

# build COMPILER FOLDER FLAGS FILE...: objects in the folder, each FILE's NAME.o, and the program.
build() {
    mkdir -p "$2"
    (
        compiler=$1 flags=$3
        cd "$2"
        shift 3
        for file; do
            # Flags are words.
            # shellcheck disable=SC2086
            "$compiler" $flags -c "$file" -o "$(basename "$file").o"
        done
        # shellcheck disable=SC2086
        "$compiler" $flags ./*.o -o program -pthread -lm
    )
}

# as_gcc COMPILER FLAGS ARGUMENTS FILE...: the program's .gcda files are those of GCC's own profile,
# and so are the objects that GCC makes with them. What GCC counts of threads is right if it counts
# atomically.
as_gcc() {
    compiler=$1 flags=$2 arguments=$3
    shift 3
    echo "$compiler $flags: $*"
    rm -rf theirs ours
    build "$compiler" theirs "$flags -fprofile-generate -fno-profile-values -fprofile-update=atomic" "$@"
    build "$compiler" ours "$flags -fplugin=$PLUGIN -fplugin-arg-ccprof-train" "$@"
    # shellcheck disable=SC2086
    (cd theirs && ./program $arguments >printed 2>&1) || true
    # shellcheck disable=SC2086
    (cd ours && ./program $arguments >printed 2>&1) || true
    same ours/printed theirs/printed
    (cd ours && run 0 "$MLPROF" -gcda beside program mlmon.out)
    functions=0
    for file; do
        name=$(basename "$file")
        [ -f "theirs/$name.gcda" ] || continue
        told "theirs/$name.gcda" >want
        told "ours/$name.gcda" >got
        same got want
        functions=$((functions + $(grep -c FUNCTION want)))
        for folder in theirs ours; do
            # shellcheck disable=SC2086
            (cd $folder && "$compiler" $flags -fprofile-use -fno-profile-values -frandom-seed=1 \
                -fdebug-prefix-map="$PWD=." -Werror=missing-profile -Werror=coverage-mismatch -w -c "$file" -o "$name.o")
        done
        cmp "ours/$name.o" "theirs/$name.o" || fail "the second build of $name is another one"
    done
    [ "$functions" -gt 0 ] || fail "no function was compared"
    echo "$functions functions"
}
