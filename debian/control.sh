#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# control.sh DEFAULT MAJOR...: prints debian/control for a release whose GCCs these are, and
# the first word the major version of its package gcc.
# control.sh: finds them in the lists of apt.

set -eu
here=$(dirname -- "$0")
known='12 13 14 15 16'

if [ $# -eq 0 ]; then
    set -- "$(apt-cache depends gcc | sed -n 's/^ *Depends: gcc-\([0-9]*\).*/\1/p')"
    for major in $known; do
        ! apt-cache show "gcc-$major-plugin-dev" >/dev/null 2>&1 || set -- "$@" "$major"
    done
fi
if [ -z "${1-}" ] || [ $# -lt 2 ]; then
    echo "control.sh: no GCC found: the lists of apt are needed, or DEFAULT MAJOR..." >&2
    exit 1
fi
default=$1
shift

depends=
for major; do
    depends="$depends${depends:+, }gcc-$major <!pkg.ccprof.runtime>, gcc-$major-plugin-dev <!pkg.ccprof.runtime>"
done
sed "s/@BUILD_DEPENDS@/$depends/; s/, gcc-/,\n               gcc-/g; s/@DEFAULT@/$default/" "$here/control.in"
for major; do
    sed "s/@N@/$major/g" "$here/control.plugin"
done
