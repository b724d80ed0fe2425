#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# reports.sh make FOLDER PROGRAM FORM KIND: a program and two profiles of it, in FOLDER, with the
# plugin and the runtime of BEFORE; none if the kind writes no profiles.
# reports.sh read BUILD FOLDER: what BUILD/mlprof prints of them with each line of the file
# `views', of the second profile, of both, and, last, of addresses.  Prints a line `VIEW STATUS
# HASH' for each.  With the variable KEEP, a folder, all of it is left there.
#
# Environment: SRC, CC, CXX, FC as for all tests; BEFORE, a checkout that is built; REALWORLD, the
# folder of the sources of Lua and zstd.

# From programs.sh: arguments.
# shellcheck disable=SC2154
set -u
export LC_ALL=C
here=$SRC/testsuite/unchanged

die() {
    echo "reports.sh: $*" >&2
    exit 1
}

# profile PROGRAM FORM KIND: in this folder.
profile() {
    . "$SRC/testsuite/kinds/programs.sh"
    SRC=$BEFORE O=$BEFORE/build
    kind_arguments "$3" || die "there is no kind $3"
    program=$1 form=$2
    set -- "-fplugin=$O/ccprof.so"
    for argument in $arguments; do
        set -- "$@" "-fplugin-arg-ccprof-$argument"
    done
    build "$program" "$form" "$@" || die "$program, $form: not compiled: $(head -n 3 log)"
    for run in 1 2; do
        CCPROF=rate=5000 program_run "$program" >out 2>&1 || die "$program: status $?"
        [ -s mlmon.out ] || die "$program, $form, ${arguments}: no profile"
        mv mlmon.out "mlmon.$run"
    done
    mv mlmon.2 mlmon.out
    printf '%s\n' mlmon.1 mlmon.out >view.list
    objdump -d --no-show-raw-insn prog | sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' | sed -n "0~7p" >addresses
}

# report WORD...: what mlprof does, and a line of it.
report() {
    rm -f view.dot view.svg view.json
    status=0
    "$build/mlprof" "$@" <addresses >view.out 2>view.err || status=$?
    cat view.out view.err view.dot view.svg view.json 2>/dev/null >view.all
    echo "$number $status $(sha256sum <view.all | cut -c 1-24)"
    [ -z "${KEEP-}" ] || { mkdir -p "$KEEP" && cp view.all "$KEEP/$number"; }
    number=$((number + 1))
}

case $1 in
make)
    rm -rf "${2:?}"
    mkdir -p "$2"
    cd "$2" || exit
    profile "$3" "$4" "$5"
    touch made
    ;;
read)
    build=$2
    cd "$3" || exit
    number=1
    grep -v '^#' "$here/views" >views
    while read -r options; do
        eval "report $options prog mlmon.out"
    done <views
    report -raw true prog mlmon.1 mlmon.out
    report -where prog
    rm -f view.out view.err view.all
    ;;
esac
