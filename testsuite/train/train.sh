# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests of the argument train: GCC's own profile is the measure.
# shellcheck source=testsuite/lib.sh
. "$SRC/testsuite/lib.sh"

need python3

# told FILE.gcda [arcs]: its functions, sorted, each with its checksums and counters in one line, and
# the summary; without what says when the file was made; or with the counters of arcs alone.
told() {
    python3 "$SRC/testsuite/train/gcda.py" list "$1" | if [ "${2-}" ]; then sed 's/; indirect .*//; s/; first .*//'; else cat; fi
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
# atomically. With ARCS=yes values are left out: in which order threads come somewhere, and, of inline
# functions, in which object they come there, is by chance. (GCC reads values with -fno-profile-values,
# too, unless nothing is to be made of them.)
as_gcc() {
    compiler=$1 flags=$2 arguments=$3 without=${ARCS:+-fno-profile-values}
    shift 3
    echo "$compiler $flags: $* $without"
    rm -rf theirs ours
    build "$compiler" theirs "$flags -fprofile-generate $without -fprofile-update=atomic" "$@"
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
        python3 "$SRC/testsuite/train/gcda.py" strip "theirs/$name.gcda"
        told "theirs/$name.gcda" "$without" >want
        told "ours/$name.gcda" "$without" >got
        same got want
        functions=$((functions + $(grep -c function want)))
        for folder in theirs ours; do
            # shellcheck disable=SC2086
            (cd $folder && "$compiler" $flags -fprofile-use $without ${without:+-fno-vpt} -frandom-seed=1 \
                -fdebug-prefix-map="$PWD=." -Werror=missing-profile -Werror=coverage-mismatch -w -c "$file" -o "$name.o")
        done
        cmp "ours/$name.o" "theirs/$name.o" || fail "the second build of $name is another one"
    done
    [ "$functions" -gt 0 ] || fail "no function was compared"
    echo "$functions functions"
}
