#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb.sh: makes the tarball of this commit and from it Debian's packages, in a clean system of each release, twice;
# compares the two builds and asks lintian; installs the packages into another clean system and does there
# what the manual says (try.sh). For root, on Debian and its like.
#
# Environment: SRC, this checkout; VERSION; RELEASES; CHROOTS, a folder for the systems, two gigabytes for each
#   release while it is tried; MIRROR (system.sh); JOBS; STEPS, of build again lint try foreign rpm rebuild;
#   FOREIGN, the architecture whose runtime the step foreign makes; PACKAGES of the distribution, which the step
#   rebuild builds without and with the plugin (rebuild.sh).
# Logs and packages are in $CHROOTS/deb-RELEASE. Exit status 1 where something is not as it should be.

set -eu
export LC_ALL=C
: "${SRC:?}" "${VERSION:?}" "${RELEASES:?}" "${CHROOTS:?}" "${JOBS:=$(nproc)}" "${MAKE:=make}"
: "${STEPS:=build again lint try foreign}" "${FOREIGN:=arm64}" "${PACKAGES:=libyaml patchelf cjson tinyxml2 double-conversion libinih bzip2 dos2unix lzip minpack libcgns}"
here=$SRC/testsuite/install
. "$SRC/testsuite/install/system.sh"

# clean NAME: a system of that name, as new.
clean() {
    rm -rf "${out:?}/$1"
    cp -a "$CHROOTS/$release-base" "$out/$1"
    inside "$1" 0 "apt-get -q update && useradd -m builder"
}

# inside NAME USER COMMAND: in the system of that name.
inside() {
    system_inside "$out/$1" "$out/archives" "$2" HOME=/tmp sh -ec "$3"
}

# source: the tarball, and in $out/source what it and debian/ make.
source_package() {
    rm -rf "$out/source"
    mkdir -p "$out/source"
    "$MAKE" -s -C "$SRC" dist
    cp "$SRC/ccprof-$VERSION.tar.gz" "$out/source/ccprof_$VERSION.orig.tar.gz"
    tar -C "$out/source" -xf "$out/source/ccprof_$VERSION.orig.tar.gz"
    git -C "$SRC" archive HEAD debian | tar -C "$out/source/ccprof-$VERSION" -xf -
}

# compile FOLDER UMASK OPTIONS: the packages, there, in the system `build'.
compile() {
    inside build 0 "rm -rf '$1' && mkdir -p '$1' && cp -a /source/. '$1' && chown -R builder: '$1'"
    inside build builder "cd '$1/ccprof-$VERSION' && umask $2 && $3"
}

build() {
    clean build
    source_package
    cp -a "$out/source" "$out/build/source"
    inside build 0 "cd /source/ccprof-$VERSION && debian/rules control && apt-get -q -y build-dep ."
    compile /build/ccprof 022 "DEB_BUILD_OPTIONS=parallel=$JOBS dpkg-buildpackage -us -uc"
    rm -rf "$out/packages"
    mkdir "$out/packages"
    find "$out/build/build/ccprof" -maxdepth 1 -type f -exec cp {} "$out/packages" \;
}

# Elsewhere, at another time, in another zone and language, with another mask: the same bytes.
again() {
    compile /home/builder/another/folder 077 "TZ=UTC+11 LC_ALL=C LANGUAGE=fr \
        DEB_BUILD_OPTIONS='parallel=1 nocheck' dpkg-buildpackage -us -uc -b"
    for package in "$out"/packages/*.deb; do
        cmp "$package" "$out/build/home/builder/another/folder/$(basename "$package")"
    done
    echo "$(find "$out/packages" -name '*.deb' | wc -l) packages are the same byte for byte" >"$out/again.txt"
}

# The number of the bug that announces a package is known to whoever uploads it. Of the policy each release's
# lintian knows another version as the latest. What is overridden is shown, and would count for --fail-on.
lint() {
    inside build 0 "apt-get -q -y --no-install-recommends install lintian"
    inside build builder "cd /build/ccprof && lintian --version && lintian -i -I --show-overrides \
        --suppress-tags initial-upload-closes-no-bugs,newer-standards-version,out-of-date-standards-version \
        --fail-on none *.changes" >"$out/lintian.txt"
    # Since 2.143 it has a standard of its own for debian/watch, and reads libccprof.a, which those before cannot.
    ! grep '^[EWI]:' "$out/lintian.txt" | grep -v -e older-debian-watch-file-standard \
        -e 'unused-override unpack-message-for-deb-data ar failed'
}

# Packages from outside and a person who uses them.
try() {
    clean try
    mkdir "$out/try/packages"
    cp "$out"/packages/*.deb "$out"/packages/*.dsc "$out"/packages/*.gz "$out"/packages/*.xz "$out/try/packages"
    cp "$here/try.sh" "$out/try/packages"
    inside try 0 "sh -e /packages/try.sh prepare"
    inside try builder "sh -e /packages/try.sh user" >"$out/user.txt"
    inside try 0 "sh -e /packages/try.sh test" >"$out/autopkgtest.txt" 2>&1
    inside try 0 "sh -e /packages/try.sh remove" >"$out/remove.txt"
}

# The runtime of another architecture, built here and installed beside ours.
foreign() {
    profile="-a $FOREIGN -Ppkg.ccprof.runtime"
    inside build 0 "dpkg --add-architecture $FOREIGN && apt-get -q update &&
        cd /source/ccprof-$VERSION && apt-get -q -y $profile build-dep . &&
        apt-get -q -y --no-install-recommends install crossbuild-essential-$FOREIGN libc6-dev:$FOREIGN"
    compile /foreign 022 "DEB_BUILD_OPTIONS=parallel=$JOBS dpkg-buildpackage -us -uc -b $profile"
    clean foreign
    mkdir "$out/foreign/packages"
    cp "$here/foreign.sh" "$out"/packages/libccprof1_* "$out"/packages/libccprof-dev_* \
        "$out"/build/foreign/libccprof1_* "$out"/build/foreign/libccprof-dev_* "$out/foreign/packages"
    inside foreign 0 "sh -e /packages/foreign.sh $FOREIGN" >"$out/foreign.txt"
}

# RPM packages, as far as Debian's rpm can make them.
rpm_packages() {
    inside build 0 "apt-get -q -y --no-install-recommends install rpm rpmlint"
    cp "$out/source/ccprof_$VERSION.orig.tar.gz" "$out/build/tmp/ccprof-$VERSION.tar.gz"
    cp "$here/rpm.sh" "$out/build/tmp"
    inside build builder "HOME=/home/builder RPM_OPTIONS='${RPM_OPTIONS-}' sh -e /tmp/rpm.sh /tmp/ccprof-$VERSION.tar.gz" >"$out/rpm.txt"
}

# Packages of the distribution with the plugin.
rebuild() {
    clean rebuild
    mkdir "$out/rebuild/packages"
    cp "$out"/packages/*.deb "$here/rebuild.sh" "$out/rebuild/packages"
    inside rebuild 0 "sh -e /packages/rebuild.sh system"
    : >"$out/rebuild.txt"
    for package in $PACKAGES; do
        inside rebuild 0 "apt-get -q -y build-dep $package"
        inside rebuild builder "DEB_BUILD_OPTIONS=parallel=$JOBS sh -e /packages/rebuild.sh $package" >>"$out/rebuild.txt" ||
            echo "$package: NOT BUILT to the end" >>"$out/rebuild.txt"
    done
    ! grep -q 'DIFFERENT\|NOT BUILT\|NOT PROFILED' "$out/rebuild.txt"
}

bad=0
for release in $RELEASES; do
    out=$CHROOTS/deb-$release
    mkdir -p "$out"
    # With what every build needs; nothing is done in it.
    system_make "$CHROOTS/$release-base" "$release" --variant=buildd
    for step in $STEPS; do
        # Not `if': inside of that -e would not hold.
        set +e
        (
            set -e
            case $step in
            build) build ;;
            again) again ;;
            lint) lint ;;
            try) try ;;
            foreign) foreign ;;
            rpm) rpm_packages ;;
            rebuild) rebuild ;;
            esac
        ) >"$out/$step.log" 2>&1
        status=$?
        set -e
        if [ $status -eq 0 ]; then
            echo "$release: $step: done"
        else
            echo "$release: $step: FAILED, see $out/$step.log"
            bad=1
            [ "$step" != build ] || break
        fi
    done
    [ ! -f "$out/again.txt" ] || cat "$out/again.txt"
    [ ! -f "$out/lintian.txt" ] || grep '^[EWIPO]:' "$out/lintian.txt" || echo "$release: lintian says nothing"
    for step in user foreign rpm rebuild; do
        [ ! -f "$out/$step.txt" ] || cat "$out/$step.txt"
    done
    [ "${KEEP-}" ] || rm -rf "$out/build" "$out/try" "$out/foreign" "$out/rebuild"
done
exit $bad
