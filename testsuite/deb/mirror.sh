#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mirror.sh: prints the archive that this machine's apt takes Debian from; fails where it takes it from none.
# deb.sh and testsuite/compilers/compilers.sh call it: no file of ccprof names an archive.

set -eu

# apt's own words, not the shell's.
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
    grep -v security | head -n 1)
[ "$mirror" ] || {
    echo "mirror.sh: apt has no lists of Debian here: MIRROR is needed" >&2
    exit 1
}
echo "$mirror"
