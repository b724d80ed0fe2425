# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs for the tests of formats: . "$SRC/testsuite/formats/programs.sh" behind lib.sh.

EXPORT=$SRC/testsuite/formats

# profiled NAME COMPILER SOURCE OPTION...: compiles ./NAME, and runs it into NAME.out.
profiled() {
    profiled_name=$1 profiled_compiler=$2 profiled_source=$3
    shift 3
    "$profiled_compiler" -O2 -I"$SRC/rt" "$@" "$EXPORT/$profiled_source" -o "$profiled_name"
    CCPROF="rate=5000,output=$profiled_name.out" "./$profiled_name" >/dev/null
    [ -s "$profiled_name.out" ] || fail "$profiled_name writes no data"
}
