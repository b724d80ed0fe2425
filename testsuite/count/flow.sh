# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of blocks. Sourced after testsuite/lib.sh.

# shellcheck disable=SC2034
BLOCKS="-fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks"

# marked_lines SOURCE: a line `LINE COUNT' for each line of SOURCE that ends in `//= COUNT', `/*= COUNT */' or, in
# Fortran, `!= COUNT'.
marked_lines() {
    awk 'match($0, /(\/[\/*]|!)= [0-9]+( \*\/)?$/) { $0 = substr($0, RSTART); print NR, $2 }' "$1"
}

# lines_executed SOURCE PROGRAM FILE...: each marked line of SOURCE was executed as often as the mark says, in all copies
# of a template together.
lines_executed() {
    marked_lines "$1" >lines.want
    [ -s lines.want ] || fail "no line of $1 is marked"
    shift
    "$MLPROF" -lcov lines.info "$@" >lines.out
    sed -n 's/^DA:\([0-9]*\),/\1 /p' lines.info |
        awk 'NR == FNR { want[$1]; next } $1 in want { sum[$1] += $2 } END { for (n in sum) print n, sum[n] }' \
            lines.want - | sort -n >lines.got
    same lines.got lines.want
}

# gcov_tool: prints the gcov of the compiler under test.
gcov_tool() {
    tool=gcov-$("$CC" -dumpversion | sed 's/\..*//')
    command -v "$tool" || command -v gcov || skip "gcov is not installed"
}

# gcov_build FOLDER COMPILER ARGUMENTS COMPILE-OPTIONS LINK-OPTIONS SOURCE...: builds FOLDER/program in the folder
# ./gcov, so that both compilers see one folder, and runs it.
gcov_build() {
    built=$1 compiler=$2 arguments=$3 compile=$4 link=$5
    shift 5
    rm -rf gcov "$built"
    mkdir gcov
    (
        cd gcov || exit
        # Options and arguments are words.
        # shellcheck disable=SC2086
        for source; do
            "$compiler" -O0 $compile -c "$source"
        done
        # shellcheck disable=SC2086
        "$compiler" $link ./*.o -o program -lm
        # shellcheck disable=SC2086
        ./program $arguments >output
    )
    [ "$built" = gcov ] || mv gcov "$built"
}

# same_as_gcov COMPILER ARGUMENTS SOURCE...: builds and runs the program once for gcov and once with blocks, and
# compares what mlprof and gcov say. gcov adds up what children of the program have counted, too; without
# -fprofile-update it loses counts of threads. If ONLY is set (file names with commas between), only these files
# are compared. BUT is a line where gcov counts the end of a loop of Fortran.
same_as_gcov() {
    compiler=$1 arguments=$2
    shift 2
    gcov=$(gcov_tool)
    gcov_build theirs "$compiler" "$arguments" '--coverage -fprofile-update=atomic' --coverage "$@"
    (cd theirs && "$gcov" -b --json-format ./*.gcno >log 2>&1)
    gcov_build gcov "$compiler" "$arguments" "-fplugin=$PLUGIN $BLOCKS" "-fplugin=$PLUGIN $BLOCKS" "$@"
    (cd gcov && run 0 "$MLPROF" -lcov ours.info -cobertura ours.xml program mlmon.out*)
    same gcov/output theirs/output
    python3 "$SRC/testsuite/count/gcov-equal.py" ${ONLY:+--only "$ONLY"} ${BUT:+--but "$BUT"} \
        gcov/ours.info gcov/ours.xml theirs/*.gz ||
        fail "mlprof and gcov tell different things: $*"
}
