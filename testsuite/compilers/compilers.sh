#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compilers.sh: builds this commit and runs its tests with each compiler, in systems of their
# own, and prints how many passed, by compiler and kind.  For root, on Debian and its like.
#
# Environment: SRC, this checkout; CHROOTS, the folder of the systems, which are made with
#   debootstrap where they are not there, two to eight gigabytes each; COMPILERS, words
#   RELEASE:MAJOR, of Debian's releases and GCC; MIRROR, the archive that they are made from: if empty,
#   the one that this machine's apt takes Debian from (testsuite/deb/mirror.sh, which asks apt for its
#   sources); TESTS and JOBS, as for make check.
# Logs are $CHROOTS/RELEASE-MAJOR.log, and the folders of the tests stay in
# $CHROOTS/RELEASE/ccprof-MAJOR/build/testsuite.  Exit status 1 where a test failed.

set -eu
export LC_ALL=C
: "${SRC:?}" "${CHROOTS:?}" "${COMPILERS:?}" "${MIRROR:=}" "${TESTS:=}" "${JOBS:=$(nproc)}"
here=$SRC/testsuite/compilers

die() {
    echo "compilers: $*" >&2
    exit 2
}

# system RELEASE: makes it, if it is not there.
system() {
    root=$CHROOTS/$1
    [ ! -f "$root/.made" ] || return 0
    command -v debootstrap >/dev/null || die "debootstrap is not installed"
    echo "Making $root ... (some minutes)"
    rm -rf "$root"
    [ "$MIRROR" ] || MIRROR=$("$SRC/testsuite/deb/mirror.sh") || exit 2
    debootstrap --variant=minbase --include=ca-certificates,git,make,gcc,g++,procps,file \
        "$1" "$root" "$MIRROR" >"$CHROOTS/$1.log" 2>&1 || die "no $1: see $CHROOTS/$1.log"
    # A mirror may be one of some day, and its lists older than they should be.
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/50mirror"
    : >"$root/.made"
}

# inside RELEASE COMMAND...: in the system, with the folders that the kernel gives.  They are
# seen by this command alone, so they are gone when it has ended.
inside() {
    inside_root=$CHROOTS/$1
    shift
    # $@ is for the inner shell.
    # shellcheck disable=SC2016
    unshare --mount sh -ec 'root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"' \
        inside "$inside_root" "$@"
}

# packages RELEASE MAJOR: the compilers of that version, of which Ada's excludes all others.
packages() {
    install='apt-get -q -y --no-install-recommends install'
    inside "$1" DEBIAN_FRONTEND=noninteractive sh -ec "apt-get -q update
        $install gcc-$2 g++-$2 gfortran-$2 gcc-$2-plugin-dev
        $install gnat-$2 || :"
}

# checkout RELEASE MAJOR: this commit.
checkout() {
    work=$CHROOTS/$1/ccprof-$2
    { [ -d "$work" ] || git init -q "$work"; } &&
        git -C "$work" fetch -q "$SRC" HEAD &&
        git -C "$work" checkout -q --force FETCH_HEAD
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
    system "$release"
    echo "$release, GCC $major: see $log"
    { packages "$release" "$major" && checkout "$release" "$major"; } >"$log" 2>&1 ||
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
