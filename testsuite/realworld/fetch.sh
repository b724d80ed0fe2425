#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch.sh FOLDER PACKAGE...: fetches and unpacks Debian source packages, each into
# FOLDER/PACKAGE/NAME-VERSION. What is there already is not fetched again.
#
# apt's configuration and lists stay as they are: where apt knows no source packages,
# this one call gets lists of its own, of the same archives, that are kept in a
# temporary folder. Needs neither root nor deb-src entries.

set -eu
export LC_ALL=C

die() {
    echo "fetch.sh: $*" >&2
    exit 1
}

# private_lists FOLDER: fills it and sets `options` to apt's options that use it.
private_lists() {
    mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
    # apt's own words, not the shell's.
    # shellcheck disable=SC2016
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        sort -u >"$1/sources.list"
    options="-o Dir::Etc::sourcelist=$1/sources.list -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists=$1/lists -o Dir::Cache=$1/cache"
}

# known PACKAGE: apt, with `options`, knows its source.
known() {
    # Options without blanks of their own, to be split.
    # shellcheck disable=SC2086
    apt-get $options source --print-uris -q=2 "$1" >"$temporary/uris" 2>/dev/null &&
        [ -s "$temporary/uris" ]
}

# get PACKAGE: into $folder/PACKAGE.
get() {
    rm -rf "$folder/$1.part"
    mkdir -p "$folder/$1.part"
    # shellcheck disable=SC2086
    (cd "$folder/$1.part" && apt-get $options source -q=2 "$1") \
        >"$temporary/log" 2>&1 ||
        die "apt-get source $1:
$(tail -n 5 "$temporary/log")"
    rm -rf "${folder:?}/$1"
    mv "$folder/$1.part" "$folder/$1"
}

[ $# -ge 2 ] || die "usage: fetch.sh FOLDER PACKAGE..."
command -v apt-get >/dev/null 2>&1 ||
    die "no apt-get here: unpack the sources yourself, each to $1/PACKAGE/NAME-VERSION"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM
# apt gives up root's rights to download, and must reach the folder then.
chmod 755 "$temporary"
options=

for package; do
    set -- "$folder/$package"/*/
    [ ! -d "$1" ] || continue
    command -v dpkg-source >/dev/null 2>&1 ||
        die "dpkg-source is missing: apt-get install dpkg-dev"
    echo "Fetching the source of $package ..." >&2
    if [ -z "$options" ] && ! known "$package"; then
        private_lists "$temporary"
        # An entry of somebody without source packages is no failure.
        # shellcheck disable=SC2086
        apt-get $options update -q=2 >"$temporary/update" 2>&1 || :
    fi
    known "$package" || die "apt knows no source package $package:
$(cat "$temporary/update" 2>/dev/null)"
    get "$package"
done
