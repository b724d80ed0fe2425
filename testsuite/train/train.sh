# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests of the argument train: GCC's own profile is the measure.
# shellcheck source=testsuite/lib.sh
. "$SRC/testsuite/lib.sh"

need python3

# told FILE.gcda [without KIND]: its functions, sorted, each with its checksums and counters in one
# line, and the summary; without what says when the file was made, and without those counters and what
# is behind them: of indirect calls, or of the first execution.
told() {
    python3 "$SRC/testsuite/train/gcda.py" list "$1" | sed "${3+s/; $3 .*//}"
}

# object FILE: what its object is called, without .o; GNAT knows of one name alone.
object() {
    basename "$1" .adb
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
            "$compiler" $flags -c "$file" -o "$(object "$file").o"
        done
        # shellcheck disable=SC2086
        "$compiler" $flags ./*.o -o program -pthread -lm
    )
}

# as_gcc WHAT COMPILER FLAGS ARGUMENTS FILE...: the program's .gcda files are those of GCC's own profile,
# and so are the objects that GCC makes with them. What GCC counts of threads is right if it counts
# atomically. WHAT:
#   values  all that there is;
#   all     without divisors and sizes;
#   calls   without the order of first executions, too, as in threads that race;
#   arcs    without indirect calls, too: in which object an inline function has values is by chance.
#           (GCC reads values with -fno-profile-values, too, unless nothing is to be made of them.)
as_gcc() {
    what=$1 compiler=$2 flags=$3 arguments=$4
    shift 4
    case $what in
    values) argument='train-order -fplugin-arg-ccprof-train-values' generate='' use='' without='no such' ;;
    all) argument=train-order generate='' use='' without='no such' ;;
    calls) argument=train generate='' use=-fno-profile-reorder-functions without=first ;;
    arcs) argument=train generate=-fno-profile-values use='-fno-profile-values -fno-vpt' without='\(powers\|ranges\|lists\|indirect\|sizes\|first\)' ;;
    esac
    echo "$what: $compiler $flags: $*"
    rm -rf theirs ours
    build "$compiler" theirs "$flags -fprofile-generate $generate -fprofile-update=atomic" "$@"
    build "$compiler" ours "$flags -fplugin=$PLUGIN -fplugin-arg-ccprof-$argument" "$@"
    # shellcheck disable=SC2086
    (cd theirs && ./program $arguments >printed 2>&1) || true
    # shellcheck disable=SC2086
    (cd ours && ./program $arguments >printed 2>&1) || true
    same ours/printed theirs/printed
    (cd ours && run 0 "$MLPROF" -gcda beside program mlmon.out)
    functions=0
    for file; do
        name=$(object "$file")
        [ -f "theirs/$name.gcda" ] || continue
        python3 "$SRC/testsuite/train/gcda.py" strip "theirs/$name.gcda" "$what"
        told "theirs/$name.gcda" without "$without" >want
        told "ours/$name.gcda" without "$without" >got
        same got want
        functions=$((functions + $(grep -c function want)))
        for folder in theirs ours; do
            # shellcheck disable=SC2086
            (cd $folder && "$compiler" $flags -fprofile-use $use -frandom-seed=1 \
                -fdebug-prefix-map="$PWD=." -Werror=missing-profile -Werror=coverage-mismatch -w -c "$file" -o "$name.o")
        done
        cmp "ours/$name.o" "theirs/$name.o" || fail "the second build of $name is another one"
    done
    [ "$functions" -gt 0 ] || fail "no function was compared"
    echo "$functions functions"
}
