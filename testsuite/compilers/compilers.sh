#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compilers.sh: builds this commit and runs its tests with each compiler, in systems of their
# own, and prints how many passed, by compiler and kind. For root, on Debian and its like.
#
# Environment: SRC, this checkout; CHROOTS, the folder of the systems, which are made with
#   debootstrap where they are not there, two to eight gigabytes each; COMPILERS, words
#   RELEASE:MAJOR, of Debian's releases and GCC; MIRROR (testsuite/install/system.sh); TESTS and JOBS, as for make check.
# Logs are $CHROOTS/RELEASE-MAJOR.log, and the folders of the tests stay in
# $CHROOTS/RELEASE/ccprof-MAJOR/build/testsuite. Exit status 1 where a test failed.

set -eu
export LC_ALL=C
: "${SRC:?}" "${CHROOTS:?}" "${COMPILERS:?}" "${TESTS:=}" "${JOBS:=$(nproc)}"
here=$SRC/testsuite/compilers
. "$SRC/testsuite/install/system.sh"

# inside RELEASE COMMAND...
inside() {
    inside_root=$CHROOTS/$1
    shift
    system_inside "$inside_root" '' 0 HOME=/root "$@"
}

# packages RELEASE MAJOR: the compilers of that version, of which Ada's excludes all others.
packages() {
    install='apt-get -q -y --no-install-recommends install'
    inside "$1" sh -ec "apt-get -q update
        $install gcc-$2 g++-$2 gfortran-$2 gcc-$2-plugin-dev
        $install gnat-$2 || :"
}

# check RELEASE MAJOR
check() {
    rm -rf "$CHROOTS/$1/ccprof-$2/build/testsuite/.results"
    inside "$1" make -C "/ccprof-$2" check TESTS="$TESTS" JOBS="$JOBS" CC="gcc-$2" CXX="g++-$2" \
        FC="gfortran-$2" GNATMAKE="gnatmake-$2" PLUGIN_GCC="gcc-$2"
}

mkdir -p "$CHROOTS"
rows=$CHROOTS/results
: >"$rows"
bad=0
for compiler in $COMPILERS; do
    release=${compiler%%:*} major=${compiler#*:}
    log=$CHROOTS/$release-$major.log
    system_make "$CHROOTS/$release" "$release" --variant=minbase --include=ca-certificates,git,make,gcc,g++,procps,file
    echo "$release, GCC $major: see $log"
    { packages "$release" "$major" && system_checkout "$CHROOTS/$release/ccprof-$major"; } >"$log" 2>&1 ||
        die "no GCC $major in $release: see $log"
    # A test that fails, or a build, is told in the table.
    check "$release" "$major" >>"$log" 2>&1 || bad=1
    version=$(inside "$release" "gcc-$major" -dumpfullversion)
    results=$CHROOTS/$release/ccprof-$major/build/testsuite/.results
    [ -d "$results" ] || echo "$release $version - not-built BUILD" >>"$rows"
    find "$results" -type f 2>/dev/null | sort | while read -r file; do
        echo "$release $version - $(basename "$file") $(cat "$file")"
    done >>"$rows"
done
awk -f "$here/table.awk" "$rows"
exit $bad
