# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of blocks. Sourced after testsuite/lib.sh.

# The tests use it.
# shellcheck disable=SC2034
BLOCKS="-fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks"

# The gcov of the compiler under test.
gcov_tool() {
    tool=gcov-$("$CC" -dumpversion | sed 's/\..*//')
    command -v "$tool" || command -v gcov || skip "gcov is not installed"
}

# same_as_gcov COMPILER ARGUMENTS SOURCE...: compiles the files as gcov wants it and with blocks,
# runs both programs with the arguments, and compares what mlprof and gcov make of that. Both are
# compiled in the folder ./gcov, so that they know one folder. gcov adds up what children of the
# program have counted, too, and without the option loses counts of threads. With ONLY, names of files
# with commas between, these alone are compared.
same_as_gcov() {
    compiler=$1 arguments=$2
    shift 2
    gcov=$(gcov_tool)
    rm -rf gcov theirs
    mkdir gcov
    (
        cd gcov || exit
        for source; do
            "$compiler" -O0 --coverage -fprofile-update=atomic -c "$source"
        done
        "$compiler" --coverage ./*.o -o program -lm
        # shellcheck disable=SC2086
        ./program $arguments >output
        "$gcov" -b --json-format ./*.gcno >log 2>&1
    )
    mv gcov theirs
    mkdir gcov
    (
        cd gcov || exit
        for source; do
            # shellcheck disable=SC2086
            "$compiler" -O0 -fplugin="$PLUGIN" $BLOCKS -c "$source"
        done
        # shellcheck disable=SC2086
        "$compiler" -fplugin="$PLUGIN" $BLOCKS ./*.o -o program -lm
        # shellcheck disable=SC2086
        ./program $arguments >output
        run 0 "$MLPROF" -gcov ours.json program mlmon.out*
    )
    same gcov/output theirs/output
    # shellcheck disable=SC2086
    python3 "$SRC/testsuite/count/gcov-equal.py" ${ONLY:+--only "$ONLY"} gcov/ours.json theirs/*.gz ||
        fail "mlprof and gcov tell different things: $*"
}
